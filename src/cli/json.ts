/**
 * JSON for other programs: strict, so numbers that are not finite are null; integers of any size as they are. It can land on a
 * terminal all the same: what a terminal or an eye would be misled by is escaped.
 */
import { HIDDEN } from "./terminal.ts";

export type Json =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };

export type JsonRecord = { readonly [key: string]: Json | undefined };

/** Indented by two, keys in the order of the object, `undefined` left out. */
export function strictJson(value: Json): string {
  return write(value, "");
}

function write(value: Json, indent: string): string {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "string") return quoted(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  if (isList(value)) {
    if (value.length === 0) return "[]";
    return `[\n${value.map((item) => inner + write(item, inner)).join(",\n")}\n${indent}]`;
  }
  const lines = Object.entries(value).flatMap(([key, item]) =>
    item === undefined ? [] : [`${inner}${quoted(key)}: ${write(item, inner)}`],
  );
  return lines.length === 0 ? "{}" : `{\n${lines.join(",\n")}\n${indent}}`;
}

function quoted(text: string): string {
  return JSON.stringify(text).replace(HIDDEN, (c) =>
    Array.from({ length: c.length }, (_, i) => `\\u${c.charCodeAt(i).toString(16).padStart(4, "0")}`).join(
      "",
    ),
  );
}

function isList(value: object): value is readonly Json[] {
  return Array.isArray(value);
}
