/** Run records beside a recording, or alone in a folder: witnesses of attempts and metric rows (ADR 0008). */
import { FlightDeckError, type Warn } from "../format/problems.ts";
import type { MetricRow, RunRecords, Witness } from "../format/records.ts";
import { configHashIn } from "./config-hash.ts";
import { readMetrics } from "./metrics.ts";
import { attemptOf, readWitness, WITNESS_PREFIX } from "./witness.ts";

export const METRICS_FILE = "metrics.json";

/** Bytes of one witness, and of metrics.json, that are read; a larger file is left out and named. */
export const WITNESS_LIMIT = 16 * 1024 * 1024;
export const METRICS_LIMIT = 64 * 1024 * 1024;

/** A regular file of the run folder. */
export interface RecordFile {
  readonly name: string;
  readonly size: number;
  read(): Promise<Uint8Array>;
}

/** Is a file of this name any business of {@link readRecords}? */
export function isRecordName(name: string): boolean {
  return name === METRICS_FILE || name.startsWith(WITNESS_PREFIX);
}

/**
 * Reads the run records of a folder. A record that cannot be read is reported and left out; nothing is thrown for it.
 *
 * @param files of the folder; names that are no records' are passed over
 * @param manifestBytes manifest.json as it is, or null: its trainer_config is hashed by the same rule
 * @throws FlightDeckError `aborted` only
 */
export async function readRecords(
  files: readonly RecordFile[],
  manifestBytes: Uint8Array | null,
  warn: Warn,
): Promise<RunRecords> {
  const metricsFile = files.find(({ name }) => name === METRICS_FILE);
  const metrics: MetricRow[] = [];
  if (metricsFile) {
    const bytes = await load(metricsFile, METRICS_LIMIT, warn);
    if (bytes) for (const row of readMetrics(bytes, METRICS_FILE, warn)) metrics.push(row);
  }
  return {
    witnesses: await readWitnesses(files, warn),
    metrics,
    manifestConfigHash: manifestBytes && (await configHashIn(manifestBytes, "trainer_config")),
  };
}

async function readWitnesses(files: readonly RecordFile[], warn: Warn): Promise<Witness[]> {
  const named: { readonly file: RecordFile; readonly attempt: number }[] = [];
  for (const file of files) {
    if (!file.name.startsWith(WITNESS_PREFIX)) continue;
    const attempt = attemptOf(file.name);
    if (attempt !== null) named.push({ file, attempt });
    else if (file.name.endsWith(".json")) {
      warn("attempt-name", file.name, "the name states no attempt number: not read as a witness");
    } else warn("stray-file", file.name, "no part of a run", { level: "info" });
  }
  named.sort((a, b) => a.attempt - b.attempt);
  warnGaps(
    named.map(({ attempt }) => attempt),
    warn,
  );
  const witnesses: Witness[] = [];
  for (const { file, attempt } of named) {
    const bytes = await load(file, WITNESS_LIMIT, warn);
    const witness = bytes && (await readWitness(bytes, file.name, attempt, warn));
    if (witness) witnesses.push(witness);
  }
  return witnesses;
}

/** An attempt without a witness: it was killed before it could write one, or its file is gone. */
function warnGaps(attempts: readonly number[], warn: Warn): void {
  const first = attempts[0];
  const last = attempts.at(-1);
  if (first === undefined || last === undefined) return;
  const missing = last - Math.min(first, 1) + 1 - attempts.length;
  if (missing === 0) return;
  warn("attempt-gap", `${WITNESS_PREFIX}${last}.json`, `${missing} earlier attempts left no witness`, {
    count: missing,
    level: "info",
  });
}

async function load(file: RecordFile, limit: number, warn: Warn): Promise<Uint8Array | null> {
  if (file.size > limit) {
    warn("size-limit", file.name, `larger than ${limit / 1024 / 1024} MB: not read`);
    return null;
  }
  try {
    return await file.read();
  } catch (error) {
    if (!(error instanceof FlightDeckError) || error.code === "aborted") throw error;
    const code =
      error.code === "permission-denied" || error.code === "not-a-regular-file" ? error.code : "io-error";
    warn(code, file.name, "the file cannot be read");
    return null;
  }
}
