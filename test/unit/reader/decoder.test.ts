/**
 * The traps of parquet-wasm and arrow that decided how columns are read (docs/decisions/0001-parquet.md): each first
 * shown to be there, so that a version without it is noticed, then shown not to reach our columns.
 */
import { tableFromIPC } from "apache-arrow";
import { ParquetFile, readParquet } from "parquet-wasm/esm";
import { describe, expect, it } from "vitest";
import { memorySource } from "../../../src/core/io/memory.ts";
import { ColumnBuilder } from "../../../src/core/reader/convert.ts";
import { DecodeError, decodeParquet } from "../../../src/core/reader/decode.ts";
import { buildExcerpt } from "../../../src/core/reader/excerpt.ts";
import type { Footer } from "../../../src/core/reader/footer.ts";
import { openParquet, readColumns } from "../../../src/core/reader/parquetFiles.ts";
import { bool, double, int64, list, nulls, parquet, text } from "../helpers/parquet.ts";

const rows = Array.from({ length: 500 }, (_, i) => i);
const file = parquet({
  step: int64(rows),
  kl_mean: double(rows.map((i) => (i % 3 === 0 ? null : i + 0.5))),
  reward_mean: double(rows.map((i) => i * 2)),
  text: text(rows.map((i) => `row ${i}`)),
});

function slice(bytes: Uint8Array, footer: Footer, g: number, leaf: number): Uint8Array {
  const group = footer.rowGroups[g];
  if (!group) throw new RangeError("no such row group");
  return bytes.subarray(group.start(leaf), group.start(leaf) + group.compressed(leaf));
}

async function excerptOf(bytes: Uint8Array, names: readonly string[]): Promise<Uint8Array> {
  const source = memorySource(new Map([["f", bytes]]));
  const { footer } = await openParquet(source, "f", bytes.length);
  return buildExcerpt([{ footer, bytes: (g, leaf) => slice(bytes, footer, g, leaf) }], names);
}

describe("ignored projection", () => {
  it("is there: readParquet gives all columns whatever was asked for", () => {
    const table = tableFromIPC(readParquet(file, { columns: ["kl_mean"] }).intoIPCStream());
    expect(table.schema.names).toEqual(["step", "kl_mean", "reward_mean", "text"]);
  });

  it("does not reach us: an excerpt holds what was asked for, in the order asked", async () => {
    const table = decodeParquet(await excerptOf(file, ["reward_mean", "step"]));
    expect(table.schema.names).toEqual(["reward_mean", "step"]);
    expect(table.numRows).toBe(500);
    expect(table.getChild("reward_mean")?.get(499)).toBe(998);
  });
});

describe("a promise that never settles", () => {
  /** Pages overwritten with noise, the footer whole. */
  const damaged = file.slice();
  damaged.fill(0xa5, 4, 2000);

  it("does not reach us: damaged pages throw at once, and the decoder works on afterwards", async () => {
    const broken = await excerptOf(damaged, ["kl_mean"]);
    expect(() => decodeParquet(broken)).toThrow(DecodeError);
    expect(decodeParquet(await excerptOf(file, ["kl_mean"])).numRows).toBe(500);
  });

  it("is a property of the decoder's asynchronous reader, which nothing of ours calls", () => {
    // Calling it on damaged bytes ends the process, so only its existence is looked at here.
    expect(typeof ParquetFile.fromFile).toBe("function");
    expect(decodeParquet.toString()).not.toContain("ParquetFile");
  });
});

describe("stale values at nulls", () => {
  it("is there: the slot under a null holds something", async () => {
    const vector = decodeParquet(await excerptOf(file, ["kl_mean"])).getChild("kl_mean");
    expect(vector?.get(0)).toBe(null);
    expect(vector?.toArray()[0]).toEqual(expect.any(Number));
    expect(vector?.toArray()[0]).not.toBeNaN();
  });

  it("does not reach us: NaN where null, with the mask kept", async () => {
    const vector = decodeParquet(await excerptOf(file, ["kl_mean"])).getChild("kl_mean");
    const builder = new ColumnBuilder(500);
    if (vector) builder.append(vector, 0);
    const column = builder.finish();
    for (const i of rows) {
      expect(column.valid?.[i]).toBe(i % 3 === 0 ? 0 : 1);
      if (i % 3 === 0) expect(column.values[i]).toBeNaN();
      else expect(column.values[i]).toBe(i + 0.5);
    }
  });

  it("does not reach us: columns are copies, none keeps the decoded buffer", async () => {
    const vector = decodeParquet(await excerptOf(file, ["reward_mean"])).getChild("reward_mean");
    const builder = new ColumnBuilder(500);
    if (vector) builder.append(vector, 0);
    expect(builder.finish().values.byteLength).toBe(500 * 8);
  });
});

