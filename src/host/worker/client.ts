/**
 * The host's view of the worker: runs that are opened once and asked, whatever happens to the thread. A thread that
 * hangs, dies or runs out of memory is replaced and its runs are opened again; the question it died of is found by
 * asking the suspects one at a time, and is not asked again.
 */
import * as z from "zod/mini";
import { isInEnglish, t } from "../../protocol/l10n.ts";
import { ABORTED, ProblemError } from "../../protocol/rpc.ts";
import { type RunContract, runContract } from "../../protocol/run.ts";
import type { FindParams, FoundRuns } from "../../protocol/runs.ts";
import type { Params, Problem, Result } from "../../protocol/wire.ts";
import type { OpenResult } from "../../protocol/worker.ts";
import { Listeners } from "../listeners.ts";
import {
  type AskOptions,
  type Loss,
  type MemoryLimits,
  Thread,
  ThreadLostError,
  type WorkerThread,
} from "./thread.ts";
import { BAD_ANSWER, FAILING, guiltyProblem, lostProblem, stoppedProblem } from "./words.ts";

export interface Limits {
  /** Milliseconds without a sign of life: an ordinary question, and one that reads every file of a run. */
  readonly call: number;
  readonly slow: number;
  /** Threads that may be lost a minute before the host gives up for the rest of it. */
  readonly lossesPerMinute: number;
  readonly memory: MemoryLimits;
}

const MB = 1024 * 1024;

/** Ordinary runs make the decoder hold 50 MB and the thread 200. */
export const LIMITS: Limits = {
  call: 45_000,
  slow: 300_000,
  lossesPerMinute: 4,
  memory: { growth: 768 * MB, every: 500, decoder: 256 * MB, idle: 10_000 },
};

export interface RunWorkerOptions {
  spawn(): WorkerThread;
  readonly limits?: Limits;
  readonly now?: () => number;
  /** The workspace is not trusted: no link out of a run is followed. Trusted always without it. */
  readonly isRestricted?: () => boolean;
  readonly log: (level: "info" | "warn" | "error", message: string) => void;
}

type Method = keyof RunContract & string;
/** Where a run lives: a thread, and what the opening there gave. */
interface Home {
  readonly thread: Thread;
  readonly opened: OpenResult;
}

export type Opened =
  | { readonly state: "run"; readonly run: WorkerRun }
  | Exclude<OpenResult, { readonly state: "run" }>;

/** Questions that may read every file of the run. */
const SLOW: ReadonlySet<string> = new Set<Method | "open" | "find" | "report">([
  "open",
  "run.counts",
  "find",
  "report",
]);

export interface OpenOptions {
  /** A page is on its way: what it asks first is read before it asks. */
  readonly ahead?: boolean;
}

