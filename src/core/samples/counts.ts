/** Samples counted into bins and cells. */
import type { SampleIndex } from "./sampleIndex.ts";

type Range = readonly [number, number];

export interface Histogram {
  /** Length bins + 1, ascending; empty when no value is finite. */
  readonly edges: Float64Array<ArrayBuffer>;
  readonly counts: Float64Array<ArrayBuffer>;
  /** Rows without a finite value. */
  readonly missing: number;
}

/** Of reward_total. All at one value make one bin around it. */
export function histogram(index: SampleIndex, rows: Uint32Array, bins: number): Histogram {
  const { values, has } = index.keys("reward_total");
  const isThere = (row: number): boolean => Number.isFinite(values[row]) && has(row);
  const range = rangeOf(rows, values, isThere);
  if (!range) return { edges: new Float64Array(0), counts: new Float64Array(0), missing: rows.length };
  const { low, high, n } = range.low < range.high ? { ...range, n: bins } : { ...around(range.low), n: 1 };
  // Neither end is exceeded, and no difference of two huge numbers is taken.
  const edges = Float64Array.from({ length: n + 1 }, (_, i) =>
    i === n ? high : low * (1 - i / n) + high * (i / n),
  );
  const counts = new Float64Array(n);
  let missing = 0;
  for (const row of rows) {
    if (isThere(row)) (counts[cellOf(values[row] as number, low, high, n)] as number)++;
    else missing++;
  }
  return { edges, counts, missing };
}

export interface Scatter {
  readonly columns: number;
  readonly rows: number;
  /** `cells[row * columns + column]`, row 0 the lowest reward. */
  readonly cells: Float64Array<ArrayBuffer>;
  readonly x: Range | null;
  readonly y: Range | null;
  readonly missing: number;
}

/** Completion length (x) and reward (y). */
export function scatter(index: SampleIndex, rows: Uint32Array, columns: number, lines: number): Scatter {
  const [length, reward] = [index.keys("completion_len"), index.keys("reward_total")];
  const isThere = (row: number): boolean =>
    Number.isFinite(length.values[row]) &&
    Number.isFinite(reward.values[row]) &&
    length.has(row) &&
    reward.has(row);
  const x = rangeOf(rows, length.values, isThere);
  const y = rangeOf(rows, reward.values, isThere);
  const cells = new Float64Array(columns * lines);
  let missing = 0;
  for (const row of rows) {
    if (!x || !y || !isThere(row)) {
      missing++;
      continue;
    }
    const column = cellOf(length.values[row] as number, x.low, x.high, columns);
    (cells[cellOf(reward.values[row] as number, y.low, y.high, lines) * columns + column] as number)++;
  }
  return { columns, rows: lines, cells, x: x && [x.low, x.high], y: y && [y.low, y.high], missing };
}

/** The last cell holds its upper end too. */
function cellOf(value: number, low: number, high: number, n: number): number {
  // Halves: the difference of the two ends can be beyond what a double holds.
  const span = high / 2 - low / 2;
  if (!(span > 0)) return 0;
  return Math.max(0, Math.min(n - 1, Math.floor(((value / 2 - low / 2) / span) * n)));
}

function around(value: number): { low: number; high: number } {
  const half = Math.max(Math.abs(value), 1) / 4;
  return { low: value - half, high: value + half };
}

function rangeOf(
  rows: Uint32Array,
  values: ArrayLike<number>,
  isThere: (row: number) => boolean,
): { low: number; high: number } | null {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const row of rows) {
    if (!isThere(row)) continue;
    const value = values[row] as number;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? { low, high } : null;
}
