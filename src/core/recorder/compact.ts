/** The parts of a run that is closed become steps.parquet; until that is there, whole, they are the run, and afterwards nobody reads them. */
import { PARTS_DIR, STEPS_FILE } from "../format/names.ts";
import type { RunSink } from "../io/sink.ts";
import { decodeTable, encodeTable, MAX_COLUMNS } from "./encode.ts";
import { parts } from "./files.ts";
import { concatenated, type TableData } from "./table.ts";

/** Cells of a table that is merged: 100,000 steps have some five million. The encoder's memory has an end, and parts are as good to every reader. */
const MAX_CELLS = 20_000_000;

export type Compaction = "done" | "nothing" | "left";

/** @param beat called now and then, so that whoever waits sees that it goes on */
export function compact(sink: RunSink, beat: () => void): Compaction {
  const files = parts(sink);
  if (files.length === 0) return "nothing";
  // Somebody else's: nothing is written over.
  if (sink.size(STEPS_FILE) !== null) return "left";
  const tables: TableData[] = [];
  for (const { path } of files) {
    const table = decodeTable(sink.read(path));
    if (!table || cells(tables) > MAX_CELLS) return "left";
    tables.push(table);
    beat();
  }
  const names = new Set(tables.flatMap((table) => [...table.columns.keys()]));
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const isTooLarge = names.size > MAX_COLUMNS || rows * names.size > MAX_CELLS;
  const whole = isTooLarge ? null : concatenated(tables);
  if (!whole) return "left";
  sink.writeWhole(STEPS_FILE, encodeTable(whole));
  for (const { path } of files) {
    sink.remove(path);
    beat();
  }
  sink.removeFolder(PARTS_DIR);
  return "done";
}

function cells(tables: readonly TableData[]): number {
  return tables.reduce((sum, table) => sum + table.rows * table.columns.size, 0);
}
