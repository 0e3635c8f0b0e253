/** The part of the y axis that a chart shows: everything, or everything but far outliers. */
import { type Domain, placesIn, type SortedX } from "./grid.ts";
import type { Values } from "./m4.ts";

export interface YRanges {
  /** From the smallest to the largest finite value, widened where they are one; `null` without values. */
  readonly full: readonly [number, number] | null;
  /** The same without far outliers. Equal to `full` where there are none. */
  readonly robust: readonly [number, number] | null;
  /** Finite values outside `robust`. */
  readonly outside: number;
}

/** Values this many times the spread of the middle nine tenths beyond them are far. */
const FENCE = 3;
/** As many far rows in a row are a level of their own, not outliers: a blow-up at the end must stay in the picture. */
const LEVEL_ROWS = 3;
/** Outliers are rare, or they are none. */
const MAX_SHARE = 0.01;
const MAX_FEW = 2;
/** Below this nothing can be called an outlier. */
const MIN_ROWS = 8;
const SAMPLE = 1024;
/** Half of the largest number: the span of a range must be a number too. */
const LIMIT = Number.MAX_VALUE / 2;

/** "log": values of 0 or below count for nothing, and all of the rule holds for the exponents. */
export type YScale = "linear" | "log";

/**
 * Rule, for each series in the domain: let q05 and q95 be its quantiles (of an even sample of 1024 rows where there
 * are more) and w = q95 − q05. A value outside [q05 − 3 w, q95 + 3 w] is far. Far values that come in stretches of less
 * than 3 rows and make up at most 1 % of the values (or 2 of them) are outliers; otherwise the series has none, nor has
 * one with fewer than 8 values or with w = 0 (all it has to show are its exceptions). The robust range runs from the
 * smallest to the largest value of all series that is no outlier. For normal noise the fence is at 11.5 σ.
 */
export function yRanges(
  sorted: SortedX,
  columns: readonly Values[],
  domain: Domain,
  scale: YScale = "linear",
): YRanges {
  return yRangesOver(
    columns.map((column) => ({ sorted, column })),
    domain,
    scale,
  );
}

/** The same for series of several runs, each with places of its own. */
export function yRangesOver(
  series: readonly { readonly sorted: SortedX; readonly column: Values }[],
  domain: Domain,
  scale: YScale = "linear",
): YRanges {
  const all = series.map(({ sorted, column }) => {
    const [start, end] = placesIn(sorted.x, domain);
    return finiteValues(sorted, column, start, end);
  });
  if (scale === "linear") return rangesOf(all, widen);
  const { full, robust, outside } = rangesOf(all.map(exponents), aroundExponent);
  return { full: full && powers(full), robust: robust && powers(robust), outside };
}

type Range = readonly [number, number];

function exponents(values: Float64Array): Float64Array {
  return values.filter((value) => value > 0).map(Math.log10);
}

/** Half a decade around a single value. */
const LOG_ROOM = 0.5;

const aroundExponent = ({ low, high }: Extent): Range =>
  high > low ? [low, high] : [low - LOG_ROOM, high + LOG_ROOM];

const powers = ([low, high]: Range): Range => [
  Math.max(10 ** low, Number.MIN_VALUE),
  Math.min(10 ** high, Number.MAX_VALUE),
];

function rangesOf(all: readonly Float64Array[], range: (extent: Extent) => Range): YRanges {
  let full = EMPTY;
  let robust = EMPTY;
  for (const values of all) {
    const extent = extentOf(values);
    full = join(full, extent);
    robust = join(robust, robustExtent(values, extent));
  }
  if (full.low > full.high) return { full: null, robust: null, outside: 0 };
  const isCut = robust.low > full.low || robust.high < full.high;
  const kept = range(robust);
  let outside = 0;
  if (isCut || full.low < -LIMIT || full.high > LIMIT) {
    for (const values of all) for (const v of values) if (v < kept[0] || v > kept[1]) outside++;
  }
  return { full: range(full), robust: kept, outside };
}

