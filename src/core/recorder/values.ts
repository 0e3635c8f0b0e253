/** Single values as callers give them → as columns hold them. What Python's recorder takes is taken: whole floats for integers, numbers as text, booleans. */
import { BadRecord, shortName, wellFormed } from "./bad.ts";

/** In place of a time stamp: the row has none. */
export const UNTIMED = "none";

const MIN_INT = -(2n ** 63n);
const MAX_INT = 2n ** 63n - 1n;
const NUMBER = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i;
const NOT_FINITE = /^\s*([+-]?)(nan|inf|infinity)\s*$/i;

/** @throws BadRecord */
export function toDouble(value: unknown, name: string): number {
  switch (typeof value) {
    case "number":
      return value;
    case "boolean":
      return value ? 1 : 0;
    case "bigint": {
      const number = Number(value);
      if (!Number.isFinite(number)) throw new BadRecord(`${shortName(name)} is too large`);
      return number;
    }
    case "string":
      return numberOf(value) ?? refuse(value, name, "a number");
    default:
      return refuse(value, name, "a number");
  }
}

/** @throws BadRecord */
export function toInteger(value: unknown, name: string): bigint {
  const whole = integerOf(value);
  if (whole === null) return refuse(value, name, "a whole number");
  if (whole < MIN_INT || whole > MAX_INT) throw new BadRecord(`${shortName(name)} is beyond 64 bits`);
  return whole;
}

function integerOf(value: unknown): bigint | null {
  if (typeof value === "bigint") return value;
  if (typeof value === "boolean") return value ? 1n : 0n;
  const isDigits = typeof value === "string" && /^\s*[+-]?\d{1,400}\s*$/.test(value);
  if (isDigits) return BigInt(value.trim().replace(/^\+/, ""));
  return typeof value === "number" && Number.isInteger(value) ? BigInt(value) : null;
}

/** Text with half characters replaced: Parquet holds UTF-8 only. @throws BadRecord */
export function toText(value: unknown, name: string): string {
  return typeof value === "string" ? wellFormed(value) : refuse(value, name, "text");
}

/** Ids may be numbers. @throws BadRecord */
export function toId(value: unknown, name: string): string {
  const isNumber = typeof value === "bigint" || (typeof value === "number" && Number.isFinite(value));
  return isNumber ? String(value) : toText(value, name);
}

/** @throws BadRecord */
export function toBoolean(value: unknown, name: string): boolean {
  if (typeof value === "boolean") return value;
  return value === 0 || value === 1 ? value === 1 : refuse(value, name, "a boolean");
}

/** Own members of an object or a map. @throws BadRecord */
export function entriesOf(value: unknown, name: string): [string, unknown][] {
  if (value instanceof Map) return [...value].map(([key, v]) => [String(key), v]);
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject || ArrayBuffer.isView(value)) return refuse(value, name, "an object");
  return Object.entries(value);
}

/** A list or a typed array. @throws BadRecord */
export function itemsOf(value: unknown, name: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (ArrayBuffer.isView(value) && !(value instanceof DataView))
    return Array.from(value as unknown as ArrayLike<number | bigint>);
  return refuse(value, name, "a list");
}

function numberOf(text: string): number | null {
  if (NUMBER.test(text)) return Number(text);
  const odd = NOT_FINITE.exec(text);
  if (!odd) return null;
  if (odd[2]?.toLowerCase() === "nan") return Number.NaN;
  return odd[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

function refuse(value: unknown, name: string, wanted: string): never {
  throw new BadRecord(`${shortName(name)} is ${kind(value)}, not ${wanted}`);
}

function kind(value: unknown): string {
  if (value === null || value === undefined) return "missing";
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return "a list";
  if (typeof value === "object") return "an object";
  if (typeof value === "string") return "text";
  if (typeof value === "number")
    return Number.isFinite(value) ? (Number.isInteger(value) ? "a number" : "a fraction") : "not finite";
  return `a ${typeof value}`;
}
