/** The doctor.toml of a page's run. A slider asks many times a second: the file is not looked up for each of its answers. */
export class Thresholds<T> {
  readonly #look: (dir: string) => Promise<T>;
  #last: Promise<T> | null = null;

  constructor(look: (dir: string) => Promise<T>) {
    this.#look = look;
  }

  /** @param anew look at the file, whatever is known of it @throws what the look throws when it cannot be read */
  of(dir: string, anew: boolean): Promise<T> {
    if (!this.#last || anew) {
      const asking = this.#look(dir);
      this.#last = asking;
      asking.catch(() => {
        if (this.#last === asking) this.#last = null;
      });
    }
    return this.#last;
  }

  forget(): void {
    this.#last = null;
  }
}
