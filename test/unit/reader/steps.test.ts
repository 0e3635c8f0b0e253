/** The step table: which rows count, what is read how often, and what is said of rows, columns and cells. */
import { describe, expect, it } from "vitest";
import { FlightDeckError } from "../../../src/core/format/problems.ts";
import { memorySource } from "../../../src/core/io/memory.ts";
import type { RunSource } from "../../../src/core/io/source.ts";
import { RunMemory, StepsMemory } from "../../../src/core/reader/memory.ts";
import { openRun } from "../../../src/core/reader/open.ts";
import { findStepFiles } from "../../../src/core/reader/stepFiles.ts";
import { Steps } from "../../../src/core/reader/steps.ts";
import { WarningList } from "../../../src/core/reader/warnings.ts";
import type { RunModel } from "../../../src/core/run/model.ts";
import { altered, locked } from "../helpers/altered.ts";
import { type Cells, double, int64, list, parquet, text } from "../helpers/parquet.ts";
import { counting, type Files, manifest, range, source, stepsFile } from "../helpers/runs.ts";

const part = (n: number): string => `steps/part-${String(n).padStart(5, "0")}.parquet`;
const run = (files: Files): Files => ({ "manifest.json": manifest(), ...files });
const parts = (...bytes: readonly Uint8Array[]): Files =>
  run(Object.fromEntries(bytes.map((b, n) => [part(n), b])));
const one = (columns: Record<string, Cells>): Files => run({ "steps.parquet": parquet(columns) });
const open = (files: Files, memory = new RunMemory()): Promise<RunModel> =>
  openRun(source(files), { memory });
const said = (model: RunModel) =>
  model
    .warnings()
    .map(({ code, file, level, count, column, row }) =>
      [code, file, level, count, column ?? "", row ?? ""].join(" ").trimEnd(),
    );

describe("rows", () => {
  it("are sorted when merged; as recorded they are where no step goes back", async () => {
    const sorted = async (steps: readonly (number | null)[], order: "merged" | "recorded") =>
      (await (await open(one({ step: int64(steps) }))).steps.axis(order)).sorted;
    expect(await sorted([1, 2, 2, 3], "recorded")).toBe(true);
    expect(await sorted([1, 3, 2], "recorded")).toBe(false);
    expect(await sorted([1, 3, 2], "merged")).toBe(true);
    const none = await open(one({ loss: double([1]) }));
    expect(await none.steps.axis("recorded")).toMatchObject({ rows: 0, timestamp: null, sorted: true });
  });

  it("are counted over all parts", async () => {
    expect((await open(parts(stepsFile(0, 3), stepsFile(3, 8), stepsFile(8, 9)))).steps.rowCount).toBe(9);
  });

  it("that are odd are said with how many, where the first is, and the file or the folder that holds them", async () => {
    const twoOrders = async (files: Files) => {
      const model = await open(files);
      await model.steps.axis("recorded");
      await model.steps.axis("merged");
      return said(model);
    };
    expect(await twoOrders(one({ step: int64([4, null, -2, -1, null, 9]) }))).toEqual([
      "bad-row steps.parquet warning 2  1",
      "unsorted-steps steps.parquet warning 2",
      "negative-step steps.parquet warning 2",
    ]);
    expect(await twoOrders(one({ step: int64([5, 6, 6, 6]) }))).toEqual([
      "duplicate-steps steps.parquet info 2",
    ]);
    expect(await twoOrders(one({ step: int64([5, 2n ** 53n, 2n ** 53n + 2n]) }))).toEqual([
      "unsafe-integer steps.parquet warning 2 step",
    ]);
    expect(await twoOrders(parts(stepsFile(0, 6), stepsFile(3, 8)))).toEqual([
      "duplicate-steps steps warning 3",
      "unsorted-steps steps warning 2",
    ]);
    const times = (...seconds: number[]): Files =>
      one({ step: int64(range(0, seconds.length)), timestamp: double(seconds) });
    expect(await twoOrders(times(500, 501, 100, 101))).toEqual(["mixed-attempts steps.parquet warning 1  2"]);
    expect(await twoOrders(times(1.7e12, 1.7e12 + 5))).toEqual([
      "timestamp-units steps.parquet warning 1 timestamp",
    ]);
  });
});

