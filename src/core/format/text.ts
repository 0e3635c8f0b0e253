/** Bytes that should be UTF-8 text: what they are instead, how they decode, what in them can mislead a reader's eye. */

export interface DecodedText {
  readonly text: string;
  /** Bytes (or runs of them) that were no UTF-8 and became U+FFFD. */
  readonly invalid: number;
  /** A byte order mark stood in front; it is not part of `text`. */
  readonly bom: boolean;
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

export function decodeUtf8(bytes: Uint8Array): DecodedText {
  const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const body = bom ? bytes.subarray(3) : bytes;
  try {
    return { text: strict.decode(body), invalid: 0, bom };
  } catch {
    const text = lenient.decode(body);
    return { text, invalid: Math.max(1, countReplacements(text) - countWrittenReplacements(body)), bom };
  }
}

/** `null` when the bytes are not all UTF-8. A byte order mark stays, as U+FEFF. */
export function decodeStrictly(bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes);
  } catch {
    return null;
  }
}

function countReplacements(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\ufffd"); at >= 0; at = text.indexOf("\ufffd", at + 1)) count++;
  return count;
}

/** U+FFFD that really stands in the file (EF BF BD). */
function countWrittenReplacements(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(0xef); at >= 0; at = bytes.indexOf(0xef, at + 1)) {
    if (bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd) count++;
  }
  return count;
}

/** Something that is not UTF-8 text, told by its first bytes. */
export type NotText = "utf-16le" | "utf-16be" | "gzip" | "zstd" | "lfs-pointer" | "html";

export function sniffNotText(bytes: Uint8Array): NotText | null {
  const [a, b, c, d] = bytes;
  if (a === 0x1f && b === 0x8b) return "gzip";
  if (a === 0x28 && b === 0xb5 && c === 0x2f && d === 0xfd) return "zstd";
  if (a === 0xff && b === 0xfe) return "utf-16le";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  if (isOpening(a) && b === 0 && c !== 0 && d === 0) return "utf-16le";
  if (a === 0 && isOpening(b) && c === 0 && d !== 0) return "utf-16be";
  const start = lenient.decode(bytes.subarray(0, 64)).trimStart().toLowerCase();
  if (start.startsWith("version https://git-lfs.github.com/")) return "lfs-pointer";
  if (start.startsWith("<!doctype html") || start.startsWith("<html")) return "html";
  return null;
}

function isOpening(byte: number | undefined): boolean {
  return byte === 0x7b || byte === 0x5b;
}

/** Every byte is NUL (and there is one): space was allocated, the data never reached the disk. */
export function isAllNul(bytes: Uint8Array): boolean {
  return bytes.length > 0 && countLeadingNuls(bytes) === bytes.length;
}

export function countLeadingNuls(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length && bytes[at] === 0) at++;
  return at;
}

/** Characters that a screen shows as nothing or as something else; tab and line ends are text. */
export const CONTROL_CHARS = /(?![\t\n\r])\p{Cc}/u;
/** Direction overrides and isolates: they reorder what is read ("Trojan Source"). */
export const BIDI_CHARS = /[\u061c\u202a-\u202e\u2066-\u2069]/;
/** Zero-width characters that have no business in text; joiners are left out: emoji and Indic scripts need them. */
export const INVISIBLE_CHARS = /\u034f|[\u00ad\u115f\u1160\u180e\u200b\u2060-\u2064\ufeff]/;
