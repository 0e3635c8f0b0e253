/** Knows when what is visible is painted: work is begun and ended, and two frames after the last end the page is ready. */
export class Ready {
  readonly #root: HTMLElement;
  readonly #frame: (then: () => void) => void;
  #open = 0;
  #turn = 0;
  readonly #later: (() => Promise<void>)[] = [];

  constructor(root: HTMLElement, frame: (then: () => void) => void = (then) => requestAnimationFrame(then)) {
    this.#root = root;
    this.#frame = frame;
    root.dataset["ready"] = "false";
  }

  /** Something visible is still awaited. */
  get busy(): boolean {
    return this.#open > 0;
  }

  /** Starts a piece of work; call what is returned when it is on the page or has failed. */
  begin(): () => void {
    this.#open++;
    this.#turn++;
    this.#root.dataset["ready"] = "false";
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      this.#open--;
      this.settle();
    };
  }

  /** Does a piece of work that nothing may wait for once everything else is painted; the page is ready after it. */
  afterwards(work: () => Promise<void>): void {
    this.#later.push(work);
    this.#root.dataset["ready"] = "false";
    this.settle();
  }

  /** Looks again in two frames: by then what was rendered is painted, and new work has been begun. */
  settle(): void {
    const turn = ++this.#turn;
    this.#frame(() =>
      this.#frame(() => {
        if (this.#open > 0 || turn !== this.#turn) return;
        const work = this.#later.shift();
        if (work) void work().finally(this.begin());
        else this.#root.dataset["ready"] = "true";
      }),
    );
  }
}
