/** `flight-deck record OUT`: records what comes in as lines of JSON, so that a loop in any language records by a pipe. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { isJsonObject, type JsonObject } from "../core/format/json.ts";
import { parseJson } from "../core/format/json-parse.ts";
import { nodeSource } from "../core/index.ts";
import { nodeSink } from "../core/io/node-sink.ts";
import { holdsRecording } from "../core/recorder/files.ts";
import type { RecorderOptions } from "../recorder/types.ts";
import { UsageError } from "./args.ts";
import { type Context, FAILED, recordingOf } from "./context.ts";
import { strictJson } from "./json.ts";
import { LineSplitter } from "./record-lines.ts";
import { MAX_CALLS, Session } from "./record-session.ts";
import { oneLine } from "./terminal.ts";

export interface RecordOptions {
  /** A JSON file with the trainer's configuration. */
  readonly config: string | null;
  readonly flushInterval: number;
  readonly resume: boolean;
  /** What became of the input is printed too. */
  readonly json: boolean;
}

/** Seconds. */
const MAX_INTERVAL = 86_400;
/** Once it shall stop, what the pipe still holds is read for so long at most. */
const GRACE_MS = 1000;

/** @throws UsageError for a configuration that cannot be used */
export async function record(context: Context, folder: string, options: RecordOptions): Promise<number> {
  if (options.flushInterval > MAX_INTERVAL)
    throw new UsageError(`--flush-interval is at most ${MAX_INTERVAL}`);
  const config = options.config === null ? null : readConfig(options.config);
  const obstacle = await obstacleOf(folder, options.resume);
  if (obstacle !== null) return refuse(context, folder, obstacle);
  const { input, newRecorder } = recordingOf(context);
  const session = new Session({
    folder,
    begin: (run) => newRecorder(folder, recorderOptions(folder, config, run, options)),
    say: (text) => context.err(oneLine(`flight-deck: ${text}`)),
  });
  if (input.isTerminal()) context.err("reading lines of JSON; Ctrl+D ends the recording");
  const stop = new AbortController();
  const forget = listen(context, stop);
  const lines = new LineSplitter();
  try {
    for await (const chunk of untilStopped(input.chunks(), stop.signal)) {
      for (const line of lines.push(chunk)) await session.take(line);
    }
    for (const line of lines.end()) await session.take(line);
  } catch (error) {
    if (isExisting(error)) return refuse(context, folder, EXISTS);
    if (!(error instanceof UnreadableInputError)) throw error;
    session.inputFailed(error.message);
  } finally {
    input.end();
    await session.close();
    forget();
  }
  const { code, summary } = session.report();
  if (options.json) context.out(strictJson(summary));
  return code;
}

/**
 * Ctrl+C and a lost terminal reach whoever writes into the pipe, too: that one decides what is still to be said, so reading goes on to its
 * end, or to the second Ctrl+C.
 */
function listen(context: Context, stop: AbortController): () => void {
  const { input, onSignals } = recordingOf(context);
  let isAsked = input.isTerminal();
  return onSignals(["SIGINT", "SIGTERM", "SIGHUP"], (signal) => {
    if (signal === "SIGHUP") return;
    if (signal === "SIGTERM" || isAsked) return stop.abort();
    isAsked = true;
    context.err("reading on until the input ends; Ctrl+C once more closes the recording now");
  });
}

function recorderOptions(
  folder: string,
  config: JsonObject | null,
  run: RecorderOptions,
  { flushInterval, resume }: RecordOptions,
): RecorderOptions {
  return {
    runId: path.basename(path.resolve(folder)),
    // What this process is says nothing about the one that trains.
    captureEnv: false,
    ...run,
    trainerConfig: { ...config, ...run.trainerConfig },
    flushIntervalSeconds: flushInterval,
    queueSize: 2 * MAX_CALLS,
    exitHandlers: false,
    resume,
  };
}

const EXISTS = "there is a recording already, and none is written over; --resume continues it";

/** Why nothing can be recorded there; null when something can, as far as can be seen. */
async function obstacleOf(folder: string, isResuming: boolean): Promise<string | null> {
  const there = await nodeSource(folder).stat("");
  if (there && there.kind !== "directory") return "it is no folder";
  return !isResuming && holdsRecording(nodeSink(folder)) ? EXISTS : null;
}

function refuse(context: Context, folder: string, why: string): number {
  context.err(oneLine(`flight-deck: ${folder}: ${why}`));
  return FAILED;
}

const isExisting = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "recording-exists";

function readConfig(file: string): JsonObject {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    throw new UsageError(`--config: ${file} cannot be read`);
  }
  const parsed = parseJson(text.replace(/^\ufeff/, ""));
  if (!parsed.ok || !isJsonObject(parsed.value))
    throw new UsageError(`--config: ${file} holds no JSON object`);
  return parsed.value;
}

class UnreadableInputError extends Error {
  override readonly name = "UnreadableInputError";
}

/**
 * Chunks until the end, or for a moment after a stop was asked for: whoever writes may have been stopped just now, too.
 * @throws UnreadableInputError
 */
async function* untilStopped(
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  const iterator = chunks[Symbol.asyncIterator]();
  let timer: NodeJS.Timeout | undefined;
  const stopped = new Promise<null>((resolve) => {
    const wait = () => {
      timer = setTimeout(() => resolve(null), GRACE_MS);
    };
    if (signal.aborted) wait();
    else signal.addEventListener("abort", wait, { once: true });
  });
  try {
    for (;;) {
      const next = await Promise.race([iterator.next().catch(unreadable), stopped]);
      if (next === null || next.done) return;
      yield next.value;
    }
  } finally {
    clearTimeout(timer);
  }
}

function unreadable(error: unknown): never {
  const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
  throw new UnreadableInputError(`standard input cannot be read any further${code}`);
}
