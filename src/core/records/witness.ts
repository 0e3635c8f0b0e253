/** observed.attempt<N>.json: the witness of one attempt (ADR 0008). */
import { isJsonObject, type JsonObject, type JsonValue, kindOf } from "../format/json.ts";
import { readJsonFile } from "../format/json-file.ts";
import type { Warn } from "../format/problems.ts";
import type { Witness } from "../format/records.ts";
import { configHashIn } from "./config-hash.ts";

/** The newest run_record_format that this reader understands. */
export const RECORD_FORMAT = 1;
export const WITNESS_PREFIX = "observed.attempt";

/** The ADR names what a witness holds, not the keys: ours first, then what others may call it. */
const CONFIG_KEYS = ["config", "configuration", "loaded_config", "loaded_configuration"];
const HASH_KEYS = ["config_hash", "configuration_hash", "config_sha256"];
const ATTEMPT_KEYS = ["attempt", "attempt_id", "attempt_number"];

/** The attempt that a file's name states: no sign, no leading zeros, as the writer spells it. */
export function attemptOf(name: string): number | null {
  const match = /^observed\.attempt(0|[1-9]\d*)\.json$/.exec(name);
  const attempt = match ? Number(match[1]) : Number.NaN;
  return Number.isSafeInteger(attempt) ? attempt : null;
}

/** @returns null when the file cannot be read as a witness; why is reported */
export async function readWitness(
  bytes: Uint8Array,
  file: string,
  attempt: number,
  warn: Warn,
): Promise<Witness | null> {
  // Under another format even a key that stands twice may be as it should be: nothing is said before the format is known.
  const noticed: Parameters<Warn>[] = [];
  const later: Warn = (...warning) => noticed.push(warning);
  // Its configuration is whatever Python had, exactly; the hash says whether it is whole.
  const read = readJsonFile(bytes, file, later, { countDuplicates: true, anyNumbers: true });
  if (!read.ok) {
    warn("record-unreadable", file, `the file ${read.why}`);
    return null;
  }
  const fields = read.value;
  if (!isJsonObject(fields)) {
    warn("record-shape", file, `the file holds ${kindOf(fields)}, not an object`);
    return null;
  }
  if (!checkFormat(fields, file, warn)) return null;
  for (const warning of noticed) warn(...warning);
  checkAttempt(fields, attempt, file, warn);
  const configKey = CONFIG_KEYS.find((key) => isJsonObject(fields[key]));
  const config = configKey === undefined ? null : (fields[configKey] as JsonObject);
  const computedHash = configKey === undefined ? null : await configHashIn(bytes, configKey);
  const statedHash = stated(fields, file, warn);
  if (statedHash !== null && computedHash !== null && !matches(statedHash, computedHash)) {
    warn("config-hash-mismatch", file, "config_hash is not that of the configuration beside it");
  }
  return { file, attempt, fields, config, statedHash, computedHash };
}

/** Under another format the other fields can mean anything: false then. */
function checkFormat(fields: JsonObject, file: string, warn: Warn): boolean {
  const format = fields["run_record_format"];
  if (format === RECORD_FORMAT) return true;
  if (format === undefined) {
    warn("record-shape", file, `no run_record_format: read as format ${RECORD_FORMAT}`);
    return true;
  }
  if ((typeof format === "number" || typeof format === "bigint") && format > RECORD_FORMAT) {
    warn("newer-record-format", file, `run_record_format ${format}: this reader knows ${RECORD_FORMAT}`);
  } else {
    warn("record-shape", file, `run_record_format is not ${RECORD_FORMAT}`, { column: "run_record_format" });
  }
  return false;
}

function checkAttempt(fields: JsonObject, attempt: number, file: string, warn: Warn): void {
  const inside = first(fields, ATTEMPT_KEYS);
  if (inside === undefined || inside === null || inside === attempt) return;
  warn("attempt-mismatch", file, `the name says attempt ${attempt}, the file another`);
}

function stated(fields: JsonObject, file: string, warn: Warn): string | null {
  const hash = first(fields, HASH_KEYS) ?? null;
  if (hash === null || typeof hash === "string") return hash;
  warn("record-shape", file, `config_hash is ${kindOf(hash)}; text was expected`, { column: "config_hash" });
  return null;
}

/** A whole digest states the same as its first 16 digits. */
export function matches(statedHash: string, computedHash: string): boolean {
  const hash = statedHash.toLowerCase();
  return hash === computedHash || (/^[0-9a-f]{64}$/.test(hash) && hash.startsWith(computedHash));
}

function first(fields: JsonObject, keys: readonly string[]): JsonValue | undefined {
  const key = keys.find((k) => k in fields);
  return key === undefined ? undefined : fields[key];
}
