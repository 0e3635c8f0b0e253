/** Short texts, each once: rows hold a number instead. Millions of ids cost their bytes and a few more, not an object each. */
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

/** Longer texts are known by their beginning and a hash of the whole. */
export const MAX_TEXT = 512;
const HEAD = 100;
/** Another start of the hash: two of 32 bits are as good as one of 64. */
export const SECOND_SEED = 0x9747b28c;

/** Texts as bytes behind one another. */
export interface PoolBytes {
  readonly bytes: Uint8Array;
  /** Length texts + 1. */
  readonly offsets: Uint32Array;
}

/** Code 0 is "no text"; codes are given in the order of first appearance. */
export class Pool {
  private bytes: Uint8Array;
  private offsets: Uint32Array;
  private slots: Int32Array;
  private count: number;

  constructor(from?: PoolBytes) {
    this.bytes = from?.bytes ?? new Uint8Array(1024);
    this.offsets = from?.offsets ?? new Uint32Array(64);
    this.count = from ? from.offsets.length - 1 : 0;
    this.slots = new Int32Array(0);
    this.hashAll(Math.max(64, this.count * 2));
  }

  /** How many texts there are; codes are 1 … size. */
  get size(): number {
    return this.count;
  }

  /** What has to be kept to make the same pool again. */
  all(): PoolBytes {
    return {
      bytes: this.bytes.subarray(0, this.offsets[this.count]),
      offsets: this.offsets.subarray(0, this.count + 1),
    };
  }

  /** "" for code 0 and for what is no code. */
  text(code: number): string {
    if (code < 1 || code > this.count) return "";
    return utf8.decode(this.bytes.subarray(this.offsets[code - 1], this.offsets[code]));
  }

  /** 0 when no row has this text. */
  find(text: string): number {
    const key = shorten(encoder.encode(text));
    return this.lookUp(key, 0, key.length);
  }

  /** The code of `bytes[start … end)`, a new one where it is new. */
  intern(bytes: Uint8Array, start: number, end: number): number {
    if (end - start > MAX_TEXT) {
      const short = shorten(bytes.subarray(start, end));
      return this.intern(short, 0, short.length);
    }
    const known = this.lookUp(bytes, start, end);
    if (known > 0) return known;
    const proper = isAscii(bytes, start, end) ? null : properly(bytes.subarray(start, end));
    return proper ? this.intern(proper, 0, proper.length) : this.add(bytes, start, end);
  }

  private add(bytes: Uint8Array, start: number, end: number): number {
    const at = this.offsets[this.count] as number;
    const need = at + end - start;
    if (need > this.bytes.length) this.bytes = grown(this.bytes, need);
    for (let i = start; i < end; i++) this.bytes[at + i - start] = bytes[i] as number;
    if (this.count + 2 > this.offsets.length) this.offsets = grownWords(this.offsets, this.count + 2);
    this.offsets[++this.count] = need;
    if (this.count * 2 > this.slots.length) this.hashAll(this.count * 4);
    else this.place(this.count);
    return this.count;
  }

  private hashAll(slots: number): void {
    this.slots = new Int32Array(2 ** Math.ceil(Math.log2(slots)));
    for (let code = 1; code <= this.count; code++) this.place(code);
  }

  private place(code: number): void {
    const mask = this.slots.length - 1;
    let slot = hash(this.bytes, this.offsets[code - 1] as number, this.offsets[code] as number) & mask;
    while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
    this.slots[slot] = code;
  }

  private lookUp(bytes: Uint8Array, start: number, end: number): number {
    const mask = this.slots.length - 1;
    for (let slot = hash(bytes, start, end) & mask; ; slot = (slot + 1) & mask) {
      const code = this.slots[slot] as number;
      if (code === 0 || this.equals(code, bytes, start, end)) return code;
    }
  }

  private equals(code: number, bytes: Uint8Array, start: number, end: number): boolean {
    const at = this.offsets[code - 1] as number;
    const length = end - start;
    if ((this.offsets[code] as number) - at !== length) return false;
    for (let i = 0; i < length; i++) if (this.bytes[at + i] !== bytes[start + i]) return false;
    return true;
  }
}

