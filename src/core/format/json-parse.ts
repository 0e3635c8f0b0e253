/**
 * JSON as Python writes it, read leniently and within bounds.
 *
 * Beyond RFC 8259: the tokens NaN, Infinity and -Infinity, control characters inside strings, and (when asked)
 * a text that ends too early. Integers beyond 2^53 become BigInt. Objects have no prototype. Nesting is bounded:
 * what lies deeper is replaced by {@link TOO_DEEP} and counted. A fault never quotes the text.
 */
import type { JsonTree, JsonValue } from "./json.ts";

/** Containers inside one another that are kept as they are. */
export const MAX_DEPTH = 256;
/** Stands in for a value nested deeper than that. */
export const TOO_DEEP = "[nested too deep]";
/** Digits of an integer that are still worth keeping exactly (Python's own limit). */
const MAX_DIGITS = 4300;

/** What was noticed while parsing; counts. */
export interface JsonNotes {
  /** NaN and Infinity tokens, and numbers too large for a double. */
  nonFinite: number;
  /** Integers beyond 2^53. */
  unsafeIntegers: number;
  tooDeep: number;
  /** Counted only when asked for. */
  duplicateKeys: number;
  /** Values read, containers included: a measure of what the tree costs. */
  values: number;
  /** The text ended inside a value, which was closed there. */
  cut: boolean;
}

export type FaultReason = "empty" | "end" | "unexpected" | "number" | "string" | "trailing";

export interface JsonFault {
  readonly ok: false;
  readonly reason: FaultReason;
  /** Index into the text. */
  readonly at: number;
}

export interface ParsedJson<T> {
  readonly ok: true;
  readonly value: T;
  readonly notes: JsonNotes;
  /** Index behind the value. */
  readonly end: number;
}

export interface ParseOptions {
  /** Close what is open where the text ends; `notes.cut` tells. */
  readonly cut?: boolean;
  readonly countDuplicates?: boolean;
  /** Where the value starts. Default 0. */
  readonly from?: number;
  /** Read one value and leave what follows alone. */
  readonly prefix?: boolean;
  /** `false`: never hand the text to JSON.parse (for tests: both ways give the same). */
  readonly fast?: boolean;
}

export function parseJson(text: string, options: ParseOptions = {}): ParsedJson<JsonValue> | JsonFault {
  if (options.fast !== false && isPlain(text, options)) {
    const fast = parsePlain(text);
    if (fast) return fast;
  }
  return new Parser(text, toNumber, options).run();
}

/** A number as it stands in the text: 1.0, 1e-06 and integers of any length survive. */
export class NumberText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export function parseJsonNumbers(
  text: string,
  options: ParseOptions = {},
): ParsedJson<JsonTree<NumberText>> | JsonFault {
  return new Parser(text, (source) => new NumberText(source), options).run();
}

/** Texts on which JSON.parse and the parser below agree to the last bit; others take the long way. */
function isPlain(text: string, options: ParseOptions): boolean {
  if (options.cut || options.countDuplicates || options.prefix || options.from) return false;
  if (/(?<![\d.])\d{16,}(?![\d.eE])|(?<!\d)\d{300}|[eE]\+?\d{3}/.test(text)) return false;
  return text.length <= MAX_DEPTH || !isDeep(text);
}

function isDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (inString) {
      if (c === 0x5c) at++;
      else if (c === 0x22) inString = false;
    } else if (c === 0x22) inString = true;
    else if (c === 0x5b || c === 0x7b) {
      if (++depth > MAX_DEPTH) return true;
    } else if (c === 0x5d || c === 0x7d) depth--;
  }
  return false;
}

function parsePlain(text: string): ParsedJson<JsonValue> | null {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return null;
  }
  return { ok: true, value, notes: { ...newNotes(), values: dropPrototypes(value) }, end: text.length };
}

/** Takes the prototype off every object of a tree that is known to be shallow; gives the number of values. */
function dropPrototypes(value: JsonValue): number {
  if (typeof value !== "object" || value === null) return 1;
  let count = 1;
  if (Array.isArray(value)) {
    for (const item of value) count += dropPrototypes(item);
  } else {
    Object.setPrototypeOf(value, null);
    for (const item of Object.values(value)) count += dropPrototypes(item as JsonValue);
  }
  return count;
}

function newNotes(): JsonNotes {
  return { nonFinite: 0, unsafeIntegers: 0, tooDeep: 0, duplicateKeys: 0, values: 0, cut: false };
}

