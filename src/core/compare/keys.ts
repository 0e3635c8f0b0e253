/** Texts that stand many times (prompts, their ids) as numbers, compared byte by byte and decoded only when they are shown. */
import type { TextColumn } from "../run/model.ts";

/** Bytes of distinct texts that are kept: a run whose every prompt is another one stays bounded. */
const LIMIT = 48 * 1024 * 1024;

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

export class KeyIndex {
  private readonly keys: Uint8Array[] = [];
  /** Numbers of the keys of one hash. */
  private readonly byHash = new Map<number, number[]>();
  private bytes = 0;
  private readonly limit: number;
  /** Texts that had no room. */
  dropped = 0;

  constructor(limit = LIMIT) {
    this.limit = limit;
  }

  get size(): number {
    return this.keys.length;
  }

  text(code: number): string {
    return utf8.decode(this.keys[code]);
  }

  bytesOf(code: number): Uint8Array {
    return this.keys[code] as Uint8Array;
  }

  /** The number of a row's text, a new one for a new text; −1 where nothing was written or there is no room. */
  add({ bytes, offsets, valid }: TextColumn, row: number): number {
    if (valid && valid[row] === 0) return -1;
    const start = offsets[row] as number;
    const end = offsets[row + 1] as number;
    const hash = hashOf(bytes, start, end);
    const known = this.find(hash, bytes, start, end);
    if (known >= 0) return known;
    if (this.bytes + end - start > this.limit) {
      this.dropped++;
      return -1;
    }
    this.bytes += end - start;
    this.keys.push(bytes.slice(start, end));
    const code = this.keys.length - 1;
    const same = this.byHash.get(hash);
    if (same) same.push(code);
    else this.byHash.set(hash, [code]);
    return code;
  }

  /** The number of a text of another index; −1 when it is not here. */
  codeOf(text: Uint8Array): number {
    return this.find(hashOf(text, 0, text.length), text, 0, text.length);
  }

  private find(hash: number, bytes: Uint8Array, start: number, end: number): number {
    for (const code of this.byHash.get(hash) ?? [])
      if (isSame(this.keys[code] as Uint8Array, bytes, start, end)) return code;
    return -1;
  }
}

/** FNV-1a. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
  return hash;
}

function isSame(key: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (key.length !== end - start) return false;
  for (let i = 0; i < key.length; i++) if (key[i] !== bytes[start + i]) return false;
  return true;
}
