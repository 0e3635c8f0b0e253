/**
 * The text that Python's `json.dumps(value, sort_keys=True)` gives for a value read from a JSON file: the bytes
 * that a config_hash is taken over (ADR 0008). Numbers come with their own text, because 1.0 and 1 differ there.
 */
import type { JsonTree } from "../format/json.ts";
import { NumberText } from "../format/json-parse.ts";

/** Recursive: the depth of `value` is bounded by the parser that made it. */
export function pythonDumps(value: JsonTree<NumberText>): string {
  if (value === null) return "null";
  if (typeof value === "boolean") return value ? "true" : "false";
  if (typeof value === "string") return pythonString(value);
  if (value instanceof NumberText) return pythonNumber(value.text);
  if (Array.isArray(value)) return `[${value.map(pythonDumps).join(", ")}]`;
  const object = value as { readonly [key: string]: JsonTree<NumberText> };
  const keys = Object.keys(object).sort(compareCodePoints);
  return `{${keys.map((key) => `${pythonString(key)}: ${pythonDumps(object[key] ?? null)}`).join(", ")}}`;
}

const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\f": "\\f",
  "\b": "\\b",
};

export function pythonString(text: string): string {
  const escaped = text.replace(
    /["\\]|[^ -~]/g,
    (c) => SHORT[c] ?? `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `"${escaped}"`;
}

/** @param text a number as it stands in a JSON file, NaN and Infinity included */
export function pythonNumber(text: string): string {
  if (/^-?\d+$/.test(text)) return text === "-0" ? "0" : text;
  return pythonFloat(text === "NaN" ? Number.NaN : Number(text));
}

/** `repr(value)` in Python, and NaN, Infinity, -Infinity as json.dumps spells them. */
export function pythonFloat(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const [mantissa = "0", power = "0"] = Math.abs(value).toExponential().split("e");
  const digits = mantissa.replace(".", "");
  const exponent = Number(power);
  return sign + (exponent < -4 || exponent >= 16 ? scientific(digits, exponent) : fixed(digits, exponent));
}

function scientific(digits: string, exponent: number): string {
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : "";
  const power = String(Math.abs(exponent)).padStart(2, "0");
  return `${digits.slice(0, 1)}${fraction}e${exponent < 0 ? "-" : "+"}${power}`;
}

function fixed(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  return `${whole}.${digits.slice(exponent + 1) || "0"}`;
}

/** Python compares text by code point, JavaScript by UTF-16 unit. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (at === length) return a.length - b.length;
  const behindHigh = at > 0 && isHigh(a.charCodeAt(at - 1));
  if (behindHigh && isLow(a.charCodeAt(at)) !== isLow(b.charCodeAt(at))) at--;
  return (a.codePointAt(at) ?? 0) - (b.codePointAt(at) ?? 0);
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
