/**
 * JSON for other programs: strict, so numbers that are not finite are null; integers of any size as they are. It can land on a
 * terminal all the same: what a terminal or an eye would be misled by is escaped.
 */
import { isList, type Json, type JsonRecord, quoted } from "../view/json.ts";
import { HIDDEN } from "./terminal.ts";

export type { Json, JsonRecord };

/** Indented by two, keys in the order of the object, `undefined` left out. */
export function strictJson(value: Json): string {
  return write(value, "");
}

function write(value: Json, indent: string): string {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "string") return quoted(value, HIDDEN);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  if (isList(value)) {
    if (value.length === 0) return "[]";
    return `[\n${value.map((item) => inner + write(item, inner)).join(",\n")}\n${indent}]`;
  }
  const lines = Object.entries(value).flatMap(([key, item]) =>
    item === undefined ? [] : [`${inner}${quoted(key, HIDDEN)}: ${write(item, inner)}`],
  );
  return lines.length === 0 ? "{}" : `{\n${lines.join(",\n")}\n${indent}}`;
}
