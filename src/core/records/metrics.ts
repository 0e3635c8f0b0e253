/** metrics.json: rows of exactly benchmark, metric, horizon, seed and value (ADR 0008). */
import { isJsonObject, type JsonObject, type JsonValue, kindOf } from "../format/json.ts";
import { readJsonFile } from "../format/json-file.ts";
import { parseJson } from "../format/json-parse.ts";
import type { Warn } from "../format/problems.ts";
import type { MetricRow } from "../format/records.ts";

export const FIELDS = ["benchmark", "metric", "horizon", "seed", "value"] as const;
export type Field = (typeof FIELDS)[number];

/** Rows named one by one in a warning. */
const NAMED = 5;

/** Rows that can be used; what is wrong with the others is reported by row (named from 1 on, `row` is 0-based) and field. */
export function readMetrics(bytes: Uint8Array, file: string, warn: Warn): MetricRow[] {
  const items = readItems(bytes, file, warn);
  const problems = new Problems();
  const rows = items.flatMap((item, index) => readRow(item, index, problems) ?? []);
  problems.report(file, warn);
  return rows;
}

function readItems(bytes: Uint8Array, file: string, warn: Warn): readonly JsonValue[] {
  const read = readJsonFile(bytes, file, warn, { countDuplicates: true });
  if (read.ok) {
    if (Array.isArray(read.value)) return read.value;
    warn("record-shape", file, `the file holds ${kindOf(read.value)}, not a list of rows`);
    return [];
  }
  const lines = read.reason === "trailing" ? jsonLines(read.text ?? "") : null;
  if (lines) {
    warn("record-shape", file, "the file is JSON Lines, not a list: its rows are read all the same");
    return lines;
  }
  warn("record-unreadable", file, `the file ${read.why}`);
  return [];
}

function jsonLines(text: string): JsonValue[] | null {
  const items: JsonValue[] = [];
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (line.trim() === "") continue;
    const parsed = parseJson(line);
    if (!parsed.ok || !isJsonObject(parsed.value)) return null;
    items.push(parsed.value);
  }
  return items;
}

function readRow(item: JsonValue, index: number, problems: Problems): MetricRow | null {
  if (!isJsonObject(item)) {
    problems.add(index, null, `the row is ${kindOf(item)}, not an object`);
    return null;
  }
  const wrong = FIELDS.filter((field) => !fits(item, field, index, problems));
  if (Object.keys(item).some((key) => !(FIELDS as readonly string[]).includes(key))) {
    problems.add(index, null, "a field that the format does not know");
  }
  if (wrong.length) return null;
  return {
    benchmark: item["benchmark"] as string,
    metric: item["metric"] as string,
    horizon: item["horizon"] as MetricRow["horizon"],
    seed: item["seed"] as MetricRow["seed"],
    value: Number(item["value"]),
  };
}

function fits(item: JsonObject, field: Field, index: number, problems: Problems): boolean {
  const problem = field in item ? fieldProblem(field, item[field]) : `${field} is missing`;
  if (problem !== null) problems.add(index, field, problem);
  return problem === null;
}

/** What is wrong with a field's value, if anything: "value is not a number". */
export function fieldProblem(field: Field, value: unknown): string | null {
  const isNumber = typeof value === "number" || typeof value === "bigint";
  const isText = typeof value === "string";
  switch (field) {
    case "value":
      return isNumber ? null : "value is not a number";
    case "benchmark":
    case "metric":
      return isText ? null : `${field} is not text`;
    default:
      return isNumber || isText || value === null ? null : `${field} is not a number or text`;
  }
}

/** One entry a kind of problem, with the rows it was found in. */
class Problems {
  private readonly found = new Map<
    string,
    { field: Field | null; what: string; rows: number[]; count: number }
  >();

  add(row: number, field: Field | null, what: string): void {
    const old = this.found.get(what);
    if (!old) this.found.set(what, { field, what, rows: [row], count: 1 });
    else {
      old.count++;
      if (old.rows.length < NAMED) old.rows.push(row);
    }
  }

  report(file: string, warn: Warn): void {
    for (const { field, what, rows, count } of this.found.values()) {
      const more = count > rows.length ? ` and ${count - rows.length} more` : "";
      warn(
        "record-shape",
        file,
        `${what} (row${count > 1 ? "s" : ""} ${rows.map((row) => row + 1).join(", ")}${more})`,
        {
          count,
          row: rows[0] ?? 0,
          column: field ?? what,
        },
      );
    }
  }
}
