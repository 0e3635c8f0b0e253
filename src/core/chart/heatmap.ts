/** A list column (kl_positional) as a picture: one cell for each pixel column and list position. */
import { type Domain, pixelColumns, placesIn, type SortedX } from "./grid.ts";

/** Row i is `values[offsets[i] … offsets[i + 1])`; `valid[i] = 0` where nothing was written. */
export interface Lists {
  readonly values: Float64Array;
  readonly offsets: Int32Array;
  readonly valid: Uint8Array | null;
}

export interface Heatmap {
  readonly columns: number;
  readonly buckets: number;
  /** `cells[c * buckets + b]`: mean over the rows of column c, NaN where there is none. */
  readonly cells: Float64Array<ArrayBuffer>;
  /** Smallest and largest cell; `null` when all are empty. Never a point. */
  readonly valueDomain: readonly [number, number] | null;
}

/** Positions beyond this are left out: no recorder writes them, and a picture has no room for them. */
export const MAX_BUCKETS = 512;
const FILLED_ENOUGH = 0.9;
const MAX_HALVINGS = 2;

/**
 * Bins the rows of the domain. There are never more columns than rows, and fewer where rows lie unevenly, so that the
 * picture has holes only where the recording has them. Values that are not finite count for nothing.
 */
export function heatmap(sorted: SortedX, lists: Lists, domain: Domain, width: number): Heatmap {
  const [start, end] = placesIn(sorted.x, domain);
  let buckets = 0;
  for (let place = start; place < end; place++) {
    const row = sorted.rows === null ? place : (sorted.rows[place] as number);
    if (lists.valid !== null && lists.valid[row] === 0) continue;
    buckets = Math.max(buckets, (lists.offsets[row + 1] ?? 0) - (lists.offsets[row] ?? 0));
  }
  buckets = Math.min(buckets, MAX_BUCKETS);
  if (buckets === 0) return { columns: 0, buckets: 0, cells: new Float64Array(0), valueDomain: null };
  const columns = columnCount(sorted.x, start, end, domain, width);
  const cells = bin(sorted, lists, domain, { start, end, columns, buckets });
  return { columns, buckets, cells, valueDomain: extent(cells) };
}

function columnCount(x: Float64Array, start: number, end: number, domain: Domain, width: number): number {
  let columns = Math.max(1, Math.min(width, end - start));
  for (let halving = 0; halving < MAX_HALVINGS; halving++) {
    const columnOf = pixelColumns(domain, columns);
    let filled = 0;
    let last = -1;
    for (let place = start; place < end; place++) {
      const column = columnOf(x[place] as number);
      if (column !== last) filled++;
      last = column;
    }
    if (filled >= columns * FILLED_ENOUGH) break;
    columns = Math.max(1, Math.floor(columns / 2));
  }
  return columns;
}

function bin(
  sorted: SortedX,
  lists: Lists,
  domain: Domain,
  { start, end, columns, buckets }: { start: number; end: number; columns: number; buckets: number },
): Float64Array<ArrayBuffer> {
  const columnOf = pixelColumns(domain, columns);
  const sums = new Float64Array(columns * buckets);
  const counts = new Int32Array(columns * buckets);
  for (let place = start; place < end; place++) {
    const row = sorted.rows === null ? place : (sorted.rows[place] as number);
    if (lists.valid !== null && lists.valid[row] === 0) continue;
    const base = columnOf(sorted.x[place] as number) * buckets;
    const from = lists.offsets[row] ?? 0;
    const length = Math.min(buckets, (lists.offsets[row + 1] ?? 0) - from);
    for (let b = 0; b < length; b++) {
      const value = lists.values[from + b] as number;
      if (!Number.isFinite(value)) continue;
      sums[base + b] = (sums[base + b] as number) + value;
      counts[base + b] = (counts[base + b] as number) + 1;
    }
  }
  for (let i = 0; i < sums.length; i++) sums[i] = (sums[i] as number) / (counts[i] as number);
  return sums;
}

function extent(cells: Float64Array): readonly [number, number] | null {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const cell of cells) {
    if (!Number.isFinite(cell)) continue;
    if (cell < low) low = cell;
    if (cell > high) high = cell;
  }
  if (low > high) return null;
  return high > low ? [low, high] : [low - Math.abs(low) * 0.1 - 1e-12, high + Math.abs(high) * 0.1 + 1e-12];
}
