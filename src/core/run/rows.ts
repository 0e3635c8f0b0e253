/**
 * From rows as they lie in the files to rows that an analysis may see: rows without a step are dropped, and, when
 * merging, rows are sorted by step and rows of one step become one, the value written last winning field by field.
 */
import type { Column, ListColumn, RowOrder } from "./model.ts";

/** What was noticed about the steps; worded elsewhere. */
export interface RowFacts {
  /** Rows whose step is missing, NaN or not an integer: dropped. */
  readonly badRows: number;
  readonly firstBadRow: number;
  /** Rows beyond the first of their step. */
  readonly repeats: number;
  /** Repeats that directly follow a row of the same step: a closing summary, an evaluation. */
  readonly additions: number;
  /** Rows whose step is below one that came before them. */
  readonly backwards: number;
  /** Step at which the first such row continues; NaN when there is none. */
  readonly resumedAt: number;
  readonly negative: number;
  readonly unsafe: number;
}

export interface RowPlan {
  readonly rows: number;
  /** Source row of each row, or `null` when they are the same; in a merged plan the rows of group g are `map[starts[g] … starts[g+1])`. */
  readonly map: Int32Array | null;
  readonly starts: Int32Array | null;
  readonly facts: RowFacts;
}

/** Orders rows by step, exactly even beyond 2^53. */
function compareSteps(step: Column, a: number, b: number): number {
  const x = step.values[a] as number;
  const y = step.values[b] as number;
  if (x !== y || !step.exact) return x - y;
  const p = step.exact[a] as bigint;
  const q = step.exact[b] as bigint;
  return p < q ? -1 : p > q ? 1 : 0;
}

interface Scan {
  kept: Int32Array;
  sorted: boolean;
  facts: { -readonly [K in keyof RowFacts]: RowFacts[K] };
}

function scan(step: Column): Scan {
  const { values, valid } = step;
  const kept = new Int32Array(values.length);
  const facts: Scan["facts"] = {
    badRows: 0,
    firstBadRow: -1,
    repeats: 0,
    additions: 0,
    backwards: 0,
    resumedAt: Number.NaN,
    negative: 0,
    unsafe: 0,
  };
  let n = 0;
  let highest = -1;
  let previous = -1;
  for (let i = 0; i < values.length; i++) {
    const v = values[i] as number;
    if ((valid && valid[i] === 0) || !Number.isInteger(v)) {
      facts.badRows++;
      if (facts.firstBadRow < 0) facts.firstBadRow = i;
      continue;
    }
    if (v < 0) facts.negative++;
    if (!Number.isSafeInteger(v)) facts.unsafe++;
    if (previous >= 0 && compareSteps(step, i, previous) === 0) facts.additions++;
    if (highest >= 0 && compareSteps(step, i, highest) < 0) {
      facts.backwards++;
      if (Number.isNaN(facts.resumedAt)) facts.resumedAt = v;
    } else highest = i;
    previous = i;
    kept[n++] = i;
  }
  return { kept: kept.subarray(0, n), sorted: facts.backwards === 0, facts };
}

/** Each step is a whole number and higher than the one before: what nearly every recording is, with nothing to arrange. */
function ascends({ values, valid }: Column): boolean {
  if (valid) return false;
  let previous = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (!(value > previous) || !Number.isSafeInteger(value)) return false;
    previous = value;
  }
  return true;
}

function plainPlan({ values }: Column): RowPlan {
  let negative = 0;
  while (negative < values.length && (values[negative] as number) < 0) negative++;
  const none = { badRows: 0, firstBadRow: -1, repeats: 0, additions: 0, backwards: 0, unsafe: 0 };
  const facts = { ...none, resumedAt: Number.NaN, negative };
  return { rows: values.length, map: null, starts: null, facts };
}

/** @param step the step column as recorded, all files in order */
export function planRows(step: Column, order: RowOrder): RowPlan {
  if (ascends(step)) return plainPlan(step);
  const { kept, sorted, facts } = scan(step);
  const rows = sorted ? kept : Int32Array.from(kept).sort((a, b) => compareSteps(step, a, b) || a - b);
  const starts = new Int32Array(rows.length + 1);
  let groups = 0;
  for (let i = 0; i < rows.length; i++)
    if (i === 0 || compareSteps(step, rows[i] as number, rows[i - 1] as number) !== 0) starts[groups++] = i;
  facts.repeats = rows.length - groups;
  const whole = kept.length === step.values.length;
  if (order === "recorded")
    return { rows: kept.length, map: whole ? null : kept.slice(), starts: null, facts };
  if (sorted && whole && facts.repeats === 0) return { rows: groups, map: null, starts: null, facts };
  starts[groups] = rows.length;
  return { rows: groups, map: rows.slice(), starts: starts.slice(0, groups + 1), facts };
}

/** Row of the source that a planned row takes its value from: the last of its group that has one, else the last. */
function sourceRow(plan: RowPlan, valid: Uint8Array | null, row: number): number {
  const { map, starts } = plan;
  if (!map) return row;
  if (!starts) return map[row] as number;
  const first = starts[row] as number;
  let i = (starts[row + 1] as number) - 1;
  if (valid) while (i > first && valid[map[i] as number] === 0) i--;
  return map[i] as number;
}

/** A column in the plan's order; the same object when nothing changes. */
export function arrange(plan: RowPlan, column: Column): Column {
  if (!plan.map) return column;
  const values = new Float64Array(plan.rows);
  const valid = column.valid ? new Uint8Array(plan.rows) : null;
  const exact =
    column.exact === null
      ? null
      : column.exact instanceof BigUint64Array
        ? new BigUint64Array(plan.rows)
        : new BigInt64Array(plan.rows);
  let missing = false;
  for (let row = 0; row < plan.rows; row++) {
    const source = sourceRow(plan, column.valid, row);
    values[row] = column.values[source] as number;
    if (valid && column.valid) {
      valid[row] = column.valid[source] as number;
      if (valid[row] === 0) missing = true;
    }
    if (exact && column.exact) exact[row] = column.exact[source] as bigint;
  }
  return { values, valid: missing ? valid : null, exact };
}

/** A list column in the plan's order; the same object when nothing changes. */
export function arrangeList(plan: RowPlan, column: ListColumn): ListColumn {
  if (!plan.map) return column;
  const sources = Int32Array.from({ length: plan.rows }, (_, row) => sourceRow(plan, column.valid, row));
  const offsets = new Int32Array(plan.rows + 1);
  sources.forEach((s, row) => {
    offsets[row + 1] =
      (offsets[row] as number) + (column.offsets[s + 1] as number) - (column.offsets[s] as number);
  });
  const values = new Float64Array(offsets[plan.rows] as number);
  const valid = column.valid ? new Uint8Array(plan.rows) : null;
  sources.forEach((s, row) => {
    values.set(column.values.subarray(column.offsets[s], column.offsets[s + 1]), offsets[row]);
    if (valid && column.valid) valid[row] = column.valid[s] as number;
  });
  return { values, offsets, valid };
}
