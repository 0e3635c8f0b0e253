/** Sums and deviations to the last bit, and correlations at the edges of what is one. */
import { describe, expect, it } from "vitest";
import { deviationOf, meanOf, pairwiseSum } from "../../../src/core/stats/moments.ts";
import { rollingCorrelation } from "../../../src/core/stats/rolling.ts";
import { count, max, median, min, select, sustained, withoutNaN } from "../../../src/core/stats/series.ts";
import { isRising, trend } from "../../../src/core/stats/trend.ts";
import { random } from "../random.ts";

const N = Number.NaN;
const of = (...values: number[]): Float64Array => Float64Array.from(values);
const made = (n: number, at: (i: number) => number): Float64Array =>
  Float64Array.from({ length: n }, (_, i) => at(i));
const SCALES = [0.01, 0.1, 1, 10, 100];
const odd = (i: number): number => (((i * 7919) % 1009) / 997) * (SCALES[i % 5] as number);

/** What numpy 2 says of the first n of these numbers: sum, mean, standard deviation. */
const NUMPY: readonly (readonly [n: number, sum: number, mean: number, deviation: number])[] = [
  [1, 0, 0, 0],
  [2, 0.08585757271815447, 0.04292878635907724, 0.04292878635907724],
  [7, 46.13855566700101, 6.5912222381430015, 13.692629715299402],
  [8, 47.088405215646944, 5.886050651955868, 12.94345254238692],
  [9, 55.05229689067202, 6.116921876741335, 12.220662917786338],
  [15, 208.62339017051153, 13.908226011367436, 26.823397626474488],
  [16, 208.6307321965898, 13.039420762286863, 26.188710972023024],
  [17, 208.68880641925782, 12.275812142309283, 25.589726808053328],
  [127, 1400.2079839518558, 11.025259716156345, 23.433907983375054],
  [128, 1400.9592377131394, 10.944994044633901, 23.35970958067766],
  [129, 1406.9371715145435, 10.906489701663128, 23.2730693236415],
  [136, 1529.7204613841523, 11.24794456900112, 23.452702562999455],
  [137, 1529.7586760280842, 11.166121722832731, 23.38642688481958],
  [255, 2761.914473420261, 10.83103715066769, 22.898627948910544],
  [256, 2761.9178435305917, 10.788741576291374, 22.86383835497232],
  [257, 2761.9361985957876, 10.746833457571158, 22.829162229803245],
  [1000, 11145.385275827482, 11.145385275827483, 23.529385967886427],
  [5003, 56156.85749247743, 11.224636716465607, 23.705987932943014],
];

describe("sums, means and deviations", () => {
  it("are numpy's to the last bit, whatever the length", () => {
    for (const [n, sum, mean, deviation] of NUMPY) {
      const x = made(n, odd);
      expect([pairwiseSum(x), meanOf(x), deviationOf(x)], String(n)).toEqual([sum, mean, deviation]);
    }
    expect(pairwiseSum(made(300, odd), 3)).toBe(3343.965085255767);
    expect([pairwiseSum(made(300, odd), 3, 5), pairwiseSum(of(1, 2, 3), 1, 1)]).toEqual([odd(3) + odd(4), 0]);
  });

  it("are no numbers where there is nothing, or something that is none", () => {
    expect([meanOf(of()), deviationOf(of()), meanOf(of(1, N)), deviationOf(of(1, N))]).toEqual([N, N, N, N]);
    expect(deviationOf(of(1, Number.POSITIVE_INFINITY))).toBe(N);
    expect(pairwiseSum(of())).toBe(0);
    expect(deviationOf(of(1, 3), 0)).toBe(Math.sqrt(5));
  });
});

describe("values that are there", () => {
  it("are counted, and copied in order", () => {
    expect([count(of(N, 1, N, 2)), count(of(N)), count(of()), count(of(1, 2))]).toEqual([2, 0, 0, 2]);
    expect([...withoutNaN(of(N, 3, N, 1, 2))]).toEqual([3, 1, 2]);
    expect([...withoutNaN(of(4, 5))]).toEqual([4, 5]);
  });

  it("have the middle, the k-th and both ends that sorting finds", () => {
    const draw = random(3);
    for (let round = 0; round < 200; round++) {
      const x = made(1 + (round % 23), () => Math.floor(draw() * 9) - 4);
      const sorted = [...x].sort((a, b) => a - b);
      const at = (i: number): number => sorted[i] as number;
      for (const k of sorted.keys()) expect(select(x.slice(), k)).toBe(at(k));
      const half = sorted.length >> 1;
      expect(median(x)).toBe(sorted.length % 2 === 1 ? at(half) : (at(half - 1) + at(half)) / 2);
      expect([min(x), max(x)]).toEqual([at(0), at(sorted.length - 1)]);
    }
  });

  it("pass in a row from where the row begins, also the very last ones", () => {
    const above = (v: number) => v > 1;
    expect([
      sustained(of(0, 2, 2), above, 2),
      sustained(of(2, 2), above, 2),
      sustained(of(2), above, 2),
    ]).toEqual([...[1, 0, -1]]);
  });
});

