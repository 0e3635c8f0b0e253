/** One opened document: where its run is, how the opening ended, and the questions of its pages. */
import { t } from "../../protocol/l10n.ts";
import type { OpenState } from "../../protocol/page.ts";
import { ABORTED, ProblemError, problemOf } from "../../protocol/rpc.ts";
import type { RunContract } from "../../protocol/run.ts";
import type { Params, Problem, Result } from "../../protocol/wire.ts";
import { Listeners } from "../listeners.ts";
import type { WorkerRun } from "../worker/client.ts";
import type { Lease, RunPool } from "../worker/pool.ts";

export type Place =
  | { readonly dir: string; readonly label: string }
  /** It cannot be opened here, whatever it is. */
  | { readonly label: string; readonly problem: Problem };

export interface SessionParts {
  /** Where the run is; looked up again on each try. */
  locate(): Promise<Place>;
  readonly pool: () => RunPool;
  /** Told of each run that opened, and of what did not. */
  readonly onOpened?: (dir: string) => void;
  readonly onRefused?: (place: string, problem: Problem, cause: unknown) => void;
}

type Method = keyof RunContract & string;

export class RunSession {
  readonly #parts: SessionParts;
  readonly #onReopened = new Listeners<string>();
  readonly #onStopped = new Listeners<Problem>();
  readonly #onChanged = new Listeners<OpenState["state"]>();
  #state: Promise<OpenState> | null = null;
  /** Openings wait for one another. */
  #turn: Promise<unknown> = Promise.resolve();
  #lease: Lease | null = null;
  #stopListening: () => void = () => {};
  #dir: string | null = null;
  #loose = false;
  #isDisposed = false;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  /** Folder of the run, `null` before it is found and where there is none. */
  get dir(): string | null {
    return this.#dir;
  }

  /** The open run, for questions about several; `null` while there is none. */
  get run(): WorkerRun | null {
    return this.#lease?.run ?? null;
  }

  /** The same answer for all who ask. Never rejects: a failure is a state with words. */
  open(): Promise<OpenState> {
    this.#state ??= this.#open();
    return this.#state;
  }

  /** Looks again, whatever the state is. */
  retry(): Promise<OpenState> {
    return this.#inTurn(() => this.#again(this.#loose));
  }

  openLoose(): Promise<OpenState> {
    return this.#inTurn(() => this.#again(true));
  }

  /** The files have changed: opens again what is open, and tries again what could not be opened. Never rejects. */
  refresh(): Promise<void> {
    return this.#inTurn(() => this.#refresh());
  }

  /** @throws ProblemError */
  async call<M extends Method>(
    method: M,
    params: Params<RunContract, M>,
    signal: AbortSignal,
  ): Promise<Result<RunContract, M>> {
    const state = await this.open();
    if (state.state !== "run") throw new ProblemError(state.problem);
    if (!this.#lease) throw new ProblemError(ABORTED);
    return this.#lease.run.call(method, params, signal);
  }

  /** Told when everything must be asked again, and why. */
  onReopened(listener: (reason: string) => void): () => void {
    return this.#onReopened.add(listener);
  }

  /** Told when the reader stopped over something in this run. */
  onStopped(listener: (problem: Problem) => void): () => void {
    return this.#onStopped.add(listener);
  }

  /** Told when other files lie there now, and how they could be opened. */
  onChanged(listener: (state: OpenState["state"]) => void): () => void {
    return this.#onChanged.add(listener);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#onReopened.clear();
    this.#onStopped.clear();
    this.#onChanged.clear();
    this.#release();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async #again(loose: boolean): Promise<OpenState> {
    // An opening at work has looked at the folder just now.
    const before = await this.open();
    this.#loose = loose;
    if (this.#dir !== null) this.#parts.pool().forgive(this.#dir);
    this.#release();
    this.#state = this.#open();
    const state = await this.#state;
    if (before.state === "run" || state.state === "run")
      this.#onReopened.tell(t("The run was opened again."));
    return state;
  }

  async #refresh(): Promise<void> {
    const before = await this.open();
    if (this.#isDisposed || this.#dir === null) return;
    this.#parts.pool().forgive(this.#dir);
    const after = await (this.#lease ? this.#reload(this.#lease) : this.#lookAgain());
    if (!after || this.#isDisposed || isSame(before, after)) return;
    this.#onChanged.tell(after.state);
  }

  /** `null` when the worker was lost meanwhile: the pages are told of that. */
  async #reload(lease: Lease): Promise<OpenState | null> {
    try {
      const opened = await lease.run.reload();
      if (opened.state === "run") return { state: "run" };
      this.#release();
      return await this.#enter(opened);
    } catch {
      return null;
    }
  }

  /** What was refused goes on being refused until it is known better: nobody waits for a second look. */
  async #lookAgain(): Promise<OpenState> {
    const state = await this.#open();
    this.#state = Promise.resolve(state);
    return state;
  }

  /** A refusal of what was open until now. */
  #enter(state: Exclude<OpenState, { state: "run" }>): Promise<OpenState> {
    this.#parts.onRefused?.(this.#dir ?? state.label, state.problem, undefined);
    this.#state = Promise.resolve(state);
    return this.#state;
  }

  async #open(): Promise<OpenState> {
    let label = "";
    try {
      const place = await this.#parts.locate();
      label = place.label;
      if ("problem" in place) return this.#refused(label, place.problem);
      this.#dir = place.dir;
      const leased = await this.#parts.pool().acquire(place.dir, this.#loose, { ahead: true });
      if (leased.state !== "run") {
        this.#parts.onRefused?.(place.dir, leased.problem, undefined);
        return leased;
      }
      if (this.#isDisposed) leased.lease.release();
      else this.#hold(leased.lease, place.dir);
      return { state: "run" };
    } catch (error) {
      return this.#refused(label, error instanceof ProblemError ? error.problem : INTERNAL, error);
    }
  }

  #refused(label: string, problem: Problem, cause?: unknown): OpenState {
    this.#parts.onRefused?.(this.#dir ?? label, problem, cause);
    return { state: "refused", label, problem };
  }

  #hold(lease: Lease, dir: string): void {
    this.#release();
    this.#lease = lease;
    const stop = [
      lease.run.onReopened((reason) => this.#onReopened.tell(reason)),
      lease.run.onStopped((problem) => this.#onStopped.tell(problem)),
    ];
    this.#stopListening = () => {
      for (const each of stop) each();
    };
    this.#parts.onOpened?.(dir);
  }

  #release(): void {
    this.#stopListening();
    this.#stopListening = () => {};
    this.#lease?.release();
    this.#lease = null;
  }
}

/** Two looks at what cannot be opened that found the same. A run that is open may differ in anything. */
function isSame(before: OpenState, after: OpenState): boolean {
  return after.state !== "run" && JSON.stringify(before) === JSON.stringify(after);
}

const INTERNAL = problemOf("internal", t("The run could not be opened."), {
  remedy: t("Run “Flight Deck: Show Log” for details."),
});
