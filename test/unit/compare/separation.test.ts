import { describe, expect, test } from "vitest";
import { divergence } from "../../../src/core/compare/divergence.ts";
import { change, MIN_SCORE, separation } from "../../../src/core/compare/separation.ts";
import { noise } from "./runs.ts";

const gap = (n: number, at: (i: number) => number): Float64Array =>
  Float64Array.from({ length: n }, (_, i) => at(i));

describe("a separation", () => {
  test("is found where the early window itself drifts, which rlprobe's rule calls tracking", () => {
    const next = noise(3);
    const d = gap(250, (i) => -0.4 * (1 - Math.exp(-i / 40)) + 0.05 * next());
    expect(divergence(d, 4, 5)?.at).toBe(-1);
    const found = separation(d);
    expect(found?.score).toBeGreaterThan(MIN_SCORE);
    expect(found?.at).toBeGreaterThan(20);
    expect(found?.at).toBeLessThan(63);
    expect(found?.before).toBeGreaterThan(-0.25);
    expect(found?.after).toBeLessThan(-0.35);
  });

  test("a step of the level is found where it is", () => {
    const next = noise(5);
    const d = gap(400, (i) => (i < 137 ? 0 : 1) + 0.2 * next());
    expect(separation(d)?.at).toBe(137);
  });

  test("without any noise too, and around any offset", () => {
    for (const offset of [0, 1e6, -1e-6])
      expect(separation(gap(100, (i) => offset + (i < 40 ? 0 : 3)))).toMatchObject({ at: 40 });
  });

  test("a steady drift is one too, where it is larger than the noise", () => {
    const next = noise(6);
    expect(separation(gap(300, (i) => i / 300 + 0.1 * next()))).not.toBeNull();
  });

  test("a bump that comes back is none", () => {
    const next = noise(7);
    const d = gap(400, (i) => (i >= 100 && i < 200 ? 2 : 0) + 0.2 * next());
    expect(separation(d)).toBeNull();
  });

  test("the same gap all along is none, whatever its size", () => {
    expect(separation(gap(100, () => 5))).toBeNull();
    const next = noise(9);
    expect(separation(gap(300, () => 50 + next()))).toBeNull();
  });

  test("a change that is smaller than the noise is none, however sure it is", () => {
    const next = noise(11);
    const d = gap(100_000, (i) => (i < 50_000 ? 0 : 0.5) + next());
    expect(change(d)?.score).toBeGreaterThan(MIN_SCORE);
    expect(separation(d)).toBeNull();
  });

  test("rows without a value are left out, places stay those of the rows", () => {
    const d = gap(400, (i) => (i % 3 === 1 ? Number.NaN : i < 201 ? 0 : 1));
    expect(separation(d)?.at).toBe(201);
    expect(separation(gap(400, (i) => (i < 29 ? i : Number.NaN)))).toBeNull();
  });

  test("huge and infinite gaps: nothing is found, nothing throws", () => {
    expect(separation(gap(100, (i) => (i < 50 ? -1e300 : 1e300)))).toBeNull();
    expect(separation(gap(100, (i) => (i % 2 ? Number.POSITIVE_INFINITY : 0)))).toBeNull();
  });
});

describe("what is no separation", () => {
  test("noise whose rows hang together: 500 series, at most one", () => {
    let found = 0;
    for (let seed = 1; seed <= 500; seed++) {
      const next = noise(seed);
      const hold = [0, 0.5, 0.8, 0.9][seed % 4] as number;
      let level = 0;
      for (let i = 0; i < 100; i++) level = hold * level + next();
      const d = gap([60, 250, 1000][seed % 3] as number, () => {
        level = hold * level + next();
        return level;
      });
      if (separation(d)) found++;
    }
    expect(found).toBeLessThanOrEqual(1);
  });

  test("a gap that wanders without a level", () => {
    let found = 0;
    for (let seed = 1; seed <= 60; seed++) {
      const next = noise(seed);
      let level = 0;
      if (
        separation(
          gap(2000, () => {
            level += next();
            return level;
          }),
        )
      )
        found++;
    }
    expect(found).toBe(0);
  });

  test("short walks, which are hard to tell from a change: 1000 of 60 rows, at most 25", () => {
    let found = 0;
    for (let seed = 1; seed <= 1000; seed++) {
      const next = noise(seed * 7919 + 60);
      let level = 0;
      for (let i = 0; i < 200; i++) level += next();
      const walk = gap(60, () => {
        level += next();
        return level;
      });
      if (separation(walk)) found++;
    }
    expect(found).toBeLessThanOrEqual(25);
  });

  test("swapping the runs changes signs only", () => {
    const next = noise(13);
    const d = gap(250, (i) => (i < 90 ? 0 : 1) + 0.3 * next());
    const there = separation(d);
    const back = separation(d.map((v) => -v));
    expect(there && { ...there, before: -there.before, after: -there.after }).toEqual(back);
  });
});