describe("steps.parquet beside parts", () => {
  const both = async (compacted: readonly number[], ...own: readonly (readonly (number | null)[])[]) => {
    const file = (steps: readonly (number | null)[]) => parquet({ step: int64(steps) });
    const files = { ...parts(...own.map(file)), "steps.parquet": file(compacted) };
    const model = await open(files);
    const { values } = (await model.steps.axis("recorded")).step;
    return [[...values], said(model).filter((line) => !line.startsWith("duplicate"))];
  };

  it("holds a part's steps, or the part is newer: wholly, or with a single step", async () => {
    const left = (count: number) => `compaction-interrupted steps.parquet info ${count}`;
    const newer = (count: number) => `stale-compacted steps.parquet warning ${count}`;
    expect(await both([0, 1, 2, 3], [0, 1], [2, 3])).toEqual([[0, 1, 2, 3], [left(2)]]);
    expect(await both([0, 1, 2, 3], [2, 3], [4, 5])).toEqual([
      [0, 1, 2, 3, 4, 5],
      [newer(1), left(1)],
    ]);
    expect(await both([0, 1], [2], [3])).toEqual([[0, 1, 2, 3], [newer(2)]]);
    const mixed = await both([0, 1, 2], [2, 3]);
    expect(mixed).toEqual([[0, 1, 2, 2, 3], [newer(1)]]);
    // A row without a step holds nothing that could be lacking.
    expect(await both([0, 1], [null, 1])).toEqual([[0, 1], [left(1)]]);
    expect(await both([5], [5])).toEqual([[5], [left(1)]]);
    expect(await both([1, 3], [2])).toEqual([
      [1, 3, 2],
      [newer(1), "unsorted-steps steps warning 1"],
    ]);
  });

  it("holds them in whatever order it has them", async () => {
    const [steps, lines] = await both([3, 1, 2, 0], [1, 2]);
    expect(steps).toEqual([3, 1, 2, 0]);
    expect(lines).toContain("compaction-interrupted steps.parquet info 1");
  });
});

describe("what is read", () => {
  const wide = (): Files => one({ step: int64([0, 1]), a: double([1, 2]), b: double([3, 4]) });

  it("is kept, unless it is asked for in passing", async () => {
    const { source: inner, counts } = counting(source(wide()));
    const { steps } = await openRun(inner);
    await steps.axis("merged");
    counts.reset();
    const [a] = await steps.read(["a"], "merged", { keep: false });
    expect([...(a?.values ?? [])]).toEqual([1, 2]);
    await steps.read(["a"], "merged", { keep: false });
    expect(counts.reads).toBe(2);
    await steps.read(["a", "b"], "merged");
    const [again, b] = await steps.read(["a", "b"], "merged", { keep: false });
    expect([[...(again?.values ?? [])], [...(b?.values ?? [])]]).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(counts.reads).toBe(3);
  });

  it("in passing is said of as everything else", async () => {
    const model = await open(one({ step: int64([0, 1]), loss: double([Number.NaN, 1]) }));
    await model.steps.read(["loss"], "merged", { keep: false });
    expect(said(model)).toEqual(["non-finite steps.parquet info 1 loss"]);
  });

  it("is a list once for all that ask, and no number where a list is", async () => {
    const files = one({ step: int64([0, 1]), kl_positional: list([[1], [2, 3]]), note: text(["x", "y"]) });
    const { source: inner, counts } = counting(source(files));
    const { steps } = await openRun(inner);
    await steps.axis("merged");
    counts.reset();
    await steps.readList("kl_positional", "merged");
    expect([...((await steps.readList("kl_positional", "recorded"))?.values ?? [])]).toEqual([1, 2, 3]);
    expect(counts.reads).toBe(1);
    expect(await steps.read(["kl_positional", "note", "no such"], "merged")).toEqual([
      ...[undefined, undefined, undefined],
    ]);
    expect(counts.reads).toBe(1);
  });

  it("is asked for anew where it failed", async () => {
    let fails = false;
    const inner = source(one({ step: int64([0, 1]), a: double([1, 2]), kl_positional: list([[1], [2]]) }));
    const flaky: RunSource = {
      ...inner,
      readRanges: (path, ranges) =>
        fails ? Promise.reject(new Error("unexpected")) : inner.readRanges(path, ranges),
    };
    const { steps } = await openRun(flaky);
    fails = true;
    await expect(steps.axis("merged")).rejects.toThrow("unexpected");
    fails = false;
    expect((await steps.axis("merged")).rows).toBe(2);
    fails = true;
    await expect(steps.read(["a"], "merged")).rejects.toThrow("unexpected");
    await expect(steps.readList("kl_positional", "merged")).rejects.toThrow("unexpected");
    fails = false;
    expect((await steps.read(["a"], "merged"))[0]?.values[1]).toBe(2);
    expect((await steps.readList("kl_positional", "merged"))?.values[1]).toBe(2);
  });
});

