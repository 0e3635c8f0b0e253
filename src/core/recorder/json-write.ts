/** Values as JSON that every reader of recordings takes: NaN and infinite numbers are null, text is well-formed, nesting is bounded. */
import { BadRecord, wellFormed } from "./bad.ts";

/** Readers of recordings refuse deeper nesting than 200. */
export const MAX_DEPTH = 120;

export interface JsonOptions {
  /** Spaces; none puts everything on one line. */
  readonly indent?: number;
  /** Describes what JSON cannot say in place of refusing all of it. */
  readonly lenient?: boolean;
}

/** @throws BadRecord when something in it cannot be said in JSON and it is not lenient */
export function jsonText(value: unknown, options: JsonOptions = {}): string {
  return new Writer(options).text(value, "", 0) ?? "null";
}

class Writer {
  readonly #step: string;
  readonly #lenient: boolean;
  /** What encloses the value at hand: a value inside itself has no end. */
  readonly #above = new Set<object>();

  constructor({ indent = 0, lenient = false }: JsonOptions) {
    this.#step = " ".repeat(indent);
    this.#lenient = lenient;
  }

  /** Undefined for what is no value: an object leaves its key out. */
  text(value: unknown, margin: string, depth: number): string | undefined {
    switch (typeof value) {
      case "string":
        return JSON.stringify(wellFormed(value));
      case "number":
        return Number.isFinite(value) ? (Object.is(value, -0) ? "-0.0" : String(value)) : "null";
      case "bigint":
      case "boolean":
        return String(value);
      case "undefined":
        return undefined;
      case "object":
        return value === null ? "null" : this.#object(value, margin, depth);
      default:
        return this.#other(`[${typeof value}]`, `it holds a ${typeof value}`);
    }
  }

  #object(value: object, margin: string, depth: number): string {
    if (this.#above.has(value)) return this.#other("[circular]", "it holds itself");
    if (depth >= MAX_DEPTH) return this.#other("[too deep]", `it is nested deeper than ${MAX_DEPTH}`);
    this.#above.add(value);
    try {
      const plain = plainOf(value);
      if (plain !== value) return this.text(plain, margin, depth + 1) ?? "null";
      return Array.isArray(plain) ? this.#list(plain, margin, depth) : this.#members(plain, margin, depth);
    } catch (error) {
      if (error instanceof BadRecord) throw error;
      return this.#other("[unreadable]", "it cannot be read");
    } finally {
      this.#above.delete(value);
    }
  }

  #list(values: readonly unknown[], margin: string, depth: number): string {
    const items = Array.from(values, (v) => this.text(v, margin + this.#step, depth + 1) ?? "null");
    return this.#wrapped("[", items, "]", margin);
  }

  #members(value: object, margin: string, depth: number): string {
    const colon = this.#step === "" ? ":" : ": ";
    const members = new Map<string, string>();
    for (const key of Object.keys(value)) {
      const text = this.text(this.#member(value, key), margin + this.#step, depth + 1);
      // Keys that differ in half a character only would be one key twice.
      if (text !== undefined) members.set(JSON.stringify(wellFormed(key)), text);
    }
    const items = [...members].map(([key, text]) => key + colon + text);
    return this.#wrapped("{", items, "}", margin);
  }

  #member(value: object, key: string): unknown {
    try {
      return (value as Readonly<Record<string, unknown>>)[key];
    } catch {
      return this.#lenient ? "[unreadable]" : this.#other("", "it cannot be read");
    }
  }

  #wrapped(open: string, items: readonly string[], close: string, margin: string): string {
    if (items.length === 0) return open + close;
    if (this.#step === "") return open + items.join(",") + close;
    const inner = margin + this.#step;
    return `${open}\n${items.map((item) => inner + item).join(",\n")}\n${margin}${close}`;
  }

  #other(description: string, reason: string): string {
    if (!this.#lenient) throw new BadRecord(reason);
    return JSON.stringify(description);
  }
}

/** What objects that are no plain ones stand for. */
function plainOf(value: object): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, v]) => [String(key), v]));
  if (value instanceof Set) return [...value];
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof RegExp) return String(value);
  if (value instanceof Error) return { name: value.name, message: value.message };
  if (ArrayBuffer.isView(value) && !(value instanceof DataView))
    return Array.from(value as unknown as ArrayLike<number | bigint>);
  if (value instanceof Number || value instanceof String || value instanceof Boolean) return value.valueOf();
  const { toJSON } = value as { readonly toJSON?: unknown };
  return typeof toJSON === "function" ? toJSON.call(value) : value;
}
