import { describe, expect, it } from "vitest";
import { rollingCorrelation } from "../../../src/core/stats/rolling.ts";
import { early, late, max, mean, median, min, sum, sustained } from "../../../src/core/stats/series.ts";
import { isRising, trend } from "../../../src/core/stats/trend.ts";
import { random } from "../random.ts";

const of = (...v: number[]) => Float64Array.from(v);
const N = Number.NaN;
const range = (n: number, f: (i: number) => number = (i) => i) =>
  Float64Array.from({ length: n }, (_, i) => f(i));

describe("windows count positions, NaN included", () => {
  it("early and late take at least their minimum, at most all", () => {
    expect(early(range(100)).length).toBe(25);
    expect(late(range(100)).length).toBe(20);
    expect([...late(range(100), 0.3, 15)].at(0)).toBe(70);
    expect(early(range(7)).length).toBe(7);
    expect([...late(range(12))]).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(late(range(0)).length).toBe(0);
  });
});

describe("figures leave NaN out", () => {
  it("and are NaN where nothing is left", () => {
    expect(mean(of(1, N, 3))).toBe(2);
    expect(median(of(N, 5, 1, 3))).toBe(3);
    expect(median(of(4, 1, 3, 2))).toBe(2.5);
    expect(max(of(N, -5, -2, N))).toBe(-2);
    expect(min(of(N, 5, 2, N))).toBe(2);
    expect(sum(of(N, 5, 2))).toBe(7);
    for (const f of [mean, median, max, min]) expect(f(of(N, N))).toBeNaN();
    expect(max(of(1, Number.POSITIVE_INFINITY))).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("sustained", () => {
  it("finds where the first run begins; a NaN breaks it", () => {
    const above = (v: number) => v > 1;
    expect(sustained(of(2, 0, 2, 2, 2), above, 3)).toBe(2);
    expect(sustained(of(2, 2, N, 2, 2), above, 3)).toBe(-1);
    expect(sustained(of(0, 5), above, 1)).toBe(1);
  });
});

describe("trend", () => {
  // What rlprobe 0.1.0 gives for the same series.
  it("gives Mann–Kendall's z and p", () => {
    expect(trend(range(20)).z).toBeCloseTo(6.131969718742824, 12);
    expect(trend(range(20)).p / 8.67976276337787e-10).toBeCloseTo(1, 9);
    expect(trend(range(20, (i) => -i)).z).toBeCloseTo(-6.131969718742824, 12);
    expect(isRising(trend(range(20)))).toBe(true);
    expect(isRising(trend(range(20, (i) => -i)))).toBe(false);
  });
  it("says nothing of fewer than eight values, of a constant, of two equal infinities", () => {
    expect(trend(range(7))).toEqual({ z: 0, p: 1 });
    expect(trend(range(30, () => 3))).toEqual({ z: 0, p: 1 });
    expect(trend(range(30, (i) => (i < 2 ? Number.POSITIVE_INFINITY : i))).z).toBe(0);
  });
  it("thins long series evenly, the last value included", () => {
    expect(trend(range(100_000)).z).toBeCloseTo(trend(range(500)).z, 9);
    const spike = range(100_000, () => 1);
    spike[99_999] = 2;
    expect(trend(spike).z).toBeGreaterThan(0);
  });
});

describe("rolling correlation", () => {
  it("is 1 and −1 for straight lines, NaN before the first window and for constants", () => {
    const x = range(40);
    const up = rollingCorrelation(
      x,
      range(40, (i) => 3 * i + 1),
      25,
    );
    expect(up[23]).toBeNaN();
    expect(up[24]).toBeCloseTo(1, 12);
    expect(
      rollingCorrelation(
        x,
        range(40, (i) => -i),
        25,
      )[39],
    ).toBeCloseTo(-1, 12);
    expect(
      rollingCorrelation(
        x,
        range(40, () => 2),
        25,
      )[39],
    ).toBeNaN();
  });
  it("wants half a window of pairs", () => {
    const gaps = range(40, (i) => (i % 3 === 0 ? i : N));
    expect(rollingCorrelation(gaps, range(40), 25)[39]).toBeNaN();
    expect(
      rollingCorrelation(
        range(40, (i) => (i % 2 === 0 ? i : N)),
        range(40),
        25,
      )[39],
    ).toBeCloseTo(1, 12);
  });
  it("is the same over wide windows as summed up window by window, whatever is missing, infinite or huge", () => {
    const draw = random(7);
    const n = 1_777;
    const odd = (i: number): number | undefined =>
      new Map([
        [400, Number.POSITIVE_INFINITY],
        [1100, 1e200],
        [1500, N],
      ]).get(i);
    const x = range(n, (i) => odd(i) ?? (draw() < 0.1 ? N : 1e5 + Math.sin(i / 90) + draw()));
    const y = range(n, (i) => (i > 600 && i < 1000 ? 3 : Math.cos(i / 70) * 1e-3 + draw() * 1e-3));
    for (const window of [129, 300, 1_000, 1_777, 4_000]) {
      const found = rollingCorrelation(x, y, window);
      for (let i = 0; i < n; i += 7) {
        const expected =
          i < window - 1 ? N : plainly(x.slice(i - window + 1, i + 1), y.slice(i - window + 1, i + 1));
        if (Number.isNaN(expected)) expect(found[i], `${window} at ${i}`).toBeNaN();
        else expect(Math.abs((found[i] as number) - expected), `${window} at ${i}`).toBeLessThan(1e-8);
      }
    }
  });
});

/** By the book, as slow as it is. */
function plainly(x: Float64Array, y: Float64Array): number {
  const pairs = [...x].flatMap((a, i) => {
    const b = y[i] as number;
    return Number.isNaN(a) || Number.isNaN(b) ? [] : [[a, b] as const];
  });
  if (pairs.length < Math.max(4, Math.floor(x.length / 2))) return N;
  const mean = (of: 0 | 1): number => pairs.reduce((sum, pair) => sum + pair[of], 0) / pairs.length;
  const [mx, my] = [mean(0), mean(1)];
  const sum = (of: (a: number, b: number) => number): number =>
    pairs.reduce((total, [a, b]) => total + of(a - mx, b - my), 0);
  const [xx, yy] = [sum((a) => a * a), sum((_, b) => b * b)];
  const flat = Math.sqrt(Math.min(xx, yy) / pairs.length) < 1e-12;
  return flat ? N : sum((a, b) => a * b) / Math.sqrt(xx) / Math.sqrt(yy);
}
