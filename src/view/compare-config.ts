/** Configurations side by side: every nested value of any number of runs, and each run's as a document for a diff. */
import { configRows, ignorer, pathTexts } from "../core/compare/config.ts";
import type { JsonObject, JsonValue } from "../core/format/json.ts";
import { compareCodePoints } from "../core/records/python-json.ts";
import type { RunModel } from "../core/run/model.ts";
import type { CompareConfigRow, CompareConfigSection, ConfigCell } from "../protocol/compare.ts";
import { type ConfigPart, configParts } from "./compare-extra.ts";
import { valueView } from "./config.ts";
import { cut, isList } from "./text.ts";

const MAX_ROWS = 5000;
const MAX_KEY = 500;

export function compareConfig(
  models: readonly RunModel[],
  patterns: readonly string[],
): CompareConfigSection[] {
  const isIgnored = ignorer(patterns);
  return configParts(models)
    .map((part) => sectionView(part, isIgnored))
    .filter(({ rows }) => rows.length > 0);
}

type IsIgnored = ReturnType<typeof ignorer>;

function sectionView({ id, title, configs }: ConfigPart, isIgnored: IsIgnored): CompareConfigSection {
  const { rows, differing, dropped } = configTable(configs, (parts) => isIgnored(id, parts));
  return { id, title, rows, differing, dropped };
}

/** Every nested value of configurations side by side; rows that differ are never the ones left out. */
export function configTable(
  configs: readonly (JsonObject | null)[],
  isIgnored: (parts: readonly string[]) => boolean = () => false,
): Pick<CompareConfigSection, "rows" | "differing" | "dropped"> {
  const all = configRows(configs);
  const differing = all.filter(({ differs }) => differs);
  const room = Math.max(0, MAX_ROWS - differing.length);
  let same = 0;
  const kept = all.filter(({ differs }) => differs || same++ < room).slice(0, MAX_ROWS);
  const keys = kept.map(({ parts }) => ({ parts: parts.map((part) => cut(part, MAX_KEY)) }));
  const paths = pathTexts(keys);
  const rows = kept.map(
    ({ parts, values, differs }, i): CompareConfigRow => ({
      path: paths[i] ?? "",
      parts: keys[i]?.parts ?? [],
      cells: values.map(cellView),
      differs,
      ignored: isIgnored(parts),
    }),
  );
  return {
    rows,
    differing: differing.filter(({ parts }) => !isIgnored(parts)).length,
    dropped: all.length - rows.length,
  };
}

function cellView(value: JsonValue | undefined): ConfigCell {
  if (value === undefined) return { present: false, value: "", type: "empty" };
  const { value: text, type } = valueView(value);
  const isFilledList = isList(value) && value.length > 0;
  return { present: true, value: text, type: isFilledList ? "list" : type };
}

const MAX_DOCUMENT = 8 * 1024 * 1024;

/** JSON, indented, keys in one order whatever the run's own; keys that are ignored are left out. */
export function configDocument(model: RunModel, patterns: readonly string[]): string {
  const isIgnored = ignorer(patterns);
  const parts = configParts([model]).flatMap(({ id, configs: [config] }) =>
    config ? [[id, without(config, (path) => isIgnored(id, path), [])] as const] : [],
  );
  const text = sortedJson(Object.assign(Object.create(null), Object.fromEntries(parts)), "");
  return `${cut(text, MAX_DOCUMENT)}\n`;
}

function without(
  object: JsonObject,
  isGone: (path: readonly string[]) => boolean,
  above: readonly string[],
): JsonObject {
  const out: Record<string, JsonValue> = Object.create(null);
  for (const [key, value] of Object.entries(object)) {
    const path = [...above, key];
    if (isGone(path)) continue;
    out[key] = isObject(value) ? without(value, isGone, path) : value;
  }
  return out;
}

const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === "object" && value !== null && !isList(value);

/** As Python writes it: NaN and Infinity as such, integers of any size. Depth is bounded by the parser of manifests. */
function sortedJson(value: JsonValue, indent: string): string {
  const inner = `${indent}  `;
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (isList(value)) {
    if (value.length === 0) return "[]";
    return `[\n${value.map((item) => inner + sortedJson(item, inner)).join(",\n")}\n${indent}]`;
  }
  const entries = Object.entries(value).sort(([a], [b]) => compareCodePoints(a, b));
  if (entries.length === 0) return "{}";
  const lines = entries.map(([key, item]) => `${inner}${JSON.stringify(key)}: ${sortedJson(item, inner)}`);
  return `{\n${lines.join(",\n")}\n${indent}}`;
}
