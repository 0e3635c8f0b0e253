/**
 * Statistics of one series, as rlprobe 0.1.0 defines them (spec of the signatures: docs/doctor.md). A series is one
 * float a step row, in order; NaN is a missing value. Windows count positions, NaN included.
 */

/** The first `max(min, trunc(length · frac))` values, at most all. A view, not a copy. */
export function early(x: Float64Array, frac = 0.25, min = 10): Float64Array {
  return x.subarray(0, Math.max(min, Math.trunc(x.length * frac)));
}

/** The last `max(min, trunc(length · frac))` values, at most all. A view, not a copy. */
export function late(x: Float64Array, frac = 0.2, min = 10): Float64Array {
  return x.subarray(Math.max(0, x.length - Math.max(min, Math.trunc(x.length * frac))));
}

/** Over the values that are not NaN; NaN where there are none. */
export function mean(x: Float64Array): number {
  let sum = 0;
  let n = 0;
  for (let i = 0; i < x.length; i++) {
    const v = x[i] as number;
    if (!Number.isNaN(v)) {
      sum += v;
      n++;
    }
  }
  return n === 0 ? Number.NaN : sum / n;
}

/** Over the values that are not NaN, the two in the middle averaged; NaN where there are none. */
export function median(x: Float64Array): number {
  const v = withoutNaN(x);
  const n = v.length;
  if (n === 0) return Number.NaN;
  const upper = select(v, n >> 1);
  return n % 2 === 1 ? upper : (max(v.subarray(0, n >> 1)) + upper) / 2;
}

/**
 * The value at place `k` of the sorted values, without sorting all of them. Values are reordered: none before `k` is larger.
 * @param v without NaN
 */
export function select(v: Float64Array, k: number): number {
  let low = 0;
  let high = v.length - 1;
  while (low < high) {
    const pivot = middleOf(v[low] as number, v[(low + high) >> 1] as number, v[high] as number);
    let i = low;
    let j = high;
    while (i <= j) {
      while ((v[i] as number) < pivot) i++;
      while ((v[j] as number) > pivot) j--;
      if (i <= j) {
        const swap = v[i] as number;
        v[i++] = v[j] as number;
        v[j--] = swap;
      }
    }
    if (k <= j) high = j;
    else if (k >= i) low = i;
    else break;
  }
  return v[k] as number;
}

const middleOf = (a: number, b: number, c: number): number =>
  Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));

/** Largest value that is not NaN; NaN where there are none. */
export function max(x: Float64Array): number {
  let out = Number.NaN;
  for (let i = 0; i < x.length; i++)
    if (!(out >= (x[i] as number)) && !Number.isNaN(x[i])) out = x[i] as number;
  return out;
}

/** Smallest value that is not NaN; NaN where there are none. */
export function min(x: Float64Array): number {
  let out = Number.NaN;
  for (let i = 0; i < x.length; i++)
    if (!(out <= (x[i] as number)) && !Number.isNaN(x[i])) out = x[i] as number;
  return out;
}

/** Sum of the values that are not NaN. */
export function sum(x: Float64Array): number {
  let out = 0;
  for (let i = 0; i < x.length; i++) if (!Number.isNaN(x[i])) out += x[i] as number;
  return out;
}

/** How many values are not NaN. */
export function count(x: Float64Array): number {
  let n = 0;
  for (let i = 0; i < x.length; i++) if (!Number.isNaN(x[i])) n++;
  return n;
}

/** A copy of the values that are not NaN, in order. */
export function withoutNaN(x: Float64Array): Float64Array {
  const out = new Float64Array(count(x));
  let n = 0;
  for (let i = 0; i < x.length; i++) if (!Number.isNaN(x[i])) out[n++] = x[i] as number;
  return out;
}

/** Index where the first run of `k` consecutive rows that pass begins; -1 when there is none. A NaN passes no comparison. */
export function sustained(x: Float64Array, passes: (value: number) => boolean, k: number): number {
  let run = 0;
  for (let i = 0; i < x.length; i++) {
    run = passes(x[i] as number) ? run + 1 : 0;
    if (run >= k) return i - k + 1;
  }
  return -1;
}

/** @returns the length of the longest run of values that pass */
export function longest(x: Float64Array, passes: (value: number) => boolean): number {
  let run = 0;
  let most = 0;
  for (const value of x) {
    run = passes(value) ? run + 1 : 0;
    if (run > most) most = run;
  }
  return most;
}