interface Extent {
  readonly low: number;
  readonly high: number;
}
const EMPTY: Extent = { low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY };

const join = (a: Extent, b: Extent): Extent => ({
  low: Math.min(a.low, b.low),
  high: Math.max(a.high, b.high),
});

function allFinite(values: Float64Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const value = values[i] as number;
    if (value - value !== 0) return false;
  }
  return true;
}

/** Not to be written to: it can be the column itself. */
function finiteValues(sorted: SortedX, column: Values, start: number, end: number): Float64Array {
  const { values, valid } = column;
  const { rows } = sorted;
  // Most columns of most runs have nothing to leave out: a copy of each would be the cost of a chart.
  if (rows === null && valid === null && allFinite(values, start, end)) return values.subarray(start, end);
  const finite = new Float64Array(end - start);
  let count = 0;
  for (let place = start; place < end; place++) {
    const row = rows === null ? place : (rows[place] as number);
    const value = values[row] as number;
    if (value - value === 0 && (valid === null || valid[row] !== 0)) finite[count++] = value;
  }
  return finite.subarray(0, count);
}

function extentOf(values: Float64Array): Extent {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return { low, high };
}

function robustExtent(values: Float64Array, full: Extent): Extent {
  if (values.length < MIN_ROWS) return full;
  const sample = sampleOf(values).sort();
  const q05 = quantile(sample, 0.05);
  const q95 = quantile(sample, 0.95);
  const spread = q95 - q05;
  if (!(spread > 0 && Number.isFinite(spread))) return full;
  const low = q05 - FENCE * spread;
  const high = q95 + FENCE * spread;
  if (full.low >= low && full.high <= high) return full;
  return withoutOutliers(values, low, high) ?? full;
}

/** The extent of what is no outlier; `null` when there are too many to be outliers. */
function withoutOutliers(values: Float64Array, low: number, high: number): Extent | null {
  let kept = EMPTY;
  let outliers = 0;
  let start = 0;
  for (let i = 0; i <= values.length; i++) {
    const value = values[i];
    const isFar = value !== undefined && (value < low || value > high);
    if (isFar) continue;
    const stretch = values.subarray(start, i);
    if (stretch.length < LEVEL_ROWS) outliers += stretch.length;
    else kept = join(kept, extentOf(stretch));
    start = i + 1;
    if (value !== undefined) kept = join(kept, { low: value, high: value });
  }
  return outliers > Math.max(MAX_FEW, values.length * MAX_SHARE) ? null : kept;
}

const GOLDEN = 0.618033988749895;

/** An even sample with a wandering offset, so that a rhythm in the rows is not mistaken for the values. */
function sampleOf(values: Float64Array): Float64Array {
  if (values.length <= SAMPLE) return values.slice();
  const sample = new Float64Array(SAMPLE);
  const stride = values.length / SAMPLE;
  for (let i = 0; i < SAMPLE; i++)
    sample[i] = values[Math.floor((i + ((i * GOLDEN) % 1)) * stride)] as number;
  return sample;
}

/** Linear between the two nearest of sorted values. */
function quantile(sorted: Float64Array, q: number): number {
  const at = (sorted.length - 1) * q;
  const below = Math.floor(at);
  const a = sorted[below] as number;
  const b = sorted[Math.min(below + 1, sorted.length - 1)] as number;
  return a + (b - a) * (at - below);
}

/** A range that a scale can be made of: never a point, never wider than a number. */
function widen({ low, high }: Extent): readonly [number, number] {
  const from = Math.max(-LIMIT, Math.min(LIMIT, low));
  const to = Math.max(-LIMIT, Math.min(LIMIT, high));
  if (to > from) return [from, to];
  const room = from === 0 ? 1 : Math.max(Math.abs(from) * 0.1, Number.MIN_VALUE);
  return [Math.max(-Number.MAX_VALUE / 2, from - room), Math.min(Number.MAX_VALUE / 2, to + room)];
}
