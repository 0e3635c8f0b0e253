/** What a run's page should show first, asked for by a command; kept until a page takes it. */
import { Listeners } from "../listeners.ts";

export class Focus {
  readonly #wanted = new Map<string, string>();
  readonly #asked = new Listeners<string>();

  /** @param dir the run's folder @param finding its id */
  ask(dir: string, finding: string): void {
    this.#wanted.set(dir, finding);
    this.#asked.tell(dir);
  }

  /** The finding, once; `null` when nothing is asked for. */
  take(dir: string): string | null {
    const finding = this.#wanted.get(dir) ?? null;
    this.#wanted.delete(dir);
    return finding;
  }

  /** Told of each folder that something is asked for. */
  onAsked(listener: (dir: string) => void): () => void {
    return this.#asked.add(listener);
  }
}
