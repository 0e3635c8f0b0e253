/** An answer that is asked for anew when its question changes: the last question counts, what is there stays meanwhile. */
import type { Problem } from "../../src/protocol/wire.ts";
import { problemFrom } from "../client.ts";
import type { Session } from "../session.ts";

/** Milliseconds between two answers to a question about something that grows. */
const PAUSE = 600;

export class Asked<T> {
  answer: T | null = null;
  problem: Problem | null = null;
  #key = "";
  #version = "";
  #asking: AbortController | null = null;
  #later: ReturnType<typeof setTimeout> | null = null;
  readonly #session: Session;
  readonly #changed: () => void;

  constructor(session: Session, changed: () => void) {
    this.#session = session;
    this.#changed = changed;
  }

  get isAsking(): boolean {
    return this.#asking !== null;
  }

  /**
   * @param key the question: another one is asked at once
   * @param version of what it is asked about: a later one is asked after a pause
   */
  ask(key: string, version: string, call: (signal: AbortSignal) => Promise<T>): void {
    if (key === this.#key && version === this.#version) return;
    const isOther = key !== this.#key;
    [this.#key, this.#version] = [key, version];
    if (this.#later !== null) clearTimeout(this.#later);
    this.#later = null;
    if (isOther) void this.#fetch(call);
    else this.#later = setTimeout(() => void this.#fetch(call), PAUSE);
  }

  /** The same question again, when it is asked the next time. */
  forget(): void {
    this.#key = "";
    this.problem = null;
  }

  stop(): void {
    if (this.#later !== null) clearTimeout(this.#later);
    this.#asking?.abort();
    this.forget();
  }

  async #fetch(call: (signal: AbortSignal) => Promise<T>): Promise<void> {
    this.#asking?.abort();
    const asking = new AbortController();
    this.#asking = asking;
    const done = this.#session.ready.begin();
    try {
      const answer = await call(asking.signal);
      if (!asking.signal.aborted) [this.answer, this.problem] = [answer, null];
    } catch (error) {
      if (!asking.signal.aborted) this.problem = problemFrom(error);
    }
    if (this.#asking === asking) this.#asking = null;
    this.#changed();
    done();
  }
}
