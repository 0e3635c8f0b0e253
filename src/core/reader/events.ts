/**
 * events.jsonl: an append-only log that a crash, a second writer or a copy can have damaged anywhere. It is read in
 * windows, from where the last reading ended; one bad line costs one line.
 */
import type { RunEvent } from "../format/event.ts";
import { isJsonObject, type JsonObject } from "../format/json.ts";
import { describeNotText } from "../format/json-file.ts";
import { type JsonNotes, parseJson } from "../format/json-parse.ts";
import { FlightDeckError, type Warn, type WarningCode } from "../format/problems.ts";
import { decodeStrictly, decodeUtf8, type NotText, sniffNotText } from "../format/text.ts";
import { EventBuffer } from "./event-buffer.ts";
import { mayMislead, type Report, reportMisleading, toEvent } from "./event-line.ts";
import {
  CLOSE,
  CR,
  concat,
  countLineEnds,
  firstLineEnd,
  isBlank,
  LF,
  leadingBlank,
  OPEN,
  splitBytes,
  splitText,
  trailingNuls,
} from "./lines.ts";

const WINDOW = 1024 * 1024;
/** A longer line is read up to here; its event keeps what is whole by then. */
const LINE_LIMIT = 4 * 1024 * 1024;
/** Of a longer file (or of more news than this at once) the first and the last half of the limit are read. */
const READ_LIMIT = 256 * 1024 * 1024;

export interface EventLimits {
  readonly window: number;
  readonly line: number;
  readonly total: number;
}

/** Reads bytes `[start, start + length)` of the file, fewer where it ends. */
export type ReadWindow = (start: number, length: number) => Promise<Uint8Array>;

export interface EventsOptions {
  /** Path relative to the run, for warnings. */
  readonly file: string;
  /** For events that name no rank. Default 0. */
  readonly rank?: number;
  /** Where the last reading ended: only new bytes are read. It is moved on. */
  readonly state?: EventsState;
  /** Nothing more will come: a last line that is torn is reported. A file that is still written ends torn at any moment. */
  readonly conclude?: boolean;
  /** Where what is said of the file's end goes, which the next line can change. Default: where everything goes. */
  readonly warnOfEnd?: Warn;
  readonly signal?: AbortSignal;
  readonly limits?: Partial<EventLimits>;
}

export interface EventsResult {
  /** Events held, in file order: all, unless `dropped` says otherwise. A fresh array. */
  readonly events: RunEvent[];
  /** Events seen. */
  readonly count: number;
  /** Events of the middle that were counted only. */
  readonly dropped: number;
  readonly state: EventsState;
}

/** Where reading stands; what it holds is this file's business. */
export class EventsState {
  /** Bytes read so far. */
  offset = 0;
  /** The unfinished last line, without NULs at its end. */
  carry: Uint8Array = new Uint8Array(0);
  /** NUL bytes behind `carry`. */
  nuls = 0;
  /** Lines finished. */
  line = 0;
  /** False once a part of the file was left out. */
  lineKnown = true;
  /** The last byte was CR: an LF in front of the next window belongs to it. */
  afterCr = false;
  /** Inside a line whose beginning is dealt with. */
  skipping = false;
  /** The file is no text. */
  refused = false;
  /** Where the file ended when its end was last reported; with `warnOfEnd` it is reported at each reading. */
  concludedAt = -1;
  readonly buffer = new EventBuffer();
}

/**
 * Reads what is new in events.jsonl.
 *
 * @param size the file's size; when it is less than what was read before, the file was replaced and is read anew
 * @throws FlightDeckError `aborted`, and what `read` throws; the state is then that of the last whole window
 */
export async function parseEvents(
  read: ReadWindow,
  size: number,
  warn: Warn,
  options: EventsOptions,
): Promise<EventsResult> {
  const given = options.state;
  const state = given && given.offset <= size ? given : new EventsState();
  const parser = new EventParser(state, options);
  try {
    if (size - state.offset > parser.limits.total) {
      await parser.readTo(read, state.offset + parser.limits.total / 2);
      parser.jump(size - parser.limits.total / 2, size);
    }
    await parser.readTo(read, size);
    parser.finish(options.conclude === true);
  } finally {
    parser.flush(warn, options.warnOfEnd ?? warn);
  }
  const { buffer } = state;
  return { events: buffer.events(), count: buffer.count, dropped: buffer.dropped, state };
}

