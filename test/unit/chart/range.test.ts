import { describe, expect, it } from "vitest";
import { fullDomain, sortX } from "../../../src/core/chart/grid.ts";
import { yRanges } from "../../../src/core/chart/range.ts";
import { randomRows, seeded } from "./rows.ts";

function ranges(...series: readonly (readonly number[])[]) {
  const length = Math.max(...series.map((values) => values.length));
  const sorted = sortX(
    Float64Array.from({ length }, (_, i) => i),
    null,
  );
  const columns = series.map((values) => ({ values: Float64Array.from(values), valid: null }));
  return yRanges(sorted, columns, fullDomain(sorted.x));
}

/** Normal noise by the sum of twelve uniforms. */
function noise(n: number, seed: number): number[] {
  const random = seeded(seed);
  return Array.from({ length: n }, () => {
    let sum = -6;
    for (let i = 0; i < 12; i++) sum += random();
    return sum;
  });
}

describe("yRanges", () => {
  it("leaves a 1000× spike out and says so", () => {
    const values = noise(100_000, 1);
    values[70_000] = 1000;
    const { full, robust, outside } = ranges(values);
    expect(full?.[1]).toBe(1000);
    expect(robust?.[1]).toBeLessThan(6);
    expect(outside).toBe(1);
  });

  it("cuts nothing from plain noise", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const { full, robust, outside } = ranges(noise(2000, seed));
      expect(robust).toEqual(full);
      expect(outside).toBe(0);
    }
  });

  it("keeps a blow-up at the end in the picture: it is a level, not an outlier", () => {
    const values = noise(1000, 3);
    for (let i = 995; i < 1000; i++) values[i] = 500 + i;
    expect(ranges(values)).toMatchObject({ outside: 0 });
    expect(ranges(values).robust?.[1]).toBe(1499);
  });

  it("keeps many far values: they are not rare", () => {
    const values = noise(1000, 4).map((value, i) => (i % 25 === 0 ? 400 : value));
    expect(ranges(values).robust?.[1]).toBe(400);
  });

  it("keeps the exceptions of a series that is constant otherwise", () => {
    const values: number[] = new Array(1000).fill(0);
    values[500] = 2;
    expect(ranges(values)).toEqual({ full: [0, 2], robust: [0, 2], outside: 0 });
  });

  it("never collapses", () => {
    expect(ranges([3, 3, 3]).robust).toEqual([2.7, 3.3]);
    expect(ranges([0, 0]).robust).toEqual([-1, 1]);
    expect(ranges([Number.MAX_VALUE]).robust?.every(Number.isFinite)).toBe(true);
    const { full, robust } = ranges([-Number.MAX_VALUE, Number.MAX_VALUE]);
    for (const range of [full, robust]) {
      expect(range && Number.isFinite(range[1] - range[0]) && range[1] > range[0]).toBe(true);
    }
    expect(ranges([Number.NaN, Number.POSITIVE_INFINITY])).toEqual({ full: null, robust: null, outside: 0 });
  });

  it("judges each series by its own values and joins the ranges", () => {
    const low = noise(500, 5);
    const high = noise(500, 6).map((value) => value + 100);
    high[20] = 1e6;
    const { robust, outside } = ranges(low, high);
    expect(robust?.[0]).toBeLessThan(-2);
    expect(robust?.[1]).toBeGreaterThan(102);
    expect(robust?.[1]).toBeLessThan(110);
    expect(outside).toBe(1);
  });

  it("holds on random recordings: robust lies within full, and outside is what the count says", () => {
    for (let seed = 1; seed <= 300; seed++) {
      const rows = randomRows(seeded(seed), 600);
      const sorted = sortX(rows.x, null);
      const { full, robust, outside } = yRanges(
        sorted,
        [{ values: rows.y, valid: rows.valid }],
        fullDomain(sorted.x),
      );
      const finite = [...rows.y].filter(
        (y, i) => Number.isFinite(y) && rows.valid?.[i] !== 0 && Number.isFinite(rows.x[i]),
      );
      if (!full || !robust) {
        expect(finite.length).toBe(0);
        continue;
      }
      expect(robust[0]).toBeGreaterThanOrEqual(full[0]);
      expect(robust[1]).toBeLessThanOrEqual(full[1]);
      expect(robust[1]).toBeGreaterThan(robust[0]);
      expect(outside).toBe(finite.filter((y) => y < robust[0] || y > robust[1]).length);
    }
  });

  describe("of a logarithmic axis", () => {
    const log = (values: readonly number[]) => {
      const sorted = sortX(Float64Array.from(values.keys()), null);
      return yRanges(
        sorted,
        [{ values: Float64Array.from(values), valid: null }],
        fullDomain(sorted.x),
        "log",
      );
    };

    it("holds values above 0 only", () => {
      const { full } = log([-3, 0, 1e-4, 1, 1e3, Number.NaN]);
      expect(full?.[0]).toBeCloseTo(1e-4, 12);
      expect(full?.[1]).toBeCloseTo(1e3, 6);
      expect(log([-1, 0])).toEqual({ full: null, robust: null, outside: 0 });
    });

    it("takes what is far on a linear axis for ordinary, and leaves out what is far in exponents", () => {
      const values = noise(2000, 7).map((value) => 10 ** (value / 2));
      values[100] = 1e3;
      expect(log(values).outside).toBe(0);
      values[100] = 1e30;
      expect(log(values).outside).toBe(1);
      expect(log(values).full?.[1]).toBeCloseTo(1e30, -20);
    });

    it("reaches to the largest number", () => {
      for (const value of [1.7e308, Number.MAX_VALUE]) {
        const { full, outside } = log([1, 10, value]);
        expect(Math.log10(full?.[1] ?? 0)).toBeCloseTo(Math.log10(value), 6);
        expect(outside).toBe(0);
      }
    });

    it("never collapses, at the ends of what numbers hold either", () => {
      for (const value of [5e-324, 1e-300, 1, 1e300, Number.MAX_VALUE]) {
        const { robust } = log([value, value]);
        expect(robust?.[1]).toBeGreaterThan(robust?.[0] ?? Number.NaN);
        expect(robust?.every((end) => end > 0 && Number.isFinite(end))).toBe(true);
      }
    });
  });
});
