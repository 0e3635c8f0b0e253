/** Made-up columns for the fixture page: noisy curves with what real runs hold, and what none should. */

export interface FakeColumn {
  readonly values: Float64Array;
  /** 0 where nothing was written. */
  readonly valid: Uint8Array | null;
}

/** A stream of even numbers from 0 to 1, the same every time. */
export function random(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4_294_967_296;
  };
}

export type Shape = (i: number, share: number, noise: number) => number;

const gauss = (next: () => number): number => next() + next() + next() + next() - 2;

export function column(rows: number, seed: number, shape: Shape): FakeColumn {
  const next = random(seed);
  const values = new Float64Array(rows);
  for (let i = 0; i < rows; i++) values[i] = shape(i, i / Math.max(1, rows - 1), gauss(next));
  return { values, valid: null };
}

/** Takes away what lies in the given shares of the run: nothing was written there. */
export function withGaps(source: FakeColumn, gaps: readonly (readonly [number, number])[]): FakeColumn {
  const rows = source.values.length;
  const valid = new Uint8Array(rows).fill(1);
  for (const [from, to] of gaps) valid.fill(0, Math.floor(from * rows), Math.ceil(to * rows));
  return { values: source.values, valid };
}

/** Writes a value over some rows. */
export function withValues(source: FakeColumn, at: readonly number[], value: number): FakeColumn {
  const values = source.values.slice();
  for (const i of at) if (i >= 0 && i < values.length) values[i] = value;
  return { values, valid: source.valid };
}

export const every = (rows: number, step: number, from = 0): number[] =>
  Array.from({ length: Math.max(0, Math.ceil((rows - from) / step)) }, (_, i) => from + i * step);

const rise =
  (from: number, to: number, speed: number, noise: number): Shape =>
  (_, share, n) =>
    from + (to - from) * (1 - Math.exp(-share * speed)) + n * noise;

/** The metrics of a healthy-looking GRPO run by name; each is computed when it is first asked for. */
export function fakeColumn(metric: string, rows: number): FakeColumn {
  const seed = [...metric].reduce((sum, c) => (sum * 31 + c.charCodeAt(0)) >>> 0, 7);
  const known = SHAPES.get(metric);
  if (known) return known(rows, seed);
  return column(rows, seed, rise(((seed % 7) - 3) / 2, ((seed % 11) - 5) / 2, 3, 0.15));
}

const plain = (shape: Shape) => (rows: number, seed: number) => column(rows, seed, shape);

function crowded(rows: number, seed: number): FakeColumn {
  const kinds = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 12_345];
  return kinds.reduce(
    (made, value, i) => withValues(made, every(rows, 151, 7 * i), value),
    column(rows, seed, rise(0, 1, 3, 0.05)),
  );
}

