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
const NEWLINE = 10;

export class EventLog {
  readonly #sink: RunSink;
  #waiting: string[] = [];
  /** Whether the file's last line may be torn. */
  #isUnsure = true;

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
    this.#waiting.push(line);
    return true;
  }

  /** Appends all that wait. @throws SinkError; they go on waiting */
  write(): void {
    if (this.#waiting.length === 0) return;
    const start = this.#isUnsure && this.#isTorn() ? "\n" : "";
    const bytes = new TextEncoder().encode(`${start}${this.#waiting.join("\n")}\n`);
    this.#isUnsure = true;
    this.#sink.append(EVENTS_FILE, bytes);
    this.#isUnsure = false;
    this.#waiting = [];
  }

  #isTorn(): boolean {
    const size = this.#sink.size(EVENTS_FILE) ?? 0;
    return size > 0 && this.#sink.read(EVENTS_FILE, size - 1, 1)[0] !== NEWLINE;
  }
}