/** Events of all ranks by time; equal times in the given order, events without a time last. */
export function mergeEvents(lists: readonly (readonly RunEvent[])[]): RunEvent[] {
  return lists.flat().sort((a, b) => {
    if (Number.isNaN(a.timestamp)) return Number.isNaN(b.timestamp) ? 0 : 1;
    if (Number.isNaN(b.timestamp)) return -1;
    return a.timestamp - b.timestamp;
  });
}

const NOT_TEXT_CODE: Record<NotText, WarningCode> = {
  "utf-16le": "not-utf8",
  "utf-16be": "not-utf8",
  gzip: "gzip-wrapped",
  zstd: "not-utf8",
  "lfs-pointer": "lfs-pointer",
  html: "html-page",
};

const NUL_RUN = "NUL bytes inside the file";

interface Finding {
  readonly code: WarningCode;
  readonly detail: string;
  readonly column: string | undefined;
  readonly line: number | undefined;
  readonly level: "info" | "warning";
  count: number;
}

class EventParser {
  readonly limits: EventLimits;
  private readonly state: EventsState;
  private readonly options: EventsOptions;
  private findings = new Map<string, Finding>();
  private endFindings = new Map<string, Finding>();
  private readonly droppedBefore: number;
  /** Line that is being parsed, 1-based. */
  private lineNumber = 0;

  constructor(state: EventsState, options: EventsOptions) {
    this.state = state;
    this.options = options;
    this.limits = { window: WINDOW, line: LINE_LIMIT, total: READ_LIMIT, ...options.limits };
    this.droppedBefore = state.buffer.dropped;
  }

  private readonly report: Report = (code, detail, column, level = "warning") => {
    const key = `${code}\0${column ?? ""}\0${level}`;
    const old = this.findings.get(key);
    if (old) {
      old.count++;
      return;
    }
    const line = this.state.lineKnown && this.lineNumber ? this.lineNumber : undefined;
    this.findings.set(key, { code, detail, column, line, level, count: 1 });
  };

  flush(warn: Warn, warnOfEnd: Warn): void {
    this.tell(this.findings, warn);
    this.tell(this.endFindings, warnOfEnd);
    const dropped = this.state.buffer.dropped - this.droppedBefore;
    if (dropped > 0) {
      warn("size-limit", this.options.file, "events of the middle are counted, not held", { count: dropped });
    }
  }

  private tell(findings: ReadonlyMap<string, Finding>, warn: Warn): void {
    for (const { code, detail, column, line, level, count } of findings.values()) {
      warn(code, this.options.file, detail, {
        count,
        level,
        ...(column === undefined ? {} : { column }),
        ...(line === undefined ? {} : { line }),
      });
    }
  }

  async readTo(read: ReadWindow, end: number): Promise<void> {
    const { state } = this;
    while (state.offset < end && !state.refused) {
      if (this.options.signal?.aborted) throw new FlightDeckError("aborted", this.options.file);
      const window = await read(state.offset, Math.min(this.limits.window, end - state.offset));
      if (window.length === 0) return;
      if (state.offset === 0 && this.refuse(window)) return;
      state.offset += window.length;
      this.window(window);
    }
  }

  /** Leaves the middle of a file out. */
  jump(to: number, size: number): void {
    const { state } = this;
    if (state.refused) return;
    state.offset = to;
    state.carry = new Uint8Array(0);
    state.nuls = 0;
    state.skipping = true;
    state.lineKnown = false;
    const mb = (bytes: number) => Math.round(bytes / 1024 / 1024);
    const half = mb(this.limits.total / 2);
    this.report("size-limit", `of ${mb(size)} MB the first and the last ${half} MB were read`);
  }

