/** `flight-deck witness RUN --write`: the witness of an attempt, for launchers and for loops in any language. */
import fs from "node:fs";
import { decodeUtf8 } from "../core/format/text.ts";
import { ConfigError, configOfText, type PythonObject } from "../core/records/python-values.ts";
import { type Device, deviceOf } from "../core/records/write-witness.ts";
import { writeWitness } from "../recorder/records.ts";
import { type Parsed, UsageError } from "./args.ts";
import { type Context, DONE, FAILED } from "./context.ts";
import { type JsonRecord, strictJson } from "./json.ts";
import { oneLine } from "./terminal.ts";

/** A null was not given. */
export interface WitnessWriteOptions {
  /** A JSON file. */
  readonly config: string | null;
  readonly attempt: number | null;
  readonly runId: string | null;
  readonly rank: number | null;
  readonly device: string | null;
  readonly deviceName: string | null;
  readonly peakMemory: number | null;
  readonly cpus: number | null;
  readonly elapsed: number | null;
  readonly json: boolean;
}

/** @throws UsageError for a configuration, device or run id that cannot be used */
export async function writeAttempt(
  context: Context,
  folder: string,
  options: WitnessWriteOptions,
): Promise<number> {
  const { attempt, runId, rank, cpus } = options;
  const result = await writeWitness(folder, {
    ...(options.config === null ? {} : { configText: readConfig(options.config).text }),
    ...(attempt === null ? {} : { attempt }),
    ...(runId === null ? {} : { runId }),
    ...(rank === null ? {} : { rank }),
    ...(options.device === null ? {} : { device: toDevice(options.device) }),
    ...(options.deviceName === null ? {} : { deviceName: options.deviceName }),
    ...(cpus === null ? {} : { cpuAllocation: cpus }),
    peakMemoryBytes: options.peakMemory,
    // How long this command has run says nothing about the attempt.
    elapsedSeconds: options.elapsed,
  });
  if (!result.written && result.reason === "run-id") throw new UsageError(result.message);
  if (!result.written && result.reason !== "rank") {
    const where = result.file === "" ? folder : `${folder.replace(/\/$/, "")}/${result.file}`;
    context.err(oneLine(`flight-deck: ${where}: ${result.message}`));
    return FAILED;
  }
  context.out(options.json ? strictJson(outcomeJson(result)) : outcomeText(result));
  if (result.written) for (const problem of result.problems) context.err(oneLine(`flight-deck: ${problem}`));
  return DONE;
}

type Outcome = Awaited<ReturnType<typeof writeWitness>>;

function outcomeJson(result: Outcome): JsonRecord {
  if (!result.written) return { written: false, reason: result.reason, message: result.message };
  const { file, attempt, configHash, problems } = result;
  return { written: true, file, attempt, config_hash: configHash, problems: [...problems] };
}

function outcomeText(result: Outcome): string {
  if (!result.written) return `nothing written: ${result.message}`;
  return `${result.file} written${result.configHash === null ? "" : `, config_hash ${result.configHash}`}`;
}

/** What says something of an attempt that is written is no filter of those that are shown. */
const WRITING = ["attempt", "run-id", "rank", "device", "device-name", "peak-memory", "cpus", "elapsed"];

/** @throws UsageError */
export function refuseUnlessWriting(args: Pick<Parsed, "text">): void {
  const [name] = WRITING.filter((option) => args.text(option) !== null);
  if (name !== undefined) throw new UsageError(`--${name} goes with --write`);
}

function toDevice(text: string): Device {
  const device = deviceOf(text);
  if (device === null) throw new UsageError("--device is one of cuda, mps, cpu");
  return device;
}

/** A configuration as it stands in a JSON file: each number keeps its spelling. @throws UsageError */
export function readConfig(file: string): { readonly text: string; readonly tree: PythonObject } {
  let bytes: Uint8Array;
  try {
    bytes = fs.readFileSync(file);
  } catch {
    throw new UsageError(`${file} cannot be read`);
  }
  const { text, invalid } = decodeUtf8(bytes);
  if (invalid) throw new UsageError(`${file} cannot be used: it is not UTF-8`);
  try {
    return { text, tree: configOfText(text) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new UsageError(`${file} cannot be used: ${error.message}`);
  }
}