describe("the formulas of docs/compare.md", () => {
  /** Rows that hang together and are no noise: the same figures in any language. */
  const made = (n: number, hold: number, at: number, size: number): Float64Array => {
    let rest = 0;
    return gap(n, (i) => {
      rest = hold * rest + ((i * 37) % 64) / 64 - 0.5;
      return rest + (i < at ? 0 : size);
    });
  };

  test.each([
    // Worked out from the formulas with numpy, apart from this code.
    [90, 0.5, 40, 2, -0.01002709095872234, 1.9815600585890565, 0.25648070351885477, 37.051042492116174],
    [240, 0.8, 31, -3, -0.08226590311843986, -3.0354291116980505, 0.26157272290035516, 44.45959821873842],
    [60, 0, 52, 1, -0.0078125, 0.9609375, 0.2917247895955764, 8.95586831583698],
  ])("%d rows, held by %d, change at %d by %d", (n, hold, at, size, before, after, rest, score) => {
    const found = change(made(n, hold, at, size));
    expect(found?.at).toBe(at);
    expect(found?.before).toBeCloseTo(before, 12);
    expect(found?.after).toBeCloseTo(after, 12);
    expect(found?.rest).toBeCloseTo(rest, 12);
    expect(found?.score).toBeCloseTo(score, 9);
  });

  test.each([
    // A twentieth of the values, 5 at least, lie on either side.
    [100, 5, 5],
    [100, 4, 5],
    [100, 95, 95],
    [100, 96, 95],
    [200, 10, 10],
    [200, 9, 10],
    [200, 190, 190],
    [200, 191, 190],
    [60, 4, 5],
    [30, 15, 15],
  ])("of %d rows, a change at %d is taken at %d", (n, at, taken) => {
    expect(separation(gap(n, (i) => (i < at ? 0 : 1)))?.at).toBe(taken);
  });

  test("fewer than 30 values have none", () => {
    expect(separation(gap(29, (i) => (i < 15 ? 0 : 1)))).toBeNull();
    expect(separation(gap(40, (i) => (i < 10 ? Number.NaN : i < 20 ? 0 : 1)))?.at).toBe(20);
    expect(separation(gap(40, (i) => (i < 11 ? Number.NaN : i < 20 ? 0 : 1)))).toBeNull();
  });

  test("a gap that keeps its level has no change, not one of no size", () => {
    expect(change(gap(100, () => 5))).toBeNull();
  });

  test("the smallest change around the largest offset is exact", () => {
    const offset = 2 ** 52;
    const found = change(gap(100, (i) => offset + (i < 37 ? 0 : 1)));
    expect(found).toMatchObject({ at: 37, before: offset, after: offset + 1, rest: 0 });
  });

  test("without noise the floor stands in for it: a millionth of the larger level", () => {
    const error = (level: number) => (1e-9 + 1e-6 * level) * Math.sqrt(1 / 40 + 1 / 60);
    const scored = (before: number, after: number) =>
      change(gap(100, (i) => (i < 40 ? before : after)))?.score;
    expect(scored(0, 3)).toBeCloseTo(3 / error(3), 0);
    expect(scored(-8, -5)).toBeCloseTo(3 / error(8), 0);
    expect(scored(5, 8)).toBeCloseTo(3 / error(8), 0);
  });

  test("a change as large as the deviation of what is left is one, a smaller is none", () => {
    const wave = (swing: number) => gap(400, (i) => (i % 2 === 0 ? swing : -swing) + (i < 200 ? 0 : 1));
    expect(separation(wave(1))).toMatchObject({ at: 200, before: 0, after: 1 });
    expect(separation(wave(1 + 2 ** -20))).toBeNull();
    expect(change(wave(1 + 2 ** -20))?.score).toBeGreaterThan(MIN_SCORE);
  });

  test("what comes back for half of a twentieth of the rows has not gone for good, for one row less it has", () => {
    // Every second row; as many rows elsewhere lie twice as far, so that the level stays the one of the others.
    const back = (from: number, rows: number, side: number) => {
      const isOne = (i: number, first: number) => i >= first && i < first + 2 * rows && (i - first) % 2 === 0;
      return separation(
        gap(400, (i) => {
          if (i < 200 || isOne(i, from)) return 0;
          return side * (isOne(i, 250) ? 2 : 1);
        }),
      )?.at;
    };
    for (const side of [1, -1]) {
      expect(back(300, 9, side)).toBe(200);
      expect(back(300, 10, side)).toBeUndefined();
      // The last stretch counts.
      expect(back(381, 9, side)).toBe(200);
      expect(back(381, 10, side)).toBeUndefined();
    }
  });

  test("what counts is how far the level moves, not where it lies: down, up and across zero", () => {
    const moved = (before: number, after: number, rows: number) =>
      gap(rows, (i) => {
        const up = i % 2 === 0 ? 1 : -1;
        return (after > before ? up : -up) + (i < rows / 2 ? before : after);
      });
    for (const [before, after] of [
      [5, 3],
      [-5, -3],
      [3, 5],
      [-1, 1],
      [1, -1],
    ] as const)
      expect(separation(moved(before, after, 400))).toMatchObject({ at: 200, before, after });
    expect(change(moved(50, 50.5, 2000))?.score).toBeGreaterThan(MIN_SCORE);
    expect(separation(moved(50, 50.5, 2000))).toBeNull();
  });

  test("the first stretch behind the change counts", () => {
    // Level 1 from row 370 on. Rows 370 to 389 come to 9.5 or 11, half of the level's to 10; every later stretch has row 390.
    const late = (low: number) =>
      gap(400, (i) => {
        if (i < 370) return 0;
        if (i === 390) return 11 - 10 * low;
        return i >= 380 && i < 390 ? low : 1;
      });
    expect(change(late(-0.05))?.at).toBe(370);
    expect(change(late(-0.05))?.score).toBeGreaterThan(MIN_SCORE);
    expect(separation(late(-0.05))).toBeNull();
    expect(separation(late(0.1))?.at).toBe(370);
  });
});
