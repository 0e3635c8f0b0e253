/** A record as it is written to its file: indented JSON in ASCII, every number as it is spelled. */
import { NumberText } from "../format/json-parse.ts";
import { pythonString } from "./python-json.ts";
import type { PythonTree } from "./python-values.ts";

/** Keys in the order of the object; without a line end behind it. */
export function recordJson(value: PythonTree, indent = ""): string {
  if (value instanceof NumberText) return value.text;
  if (typeof value === "string") return pythonString(value);
  if (typeof value !== "object" || value === null) return String(value);
  const inner = `${indent}  `;
  const [open, close, items] = Array.isArray(value)
    ? ["[", "]", value.map((item: PythonTree) => recordJson(item, inner))]
    : [
        "{",
        "}",
        Object.entries(value).map(([key, item]) => `${pythonString(key)}: ${recordJson(item, inner)}`),
      ];
  return items.length === 0
    ? `${open}${close}`
    : `${open}\n${items.map((item) => inner + item).join(",\n")}\n${indent}${close}`;
}
