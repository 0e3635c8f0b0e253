/** Rows of a run as they are: for a table, and as CSV. */
import { placesIn } from "../core/chart/grid.ts";
import type { Column, RunModel } from "../core/run/model.ts";
import { csvName } from "../protocol/csv.ts";
import type { RowsView } from "../protocol/run.ts";
import type { Problem } from "../protocol/wire.ts";
import { numberAt, type RunAxes, stepText } from "./axes.ts";
import { readColumns } from "./columns.ts";

export interface RowsParams {
  readonly metrics: readonly string[];
  /** Both ends included; `null` is the whole run. */
  readonly steps: readonly [number, number] | null;
  readonly offset: number;
  readonly limit: number;
}

interface Part {
  /** Rows in the range. */
  readonly total: number;
  /** Row numbers of this page. */
  readonly rows: readonly number[];
  readonly columns: readonly (Column | undefined)[];
  readonly stepAt: (row: number) => string;
  /** Unix seconds. */
  readonly timeAt: (row: number) => number | null;
  readonly problems: readonly Problem[];
}

async function partOf(
  model: RunModel,
  axes: RunAxes,
  params: RowsParams,
  signal: AbortSignal,
): Promise<Part> {
  const axis = await axes.rows();
  const sorted = await axes.sorted("step");
  signal.throwIfAborted();
  const [start, end] = params.steps ? placesIn(sorted.x, params.steps) : [0, sorted.x.length];
  const first = Math.min(end, start + params.offset);
  const problems: Problem[] = [];
  return {
    total: end - start,
    rows: Array.from(
      { length: Math.min(params.limit, end - first) },
      (_, i) => sorted.rows?.[first + i] ?? first + i,
    ),
    columns: await readColumns(model, params.metrics, problems),
    stepAt: (row) => stepText(axis.step, row),
    timeAt: (row) => axis.timestamp && numberAt(axis.timestamp, row),
    problems,
  };
}

const valueAt = (column: Column | undefined, row: number): number | null =>
  column && column.valid?.[row] !== 0 ? (column.values[row] ?? null) : null;

export async function rowsView(
  model: RunModel,
  axes: RunAxes,
  params: RowsParams,
  signal: AbortSignal,
): Promise<RowsView> {
  const part = await partOf(model, axes, params, signal);
  return {
    total: part.total,
    rows: part.rows.map((row) => ({
      step: part.stepAt(row),
      time: part.timeAt(row),
      values: part.columns.map((column) => valueAt(column, row)),
    })),
    problems: [...part.problems],
  };
}

/**
 * Comma-separated, one header line, numbers with all their digits; nothing where nothing was written, and NaN, inf and
 * -inf as such: what numpy and pandas read back unchanged.
 */
export async function csvView(
  model: RunModel,
  axes: RunAxes,
  params: RowsParams,
  signal: AbortSignal,
): Promise<{ text: string; total: number; rows: number }> {
  const part = await partOf(model, axes, params, signal);
  const lines = part.rows.map((row) =>
    [
      part.stepAt(row),
      csvNumber(part.timeAt(row)),
      ...part.columns.map((column) => csvNumber(valueAt(column, row))),
    ].join(","),
  );
  const header = ["step", "timestamp", ...params.metrics].map(csvName).join(",");
  const all = params.offset === 0 ? [header, ...lines] : lines;
  return { text: all.map((line) => `${line}\n`).join(""), total: part.total, rows: part.rows.length };
}

/**
 * The same as JSON, `{"run", "columns", "data"}` with a row an array: numbers with all their digits, null where nothing was written
 * and for what is not finite. Of characters there is ASCII only.
 */
export async function jsonView(
  model: RunModel,
  axes: RunAxes,
  params: RowsParams,
  signal: AbortSignal,
): Promise<{ text: string; total: number; rows: number }> {
  const part = await partOf(model, axes, params, signal);
  const rows = part.rows.map((row) => {
    const values = [part.timeAt(row), ...part.columns.map((column) => valueAt(column, row))].map(jsonNumber);
    return `[${[part.stepAt(row) || "null", ...values].join(",")}]`;
  });
  const isFirst = params.offset === 0;
  const isLast = params.offset + rows.length >= part.total;
  const names = ["step", "timestamp", ...params.metrics].map(jsonText).join(", ");
  const head = isFirst ? `{"run": ${jsonText(model.label)},\n"columns": [${names}],\n"data": [\n` : "";
  const comma = isFirst || rows.length === 0 ? "" : ",\n";
  return {
    text: `${head}${comma}${rows.join(",\n")}${isLast ? "\n]}\n" : ""}`,
    total: part.total,
    rows: rows.length,
  };
}

const jsonNumber = (value: number | null): string =>
  value === null || !Number.isFinite(value) ? "null" : String(Object.is(value, -0) ? "-0" : value);

const jsonText = (text: string): string =>
  JSON.stringify(text).replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);

function csvNumber(value: number | null): string {
  if (value === null) return "";
  if (Number.isFinite(value) || Number.isNaN(value)) return String(value);
  return value > 0 ? "inf" : "-inf";
}
