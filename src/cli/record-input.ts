/** What one line of `flight-deck record`'s input says. JSON as Python writes it, NaN and Infinity included. */
import { isJsonObject, type JsonObject, type JsonValue, kindOf } from "../core/format/json.ts";
import { type JsonFault, parseJson } from "../core/format/json-parse.ts";
import { SCHEMA_VERSION } from "../core/format/manifest.ts";
import { BadRecord } from "../core/recorder/bad.ts";
import { sampleRow, stepRow } from "../core/recorder/rows.ts";
import { toInteger } from "../core/recorder/values.ts";
import type {
  EventOptions,
  RecorderOptions,
  SampleInput,
  StepMetrics,
  StepOptions,
} from "../recorder/types.ts";

type Step = number | bigint;

export type Said =
  | { readonly type: "run"; readonly options: RecorderOptions; readonly bad: readonly string[] }
  | {
      readonly type: "step";
      readonly step: Step;
      readonly metrics: StepMetrics;
      readonly options: StepOptions;
    }
  | {
      readonly type: "samples";
      readonly step: Step;
      readonly samples: readonly SampleInput[];
      readonly select: boolean;
      /** Of the samples that are left out, why. */
      readonly bad: readonly string[];
    }
  | { readonly type: "event"; readonly kind: string; readonly options: EventOptions };

/** @throws BadRecord when it says nothing that can be recorded; the reason holds no value of the line */
export function said(text: string): Said {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new BadRecord(faultOf(parsed));
  const { value } = parsed;
  if (!isJsonObject(value)) throw new BadRecord(`it is ${kindOf(value)}, not an object`);
  const { type, ...fields } = value;
  // The rest keeps the prototype of nobody: a metric can have any name.
  Object.setPrototypeOf(fields, null);
  switch (type) {
    case "run":
      return runOf(fields);
    case "step":
      return stepOf(fields);
    case "samples":
      return samplesOf(fields);
    case "event":
      return eventOf(fields);
    case undefined:
      throw new BadRecord("it has no type");
    default:
      throw new BadRecord("its type is none of run, step, samples and event");
  }
}

function faultOf({ reason, at }: JsonFault): string {
  if (reason === "end") return "it is no JSON: it ends too early";
  return `it is no JSON (character ${at + 1})`;
}

/** @throws BadRecord */
function whole(value: JsonValue | undefined): Step {
  if (value === undefined || value === null) throw new BadRecord("step is missing");
  const integer = toInteger(value, "step");
  const number = Number(integer);
  return Number.isSafeInteger(number) ? number : integer;
}

function stepOf(fields: JsonObject): Said {
  const { step: given, timestamp, ...metrics } = fields;
  Object.setPrototypeOf(metrics, null);
  const step = whole(given);
  const time = timestamp === null ? undefined : timestamp;
  // What the recorder would refuse is refused here, where the line is known.
  stepRow({ step, metrics, timestamp: time, now: 0, rank: 0 });
  return {
    type: "step",
    step,
    metrics: metrics as StepMetrics,
    options: time === undefined ? {} : { timestamp: Number(time) },
  };
}

function samplesOf({ step: given, samples, select }: JsonObject): Said {
  const step = whole(given);
  if (!Array.isArray(samples)) throw new BadRecord("samples is no list");
  if (select !== undefined && select !== null && typeof select !== "boolean")
    throw new BadRecord("select is neither true nor false");
  const good: SampleInput[] = [];
  const bad: string[] = [];
  samples.forEach((sample: JsonValue, index) => {
    try {
      sampleRow(sample, { step, rank: 0, index });
      good.push(sample as SampleInput);
    } catch (error) {
      if (!(error instanceof BadRecord)) throw error;
      bad.push(`sample ${index + 1}: ${error.message}`);
    }
  });
  return { type: "samples", step, samples: good, select: select !== false, bad };
}

function eventOf({ kind, step, message, data, timestamp, ...others }: JsonObject): Said {
  if (typeof kind !== "string" || kind === "") throw new BadRecord("kind is no text");
  if (message !== undefined && message !== null && typeof message !== "string")
    throw new BadRecord("message is no text");
  if (data !== undefined && data !== null && !isJsonObject(data)) throw new BadRecord("data is no object");
  if (timestamp !== undefined && timestamp !== null && typeof timestamp !== "number")
    throw new BadRecord("timestamp is no number");
  // What the format does not name is kept where there is room for anything.
  const all = Object.keys(others).length === 0 ? data : { ...others, ...data };
  return {
    type: "event",
    kind,
    options: {
      step: step === undefined || step === null ? null : whole(step),
      ...(message ? { message } : {}),
      ...(all ? { data: all } : {}),
      ...(typeof timestamp === "number" ? { timestamp } : {}),
    },
  };
}

type Field = (value: JsonValue) => RecorderOptions | null;

const text = (value: JsonValue): string | null => (typeof value === "string" && value !== "" ? value : null);

/** The manifest's fields, and what a recorder calls them; null for a value that is no such thing. */
const FIELDS: ReadonlyMap<string, readonly [wanted: string, read: Field]> = new Map<
  string,
  readonly [string, Field]
>([
  ["run_id", ["text", (v) => field("runId", typeof v === "number" ? String(v) : text(v))]],
  ["created_at", ["a time as in 2026-01-31T12:00:00+00:00", (v) => field("createdAt", timeOf(v))]],
  ["algorithm", ["text", (v) => field("algorithm", text(v))]],
  ["model_name", ["text", (v) => field("modelName", text(v))]],
  ["world_size", ["a whole number from 1", (v) => field("worldSize", isCount(v) ? v : null)]],
  ["notes", ["text", (v) => field("notes", text(v))]],
  ["trainer_config", ["an object", (v) => field("trainerConfig", isJsonObject(v) ? v : null)]],
  ["environment", ["an object", (v) => field("environment", isJsonObject(v) ? v : null)]],
  ["extra", ["an object", (v) => field("extra", isJsonObject(v) ? v : null)]],
]);

function field<K extends keyof RecorderOptions>(
  name: K,
  value: RecorderOptions[K] | null,
): RecorderOptions | null {
  return value === null ? null : { [name]: value };
}

const isCount = (value: JsonValue): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 1;

function timeOf(value: JsonValue): string | null {
  return typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : null;
}

function runOf(fields: JsonObject): Said {
  let options: RecorderOptions = {};
  const bad: string[] = [];
  const others: Record<string, JsonValue> = Object.setPrototypeOf({}, null);
  for (const [name, value] of Object.entries(fields)) {
    const known = FIELDS.get(name);
    if (name === "schema_version") {
      if (value !== SCHEMA_VERSION)
        bad.push(`schema_version is not ${SCHEMA_VERSION}, which is what is written`);
    } else if (!known) others[name] = value;
    else if (value !== null) {
      const read = known[1](value);
      if (read) options = { ...options, ...read };
      else bad.push(`${name} is not ${known[0]}`);
    }
  }
  // What the format does not name is kept where there is room for anything.
  const extra = { ...others, ...options.extra };
  return { type: "run", options: Object.keys(extra).length > 0 ? { ...options, extra } : options, bad };
}
