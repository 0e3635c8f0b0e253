/** events.jsonl: lines that wait until the disk takes them. What was torn by a killed or failed writer is ended before the next line begins. */
import { EVENTS_FILE } from "../format/names.ts";
import type { RunSink } from "../io/sink.ts";
import { BadRecord } from "./bad.ts";
import { jsonText } from "./json-write.ts";

export interface EventLine {
  /** Unix seconds. */
  readonly timestamp: number;
  readonly kind: string;
  readonly step: bigint | null;
  readonly rank: number;
  readonly message: string;
  readonly data: unknown;
}

/** Lines that may wait. */
const MAX_WAITING = 8192;
const MAX_LINE = 16 * 1024 * 1024;
/** Characters of all that wait. */
const MAX_WEIGHT = 64 * 1024 * 1024;
const NEWLINE = 10;
const NOTHING = { lines: 0, bytes: 0 };

export class EventLog {
  readonly #sink: RunSink;
  #waiting: string[] = [];
  #weight = 0;
  /** Whether the file's last line may be torn. */
  #isUnsure = true;
  /** An appending that failed, and where: some of it may be there nevertheless. */
  #attempt: { readonly at: number; readonly bytes: Uint8Array } | null = null;

  constructor(sink: RunSink) {
    this.#sink = sink;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * @returns false when too many wait already
   * @throws BadRecord when JSON cannot say it, or it is too long
   */
  add(event: EventLine): boolean {
    if (this.#waiting.length >= MAX_WAITING) return false;
    const line = jsonText(event);
    if (line.length > MAX_LINE) throw new BadRecord(`it is longer than ${MAX_LINE} characters`);
    if (this.#weight + line.length > MAX_WEIGHT) return false;
    this.#waiting.push(line);
    this.#weight += line.length;
    return true;
  }

  /** Appends all that wait. @throws SinkError; they go on waiting */
  write(): void {
    if (this.#waiting.length === 0) return;
    const { lines: there, bytes: begun } = this.#attempt ? this.#arrived(this.#attempt) : NOTHING;
    this.#forget(there);
    this.#attempt = null;
    const lines = this.#waiting.length;
    if (lines === 0) return;
    const at = this.#sink.size(EVENTS_FILE) ?? 0;
    const start = begun === 0 && this.#isUnsure && this.#isTorn(at) ? "\n" : "";
    const bytes = new TextEncoder().encode(`${start}${this.#waiting.join("\n")}\n`);
    this.#isUnsure = true;
    try {
      this.#sink.append(EVENTS_FILE, bytes.subarray(begun));
    } catch (error) {
      this.#attempt = { at: at - begun, bytes };
      throw error;
    }
    this.#isUnsure = false;
    this.#forget(lines);
  }

  #forget(lines: number): void {
    this.#waiting = this.#waiting.slice(lines);
    this.#weight = this.#waiting.reduce((sum, line) => sum + line.length, 0);
  }

  /** What of it lies in the file: lines in whole, and bytes of the line behind them, which go on where they end. */
  #arrived({ at, bytes }: { readonly at: number; readonly bytes: Uint8Array }): typeof NOTHING {
    const size = this.#sink.size(EVENTS_FILE) ?? 0;
    if (size <= at) return NOTHING;
    const there = this.#sink.read(EVENTS_FILE, at, bytes.length);
    if (!there.every((byte, i) => byte === bytes[i])) return NOTHING;
    // A newline before the first line ends somebody else's.
    const lines = there.filter((byte, i) => byte === NEWLINE && i > 0).length;
    return { lines, bytes: there.length - there.lastIndexOf(NEWLINE) - 1 };
  }

  #isTorn(size: number): boolean {
    return size > 0 && this.#sink.read(EVENTS_FILE, size - 1, 1)[0] !== NEWLINE;
  }
}
