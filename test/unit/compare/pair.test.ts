import { describe, expect, test } from "vitest";
import { compareRuns } from "../../../src/core/compare/index.ts";
import { diverged, metricsOf, Pair } from "../../../src/core/compare/pair.ts";
import { type CompareSettings, DEFAULT_SETTINGS } from "../../../src/core/compare/types.ts";
import { openRun } from "../../../src/core/index.ts";
import type { RunModel } from "../../../src/core/run/model.ts";
import { double, int64, parquet } from "../helpers/parquet.ts";
import { manifest, source } from "../helpers/runs.ts";
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
    const { metrics, config, pair } = await compare(a, b);
    expect([pair.common, metrics.length]).toEqual([29, 0]);
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
    const n = 100_000;
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`extra.${i}`, steps(n)]));
    const a = run({ step: steps(n), ...many });
    const watched: RunModel = {
      ...a,
      steps: {
        ...a.steps,
        read: (wanted, order, options) => {
          asked.push([wanted.length, options?.keep ?? true]);
          return a.steps.read(wanted, order);
        },
      },
    };
    await compare(watched, a);
    expect(asked.length).toBeGreaterThan(1);
    expect(asked.reduce((sum, [count]) => sum + count, 0)).toBe(50);
    expect(asked.every(([count, keep]) => count <= 20 && !keep)).toBe(true);
  });

  test("stops where it is told to", async () => {
    const a = run({ step: steps(50), kl_mean: steps(50) });
    const pair = await Pair.of(a, a, DEFAULT_SETTINGS);
    await expect(pair.compare({ signal: AbortSignal.abort() })).rejects.toThrow();
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
