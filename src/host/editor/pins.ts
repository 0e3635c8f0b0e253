/** The step that each run's page points out, as its page said last. */

/** Runs that are remembered; those that were told of longest ago are forgotten first. */
const MAX_RUNS = 50;

export class Pins {
  readonly #steps = new Map<string, number>();

  /** @param step `null` when the page has let go of it */
  set(dir: string, step: number | null): void {
    this.#steps.delete(dir);
    if (step === null) return;
    this.#steps.set(dir, step);
    for (const other of this.#steps.keys()) {
      if (this.#steps.size <= MAX_RUNS) break;
      this.#steps.delete(other);
    }
  }

  get(dir: string): number | null {
    return this.#steps.get(dir) ?? null;
  }
}
