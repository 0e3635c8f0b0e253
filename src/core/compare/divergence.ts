/** rlprobe's rule: where a gap leaves the noise of its early window and stays outside for a while. */
import { deviationOf, meanOf } from "../stats/moments.ts";
import { early, late, withoutNaN } from "../stats/series.ts";
import { type Divergence, MIN_COMMON, type Window } from "./types.ts";

/** A − B; NaN where either is missing. */
export function gapOf(a: Float64Array, b: Float64Array): Float64Array {
  const n = a.length;
  const gap = new Float64Array(n);
  for (let i = 0; i < n; i++) gap[i] = (a[i] as number) - (b[i] as number);
  return gap;
}

/** @returns null with fewer than 30 values */
export function divergence(gap: Float64Array, z: number, sustain: number): Divergence | null {
  const known = knownOf(gap);
  if (known.length < MIN_COMMON) return null;
  const base = early(known);
  const gapEarly = meanOf(base);
  const noise = largerOf(deviationOf(base, gapEarly), floorOf(known, gapEarly));
  const end = knownOf(late(gap));
  const gapLate = meanOf(end);
  return {
    n: known.length,
    at: firstOutside(gap, gapEarly, noise, z, sustain),
    gapEarly,
    noise,
    gapLate,
    zLate: (gapLate - gapEarly) / noise,
    higherLate: gapLate >= 0 ? "a" : "b",
    early: { from: 0, to: placeAfter(gap, base.length) },
    late: lateWindow(gap.length),
  };
}

/** The values that are not NaN: the same array where all are, which is the rule. */
function knownOf(x: Float64Array): Float64Array {
  for (let i = 0; i < x.length; i++) if (Number.isNaN(x[i])) return withoutNaN(x);
  return x;
}

/** Gaps that hardly vary (a constant learning rate, two runs with one seed) have no noise to speak of: a floor stands in. */
function floorOf(known: Float64Array, mean: number): number {
  let largest = 0;
  for (let i = 0; i < known.length; i++) {
    const size = Math.abs(known[i] as number);
    if (size > largest) largest = size;
  }
  return 1e-9 + 1e-6 * largerOf(Math.abs(mean), largest);
}

/** As Python's max: the first, unless the second is larger; a NaN that comes first stays. */
function largerOf(first: number, second: number): number {
  if (second > first) return second;
  return first;
}

function firstOutside(gap: Float64Array, mean: number, noise: number, z: number, sustain: number): number {
  let run = 0;
  for (let i = 0; i < gap.length; i++) {
    run = Math.abs(((gap[i] as number) - mean) / noise) > z ? run + 1 : 0;
    if (run >= sustain) return i - sustain + 1;
  }
  return -1;
}

/** Behind the place of the n-th value. */
function placeAfter(gap: Float64Array, n: number): number {
  let seen = 0;
  for (let i = 0; i < gap.length; i++) if (!Number.isNaN(gap[i]) && ++seen === n) return i + 1;
  return gap.length;
}

function lateWindow(rows: number): Window {
  return { from: Math.max(0, rows - Math.max(10, Math.trunc(rows * 0.2))), to: rows };
}
