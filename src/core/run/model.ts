/**
 * The run model: what the reader hands to every analysis and view. Frozen, columnar, lazy.
 * Opening reads the manifest, the events and the parquet footers; a column is read when it is asked for.
 */
import type { RunEvent } from "../format/event.ts";
import type { Manifest } from "../format/manifest.ts";
import type { Warning } from "../format/problems.ts";
import type { RunRecords } from "../format/records.ts";
import type { Sample } from "../format/sample.ts";

/**
 * "merged": rows sorted by step, rows of one step merged field by field, the value written last winning.
 * "recorded": rows as they lie in the files, which is how rlprobe reads them.
 */
export type RowOrder = "merged" | "recorded";

/** One numeric column. `values[i]` is NaN where nothing was written and where NaN was written; `valid` tells which. */
export interface Column {
  readonly values: Float64Array;
  /** 1 where a value was written, 0 where null; `null` when every row has a value. Length as `values`. */
  readonly valid: Uint8Array | null;
  /** Exact integers where some are beyond 2^53, else `null`. */
  readonly exact: BigInt64Array | BigUint64Array | null;
}

/** A list column (kl_positional): row i is `values[offsets[i] … offsets[i+1])`; a null row is an empty one with `valid[i] = 0`. */
export interface ListColumn {
  readonly values: Float64Array;
  /** Length rows + 1. */
  readonly offsets: Int32Array;
  readonly valid: Uint8Array | null;
}

export type ColumnKind =
  /** Numbers (double, float, int, bool and what can be read as such). */
  | "scalar"
  /** A list of numbers a row. */
  | "list"
  /** Never filled: Parquet's Null type in every file. */
  | "null"
  /** Not numbers (text, struct, …); shown by name only. */
  | "other";

export interface ColumnInfo {
  readonly name: string;
  readonly kind: ColumnKind;
}

export interface StepAxis {
  /** Rows in this order. */
  readonly rows: number;
  readonly step: Column;
  /** Unix seconds a row, or `null` when the recording has none. */
  readonly timestamp: Column | null;
  /** True when steps never decrease from row to row. */
  readonly sorted: boolean;
}

export interface StepTable {
  /** Rows that the footers promise (before bad rows are dropped and repeats merged). */
  readonly rowCount: number;
  /** Column names in the order of first appearance over the files. */
  readonly columns: readonly ColumnInfo[];
  axis(order: RowOrder): Promise<StepAxis>;
  /**
   * Columns by name, all read in one pass; a name that no file holds gives `undefined` in its place. They are kept for the next
   * question, unless `keep` is false: who looks at everything once leaves nothing behind.
   */
  read(
    names: readonly string[],
    order: RowOrder,
    options?: { readonly keep?: boolean },
  ): Promise<readonly (Column | undefined)[]>;
  readList(name: string, order: RowOrder): Promise<ListColumn | undefined>;
}

export interface SampleCounts {
  readonly total: number;
  readonly byRank: ReadonlyMap<number, number>;
}

/** A column of text as UTF-8: row i is `bytes[offsets[i] … offsets[i+1])`, which is empty where null. */
export interface TextColumn {
  readonly bytes: Uint8Array;
  /** Length rows + 1. */
  readonly offsets: Int32Array;
  /** As in {@link Column}. */
  readonly valid: Uint8Array | null;
}

export interface ShardFile {
  /** Relative to the run. */
  readonly path: string;
  /** Rank that the samples of a rank folder have, whatever they say; `null` for the run's own folder. */
  readonly rank: number | null;
}

/** What tells one state of a file from another. */
export interface ShardStamp {
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly mtimeMs: number;
}

export interface ShardRead {
  readonly shard: number;
  /** Its first row in the chunk. */
  readonly first: number;
  /** 0 where it cannot be read. */
  readonly rows: number;
  /** `null` when there is no such file. */
  readonly stamp: ShardStamp | null;
  /** Nothing was said of it: whoever knows what it holds need not read it again. */
  readonly clean: boolean;
  /** Names of its reward components; files of one schema share the array. */
  readonly components: readonly string[];
}