function toNumber(source: string, isInteger: boolean, notes: JsonNotes): number | bigint {
  const value = source === "NaN" ? Number.NaN : Number(source);
  if (isInteger && !Number.isSafeInteger(value)) {
    notes.unsafeIntegers++;
    if (source.length <= MAX_DIGITS) return BigInt(source);
  }
  if (!Number.isFinite(value)) notes.nonFinite++;
  return value;
}

class Fault extends Error {
  readonly reason: FaultReason;
  readonly at: number;
  constructor(reason: FaultReason, at: number) {
    super(reason);
    this.reason = reason;
    this.at = at;
  }
}

const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const NUMBER_CHARS = /[-+.\deE]*/y;

class Parser<N> {
  private at: number;
  private readonly notes = newNotes();
  private readonly text: string;
  private readonly number: (source: string, isInteger: boolean, notes: JsonNotes) => N;
  private readonly options: ParseOptions;

  constructor(
    text: string,
    number: (source: string, isInteger: boolean, notes: JsonNotes) => N,
    options: ParseOptions,
  ) {
    this.text = text;
    this.number = number;
    this.options = options;
    this.at = options.from ?? 0;
  }

  run(): ParsedJson<JsonTree<N>> | JsonFault {
    try {
      this.space();
      if (this.at >= this.text.length) throw new Fault("empty", this.at);
      const value = this.value(1);
      const end = this.at;
      if (!this.options.prefix) {
        this.space();
        if (this.at < this.text.length) throw new Fault("trailing", this.at);
      }
      return { ok: true, value, notes: this.notes, end };
    } catch (error) {
      if (error instanceof Fault) return { ok: false, reason: error.reason, at: error.at };
      throw error;
    }
  }

  private space(): void {
    for (; this.at < this.text.length; this.at++) {
      const c = this.text.charCodeAt(this.at);
      if (c !== 0x20 && c !== 0x0a && c !== 0x0d && c !== 0x09) return;
    }
  }

  private value(depth: number): JsonTree<N> {
    this.notes.values++;
    const c = this.text.charCodeAt(this.at);
    switch (c) {
      case 0x7b:
        return depth > MAX_DEPTH ? this.skipDeep() : this.object(depth);
      case 0x5b:
        return depth > MAX_DEPTH ? this.skipDeep() : this.array(depth);
      case 0x22:
        return this.string();
      case 0x74:
        return this.word("true", true);
      case 0x66:
        return this.word("false", false);
      case 0x6e:
        return this.word("null", null);
      case 0x4e:
        return this.token("NaN");
      case 0x49:
        return this.token("Infinity");
      default:
        if (c === 0x2d && this.text.charCodeAt(this.at + 1) === 0x49) return this.token("-Infinity");
        if (c === 0x2d || (c >= 0x30 && c <= 0x39)) return this.digits();
        throw this.fault("unexpected");
    }
  }

  private fault(reason: FaultReason): Fault {
    return new Fault(this.at >= this.text.length ? "end" : reason, this.at);
  }

  /** True where the text has ended and that is allowed. */
  private ended(): boolean {
    if (!this.options.cut || this.at < this.text.length) return false;
    this.notes.cut = true;
    return true;
  }

  private object(depth: number): JsonTree<N> {
    const out = Object.setPrototypeOf({}, null) as { [key: string]: JsonTree<N> };
    this.at++;
    this.space();
    if (this.text.charCodeAt(this.at) === 0x7d) {
      this.at++;
      return out;
    }
    for (;;) {
      this.space();
      if (this.ended()) return out;
      if (this.text.charCodeAt(this.at) !== 0x22) throw this.fault("unexpected");
      const key = this.string();
      this.space();
      if (this.ended()) return out;
      if (this.text.charCodeAt(this.at) !== 0x3a) throw this.fault("unexpected");
      this.at++;
      this.space();
      if (this.ended()) return out;
      const value = this.value(depth + 1);
      if (this.options.countDuplicates && key in out) this.notes.duplicateKeys++;
      out[key] = value;
      this.space();
      if (this.ended()) return out;
      const c = this.text.charCodeAt(this.at);
      if (c !== 0x2c && c !== 0x7d) throw this.fault("unexpected");
      this.at++;
      if (c === 0x7d) return out;
    }
  }

