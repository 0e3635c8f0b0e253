import { initParquet, nodeSource, openRun, type RunModel } from "../core/index.ts";
import type { Recorder } from "../recorder/index.ts";
import type { RecorderOptions } from "../recorder/types.ts";
import type { Style } from "./terminal.ts";

/** What a command needs of the process around it. */
export interface Context {
  /** Writes a text and a line end to standard output. */
  out(text: string): void;
  /** The same to standard error. */
  err(text: string): void;
  readonly style: Style;
  /** Whether standard output is one: elsewhere nothing is cut to fit. */
  readonly isTerminal?: boolean;
  /** Columns of the terminal; a wide default where there is none. */
  readonly columns: number;
  readonly nowMs: number;
  /** Calls when the user wants to stop; returns how to listen no more. Without it, stopping ends the process. */
  onInterrupt?(stop: () => void): () => void;
  /** Bytes of the Parquet library's binary. */
  wasm(): Uint8Array;
  /** Where the index of a run's samples is kept; without one nothing is. */
  readonly cacheFolder?: string;
  /** Of the package. */
  readonly version?: string;
  /** Has VS Code follow a link; false where its command is not there. */
  launch?(link: string): Promise<boolean>;
  /** For commands that record. */
  readonly recording?: Recording;
}

/** What recording needs of the process. */
export interface Recording {
  /** Standard input. */
  readonly input: {
    isTerminal(): boolean;
    /** Read only as fast as it is asked for. */
    chunks(): AsyncIterable<Uint8Array>;
    /** Nothing more is wanted of it, although there may be more to come. */
    end(): void;
  };
  /** @throws RecordingExists */
  newRecorder(folder: string, options: RecorderOptions): Recorder;
  /** Calls for each of the signals instead of ending the process; returns how to listen no more. */
  onSignals(signals: readonly StopSignal[], heard: (signal: StopSignal) => void): () => void;
}

export type StopSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

export function recordingOf({ recording }: Context): Recording {
  if (!recording) throw new Error("this process cannot record");
  return recording;
}

/** Exit codes. */
export const DONE = 0;
export const NOTHING_FOUND = 1;
export const FAILED = 2;

/** @throws FlightDeckError as {@link openRun} does */
export function open(context: Context, folder: string): Promise<RunModel> {
  initParquet(context.wasm());
  return openRun(nodeSource(folder));
}

/** Something went wrong with one of several runs. */
export class InRunError extends Error {
  override readonly name = "InRunError";
  readonly folder: string;

  constructor(folder: string, cause: unknown) {
    super(folder, { cause });
    this.folder = folder;
  }
}