describe("columns that are kept", () => {
  const names = ["a", "b", "c", "d"];
  const rows = 100;
  /** Bytes of a column: 8 a row, one more a row where values are missing. */
  const own = 8 * rows;

  async function table(bytes: number, more: Record<string, Cells> = {}) {
    const columns = Object.fromEntries(names.map((name, i) => [name, double(range(i, i + rows))]));
    const files = one({
      step: int64(range(0, rows)),
      timestamp: double(range(0, rows)),
      ...columns,
      ...more,
    });
    const fast = source(files);
    let gate: Promise<void> | null = null;
    const inner: RunSource = {
      ...fast,
      readRanges: async (path, ranges) => {
        const own = gate;
        gate = null;
        await own;
        return fast.readRanges(path, ranges);
      },
    };
    /** Makes the next reading wait. */
    const slow = (): (() => void) => {
      let go = (): void => {};
      gate = new Promise((resolve) => {
        go = resolve;
      });
      return go;
    };
    const { warn } = new WarningList();
    const memory = new StepsMemory();
    const found = await findStepFiles(inner, await inner.list(""), warn, memory);
    const steps = new Steps(inner, found, warn, memory, bytes);
    await steps.axis("merged");
    const seen = new Map<string, unknown>();
    /** Whether it was there still: the very same column. */
    const isKept = async (name: string): Promise<boolean> => {
      const [column] = await steps.read([name], "merged");
      const before = seen.get(name);
      seen.set(name, column);
      return before === column;
    };
    return { steps, isKept, slow };
  }

  it("give way to newer ones, the longest unused first; steps and times stay", async () => {
    const { isKept } = await table(4 * own);
    for (const name of ["step", "timestamp", "a", "b", "a", "c"]) await isKept(name);
    // Steps, times, and two more: b was not used since.
    expect([await isKept("a"), await isKept("c"), await isKept("b")]).toEqual([true, true, false]);
    expect([await isKept("c"), await isKept("b"), await isKept("a")]).toEqual([true, true, false]);
    expect([await isKept("step"), await isKept("timestamp")]).toEqual([true, true]);
  });

  it("stay where they just fit, and go where a byte is lacking; holes and exact integers weigh", async () => {
    const holes = { a: double(range(0, rows).map((i) => (i === 0 ? null : i))) };
    const exact = { a: int64(range(0, rows).map((i) => 2n ** 60n + BigInt(i))) };
    for (const [more, bytes] of [
      [{}, own],
      [holes, 9 * rows],
      [exact, 16 * rows],
    ] as const) {
      const fits = await table(3 * own + bytes, more);
      expect([await fits.isKept("a"), await fits.isKept("b"), await fits.isKept("a")]).toEqual([
        ...[false, false, true],
      ]);
      const lacks = await table(3 * own + bytes - 1, more);
      expect([await lacks.isKept("a"), await lacks.isKept("b"), await lacks.isKept("a")]).toEqual([
        ...[false, false, false],
      ]);
    }
  });

  it("are all there where they are asked for at once, however little is kept", async () => {
    const { steps } = await table(0);
    const columns = await steps.read(["d", "a", "d"], "merged");
    expect(columns.map((column) => column?.values[0])).toEqual([3, 0, 3]);
  });

  it("are counted as kept only while they are: not where they had to go before they came", async () => {
    const { isKept, slow } = await table(4 * own);
    for (let round = 0; round < 3; round++) {
      const go = slow();
      const late = isKept("d");
      for (const name of ["a", "b", "c"]) await isKept(name);
      go();
      await late;
    }
    await isKept("a");
    await isKept("b");
    expect([await isKept("a"), await isKept("b")]).toEqual([true, true]);
  });
});