  private array(depth: number): JsonTree<N> {
    const out: JsonTree<N>[] = [];
    this.at++;
    this.space();
    if (this.text.charCodeAt(this.at) === 0x5d) {
      this.at++;
      return out;
    }
    for (;;) {
      this.space();
      if (this.ended()) return out;
      out.push(this.value(depth + 1));
      this.space();
      if (this.ended()) return out;
      const c = this.text.charCodeAt(this.at);
      if (c !== 0x2c && c !== 0x5d) throw this.fault("unexpected");
      this.at++;
      if (c === 0x5d) return out;
    }
  }

  /** Index of the closing quote of the string that opens at `open`, or -1 when the text ends before it. */
  private closing(open: number): number {
    for (let at = this.text.indexOf('"', open + 1); at >= 0; at = this.text.indexOf('"', at + 1)) {
      let slashes = 0;
      while (this.text.charCodeAt(at - 1 - slashes) === 0x5c) slashes++;
      if (slashes % 2 === 0) return at;
    }
    return -1;
  }

  private string(): string {
    const open = this.at;
    const close = this.closing(open);
    if (close < 0) {
      if (!this.options.cut) throw new Fault("end", this.text.length);
      this.notes.cut = true;
      this.at = this.text.length;
      return this.unescape(`${withoutPartOfEscape(this.text.slice(open))}"`, open);
    }
    this.at = close + 1;
    return this.unescape(this.text.slice(open, close + 1), open);
  }

  /** JSON.parse on the token alone also copies it, so that a short string does not keep the whole text alive. */
  private unescape(token: string, open: number): string {
    try {
      return JSON.parse(token) as string;
    } catch {
      const escaped = token.replace(/\p{Cc}/gu, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
      try {
        return JSON.parse(escaped) as string;
      } catch {
        throw new Fault("string", open);
      }
    }
  }

  private word<T extends boolean | null>(word: string, value: T): T {
    if (this.text.startsWith(word, this.at)) {
      this.at += word.length;
      return value;
    }
    if (this.options.cut && word.startsWith(this.text.slice(this.at))) {
      this.at = this.text.length;
      this.notes.cut = true;
      return value;
    }
    throw this.fault("unexpected");
  }

  private token(word: string): JsonTree<N> {
    if (this.text.startsWith(word, this.at)) {
      this.at += word.length;
      return this.number(word, false, this.notes);
    }
    if (this.options.cut && word.startsWith(this.text.slice(this.at))) {
      this.at = this.text.length;
      this.notes.cut = true;
      return null;
    }
    throw this.fault("unexpected");
  }

  private digits(): JsonTree<N> {
    // A number that touches the end of a cut text can be missing digits: there is no telling, so it is left out.
    if (this.options.cut) {
      NUMBER_CHARS.lastIndex = this.at;
      NUMBER_CHARS.test(this.text);
      if (NUMBER_CHARS.lastIndex >= this.text.length) {
        this.at = this.text.length;
        this.notes.cut = true;
        return null;
      }
    }
    NUMBER.lastIndex = this.at;
    const match = NUMBER.exec(this.text);
    if (!match) throw this.fault("number");
    this.at += match[0].length;
    return this.number(match[0], match[1] === undefined && match[2] === undefined, this.notes);
  }

  /** Steps over a container without descending into it: only brackets and strings are looked at. */
  private skipDeep(): string {
    this.notes.tooDeep++;
    let open = 0;
    while (this.at < this.text.length) {
      const c = this.text.charCodeAt(this.at);
      if (c === 0x22) {
        const close = this.closing(this.at);
        if (close < 0) break;
        this.at = close;
      } else if (c === 0x5b || c === 0x7b) open++;
      else if (c === 0x5d || c === 0x7d) open--;
      this.at++;
      if (open === 0) return TOO_DEEP;
    }
    this.at = this.text.length;
    if (!this.options.cut) throw new Fault("end", this.at);
    this.notes.cut = true;
    return TOO_DEEP;
  }
}

/** Takes off a `\`, `\u`, `\u1`, … that the text ended in. */
function withoutPartOfEscape(token: string): string {
  const tail = /u?[0-9a-fA-F]{0,3}$/.exec(token.slice(-4));
  for (const end of [token.length, token.length - (tail?.[0].startsWith("u") ? tail[0].length : 0)]) {
    let slashes = 0;
    while (token.charCodeAt(end - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 1) return token.slice(0, end - 1);
  }
  return token;
}
