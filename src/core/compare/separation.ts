/**
 * The second measure, ours: a gap that changes its level once and for good. rlprobe's rule takes its noise from the early window;
 * where the runs part within it, the window's own drift counts as noise and the rule says nothing. Here the noise is what is left
 * when the change itself is taken out. docs/compare.md has the formulas and what was measured.
 */
import { MIN_COMMON, type Separation } from "./types.ts";

/** Standard errors from which on a change is a separation. */
export const MIN_SCORE = 8;
/** The level changes by this many times the noise that is left, at least. */
export const MIN_SIZE = 1;
/** Correlation of neighbouring rows beyond which a gap wanders as it likes, and a level is nothing that it has. */
export const MAX_CORRELATION = 0.97;
/** Rows on either side of a change, as a share of all. */
const MARGIN = 0.05;

/** @param gap one value a common row, NaN where missing. @returns null where the gap keeps its level */
export function separation(gap: Float64Array): Separation | null {
  const places = finitePlaces(gap);
  const x = places ? Float64Array.from(places, (i) => gap[i] as number) : gap;
  if (x.length < MIN_COMMON) return null;
  const found = change(x);
  if (!found || found.score < MIN_SCORE || !isLarge(found) || !staysAway(x, found)) return null;
  const { at, before, after, score } = found;
  return { at: places ? (places[at] as number) : at, before, after, score };
}

/** Places with a finite value; `null` where all have one. */
function finitePlaces(gap: Float64Array): Int32Array | null {
  const places = new Int32Array(gap.length);
  let n = 0;
  for (let i = 0; i < gap.length; i++) if (Number.isFinite(gap[i])) places[n++] = i;
  return n === gap.length ? null : places.subarray(0, n);
}

interface Change extends Separation {
  /** Standard deviation of what is left around the two levels. */
  readonly rest: number;
}

/** The change of level that explains most, whatever its size; `null` where the gap has no level. For tests and figures. */
export function change(x: Float64Array): Change | null {
  const at = bestSplit(x);
  if (at < 0) return null;
  const n = x.length;
  const before = average(x, 0, at);
  const after = average(x, at, n);
  const { rest, correlation, innovation } = remainder(x, at, before, after);
  if (correlation > MAX_CORRELATION) return null;
  // What neighbouring rows share is no independent evidence: the error of a mean grows by 1 / (1 − correlation).
  const floor = 1e-9 + 1e-6 * Math.max(Math.abs(before), Math.abs(after));
  const error = Math.max(innovation / (1 - correlation), floor) * Math.sqrt(1 / at + 1 / (n - at));
  return { at, before, after, rest, score: Math.abs(after - before) / error };
}

/** Where two means explain most of the squares. */
function bestSplit(x: Float64Array): number {
  const n = x.length;
  const margin = Math.max(5, Math.floor(n * MARGIN));
  // Around the first value, so that a large offset does not eat the digits.
  const origin = x[0] as number;
  let total = 0;
  for (let i = 0; i < n; i++) total += (x[i] as number) - origin;
  let left = 0;
  let best = 0;
  let at = -1;
  for (let i = 1; i <= n - margin; i++) {
    left += (x[i - 1] as number) - origin;
    if (i < margin) continue;
    const difference = left / i - (total - left) / (n - i);
    const gain = difference * difference * i * (n - i);
    if (gain > best) {
      best = gain;
      at = i;
    }
  }
  return at;
}

function average(x: Float64Array, from: number, to: number): number {
  const origin = x[from] as number;
  let sum = 0;
  for (let i = from; i < to; i++) sum += (x[i] as number) - origin;
  return origin + sum / (to - from);
}

/**
 * What is left around the levels: its spread, the correlation of neighbours, and the spread of what each row adds. The two rows at
 * the change are no neighbours: the jump between them, put there by the levels, would hide how closely the others hang together.
 */
function remainder(x: Float64Array, at: number, before: number, after: number) {
  const n = x.length;
  const rest = (i: number): number => (x[i] as number) - (i < at ? before : after);
  let squares = rest(0) ** 2;
  let products = 0;
  let earlier = 0;
  for (let i = 1; i < n; i++) {
    squares += rest(i) ** 2;
    if (i === at) continue;
    products += rest(i) * rest(i - 1);
    earlier += rest(i - 1) ** 2;
  }
  const raw = earlier > 0 ? products / earlier : 0;
  // Short series look less correlated than they are (Kendall 1954).
  const correlation = Math.max(0, raw + (1 + 3 * raw) / n);
  let innovations = 0;
  for (let i = 1; i < n; i++) if (i !== at) innovations += (rest(i) - correlation * rest(i - 1)) ** 2;
  return {
    rest: Math.sqrt(squares / n),
    correlation,
    innovation: Math.sqrt(innovations / (n - 2)),
  };
}

const isLarge = ({ before, after, rest }: Change): boolean => Math.abs(after - before) >= MIN_SIZE * rest;

/** From the change on, no stretch of a twentieth of the run lies nearer to the level before than to the one after. */
function staysAway(x: Float64Array, { at, before, after }: Separation): boolean {
  const n = x.length;
  const width = Math.max(5, Math.floor(n * MARGIN));
  const middle = (before + after) / 2;
  const side = Math.sign(after - before);
  let sum = 0;
  for (let i = at; i < n; i++) {
    sum += (x[i] as number) - middle;
    if (i - at >= width) sum -= (x[i - width] as number) - middle;
    if (i - at + 1 >= width && Math.sign(sum) !== side) return false;
  }
  return true;
}
