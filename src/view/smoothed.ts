/** Smoothed curves of the full data, kept beside the columns they are made of: a zoom does not smooth again. */
import type { SortedX } from "../core/chart/grid.ts";
import { smooth } from "../core/chart/smooth.ts";
import type { Column } from "../core/run/model.ts";

interface Kept {
  readonly sorted: SortedX;
  readonly weight: number;
  readonly values: Float64Array;
}

/** The last one of each column; gone with the column. */
const kept = new WeakMap<Column, Kept>();

/** By place, as {@link smooth} gives it; not to be changed. */
export function smoothed(sorted: SortedX, column: Column, weight: number): Float64Array {
  const known = kept.get(column);
  if (known?.sorted === sorted && known.weight === weight) return known.values;
  const values = smooth(sorted, column, weight);
  kept.set(column, { sorted, weight, values });
  return values;
}
