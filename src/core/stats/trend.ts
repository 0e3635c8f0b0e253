/** Mann–Kendall's test for a trend, which assumes nothing about its shape. */
import erfc from "@stdlib/math-base-special-erfc";
import { withoutNaN } from "./series.ts";

export interface Trend {
  /** Positive: rising. 0 where nothing can be said. */
  readonly z: number;
  /** Two-sided; 1 where nothing can be said. */
  readonly p: number;
}

/** S costs the square of the points; longer series are thinned evenly to this many. */
const MAX_POINTS = 500;
const MIN_POINTS = 8;

/** `S = Σ_{i<j} sign(x_j − x_i)`, `var = n(n−1)(2n+5)/18`, `z = (S ∓ 1)/√var` toward zero, `p = erfc(|z|/√2)`; NaN is left out. */
export function trend(series: Float64Array): Trend {
  const x = thin(withoutNaN(series));
  const n = x.length;
  if (n < MIN_POINTS) return { z: 0, p: 1 };
  let s = 0;
  for (let i = 0; i < n; i++)
    for (let j = i + 1; j < n; j++) s += Math.sign((x[j] as number) - (x[i] as number));
  const sd = Math.sqrt((n * (n - 1) * (2 * n + 5)) / 18);
  // Two equal infinities make S NaN, which is no trend.
  const z = s > 0 ? (s - 1) / sd : s < 0 ? (s + 1) / sd : 0;
  return { z, p: erfc(Math.abs(z) / Math.SQRT2) };
}

function thin(x: Float64Array): Float64Array {
  if (x.length <= MAX_POINTS) return x;
  const last = x.length - 1;
  const step = last / (MAX_POINTS - 1);
  return Float64Array.from(
    { length: MAX_POINTS },
    (_, i) => x[i === MAX_POINTS - 1 ? last : Math.trunc(i * step)] as number,
  );
}

/** Significant at 5 % and upward. */
export function isRising({ z, p }: Trend): boolean {
  return z > 0 && p < 0.05;
}
