/** Runs that were opened lately, newest first, kept across windows. */

/** The part of VS Code's Memento that is used. */
export interface Memory {
  get<T>(key: string): T | undefined;
  update(key: string, value: unknown): PromiseLike<void>;
}

const KEY = "flightDeck.recentRuns";
export const MAX_RECENTS = 20;

export class Recents {
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Folder URIs. */
  list(): readonly string[] {
    const stored = this.#memory.get<unknown>(KEY);
    if (!Array.isArray(stored)) return [];
    return stored.filter((item): item is string => typeof item === "string").slice(0, MAX_RECENTS);
  }

  async add(uri: string): Promise<void> {
    const others = this.list().filter((item) => item !== uri);
    await this.#memory.update(KEY, [uri, ...others].slice(0, MAX_RECENTS));
  }

  async remove(uris: readonly string[]): Promise<void> {
    if (uris.length === 0) return;
    const gone = new Set(uris);
    await this.#memory.update(
      KEY,
      this.list().filter((item) => !gone.has(item)),
    );
  }
}
