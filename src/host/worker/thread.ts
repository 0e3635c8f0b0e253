/** One life of the worker thread: what was asked and not yet answered, and how it ends. */
import type { Board, Memory, Whereabouts } from "../../protocol/board.ts";
import { ABORTED, createClient, isAborted, ProblemError, type Transport } from "../../protocol/rpc.ts";
import type { Params, Result } from "../../protocol/wire.ts";
import { type WorkerContract, workerContract, workerNotices } from "../../protocol/worker.ts";

/** The part of a worker_threads Worker that is used. */
export interface WorkerThread {
  postMessage(message: unknown, transfer: readonly ArrayBuffer[]): void;
  on(event: "message", listener: (message: unknown) => void): unknown;
  on(event: "messageerror" | "error", listener: (error: Error) => void): unknown;
  on(event: "exit", listener: (code: number) => void): unknown;
  /** May never settle: a thread can be blocked in the system. */
  terminate(): Promise<unknown>;
  /** What it says about itself; without one nothing is known but its answers. */
  readonly board?: Board;
}

export type LossCause = "time" | "memory" | "crash";

/** A question at work: who is to blame when the thread dies is found among these. */
export interface Asked {
  /** What is asked, the same for the same work: run folder and question. */
  readonly key: string;
  readonly sentAt: number;
  /** Milliseconds without any sign of life that it may take. */
  readonly limit: number;
}

export interface AskOptions {
  readonly key: string;
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Loss {
  readonly cause: LossCause;
  /** Questions that the thread can have died of. */
  readonly suspects: readonly Asked[];
  /** Where the thread was at that time, `null` when unknown. */
  readonly at: Whereabouts | null;
  /** For the log. */
  readonly detail: string;
}

/** What a question is answered with when its thread is lost. */
export class ThreadLostError extends Error {
  override readonly name = "ThreadLostError";
  readonly loss: Loss;

  constructor(loss: Loss) {
    super(loss.detail);
    this.loss = loss;
  }
}

/** Bytes and milliseconds. */
export interface MemoryLimits {
  /** What the thread may grow by while it works on the questions of one time. */
  readonly growth: number;
  /** Between two looks at a thread at work. */
  readonly every: number;
  /** What the decoder may keep while nothing is asked. */
  readonly decoder: number;
  /** How long nothing must have been asked before that is minded. */
  readonly idle: number;
}

export interface ThreadEvents {
  /** Once, when the thread is lost for whatever reason but disposal. */
  onLost(loss: Loss): void;
  /** Nothing is asked, and the decoder holds more than it should, or is broken: another thread would be a better one. */
  onGrown(memory: Memory): void;
  onFailed(where: string, error: string): void;
  now(): number;
}

/** A question that is never answered while others are may take this many times its limit. */
const PATIENCE = 6;

export class Thread {
  readonly #worker: WorkerThread;
  readonly #client;
  readonly #events: ThreadEvents;
  readonly #limits: MemoryLimits;
  readonly #asked = new Set<Asked>();
  /** Taken back, but perhaps what the thread is stuck in; any sign of life clears them. */
  readonly #ghosts = new Set<Asked>();
  #lastLife = 0;
  #timer: NodeJS.Timeout | undefined;
  /** What the thread held when it was last without work. */
  #restingTotal = 0;
  #memoryTimer: NodeJS.Timeout | undefined;
  #loss: Loss | null = null;
  #isOver = false;