export class RunWorker {
  readonly #options: RunWorkerOptions;
  readonly #limits: Limits;
  readonly #now: () => number;
  readonly #runs = new Set<WorkerRun>();
  #thread: Thread | null = null;
  #losses: number[] = [];
  readonly #suspects = new Set<string>();
  /** Questions that a thread died of, and how. */
  readonly #guilty = new Map<string, Problem>();
  /** Suspects are asked one after another. */
  readonly #alone: Record<"open" | "call", Promise<unknown>> = {
    open: Promise.resolve(),
    call: Promise.resolve(),
  };
  #isDisposed = false;

  constructor(options: RunWorkerOptions) {
    this.#options = options;
    this.#limits = options.limits ?? LIMITS;
    this.#now = options.now ?? Date.now;
  }

  /** Starts the thread and its decoder ahead of the first run; a failure shows when a run is opened. */
  warm(): void {
    this.ask("", "warm", async (more) => this.thread().ask("warm", {}, more)).catch(() => {});
  }

  /** Opens a run. Only the answer to a broken worker is a rejection; a refused run is a state. @throws ProblemError */
  async open(dir: string, loose: boolean, { ahead = false }: OpenOptions = {}): Promise<Opened> {
    const run = new WorkerRun(this, dir, loose, ahead);
    const { opened } = await run.attach();
    if (opened.state !== "run") return opened;
    if (this.#isDisposed) throw new ProblemError(ABORTED);
    this.#runs.add(run);
    return { state: "run", run };
  }

  /** All runs below a folder. @throws ProblemError, "aborted" after `signal` */
  find(params: FindParams, signal: AbortSignal): Promise<FoundRuns> {
    const send = async (more: AskOptions): Promise<FoundRuns> =>
      this.thread().ask("find", { ...params, ...this.restriction() }, more);
    return this.ask(params.root, "find", send, signal);
  }

  /** What every opening says where no link out of a run is followed. */
  restriction(): { readonly restricted?: true } {
    return this.#options.isRestricted?.() ? { restricted: true } : {};
  }

  /** The workspace is trusted now: what is open is opened again as if for the first time. @returns its folders; never rejects */
  async trusted(): Promise<readonly string[]> {
    const runs = [...this.#runs];
    // Where that fails, whoever asks about the run next is told why.
    await Promise.all(runs.map((run) => run.renew(t("The workspace is trusted now.")).catch(() => {})));
    return runs.map(({ dir }) => dir);
  }

  /** Forgets what questions about a folder have done: the user wants to try again. */
  forgive(dir: string): void {
    for (const key of [...this.#guilty.keys()]) if (key.startsWith(`${dir}\0`)) this.#guilty.delete(key);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#runs.clear();
    this.#thread?.dispose();
    this.#thread = null;
  }

  /** The thread at work, or a new one. @throws ProblemError when too many were lost */
  thread(): Thread {
    if (this.#isDisposed) throw new ProblemError(ABORTED);
    if (this.#thread) return this.#thread;
    this.#losses = this.#losses.filter((at) => at > this.#now() - 60_000);
    if (this.#losses.length >= this.#limits.lossesPerMinute) throw new ProblemError(FAILING);
    this.#thread = new Thread(this.#options.spawn(), this.#limits.memory, {
      now: this.#now,
      onLost: (loss) => this.#lost(loss),
      onGrown: ({ decoder }) => this.#retire(`the decoder holds ${Math.round(decoder / MB)} MB`),
      onFailed: (where, error) => this.#options.log("error", `worker, ${where}: ${error}`),
    });
    return this.#thread;
  }

  /** Asks about a folder under the rules for suspects. @throws ProblemError */
  async ask<T>(
    dir: string,
    question: string,
    send: (more: AskOptions) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const key = `${dir}\0${question}`;
    const limit = SLOW.has(question) ? this.#limits.slow : this.#limits.call;
    const attempt = async (): Promise<T> => {
      const guilty = this.#guilty.get(key);
      if (guilty) throw new ProblemError(guilty);
      try {
        const answer = await send({ key, limit, signal });
        this.#suspects.delete(key);
        return answer;
      } catch (error) {
        if (!(error instanceof ThreadLostError)) throw error;
        throw new ProblemError(this.#guilty.get(key) ?? lostProblem(error.loss));
      }
    };
    if (!this.#suspects.has(key)) return attempt();
    // Openings have a row of their own: a question in the other row may be waiting for one.
    const row = question === "open" ? "open" : "call";
    const turn = this.#alone[row].then(attempt);
    this.#alone[row] = turn.catch(() => {});
    return turn;
  }

  remove(run: WorkerRun): void {
    this.#runs.delete(run);
  }

  /** Nobody notices: no question is at work, and the next one about a run opens it again in another thread. */
  #retire(why: string): void {
    this.#options.log("info", `worker replaced: ${why}`);
    this.#thread?.dispose();
    this.#thread = null;
  }

  #lost(loss: Loss): void {
    this.#thread = null;
    this.#losses.push(this.#now());
    const where = loss.at ? ` in ${loss.at.dir}: ${loss.at.file}` : "";
    this.#options.log("error", `worker lost (${loss.cause})${where}: ${loss.detail}`);
    const keys = this.#blame(loss);
    for (const run of this.#runs) {
      run.reopened(lostProblem(loss).message);
      const own = keys.filter((key) => key.startsWith(`${run.dir}\0`));
      if (own.length > 0) run.stopped(stoppedProblem(loss, own.length === 1 ? questionIn(own[0]) : ""));
    }
  }

  /** @returns the questions that the thread can have died of, one where that is known */
  #blame(loss: Loss): readonly string[] {
    const keys = [...new Set(loss.suspects.map(({ key }) => key))];
    const known = keys.filter((key) => this.#suspects.has(key));
    const culprits = known.length > 0 ? known : keys;
    const [culprit] = culprits;
    if (culprits.length === 1 && culprit !== undefined) {
      this.#suspects.delete(culprit);
      const limit = loss.suspects.find(({ key }) => key === culprit)?.limit ?? this.#limits.call;
      this.#guilty.set(culprit, guiltyProblem(loss, questionIn(culprit), limit));
    } else for (const key of culprits) this.#suspects.add(key);
    return culprits;
  }
}

/** One open run; `close` it once. */
export class WorkerRun {
  readonly dir: string;
  readonly loose: boolean;
  readonly #worker: RunWorker;
  readonly #onReopened = new Listeners<string>();
  readonly #onStopped = new Listeners<Problem>();
  #home: Promise<Home> | null = null;
  #isRefused = false;
  #isClosed = false;
  #ahead: boolean;

  constructor(worker: RunWorker, dir: string, loose: boolean, ahead: boolean) {
    this.#worker = worker;
    this.dir = dir;
    this.loose = loose;
    this.#ahead = ahead;
  }

  /** It was refused when it was opened the last time: nothing is answered before it is opened again. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** The thread that holds the run, opened again there if need be. @throws ProblemError */
  async attach(): Promise<Home> {
    for (;;) {
      if (this.#isClosed) throw new ProblemError(ABORTED);
      this.#home ??= this.#open(null);
      const current = this.#home;
      const home = await current;
      if (!home.thread.isOver) return home;
      if (this.#home === current) this.#home = null;
    }
  }

  /** @param before an opening that is still there: what it knows is not read again */
  #open(before: Promise<Home> | null): Promise<Home> {
    const { dir, loose } = this;
    // Once: where reading ahead ended the thread, the question that did it is asked, and blamed, alone.
    const ahead = this.#ahead ? { ahead: true } : {};
    this.#ahead = false;
    const english = wordsFor();
    const opening = this.#worker.ask(dir, "open", async (more) => {
      const old = await before?.catch(() => null);
      const thread = this.#worker.thread();
      const isThere = old?.thread === thread && old.opened.state === "run";
      const after = isThere ? { after: old.opened.run } : {};
      const params = { dir, loose, ...ahead, ...after, ...english, ...this.#worker.restriction() };
      return { thread, opened: await thread.ask("open", params, more) };
    });
    opening.then(
      ({ opened }) => {
        if (this.#home === opening) this.#isRefused = opened.state !== "run";
      },
      () => {
        if (this.#home === opening) this.#home = null;
      },
    );
    return opening;
  }

  /** @throws ProblemError, with code "aborted" after `signal` */
  async call<M extends Method>(
    method: M,
    params: Params<RunContract, M>,
    signal?: AbortSignal,
  ): Promise<Result<RunContract, M>> {
    const english = wordsFor();
    const send = async (more: AskOptions): Promise<unknown> => {
      const { thread, opened } = await this.attach();
      if (opened.state !== "run") throw new ProblemError(opened.problem);
      if (signal?.aborted) throw new ProblemError(ABORTED);
      return thread.ask("call", { run: opened.run, method, params, ...english }, more);
    };
    const answer = await this.#worker.ask(this.dir, questionOf(method, params), send, signal);
    const parsed = z.safeParse(runContract[method].result, answer);
    if (!parsed.success) throw new ProblemError(BAD_ANSWER);
    return parsed.data as Result<RunContract, M>;
  }

  /** Told when the thread was lost: what was answered is still true, what was asked must be asked again. */
  onReopened(listener: (reason: string) => void): () => void {
    return this.#onReopened.add(listener);
  }

  /** Told when it was lost over a question about this run. */
  onStopped(listener: (problem: Problem) => void): () => void {
    return this.#onStopped.add(listener);
  }

  reopened(reason: string): void {
    this.#onReopened.tell(reason);
  }

  stopped(problem: Problem): void {
    this.#onStopped.tell(problem);
  }

  /**
   * Opens the folder again: its files have changed. Whoever asks from now on is answered from what is there now.
   * @throws ProblemError when the worker cannot
   */
  async reload(): Promise<OpenResult> {
    const before = this.#home;
    this.#home = this.#open(before);
    const { opened } = await this.attach();
    before?.then(closeIn).catch(() => {});
    return opened;
  }

  /** Opens the folder again as if for the first time, and says so. @throws ProblemError when the worker cannot */
  async renew(reason: string): Promise<void> {
    const before = this.#home;
    this.#home = this.#open(null);
    await this.attach();
    before?.then(closeIn).catch(() => {});
    this.reopened(reason);
  }

  close(): void {
    this.#isClosed = true;
    this.#worker.remove(this);
    this.#onReopened.clear();
    this.#onStopped.clear();
    const home = this.#home;
    this.#home = null;
    // A thread that is gone has closed everything.
    home?.then(closeIn).catch(() => {});
  }
}

/** What a question says about the language of its answer. */
export const wordsFor = (): { readonly english?: true } => (isInEnglish() ? { english: true } : {});

async function closeIn({ thread, opened }: Home): Promise<void> {
  if (thread.isOver || opened.state !== "run") return;
  await thread.ask("close", { run: opened.run }, { key: "close", limit: LIMITS.call });
}

const questionIn = (key = ""): string => key.slice(key.indexOf("\0") + 1);

/** The same work has the same name, whatever part of the run and width it is asked for. */
function questionOf(method: Method, params: unknown): string {
  const metrics: unknown =
    typeof params === "object" && params !== null ? Reflect.get(params, "metrics") : null;
  return Array.isArray(metrics) ? `${method} ${JSON.stringify(metrics)}` : method;
}
