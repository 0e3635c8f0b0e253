/** Run records from Node: the witness of an attempt, and metric rows (ADR 0008). */
import { createHash, randomUUID } from "node:crypto";
import { availableParallelism } from "node:os";
import { nodeSink } from "../core/io/node-sink.ts";
import { type RunSink, type SinkCode, SinkError, unfinishedName } from "../core/io/sink.ts";
import { pythonDumps } from "../core/records/python-json.ts";
import {
  ConfigError,
  configOfText,
  float as floatOf,
  isPythonObject,
  type PythonObject,
  pythonTree,
} from "../core/records/python-values.ts";
import { METRICS_FILE } from "../core/records/read.ts";
import { metricsText } from "../core/records/write-metrics.ts";
import {
  createWitness,
  deviceOf,
  runIdOf,
  type WitnessContent,
  witnessName,
} from "../core/records/write-witness.ts";
import { type DeviceFacts, lookUpDevice } from "./device.ts";
import type {
  MetricInput,
  PythonFloat,
  WitnessNotWritten,
  WitnessOptions,
  WitnessWritten,
} from "./record-types.ts";

export type * from "./record-types.ts";

/** A whole number that Python holds as a float: `float(1)` is 1.0 in the file and in the hash. */
export function float(value: number): PythonFloat {
  return floatOf(value);
}

/**
 * Writes `observed.attempt<N>.json`: rank 0 alone, and never in the place of another. Made for a `finally`: it never throws and never
 * rejects, the outcome says what happened. With `device` given the file is on the disk before the call returns, so an exit handler can
 * call it too; without, nvidia-smi gets a few seconds first.
 *
 * @param dir folder of the run; made when missing
 */
export function writeWitness(
  dir: string,
  options: WitnessOptions = {},
): Promise<WitnessWritten | WitnessNotWritten> {
  try {
    const refusal = refusalOf(options);
    if (refusal) return Promise.resolve(refusal);
    const device = deviceOf(options.device);
    if (device !== null)
      return Promise.resolve(write(dir, options, { device, deviceName: null, problem: "" }));
    return lookUpDevice(process.env).then(
      (facts) => write(dir, options, facts),
      () => write(dir, options, { device: "cpu", deviceName: null, problem: "the device is not known" }),
    );
  } catch {
    return Promise.resolve(notWritten("io-error", "", "something went wrong inside Flight Deck"));
  }
}

/**
 * Writes metrics.json, in the place of one that is there: all rows or, when one of them is wrong, none.
 *
 * @param dir folder of the run; made when missing
 * @param rows each exactly `{benchmark, metric, horizon, seed, value}`: two texts, two numbers, texts or nulls, and a finite number
 * @throws {@link MetricRowsError} naming every bad row and field; {@link RecordNotWritten}
 */
export function writeMetrics(dir: string, rows: readonly MetricInput[]): void {
  const bytes = new TextEncoder().encode(metricsText(rows));
  const sink = nodeSink(dir);
  sink.makeFolder("");
  // A name of its own: two processes that write at once leave one whole file or the other.
  const unfinished = unfinishedName(METRICS_FILE, `.${randomUUID()}`);
  try {
    sink.createExclusive(unfinished, bytes);
    sink.rename(unfinished, METRICS_FILE);
  } catch (error) {
    removeQuietly(sink, unfinished);
    throw error instanceof SinkError ? new SinkError(error.code, METRICS_FILE, error.system) : error;
  }
}

function removeQuietly(sink: RunSink, file: string): void {
  try {
    sink.remove(file);
  } catch {
    // Why it could not be written is the news, not that it could not be cleared away.
  }
}

