import { describe, expect, it } from "vitest";
import { memorySource } from "../../../src/core/io/memory.ts";
import { type Footer, FooterError, parseFooter } from "../../../src/core/reader/footer.ts";
import { openParquet } from "../../../src/core/reader/parquetFiles.ts";
import { T, ThriftReader, ThriftWriter } from "../../../src/core/reader/thrift.ts";
import { double, int64, list, nulls, parquet, text } from "../helpers/parquet.ts";

const file = parquet({
  step: int64([1, 2, 3]),
  "reward_component.a.b": double([1, null, 3]),
  kl_positional: list([[1, 2], null, []]),
  value_loss: nulls(3),
  text: text(["a", "b", "c"]),
});

const open = async (bytes: Uint8Array): Promise<Footer> =>
  (await openParquet(memorySource(new Map([["f", bytes]])), "f", bytes.length)).footer;
const refusal = async (bytes: Uint8Array): Promise<string> => {
  try {
    await open(bytes);
    return "opened";
  } catch (error) {
    return error instanceof FooterError ? error.code : `uncoded: ${error}`;
  }
};

describe("a footer", () => {
  it("tells columns, types, rows and where chunks lie", async () => {
    const footer = await open(file);
    expect([...footer.columns.keys()]).toEqual([
      "step",
      "reward_component.a.b",
      "kl_positional",
      "value_loss",
      "text",
    ]);
    expect(footer.rows).toBe(3);
    expect([...footer.columns.values()].map((c) => c.node.logical)).toEqual([
      "none",
      "none",
      "list",
      "null",
      "string",
    ]);
    const group = footer.rowGroups[0];
    footer.leaves.forEach((_, leaf) => {
      expect(group?.fault(leaf)).toBe(null);
      expect(group?.start(leaf)).toBeGreaterThanOrEqual(4);
      expect((group?.start(leaf) ?? 0) + (group?.compressed(leaf) ?? 0)).toBeLessThanOrEqual(file.length);
    });
  });

  it("is longer than the first read", async () => {
    const many = new Map(
      Array.from({ length: 600 }, (_, i) => [`extra.metric_number_${i}`, double([i])] as const),
    );
    expect((await open(parquet(many))).columns.size).toBe(600);
  });
});

describe("what a file is that is no whole Parquet file", () => {
  const cases: [string, Uint8Array, string][] = [
    ["empty", new Uint8Array(0), "empty-file"],
    ["zeros", new Uint8Array(500), "nul-file"],
    ["cut in half", file.slice(0, file.length >> 1), "truncated-parquet"],
    ["cut by a byte", file.slice(0, -1), "truncated-parquet"],
    ["four bytes", file.slice(0, 4), "truncated-parquet"],
    [
      "a Git LFS pointer",
      new TextEncoder().encode("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"),
      "lfs-pointer",
    ],
    ["gzip", Uint8Array.from([0x1f, 0x8b, 8, 0, ...new Array(100).fill(7)]), "gzip-wrapped"],
    ["a web page", new TextEncoder().encode(`<!DOCTYPE html><html>${"x".repeat(100)}`), "html-page"],
    [
      "an encrypted footer",
      Uint8Array.from([...file.slice(0, -4), 0x50, 0x41, 0x52, 0x45]),
      "encrypted-parquet",
    ],
    ["something else", new TextEncoder().encode("step,reward\n1,2\n".repeat(9)), "bad-magic"],
  ];
  for (const [name, bytes, code] of cases)
    it(`${name}: ${code}`, async () => {
      expect(await refusal(bytes)).toBe(code);
    });

  it("a footer length beyond the file", async () => {
    const lying = file.slice();
    new DataView(lying.buffer).setUint32(lying.length - 8, 0xfffffff0, true);
    expect(await refusal(lying)).toBe("footer-corrupt");
  });
});

