import { describe, expect, it } from "vitest";
import { sortX } from "../../../src/core/chart/grid.ts";
import { smooth } from "../../../src/core/chart/smooth.ts";
import { randomRows, seeded } from "./rows.ts";

const of = (values: readonly number[], weight: number, x?: readonly number[], valid?: readonly number[]) => {
  const places = Float64Array.from(x ?? values.keys());
  const column = { values: Float64Array.from(values), valid: valid ? Uint8Array.from(valid) : null };
  return [...smooth(sortX(places, null), column, weight)];
};

/** The average as it is defined: every value since the last gap, by its distance. */
function defined(y: readonly number[], x: readonly number[], weight: number): number[] {
  const unit = ((x.at(-1) ?? 0) - (x[0] ?? 0)) / 1000;
  const decay = Math.min(Math.sqrt(weight), 0.999);
  let start = 0;
  return y.map((value, i) => {
    if (!Number.isFinite(value)) {
      start = i + 1;
      return Number.NaN;
    }
    let sum = 0;
    let weights = 0;
    for (let j = start; j <= i; j++) {
      const share = decay ** (((x[i] ?? 0) - (x[j] ?? 0)) / unit);
      sum += share * (y[j] ?? 0);
      weights += share;
    }
    return sum / weights;
  });
}

describe("smooth", () => {
  it("keeps a constant exactly, whatever its size", () => {
    for (const value of [0, 0.1, 0.3, -7.7, 1e14 + 1 / 3, 1e300, Number.MAX_VALUE, 5e-324]) {
      expect(of(new Array(50).fill(value), 0.97)).toEqual(new Array(50).fill(value));
    }
  });

  it("is the average it is defined as, on evenly and unevenly lying rows", () => {
    const random = seeded(3);
    const y = Array.from({ length: 120 }, (_, i) => (i === 40 ? Number.NaN : random() * 10));
    let at = 0;
    const x = y.map(() => (at += random() < 0.1 ? 40 : 1));
    for (const weight of [0.1, 0.6, 0.99]) {
      const expected = defined(y, x, weight);
      of(y, weight, x).forEach((value, i) => {
        if (Number.isNaN(expected[i])) expect(value).toBeNaN();
        else expect(value).toBeCloseTo(expected[i] ?? 0, 9);
      });
    }
  });

  it("begins anew after a gap, whatever the gap is made of", () => {
    for (const hole of [Number.NaN, Number.POSITIVE_INFINITY])
      expect(of([1, 1, hole, 9, 9], 0.99)).toEqual([1, 1, Number.NaN, 9, 9]);
    expect(of([1, 1, 5, 9, 9], 0.99, undefined, [1, 1, 0, 1, 1])).toEqual([1, 1, Number.NaN, 9, 9]);
  });

  it("lies between the values since the last gap, on random recordings", () => {
    for (let seed = 1; seed <= 200; seed++) {
      const rows = randomRows(seeded(seed), 300);
      const sorted = sortX(rows.x, null);
      const out = smooth(sorted, { values: rows.y, valid: rows.valid }, 0.9);
      let low = Number.POSITIVE_INFINITY;
      let high = Number.NEGATIVE_INFINITY;
      out.forEach((value, place) => {
        const row = sorted.rows?.[place] ?? place;
        const y = rows.y[row] ?? Number.NaN;
        if (!Number.isFinite(y) || rows.valid?.[row] === 0) {
          expect(value).toBeNaN();
          low = Number.POSITIVE_INFINITY;
          high = Number.NEGATIVE_INFINITY;
          return;
        }
        low = Math.min(low, y);
        high = Math.max(high, y);
        expect(value).toBeGreaterThanOrEqual(low - 1e-9);
        expect(value).toBeLessThanOrEqual(high + 1e-9);
      });
    }
  });

  it("stays finite between the largest numbers there are", () => {
    for (const value of of([Number.MAX_VALUE, -Number.MAX_VALUE, Number.MAX_VALUE], 0.5))
      expect(Number.isFinite(value)).toBe(true);
  });

  it("of a weight of 0 is the values themselves", () => {
    expect(of([3, 1, 4, 1, 5], 0)).toEqual([3, 1, 4, 1, 5]);
  });
});
