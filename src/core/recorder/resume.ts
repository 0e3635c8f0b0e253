/**
 * Makes a recording that was closed, killed or half compacted into one that parts can be added to. Each step leaves a recording of which
 * every reader reads every row once: docs/decisions/0018-recorder.md.
 */
import { EVENTS_FILE, PARTS_DIR, STEPS_FILE } from "../format/names.ts";
import type { RunSink } from "../io/sink.ts";
import { decodeTable } from "./encode.ts";
import {
  following,
  type Numbered,
  partPath,
  parts,
  removeUnfinished,
  setAside,
  shards,
  unreadableName,
} from "./files.ts";
import type { ColumnData, TableData } from "./table.ts";

export interface Place {
  /** Numbers of the next files. */
  readonly part: number;
  readonly shard: number;
}

export function resume(sink: RunSink): Place {
  removeUnfinished(sink);
  // While steps.parquet is there nobody reads parts, so they are put in order first.
  for (const { path } of [...parts(sink), ...shards(sink)]) if (!isWhole(sink, path)) setAside(sink, path);
  if (sink.size(STEPS_FILE) !== null) reopenSteps(sink);
  mendEvents(sink);
  return { part: following(parts(sink)), shard: following(shards(sink)) };
}

/** Of a longer file nothing is mended: it would have to be written anew. */
const MAX_MENDED = 64 * 1024 * 1024;

/** A last line that was torn is taken out and kept beside the file: rlprobe reads no event of a file with such a line in it. */
function mendEvents(sink: RunSink): void {
  const size = sink.size(EVENTS_FILE) ?? 0;
  if (size === 0 || size > MAX_MENDED || sink.read(EVENTS_FILE, size - 1, 1)[0] === NEWLINE) return;
  const bytes = sink.read(EVENTS_FILE);
  const end = bytes.lastIndexOf(NEWLINE) + 1;
  const torn = bytes.subarray(end);
  if (isJson(torn)) return;
  sink.writeWhole(unreadableName(sink, EVENTS_FILE), torn);
  sink.writeWhole(EVENTS_FILE, bytes.subarray(0, end));
}

const NEWLINE = 10;

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder().decode(bytes));
    return true;
  } catch {
    return false;
  }
}

/**
 * steps.parquet hides parts from rlprobe, so it becomes the first part, by one renaming. Parts that it holds were being removed when the
 * writer was killed: that is finished first, or they would count twice.
 */
function reopenSteps(sink: RunSink): void {
  const beside = parts(sink);
  const mustCompare = beside.length > 0;
  const whole = isWhole(sink, STEPS_FILE) ? (mustCompare ? numbersOf(sink, STEPS_FILE) : NOTHING) : null;
  if (!whole) {
    setAside(sink, STEPS_FILE);
    return;
  }
  const rows = new RowFinder(whole);
  for (const { path } of beside) {
    const part = numbersOf(sink, path);
    if (part && rows.holds(part)) sink.remove(path);
  }
  sink.makeFolder(PARTS_DIR);
  sink.rename(STEPS_FILE, partPath(before(parts(sink))));
}

const NOTHING: TableData = { rows: 0, columns: new Map() };

function numbersOf(sink: RunSink, path: string): TableData | null {
  return decodeTable(sink.read(path), "numbers");
}

/** A free number, before all others where there is one. */
function before(files: readonly Numbered[]): number {
  const first = files[0]?.number ?? 1;
  return first > 0 ? first - 1 : following(files);
}

/** Looks at both ends of a Parquet file; a writer that wrote in place and was killed leaves neither. */
function isWhole(sink: RunSink, path: string): boolean {
  const size = sink.size(path) ?? 0;
  if (size < 12) return false;
  const end = sink.read(path, size - 8, 8);
  const footer = new DataView(end.buffer, end.byteOffset, 4).getUint32(0, true);
  return isMagic(sink.read(path, 0, 4)) && isMagic(end.subarray(4)) && footer + 12 <= size;
}

function isMagic(bytes: Uint8Array): boolean {
  return bytes.length === 4 && String.fromCharCode(...bytes) === "PAR1";
}

/** Finds the rows of a part in the merged table: the same values, row behind row. */
class RowFinder {
  readonly #whole: TableData;
  /** Rows by step. */
  readonly #places = new Map<string, number[]>();

  constructor(whole: TableData) {
    this.#whole = whole;
    const steps = whole.columns.get("step");
    for (let row = 0; row < whole.rows; row++) {
      const step = String(valueAt(steps, row));
      const places = this.#places.get(step);
      if (places) places.push(row);
      else this.#places.set(step, [row]);
    }
  }

  holds(part: TableData): boolean {
    const starts = this.#places.get(String(valueAt(part.columns.get("step"), 0))) ?? [];
    return part.rows === 0 || starts.some((at) => this.#isAt(part, at));
  }

  #isAt(part: TableData, at: number): boolean {
    if (at + part.rows > this.#whole.rows) return false;
    for (const [name, column] of part.columns) {
      const other = this.#whole.columns.get(name);
      for (let row = 0; row < part.rows; row++)
        if (!isSame(valueAt(column, row), valueAt(other, at + row))) return false;
    }
    return true;
  }
}

/** Numbers of a row; of lists and other values the row's place says enough. */
function valueAt(column: ColumnData | undefined, row: number): number | bigint | null {
  if (column?.kind !== "double" && column?.kind !== "int64") return null;
  return column.valid?.[row] === 0 ? null : (column.values[row] ?? null);
}

/** Whole numbers are doubles in a table where other parts have doubles. */
function isSame(a: number | bigint | null, b: number | bigint | null): boolean {
  return a === null || b === null ? a === b : Object.is(Number(a), Number(b));
}
