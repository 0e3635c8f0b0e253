/** Rows that wait for the next file of their kind, parts or shards. They go only when that file is there. */
import type { RunSink } from "../io/sink.ts";
import { encodeTable } from "./encode.ts";
import { type ColumnKind, type Row, tableOf } from "./table.ts";

/** Of one file. */
const MAX_ROWS = 4096;
const MAX_WEIGHT = 32 * 1024 * 1024;
/** Of all that wait. */
const MAX_WAITING = 8 * MAX_WEIGHT;
/** Columns beyond the named ones, of one file. */
const MAX_OPEN = 4000;

export interface FileKind {
  readonly folder: string;
  readonly path: (number: number) => string;
  readonly columns: readonly (readonly [string, ColumnKind])[];
}

export class Waiting {
  /** Number of the next file. */
  next = 0;
  readonly #kind: FileKind;
  readonly #keep: number;
  #rows: { readonly row: Row; readonly weight: number }[] = [];
  #weight = 0;
  #open = new Set<string>();

  /** @param keep rows that may wait */
  constructor(kind: FileKind, keep: number) {
    this.#kind = kind;
    this.#keep = keep;
  }

  get length(): number {
    return this.#rows.length;
  }

  /** Enough for a file, whatever the time is. */
  get isFull(): boolean {
    return this.#rows.length >= MAX_ROWS || this.#weight >= MAX_WEIGHT || this.#open.size >= MAX_OPEN;
  }

  /** @returns false when too much waits already: none is taken then */
  add(rows: readonly Row[]): boolean {
    const weighed = rows.map((row) => ({ row, weight: weightOf(row) }));
    const weight = weighed.reduce((sum, each) => sum + each.weight, 0);
    if (this.#rows.length + rows.length > this.#keep || this.#weight + weight > MAX_WAITING) return false;
    this.#rows.push(...weighed);
    this.#weight += weight;
    for (const row of rows) for (const name of row.open.keys()) this.#open.add(name);
    return true;
  }

  /** Writes one file with the oldest rows. @throws SinkError, EncodeError; the rows go on waiting */
  write(sink: RunSink): void {
    const count = this.#countForFile();
    const bytes = encodeTable(tableOf(this.#oldest(count), this.#kind.columns));
    sink.makeFolder(this.#kind.folder);
    sink.writeWhole(this.#kind.path(this.next), bytes);
    this.next++;
    this.#forget(count);
  }

  /** Gives up the rows of the next file. @returns how many they were */
  skip(): number {
    const count = this.#countForFile();
    this.#forget(count);
    return count;
  }

  #oldest(count: number): readonly Row[] {
    return this.#rows.slice(0, count).map(({ row }) => row);
  }

  #countForFile(): number {
    let weight = 0;
    const open = new Set<string>();
    let count = 0;
    for (const each of this.#rows.slice(0, MAX_ROWS)) {
      weight += each.weight;
      for (const name of each.row.open.keys()) open.add(name);
      if (count > 0 && (weight > MAX_WEIGHT || open.size > MAX_OPEN)) break;
      count++;
    }
    return count;
  }

  #forget(count: number): void {
    this.#rows = this.#rows.slice(count);
    this.#weight = this.#rows.reduce((sum, { weight }) => sum + weight, 0);
    this.#open = new Set(this.#rows.flatMap(({ row }) => [...row.open.keys()]));
  }
}

/** Characters and list values: what of a row can be large. */
function weightOf({ named }: Row): number {
  let weight = 64;
  for (const cell of named.values())
    if (typeof cell === "string" || Array.isArray(cell)) weight += cell.length;
  return weight;
}
