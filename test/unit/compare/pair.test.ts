import { describe, expect, test } from "vitest";
import { compareRuns } from "../../../src/core/compare/index.ts";
import { diverged, metricsOf, Pair } from "../../../src/core/compare/pair.ts";
import { type CompareSettings, DEFAULT_SETTINGS } from "../../../src/core/compare/types.ts";
import { openRun } from "../../../src/core/index.ts";
import type { RunModel } from "../../../src/core/run/model.ts";
import { double, int64, parquet } from "../helpers/parquet.ts";
import { manifest, source } from "../helpers/runs.ts";
import { column, fakeModel } from "../view/model.ts";
import { noise, run, series, steps } from "./runs.ts";

const compare = (a: RunModel, b: RunModel, more: Partial<CompareSettings> = {}) =>
  compareRuns(a, b, { ...DEFAULT_SETTINGS, ...more }, { extra: true });
const names = (metrics: readonly { readonly metric: string }[]) => metrics.map(({ metric }) => metric);

/** A run on files in memory: what the real reader makes of rows as they lie. */
function recorded(rows: readonly { readonly step: number; readonly kl: number | null }[]): Promise<RunModel> {
  const file = parquet({
    step: int64(rows.map(({ step }) => step)),
    kl_mean: double(rows.map(({ kl }) => kl)),
  });
  return openRun(source({ "manifest.json": manifest(), "steps.parquet": file }));
}

describe("metrics", () => {
  const a = run({
    step: steps(1),
    rank: steps(1),
    timestamp: steps(1),
    "extra.b": steps(1),
    "extra.a": steps(1),
    "reward_component.z": steps(1),
    "reward_component.A": steps(1),
    kl_mean: steps(1),
    reward_mean: steps(1),
    __proto__x: steps(1),
  });

  test("rlprobe's in its order, components by name, then ours by name; what places a row is none", () => {
    expect(metricsOf(a, a).map(({ metric, ours }) => `${metric}${ours ? " *" : ""}`)).toEqual([
      "reward_mean",
      "kl_mean",
      "reward_component.A",
      "reward_component.z",
      "__proto__x *",
      "extra.a *",
      "extra.b *",
    ]);
  });

  test("those of one run only are named with the side that has them", async () => {
    const n = 40;
    const here = run({
      step: steps(n),
      kl_mean: steps(n),
      loss: series(n, (i) => (i < 29 ? i : null)),
      "reward_component.x": steps(n),
    });
    const there = run({ step: steps(n), kl_mean: steps(n), loss: steps(n), lr: steps(n) });
    const { metrics, skipped } = await compare(here, there);
    expect(names(metrics)).toEqual(["kl_mean"]);
    expect(skipped).toEqual([
      { metric: "lr", reason: "only-b", n: 0 },
      { metric: "reward_component.x", reason: "only-a", n: 0 },
      { metric: "loss", reason: "too-few", n: 29 },
    ]);
  });
});

