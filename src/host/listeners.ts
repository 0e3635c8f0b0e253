/** Who wants to be told of something. */
export class Listeners<T> {
  readonly #all = new Set<(value: T) => void>();

  /** @returns how to stop */
  add(listener: (value: T) => void): () => void {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  }

  tell(value: T): void {
    for (const listener of [...this.#all]) listener(value);
  }

  clear(): void {
    this.#all.clear();
  }
}
