/** Brings what the signatures need of a run into memory: one reading of the columns, then no more waiting. */
import { REWARD_COMPONENT } from "../format/names.ts";
import type { Sample } from "../format/sample.ts";
import type { Column, ListColumn, RowOrder, RunModel } from "../run/model.ts";
import { DoctorRun, type Positional } from "./run.ts";
import { SIGNATURES } from "./signatures/index.ts";
import type { Signature } from "./types.ts";

/** What signatures look at beside what they need. */
const ALSO = ["reward_mean", "completion_len_mean"];

/** Step metrics that the signatures look at; "reward_component.*" stands for each of its kind. */
export function metricsOf(signatures: readonly Signature[]): ReadonlySet<string> {
  return new Set([...signatures.flatMap((s) => s.needs), ...ALSO]);
}

export async function loadDoctorRun(
  model: RunModel,
  order: RowOrder,
  signatures: readonly Signature[] = SIGNATURES,
): Promise<DoctorRun> {
  const { steps } = model;
  const axis = await steps.axis(order);
  const names = steps.columns.filter((c) => c.kind === "scalar").map((c) => c.name);
  const components = names.filter((n) => n.startsWith(REWARD_COMPONENT));
  const wanted = metricsOf(signatures);
  const scalars = names.filter((n) => wanted.has(n));
  const columns = await steps.read([...scalars, ...components], order);
  const series = new Map<string, Float64Array>();
  const written = new Map<string, Uint8Array>();
  scalars.forEach((name, i) => {
    const column = columns[i];
    if (column) series.set(name, column.values);
    if (column?.valid) written.set(name, column.valid);
  });
  const positional = await steps.readList("kl_positional", order);
  return new DoctorRun({
    rows: axis.rows,
    step: axis.step.values,
    exact: axis.step.exact,
    series,
    written,
    components: orderComponents(components, columns.slice(scalars.length)),
    positional: positional ? matrixOf(positional, axis.rows) : null,
  });
}

/** By the first row that holds a value, then column order; a component without any does not exist. */
function orderComponents(
  names: readonly string[],
  columns: readonly (Column | undefined)[],
): readonly (readonly [string, Float64Array])[] {
  const found = names.flatMap((name, i) => {
    const column = columns[i];
    const first = column ? firstValid(column) : -1;
    return column && first >= 0
      ? [{ name: name.slice(REWARD_COMPONENT.length), values: column.values, first }]
      : [];
  });
  found.sort((a, b) => a.first - b.first);
  return found.map(({ name, values }) => [name, values] as const);
}

function firstValid({ values, valid }: Column): number {
  if (!valid) return values.length > 0 ? 0 : -1;
  return valid.indexOf(1);
}

function matrixOf(list: ListColumn, rows: number): Positional | null {
  let width = 0;
  let isEven = true;
  for (let row = 0; row < rows; row++) {
    const length = lengthOf(list, row);
    if (length !== width && row > 0) isEven = false;
    if (length > width) width = length;
  }
  if (width === 0) return null;
  if (isEven) return { values: list.values, width };
  const values = new Float64Array(rows * width).fill(Number.NaN);
  for (let row = 0; row < rows; row++)
    values.set(list.values.subarray(list.offsets[row], list.offsets[row + 1]), row * width);
  return { values, width };
}

function lengthOf({ offsets }: ListColumn, row: number): number {
  return (offsets[row + 1] as number) - (offsets[row] as number);
}

/** Samples that a finding of REWARD_HACK_LENGTH links to. */
const LINKED = 5;

/** The samples largest by (completion_len, reward_total), ties in reading order; those that lack either are left out. */
export async function longestRewarded(model: RunModel): Promise<readonly Sample[]> {
  const [length, reward] = await model.samples.readNumbers(["completion_len", "reward_total"]);
  if (!length || !reward) return [];
  const has = ({ valid }: Column, i: number) => !valid || valid[i] === 1;
  const rows: number[] = [];
  for (let i = 0; i < length.values.length; i++) if (has(length, i) && has(reward, i)) rows.push(i);
  const before = (a: number, b: number) =>
    (length.values[b] as number) - (length.values[a] as number) ||
    (reward.values[b] as number) - (reward.values[a] as number) ||
    a - b;
  const best: number[] = [];
  for (const row of rows) {
    if (best.length === LINKED && before(row, best[LINKED - 1] as number) > 0) continue;
    best.push(row);
    best.sort(before);
    best.length = Math.min(best.length, LINKED);
  }
  return model.samples.atRows(best);
}
