/** What run records take and give. These types are published as they stand here. */

/** ROCm goes by "cuda", as PyTorch has it. */
export type Device = "cuda" | "mps" | "cpu";

export interface WitnessOptions {
  /** What the process loaded. Whole numbers are Python's int; `float(1)` is 1.0. */
  readonly config?: object;
  /** The same as JSON text, which keeps each number's spelling; goes before `config`. */
  readonly configText?: string;
  /** An integer; FOUNDRY_RUN_ID, which the launcher sets, when missing. */
  readonly runId?: number | bigint | string;
  /** The launcher's number of the attempt; the next one that is free when missing. */
  readonly attempt?: number;
  /** Of this process; RANK when missing, then 0. */
  readonly rank?: number;
  /** Also as PyTorch spells it ("cuda:0"); looked up with nvidia-smi when missing. */
  readonly device?: Device | `cuda:${number}`;
  readonly deviceName?: string | null;
  /** Bytes; nobody but the framework knows them. */
  readonly peakMemoryBytes?: number | null;
  /** Processors; those this process may use when missing. */
  readonly cpuAllocation?: number | null;
  /** Since the attempt began; since the process did when missing. */
  readonly elapsedSeconds?: number | null;
}

export interface WitnessWritten {
  readonly written: true;
  readonly file: string;
  readonly attempt: number;
  /** `null` when there is no configuration, or none that JSON can say. */
  readonly configHash: string | null;
  /** What was left out of the file, and why. */
  readonly problems: readonly string[];
}

export interface WitnessNotWritten {
  readonly written: false;
  /** "rank": this is not rank 0; "run-id", "attempt": none, or no whole number; "exists": that attempt has its witness. */
  readonly reason:
    | "rank"
    | "run-id"
    | "attempt"
    | "exists"
    | "no-space"
    | "permission-denied"
    | "not-found"
    | "io-error";
  /** Relative to the folder; "" when it is not known. */
  readonly file: string;
  /** A sentence without a full stop. */
  readonly message: string;
}

/** A row of metrics.json; repeats of one benchmark, metric and horizon differ in their seed. */
export interface MetricInput {
  readonly benchmark: string;
  readonly metric: string;
  readonly horizon: string | number | bigint | null;
  readonly seed: string | number | bigint | null;
  readonly value: number | bigint;
}

/** A number that Python holds as a float; {@link float} makes one. */
export interface PythonFloat {
  readonly text: string;
}

/** Rows that were to be written and are not what the format has: nothing was written. Its message names every bad row. */
export interface MetricRowsError extends Error {
  readonly code: "bad-rows";
  readonly problems: readonly RowProblem[];
}

/** Something could not be written. */
export interface RecordNotWritten extends Error {
  readonly code: "no-space" | "permission-denied" | "not-found" | "io-error";
  readonly file: string;
}

/** What is wrong with one row, as {@link MetricRowsError} lists it. */
export interface RowProblem {
  /** Its place in the list, from 0 on; -1 when it is about the list. */
  readonly row: number;
  /** `null` when it is about the row as a whole. */
  readonly field: string | null;
  /** "value is not a number". */
  readonly problem: string;
}