  private refuse(window: Uint8Array): boolean {
    const kind = sniffNotText(window);
    if (!kind) return false;
    this.state.refused = true;
    this.report(NOT_TEXT_CODE[kind], `the file ${describeNotText(kind)}: no event can be read`);
    return true;
  }

  private window(window: Uint8Array): void {
    const { state } = this;
    let bytes = state.afterCr && window[0] === LF ? window.subarray(1) : window;
    state.afterCr = false;
    if (state.skipping) {
      const end = firstLineEnd(bytes);
      if (end < 0) {
        const nuls = trailingNuls(bytes);
        state.nuls = nuls === bytes.length ? state.nuls + nuls : nuls;
        return;
      }
      state.skipping = false;
      state.nuls = 0;
      state.line++;
      const crlf = bytes[end] === CR && bytes[end + 1] === LF;
      state.afterCr = bytes[end] === CR && end === bytes.length - 1;
      bytes = bytes.subarray(end + (crlf ? 2 : 1));
    }
    const last = Math.max(bytes.lastIndexOf(LF), bytes.lastIndexOf(CR));
    if (last >= 0) {
      state.afterCr = bytes[last] === CR && last === bytes.length - 1;
      const end = bytes[last] === LF && bytes[last - 1] === CR ? last - 1 : last;
      this.carryOn(bytes.subarray(0, end), false);
      const block = state.carry;
      state.carry = new Uint8Array(0);
      state.nuls = 0;
      this.lines(block);
    }
    this.carryOn(bytes.subarray(last + 1), true);
  }

  /** Adds bytes to the unfinished line (or, `limited` not, to the block that is finished by them). */
  private carryOn(bytes: Uint8Array, limited: boolean): void {
    const { state } = this;
    const nuls = trailingNuls(bytes);
    if (nuls === bytes.length && limited) {
      state.nuls += nuls;
      return;
    }
    this.lineNumber = state.line + 1;
    if (state.nuls > 0) this.report("nul-run", NUL_RUN);
    const body = this.withoutNuls(limited ? bytes.subarray(0, bytes.length - nuls) : bytes);
    // A copy: the window belongs to the source, and it is larger than the line.
    state.carry = state.carry.length ? concat(state.carry, body) : limited ? body.slice() : body;
    state.nuls = limited ? nuls : 0;
    if (!limited || state.carry.length <= this.limits.line) return;
    this.report("size-limit", `a line is longer than ${this.limits.line} bytes: its event is cut there`);
    this.line(decodeUtf8(state.carry.subarray(0, this.limits.line)).text, true);
    state.carry = new Uint8Array(0);
    state.nuls = 0;
    state.skipping = true;
  }

  /** Blocks that never reached the disk: what stands before and behind them is whole. */
  private withoutNuls(bytes: Uint8Array): Uint8Array {
    const at = bytes.indexOf(0);
    if (at < 0) return bytes;
    this.lineNumber = this.state.line + 1 + countLineEnds(bytes.subarray(0, at));
    this.report("nul-run", NUL_RUN);
    return bytes.filter((byte) => byte !== 0);
  }

  /** Whole lines, without the end of the last one. */
  private lines(block: Uint8Array): void {
    const text = decodeStrictly(block);
    if (text !== null) {
      for (const line of splitText(text)) {
        this.lineNumber = ++this.state.line;
        this.line(line, false);
      }
      return;
    }
    for (const bytes of splitBytes(block)) {
      this.lineNumber = ++this.state.line;
      this.line(this.decodeLine(bytes), false);
    }
  }

  private decodeLine(bytes: Uint8Array): string {
    const text = decodeStrictly(bytes);
    if (text !== null) return text;
    this.report("invalid-utf8", "bytes that are not UTF-8 are shown as \ufffd");
    return decodeUtf8(bytes).text;
  }

  private line(line: string, cut: boolean): void {
    const text = this.trim(line);
    if (text === "") return;
    if (text.charCodeAt(0) !== OPEN) {
      this.report("bad-line", "the line is no JSON object: left out");
      return;
    }
    const parsed = parseJson(text, cut ? { cut } : undefined);
    if (parsed.ok && isJsonObject(parsed.value)) this.accept(parsed.value, parsed.notes, text);
    else this.salvage(text);
  }

