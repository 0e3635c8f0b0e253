import { describe, expect, test } from "vitest";
import { quantile, resultsRows, welch } from "../../../src/core/compare/results.ts";
import type { MetricRow } from "../../../src/core/format/records.ts";

const rows = (values: readonly number[], more: Partial<MetricRow> = {}): MetricRow[] =>
  values.map((value, seed) => ({
    benchmark: "gsm8k",
    metric: "accuracy",
    horizon: null,
    seed,
    value,
    ...more,
  }));
const results = (values: readonly number[]) => {
  const found = resultsRows([rows(values)])[0]?.results[0];
  if (!found) throw new Error("no results");
  return found;
};

describe("Student's distribution", () => {
  test.each([
    // From tables: share, degrees of freedom, value.
    [0.975, 1, 12.7062],
    [0.975, 2, 4.30265],
    [0.975, 10, 2.22814],
    [0.975, 30, 2.04227],
    [0.95, 5, 2.01505],
    [0.995, 8, 3.35539],
    [0.975, 1e6, 1.95997],
  ])("reaches %d with %d degrees of freedom at %d", (share, df, value) => {
    expect(quantile(share, df)).toBeCloseTo(value, 4);
  });
});

describe("Welch's test", () => {
  test("a published example (p = 0.021378), and the density integrated numerically", () => {
    const a = [27.5, 21, 19, 23.6, 17, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19, 21.7, 21.4];
    const b = [27.1, 22, 20.8, 23.4, 23.4, 23.5, 25.8, 22, 24.8, 20.2, 21.9, 22.1, 22.9, 20.5, 24.4];
    const { value, df, p, low, high } = welch(results(a), results(b));
    expect(value).toBeCloseTo(2.1667, 3);
    expect(df).toBeCloseTo(24.988529290231416, 6);
    expect(p).toBeCloseTo(0.021378001462, 9);
    expect([low, high]).toEqual([
      expect.closeTo(0.3492370661923747, 6),
      expect.closeTo(3.984096267140961, 6),
    ]);
  });

  test("the interval turns round with the runs", () => {
    const there = welch(results([1, 2, 4]), results([2, 5, 9, 10]));
    const back = welch(results([2, 5, 9, 10]), results([1, 2, 4]));
    expect(back.value).toBe(-there.value);
    expect(back.low).toBeCloseTo(-there.high, 10);
    expect(back.p).toBeCloseTo(there.p, 12);
  });

  test.each([
    ["one seed", [1], [2, 3]],
    ["no spread", [1, 1], [2, 2]],
    ["a value that is no number", [1, Number.NaN], [2, 3]],
    ["an infinite one", [1, Number.POSITIVE_INFINITY], [2, 3]],
  ])("%s: no interval is made up", (_, a, b) => {
    const { low, high, p, df } = welch(results(a), results(b));
    expect([low, high, p, df]).toEqual([Number.NaN, Number.NaN, Number.NaN, Number.NaN]);
  });
});

describe("rows of several runs", () => {
  test("are grouped by benchmark, metric and horizon; a number and a text are two horizons", () => {
    const found = resultsRows([
      [...rows([1, 2]), ...rows([5], { horizon: 10 })],
      [...rows([3], { horizon: "10" }), ...rows([7], { benchmark: "math" })],
    ]);
    expect(
      found.map(({ benchmark, horizon, results: [a, b] }) => [benchmark, horizon, a?.n ?? 0, b?.n ?? 0]),
    ).toEqual([
      ["gsm8k", null, 2, 0],
      ["gsm8k", 10, 1, 0],
      ["gsm8k", "10", 0, 1],
      ["math", null, 0, 1],
    ]);
  });

  test("mean, sample standard deviation, extremes, seeds", () => {
    expect(results([1, 2, 6])).toEqual({ n: 3, mean: 3, sd: Math.sqrt(7), min: 1, max: 6, seeds: [0, 1, 2] });
    expect(results([4]).sd).toBeNaN();
  });

  test("negative values and one alone have their extremes; a run without such rows has none", () => {
    expect(results([-3, -1])).toMatchObject({ n: 2, mean: -2, sd: Math.SQRT2, min: -3, max: -1 });
    expect(results([4])).toEqual({ n: 1, mean: 4, sd: Number.NaN, min: 4, max: 4, seeds: [0] });
    expect(resultsRows([rows([1]), []])[0]?.results[1]).toBeNull();
    expect(resultsRows([])).toEqual([]);
  });

  test("groups are told apart by benchmark and by metric too, in the order in which they come", () => {
    const found = resultsRows([
      [...rows([1], { metric: "b" }), ...rows([2], { metric: "a" }), ...rows([3], { metric: "b" })],
    ]);
    expect(found.map(({ metric, results: [one] }) => [metric, one?.mean])).toEqual([
      ["b", 2],
      ["a", 2],
    ]);
  });
});

test("another level has another interval, around the same difference", () => {
  // Equal spreads of three: t = 2.776445 (95 %) and 4.604095 (99 %) with 4 degrees of freedom, error √(2/3).
  const [a, b] = [results([1, 2, 3]), results([4, 5, 6])];
  for (const [level, t] of [
    [0.95, 2.776445],
    [0.99, 4.604095],
  ] as const) {
    const { value, low, high, df } = welch(a, b, level);
    expect([value, df]).toEqual([3, expect.closeTo(4, 10)]);
    expect(low).toBeCloseTo(3 - t * Math.sqrt(2 / 3), 4);
    expect(high).toBeCloseTo(3 + t * Math.sqrt(2 / 3), 4);
  }
});
