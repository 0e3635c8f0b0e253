/** The recorder's thread from outside: messages to it, waiting for it, and a new one when it dies. Never keeps a process alive. */
import { Worker } from "node:worker_threads";
import {
  BEAT,
  CLOSED,
  DROPPED,
  FLUSHED,
  type FromThread,
  PENDING,
  SHARED_INTS,
  type ThreadData,
  type ToThread,
} from "./shared.ts";
import type { RecorderProblem } from "./types.ts";

export type Setup = Omit<ThreadData, "counters" | "wasm">;

/** Threads after the first: what kills three of them kills the fourth. */
const MAX_RESTARTS = 3;
/** An ending process waits so long for its thread, … */
const WAIT_MS = 60_000;
/** … and so long without a sign of life. */
const STALL_MS = 20_000;

export class Channel {
  readonly #setup: Setup;
  readonly #place: { readonly script: string; readonly wasm: string };
  readonly #counters = new Int32Array(new SharedArrayBuffer(4 * SHARED_INTS));
  readonly #flushes = new Map<number, () => void>();
  #lastFlush = 0;
  #worker: Worker | null = null;
  #restarts = 0;
  #problem: RecorderProblem | null = null;
  #closing: Promise<void> | null = null;
  #onClosed: () => void = () => {};

  constructor(setup: Setup, place: { readonly script: string; readonly wasm: string }) {
    this.#setup = setup;
    this.#place = place;
    this.#start(setup.resume);
  }

  get dropped(): number {
    return Atomics.load(this.#counters, DROPPED);
  }

  get problem(): RecorderProblem | null {
    return this.#problem;
  }

  /** Takes a place in the queue for a message. False when there is none: the call is dropped and counted. */
  reserve(): boolean {
    if (this.#worker && Atomics.load(this.#counters, PENDING) < this.#setup.queueSize) {
      Atomics.add(this.#counters, PENDING, 1);
      return true;
    }
    Atomics.add(this.#counters, DROPPED, 1);
    return false;
  }

  /** Uses the place. @throws whatever cannot be copied to a thread; the place is still there then */
  post(message: ToThread): void {
    this.#worker?.postMessage(message);
  }

  flush(): Promise<void> {
    if (!this.#worker || this.#closing) return this.#closing ?? Promise.resolve();
    const id = ++this.#lastFlush;
    return new Promise((resolve) => {
      this.#flushes.set(id, resolve);
      this.#worker?.ref();
      this.post(["flush", id]);
    });
  }

  close(): Promise<void> {
    this.#closing ??= new Promise((resolve) => {
      this.#onClosed = resolve;
      if (!this.#worker) return resolve();
      this.#worker.ref();
      this.post(["close"]);
    });
    return this.#closing;
  }

  /** Asks the thread to end; {@link wait} waits for it where nothing else can run any more. */
  end(): void {
    if (!this.#closing) void this.close();
  }

  wait(): void {
    this.#waitFor(CLOSED, 1);
  }

  /** Writes what was logged before it returns. */
  flushNow(): void {
    if (!this.#worker || this.#closing) return;
    const id = ++this.#lastFlush;
    this.post(["flush", id]);
    this.#waitFor(FLUSHED, id);
  }

  #waitFor(place: number, value: number): void {
    const stop = performance.now() + WAIT_MS;
    let beat = this.#beat();
    let since = performance.now();
    for (;;) {
      const seen = Atomics.load(this.#counters, place);
      if (!this.#worker || seen >= value || performance.now() > stop) return;
      try {
        Atomics.wait(this.#counters, place, seen, 250);
      } catch {
        // Some threads must not wait: then the process ends at once.
        return;
      }
      if (this.#beat() !== beat) {
        beat = this.#beat();
        since = performance.now();
      } else if (performance.now() - since > STALL_MS) return;
    }
  }

  #beat(): number {
    return Atomics.load(this.#counters, BEAT);
  }

  #start(isResuming: boolean): void {
    const { script, wasm } = this.#place;
    const data: ThreadData = { ...this.#setup, resume: isResuming, wasm, counters: this.#counters };
    try {
      // Nothing of the process's own settings: a loader or a debugger that it was started with is none of the thread's business.
      const worker = new Worker(script, {
        workerData: data,
        execArgv: [],
        env: {},
        name: "flight-deck-recorder",
      });
      worker.on("message", (message: FromThread) => this.#heard(message));
      worker.on("error", () => {});
      worker.on("exit", () => this.#ended(worker));
      if (this.#flushes.size === 0 && !this.#closing) worker.unref();
      this.#worker = worker;
    } catch {
      this.#giveUp();
    }
  }

  #heard({ flushed, problem }: FromThread): void {
    this.#problem = problem;
    if (flushed === null) return;
    this.#flushes.get(flushed)?.();
    this.#flushes.delete(flushed);
    if (this.#flushes.size === 0 && !this.#closing) this.#worker?.unref();
  }

  #ended(worker: Worker): void {
    if (worker !== this.#worker) return;
    this.#worker = null;
    const lost = Atomics.exchange(this.#counters, PENDING, 0);
    if (lost > 0) Atomics.add(this.#counters, DROPPED, lost);
    if (Atomics.load(this.#counters, CLOSED) === 1) this.#finish();
    else if (this.#restarts++ >= MAX_RESTARTS) this.#giveUp();
    else this.#startAnew();
  }

  #startAnew(): void {
    this.#start(true);
    const message = "the writing thread ended; what it had not written is lost";
    Atomics.add(this.#counters, PENDING, 1);
    this.post(["event", { kind: "recorder_failure", message }, Date.now() / 1000]);
    for (const id of this.#flushes.keys()) this.post(["flush", id]);
    if (this.#closing) this.post(["close"]);
  }

  #giveUp(): void {
    this.#problem = { code: "writer-lost", file: "", count: this.#restarts };
    this.#finish();
  }

  #finish(): void {
    for (const resolve of this.#flushes.values()) resolve();
    this.#flushes.clear();
    this.#onClosed();
  }
}
