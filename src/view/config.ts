/** Configuration as rows: nested objects flattened, every value shown, false and 0 and "" too. */
import type { JsonObject, JsonValue } from "../core/format/json.ts";
import type { Manifest } from "../core/format/manifest.ts";
import { t } from "../protocol/l10n.ts";
import type { ConfigSection } from "../protocol/run.ts";
import { cut, isList, jsonText } from "./text.ts";

export type ConfigRow = ConfigSection["rows"][number];

const MAX_ROWS = 5000;
const MAX_DEPTH = 32;
const MAX_VALUE = 4000;
const MAX_KEY = 500;

/** The manifest's own objects, in a reader's order; anything else that the file holds comes with the first section. */
const SECTIONS: readonly (readonly [key: string, title: () => string])[] = [
  ["trainer_config", () => t("Trainer configuration")],
  ["environment", () => t("Environment")],
  ["extra", () => t("Extra")],
];

export function configSections(manifest: Manifest | null): ConfigSection[] {
  if (!manifest) return [];
  const own = new Set(SECTIONS.map(([key]) => key));
  const rest = Object.entries(manifest.raw).filter(([key, value]) => !own.has(key) || !isObject(value));
  const sections = [section(t("Run"), rest)];
  for (const [key, title] of SECTIONS) {
    const value = Object.hasOwn(manifest.raw, key) ? manifest.raw[key] : undefined;
    if (isObject(value)) sections.push(section(title(), Object.entries(value)));
  }
  return sections.filter(({ rows }) => rows.length > 0);
}

function section(title: string, entries: readonly (readonly [string, JsonValue])[]): ConfigSection {
  const rows: ConfigRow[] = [];
  let dropped = 0;
  for (const [key, value] of entries) {
    for (const leaf of leaves(value, [key])) {
      if (rows.length < MAX_ROWS) rows.push(rowOf(leaf));
      else dropped++;
    }
  }
  return { title, rows, dropped };
}

interface Leaf {
  readonly parts: readonly string[];
  readonly value: JsonValue;
}

/** Values without parts of their own, in file order; what lies deeper than the limit is one value. */
function* leaves(value: JsonValue, parts: readonly string[]): Generator<Leaf> {
  const entries = parts.length < MAX_DEPTH ? childrenOf(value) : [];
  if (entries.length === 0) yield { parts, value };
  for (const [key, child] of entries) yield* leaves(child, [...parts, key]);
}

function childrenOf(value: JsonValue): (readonly [string, JsonValue])[] {
  if (isList(value)) return value.map((child, i) => [String(i), child]);
  return isObject(value) ? Object.entries(value) : [];
}

function rowOf({ parts, value }: Leaf): ConfigRow {
  return {
    path: parts.map((part) => cut(part, MAX_KEY)).join("."),
    parts: parts.map((part) => cut(part, MAX_KEY)),
    ...valueView(value),
  };
}

/** A value as text, numbers without rounding. */
export function valueView(value: JsonValue): Pick<ConfigRow, "value" | "type"> {
  if (value === null) return { value: "null", type: "null" };
  switch (typeof value) {
    case "string":
      return { value: cut(value, MAX_VALUE), type: "string" };
    case "boolean":
      return { value: String(value), type: "boolean" };
    case "number":
    case "bigint":
      return { value: String(value), type: "number" };
    default:
      return { value: jsonText(value, MAX_VALUE), type: childrenOf(value).length === 0 ? "empty" : "string" };
  }
}

/** An object flattened to at most `limit` rows, for lists of facts. */
export function flatRows(object: JsonObject, limit: number): { rows: ConfigRow[]; dropped: number } {
  const { rows, dropped } = section("", Object.entries(object));
  return { rows: rows.slice(0, limit), dropped: dropped + Math.max(0, rows.length - limit) };
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !isList(value);
}
