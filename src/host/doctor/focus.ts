/** What a run's page should show first, asked for by a command; kept until a page takes it. */
import { Listeners } from "../listeners.ts";

export class Focus<T> {
  readonly #wanted = new Map<string, T>();
  readonly #asked = new Listeners<string>();

  /** @param dir the run's folder */
  ask(dir: string, what: T): void {
    this.#wanted.set(dir, what);
    this.#asked.tell(dir);
  }

  /** What was asked for, once; `null` when nothing is. */
  take(dir: string): T | null {
    const what = this.#wanted.get(dir) ?? null;
    this.#wanted.delete(dir);
    return what;
  }

  /** Told of each folder that something is asked for. */
  onAsked(listener: (dir: string) => void): () => void {
    return this.#asked.add(listener);
  }
}