const SHAPES = new Map<string, (rows: number, seed: number) => FakeColumn>([
  ["reward_mean", plain(rise(0.5, 1.15, 3, 0.09))],
  ["reward_std", plain(rise(0.4, 0.22, 2, 0.03))],
  ["reward_min", plain(rise(-0.4, 0.1, 3, 0.1))],
  ["reward_max", plain(rise(1.1, 1.9, 3, 0.08))],
  [
    "kl_mean",
    (rows, seed) =>
      withValues(
        column(rows, seed, rise(0, 0.11, 2.2, 0.012)),
        [Math.floor(rows * 0.62), Math.floor(rows * 0.83)],
        3.4,
      ),
  ],
  ["kl_max", plain((_, s, n) => 0.02 + s * 0.4 + Math.abs(n) * 0.2)],
  ["entropy", plain(rise(2.05, 2.4, 4, 0.03))],
  ["clip_fraction", plain((_, s, n) => Math.max(0, 0.08 + 0.04 * Math.sin(s * 20) + n * 0.02))],
  ["approx_kl", plain((_, s, n) => 10 ** (-4 + 2.5 * s + n * 0.3))],
  [
    "grad_norm",
    (rows, seed) => {
      const base = column(rows, seed, (_, s, n) => 0.35 + 0.3 * Math.exp(-s * 5) + Math.abs(n) * 0.1);
      return withValues(
        base,
        [Math.floor(rows * 0.1), Math.floor(rows * 0.43), Math.floor(rows * 0.44)],
        350,
      );
    },
  ],
  [
    "loss",
    (rows, seed) => {
      const base = column(rows, seed, (_, s, n) => 0.8 * Math.exp(-s * 3) + n * 0.05);
      const nans = Array.from({ length: 3 }, (_, i) => Math.floor(rows * 0.55) + i);
      return withValues(
        withValues(base, nans, Number.NaN),
        [Math.floor(rows * 0.8)],
        Number.POSITIVE_INFINITY,
      );
    },
  ],
  ["learning_rate", plain((_, s) => 1e-6 * Math.min(1, s * 20) * (1 - s * 0.9))],
  [
    "value_loss",
    (rows, seed) =>
      withGaps(column(rows, seed, rise(1.2, 0.3, 4, 0.05)), [
        [0.2, 0.34],
        [0.7, 0.75],
      ]),
  ],
  [
    "explained_variance",
    (rows, seed) => {
      const base = column(rows, seed, rise(-0.2, 0.8, 4, 0.05));
      const valid = new Uint8Array(rows);
      for (const i of every(rows, Math.max(2, Math.floor(rows / 60)))) valid[i] = 1;
      return { values: base.values, valid };
    },
  ],
  ["completion_length_mean", plain((_, s, n) => 8.5 + 21 / (1 + Math.exp(-(s - 0.4) * 12)) + n * 1.4)],
  [
    "truncation_rate",
    plain((_, s, n) => Math.min(1, Math.max(0, 0.75 / (1 + Math.exp(-(s - 0.5) * 10)) + n * 0.06))),
  ],
  ["tokens_per_second", plain((_, s, n) => 12_400 - 900 * s + n * 350)],
  ["step_time", plain((i, _, n) => 2.1 + Math.abs(n) * 0.3 + (i % 5000 === 0 ? 9 : 0))],
  ["odd.constant", plain(() => 0.5)],
  ["odd.zero", plain(() => 0)],
  ["odd.flat_1e14", plain((i) => 1e14 + (i % 3))],
  ["odd.huge_1e300", plain((_, s, n) => 1e300 * (s + n * 0.02))],
  ["odd.both_1.7e308", plain((i) => (i % 2 === 0 ? 1.7e308 : -1.7e308))],
  ["odd.tiny", plain((_, s, n) => 5e-324 * Math.round(4 + 3 * s + n))],
  ["odd.all_nan", plain(() => Number.NaN)],
  ["odd.all_inf", plain((i) => (i % 2 === 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY))],
  ["odd.all_null", (rows) => ({ values: new Float64Array(rows), valid: new Uint8Array(rows) })],
  [
    "odd.one_point",
    (rows) => {
      const valid = new Uint8Array(rows);
      valid[Math.floor(rows / 2)] = 1;
      return { values: new Float64Array(rows).fill(42.5), valid };
    },
  ],
  [
    "odd.nan_runs",
    (rows, seed) => {
      const base = column(rows, seed, rise(0, 1, 3, 0.05));
      const nans = every(rows, 1).filter((i) => (i / rows > 0.3 && i / rows < 0.4) || i / rows > 0.9);
      const holes = withValues(base, nans, Number.NaN);
      return withValues(holes, [Math.floor(rows * 0.15), Math.floor(rows * 0.6)], Number.NEGATIVE_INFINITY);
    },
  ],
  ["odd.alternating", plain((i) => i % 2)],
  ["crowded.a", crowded],
  ["crowded.b", crowded],
  ["crowded.c", crowded],
]);
