/** JSON for other programs: strict, so numbers that are not finite are null; integers of any size as they are. */

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
  if (typeof value === "number") return Number.isFinite(value) ? JSON.stringify(value) : "null";
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  if (isList(value)) {
    if (value.length === 0) return "[]";
    return `[\n${value.map((item) => inner + write(item, inner)).join(",\n")}\n${indent}]`;
  }
  const lines = Object.entries(value).flatMap(([key, item]) =>
    item === undefined ? [] : [`${inner}${JSON.stringify(key)}: ${write(item, inner)}`],
  );
  return lines.length === 0 ? "{}" : `{\n${lines.join(",\n")}\n${indent}}`;
}

function isList(value: object): value is readonly Json[] {
  return Array.isArray(value);
}
