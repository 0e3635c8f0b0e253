/** A run that is opened again as it grows: only what is new is read, and nothing differs from a first opening. */
import { describe, expect, it } from "vitest";
import { type MemoryEntry, memorySource } from "../../../src/core/io/memory.ts";
import type { RunSource } from "../../../src/core/io/source.ts";
import { RunMemory } from "../../../src/core/reader/memory.ts";
import { openRun } from "../../../src/core/reader/open.ts";
import type { Column, RunModel } from "../../../src/core/run/model.ts";
import { type Cells, double, int64, list, nulls, parquet, text } from "../helpers/parquet.ts";
import { counting, manifest, range, shard } from "../helpers/runs.ts";
import { random } from "../random.ts";

/** A folder in memory whose files have times of their own. */
class Folder {
  readonly files = new Map<string, MemoryEntry>([["manifest.json", manifest()]]);
  readonly #times = new Map<string, number>();
  #clock = 1;

  set(path: string, bytes: Uint8Array): void {
    this.files.set(path, bytes);
    this.#times.set(path, this.#clock++);
  }

  delete(path: string): void {
    this.files.delete(path);
  }

  source(): RunSource {
    return memorySource(this.files, "run", (path) => this.#times.get(path) ?? 0);
  }
}

const part = (number: number): string => `steps/part-${String(number).padStart(5, "0")}.parquet`;

interface PartOptions {
  readonly odd?: (step: number) => number | null;
  readonly more?: Record<string, Cells>;
}

const rows = (steps: readonly number[], { odd = (s) => s / 7, more = {} }: PartOptions = {}): Uint8Array =>
  parquet({
    step: int64(steps),
    timestamp: double(steps.map((s) => 1.7e9 + s)),
    reward_mean: double(steps.map(odd)),
    kl_positional: list(steps.map((s) => (s % 5 === 4 ? null : [s, s + 0.5]))),
    value_loss: nulls(steps.length),
    ...more,
  });

const line = (step: number): string =>
  `${JSON.stringify({ timestamp: 1.7e9 + step, kind: "checkpoint", step, rank: 0, message: `at ${step}`, data: {} })}\n`;
const utf8 = (textual: string): Uint8Array => new TextEncoder().encode(textual);

const plain = (column: Column | undefined) =>
  column && {
    values: [...column.values],
    valid: column.valid && [...column.valid],
    exact: column.exact && [...column.exact].map(String),
  };

/** All that a model says, in a form that can be compared. */
async function everything(model: RunModel): Promise<unknown> {
  const names = model.steps.columns.map(({ name }) => name);
  const out: Record<string, unknown> = { columns: model.steps.columns, layout: model.layout };
  for (const order of ["merged", "recorded"] as const) {
    const axis = await model.steps.axis(order);
    const columns = await model.steps.read(names, order);
    const positional = await model.steps.readList("kl_positional", order);
    out[order] = {
      rows: axis.rows,
      step: plain(axis.step),
      columns: columns.map(plain),
      positional: positional && [[...positional.values], [...positional.offsets], positional.valid],
    };
  }
  const samples = await model.samples.inSteps(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 1000);
  const warnings = model.warnings().map((warning) => JSON.stringify(warning));
  return { ...out, events: model.events, samples, warnings: warnings.sort() };
}

describe("a run that is opened again", () => {
  it("reads the new part and the new lines only", async () => {
    const folder = new Folder();
    for (const n of range(0, 40)) folder.set(part(n), rows(range(n * 50, n * 50 + 50)));
    folder.set("events.jsonl", utf8(range(0, 500).map(line).join("")));
    const { source, counts } = counting(folder.source());
    const memory = new RunMemory();
    const before = await openRun(source, { memory });
    await before.steps.read(["reward_mean"], "merged");

    folder.set(part(40), rows(range(2000, 2003)));
    const log = folder.files.get("events.jsonl") as Uint8Array;
    folder.set("events.jsonl", utf8(new TextDecoder().decode(log) + line(2001)));
    counts.reset();
    const after = await openRun(source, { memory });
    const [reward] = await after.steps.read(["reward_mean"], "merged");
    expect(reward?.values.length).toBe(2003);
    expect(reward?.values[2002]).toBe(2002 / 7);
    expect(after.events.at(-1)?.step).toBe(2001);
    expect([...counts.byPath.keys()].filter((path) => path.startsWith("steps/"))).toEqual([part(40)]);
    expect(counts.byPath.get("events.jsonl")).toBeLessThanOrEqual(line(2001).length + 256);
    // The earlier model goes on showing what it showed.
    expect((await before.steps.read(["reward_mean"], "merged"))[0]?.values.length).toBe(2000);
  });

  it("reads the new part only where the run goes on behind a steps.parquet", async () => {
    const folder = new Folder();
    folder.set("steps.parquet", rows(range(0, 2000)));
    folder.set(part(0), rows(range(2000, 2003)));
    const { source, counts } = counting(folder.source());
    const memory = new RunMemory();
    await (await openRun(source, { memory })).steps.read(["reward_mean"], "merged");
    for (const [n, from] of [
      [1, 2003],
      [2, 2006],
    ] as const) {
      folder.set(part(n), rows(range(from, from + 3)));
      counts.reset();
      const after = await openRun(source, { memory });
      const [reward] = await after.steps.read(["reward_mean"], "merged");
      expect(reward?.values.at(-1)).toBe((from + 2) / 7);
      expect([...counts.byPath.keys()].filter((path) => path.startsWith("steps"))).toEqual([part(n)]);
    }
    // A part whose steps are in it already is told from one that goes on, then as at first.
    folder.set(part(3), rows(range(100, 103)));
    const again = await openRun(source, { memory });
    expect((await again.steps.axis("merged")).rows).toBe(2009);
    expect(again.warnings().map(({ code }) => code)).toContain("compaction-interrupted");
  });

  it("keeps what a list reads of it in passing from the second time on", async () => {
    const folder = new Folder();
    for (const n of range(0, 10)) folder.set(part(n), rows(range(n * 50, n * 50 + 50)));
    const { source, counts } = counting(folder.source());
    const memory = new RunMemory();
    for (const n of range(10, 13)) {
      folder.set(part(n), rows(range(n * 50, n * 50 + 50)));
      counts.reset();
      const run = await openRun(source, { memory });
      const [reward] = await run.steps.read(["reward_mean"], "merged", { keep: false });
      expect(reward?.values.length).toBe(n * 50 + 50);
    }
    expect([...counts.byPath.keys()].filter((path) => path.startsWith("steps/"))).toEqual([part(12)]);
  });

  it("reads what a counting of a first opening reads when nothing is known", async () => {
    const folder = new Folder();
    folder.set(part(0), rows(range(0, 50)));
    const { source, counts } = counting(folder.source());
    await openRun(source);
    const first = counts.bytes;
    counts.reset();
    await openRun(source, { memory: new RunMemory() });
    expect(counts.bytes).toBe(first);
  });

  it("sees a torn part when it is whole", async () => {
    const folder = new Folder();
    const memory = new RunMemory();
    const whole = rows(range(50, 60));
    folder.set(part(0), rows(range(0, 50)));
    folder.set(part(1), whole.slice(0, whole.length - 20));
    const torn = await openRun(folder.source(), { memory });
    expect(torn.warnings().map(({ code }) => code)).toContain("part-incomplete");
    expect((await torn.steps.axis("merged")).rows).toBe(50);
    folder.set(part(1), whole);
    const mended = await openRun(folder.source(), { memory });
    expect((await mended.steps.axis("merged")).rows).toBe(60);
    expect(mended.warnings().map(({ code }) => code)).not.toContain("part-incomplete");
  });

  it("counts odd cells once, however often it is opened", async () => {
    const folder = new Folder();
    const memory = new RunMemory();
    const nan = (s: number): number => (s % 10 === 0 ? Number.NaN : s);
    for (const n of range(0, 4)) {
      folder.set(part(n), rows(range(n * 50, n * 50 + 50), { odd: nan }));
      const model = await openRun(folder.source(), { memory });
      await model.steps.read(["reward_mean"], "merged");
      await model.steps.read(["reward_mean"], "merged");
      const counted = model.warnings().filter(({ code }) => code === "non-finite");
      expect(counted.reduce((sum, { count }) => sum + count, 0)).toBe(5 * (n + 1));
    }
  });

  it("takes another file of the same name for another file", async () => {
    const folder = new Folder();
    const memory = new RunMemory();
    folder.set(part(0), rows(range(0, 50)));
    folder.set("events.jsonl", utf8(line(1) + line(2)));
    const before = await openRun(folder.source(), { memory });
    await before.steps.read(["reward_mean"], "merged");
    folder.set(part(0), rows(range(0, 50), { odd: (s) => -s }));
    folder.set("events.jsonl", utf8(line(3) + line(4) + line(5)));
    const after = await openRun(folder.source(), { memory });
    expect((await after.steps.read(["reward_mean"], "merged"))[0]?.values[7]).toBe(-7);
    expect(after.events.map(({ step }) => step)).toEqual([3, 4, 5]);
  });

  it("is the same run after its parts were compacted", async () => {
    const folder = new Folder();
    const memory = new RunMemory();
    for (const n of range(0, 3)) folder.set(part(n), rows(range(n * 50, n * 50 + 50)));
    const before = await openRun(folder.source(), { memory });
    const [old] = await before.steps.read(["reward_mean"], "merged");
    folder.set("steps.parquet", rows(range(0, 150)));
    const both = await openRun(folder.source(), { memory });
    expect((await both.steps.read(["reward_mean"], "merged"))[0]).toEqual(old);
    for (const n of range(0, 3)) folder.delete(part(n));
    const after = await openRun(folder.source(), { memory });
    expect(after.layout).toBe("compacted");
    expect((await after.steps.read(["reward_mean"], "merged"))[0]).toEqual(old);
  });

  it("says nothing that a first opening would not say, whatever happens to the folder", async () => {
    for (let seed = 1; seed <= 40; seed++) {
      const next = random(seed);
      const pick = (n: number): number => Math.floor(next() * n);
      const folder = new Folder();
      const memory = new RunMemory();
      let step = 0;
      let parts = 0;
      let log = "";
      let shards = 0;
      const shardPath = (number: number): string =>
        `samples/shard-${String(number).padStart(5, "0")}.parquet`;
      const add = (): void => {
        const count = 1 + pick(6);
        const back = pick(8) === 0 ? pick(5) : 0;
        const steps = range(Math.max(0, step - back), step + count);
        step += count;
        const odd = (s: number): number | null =>
          [s, Number.NaN, null, Number.POSITIVE_INFINITY][pick(12)] ?? (pick(9) === 0 ? null : s / 3);
        const more: Record<string, Cells> = {};
        if (pick(4) === 0) more["extra.lr"] = double(steps.map((s) => s * 1e-6));
        if (pick(6) === 0) more["extra.lr"] = text(steps.map(() => "0.5"));
        if (pick(5) === 0) more["n_truncated"] = double(steps.map((s) => s + 0.5));
        if (pick(7) === 0) more["value_loss"] = double(steps.map((s) => s));
        folder.set(part(parts++), rows(steps, { odd, more }));
      };
      const happenings: readonly (() => void)[] = [
        add,
        add,
        add,
        () => {
          log += line(step) + (pick(3) === 0 ? "not a line\n" : "");
          folder.set("events.jsonl", utf8(log));
        },
        () => {
          log += line(step).slice(0, 20 + pick(20));
          folder.set("events.jsonl", utf8(log));
        },
        () => {
          log = pick(2) === 0 ? "" : line(step);
          folder.set("events.jsonl", utf8(log));
        },
        () => {
          const path = part(pick(Math.max(1, parts)));
          const bytes = folder.files.get(path);
          if (bytes instanceof Uint8Array) folder.set(path, bytes.slice(0, pick(bytes.length)));
        },
        () => folder.delete(part(pick(Math.max(1, parts)))),
        () => folder.set("steps.parquet", rows(range(0, Math.max(1, step - pick(4))))),
        () => folder.delete("steps.parquet"),
        () =>
          folder.set(shardPath(shards++), shard(step, step + 1 + pick(3), pick(3) === 0 ? "a\u202e" : "a")),
        () => folder.set(shardPath(shards++), shard(step, step + 2, "b").slice(0, 100)),
        () => folder.delete(shardPath(pick(Math.max(1, shards)))),
      ];
      for (let turn = 0; turn < 14; turn++) {
        happenings[pick(happenings.length)]?.();
        const again = await everything(await openRun(folder.source(), { memory }));
        const fresh = await everything(await openRun(folder.source()));
        expect(again, `seed ${seed}, turn ${turn}`).toEqual(fresh);
      }
    }
  });
});
