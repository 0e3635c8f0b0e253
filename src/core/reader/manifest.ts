import * as z from "zod/mini";
import { EMPTY_OBJECT, isJsonObject, type JsonObject, type JsonValue, kindOf } from "../format/json.ts";
import { readJsonFile } from "../format/json-file.ts";
import { type Manifest, SCHEMA_VERSION } from "../format/manifest.ts";
import { FlightDeckError, type Warn } from "../format/problems.ts";

/**
 * Bytes of a manifest that are read. Callers read one more than this at most: a longer manifest is known by it,
 * and the fields at its beginning are used.
 */
export const MANIFEST_LIMIT = 16 * 1024 * 1024;
/** What is parsed of a manifest that is too long: its fields come first, one endless text makes the rest. */
const HEAD_OF_LONG = 1024 * 1024;

const Text = z.string();
const object = z.custom<JsonObject>((value) => isJsonObject(value as JsonValue));

/** The fields beside schema_version; what does not fit is reported and replaced by the default. */
const FIELDS = {
  run_id: Text.check(z.minLength(1)),
  created_at: Text,
  algorithm: Text,
  model_name: z.nullable(Text),
  world_size: z.int().check(z.minimum(1)),
  trainer_config: object,
  environment: object,
  notes: z.nullable(Text),
  extra: object,
};
type Field = keyof typeof FIELDS;

const REQUIRED: readonly Field[] = ["run_id", "created_at", "algorithm"];

const EXPECTED: Record<Field, string> = {
  run_id: "text",
  created_at: "text",
  algorithm: "text",
  model_name: "text or null",
  world_size: "a whole number from 1",
  trainer_config: "an object",
  environment: "an object",
  notes: "text or null",
  extra: "an object",
};

/**
 * Reads manifest.json. Whatever its bytes are, a manifest comes out, under the folder's name where it has to be.
 *
 * @param bytes the file, {@link MANIFEST_LIMIT} + 1 bytes of it at most
 * @param folderName stands in for a run_id that cannot be used
 * @param file path relative to the run, for warnings
 * @throws FlightDeckError `newer-schema`, `bad-schema-version`; facts: `found`, `supported`
 */
export function parseManifest(
  bytes: Uint8Array,
  folderName: string,
  warn: Warn,
  file = "manifest.json",
): Manifest {
  const long = bytes.length > MANIFEST_LIMIT;
  const read = readJsonFile(long ? bytes.subarray(0, HEAD_OF_LONG) : bytes, file, warn, {
    cut: long,
    tooDeep: "manifest-too-deep",
  });
  if (long) {
    warn("size-limit", file, `larger than ${MANIFEST_LIMIT / 1024 / 1024} MB: only its beginning was read`);
  }
  if (!read.ok) {
    warn("manifest-unreadable", file, `the file ${read.why}`);
    return manifestOf(folderName);
  }
  if (!isJsonObject(read.value)) {
    warn("manifest-unreadable", file, `the file holds ${kindOf(read.value)}, not an object`);
    return manifestOf(folderName);
  }
  const raw = read.value;
  checkVersion(raw, file, warn);
  return readFields(raw, folderName, file, warn);
}

/** The manifest of a run whose manifest.json cannot be used. */
export function manifestOf(folderName: string): Manifest {
  return {
    schema_version: SCHEMA_VERSION,
    run_id: folderName,
    created_at: "",
    algorithm: "",
    model_name: null,
    world_size: 1,
    trainer_config: EMPTY_OBJECT,
    environment: EMPTY_OBJECT,
    notes: null,
    extra: EMPTY_OBJECT,
    raw: EMPTY_OBJECT,
  };
}

/** Before any other field is looked at: under another version the others can mean anything. */
function checkVersion(raw: JsonObject, file: string, warn: Warn): void {
  if (!("schema_version" in raw)) {
    warn("schema-version-assumed", file, `no schema_version: read as version ${SCHEMA_VERSION}`);
    return;
  }
  const stated = raw["schema_version"] ?? null;
  let version = stated;
  if (typeof stated === "string" && /^\d{1,9}$/.test(stated)) {
    version = Number(stated);
    warn("coerced-type", file, "schema_version is text that holds a number", { level: "info" });
  }
  if (version === SCHEMA_VERSION) return;
  const whole = typeof version === "bigint" || Number.isSafeInteger(version);
  const newer = whole && (version as number | bigint) > SCHEMA_VERSION;
  throw new FlightDeckError(newer ? "newer-schema" : "bad-schema-version", file, {
    found: versionText(stated),
    supported: String(SCHEMA_VERSION),
  });
}

/** For a message: numbers as they are, nothing else of the file. */
function versionText(stated: JsonValue): string {
  if (typeof stated === "number") return String(stated);
  if (typeof stated === "bigint") return String(stated).length > 20 ? "a very large number" : String(stated);
  return typeof stated === "string" && /^\d{1,9}$/.test(stated) ? stated : kindOf(stated);
}

function readFields(raw: JsonObject, folderName: string, file: string, warn: Warn): Manifest {
  const defaults = manifestOf(folderName);
  const field = <F extends Field>(name: F): Manifest[F] => {
    if (!(name in raw)) {
      if (REQUIRED.includes(name)) warn("manifest-field", file, `${name} is missing`, { column: name });
      return defaults[name];
    }
    const fits = z.safeParse(FIELDS[name], raw[name]);
    if (fits.success) return fits.data as Manifest[F];
    const empty = raw[name] === "";
    const found = empty ? "empty" : kindOf(raw[name] ?? null);
    warn("manifest-field", file, `${name} is ${found}; ${EXPECTED[name]} was expected`, { column: name });
    return defaults[name];
  };
  return {
    schema_version: SCHEMA_VERSION,
    run_id: field("run_id"),
    created_at: field("created_at"),
    algorithm: field("algorithm"),
    model_name: field("model_name"),
    world_size: field("world_size"),
    trainer_config: field("trainer_config"),
    environment: field("environment"),
    notes: field("notes"),
    extra: field("extra"),
    raw,
  };
}
