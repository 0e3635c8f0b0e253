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
  v.sort();
  const upper = v[n >> 1] as number;
  return n % 2 === 1 ? upper : ((v[(n >> 1) - 1] as number) + upper) / 2;
}

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
