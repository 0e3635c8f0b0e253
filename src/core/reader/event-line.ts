/** One JSON object of events.jsonl → RunEvent; every deviation is named, and costs as little as it can. */
import type { RunEvent } from "../format/event.ts";
import { EMPTY_OBJECT, isJsonObject, type JsonObject, type JsonValue, kindOf } from "../format/json.ts";
import type { WarningCode } from "../format/problems.ts";
import { BIDI_CHARS, CONTROL_CHARS, INVISIBLE_CHARS } from "../format/text.ts";

/** Where the deviations of a line go; `column` is the field. */
export type Report = (code: WarningCode, detail: string, column?: string, level?: "info" | "warning") => void;

const KNOWN = new Set(["timestamp", "kind", "step", "rank", "message", "data"]);

/** @returns null when the object is no event: it has no kind */
export function toEvent(object: JsonObject, defaultRank: number, report: Report): RunEvent | null {
  const kind = kindOfEvent(object["kind"] ?? null, report);
  if (kind === null) return null;
  const event = {
    timestamp: timestamp(object["timestamp"] ?? null, report),
    kind,
    step: step(object["step"] ?? null, report),
    rank: rank(object["rank"], defaultRank, report),
    message: message(object["message"] ?? "", report),
    data: data(object["data"] ?? EMPTY_OBJECT, report),
  };
  const extra = unknownKeys(object);
  return extra ? { ...event, extra } : event;
}

function kindOfEvent(value: JsonValue, report: Report): string | null {
  if (typeof value === "string") return value;
  if (value !== null && typeof value !== "object") {
    report("coerced-type", "kind is not text", "kind");
    return String(value);
  }
  report("bad-line", "the line has no kind: left out");
  return null;
}

const ISO = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)?\s?(Z|[+-]\d\d:?\d\d)?$/;
const DECIMAL = /^-?\d{1,20}(?:\.\d{1,20})?$/;

function timestamp(value: JsonValue, report: Report): number {
  if (typeof value === "number") return Number.isFinite(value) ? value : Number.NaN;
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "string") {
    const seconds = secondsOf(value.trim());
    if (!Number.isNaN(seconds)) {
      report("coerced-type", "timestamp is text", "timestamp");
      return seconds;
    }
  }
  report("bad-line", `timestamp is ${kindOf(value)}: the event has no time`, "timestamp");
  return Number.NaN;
}

function secondsOf(text: string): number {
  if (DECIMAL.test(text)) return Number(text);
  const iso = ISO.exec(text);
  if (!iso) return Number.NaN;
  // Python's isoformat() without a zone is most often UTC, and the same on every machine only so.
  const zoned = iso[1] || text.length === 10 ? text : `${text}Z`;
  return Date.parse(zoned.replace(" ", "T")) / 1000;
}

function step(value: JsonValue, report: Report): number | bigint | null {
  if (value === null) return null;
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  if (typeof value === "bigint" && value >= -(2n ** 63n) && value < 2n ** 64n) {
    report("unsafe-integer", "step is beyond 2^53", "step");
    return value;
  }
  if (typeof value === "string" && /^-?\d{1,15}$/.test(value)) {
    report("coerced-type", "step is text", "step");
    return Number(value);
  }
  const found =
    typeof value === "number" || typeof value === "bigint" ? "no whole number that fits" : kindOf(value);
  report("bad-line", `step is ${found}: the event has no step`, "step");
  return null;
}

function rank(value: JsonValue | undefined, defaultRank: number, report: Report): number {
  if (value === undefined || value === null) return defaultRank;
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  report("coerced-type", `rank is ${kindOf(value)}`, "rank");
  return defaultRank;
}

function message(value: JsonValue, report: Report): string {
  if (typeof value === "string") return value;
  report("coerced-type", `message is ${kindOf(value)}`, "message");
  return typeof value === "object" ? "" : String(value);
}

function data(value: JsonValue, report: Report): JsonObject {
  if (isJsonObject(value)) return isEmpty(value) ? EMPTY_OBJECT : value;
  report("coerced-type", `data is ${kindOf(value)}, not an object`, "data");
  return keyed([["value", value]]);
}

function isEmpty(object: JsonObject): boolean {
  for (const _ in object) return false;
  return true;
}

function keyed(entries: readonly (readonly [string, JsonValue])[]): JsonObject {
  const out = Object.setPrototypeOf({}, null) as { [key: string]: JsonValue };
  for (const [key, value] of entries) out[key] = value;
  return out;
}

function unknownKeys(object: JsonObject): JsonObject | null {
  const unknown: [string, JsonValue][] = [];
  for (const key in object) if (!KNOWN.has(key)) unknown.push([key, object[key] ?? null]);
  return unknown.length ? keyed(unknown) : null;
}

/** Could a line, as it stands in the file, hold characters that mislead the eye? Escapes count. */
export function mayMislead(line: string): boolean {
  return /\\u|[^\x20-\x7e]/.test(line);
}

/** Reports control, direction and invisible characters in what an event shows. */
export function reportMisleading(event: RunEvent, report: Report): void {
  const pending: JsonValue[] = [event.kind, event.message, event.data, event.extra ?? null];
  let control = false;
  let bidi = false;
  let invisible = false;
  while (pending.length) {
    const value = pending.pop() ?? null;
    if (typeof value === "string") {
      control ||= CONTROL_CHARS.test(value);
      bidi ||= BIDI_CHARS.test(value);
      invisible ||= INVISIBLE_CHARS.test(value);
    } else if (Array.isArray(value)) {
      for (const item of value) if (typeof item === "string" || typeof item === "object") pending.push(item);
    } else if (isJsonObject(value)) {
      for (const key in value) pending.push(key, value[key] ?? null);
    }
  }
  if (control) report("control-chars", "control characters in an event's text");
  if (bidi) report("bidi-chars", "characters that reorder text in an event");
  if (invisible) report("invisible-chars", "invisible characters in an event's text");
}
