/**
 * Sums, means and standard deviations to the last bit as numpy has them: pairwise sums of blocks, eight at a time. A gap that
 * lies on its limit falls on the same side then.
 */

const BLOCK = 128;
const LANES = 8;

/** Pairwise: the error grows with the logarithm of the length, not with the length. */
export function pairwiseSum(x: Float64Array, from = 0, to = x.length): number {
  const n = to - from;
  if (n < LANES) {
    let sum = 0;
    for (let i = from; i < to; i++) sum += x[i] as number;
    return sum;
  }
  if (n <= BLOCK) return blockSum(x, from, to);
  let half = n >> 1;
  half -= half % LANES;
  return pairwiseSum(x, from, from + half) + pairwiseSum(x, from + half, to);
}

function blockSum(x: Float64Array, from: number, to: number): number {
  const at = (i: number): number => x[i] as number;
  let a = at(from);
  let b = at(from + 1);
  let c = at(from + 2);
  let d = at(from + 3);
  let e = at(from + 4);
  let f = at(from + 5);
  let g = at(from + 6);
  let h = at(from + 7);
  const end = to - ((to - from) % LANES);
  for (let i = from + LANES; i < end; i += LANES) {
    a += at(i);
    b += at(i + 1);
    c += at(i + 2);
    d += at(i + 3);
    e += at(i + 4);
    f += at(i + 5);
    g += at(i + 6);
    h += at(i + 7);
  }
  let sum = a + b + (c + d) + (e + f + (g + h));
  for (let i = end; i < to; i++) sum += at(i);
  return sum;
}

/** NaN for nothing, and where a value is NaN. */
export function meanOf(x: Float64Array): number {
  return pairwiseSum(x) / x.length;
}

/** Population standard deviation; NaN for nothing, and where a value is NaN or infinite. */
export function deviationOf(x: Float64Array, mean = meanOf(x)): number {
  const squares = new Float64Array(x.length);
  for (let i = 0; i < x.length; i++) squares[i] = ((x[i] as number) - mean) ** 2;
  return Math.sqrt(pairwiseSum(squares) / x.length);
}
