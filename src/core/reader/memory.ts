/**
 * What one opening of a run knows that the next one need not find out again: files that were whole, columns that were
 * decoded, events that were read. Parts are never changed once they are whole, and logs only grow; where something else
 * lies there now, all that followed from it is forgotten.
 */
import type { ColumnKind } from "../run/model.ts";
import type { ColumnBuilder, ListBuilder } from "./convert.ts";
import type { EventsState } from "./events.ts";
import type { Schema } from "./footer.ts";
import type { ParquetFile } from "./parquetFiles.ts";
import { SampleChecker } from "./sampleChecks.ts";
import { WarningList } from "./warnings.ts";

/** A file that was opened whole. */
export interface KnownFile {
  readonly file: ParquetFile;
  readonly mtimeMs: number;
  /** It is a link that leads out of the run. */
  readonly linksOut?: boolean;
}

/** A column over the first files of the table. */
export interface KeptColumn<Builder> {
  readonly builder: Builder;
  readonly files: readonly ParquetFile[];
}

export interface HeldSteps {
  readonly file: ParquetFile;
  readonly steps: Float64Array;
}

/** What is odd about the cells of a column, over its first rows. */
export interface Cells {
  readonly rows: number;
  /** Files that these rows lie in. */
  readonly files: number;
  readonly coerced: boolean;
  readonly bad: number;
  readonly firstBadRow: number;
  readonly unsafe: number;
  readonly nonFinite: number;
  readonly fractions: number;
}

/** Decoded columns that are kept from one opening to the next. */
const KEPT_BYTES = 96 * 1024 * 1024;

export class StepsMemory {
  /** The folder was opened before: it goes on, and what is read of it will be asked for again. */
  goesOn = false;
  /** Step files that were whole, by path. */
  files: ReadonlyMap<string, KnownFile> = new Map();
  /** Files whose columns are known, in reading order, and what was said of them. */
  learned: readonly ParquetFile[] = [];
  kinds = new Map<string, ColumnKind>();
  warnings = new WarningList();
  /** By column. */
  cells = new Map<string, Cells>();
  /** In the order of last use. */
  private columns = new Map<string, KeptColumn<ColumnBuilder>>();
  private list: (KeptColumn<ListBuilder> & { readonly name: string }) | null = null;
  /** Parts beside steps.parquet: whether they hold steps that it lacks. */
  readonly newer = new Map<ParquetFile, boolean>();
  /** Steps of a steps.parquet that parts were compared with, ascending. */
  held: HeldSteps | null = null;

  /** For the next opening; this one keeps nothing, so that no two of them write into the same column. */
  handOver(): StepsMemory {
    const next = new StepsMemory();
    next.goesOn = this.learned.length > 0;
    next.files = this.files;
    next.learned = this.learned;
    next.kinds = this.kinds;
    next.warnings = this.warnings;
    next.cells = this.cells;
    next.columns = this.columns;
    next.list = this.list;
    next.held = this.held;
    for (const [file, isNewer] of this.newer) next.newer.set(file, isNewer);
    this.columns = new Map();
    this.list = null;
    this.cells = new Map(this.cells);
    this.warnings = new WarningList();
    return next;
  }

  /** Other files: what is known of the old ones says nothing any more. */
  forget(): void {
    this.learned = [];
    this.kinds = new Map();
    this.warnings = new WarningList();
    this.cells = new Map();
    this.columns = new Map();
    this.list = null;
    this.held = null;
    this.newer.clear();
  }

  /** A column over the first of these files, to be continued and given back; whoever has it is alone with it. */
  take(name: string, files: readonly ParquetFile[]): KeptColumn<ColumnBuilder> | null {
    const kept = this.columns.get(name);
    this.columns.delete(name);
    return kept && isBeginning(kept.files, files) ? kept : null;
  }

  keep(name: string, column: KeptColumn<ColumnBuilder>): void {
    this.columns.delete(name);
    this.columns.set(name, column);
    let bytes = 0;
    for (const { builder } of this.columns.values()) bytes += builder.bytes;
    for (const [oldest, { builder }] of this.columns) {
      if (bytes <= KEPT_BYTES) return;
      this.columns.delete(oldest);
      bytes -= builder.bytes;
    }
  }

  takeList(name: string, files: readonly ParquetFile[]): KeptColumn<ListBuilder> | null {
    const kept = this.list;
    this.list = null;
    return kept?.name === name && isBeginning(kept.files, files) ? kept : null;
  }

  keepList(name: string, column: KeptColumn<ListBuilder>): void {
    this.list = { name, ...column };
  }
}

/** Whether these are the first of those: the very same openings. */
export function isBeginning(few: readonly ParquetFile[], many: readonly ParquetFile[]): boolean {
  return few.length <= many.length && few.every((file, i) => file === many[i]);
}

/** One events.jsonl. */
export interface EventsMemory {
  readonly state: EventsState;
  /** The last bytes that were read: the same again where only something was added. */
  readonly tail: Uint8Array;
  readonly warnings: WarningList;
}

/** What was made of a schema of shards: said once, and again of no file. */
export interface KnownSchema {
  readonly components: readonly string[];
  readonly clean: boolean;
}

/** What was said of sample shards: it goes on being true of a whole file, and is said once. */
export class ShardsMemory {
  readonly warnings = new WarningList();
  readonly checker = new SampleChecker(this.warnings.warn);
  /** Shards, and columns of them, whose faults were said. */
  readonly said = new Set<string>();
  readonly schemas = new Map<Schema["columns"], KnownSchema>();
  /** Rows that were looked at: each is reported on once. */
  readonly noted = new Set<string>();
  private paths: ReadonlySet<string> = new Set();

  /** The same, or nothing where a shard is gone: other files lie there now. */
  handOver(paths: readonly string[]): ShardsMemory {
    const now = new Set(paths);
    const isSame = [...this.paths].every((path) => now.has(path));
    const next = isSame ? this : new ShardsMemory();
    next.paths = now;
    return next;
  }
}

export class RunMemory {
  steps = new StepsMemory();
  shards = new ShardsMemory();
  /** By path. */
  readonly events = new Map<string, EventsMemory>();
}
