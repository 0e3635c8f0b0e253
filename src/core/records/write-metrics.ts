/** metrics.json as it is written: every row is checked before there is anything to write (ADR 0008). */
import type { MetricRow } from "../format/records.ts";
import { FIELDS, type Field, fieldProblem } from "./metrics.ts";
import { pythonDumps } from "./python-json.ts";
import { float, pythonTree } from "./python-values.ts";

/** What is wrong with one row. */
export interface RowProblem {
  /** Its place in the list, from 0 on; -1 when it is about the list. */
  readonly row: number;
  /** `null` when it is about the row as a whole. */
  readonly field: string | null;
  /** "value is not a number". */
  readonly problem: string;
}

/** Rows that were to be written and are not what the format has: nothing was written. */
export class MetricRowsError extends Error {
  override readonly name = "MetricRowsError";
  readonly code = "bad-rows";
  /** Every fault of every row. */
  readonly problems: readonly RowProblem[];

  constructor(problems: readonly RowProblem[]) {
    super(`No row was written: ${summary(problems)}`);
    this.problems = problems;
  }
}

/**
 * The text of metrics.json for rows: a list, one row a line. Unlike the reader, it takes finite numbers only, so that the file is
 * strict JSON, and names that are not empty.
 *
 * @throws MetricRowsError naming every bad row and field; a row that is not exactly benchmark, metric, horizon, seed and value is one
 */
export function metricsText(rows: unknown): string {
  if (!Array.isArray(rows))
    throw new MetricRowsError([{ row: -1, field: null, problem: "the rows are not a list" }]);
  const problems: RowProblem[] = [];
  const lines = Array.from(rows, (row: unknown, index) => {
    const read = readRow(row, index, problems);
    return read && rowText(read);
  });
  if (problems.length > 0) throw new MetricRowsError(problems);
  return lines.length === 0 ? "[]\n" : `[\n${lines.join(",\n")}\n]\n`;
}

type Values = Readonly<Record<Field, unknown>>;

/** The row's values, each looked at once: what was checked is what is written. */
function readRow(row: unknown, index: number, problems: RowProblem[]): MetricRow | null {
  const before = problems.length;
  const add = (field: string | null, problem: string): void => {
    problems.push({ row: index, field, problem });
  };
  if (typeof row !== "object" || row === null || Array.isArray(row)) {
    add(null, "the row is not an object");
    return null;
  }
  let entries: Map<string, unknown>;
  try {
    entries = new Map(Object.entries(row).filter(([, value]) => value !== undefined));
  } catch {
    add(null, "the row cannot be read");
    return null;
  }
  for (const field of FIELDS) {
    const problem = entries.has(field) ? valueProblem(field, entries.get(field)) : `${field} is missing`;
    if (problem !== null) add(field, problem);
  }
  for (const key of entries.keys())
    if (!FIELDS.some((field) => field === key)) add(key, "a field that the format does not know");
  return problems.length > before ? null : (Object.fromEntries(entries) as Values as MetricRow);
}

function valueProblem(field: Field, value: unknown): string | null {
  const wrong = fieldProblem(field, value);
  if (wrong !== null) return wrong;
  if (typeof value === "number" && !Number.isFinite(value)) return `${field} is not finite`;
  return (field === "benchmark" || field === "metric") && value === "" ? `${field} is empty` : null;
}

function rowText({ benchmark, metric, horizon, seed, value }: MetricRow): string {
  const texts = FIELDS.map((field) => {
    const tree =
      field === "value" && typeof value === "number"
        ? float(value)
        : pythonTree({ benchmark, metric, horizon, seed, value }[field]);
    return `"${field}": ${pythonDumps(tree)}`;
  });
  return `{${texts.join(", ")}}`;
}

/** "value is not a number (rows 1–4, 7); seed is missing (row 9)": every bad row, counted from 1 as in the reader's warnings. */
function summary(problems: readonly RowProblem[]): string {
  const byProblem = new Map<string, number[]>();
  for (const { row, problem } of problems) {
    const rows = byProblem.get(problem);
    if (rows) rows.push(row + 1);
    else byProblem.set(problem, [row + 1]);
  }
  return [...byProblem]
    .map(([problem, rows]) =>
      rows[0] === 0 ? problem : `${problem} (row${rows.length > 1 ? "s" : ""} ${ranges(rows)})`,
    )
    .join("; ");
}

/** Ascending numbers, a stretch as its ends; a number twice stands once. */
function ranges(numbers: readonly number[]): string {
  const out: [first: number, last: number][] = [];
  for (const n of numbers) {
    const open = out.at(-1);
    if (open && n <= open[1] + 1) open[1] = n;
    else out.push([n, n]);
  }
  return out
    .map(([first, last]) =>
      first === last ? `${first}` : last === first + 1 ? `${first}, ${last}` : `${first}–${last}`,
    )
    .join(", ");
}