describe("cells", () => {
  it("that are odd are counted over all parts, however the run is opened", async () => {
    const memory = new RunMemory();
    const odd = (from: number) =>
      parquet({
        step: int64(range(from, from + 4)),
        nan_count: double([0.5, 1, 1.5, 2]),
        loss: double([1, Number.NaN, Number.POSITIVE_INFINITY, 2]),
        kl_mean: text(["1", "x", "2", "y"]),
        "extra.big": int64([1, 2n ** 53n + 1n, 3, 4]),
      });
    const expected = (n: number) =>
      [
        "bad-cell PLACE warning 2 kl_mean 1",
        "bad-cell PLACE warning 2 nan_count",
        "coerced-type PLACE warning 1 kl_mean",
        "coerced-type PLACE warning 1 nan_count",
        "non-finite PLACE info 2 loss",
        "unsafe-integer PLACE info 1 extra.big",
      ].map((line) =>
        line
          .replace("PLACE", n === 1 ? part(0) : "steps")
          .replace(/ (\d) (?=[a-z])/, (_, c) => ` ${line.startsWith("coerced") ? c : Number(c) * n} `),
      );
    for (const n of [1, 2, 3]) {
      const files = parts(...range(0, n).map((i) => odd(i * 4)));
      for (const model of [await open(files), await open(files, memory)]) {
        await model.steps.read(["nan_count", "loss", "kl_mean", "extra.big"], "merged");
        expect(said(model).sort(), `${n} parts`).toEqual(expected(n));
      }
    }
  });

  it("of lists that are null, or more than can be shown, are said", async () => {
    const long = range(0, 4097);
    const model = await open(
      one({ step: int64([0, 1, 2]), kl_positional: list([long, [1], long.slice(1)]) }),
    );
    const column = await model.steps.readList("kl_positional", "merged");
    expect([...(column?.offsets ?? [])]).toEqual([0, 4096, 4097, 8193]);
    expect(said(model)).toEqual(["column-limit steps.parquet warning 1 kl_positional"]);
    const clean = await open(one({ step: int64([0]), kl_positional: list([[1]]) }));
    await clean.steps.readList("kl_positional", "merged");
    expect(said(clean)).toEqual([]);
  });
});

describe("lists over parts", () => {
  const file = (from: number, lists: readonly (readonly number[])[] | null): Uint8Array => {
    const step = int64(range(from, from + 2));
    return parquet(lists ? { step, kl_positional: list(lists) } : { step, loss: double([1, 2]) });
  };
  const shown = async (model: RunModel) => {
    const column = await model.steps.readList("kl_positional", "merged");
    return [[...(column?.values ?? [])], [...(column?.offsets ?? [])], [...(column?.valid ?? [])]];
  };
  const all = [
    file(0, [[1], [2]]),
    file(2, null),
    file(4, [[5, 6], [7]]),
    file(6, null),
    file(8, [[9], [10]]),
  ];
  const expected = [
    [1, 2, 5, 6, 7, 9, 10],
    [0, 1, 2, 2, 2, 4, 5, 5, 5, 6, 7],
    [1, 1, 0, 0, 1, 1, 0, 0, 1, 1],
  ];

  it("lack the rows of parts without one", async () => {
    expect(await shown(await open(parts(...all)))).toEqual(expected);
  });

  it("are the same where the run was opened before, and grew by several parts", async () => {
    for (const before of [1, 2, 3]) {
      const memory = new RunMemory();
      await shown(await open(parts(...all.slice(0, before)), memory));
      expect(await shown(await open(parts(...all), memory)), `${before} parts before`).toEqual(expected);
    }
  });

  it("lack a part that cannot be read, are said to, and have it when it can", async () => {
    const memory = new RunMemory();
    const inner = source(parts(...all));
    const fault = { [part(2)]: locked(part(2)) };
    const first = await openRun(inner, { memory });
    await first.steps.axis("merged");
    const broken: RunSource = altered(inner, {}, fault);
    const model = await openRun(broken, { memory });
    // The footers are known; only the column cannot be read.
    expect((await shown(model))[0]).toEqual([1, 2, 9, 10]);
    expect(said(model)).toEqual([`permission-denied ${part(2)} warning 1 kl_positional`]);
    expect(await shown(await openRun(inner, { memory }))).toEqual(expected);
  });
});

