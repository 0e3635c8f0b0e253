/** The parts of a run that is closed become steps.parquet; until that is there, whole, they are the run, and afterwards nobody reads them. */
import { PARTS_DIR, STEPS_FILE } from "../format/names.ts";
import type { RunSink } from "../io/sink.ts";
import { decodeTable, encodeTable, MAX_COLUMNS } from "./encode.ts";
import { type Numbered, parts } from "./files.ts";
import { concatenated, type TableData } from "./table.ts";

/** Values of a table that is merged: 100,000 steps have some five million. The encoder's memory has an end, and parts are as good to every reader. */
const MAX_VALUES = 10_000_000;

export type Compaction = "done" | "nothing" | "left";

/** @param beat called now and then, so that whoever waits sees that it goes on */
export function compact(sink: RunSink, beat: () => void): Compaction {
  const files = parts(sink);
  if (files.length === 0) return "nothing";
  // Somebody else's: nothing is written over.
  if (sink.size(STEPS_FILE) !== null) return "left";
  const whole = merged(sink, files, beat);
  if (!whole) return "left";
  sink.writeWhole(STEPS_FILE, encodeTable(whole));
  for (const { path } of files) {
    sink.remove(path);
    beat();
  }
  sink.removeFolder(PARTS_DIR);
  return "done";
}

/** @returns null when that is too much, or does not go together */
function merged(sink: RunSink, files: readonly Numbered[], beat: () => void): TableData | null {
  const tables: TableData[] = [];
  const names = new Set<string>();
  const filled = new Set<string>();
  let rows = 0;
  let inLists = 0;
  for (const { path } of files) {
    const table = decodeTable(sink.read(path));
    if (!table) return null;
    tables.push(table);
    for (const [name, data] of table.columns) {
      names.add(name);
      if (data.kind !== "null") filled.add(name);
      if (data.kind === "doubles") inLists += data.values.length;
    }
    rows += table.rows;
    // A column that few rows have is as long as the others.
    if (rows * filled.size + inLists > MAX_VALUES || names.size > MAX_COLUMNS) return null;
    beat();
  }
  return concatenated(tables);
}