/** Columns of some shards, behind one another in the order asked for. */
export interface ShardChunk {
  readonly rows: number;
  readonly shards: readonly ShardRead[];
  /** `undefined` where none of the shards has such a column of numbers. */
  numbers(name: string): Column | undefined;
  texts(name: string): TextColumn | undefined;
}

export interface SamplePlace {
  readonly shard: number;
  readonly row: number;
}

/** The shard files one by one, by number: their place in reading order. What is wrong with one is said once. */
export interface ShardTable {
  readonly files: readonly ShardFile[];
  /** Looks at the file without opening it; `null` when there is none. */
  stamp(shard: number): Promise<ShardStamp | null>;
  /** Reads the bytes of these columns only; small files are read whole, which costs less. */
  read(
    shards: readonly number[],
    columns: { readonly numbers: readonly string[]; readonly texts: readonly string[] },
  ): Promise<ShardChunk>;
  /** Full samples, text included, in the order asked for; a place that does not exist is left out. */
  samples(places: readonly SamplePlace[]): Promise<readonly Sample[]>;
}

export interface SampleTable {
  readonly shards: ShardTable;
  /** Shard files found, all ranks; known without opening any. */
  readonly shardCount: number;
  /** Rows by rank number, from the footers of all shards (read at the first call: a long run has tens of thousands). */
  counts(): Promise<SampleCounts>;
  /** Numeric columns over all shards, in reading order (rank 0's shards by number, then each rank folder's). */
  readNumbers(names: readonly string[]): Promise<readonly (Column | undefined)[]>;
  /** Full samples, text included, of the rows whose step lies in `[from, to]`, in reading order, `limit` at most. */
  inSteps(from: number, to: number, limit: number): Promise<readonly Sample[]>;
  /** Full samples by their row over all shards, as {@link readNumbers} counts them; in the order asked for. */
  atRows(rows: readonly number[]): Promise<readonly Sample[]>;
}

/** How the run stands, and why we think so. */
export interface Lifecycle {
  readonly state: "running" | "stalled" | "finished" | "crashed" | "halted" | "killed" | "unknown";
  /** A code for the reason; worded in `src/view`. */
  readonly reason: string;
  readonly facts: Readonly<Record<string, string | number>>;
}

/** How fast a run goes, from its time stamps. */
export interface Pace {
  /** Seconds from step to step; `null` when unknown. */
  readonly medianStepSeconds: number | null;
  /** Unix seconds of the newest step; `null` when unknown. */
  readonly lastStepTime: number | null;
}

export interface RankInfo {
  readonly rank: number;
  /** Folder relative to the run, "" for rank 0. */
  readonly dir: string;
}

export interface RunModel {
  /** The folder's own name. */
  readonly label: string;
  /** `null` when the folder holds run records only, or its manifest cannot be read. */
  readonly manifest: Manifest | null;
  readonly hasRecording: boolean;
  readonly layout: "compacted" | "parts" | "both" | "none";
  readonly ranks: readonly RankInfo[];
  /** All ranks', sorted by time (stable; missing and NaN times last). */
  readonly events: readonly RunEvent[];
  /** Events kept out of memory beyond the limit; 0 normally. */
  readonly eventsDropped: number;
  readonly steps: StepTable;
  readonly samples: SampleTable;
  readonly records: RunRecords;
  /** Newest modification time of the run's files, ms since the epoch; `null` when unknown. */
  readonly lastWriteMs: number | null;
  /** A snapshot: reading columns can add to it. */
  warnings(): readonly Warning[];
  /** @param pace from the axis, once it was read: tells a slow run from a silent one */
  lifecycle(nowMs: number, pace?: Pace): Lifecycle;
}