describe("a part that cannot be read", () => {
  it("costs its rows of a column, is said once, and is read when it can be", async () => {
    const memory = new RunMemory();
    const inner = source(parts(stepsFile(0, 3), stepsFile(3, 6), stepsFile(6, 9)));
    await (await openRun(inner, { memory })).steps.axis("merged");
    const model = await openRun(altered(inner, {}, { [part(1)]: new FlightDeckError("io-error", part(1)) }), {
      memory,
    });
    const [reward] = await model.steps.read(["reward_mean"], "merged");
    await model.steps.read(["kl_mean"], "merged", { keep: false });
    expect([...(reward?.values ?? [])]).toEqual([
      ...[0, 0.1, 0.2, Number.NaN, Number.NaN, Number.NaN, 0.6, 0.7, 0.8],
    ]);
    expect(said(model)).toEqual([
      `io-error ${part(1)} warning 1 reward_mean`,
      `io-error ${part(1)} warning 1 kl_mean`,
    ]);
    const mended = await openRun(inner, { memory });
    expect((await mended.steps.read(["reward_mean"], "merged"))[0]?.values[4]).toBe(0.4);
    expect(said(mended)).toEqual([]);
  });
});

describe("a column", () => {
  it("of lists that holds numbers instead is none of either", async () => {
    const model = await open(one({ step: int64([0]), kl_positional: double([1]) }));
    expect(model.steps.columns).toContainEqual({ name: "kl_positional", kind: "other" });
    expect(await model.steps.read(["kl_positional"], "merged")).toEqual([undefined]);
    expect(await model.steps.readList("kl_positional", "merged")).toBe(undefined);
    expect(said(model)).toEqual(["type-mismatch steps.parquet warning 1 kl_positional"]);
  });

  it("that is numbers in one part and something else in another has the numbers", async () => {
    const step = (n: number) => int64([n]);
    const model = await open(
      parts(
        parquet({ step: step(0), "extra.x": double([1]), kl_positional: double([5]) }),
        parquet({ step: step(1), "extra.x": text(["two"]), kl_positional: list([[6]]) }),
        parquet({ step: step(2), "extra.x": double([3]) }),
      ),
    );
    const [x] = await model.steps.read(["extra.x"], "merged");
    expect([...(x?.values ?? [])]).toEqual([1, Number.NaN, 3]);
    const lists = await model.steps.readList("kl_positional", "merged");
    expect([[...(lists?.values ?? [])], [...(lists?.offsets ?? [])]]).toEqual([[6], [0, 0, 1, 1]]);
  });
});

describe("the Arrow schema in a footer", () => {
  it("is looked at in steps.parquet, and nowhere else", async () => {
    const good = stepsFile(0, 3);
    const at = Buffer.from(good).indexOf("ARROW:schema");
    // Far enough into its base64 that the footer around it stays what it is.
    const bad = good.slice();
    for (let i = at + 100; i < at + 140; i++) bad[i] = 0x2a;
    const model = await openRun(memorySource(new Map(Object.entries(run({ "steps.parquet": bad })))));
    expect(said(model).length).toBe(1);
    expect(said(await openRun(memorySource(new Map(Object.entries(parts(bad, good))))))).toEqual([]);
  });
});