describe("a trend", () => {
  it("is judged of eight values, and of five hundred at most, both ends among them", () => {
    expect(trend(made(8, (i) => i)).z).toBeGreaterThan(3);
    expect(trend(of(N, ...made(7, (i) => i))).z).toBe(0);
    // Of 500 values none is left out; of 501 the last is there, and one in the middle is not.
    const step = (n: number, at: number) => trend(made(n, (i) => (i === at ? 1 : 0))).z;
    for (const at of range(500)) expect(step(500, at) === 0, String(at)).toBe(Math.abs(at - 249.5) < 1);
    expect(step(501, 500)).toBe(step(500, 499));
    expect(step(501, 0)).toBe(step(500, 0));
    expect(step(501, 499)).toBe(0);
  });

  it("is one from a chance of less than 5 % on, and upward", () => {
    expect(isRising({ z: 2, p: 0.049 })).toBe(true);
    for (const none of [
      { z: 2, p: 0.05 },
      { z: 1, p: 0.3 },
      { z: 0, p: 0.01 },
      { z: -2, p: 0.01 },
    ])
      expect(isRising(none)).toBe(false);
  });

  it("falls as it rises", () => {
    const draw = random(11);
    const x = made(40, (i) => i / 20 + draw());
    expect(trend(x.map((v) => -v)).z).toBe(-trend(x).z);
    expect(trend(x.map((v) => -v)).p).toBe(trend(x).p);
  });
});

const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

describe("a correlation", () => {
  const wave = (i: number): number => Math.sin(i / 3) + i / 50;

  it("is none where either hardly moves: below 1e-12", () => {
    for (const window of [25, 130])
      for (const [size, is] of [
        [1e-9, true],
        [2e-13, false],
      ] as const) {
        const x = made(window, (i) => (i % 2) * size);
        const y = made(window, (i) => (i % 2) * 5 + wave(i) / 100);
        const last = (a: Float64Array, b: Float64Array) => rollingCorrelation(a, b, window).at(-1) as number;
        expect([Number.isFinite(last(x, y)), Number.isFinite(last(y, x))], `${window} ${size}`).toEqual([
          is,
          is,
        ]);
      }
  });

  it("wants half of a window's pairs, at least four", () => {
    for (const window of [4, 5, 9, 25, 130, 131, 200]) {
      const least = Math.max(4, Math.floor(window / 2));
      const first = (there: number) =>
        rollingCorrelation(
          made(window, (i) => (i < there ? wave(i) : N)),
          made(window, wave),
          window,
        )[window - 1];
      expect([Number.isFinite(first(least)), Number.isFinite(first(least - 1))], String(window)).toEqual([
        true,
        false,
      ]);
    }
  });

  it("is the same of a wide window as of the same rows alone, at each row", () => {
    const n = 390;
    const draw = random(5);
    const y = made(n, (i) => wave(i) + draw());
    for (const [at, value] of [
      [140, Number.POSITIVE_INFINITY],
      [200, 1e200],
      [150, 1e150],
      [0, 1e200],
      [7, Number.NEGATIVE_INFINITY],
    ] as const) {
      const x = made(n, (i) => (i === at ? value : draw()));
      for (const window of [129, 130]) {
        const all = rollingCorrelation(x, y, window);
        const twice = rollingCorrelation(y, x, window);
        for (const i of range(n)) {
          // A narrow window is summed up by itself.
          const from = i - window + 1;
          const alone = from < 0 ? N : byItself(x.subarray(from, i + 1), y.subarray(from, i + 1));
          for (const found of [all[i], twice[i]])
            expect(
              Object.is(found, alone) || Math.abs((found as number) - alone) < 1e-9,
              `${window} ${value} ${i}: ${found}, not ${alone}`,
            ).toBe(true);
        }
      }
    }
  });
});

/** By the book; what is too large to be squared makes it no number, or none at all. */
function byItself(x: Float64Array, y: Float64Array): number {
  const [mx, my] = [meanOf(x), meanOf(y)];
  const sum = (at: (i: number) => number): number => range(x.length).reduce((total, i) => total + at(i), 0);
  const a = (i: number): number => (x[i] as number) - mx;
  const b = (i: number): number => (y[i] as number) - my;
  const size = Math.sqrt(sum((i) => a(i) ** 2)) * Math.sqrt(sum((i) => b(i) ** 2));
  return sum((i) => a(i) * b(i)) / size;
}
