/** One opened document: where its run is, how the opening ended, and the questions of its pages. */
import type { OpenState } from "../../protocol/page.ts";
import { ABORTED, ProblemError, problemOf } from "../../protocol/rpc.ts";
import type { RunContract } from "../../protocol/run.ts";
import type { Params, Problem, Result } from "../../protocol/wire.ts";
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
  readonly #listeners = new Set<(reason: string) => void>();
  #state: Promise<OpenState> | null = null;
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

  /** The same answer for all who ask. Never rejects: a failure is a state with words. */
  open(): Promise<OpenState> {
    this.#state ??= this.#open();
    return this.#state;
  }

  /** Looks again, whatever the state is. */
  retry(): Promise<OpenState> {
    return this.#again(this.#loose);
  }

  openLoose(): Promise<OpenState> {
    return this.#again(true);
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
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#listeners.clear();
    this.#release();
  }

  async #again(loose: boolean): Promise<OpenState> {
    // An opening at work has looked at the folder just now.
    const before = await this.open();
    this.#loose = loose;
    if (this.#dir !== null) this.#parts.pool().forgive(this.#dir);
    this.#release();
    this.#state = this.#open();
    const state = await this.#state;
    if (before.state === "run" || state.state === "run") this.#reopened("The run was opened again.");
    return state;
  }

  async #open(): Promise<OpenState> {
    let label = "";
    try {
      const place = await this.#parts.locate();
      label = place.label;
      if ("problem" in place) return this.#refused(label, place.problem);
      this.#dir = place.dir;
      const leased = await this.#parts.pool().acquire(place.dir, this.#loose);
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
    this.#stopListening = lease.run.onReopened((reason) => this.#reopened(reason));
    this.#parts.onOpened?.(dir);
  }

  #release(): void {
    this.#stopListening();
    this.#stopListening = () => {};
    this.#lease?.release();
    this.#lease = null;
  }

  #reopened(reason: string): void {
    for (const listener of [...this.#listeners]) listener(reason);
  }
}

const INTERNAL = problemOf("internal", "The run could not be opened.", {
  remedy: "Run “Flight Deck: Show Log” for details.",
});
