/** What is said of a step file's columns when it is opened: types, names, numbers of them. Nothing here reads a column. */
import { METRICS } from "../format/catalogue.ts";
import { EXTRA, REWARD_COMPONENT } from "../format/names.ts";
import type { Warn } from "../format/problems.ts";
import { BIDI_CHARS, CONTROL_CHARS, INVISIBLE_CHARS } from "../format/text.ts";
import type { ColumnKind } from "../run/model.ts";
import { isNullType, kindOf, LISTS } from "./kinds.ts";
import { firstFault, type ParquetFile } from "./parquetFiles.ts";

/** More metrics than this are still shown, but only as they are looked at. */
const MANY_COLUMNS = 1000;

const FIELDS: ReadonlySet<string> = new Set(["step", "timestamp", "rank", ...METRICS.map((m) => m.name)]);

/** Named by the format, or open-ended by its prefixes. */
export function isKnownColumn(name: string): boolean {
  return FIELDS.has(name) || name.startsWith(REWARD_COMPONENT) || name.startsWith(EXTRA);
}

/**
 * Adds one file's columns to the union over a run's files, and says what is odd about them. A column is what any file
 * says it is, Null giving way to anything.
 */
export function learnColumns(file: ParquetFile, kinds: Map<string, ColumnKind>, warn: Warn): void {
  for (const [name, top] of file.footer.columns) {
    const kind = LISTS.has(name) && kindOf(name, top.node) === "scalar" ? "other" : kindOf(name, top.node);
    const known = kinds.get(name);
    if (known === undefined) sayName(name, file.path, warn);
    if (known === undefined || known === "null") kinds.set(name, kind);
    else if (kind !== "null" && kind !== known) {
      warn("type-mismatch", file.path, "its type differs from other files of the run", { column: name });
      if (known === "other") kinds.set(name, kind);
    }
    if (known === undefined || known === "null") sayKind(name, kind, file, warn);
  }
  for (const name of file.footer.duplicates)
    warn("duplicate-column", file.path, "it is there twice; the last is shown", { column: name });
  const step = file.footer.columns.get("step");
  if (!step || isNullType(step.node)) warn("missing-step-column", file.path, "it has no column named step");
}

function sayKind(name: string, kind: ColumnKind, file: ParquetFile, warn: Warn): void {
  if (kind === "null") return;
  const fault = kind === "other" ? firstFault(file, name) : null;
  if (fault) warn(fault.code, file.path, fault.message, { column: name });
  else if (!isKnownColumn(name)) {
    const detail =
      kind === "scalar"
        ? "the format does not name it"
        : "the format does not name it, and it holds no numbers";
    // A struct or list beside flat columns of the same name is somebody's mistake; a new field is the normal way the format grows.
    const collides =
      kind === "other" && [...file.footer.columns.keys()].some((n) => n.startsWith(`${name}.`));
    warn(collides ? "type-mismatch" : "unknown-column", file.path, detail, {
      column: name,
      level: collides ? "warning" : "info",
    });
  } else if (LISTS.has(name) ? kind !== "list" : kind !== "scalar")
    warn("type-mismatch", file.path, LISTS.has(name) ? "it is no list of numbers" : "it holds no numbers", {
      column: name,
    });
}

function sayName(name: string, path: string, warn: Warn): void {
  const more = { column: name, level: "info" } as const;
  if (CONTROL_CHARS.test(name)) warn("control-chars", path, "a column's name holds control characters", more);
  if (BIDI_CHARS.test(name))
    warn("bidi-chars", path, "a column's name holds characters that turn the direction of text", more);
  if (INVISIBLE_CHARS.test(name))
    warn("invisible-chars", path, "a column's name holds characters that cannot be seen", more);
}

/** Said once for the run, over all files. */
export function sayMany(kinds: ReadonlyMap<string, ColumnKind>, path: string, warn: Warn): void {
  if (kinds.size > MANY_COLUMNS)
    warn("column-limit", path, `it has ${kinds.size} columns, which are read as they are looked at`, {
      level: "info",
    });
}