  /** Objects that are whole at the beginning of a line that is not: two writers, or an append to a torn line. */
  private salvage(text: string): void {
    let found = 0;
    for (let at = 0; text.charCodeAt(at) === OPEN; ) {
      const parsed = parseJson(text, { from: at, prefix: true });
      if (!parsed.ok) break;
      if (isJsonObject(parsed.value)) this.accept(parsed.value, parsed.notes, text.slice(at, parsed.end));
      found++;
      at = parsed.end + leadingBlank(text, parsed.end);
    }
    this.report("bad-line", found ? "more than one object on a line" : "the line is no whole JSON: left out");
  }

  /** Takes blanks and byte order marks off both ends. */
  private trim(line: string): string {
    const first = line.charCodeAt(0);
    const last = line.charCodeAt(line.length - 1);
    if (first === OPEN && last === CLOSE) return line;
    const front = leadingBlank(line, 0);
    let end = line.length;
    while (end > front && isBlank(line.charCodeAt(end - 1))) end--;
    if (line.lastIndexOf("\ufeff", front) >= 0)
      this.report("bom", "byte order marks in the file", undefined, "info");
    return line.slice(front, end);
  }

  private accept(object: JsonObject, notes: JsonNotes, text: string): void {
    if (notes.nonFinite) this.report("non-finite", "an event holds NaN or infinite numbers");
    if (notes.tooDeep) this.report("too-deep", "data nested too deep is left out");
    if (notes.unsafeIntegers > (typeof object["step"] === "bigint" ? 1 : 0)) {
      this.report("unsafe-integer", "integers beyond 2^53, kept exactly", undefined, "info");
    }
    const event = toEvent(object, this.options.rank ?? 0, this.report);
    if (!event) return;
    if (mayMislead(text)) reportMisleading(event, this.report);
    this.state.buffer.push(event, 96 + text.length + 32 * notes.values);
  }

  /** Looks at the last line: an object that is whole needs no line end. */
  finish(conclude: boolean): void {
    const { state } = this;
    this.lineNumber = state.line + 1;
    for (let end = wholeObject(state.carry); end > 0; end = wholeObject(state.carry)) {
      this.line(this.decodeLine(state.carry.subarray(0, end)), false);
      state.carry = state.carry.subarray(end);
    }
    if (!conclude || (state.concludedAt === state.offset && !this.options.warnOfEnd)) return;
    state.concludedAt = state.offset;
    const lasting = this.findings;
    this.findings = this.endFindings;
    this.sayEnd();
    this.endFindings = this.findings;
    this.findings = lasting;
  }

  private sayEnd(): void {
    const { state } = this;
    if (this.trim(decodeUtf8(state.carry).text) !== "") {
      if (this.looksTorn()) this.report("torn-last-line", "the last line is cut: left out");
      else this.report("bad-line", "the line is no JSON object: left out");
    }
    if (state.nuls) {
      this.report("nul-tail", `the file ends in ${state.nuls} NUL bytes: data that never reached the disk`);
    }
  }

  private looksTorn(): boolean {
    const front = decodeUtf8(this.state.carry.subarray(0, 256)).text;
    return front.charCodeAt(leadingBlank(front, 0)) === OPEN;
  }
}

/** Length of the bytes up to the end of the object that they begin with; 0 when it is not whole. */
function wholeObject(bytes: Uint8Array): number {
  const open = bytes.indexOf(OPEN);
  if (open < 0 || !bytes.includes(CLOSE) || !isBlankText(bytes.subarray(0, open))) return 0;
  // One character a byte: JSON's own characters are ASCII, and so an index into the text is one into the bytes.
  const parsed = parseJson(latin1.decode(bytes), { from: open, prefix: true });
  return parsed.ok ? parsed.end : 0;
}

const latin1 = new TextDecoder("latin1");

function isBlankText(bytes: Uint8Array): boolean {
  const text = decodeStrictly(bytes);
  return text !== null && leadingBlank(text, 0) === text.length;
}
