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
  /** Columns by name, all read in one pass; a name that no file holds gives `undefined` in its place. */
  read(names: readonly string[], order: RowOrder): Promise<readonly (Column | undefined)[]>;
  readList(name: string, order: RowOrder): Promise<ListColumn | undefined>;
}

export interface SampleCounts {
  readonly total: number;
  readonly byRank: ReadonlyMap<number, number>;
}

export interface SampleTable {
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
