/** Where rows stand on the x axis: sorted places, the part in view, pixel columns. */

/** The x values of a run's rows in ascending order; rows without a finite x have no place. */
export interface SortedX {
  readonly x: Float64Array;
  /** Row of each place, or `null` when place and row are the same. */
  readonly rows: Int32Array | null;
}

/** Both ends included, in units of x. */
export type Domain = readonly [number, number];

/** What was put in order before. */
export interface Placed {
  readonly values: Float64Array;
  readonly valid: Uint8Array | null;
  readonly sorted: SortedX;
}

/**
 * Puts rows in x order. Time can go backwards (a run resumed from a checkpoint, a clock set back): rows of one x keep
 * their order. `valid[i] = 0` marks a row without x.
 * @param before of the same run when it was shorter: only what came since is put in order
 */
export function sortX(values: Float64Array, valid: Uint8Array | null, before: Placed | null = null): SortedX {
  if (isPlaced(values, valid)) return { x: values, rows: null };
  const known = before?.sorted.rows && goesOn(before, values, valid) ? before.sorted.rows : new Int32Array(0);
  const from = known.length > 0 && before ? before.values.length : 0;
  const rows = new Int32Array(known.length + values.length - from);
  rows.set(known);
  let count = known.length;
  for (let i = from; i < values.length; i++)
    if ((valid === null || valid[i] === 1) && Number.isFinite(values[i])) rows[count++] = i;
  const all = rows.slice(0, count);
  const kept = inOrder(all, values, known.length);
  const x = new Float64Array(count);
  for (let place = 0; place < count; place++) x[place] = values[kept[place] ?? 0] ?? 0;
  return { x, rows: kept };
}

/** Whether the rows of before are the first of these. */
function goesOn(before: Placed, values: Float64Array, valid: Uint8Array | null): boolean {
  if (before.values.length > values.length) return false;
  for (let i = 0; i < before.values.length; i++) {
    const [was, is] = [before.values[i] as number, values[i] as number];
    if (was !== is && !(Number.isNaN(was) && Number.isNaN(is))) return false;
    if ((before.valid === null || before.valid[i] === 1) !== (valid === null || valid[i] === 1)) return false;
  }
  return true;
}

/** @param sorted of them, the first, are in order */
function inOrder(
  rows: Int32Array<ArrayBuffer>,
  values: Float64Array,
  sorted: number,
): Int32Array<ArrayBuffer> {
  const come = merged(rows.slice(sorted), values) ?? bySorting(rows.slice(sorted), values);
  if (sorted === 0) return come;
  rows.set(come, sorted);
  const out = new Int32Array(rows.length);
  mergeInto(out, rows, values, [0, sorted, rows.length]);
  return out;
}

const bySorting = (rows: Int32Array<ArrayBuffer>, values: Float64Array): Int32Array<ArrayBuffer> =>
  rows.sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0) || a - b);

/** Stretches in order that are merged: a run that was resumed this many times has as many. */
const MAX_STRETCHES = 64;

/** Rows that are in order but for a few places where x goes back, in order; `null` where those are many. */
function merged(rows: Int32Array<ArrayBuffer>, values: Float64Array): Int32Array<ArrayBuffer> | null {
  let starts = [0];
  for (let i = 1; i < rows.length; i++) {
    if ((values[rows[i] as number] as number) >= (values[rows[i - 1] as number] as number)) continue;
    if (starts.push(i) > MAX_STRETCHES) return null;
  }
  starts.push(rows.length);
  let [from, to] = [rows, new Int32Array(rows.length)];
  while (starts.length > 2) {
    const next = [0];
    for (let k = 0; k + 1 < starts.length; k += 2) {
      const [low = 0, middle = low, high = middle] = starts.slice(k, k + 3);
      mergeInto(to, from, values, [low, middle, high]);
      next.push(high);
    }
    starts = next;
    [from, to] = [to, from];
  }
  return from;
}

/** Of two stretches, one behind the other; of equal ones the first comes first. */
function mergeInto(
  to: Int32Array,
  from: Int32Array,
  values: Float64Array,
  [low, middle, high]: readonly [number, number, number],
): void {
  let a = low;
  let b = middle;
  for (let at = low; at < high; at++) {
    const isFirst =
      a < middle &&
      (b >= high || (values[from[a] as number] as number) <= (values[from[b] as number] as number));
    to[at] = from[isFirst ? a++ : b++] as number;
  }
}

function isPlaced(values: Float64Array, valid: Uint8Array | null): boolean {
  let previous = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? Number.NaN;
    if ((valid !== null && valid[i] !== 1) || !Number.isFinite(value) || value < previous) return false;
    previous = value;
  }
  return true;
}

/** First place whose x is at least `value`. */
export function lowerBound(x: Float64Array, value: number): number {
  let low = 0;
  let high = x.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((x[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Places of the rows in view: `[start, end)`. */
export function placesIn(x: Float64Array, domain: Domain): readonly [number, number] {
  const [from, to] = domain;
  const start = lowerBound(x, from);
  let end = lowerBound(x, to);
  while (end < x.length && x[end] === to) end++;
  return [start, Math.max(start, end)];
}

/** The place nearest to a value (the earlier one of two equally near); -1 when there is none. */
export function nearestPlace(x: Float64Array, value: number): number {
  if (x.length === 0) return -1;
  const after = lowerBound(x, value);
  if (after === 0) return 0;
  if (after === x.length) return firstOf(x, after - 1);
  const isAfterNearer = (x[after] ?? 0) - value < value - (x[after - 1] ?? 0);
  return isAfterNearer ? after : firstOf(x, after - 1);
}

function firstOf(x: Float64Array, place: number): number {
  return lowerBound(x, x[place] ?? 0);
}

/** The whole run's domain; `[0, 0]` when it has no rows. */
export function fullDomain(x: Float64Array): Domain {
  return [x[0] ?? 0, x[x.length - 1] ?? 0];
}

/** Pixel column of an x inside the domain, 0 … width - 1. A domain without width is one column. */
export function pixelColumns(domain: Domain, width: number): (x: number) => number {
  const [from, to] = domain;
  const scale = width / (to - from);
  const last = width - 1;
  if (Number.isFinite(scale) && scale > 0) return (x) => Math.min(last, Math.floor((x - from) * scale));
  if (!(to > from)) return () => 0;
  // The span itself is beyond what a number holds: halve everything first.
  const half = to / 2 - from / 2;
  return (x) => Math.min(last, Math.floor(((x / 2 - from / 2) / half) * width));
}
