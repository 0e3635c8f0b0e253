/** One question whose latest answer counts: an older one is taken back, and the same one is not asked twice. */
import type { Problem } from "../../src/protocol/wire.ts";
import { problemFrom } from "../client.ts";

export class Asked<A> {
  answer: A | null = null;
  problem: Problem | null = null;
  #key = "";
  #asking: AbortController | null = null;
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get busy(): boolean {
    return this.#asking !== null;
  }

  /**
   * Asks unless the same was asked last; what was answered stays until the next answer is there.
   * @param key names the question @param begin called when it is asked, what it returns when that has ended
   */
  ask(key: string, ask: (signal: AbortSignal) => Promise<A>, begin: () => () => void): void {
    if (key === this.#key && !this.problem) return;
    this.#key = key;
    void this.#fetch(ask, begin());
  }

  /** Takes the question back; what was answered stays. */
  stop(): void {
    if (!this.#asking) return;
    this.#asking.abort();
    this.#asking = null;
    this.#key = "";
  }

  forget(): void {
    this.stop();
    this.answer = null;
    this.problem = null;
    this.#key = "";
  }

  async #fetch(ask: (signal: AbortSignal) => Promise<A>, done: () => void): Promise<void> {
    this.#asking?.abort();
    const asking = new AbortController();
    this.#asking = asking;
    try {
      const answer = await ask(asking.signal);
      if (asking.signal.aborted) return;
      this.answer = answer;
      this.problem = null;
    } catch (error) {
      const problem = problemFrom(error);
      if (asking.signal.aborted || !problem) return;
      this.problem = problem;
    } finally {
      if (this.#asking === asking) this.#asking = null;
      done();
    }
    this.#changed();
  }
}