  constructor(worker: WorkerThread, limits: MemoryLimits, events: ThreadEvents) {
    this.#worker = worker;
    this.#limits = limits;
    this.#events = events;
    worker.on("error", (error: unknown) => this.#lost(causeOf(error), describe(error)));
    worker.on("messageerror", () => this.#lost("crash", "a message could not be read"));
    worker.on("exit", (code: number) => this.#lost("crash", `exit code ${code}`));
    this.#client = createClient(workerContract, transportOf(worker), {
      notices: workerNotices,
      onNotice: (_name, { where, error }) => events.onFailed(where, error),
      onRefused: ({ reason, name }) => {
        if (reason !== "late") events.onFailed(name, `refused: ${reason}`);
      },
    });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** @throws ThreadLostError when the thread is lost; ProblemError otherwise, "aborted" after `signal` or disposal */
  async ask<M extends keyof WorkerContract & string>(
    method: M,
    params: Params<WorkerContract, M>,
    { key, limit, signal }: AskOptions,
  ): Promise<Result<WorkerContract, M>> {
    if (this.#isOver) throw this.#over();
    const now = this.#events.now();
    const asked: Asked = { key, sentAt: now, limit };
    if (this.#asked.size === 0) this.#begin(now);
    this.#asked.add(asked);
    this.#watch();
    try {
      const result = await this.#client.call(method, params, { signal });
      this.#alive();
      return result;
    } catch (error) {
      if (!isAborted(error)) this.#alive();
      else if (signal?.aborted) this.#ghosts.add(asked);
      else throw this.#over();
      throw error;
    } finally {
      this.#asked.delete(asked);
      this.#watch();
      if (this.#asked.size === 0) this.#rest();
    }
  }

  #begin(now: number): void {
    this.#lastLife = now;
    clearTimeout(this.#memoryTimer);
    const { board } = this.#worker;
    if (!board) return;
    this.#restingTotal = board.memory.total;
    this.#memoryTimer = setInterval(() => this.#measure(board), this.#limits.every);
    this.#memoryTimer.unref();
  }

  #measure(board: Board): void {
    const grown = board.memory.total - this.#restingTotal;
    if (grown > this.#limits.growth) this.#lost("memory", `grown by ${grown >> 20} MB`);
  }

  #rest(): void {
    clearTimeout(this.#memoryTimer);
    const { board } = this.#worker;
    if (this.#isOver || !board) return;
    const { decoder, isBroken } = board.memory;
    if (decoder <= this.#limits.decoder && !isBroken) return;
    this.#memoryTimer = setTimeout(
      () => this.#events.onGrown(board.memory),
      isBroken ? 0 : this.#limits.idle,
    );
    this.#memoryTimer.unref();
  }

  #over(): Error {
    return this.#loss ? new ThreadLostError(this.#loss) : new ProblemError(ABORTED);
  }

  dispose(): void {
    if (this.#isOver) return;
    this.#end();
  }

  #alive(): void {
    this.#lastLife = this.#events.now();
    this.#ghosts.clear();
  }

  /** Sets the alarm to the moment when the thread must be taken for hung. */
  #watch(): void {
    clearTimeout(this.#timer);
    if (this.#isOver || this.#asked.size === 0) return;
    const wait = Math.max(0, this.#deadline().at - this.#events.now());
    this.#timer = setTimeout(() => this.#check(), wait + 1);
    this.#timer.unref();
  }

  /**
   * The thread does one thing at a time, so a question may wait for a longer one before it: silence is measured for
   * all together, by the most patient. A question that is left out while others are answered ends alone.
   */
  #deadline(): { at: number; culprit: Asked | null } {
    const all = [...this.#asked];
    const limit = Math.max(...all.map((asked) => asked.limit));
    let deadline: { at: number; culprit: Asked | null } = { at: this.#lastLife + limit, culprit: null };
    for (const asked of all) {
      const at = asked.sentAt + asked.limit * PATIENCE;
      if (at < deadline.at) deadline = { at, culprit: asked };
    }
    return deadline;
  }

  #check(): void {
    if (this.#isOver || this.#asked.size === 0) return;
    const { at, culprit } = this.#deadline();
    if (this.#events.now() < at) this.#watch();
    else this.#lost("time", culprit ? "a question was never answered" : "no sign of life", culprit);
  }

  #lost(cause: LossCause, detail: string, culprit: Asked | null = null): void {
    if (this.#isOver) return;
    const all = culprit ? [culprit] : [...this.#asked, ...this.#ghosts];
    const at = this.#worker.board?.whereabouts ?? null;
    const there = at ? all.filter(({ key }) => key.startsWith(`${at.dir}\0`)) : [];
    // Where the thread was says nothing about a question that it left out while it answered others.
    const isThere = there.length > 0 && !culprit;
    this.#loss = { cause, suspects: isThere ? there : all, at: isThere ? at : null, detail };
    this.#end();
    this.#events.onLost(this.#loss);
  }

  #end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#memoryTimer);
    // Not awaited: a thread that is blocked in the system never ends, and nobody must wait for it.
    this.#worker.terminate().catch(() => {});
    this.#client.dispose();
  }
}

function transportOf(worker: WorkerThread): Transport {
  return {
    channel: "clone",
    post: (message, transfer) => worker.postMessage(message, transfer),
    listen(listener) {
      let isListening = true;
      worker.on("message", (message: unknown) => {
        if (isListening) listener(message);
      });
      return () => {
        isListening = false;
      };
    },
  };
}

function causeOf(error: unknown): LossCause {
  const code: unknown = typeof error === "object" && error !== null ? Reflect.get(error, "code") : "";
  return code === "ERR_WORKER_OUT_OF_MEMORY" ? "memory" : "crash";
}

const describe = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
