/** Which rows of two runs meet. */
import type { Column, StepAxis } from "../run/model.ts";
import type { Alignment } from "./types.ts";

/** Pairs of rows, in the order of A's axis. */
export interface Meeting {
  readonly a: Int32Array;
  readonly b: Int32Array;
}

/** The values of some rows; a view where the rows follow one another. */
export function taker(rows: Int32Array): (values: Float64Array) => Float64Array {
  const n = rows.length;
  const first = rows[0] ?? 0;
  let isStretch = true;
  for (let i = 1; i < n && isStretch; i++) isStretch = rows[i] === first + i;
  if (isStretch) return (values) => values.subarray(first, first + n);
  return (values) => {
    const out = new Float64Array(n);
    for (let i = 0; i < n; i++) out[i] = values[rows[i] as number] as number;
    return out;
  };
}

const NONE: Meeting = { a: new Int32Array(0), b: new Int32Array(0) };

/** Of rows with one step the first counts, as rlprobe has it; in merged rows there is one. */
export function align(a: StepAxis, b: StepAxis, how: Alignment): Meeting {
  if (how === "time") return byTime(a, b);
  const rowsA = firstRows(a.step);
  const rowsB = firstRows(b.step);
  if (how === "step" && (a.step.exact || b.step.exact))
    return merge(rowsA, rowsB, exactOrder(a.step, b.step));
  const shift = how === "relative" ? valueAt(a.step, rowsA[0]) - valueAt(b.step, rowsB[0]) : 0;
  const [x, y] = [a.step.values, b.step.values];
  return merge(rowsA, rowsB, (i, j) => (x[i] as number) - shift - (y[j] as number));
}

const valueAt = ({ values }: Column, row: number | undefined): number =>
  row === undefined ? 0 : (values[row] as number);

function exactOrder(a: Column, b: Column): (i: number, j: number) => number {
  const at = (step: Column, row: number): bigint => step.exact?.[row] ?? BigInt(step.values[row] as number);
  return (i, j) => {
    const [x, y] = [at(a, i), at(b, j)];
    if (x === y) return 0;
    return x < y ? -1 : 1;
  };
}

/** Rows in the order of their steps, the first of each. */
function firstRows(step: Column): Int32Array {
  const { values, exact } = step;
  const n = values.length;
  const rows = Int32Array.from({ length: n }, (_, i) => i);
  const compare = (i: number, j: number): number => {
    if (exact) return exact[i] === exact[j] ? 0 : (exact[i] as bigint) < (exact[j] as bigint) ? -1 : 1;
    return (values[i] as number) - (values[j] as number);
  };
  let isAscending = true;
  for (let i = 1; i < n && isAscending; i++) isAscending = compare(i - 1, i) < 0;
  if (isAscending) return rows;
  rows.sort((i, j) => compare(i, j) || i - j);
  return rows.filter((row, i) => i === 0 || compare(rows[i - 1] as number, row) !== 0);
}

function merge(rowsA: Int32Array, rowsB: Int32Array, order: (i: number, j: number) => number): Meeting {
  const a = new Int32Array(Math.min(rowsA.length, rowsB.length));
  const b = new Int32Array(a.length);
  let n = 0;
  for (let i = 0, j = 0; i < rowsA.length && j < rowsB.length; ) {
    const difference = order(rowsA[i] as number, rowsB[j] as number);
    if (difference === 0) {
      a[n] = rowsA[i++] as number;
      b[n++] = rowsB[j++] as number;
    } else if (difference < 0) i++;
    else j++;
  }
  return { a: a.subarray(0, n), b: b.subarray(0, n) };
}

/** Each row with the nearest of the other run, each once at most, no farther than half of the wider usual distance. */
function byTime(a: StepAxis, b: StepAxis): Meeting {
  const x = clock(a);
  const y = clock(b);
  if (!x || !y) return NONE;
  const reach = Math.max(x.usual, y.usual) / 2;
  const rowsA: number[] = [];
  const rowsB: number[] = [];
  const after = nextTimes(y.times);
  let j = 0;
  for (let i = 0; i < x.rows.length; i++) {
    const t = x.times[i] as number;
    const away = (k: number): number => Math.abs((y.times[k] ?? Number.POSITIVE_INFINITY) - t);
    // Rows of one second, on a coarse clock, are taken one after another: only what is nearer is gone on to.
    for (let k = after[j] ?? j; k < y.rows.length && away(k) < away(j); k = after[j] ?? k) j = k;
    if (j >= y.rows.length) break;
    // A later row of A can be nearer still.
    const next = x.times[i + 1];
    if (next !== undefined && Math.abs((y.times[j] as number) - next) < away(j)) continue;
    if (away(j) > reach) continue;
    rowsA.push(x.rows[i] as number);
    rowsB.push(y.rows[j++] as number);
  }
  return { a: Int32Array.from(rowsA), b: Int32Array.from(rowsB) };
}

/** Of each row the first one that is later. */
function nextTimes(times: readonly number[]): Int32Array {
  const after = new Int32Array(times.length);
  for (let i = times.length - 1; i >= 0; i--)
    after[i] = times[i] === times[i + 1] ? (after[i + 1] as number) : i + 1;
  return after;
}

interface Clock {
  /** Rows with a time, in order of time. */
  readonly rows: readonly number[];
  /** Seconds since the first. */
  readonly times: readonly number[];
  /** Median distance of neighbours, seconds. */
  readonly usual: number;
}

function clock({ timestamp }: StepAxis): Clock | null {
  if (!timestamp) return null;
  const { values, valid } = timestamp;
  const rows: number[] = [];
  for (let i = 0; i < values.length; i++) if (valid?.[i] !== 0 && Number.isFinite(values[i])) rows.push(i);
  if (rows.length < 2) return null;
  const at = (row: number): number => values[row] as number;
  rows.sort((i, j) => at(i) - at(j) || i - j);
  const start = at(rows[0] as number);
  const times = rows.map((row) => at(row) - start);
  const gaps = times.slice(1).map((t, i) => t - (times[i] as number));
  gaps.sort((p, q) => p - q);
  return { rows, times, usual: gaps[gaps.length >> 1] as number };
}