describe("a pair", () => {
  test("a run with itself: nothing diverges, separates or is configured differently", async () => {
    const next = noise(1);
    const a = run(
      { step: steps(200), kl_mean: series(200, next), "extra.x": series(200, () => next() ** 3) },
      { lr: 1 },
    );
    const { metrics, config, pair } = await compare(a, a);
    expect(pair.common).toBe(200);
    expect(
      metrics.every(({ at, separation, gapLate }) => at < 0 && separation === null && gapLate === 0),
    ).toBe(true);
    expect(config).toEqual({ added: {}, removed: {}, changed: {} });
  });

  test("fewer than 30 common steps: no metric is compared, configuration is", async () => {
    const a = run({ step: steps(40), kl_mean: steps(40) }, { lr: 1 });
    const b = run({ step: steps(40, 11), kl_mean: steps(40) }, { lr: 2 });
    const { metrics, skipped, config, pair } = await compare(a, b);
    expect([pair.common, metrics.length, skipped]).toEqual([29, 0, []]);
    expect(config.changed).toEqual({ lr: [1, 2] });
    expect(pair.suggestion()).toBe("relative");
  });

  test("runs whose steps do not meet are compared by relative step", async () => {
    const next = noise(2);
    const a = run({ step: steps(100, 5000), kl_mean: series(100, (i) => next() + (i > 60 ? 50 : 0)) });
    const b = run({ step: steps(100), kl_mean: series(100, next) });
    const { diverged: found, pair } = await compare(a, b, { align: "relative" });
    expect(found.map(({ at }) => pair.stepAt(at))).toEqual([5061]);
  });

  test("two that diverge at one place are listed by the size of the late gap, one that is no number last", async () => {
    const n = 100;
    const jump = (size: number) => series(n, (i) => (i < 50 ? (i % 2) * 0.1 : size));
    const lost = series(n, (i) => (i < 50 ? (i % 2) * 0.1 : i < 70 ? 9 : null));
    const a = run({ step: steps(n), reward_mean: jump(3), kl_mean: lost, loss: jump(7), lr: jump(-5) });
    const zero = () => series(n, () => 0);
    const b = run({ step: steps(n), reward_mean: zero(), kl_mean: zero(), loss: zero(), lr: zero() });
    const { metrics } = await compare(a, b);
    expect(names(diverged(metrics))).toEqual(["loss", "lr", "reward_mean", "kl_mean"]);
  });

  test("columns are read once, in pieces, and not kept", async () => {
    const asked: [number, boolean][] = [];
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`extra.${i}`, steps(30)]));
    const a = run({ step: steps(30), ...many });
    const watched: RunModel = {
      ...a,
      steps: {
        ...a.steps,
        axis: async (order) => ({ ...(await a.steps.axis(order)), rows: 100_000 }),
        read: (wanted, order, options) => {
          asked.push([wanted.length, options?.keep ?? true]);
          return a.steps.read(wanted, order);
        },
      },
    };
    await compare(watched, a);
    // Of 16 MB: 20 columns of 100,000 rows.
    expect(asked).toEqual([
      [20, false],
      [20, false],
      [10, false],
    ]);
  });

  test("the run with more rows says how many columns a piece has; where one alone is too large, one", async () => {
    const sizes = async (n: number): Promise<number[]> => {
      const asked: number[] = [];
      const small = fakeModel({
        columns: { step: steps(30), lr: steps(30), loss: steps(30), kl_mean: steps(30) },
        onRead: (wanted) => asked.push(wanted.length),
      });
      const columns = { step: steps(30), lr: steps(30), loss: steps(30), kl_mean: steps(30) };
      const large = fakeModel({ columns });
      const rows = {
        ...large,
        steps: { ...large.steps, axis: async () => ({ ...(await large.steps.axis("merged")), rows: n }) },
      };
      for (const [a, b] of [
        [small, rows],
        [rows, small],
      ] as const)
        await (await Pair.of(a, b, DEFAULT_SETTINGS)).compare();
      return asked;
    };
    expect(await sizes(30)).toEqual([3, 3]);
    expect(await sizes(1_000_000)).toEqual([2, 1, 2, 1]);
    expect(await sizes(3_000_000)).toEqual([1, 1, 1, 1, 1, 1]);
  });

  test("30 rows that meet are compared; another way is named where it has as many, and only where this one has not", async () => {
    const of = (n: number, from: number, seconds = 0) =>
      run({ step: steps(n, from), kl_mean: steps(n), timestamp: steps(n, seconds) });
    const pair = (a: RunModel, b: RunModel, how: CompareSettings["align"] = "step") =>
      Pair.of(a, b, { ...DEFAULT_SETTINGS, align: how });
    const met = await pair(of(40, 0), of(40, 10));
    expect([met.common, met.suggestion(), names((await met.compare()).metrics)]).toEqual([
      30,
      null,
      ["kl_mean"],
    ]);
    const few = await pair(of(40, 0), of(40, 11));
    expect([few.common, few.suggestion(), names((await few.compare()).metrics)]).toEqual([
      29,
      "relative",
      [],
    ]);
    expect((await pair(of(29, 0), of(40, 11))).suggestion()).toBeNull();
    expect((await pair(of(30, 0), of(40, 11))).suggestion()).toBe("relative");
    expect(
      (
        await pair(of(40, 11, 0), run({ step: steps(40), timestamp: steps(40, 0, 1e6) }), "time")
      ).suggestion(),
    ).toBe("relative");
    const every = run({ step: steps(40, 5, 2), timestamp: steps(40) });
    expect((await pair(of(40, 0), every)).suggestion()).toBe("time");
  });

  test("a step beyond 2^53 is said as it is; the same rows serve another limit", async () => {
    const first = 2n ** 60n;
    const n = 40;
    const step = column(
      Array.from({ length: n }, (_, i) => Number(first) + i),
      Array.from({ length: n }, (_, i) => first + BigInt(i)),
    );
    const a = run({ step, kl_mean: series(n, (i) => (i < 20 ? (i % 2) * 2 : 6)) });
    const b = run({ step, kl_mean: series(n, () => 0) });
    const pair = await Pair.of(a, b, DEFAULT_SETTINGS);
    expect(pair.stepAt(1)).toBe(first + 1n);
    expect((await pair.compare()).metrics.map(({ at }) => at)).toEqual([20]);
    const other = pair.with({ z: 5, sustain: 5 });
    expect([other.settings, other.meeting]).toEqual([
      { ...DEFAULT_SETTINGS, z: 5, sustain: 5 },
      pair.meeting,
    ]);
    expect((await other.compare()).metrics.map(({ at }) => at)).toEqual([-1]);
  });

  test("the second measure is left out where it is told to", async () => {
    const a = run({ step: steps(100), kl_mean: series(100, (i) => (i < 40 ? 0 : 1)) });
    const b = run({ step: steps(100), kl_mean: series(100, () => 0) });
    const pair = await Pair.of(a, b, DEFAULT_SETTINGS);
    const found = async (separate?: boolean) => (await pair.compare({ separate })).metrics[0]?.separation?.at;
    expect([await found(), await found(true), await found(false)]).toEqual([40, 40, undefined]);
    expect(
      pair.compareGap(
        { metric: "kl_mean", ours: false },
        Float64Array.from({ length: 40 }, (_, i) => (i < 20 ? 0 : 1)),
      )?.separation?.at,
    ).toBe(20);
  });

  test("what diverges: from the first row on, by place, by the late gap whichever way, no numbers last", () => {
    const one = (metric: string, at: number, zLate: number) => ({ metric, at, zLate }) as never;
    const all = [
      one("never", -1, 99),
      one("late", 9, 50),
      one("none", 4, Number.NaN),
      one("small", 4, 1),
      one("low", 4, -7),
      one("none too", 4, Number.NaN),
      one("high", 4, 7),
      one("endless", 4, Number.NEGATIVE_INFINITY),
      one("first", 0, 0),
    ];
    expect(names(diverged(all))).toEqual([
      "first",
      "endless",
      "low",
      "high",
      "small",
      "none",
      "none too",
      "late",
    ]);
  });

  test("stops where it is told to", async () => {
    const a = run({ step: steps(50), kl_mean: steps(50) });
    const pair = await Pair.of(a, a, DEFAULT_SETTINGS);
    await expect(pair.compare({ signal: AbortSignal.abort() })).rejects.toThrow();
  });
});

