import { describe, expect, test } from "vitest";
import { divergence, gapOf } from "../../../src/core/compare/divergence.ts";
import { deviationOf, meanOf, pairwiseSum } from "../../../src/core/stats/moments.ts";
import { random } from "../random.ts";
import { noise } from "./runs.ts";

const gap = (n: number, at: (i: number) => number): Float64Array =>
  Float64Array.from({ length: n }, (_, i) => at(i));

describe("divergence", () => {
  test("at the first row of the first long enough stay outside of the early noise", () => {
    // Early: 25 rows of ±1 around 0. Outside beyond 4.
    const wave = (i: number) => (i % 2 === 0 ? 1 : -1);
    const d = gap(100, (i) => (i < 60 ? wave(i) : 6));
    const found = divergence(d, 4, 5);
    expect(found).toMatchObject({
      n: 100,
      at: 60,
      gapLate: 6,
      higherLate: "a",
      early: { from: 0, to: 25 },
      late: { from: 80, to: 100 },
    });
    expect(found?.noise).toBeCloseTo(1, 2);
    expect(found?.zLate).toBeCloseTo(6, 0);
  });

  test("a stay that is too short is none", () => {
    const d = gap(100, (i) => (i >= 60 && i < 64 ? 9 : i % 2 === 0 ? 1 : -1));
    expect(divergence(d, 4, 5)?.at).toBe(-1);
    expect(divergence(d, 4, 4)?.at).toBe(60);
  });

  test("NaN breaks it", () => {
    const d = gap(100, (i) => (i < 60 ? (i % 2 === 0 ? 1 : -1) : i === 63 ? Number.NaN : 9));
    expect(divergence(d, 4, 5)?.at).toBe(64);
  });

  test("fewer than 30 values are not compared, whatever the number of rows", () => {
    expect(
      divergence(
        gap(29, () => 1),
        4,
        5,
      ),
    ).toBeNull();
    expect(
      divergence(
        gap(100, (i) => (i < 29 ? 1 : Number.NaN)),
        4,
        5,
      ),
    ).toBeNull();
    expect(
      divergence(
        gap(30, () => 1),
        4,
        5,
      )?.at,
    ).toBe(-1);
  });

  test("a constant gap has a floor for noise: the smallest real step away is seen, rounding is not", () => {
    expect(
      divergence(
        gap(100, (i) => (i < 50 ? 5 : 5 + 1e-7)),
        4,
        5,
      )?.at,
    ).toBe(-1);
    expect(
      divergence(
        gap(100, (i) => (i < 50 ? 5 : 5 + 1e-3)),
        4,
        5,
      )?.at,
    ).toBe(50);
  });

  test("infinite gaps: nothing can be said, and nothing throws", () => {
    expect(
      divergence(
        gap(100, (i) => (i === 3 ? Number.POSITIVE_INFINITY : i % 2)),
        4,
        5,
      )?.at,
    ).toBe(-1);
    expect(
      divergence(
        gap(100, (i) => (i === 60 ? Number.POSITIVE_INFINITY : i % 2)),
        4,
        1,
      )?.at,
    ).toBe(-1);
  });

  test("where the late window has no value, the gap is NaN and B counts as higher, as rlprobe has it", () => {
    const found = divergence(
      gap(100, (i) => (i < 70 ? i % 2 : Number.NaN)),
      4,
      5,
    );
    expect(found).toMatchObject({ gapLate: Number.NaN, zLate: Number.NaN, higherLate: "b" });
  });
});

describe("properties", () => {
  test("a run with itself has no gap; swapping the runs turns every gap round", () => {
    for (let seed = 1; seed <= 40; seed++) {
      const next = noise(seed);
      const n = 30 + Math.floor(random(seed)() * 300);
      const lost = random(seed + 1000);
      const run = () => gap(n, (i) => (lost() < 0.05 ? Number.NaN : next() + (i > n / 2 ? seed % 4 : 0)));
      const [a, b] = [run(), run()];
      const same = divergence(gapOf(a, a), 4, 5);
      if (same) expect(same).toMatchObject({ at: -1, gapEarly: 0, gapLate: 0, zLate: 0 });
      const there = divergence(gapOf(a, b), 3, 3);
      const back = divergence(gapOf(b, a), 3, 3);
      expect(back?.at).toBe(there?.at);
      expect(back === null).toBe(there === null);
      if (!there || !back) continue;
      expect(back.gapLate).toBe(-there.gapLate);
      expect(back.zLate).toBe(-there.zLate);
      expect(back.noise).toBe(there.noise);
      if (there.gapLate !== 0) expect(back.higherLate).not.toBe(there.higherLate);
    }
  });

  test("a higher limit or a longer stay never finds an earlier place", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const next = noise(seed);
      const d = gap(300, (i) => next() + Math.max(0, i - 100) / 20);
      const place = (z: number, sustain: number) => {
        const at = divergence(d, z, sustain)?.at ?? -1;
        return at < 0 ? Number.POSITIVE_INFINITY : at;
      };
      for (const [z, sustain] of [
        [2, 3],
        [4, 5],
        [6, 2],
      ] as const) {
        expect(place(z + 1, sustain)).toBeGreaterThanOrEqual(place(z, sustain));
        expect(place(z, sustain + 2)).toBeGreaterThanOrEqual(place(z, sustain));
      }
    }
  });
});

describe("sums", () => {
  test("of few values, of a block, of many blocks", () => {
    for (const n of [0, 1, 7, 8, 9, 127, 128, 129, 1000, 12_345]) {
      const x = gap(n, (i) => i + 1);
      expect(pairwiseSum(x)).toBe((n * (n + 1)) / 2);
    }
    // A plain sum of a million tenths is off in the eleventh digit.
    expect(Math.abs(pairwiseSum(gap(1_000_000, () => 0.1)) - 100_000)).toBeLessThan(1e-9);
  });

  test("to the last bit as numpy has them", () => {
    // x = np.array([((i * 7919) % 1000) / 7 for i in range(777)]); a plain sum ends in …283.
    const x = gap(777, (i) => ((i * 7919) % 1000) / 7);
    expect(pairwiseSum(x)).toBe(55349.142857142855);
    expect(meanOf(x)).toBe(71.23441809156094);
    expect(deviationOf(x)).toBe(41.21675275994975);
    expect(meanOf(new Float64Array(0))).toBeNaN();
  });
});
