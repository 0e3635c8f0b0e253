/** What the number columns of a run hold, all in all. */
import type { Column, RowOrder, RunModel, StepAxis } from "../core/run/model.ts";

export function stepAt({ step }: StepAxis, row: number): number | bigint | null {
  if (row < 0 || row >= step.values.length || step.valid?.[row] === 0) return null;
  return step.exact?.[row] ?? step.values[row] ?? null;
}

export interface ColumnSummary {
  readonly name: string;
  /** Values that are not null; NaN is one. */
  readonly present: number;
  /** Without NaN. */
  readonly sum: number;
  readonly column: Column;
}

/** Number columns that hold a value, in the order of the files. */
export async function columnSums(model: RunModel, order: RowOrder): Promise<ColumnSummary[]> {
  const names = model.steps.columns.filter(({ kind }) => kind === "scalar").map(({ name }) => name);
  const columns = await model.steps.read(names, order);
  return names.flatMap((name, i) => {
    const column = columns[i];
    const present = column ? countPresent(column) : 0;
    return column && present > 0 ? [{ name, present, sum: sumOf(column), column }] : [];
  });
}

function countPresent({ values, valid }: Column): number {
  if (!valid) return values.length;
  let count = 0;
  for (const v of valid) count += v;
  return count;
}

/** Neumaier's sum: metrics swing around zero, and a plain one would lose the digits that are left. */
function sumOf({ values, valid }: Column): number {
  let sum = 0;
  let lost = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? Number.NaN;
    if (Number.isNaN(value) || valid?.[i] === 0) continue;
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return Number.isFinite(sum) ? sum + lost : sum;
}

/** "its steps go from 1 to 250". */
export async function stepsWords(model: RunModel): Promise<string> {
  const axis = await model.steps.axis("merged");
  if (axis.rows === 0) return "it has no steps";
  return `its steps go from ${stepAt(axis, 0)} to ${stepAt(axis, axis.rows - 1)}`;
}