test("a list is no metric; a column that one of the runs cannot hand out is not compared", async () => {
  const columns = { step: steps(40), kl_mean: steps(40), lr: steps(40) };
  const list = { offsets: Int32Array.of(0, 1), valid: null, values: Float64Array.of(1) };
  const a = fakeModel({ columns, lists: { "extra.list": list as never } });
  expect(names(metricsOf(a, a)).toSorted()).toEqual(["kl_mean", "lr"]);
  const b = run(columns);
  const pair = await Pair.of(a, b, DEFAULT_SETTINGS);
  for (const lost of [a, b]) {
    const read = async (model: RunModel, wanted: readonly string[]) =>
      wanted.map((name) => (model === lost && name === "lr" ? undefined : steps(40)));
    expect(names((await pair.compare({ read })).metrics)).toEqual(["kl_mean"]);
  }
});

describe("a comparison", () => {
  const jump = (size: number) => series(100, (i) => (i < 50 ? (i % 2) * 0.1 : size));
  const zero = () => series(100, () => 0);
  const a = run({ step: steps(100), kl_mean: jump(5), "extra.x": jump(7) }, { lr: 1, out: 1, old: 1 });
  const b = run({ step: steps(100), kl_mean: zero(), "extra.x": zero() }, { lr: 2, out: 2, new: 1 });

  test("what only we compare is there where it is asked for, and never among rlprobe's divergences", async () => {
    const all = await compareRuns(a, b, DEFAULT_SETTINGS, { extra: true });
    expect([names(all.metrics), names(all.diverged)]).toEqual([["kl_mean", "extra.x"], ["kl_mean"]]);
    const plain = await compareRuns(a, b, DEFAULT_SETTINGS, { extra: false });
    expect([names(plain.metrics), names(plain.diverged)]).toEqual([["kl_mean"], ["kl_mean"]]);
    expect(all.metrics.map(({ separation }) => separation?.at)).toEqual([50, 50]);
    const one = await compareRuns(a, b, DEFAULT_SETTINGS, { extra: true, separate: false });
    expect(one.metrics.map(({ separation }) => separation)).toEqual([null, null]);
  });

  test("of the configuration what is not ignored, of a run without a manifest none", async () => {
    const isIgnored = (part: string, path: readonly string[]) =>
      part === "trainer_config" && path[0] === "out";
    const { config } = await compareRuns(a, b, DEFAULT_SETTINGS, { extra: false, isIgnored });
    expect(config).toEqual({ added: { new: 1 }, removed: { old: 1 }, changed: { lr: [1, 2] } });
    const bare = { ...b, manifest: null };
    const there = await compareRuns(a, bare, DEFAULT_SETTINGS, { extra: false });
    expect(there.config).toEqual({ added: {}, removed: { lr: 1, out: 1, old: 1 }, changed: {} });
    const back = await compareRuns(bare, a, DEFAULT_SETTINGS, { extra: false });
    expect(back.config).toEqual({ added: { lr: 1, out: 1, old: 1 }, removed: {}, changed: {} });
  });
});

