/** What is configured differently: top-level keys as rlprobe lists them, and every nested value over any number of runs. */
import { EMPTY_OBJECT, isJsonObject, type JsonObject, type JsonValue } from "../format/json.ts";

export interface ConfigDelta {
  /** Keys that only B has. */
  readonly added: JsonObject;
  /** Keys that only A has. */
  readonly removed: JsonObject;
  /** Keys of both with other values: [A, B]. */
  readonly changed: JsonObject;
}

export function configDelta(
  a: JsonObject,
  b: JsonObject,
  isIgnored: (key: string) => boolean = () => false,
): ConfigDelta {
  const only = (from: JsonObject, other: JsonObject): Record<string, JsonValue> => {
    const out = bare<JsonValue>();
    for (const [key, value] of Object.entries(from))
      if (!Object.hasOwn(other, key) && !isIgnored(key)) out[key] = value;
    return out;
  };
  const changed = bare<JsonValue>();
  for (const [key, value] of Object.entries(a)) {
    const other = Object.hasOwn(b, key) ? b[key] : undefined;
    if (other !== undefined && !isIgnored(key) && !sameJson(value, other)) changed[key] = [value, other];
  }
  return { added: only(b, a), removed: only(a, b), changed };
}

/** Keys are the recording's: "__proto__" is one like any other. */
const bare = <T>(): Record<string, T> => Object.create(null);

/** Equal as JSON values: 1 and 1.0 are, 1 and true are not; the order of keys says nothing; NaN equals itself. */
export function sameJson(a: JsonValue, b: JsonValue): boolean {
  if (typeof a === "bigint" || typeof b === "bigint") return sameInteger(a, b);
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!isList(a) || !isList(b) || a.length !== b.length) return false;
    return a.every((item, i) => sameJson(item, b[i] as JsonValue));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return a === b || (Number.isNaN(a) && Number.isNaN(b));
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key] as JsonValue, b[key] as JsonValue));
}

/** A large whole number written with a fraction (1e20) is a number, written without one a bigint. */
function sameInteger(a: JsonValue, b: JsonValue): boolean {
  const whole = (v: JsonValue): bigint | null => {
    if (typeof v === "bigint") return v;
    return typeof v === "number" && Number.isInteger(v) ? BigInt(v) : null;
  };
  const x = whole(a);
  return x !== null && x === whole(b);
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** One nested value over all runs. */
export interface ConfigRow {
  readonly parts: readonly string[];
  /** One a run; `undefined` where it has no such key. */
  readonly values: readonly (JsonValue | undefined)[];
  readonly differs: boolean;
}

/** Paths for the eye: dotted; where two would read alike (a key can hold a dot), such keys stand in quotes. */
export function pathTexts(rows: readonly Pick<ConfigRow, "parts">[]): string[] {
  const plain = rows.map(({ parts }) => parts.join("."));
  const times = new Map<string, number>();
  for (const path of plain) times.set(path, (times.get(path) ?? 0) + 1);
  return plain.map((path, i) => {
    if (times.get(path) === 1) return path;
    const parts = rows[i]?.parts ?? [];
    return parts.map((part) => (part.includes(".") ? JSON.stringify(part) : part)).join(".");
  });
}

const MAX_DEPTH = 32;

interface Node {
  readonly children: Map<string, Node>;
  /** Values without parts, by run. */
  readonly values: Map<number, JsonValue>;
}

/** Rows in the order in which keys first appear, those of one parent together; what lies deeper than the limit is one value. */
export function configRows(configs: readonly (JsonObject | null)[]): ConfigRow[] {
  const root: Node = { children: new Map(), values: new Map() };
  configs.forEach((config, run) => {
    for (const [key, value] of Object.entries(config ?? EMPTY_OBJECT)) put(childOf(root, key), value, run, 1);
  });
  const rows: ConfigRow[] = [];
  for (const [key, node] of root.children) collect(node, [key], configs.length, rows);
  return rows;
}

function childOf(node: Node, key: string): Node {
  let child = node.children.get(key);
  if (!child) {
    child = { children: new Map(), values: new Map() };
    node.children.set(key, child);
  }
  return child;
}

function put(node: Node, value: JsonValue, run: number, depth: number): void {
  const parts = depth < MAX_DEPTH ? partsOf(value) : [];
  if (parts.length === 0) node.values.set(run, value);
  for (const [key, child] of parts) put(childOf(node, key), child, run, depth + 1);
}

/** A list of plain values is one value: a value more or less in it is one difference. */
function partsOf(value: JsonValue): (readonly [string, JsonValue])[] {
  if (isJsonObject(value)) return Object.entries(value);
  if (!isList(value) || !value.some((item) => isList(item) || isJsonObject(item))) return [];
  return value.map((item, i) => [String(i), item]);
}

function collect(node: Node, parts: readonly string[], runs: number, rows: ConfigRow[]): void {
  if (node.values.size > 0) {
    const values = Array.from({ length: runs }, (_, run) => node.values.get(run));
    rows.push({ parts, values, differs: !values.every((v) => sameCell(v, values[0])) });
  }
  for (const [key, child] of node.children) collect(child, [...parts, key], runs, rows);
}

function sameCell(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return a === undefined || b === undefined ? a === b : sameJson(a, b);
}

/** Whether a key of a part of the manifest is covered. */
export type IsIgnored = (part: string, path: readonly string[]) => boolean;

export const IGNORE_NOTHING: IsIgnored = () => false;

/**
 * Whether a key is covered by a pattern: a dotted path, with or without its section in front, `*` for any text. A pattern covers
 * what lies below it too.
 */
export function ignorer(patterns: readonly string[]): IsIgnored {
  const tests = patterns.filter((pattern) => pattern.trim() !== "").map((pattern) => globOf(pattern.trim()));
  return (part, parts) => {
    const path = parts.join(".");
    return tests.some((test) => test(path) || test(`${part}.${path}`));
  };
}

/** Without a regular expression: a pattern with many stars would take one forever. */
function globOf(pattern: string): (path: string) => boolean {
  const pieces = pattern.split("*");
  return (path) => {
    const prefixes = [path, ...dots(path)];
    return prefixes.some((prefix) => matchesGlob(pieces, prefix));
  };
}

/** The paths above a path. */
function dots(path: string): string[] {
  const out: string[] = [];
  for (let at = path.indexOf("."); at >= 0 && out.length < MAX_DEPTH; at = path.indexOf(".", at + 1))
    out.push(path.slice(0, at));
  return out;
}

function matchesGlob(pieces: readonly string[], text: string): boolean {
  const [first = "", ...rest] = pieces;
  if (rest.length === 0) return text === first;
  if (!text.startsWith(first)) return false;
  const last = rest.pop() ?? "";
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
