/** observed.attempt<N>.json as it is written: what the process of one attempt really ran (ADR 0008). */
import { NumberText } from "../format/json-parse.ts";
import { type RunSink, SinkError } from "../io/sink.ts";
import { float, type PythonObject, type PythonTree } from "./python-values.ts";
import { recordJson } from "./record-json.ts";
import { attemptOf, RECORD_FORMAT, WITNESS_PREFIX } from "./witness.ts";

/** ROCm goes by "cuda", as PyTorch has it. */
export type Device = "cuda" | "mps" | "cpu";

/** @returns `null` for what is no device; "cuda:0" is "cuda" */
export function deviceOf(text: unknown): Device | null {
  const match = typeof text === "string" ? /^(cuda|mps|cpu)(:\d+)?$/.exec(text) : null;
  return (match?.[1] as Device | undefined) ?? null;
}

/** A value is `null` where nobody knows it. */
export interface WitnessContent {
  readonly runId: bigint;
  readonly attempt: number;
  /** The loaded configuration. */
  readonly config: PythonObject | null;
  /** Its {@link configHash}. */
  readonly configHash: string | null;
  /** Why there is no configuration although there should be one: a key of its own in the file. */
  readonly configProblem?: string | null;
  readonly device: Device;
  readonly deviceName: string | null;
  readonly peakMemoryBytes: number | null;
  /** Processors. */
  readonly cpuAllocation: number | null;
  readonly elapsedSeconds: number | null;
}

/** The text of the file. On a CPU the device's name and memory are null, whatever was given. */
export function witnessText(content: WitnessContent): string {
  const { config, configHash, configProblem, device, cpuAllocation, elapsedSeconds } = content;
  const isCpu = device === "cpu";
  const fields: [string, PythonTree][] = [
    ["run_record_format", int(RECORD_FORMAT)],
    ["run_id", int(content.runId)],
    ["attempt", int(content.attempt)],
    ["config", config],
    ["config_hash", configHash],
    ["device", device],
    ["device_name", isCpu ? null : content.deviceName],
    ["peak_memory_bytes", isCpu ? null : orNull(content.peakMemoryBytes, int)],
    ["cpu_allocation", orNull(cpuAllocation, (n) => (Number.isSafeInteger(n) ? int(n) : float(n)))],
    ["elapsed_seconds", orNull(elapsedSeconds, float)],
  ];
  if (configProblem) fields.push(["config_problem", configProblem]);
  return `${recordJson(Object.fromEntries(fields))}\n`;
}

export const witnessName = (attempt: number): string => `${WITNESS_PREFIX}${attempt}.json`;

/** The attempt after all that left a file, whatever is in it; the first is 1. */
export function nextAttempt(names: readonly string[]): number {
  return names.reduce((next, name) => Math.max(next, (attemptOf(name) ?? 0) + 1), 1);
}

/** @param text as a launcher sets it: an integer of any size; `null` for anything else */
export function runIdOf(text: string | undefined): bigint | null {
  const trimmed = text?.trim() ?? "";
  return /^[+-]?\d{1,400}$/.test(trimmed) ? BigInt(trimmed.replace(/^\+/, "")) : null;
}

const int = (value: number | bigint): NumberText => new NumberText(String(value));

const orNull = (value: number | null, write: (value: number) => NumberText): NumberText | null =>
  value === null ? null : write(value);

/** Files that appeared while a free number was looked for; more is no race but a folder that answers wrongly. */
const RACES = 1000;

/**
 * Writes the witness of an attempt where there is none yet: of two processes at once one writes, and nothing is ever replaced.
 *
 * @param attempt the launcher's; `null` for the next one that is free, then a race ends with a number for each
 * @returns the attempt that was written
 * @throws SinkError `exists` when that attempt has a file, whatever it is
 */
export function createWitness(
  sink: RunSink,
  content: Omit<WitnessContent, "attempt">,
  attempt: number | null,
): number {
  sink.makeFolder("");
  let next = attempt ?? nextAttempt(sink.list(""));
  for (let races = 0; ; races++) {
    const bytes = new TextEncoder().encode(witnessText({ ...content, attempt: next }));
    try {
      sink.createExclusive(witnessName(next), bytes);
      return next;
    } catch (error) {
      const isTaken = error instanceof SinkError && error.code === "exists";
      if (!isTaken || attempt !== null || races === RACES) throw error;
      next = Math.max(next + 1, nextAttempt(sink.list("")));
    }
  }
}
