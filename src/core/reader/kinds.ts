/** What a Parquet column is to a run: numbers, lists of numbers, nothing at all, or something else. */
import { METRICS } from "../format/catalogue.ts";
import type { ColumnKind } from "../run/model.ts";
import { Physical, type SchemaNode } from "./footer.ts";

export const LISTS: ReadonlySet<string> = new Set(["kl_positional"]);

const KNOWN: ReadonlySet<string> = new Set(METRICS.filter((m) => !LISTS.has(m.name)).map((m) => m.name));
/** Integers in the format; another numeric type is read and said. */
export const INTEGERS: ReadonlySet<string> = new Set(["step", "rank", "nan_count", "inf_count"]);

function isNumber(node: SchemaNode): boolean {
  const { physical, logical } = node;
  if (node.children.length > 0 || node.repetition === 2) return false;
  if (logical === "decimal" || logical === "float16") return true;
  if (
    physical === Physical.BYTE_ARRAY ||
    physical === Physical.FIXED_LEN_BYTE_ARRAY ||
    physical === Physical.INT96
  )
    return false;
  return logical === "none" || logical === "int" || logical === "uint";
}

/** The element of a LIST group, whatever its writer called the levels; null when the node is no list. */
export function listElement(node: SchemaNode): SchemaNode | null {
  const middle = node.children[0];
  if (node.logical !== "list" || node.children.length !== 1 || middle?.repetition !== 2) return null;
  return middle.children.length === 1
    ? (middle.children[0] ?? null)
    : middle.children.length === 0
      ? middle
      : null;
}

export function isNullType(node: SchemaNode): boolean {
  return node.logical === "null";
}

export function isText(node: SchemaNode): boolean {
  return node.children.length === 0 && node.physical === Physical.BYTE_ARRAY && node.logical !== "decimal";
}

/** Text that says it is text, as against bare bytes. */
function isWords(node: SchemaNode): boolean {
  return isText(node) && node.logical === "string";
}

export function isTimestamp(node: SchemaNode): boolean {
  return node.logical === "timestamp";
}

export function kindOf(name: string, node: SchemaNode): ColumnKind {
  if (isNullType(node)) return "null";
  const element = listElement(node);
  if (element) return isNullType(element) ? "null" : isNumber(element) ? "list" : "other";
  // true and false are no step numbers, though they could be counted as 0 and 1.
  if (name === "step" && node.physical === Physical.BOOLEAN) return "other";
  if (isNumber(node)) return "scalar";
  // Text in a column that the format has as a number is read as numbers, cell by cell.
  if (isWords(node) && (name === "step" || name === "timestamp" || KNOWN.has(name))) return "scalar";
  if (name === "timestamp" && isTimestamp(node)) return "scalar";
  return "other";
}

/** True when values had to be converted to be numbers of the kind the format names. */
export function isCoerced(name: string, node: SchemaNode): boolean {
  if (isText(node) || isTimestamp(node) || node.logical === "decimal") return true;
  if (node.physical === Physical.BOOLEAN) return true;
  const whole = node.physical === Physical.INT32 || node.physical === Physical.INT64;
  return INTEGERS.has(name) && !whole;
}
