/** Long work in pieces: others are let through, and whoever lost interest is noticed. */

/** Milliseconds of work after which others are let through. */
const BUDGET = 12;

export interface SliceClock {
  now(): number;
  /** Settles when waiting messages have been handled. */
  pause(): Promise<void>;
}

/** Settles when waiting messages have been handled. */
export const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export const REAL_CLOCK: SliceClock = { now: () => performance.now(), pause };

export class Slices {
  readonly #signal: AbortSignal;
  readonly #clock: SliceClock;
  #begun: number;

  constructor(signal: AbortSignal, clock: SliceClock = REAL_CLOCK) {
    this.#signal = signal;
    this.#clock = clock;
    this.#begun = clock.now();
  }

  /** Between two pieces. @throws the signal's reason once it was aborted */
  async rest(): Promise<void> {
    if (this.#clock.now() - this.#begun > BUDGET) {
      await this.#clock.pause();
      this.#begun = this.#clock.now();
    }
    this.#signal.throwIfAborted();
  }

  /** Works through a search, with a rest before each of its pieces. */
  async through<T>(search: Generator<undefined, T, undefined>): Promise<T> {
    for (;;) {
      await this.rest();
      const { done, value } = search.next();
      if (done) return value;
    }
  }
}
