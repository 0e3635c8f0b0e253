/** How somebody likes the charts, in the workspace's own storage: never in a run. */
import * as z from "zod/mini";
import { ChartPrefs } from "../../protocol/prefs.ts";
import type { Memory } from "../commands/recents.ts";

const KEY = "flightDeck.chartPrefs";

export class Prefs {
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** `null` when nothing was kept, or by a version that had other ideas. */
  get(): ChartPrefs | null {
    const parsed = z.safeParse(ChartPrefs, this.#memory.get<unknown>(KEY));
    return parsed.success ? parsed.data : null;
  }

  async set(prefs: ChartPrefs): Promise<void> {
    await this.#memory.update(KEY, prefs);
  }
}
