/** What a page remembers when it is hidden or its window reloads. */

export interface Memory {
  getState(): unknown;
  setState(state: unknown): void;
}

/** Milliseconds after a change: not on every pixel of a scroll. */
const MOMENT = 100;

/** A state that is written down a moment after it has changed. */
export class Kept<State> {
  #state: State;
  readonly #memory: Memory;
  #writing: ReturnType<typeof setTimeout> | null = null;

  /** @param restore what was stored, or the initial state when that is of another version or damaged */
  constructor(memory: Memory, restore: (stored: unknown) => State) {
    this.#memory = memory;
    this.#state = restore(memory.getState());
  }

  get state(): State {
    return this.#state;
  }

  set state(state: State) {
    this.#state = state;
    this.#writing ??= setTimeout(() => this.flush(), MOMENT);
  }

  /** Writes now: the page is about to go. */
  flush(): void {
    if (this.#writing !== null) clearTimeout(this.#writing);
    this.#writing = null;
    this.#memory.setState(this.#state);
  }
}
