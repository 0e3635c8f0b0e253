/** Text and values of a recording, kept within bounds for a page. */
import type { JsonValue } from "../core/format/json.ts";
import { t } from "../protocol/l10n.ts";

/** Never between the halves of a surrogate pair. Says how long the text really is. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = isHighSurrogate(text.charCodeAt(limit - 1)) ? limit - 1 : limit;
  return t("{0}… ({1} characters)", text.slice(0, end), text.length.toLocaleString("en-US"));
}

/** The first `limit` UTF-16 units, never half a character. */
export function head(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return text.slice(0, limit > 0 && isHighSurrogate(text.charCodeAt(limit - 1)) ? limit - 1 : limit);
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;

const MAX_DEPTH = 64;

/** JSON on one line, as Python writes it (NaN and Infinity as such, integers exact), `limit` characters at most. */
export function jsonText(value: JsonValue, limit: number): string {
  const writer = new JsonWriter(limit);
  writer.write(value, 0);
  return writer.text();
}

class JsonWriter {
  readonly #limit: number;
  readonly #pieces: string[] = [];
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get #isFull(): boolean {
    return this.#length > this.#limit;
  }

  text(): string {
    const text = this.#pieces.join("");
    if (text.length <= this.#limit) return text;
    const end = isHighSurrogate(text.charCodeAt(this.#limit - 1)) ? this.#limit - 1 : this.#limit;
    return `${text.slice(0, end)}…`;
  }

  write(value: JsonValue, depth: number): void {
    if (this.#isFull) return;
    if (typeof value === "string") this.#put(JSON.stringify(value.slice(0, this.#limit)));
    else if (typeof value !== "object" || value === null) this.#put(String(value));
    else if (depth >= MAX_DEPTH) this.#put("…");
    else if (isList(value)) this.#list(value, depth);
    else this.#object(value, depth);
  }

  #list(values: readonly JsonValue[], depth: number): void {
    this.#put("[");
    for (let i = 0; i < values.length && !this.#isFull; i++) {
      if (i > 0) this.#put(", ");
      this.write(values[i] ?? null, depth + 1);
    }
    this.#put("]");
  }

  #object(value: { readonly [key: string]: JsonValue }, depth: number): void {
    this.#put("{");
    let isFirst = true;
    for (const [key, item] of Object.entries(value)) {
      if (this.#isFull) break;
      this.#put(`${isFirst ? "" : ", "}${JSON.stringify(key.slice(0, this.#limit))}: `);
      isFirst = false;
      this.write(item, depth + 1);
    }
    this.#put("}");
  }

  #put(piece: string): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
  }
}

/** `Array.isArray` does not tell a readonly list from an object. */
export function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** "4 s", "12 min", "3 h 05 min", "2 d 4 h": for sentences, two units at most. */
export function duration(seconds: number): string {
  const s = Math.max(0, Math.round(seconds));
  if (s < 120) return `${s} s`;
  const minutes = Math.floor(s / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) {
    const rest = minutes % 60;
    return rest === 0 ? `${hours} h` : `${hours} h ${String(rest).padStart(2, "0")} min`;
  }
  const days = Math.floor(hours / 24);
  return hours % 24 === 0 ? `${days} d` : `${days} d ${hours % 24} h`;
}
