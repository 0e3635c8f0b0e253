/** What the recorder and its thread say to each other, and the numbers that both see at once. */
import type { Sampling } from "../core/recorder/sampling.ts";
import type { LoggedEvent, Problem } from "../core/recorder/writer.ts";

/** Places in the shared Int32Array. */
export const PENDING = 0;
export const DROPPED = 1;
export const CLOSED = 2;
/** Goes up while the thread works: whoever waits for it sees that it goes on. */
export const BEAT = 3;
/** The last flush that is done. */
export const FLUSHED = 4;
export const SHARED_INTS = 5;

export interface ThreadData {
  /** Absolute path of the folder that is written. */
  readonly folder: string;
  /** Absolute path of the Parquet library's binary. */
  readonly wasm: string;
  readonly counters: Int32Array;
  readonly manifest: Uint8Array;
  readonly rank: number;
  readonly sampling: Sampling & { readonly seed: number };
  readonly flushSteps: number;
  readonly flushIntervalSeconds: number;
  readonly queueSize: number;
  readonly resume: boolean;
}

/** To the thread. `now` is the caller's clock at the call, Unix seconds. */
export type ToThread =
  | readonly [type: "step", step: unknown, metrics: unknown, timestamp: unknown, now: number]
  | readonly [type: "samples", step: unknown, samples: unknown, isSelecting: boolean, now: number]
  | readonly [type: "event", event: LoggedEvent, now: number]
  | readonly [type: "bad", what: string, reason: string, step: unknown, now: number]
  | readonly [type: "flush", id: number]
  | readonly [type: "close"];

export interface FromThread {
  /** The flush that is done; null when only the problem changed. */
  readonly flushed: number | null;
  readonly problem: Problem | null;
}