/** A footer of one column "x" with chosen claims. */
function claims(c: {
  children?: number;
  rows?: number;
  size?: number;
  offset?: number;
  codec?: number;
  groups?: number;
}): Uint8Array {
  const w = new ThriftWriter();
  const name = (s: string) => {
    w.field(4, T.BINARY);
    w.binary(new TextEncoder().encode(s));
  };
  w.begin();
  w.field(2, T.LIST);
  w.listHead(T.STRUCT, 2);
  w.begin();
  name("schema");
  w.int(5, T.I32, c.children ?? 1);
  w.end();
  w.begin();
  w.int(1, T.I32, 5);
  w.int(3, T.I32, 1);
  name("x");
  w.end();
  w.int(3, T.I64, 1);
  w.field(4, T.LIST);
  w.listHead(T.STRUCT, c.groups ?? 1);
  w.begin();
  w.field(1, T.LIST);
  w.listHead(T.STRUCT, 1);
  w.begin();
  w.field(3, T.STRUCT);
  w.begin();
  w.int(1, T.I32, 5);
  w.int(4, T.I32, c.codec ?? 6);
  w.int(5, T.I64, 1);
  w.int(6, T.I64, 100);
  w.int(7, T.I64, c.size ?? 100);
  w.int(9, T.I64, c.offset ?? 4);
  w.end();
  w.end();
  w.int(3, T.I64, c.rows ?? 1);
  w.end();
  w.end();
  return w.bytes();
}
const chunkFault = (c: Parameters<typeof claims>[0]) =>
  parseFooter(claims(c), 1000).rowGroups[0]?.fault(0)?.code ?? null;
const whole = (c: Parameters<typeof claims>[0]) => {
  try {
    parseFooter(claims(c), 1000);
    return null;
  } catch (error) {
    return error instanceof FooterError ? error.code : `uncoded: ${error}`;
  }
};

describe("claims that cannot be true", () => {
  it("are believed when they can", () => {
    expect(whole({})).toBe(null);
    expect(chunkFault({})).toBe(null);
  });
  it("cost the file where nothing can be placed", () => {
    expect(whole({ children: 2 ** 31 })).toBe("footer-corrupt");
    expect(whole({ children: -1 })).toBe("footer-corrupt");
    expect(whole({ groups: 2 ** 31 })).toBe("footer-corrupt");
    expect(whole({ rows: 2 ** 40 })).toBe("size-limit");
    expect(whole({ rows: -5 })).toBe("footer-corrupt");
  });
  it("cost the column where the others stand", () => {
    expect(chunkFault({ size: 2 ** 40 })).toBe("footer-corrupt");
    expect(chunkFault({ offset: 2 ** 50 })).toBe("footer-corrupt");
    expect(chunkFault({ offset: -4 })).toBe("footer-corrupt");
    expect(chunkFault({ codec: 99 })).toBe("unsupported-codec");
  });
  it("never cost more than their bytes: 20,000 levels of nesting, cut anywhere", () => {
    const deep = new Uint8Array(40_000).fill(0x1c);
    expect(() => parseFooter(deep, 1000)).toThrow(FooterError);
    const good = claims({});
    for (let n = 0; n < good.length; n++)
      expect(() => parseFooter(good.slice(0, n), 1000)).toThrow(FooterError);
  });
  it("never throw anything uncoded, whatever byte is changed", () => {
    const bytes = file.slice(-1000, -8);
    for (let i = 0; i < bytes.length; i++)
      for (const v of [0, 0x7f, 0xff, 0x19]) {
        const mutant = bytes.slice();
        mutant[i] = v;
        try {
          parseFooter(mutant, 1000);
        } catch (error) {
          expect(error).toBeInstanceOf(FooterError);
        }
      }
  });
});

describe("thrift", () => {
  it("reads back what it wrote, negative and beyond 32 bits", () => {
    const w = new ThriftWriter();
    w.begin();
    const numbers = [0, 1, -1, 63, -64, 2 ** 31, -(2 ** 40), 2 ** 52];
    numbers.forEach((n, i) => {
      w.int(i * 20 + 1, T.I64, n);
    });
    w.end();
    const out: number[] = [];
    const r = new ThriftReader(w.bytes());
    r.struct(() => out.push(r.zigzag()));
    expect(out).toEqual(numbers);
  });
});