describe("rows as they lie", () => {
  const rows = (n: number) =>
    Array.from({ length: n }, (_, step) => ({ step, kl: step < 50 ? (step % 2) * 0.1 : 9 }));
  const flat = rows(100).map(({ step }) => ({ step, kl: 0 }));

  test("of a step that repeats the first row counts as recorded, the last value when merged", async () => {
    const again = [...rows(100), ...rows(100).map(({ step }) => ({ step, kl: 0 }))];
    const [a, b] = [await recorded(again), await recorded(flat)];
    const asRecorded = await compare(a, b, { order: "recorded" });
    expect(asRecorded.pair.common).toBe(100);
    expect(asRecorded.diverged.map(({ at }) => asRecorded.pair.stepAt(at))).toEqual([50]);
    expect((await compare(a, b)).diverged).toEqual([]);
  });

  test("the order of the rows says nothing", async () => {
    const shuffled = rows(100).map((_, i, all) => all[(i * 37) % 100] ?? { step: 0, kl: 0 });
    for (const order of ["recorded", "merged"] as const) {
      const straight = await compare(await recorded(rows(100)), await recorded(flat), { order });
      const mixed = await compare(await recorded(shuffled), await recorded(flat), { order });
      expect(mixed.diverged).toEqual(straight.diverged);
    }
  });
});
