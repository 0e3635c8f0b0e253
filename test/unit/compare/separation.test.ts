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
