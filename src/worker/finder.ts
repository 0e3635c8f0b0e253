/** Searches for runs, and what they remember of folders that have not changed since. */
import type { RunSource } from "../core/io/source.ts";
import { FolderMemory, findRuns } from "../core/runs/find.ts";
import { excluder } from "../core/runs/wildcard.ts";
import type { FindParams, FoundRuns } from "../protocol/runs.ts";

/** Roots that are remembered: the folders of a workspace. */
const MAX_ROOTS = 16;

export class Finder {
  readonly #source: (dir: string, isRestricted: boolean) => RunSource;
  readonly #memories = new Map<string, FolderMemory>();

  constructor(source: (dir: string, isRestricted: boolean) => RunSource) {
    this.#source = source;
  }

  /** @throws FlightDeckError when the root cannot be listed */
  async find({ root, exclude, restricted = false }: FindParams, signal: AbortSignal): Promise<FoundRuns> {
    const { runs, folders, cuts } = await findRuns(this.#source(root, restricted), {
      exclude: excluder(exclude),
      memory: this.#memory(restricted ? `${root}\0restricted` : root),
      isCancelled: () => signal.aborted,
    });
    return { runs: [...runs], folders, cuts: [...cuts] };
  }

  #memory(key: string): FolderMemory {
    const memory = this.#memories.get(key) ?? new FolderMemory();
    // The oldest goes when there are too many.
    this.#memories.delete(key);
    this.#memories.set(key, memory);
    for (const [oldest] of this.#memories) {
      if (this.#memories.size <= MAX_ROOTS) break;
      this.#memories.delete(oldest);
    }
    return memory;
  }
}