function refusalOf(options: WitnessOptions): WitnessNotWritten | null {
  const rank = options.rank ?? Number(process.env["RANK"] ?? 0);
  if (rank !== 0) return notWritten("rank", "", "rank 0 alone writes the witness");
  if (runId(options) === null) {
    const isGiven = options.runId !== undefined || process.env["FOUNDRY_RUN_ID"] !== undefined;
    return notWritten(
      "run-id",
      "",
      isGiven ? "the run id is no integer" : "FOUNDRY_RUN_ID is not set, and no run id was given",
    );
  }
  const { attempt } = options;
  if (attempt === undefined || (Number.isSafeInteger(attempt) && attempt >= 0)) return null;
  return notWritten("attempt", "", "the attempt is no whole number from 0");
}

const runId = (options: WitnessOptions): bigint | null =>
  runIdOf(String(options.runId ?? process.env["FOUNDRY_RUN_ID"] ?? ""));

function notWritten(reason: WitnessNotWritten["reason"], file: string, message: string): WitnessNotWritten {
  return { written: false, reason, file, message };
}

function write(dir: string, options: WitnessOptions, found: DeviceFacts): WitnessWritten | WitnessNotWritten {
  try {
    const problems = found.problem === "" ? [] : [found.problem];
    const content = contentOf(options, found, problems);
    const attempt = createWitness(nodeSink(dir), content, options.attempt ?? null);
    return { written: true, file: witnessName(attempt), attempt, configHash: content.configHash, problems };
  } catch (error) {
    const code = error instanceof SinkError ? error.code : "io-error";
    const file = error instanceof SinkError ? error.file : "";
    return notWritten(code, file, WORDS[code]);
  }
}

const WORDS: Readonly<Record<SinkCode, string>> = {
  exists: "the attempt has its witness already, and none is ever replaced",
  "no-space": "there is no space left on the disk",
  "permission-denied": "it may not be written here",
  "not-found": "the folder is gone, or its name leads nowhere",
  "io-error": "it cannot be written",
};

function contentOf(
  options: WitnessOptions,
  { device, deviceName }: DeviceFacts,
  problems: string[],
): Omit<WitnessContent, "attempt"> {
  const config = configOf(options);
  if (typeof config === "string") problems.push(`the configuration is left out: ${config}`);
  const known = config !== null && typeof config !== "string" ? config : null;
  const figure = (name: string, value: number | null, isGood: (value: number) => boolean): number | null => {
    if (value === null || isGood(value)) return value;
    problems.push(`${name} is left out: it is no such number`);
    return null;
  };
  const isAmount = (value: number): boolean => Number.isFinite(value) && value >= 0;
  if (options.device !== undefined && deviceOf(options.device) === null)
    problems.push("device is none of cuda, mps and cpu: it was looked up");
  const { deviceName: name = deviceName } = options;
  const elapsed = options.elapsedSeconds === undefined ? process.uptime() : options.elapsedSeconds;
  const cpus = options.cpuAllocation === undefined ? availableParallelism() : options.cpuAllocation;
  return {
    runId: runId(options) ?? 0n,
    config: known,
    configHash: known && hashOf(known),
    configProblem: typeof config === "string" ? config : null,
    device,
    deviceName: typeof name === "string" ? name : null,
    peakMemoryBytes: figure(
      "peakMemoryBytes",
      options.peakMemoryBytes ?? null,
      (n) => Number.isSafeInteger(n) && n >= 0,
    ),
    cpuAllocation: figure("cpuAllocation", cpus, isAmount),
    elapsedSeconds: figure("elapsedSeconds", elapsed, isAmount),
  };
}

/** A text is why there is none. */
function configOf({ config, configText }: WitnessOptions): PythonObject | string | null {
  if (config === undefined && configText === undefined) return null;
  try {
    if (configText !== undefined) return configOfText(configText);
    const tree = pythonTree(config);
    return isPythonObject(tree) ? tree : "it is not an object";
  } catch (error) {
    return error instanceof ConfigError ? error.message : "it cannot be read";
  }
}

/** As {@link configHash}, at once. */
function hashOf(config: PythonObject): string {
  return createHash("sha256").update(pythonDumps(config)).digest("hex").slice(0, 16);
}
