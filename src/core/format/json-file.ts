/** A whole file that should be one JSON text: decoded, parsed, everything odd about it reported. */
import type { JsonValue } from "./json.ts";
import { type FaultReason, type JsonNotes, parseJson } from "./json-parse.ts";
import type { Warn, WarningCode } from "./problems.ts";
import { decodeUtf8, isAllNul, type NotText, sniffNotText } from "./text.ts";

export interface JsonFileOptions {
  /** The bytes are the beginning of the file only: what is open where they end is closed there. */
  readonly cut?: boolean;
  readonly countDuplicates?: boolean;
  /** NaN and integers of any size are at home in this file: no word about them. */
  readonly anyNumbers?: boolean;
  /** Code for nesting beyond the limit. */
  readonly tooDeep?: WarningCode;
}

export type JsonFile =
  | { readonly ok: true; readonly value: JsonValue; readonly text: string }
  /** `why` completes the sentence "the file …"; `text` is there when the bytes are text at all. */
  | {
      readonly ok: false;
      readonly why: string;
      readonly reason: FaultReason | NotText | "nul";
      readonly text?: string;
    };

const NOT_TEXT: Record<NotText, string> = {
  "utf-16le": "is UTF-16 text (little endian), not UTF-8",
  "utf-16be": "is UTF-16 text (big endian), not UTF-8",
  gzip: "is gzip-compressed",
  zstd: "is zstd-compressed",
  "lfs-pointer": "is a Git LFS pointer: the content was never pulled",
  html: "is an HTML page",
};

const FAULT: Record<FaultReason, string> = {
  empty: "is empty",
  end: "ends in the middle",
  unexpected: "is not JSON",
  number: "is not JSON",
  string: "is not JSON",
  trailing: "goes on after the end of its JSON",
};

export function describeNotText(kind: NotText): string {
  return NOT_TEXT[kind];
}

/** Reads one JSON text; never throws, never quotes the file. */
export function readJsonFile(
  bytes: Uint8Array,
  file: string,
  warn: Warn,
  options: JsonFileOptions = {},
): JsonFile {
  const kind = sniffNotText(bytes);
  if (kind) return { ok: false, why: NOT_TEXT[kind], reason: kind };
  if (isAllNul(bytes)) {
    return { ok: false, why: "holds nothing but NUL bytes: its data never reached the disk", reason: "nul" };
  }
  const { text, invalid, bom } = decodeUtf8(bytes);
  const parsed = parseJson(text, options);
  if (!parsed.ok)
    return { ok: false, why: faultText(parsed.reason, text, parsed.at), reason: parsed.reason, text };
  if (bom) warn("bom", file, "starts with a byte order mark", { level: "info" });
  if (invalid) warn("invalid-utf8", file, "bytes that are not UTF-8 are shown as \ufffd", { count: invalid });
  if (!options.anyNumbers) warnNumbers(parsed.notes, file, warn);
  warnNotes(parsed.notes, file, warn, options.tooDeep ?? "too-deep");
  return { ok: true, value: parsed.value, text };
}

function faultText(reason: FaultReason, text: string, at: number): string {
  const what = FAULT[reason];
  if (reason === "empty" || reason === "end") return what;
  const line = text.slice(0, at).split("\n").length;
  return `${what} (line ${line})`;
}

function warnNumbers(notes: JsonNotes, file: string, warn: Warn): void {
  if (notes.nonFinite) {
    warn("non-finite", file, "numbers that are NaN or infinite", { count: notes.nonFinite });
  }
  if (notes.unsafeIntegers) {
    warn("unsafe-integer", file, "integers beyond 2^53, kept exactly", {
      count: notes.unsafeIntegers,
      level: "info",
    });
  }
}

function warnNotes(notes: JsonNotes, file: string, warn: Warn, tooDeep: WarningCode): void {
  if (notes.tooDeep) warn(tooDeep, file, "values nested too deep are left out", { count: notes.tooDeep });
  if (notes.duplicateKeys) {
    warn("duplicate-key", file, "a key stands twice in one object: the last one counts", {
      count: notes.duplicateKeys,
    });
  }
}
