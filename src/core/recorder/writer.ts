/**
 * Writes one recording, or one rank of it, against a sink. What cannot be written now is kept, up to a bound, and tried again at the next flush;
 * nothing here throws on account of a disk or of what was logged. Not for two callers at once.
 */
import { MANIFEST_FILE, PARTS_DIR, SAMPLES_DIR } from "../format/names.ts";
import { type RunSink, SinkError } from "../io/sink.ts";
import { BadRecord } from "./bad.ts";
import { SAMPLE_COLUMNS, STEP_COLUMNS } from "./columns.ts";
import { type Compaction, compact } from "./compact.ts";
import { EncodeError, warmEncoder } from "./encode.ts";
import { EventLog } from "./eventLog.ts";
import { partPath, shardPath } from "./files.ts";
import { resume } from "./resume.ts";
import { sampleRow, stepRow } from "./rows.ts";
import { type Sampling, seeded, select } from "./sampling.ts";
import type { Row } from "./table.ts";
import { itemsOf, toInteger, toText } from "./values.ts";
import { Waiting } from "./waiting.ts";

export interface WriterOptions {
  readonly rank: number;
  readonly sampling: Sampling & { readonly seed: number };
  /** Calls that a flush waits for. */
  readonly flushSteps: number;
  /** Seconds that a call waits for a flush. */
  readonly flushIntervalSeconds: number;
  /** Steps that may wait for a disk that takes none; of samples eight times as many. */
  readonly keep: number;
  /** Written where there is none. */
  readonly manifest: Uint8Array;
  /** Continue what is there. */
  readonly resume: boolean;
  /** Unix seconds, for events of the writer's own. */
  readonly now: () => number;
  /** Seconds of a clock that never goes back. */
  readonly clock: () => number;
  /** Called now and then in long work. */
  readonly beat: () => void;
  /** Makes the Parquet library ready, before anything needs it; called often. */
  readonly ready: () => void;
  readonly drops: Drops;
}

/** Calls that were dropped, by the writer or before it. */
export interface Drops {
  count(): number;
  add(calls: number): void;
}

export interface Problem {
  readonly code: SinkError["code"];
  readonly file: string;
  /** Failures in a row. */
  readonly count: number;
}

/** Events about bad records that one flush may bring; what is beyond them is counted in one more. */
const MAX_BAD = 256;

/** As they come from a caller: nothing is known of them. */
export interface LoggedEvent {
  readonly kind: unknown;
  readonly step?: unknown;
  readonly message?: unknown;
  readonly data?: unknown;
  readonly timestamp?: unknown;
}

export class RunWriter {
  readonly #sink: RunSink;
  readonly #options: WriterOptions;
  readonly #events: EventLog;
  readonly #steps: Waiting;
  readonly #samples: Waiting;
  readonly #random: () => number;
  #isReady = false;
  #wasReady = false;
  /** Somebody else's recording took the folder: nothing may be written there. */
  #isForeign = false;
  /** Calls since the last flush. */
  #calls = 0;
  #lastFlush: number;
  #problem: Problem | null = null;
  #bad = 0;
  #reportedDrops = 0;