describe("many files in one decoder call", () => {
  it("gives the same as one file after another, types and columns differing from part to part", async () => {
    const parts = [
      parquet({ step: int64([1, 2]), x: double([0.5, null]), flag: bool([true, false]) }),
      parquet({ step: int64([3]), x: nulls(1) }),
      parquet({ step: int64([]), x: double([]) }),
      parquet({ step: int64([4, 5]), x: int64([7, null]), flag: bool([null, true]) }),
      parquet({ step: int64([6]), x: double([9]), extra: double([1]) }),
    ];
    const source = memorySource(new Map(parts.map((b, i) => [`p${i}`, b])));
    const files = await Promise.all(parts.map((b, i) => openParquet(source, `p${i}`, b.length)));
    const builders = new Map(["step", "x", "flag", "extra"].map((n) => [n, new ColumnBuilder(6)]));
    await readColumns(
      source,
      files,
      [...builders.keys()],
      (f, n) => f.footer.columns.get(n)?.node.logical !== "null",
      {
        append: (n, v, row) => builders.get(n)?.append(v, row),
        nulls: (n, row, count) => builders.get(n)?.nulls(row, row + count),
        fault: () => expect.unreachable(),
      },
    );
    const values = (n: string) => [...(builders.get(n)?.finish().values ?? [])];
    expect(values("step")).toEqual([1, 2, 3, 4, 5, 6]);
    expect(values("x")).toEqual([0.5, Number.NaN, Number.NaN, 7, Number.NaN, 9]);
    expect(values("flag")).toEqual([1, 0, Number.NaN, Number.NaN, 1, Number.NaN]);
    expect(values("extra")).toEqual([...Array(5).fill(Number.NaN), 1]);
    expect([...(builders.get("x")?.finish().valid ?? [])]).toEqual([1, 0, 0, 1, 0, 1]);
  });

  it("costs the damaged column of the damaged file, nothing else", async () => {
    const whole = [file, file, file].map((f) => f.slice());
    const probe = memorySource(new Map([["f", file]]));
    const kept = slice(file, (await openParquet(probe, "f", file.length)).footer, 0, 1);
    whole[1]?.fill(0x5a, kept.byteOffset - file.byteOffset, kept.byteOffset - file.byteOffset + kept.length);
    const source = memorySource(new Map(whole.map((b, i) => [`p${i}`, b])));
    const files = await Promise.all(whole.map((b, i) => openParquet(source, `p${i}`, b.length)));
    const faults: string[] = [];
    const kl = new ColumnBuilder(1500);
    const reward = new ColumnBuilder(1500);
    const of = (n: string) => (n === "kl_mean" ? kl : reward);
    await readColumns(source, files, ["kl_mean", "reward_mean"], () => true, {
      append: (n, v, row) => of(n).append(v, row),
      nulls: (n, row, count) => of(n).nulls(row, row + count),
      fault: (n, f, code) => faults.push(`${code} ${f.path} ${n}`),
    });
    expect(faults).toEqual(["page-corrupt p1 kl_mean"]);
    expect([kl.finish().values[1], kl.finish().values[501], kl.finish().values[1001]]).toEqual([
      1.5,
      Number.NaN,
      1.5,
    ]);
    expect(reward.finish().values[501]).toBe(2);
  });

  it("keeps row groups, lists and text whole", async () => {
    const bytes = parquet(
      {
        step: int64(rows),
        kl_positional: list(rows.map((i) => (i % 4 === 3 ? null : rows.slice(0, i % 4)))),
        t: text(rows.map(String)),
      },
      64,
    );
    const table = decodeParquet(await excerptOf(bytes, ["t", "kl_positional"]));
    expect(table.numRows).toBe(500);
    const t = table.getChild("t")?.get(321) as Uint8Array;
    expect(new TextDecoder().decode(t)).toBe("321");
    expect(table.getChild("kl_positional")?.get(3)).toBe(null);
    expect([...(table.getChild("kl_positional")?.get(2) ?? [])]).toEqual([0, 1]);
  });
});

describe("integers", () => {
  it("keeps what is beyond 2^53 exact", async () => {
    const big = [2n ** 53n + 1n, 5n, -(2n ** 60n) - 1n];
    const vector = decodeParquet(await excerptOf(parquet({ n: int64(big) }), ["n"])).getChild("n");
    const builder = new ColumnBuilder(3);
    if (vector) builder.append(vector, 0);
    const column = builder.finish();
    expect([...(column.exact ?? [])]).toEqual(big);
    expect(builder.unsafe).toBe(2);
  });
});
