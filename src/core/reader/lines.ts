/** Lines in bytes and in text: LF, CRLF and a lone CR end one, as in Python's text mode. U+2028 does not. */

export const LF = 0x0a;
export const CR = 0x0d;
export const OPEN = 0x7b;
export const CLOSE = 0x7d;

export function splitText(text: string): string[] {
  return text.includes("\r") ? text.split(/\r\n|\n|\r/) : text.split("\n");
}

export function* splitBytes(block: Uint8Array): Generator<Uint8Array> {
  let start = 0;
  for (let at = 0; at < block.length; at++) {
    const c = block[at];
    if (c !== LF && c !== CR) continue;
    yield block.subarray(start, at);
    if (c === CR && block[at + 1] === LF) at++;
    start = at + 1;
  }
  yield block.subarray(start);
}

/** Index of the first byte that ends a line, or -1. */
export function firstLineEnd(bytes: Uint8Array): number {
  const lf = bytes.indexOf(LF);
  const cr = (lf < 0 ? bytes : bytes.subarray(0, lf)).indexOf(CR);
  return cr < 0 ? lf : cr;
}

/** Space, tab, byte order mark. */
export function isBlank(c: number): boolean {
  return c === 0x20 || c === 0x09 || c === 0xfeff;
}

/** How many blank characters stand from `from` on. */
export function leadingBlank(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBlank(text.charCodeAt(at))) at++;
  return at - from;
}

export function countLineEnds(bytes: Uint8Array): number {
  let count = -1;
  for (const _ of splitBytes(bytes)) count++;
  return count;
}

export function trailingNuls(bytes: Uint8Array): number {
  if (lastByte(bytes) !== 0) return 0;
  let end = bytes.length;
  // Eight at a time: a hole in a file can be gigabytes.
  if ((bytes.byteOffset + end) % 8 === 0) {
    const words = new Float64Array(bytes.buffer, bytes.byteOffset + (end % 8), end >> 3);
    let word = words.length;
    while (word > 0 && Object.is(words[word - 1], 0)) word--;
    end = (end % 8) + word * 8;
  }
  while (end > 0 && bytes[end - 1] === 0) end--;
  return bytes.length - end;
}

export function lastByte(bytes: Uint8Array): number | undefined {
  return bytes[bytes.length - 1];
}

export function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const out = new Uint8Array(a.length + b.length);
  out.set(a);
  out.set(b, a.length);
  return out;
}
