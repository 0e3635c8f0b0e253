/** `flight-deck/recorder`: records a training run from Node. */
import fs from "node:fs";
import { MANIFEST_FILE } from "../core/format/names.ts";
import { nodeSink } from "../core/io/node-sink.ts";
import { SinkError } from "../core/io/sink.ts";
import { holdsRecording } from "../core/recorder/files.ts";
import { UNTIMED } from "../core/recorder/values.ts";
import { Channel, type Setup } from "./channel.ts";
import { type Suspicion, watchExit } from "./exit.ts";
import { Halting } from "./halting.ts";
import { setupOf, target } from "./options.ts";
import { place } from "./place.ts";
import type { ToThread } from "./shared.ts";
import type {
  EventOptions,
  Halt,
  RecorderOptions,
  RecorderProblem,
  RecordingExists,
  SampleInput,
  SamplesOptions,
  StepMetrics,
  StepOptions,
} from "./types.ts";

export * from "./records.ts";
export type * from "./types.ts";

/**
 * Writes a recording into a folder. `log*` only hand over: they cost microseconds, return nothing and never throw; a thread of its own checks,
 * chooses and writes. What is handed over is copied: it may be changed afterwards.
 */
export class Recorder {
  /** Where it is written: the folder, or `rank-NNN` in it. */
  readonly dir: string;
  /** False on ranks that do not record: every call is allowed and does nothing. */
  readonly active: boolean;
  readonly #channel: Channel | null;
  readonly #halting: Halting | null;
  readonly #now: () => number;
  readonly #unwatch: () => void;
  #isClosed = false;
  #suspicion: Suspicion | null = null;

  /** @throws TypeError, RangeError for a wrong call; {@link RecordingExists} */
  constructor(dir: string, options: RecorderOptions = {}) {
    const { folder, isActive } = target(dir, options);
    this.dir = folder;
    this.active = isActive;
    this.#now = options.now ?? (() => Date.now() / 1000);
    this.#halting = isActive && options.haltPolicy ? new Halting(options.haltPolicy) : null;
    if (!isActive) {
      this.#channel = null;
      this.#unwatch = () => {};
      return;
    }
    const setup = setupOf(folder, options);
    claim(setup);
    this.#channel = new Channel(setup, place());
    this.#unwatch = options.exitHandlers === false ? () => {} : this.#watch();
  }

  /** Calls that were dropped: the writer could not keep up, or the disk took nothing for too long. */
  get dropped(): number {
    return this.#channel?.dropped ?? 0;
  }

  /** Set once the halt policy gave a reason. */
  get halted(): Halt | null {
    return this.#halting?.halt ?? null;
  }

  /** What could not be written the last time; it is tried again. Null when all is well. */
  get problem(): RecorderProblem | null {
    return this.#channel?.problem ?? null;
  }

  /** Metrics of one optimizer step. A value that is no number drops the step and leaves a `bad_record` event. */
  logStep(step: number | bigint, metrics: StepMetrics = {}, options: StepOptions = {}): void {
    if (this.#isIdle) return;
    this.#log("step", step, (now) => ["step", step, metrics, timeOf(options), now]);
    this.#halting?.ask(
      step,
      metrics,
      ({ message, signatureId }) => {
        const data = signatureId === null ? {} : { signature_id: signatureId };
        this.logEvent("auto_halt", { step, message, data });
      },
      (reason) => this.#bad("the halt policy's answer", `it threw ${reason}`, step),
    );
  }

  /** Completions of one step, of which a few are kept. One that is malformed is left out and leaves a `bad_record` event. */
  logSamples(step: number | bigint, samples: readonly SampleInput[], options: SamplesOptions = {}): void {
    if (this.#isIdle || !samples || isEmpty(samples)) return;
    this.#log("samples", step, (now) => ["samples", step, samples, options?.select !== false, now]);
  }

  /** Something that happened; on the disk at once. */
  logEvent(kind: string, options: EventOptions = {}): void {
    if (this.#isIdle) return;
    this.#log("event", null, (now) => {
      const { step, message, data, timestamp } = options ?? {};
      return ["event", { kind, step, message, data, timestamp }, now];
    });
  }

  /** Resolves when all that was logged before is on the disk, or could not be written ({@link problem}). Never rejects. */
  async flush(): Promise<void> {
    await this.#channel?.flush();
  }

  /** Writes what is left, merges the parts into steps.parquet, and ends. Never rejects; further calls do nothing. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#channel?.close();
    this.#unwatch();
  }

  get #isIdle(): boolean {
    return this.#channel === null || this.#isClosed;
  }

  #log(what: string, step: unknown, message: (now: number) => ToThread): void {
    this.#suspicion = null;
    if (!this.#channel?.reserve()) return;
    try {
      this.#channel.post(message(this.#clock()));
    } catch {
      this.#postBad(
        what,
        "it holds what cannot be copied: a function, or a value that throws when it is read",
        step,
      );
    }
  }

  #bad(what: string, reason: string, step: unknown): void {
    if (this.#channel?.reserve()) this.#postBad(what, reason, step);
  }

  #postBad(what: string, reason: string, step: unknown): void {
    const place = typeof step === "number" || typeof step === "bigint" ? step : null;
    this.#channel?.post(["bad", what, reason, place, this.#clock()]);
  }

  #clock(): number {
    try {
      const now = this.#now();
      if (Number.isFinite(now)) return now;
    } catch {
      // A clock that fails is no reason to lose what it should have stamped.
    }
    return Date.now() / 1000;
  }

  #watch(): () => void {
    return watchExit({
      crash: (message, data) => this.logEvent("crash", { message, data }),
      signal: (message) => {
        this.logEvent("signal", { message });
        this.#channel?.flushNow();
      },
      suspect: (suspicion) => {
        this.#suspicion = suspicion;
      },
      admit: (code) => {
        const why = this.#suspicion;
        if (why && (code !== 0 || why.isSignal)) this.logEvent("crash", why);
      },
      end: () => {
        this.#isClosed = true;
        this.#channel?.end();
      },
      wait: () => this.#channel?.wait(),
    });
  }
}

/** Takes the folder for this recording, so that of two at once one is refused. What the disk does not allow yet the thread tries again. */
function claim({ folder, manifest, resume }: Setup): void {
  if (isFile(folder)) throw new TypeError(`${folder} is a file`);
  if (resume) return;
  const sink = nodeSink(folder);
  try {
    if (holdsRecording(sink)) throw exists(folder);
    sink.makeFolder("");
    sink.createExclusive(MANIFEST_FILE, manifest);
  } catch (error) {
    if (!(error instanceof SinkError)) throw error;
    if (error.code === "exists" && error.file === MANIFEST_FILE) throw exists(folder);
  }
}

function isFile(path: string): boolean {
  try {
    return fs.statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}

function timeOf(options: StepOptions | null | undefined): number | typeof UNTIMED | null {
  return options?.timestamp === null ? UNTIMED : (options?.timestamp ?? null);
}

function isEmpty(samples: readonly unknown[]): boolean {
  return Array.isArray(samples) && samples.length === 0;
}

function exists(folder: string): RecordingExists {
  const error = new Error(`${folder} holds a recording already; resume continues it`);
  return Object.assign(error, { code: "recording-exists" as const, folder });
}