/** FNV-1a with its bits mixed once more, 32 bits. @param seed another one gives another hash */
export function hash(bytes: Uint8Array, start: number, end: number, seed = 0x811c9dc5): number {
  let h = seed | 0;
  for (let i = start; i < end; i++) h = Math.imul(h ^ (bytes[i] as number), 0x01000193);
  h ^= h >>> 15;
  h = Math.imul(h, 0x2c1b3c6d);
  return (h ^ (h >>> 13)) >>> 0;
}

/** Two hashes as one text of 16 characters. */
export function longHash(bytes: Uint8Array): string {
  const hex = (n: number) => n.toString(16).padStart(8, "0");
  return hex(hash(bytes, 0, bytes.length)) + hex(hash(bytes, 0, bytes.length, SECOND_SEED));
}

/** @returns the bytes themselves where they are short enough */
export function shorten(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= MAX_TEXT) return bytes;
  return encoder.encode(`${utf8.decode(bytes.subarray(0, HEAD))}…${longHash(bytes)}`);
}

export function isAscii(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if ((bytes[i] as number) >= 0x80) return false;
  return true;
}

/** Bytes that are no UTF-8 as the bytes of the text that is shown of them; `null` where they are that already. */
export function properly(bytes: Uint8Array): Uint8Array | null {
  const shown = utf8.decode(bytes);
  if (!shown.includes("\ufffd")) return null;
  const proper = encoder.encode(shown);
  return proper.length === bytes.length && proper.every((b, i) => b === bytes[i]) ? null : proper;
}

function grown(bytes: Uint8Array, need: number): Uint8Array {
  const out = new Uint8Array(Math.max(need, Math.ceil(bytes.length * 1.5)));
  out.set(bytes);
  return out;
}

function grownWords(words: Uint32Array, need: number): Uint32Array {
  const out = new Uint32Array(Math.max(need, Math.ceil(words.length * 1.5)));
  out.set(words);
  return out;
}

/** Texts that are mostly all different: one a row, not looked up by hash. */
export class TextList {
  private bytes: Uint8Array;
  private offsets: Uint32Array;
  private count: number;

  constructor(from?: PoolBytes) {
    this.bytes = from?.bytes ?? new Uint8Array(1024);
    this.offsets = from?.offsets ?? new Uint32Array(64);
    this.count = from ? from.offsets.length - 1 : 0;
  }

  all(): PoolBytes {
    return {
      bytes: this.bytes.subarray(0, this.offsets[this.count]),
      offsets: this.offsets.subarray(0, this.count + 1),
    };
  }

  reserve(rows: number): void {
    if (rows + 1 > this.offsets.length) this.offsets = grownWords(this.offsets, rows + 1);
  }

  text(row: number): string {
    if (row < 0 || row >= this.count) return "";
    return utf8.decode(this.bytes.subarray(this.offsets[row], this.offsets[row + 1]));
  }

  /** Rows `[from, to)` of other texts, whose ends `offsets` holds. */
  append(bytes: Uint8Array, offsets: ArrayLike<number>, from: number, to: number): void {
    const start = offsets[from] as number;
    const end = offsets[to] as number;
    const at = this.offsets[this.count] as number;
    if (at + end - start > this.bytes.length) this.bytes = grown(this.bytes, at + end - start);
    this.bytes.set(bytes.subarray(start, end), at);
    if (this.count + to - from + 1 > this.offsets.length)
      this.offsets = grownWords(this.offsets, this.count + to - from + 1);
    for (let i = from; i < to; i++) this.offsets[++this.count] = at + (offsets[i + 1] as number) - start;
  }

  appendEmpty(rows: number): void {
    if (this.count + rows + 1 > this.offsets.length)
      this.offsets = grownWords(this.offsets, this.count + rows + 1);
    const end = this.offsets[this.count] as number;
    this.offsets.fill(end, this.count + 1, this.count + rows + 1);
    this.count += rows;
  }

  /** True where row's bytes are exactly these. */
  equals(row: number, bytes: Uint8Array): boolean {
    const at = this.offsets[row] as number;
    if ((this.offsets[row + 1] as number) - at !== bytes.length) return false;
    for (let i = 0; i < bytes.length; i++) if (this.bytes[at + i] !== bytes[i]) return false;
    return true;
  }
}
