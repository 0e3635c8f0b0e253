/** Knows when what is visible is painted: work is begun and ended, and two frames after the last end the page is ready. */
export class Ready {
  readonly #root: HTMLElement;
  readonly #frame: (then: () => void) => void;
  #open = 0;
  #turn = 0;
  readonly #later: (() => void)[] = [];

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

  /**
   * Does a piece of work that nothing may wait for once everything else is painted, or after `patience` milliseconds: what
   * hangs holds up nothing but itself. The page is ready after it.
   */
  afterwards(work: () => Promise<void>, patience: number): void {
    const begin = (): void => {
      clearTimeout(timer);
      const at = this.#later.indexOf(begin);
      if (at < 0) return;
      this.#later.splice(at, 1);
      void work().finally(this.begin());
    };
    const timer = setTimeout(begin, patience);
    this.#later.push(begin);
    this.#root.dataset["ready"] = "false";
    this.settle();
  }

  /** Looks again in two frames: by then what was rendered is painted, and new work has been begun. */
  settle(): void {
    const turn = ++this.#turn;
    this.#frame(() =>
      this.#frame(() => {
        if (this.#open > 0 || turn !== this.#turn) return;
        const [begin] = this.#later;
        if (begin) begin();
        else this.#root.dataset["ready"] = "true";
      }),
    );
  }
}