  constructor(sink: RunSink, options: WriterOptions) {
    this.#sink = sink;
    this.#options = options;
    this.#events = new EventLog(sink);
    this.#steps = new Waiting({ folder: PARTS_DIR, path: partPath, columns: STEP_COLUMNS }, options.keep);
    this.#samples = new Waiting(
      { folder: SAMPLES_DIR, path: shardPath, columns: SAMPLE_COLUMNS },
      8 * options.keep,
    );
    this.#random = seeded(options.sampling.seed);
    this.#lastFlush = options.clock();
    this.#tried(() => this.#prepare());
  }

  /** What could not be written the last time; null when all is well. */
  get problem(): Problem | null {
    return this.#problem;
  }

  /** Seconds until the next flush; null when nothing waits. */
  get dueIn(): number | null {
    if (this.#isForeign || !this.#hasWork) return null;
    return Math.max(0, this.#lastFlush + this.#options.flushIntervalSeconds - this.#options.clock());
  }

  step(step: unknown, metrics: unknown, timestamp: unknown, now: number): void {
    this.#record("step", step, now, () => {
      const row = stepRow({ step, metrics, timestamp, now, rank: this.#options.rank });
      if (!this.#steps.add([row])) this.#options.drops.add(1);
    });
  }

  /** Samples that are no samples are left out, the others are recorded. */
  samples(step: unknown, samples: unknown, isSelecting: boolean, now: number): void {
    this.#record("samples", step, now, () => {
      const rows: Row[] = [];
      for (const [index, sample] of itemsOf(samples, "samples").entries())
        this.#guarded(`sample ${index}`, step, now, () => {
          const row = sampleRow(sample, { step, rank: this.#options.rank, index });
          rows.push(isSelecting ? row : whole(row, sample));
        });
      if (!this.#samples.add(isSelecting ? this.#selected(rows) : rows)) this.#options.drops.add(1);
    });
  }

  /** It is on the disk after the next {@link settle}. */
  event(event: LoggedEvent, now: number): void {
    this.#guarded("event", event.step, now, () => {
      const { step, message, data, timestamp } = event;
      const line = {
        timestamp: typeof timestamp === "number" && Number.isFinite(timestamp) ? timestamp : now,
        kind: toText(event.kind, "kind"),
        step: step === null || step === undefined ? null : toInteger(step, "step"),
        rank: this.#options.rank,
        message: message === null || message === undefined ? "" : toText(message, "message"),
        data: dataOf(data),
      };
      if (!this.#events.add(line)) this.#options.drops.add(1);
    });
  }

  /** A record that did not even arrive. */
  bad(what: string, reason: string, step: unknown, now: number): void {
    if (++this.#bad <= MAX_BAD)
      this.#say("bad_record", `${what} dropped: ${reason}`, {}, stepOrNull(step), now);
  }

  /** Writes events, and the rest where it is due. To be called when what had come was handed over. */
  settle(): void {
    if (this.dueIn === 0) this.flush();
    // While the disk takes nothing it is asked once a flush, not once an event.
    else if (this.#isReady && this.#problem === null) this.#tried(() => this.#events.write());
  }

  /** Writes all that waits. What the disk does not take goes on waiting: {@link problem}. */
  flush(): void {
    this.#calls = 0;
    this.#lastFlush = this.#options.clock();
    if (this.#isForeign) return;
    this.#sayDrops();
    // Before the numbers of what is there are known nothing may be written.
    if (!this.#tried(() => this.#prepare())) return;
    const isWell = [
      this.#tried(() => this.#write(this.#steps, "steps")),
      this.#tried(() => this.#write(this.#samples, "samples")),
      this.#tried(() => this.#events.write()),
    ].every(Boolean);
    if (isWell) this.#problem = null;
  }

  /** Writes all that waits and merges the parts. What cannot be written even now is lost, and counted. */
  close(): void {
    this.flush();
    for (let tries = 0; tries < 2 && this.#problem !== null && !this.#isForeign; tries++) this.flush();
    const lost = this.#steps.length + this.#samples.length;
    if (lost > 0) {
      this.#options.drops.add(lost);
      this.#sayDrops();
    } else if (this.#isReady) this.#tried(() => this.#compact());
    if (this.#isReady) this.#tried(() => this.#events.write());
  }

  get #hasWork(): boolean {
    const waiting = this.#steps.length + this.#samples.length + this.#events.waiting;
    return waiting > 0 || this.#problem !== null || this.#reportedDrops < this.#options.drops.count();
  }

  /** Steps and samples count towards a flush, events do not. */
  #record(what: string, step: unknown, now: number, work: () => void): void {
    if (this.#guarded(what, step, now, work)) this.#calls++;
    if (this.#calls >= this.#options.flushSteps) this.flush();
    else if (this.#isReady && this.#problem === null) this.#writeFull();
  }

  #guarded(what: string, step: unknown, now: number, work: () => void): boolean {
    if (this.#isForeign) {
      this.#options.drops.add(1);
      return false;
    }
    try {
      work();
      return true;
    } catch (error) {
      this.bad(what, error instanceof BadRecord ? error.message : "it cannot be read", step, now);
      return false;
    }
  }

  #selected(rows: readonly Row[]): readonly Row[] {
    const rewards = rows.map(({ named }) => (named.get("reward_total") as number | undefined) ?? null);
    return select(rewards, this.#options.sampling, this.#random).flatMap(({ index, reason }) => {
      const row = rows[index];
      return row ? [{ ...row, named: new Map(row.named).set("capture_reason", reason) }] : [];
    });
  }

  /** Folders, manifest and numbers; what is there already is left as it is. */
  #prepare(): void {
    const sink = this.#sink;
    if (this.#isReady && sink.size(MANIFEST_FILE) !== null) return;
    sink.makeFolder("");
    this.#writeManifest();
    sink.makeFolder(SAMPLES_DIR);
    if (this.#options.resume && this.#steps.next === 0 && this.#samples.next === 0) {
      this.#options.ready();
      const { part, shard } = resume(sink);
      this.#steps.next = part;
      this.#samples.next = shard;
      this.#say("recorder_resumed", `continued at part ${part}, shard ${shard}`, { part, shard });
    }
    this.#isReady = true;
    this.#wasReady = true;
  }

  #writeManifest(): void {
    const { manifest } = this.#options;
    try {
      if (!this.#options.resume || this.#sink.size(MANIFEST_FILE) === null)
        this.#sink.createExclusive(MANIFEST_FILE, manifest);
    } catch (error) {
      if (!(error instanceof SinkError) || error.code !== "exists") throw error;
      if (this.#wasReady) return;
      const there = this.#sink.read(MANIFEST_FILE);
      this.#isForeign = !(there.length === manifest.length && there.every((byte, i) => byte === manifest[i]));
      if (this.#isForeign) throw error;
    }
  }

  /** Files for which there is enough, whatever the time is. */
  #writeFull(): void {
    if (this.#steps.isFull) this.#tried(() => this.#write(this.#steps, "steps", () => this.#steps.isFull));
    if (this.#samples.isFull)
      this.#tried(() => this.#write(this.#samples, "samples", () => this.#samples.isFull));
  }

  #write(waiting: Waiting, what: string, goesOn = () => waiting.length > 0): void {
    while (goesOn()) {
      this.#options.ready();
      try {
        waiting.write(this.#sink);
      } catch (error) {
        if (!(error instanceof EncodeError)) throw error;
        const lost = waiting.skip();
        this.#options.drops.add(lost);
        this.bad(what, `${lost} rows could not be encoded`, null, this.#options.now());
        // An encoder that fails at anything is broken for good: whoever runs this starts a new one.
        warmEncoder();
      }
      this.#options.beat();
    }
  }

  #compact(): void {
    this.#options.ready();
    if (this.#compacted() === "left")
      this.#say(
        "recorder_parts_kept",
        "the parts were not merged: too many rows, or parts that do not go together",
      );
  }

  #compacted(): Compaction {
    try {
      return compact(this.#sink, this.#options.beat);
    } catch (error) {
      if (error instanceof EncodeError) return "left";
      throw error;
    }
  }

  #sayDrops(): void {
    const more = this.#bad - MAX_BAD;
    if (more > 0) this.#say("bad_record", `${more} more records dropped`, { count: more });
    this.#bad = 0;
    const total = this.#options.drops.count();
    const count = total - this.#reportedDrops;
    if (count > 0 && this.#say("recorder_drops", `${count} records dropped (queue full)`, { count }))
      this.#reportedDrops = total;
  }

  #say(kind: string, message: string, data: object = {}, step: bigint | null = null, now?: number): boolean {
    const timestamp = now ?? this.#options.now();
    return this.#events.add({ timestamp, kind, step, rank: this.#options.rank, message, data });
  }

  /** @returns whether it worked */
  #tried(work: () => void): boolean {
    try {
      try {
        work();
      } catch (error) {
        if (!(error instanceof SinkError) || error.code !== "not-found") throw error;
        // The folder was removed: it is made anew, and what comes from now on is recorded.
        this.#isReady = false;
        this.#prepare();
        work();
      }
      return true;
    } catch (error) {
      if (!(error instanceof SinkError)) throw error;
      this.#failed(error);
      return false;
    }
  }

  #failed({ code, file, system }: SinkError): void {
    const isFirst = this.#problem === null;
    this.#problem = { code, file, count: (this.#problem?.count ?? 0) + 1 };
    const why = system || code;
    if (isFirst)
      this.#say("recorder_failure", `${file || "the folder"} cannot be written (${why}); tried again`);
  }
}

/** Kept without a choice: that all were, unless the caller says something else, or expressly nothing. */
function whole(row: Row, sample: unknown): Row {
  const isSaid =
    row.named.has("capture_reason") || (sample as { capture_reason?: unknown }).capture_reason === null;
  return isSaid ? row : { ...row, named: new Map(row.named).set("capture_reason", "all") };
}

function dataOf(data: unknown): unknown {
  if (data === null || data === undefined) return {};
  if (typeof data !== "object" || Array.isArray(data)) throw new BadRecord("data is no object");
  return data;
}

function stepOrNull(step: unknown): bigint | null {
  try {
    return step === null || step === undefined ? null : toInteger(step, "step");
  } catch {
    return null;
  }
}
