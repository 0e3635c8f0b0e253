/**
 * Smoothing over the full data: an exponential moving average that is weighted by distance on the x axis and debiased, so
 * that rows lying unevenly count for the stretch they stand for and the curve starts at the first value, not at zero.
 */
import type { SortedX } from "./grid.ts";
import type { Values } from "./m4.ts";

/** The whole run counts as this many steps of the average: one setting looks alike on a run of any length. */
const RUN_STEPS = 1000;
const MOST = 0.999;

/**
 * Rule: with weight w in (0, 1), a value decays by min(√w, 0.999) for each thousandth of the whole run's length on x that
 * passes, whatever part of it is in view: a zoom never changes the curve. A row without a finite value ends the stretch,
 * and the next value begins anew. A constant stays that constant, to the last digit.
 *
 * @param weight 0 is no smoothing; below 1
 * @returns by place (not by row), NaN where there is no value
 */
export function smooth(sorted: SortedX, { values, valid }: Values, weight: number): Float64Array {
  const { x, rows } = sorted;
  const out = new Float64Array(x.length);
  const decay = Math.min(Math.sqrt(Math.max(0, weight)), MOST);
  const unit = ((x[x.length - 1] ?? 0) - (x[0] ?? 0)) / RUN_STEPS;
  let average = 0;
  let total = 0;
  let before = 0;
  let lastGap = Number.NaN;
  let kept = 0;
  for (let place = 0; place < x.length; place++) {
    const row = rows === null ? place : (rows[place] as number);
    const y = values[row] as number;
    if (y - y !== 0 || (valid !== null && valid[row] === 0)) {
      total = 0;
      out[place] = Number.NaN;
      continue;
    }
    const at = x[place] as number;
    const gap = at - before;
    if (gap !== lastGap) {
      kept = unit > 0 ? decay ** (gap / unit) : decay;
      lastGap = gap;
    }
    total = total * (total === 0 ? 0 : kept) + 1;
    average = total === 1 ? y : toward(average, y, 1 / total);
    before = at;
    out[place] = average;
  }
  return out;
}

/** Between two values, exact when they are equal, and finite even when their distance is not. */
function toward(from: number, to: number, share: number): number {
  const distance = to - from;
  return distance - distance === 0 ? from + distance * share : from * (1 - share) + to * share;
}
