/** How the charts are liked in this workspace: asked of the host once, changed here, written back a moment later. */
import { type ChartPrefs, DEFAULT_PREFS } from "../src/protocol/prefs.ts";
import type { PageClient } from "./client.ts";

const WRITE_AFTER = 250;
/** What the host takes: so many ids in a list, so long. */
const MOST_IDS = 5000;
const LONGEST_ID = 500;

export class Prefs {
  #current: ChartPrefs = DEFAULT_PREFS;
  readonly #client: PageClient;
  readonly #report: (error: unknown) => void;
  readonly #listeners = new Set<(prefs: ChartPrefs) => void>();
  #writing: ReturnType<typeof setTimeout> | null = null;

  constructor(client: PageClient, report: (error: unknown) => void) {
    this.#client = client;
    this.#report = report;
  }

  get current(): ChartPrefs {
    return this.#current;
  }

  subscribe(listener: (prefs: ChartPrefs) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** What is kept; what was changed here meanwhile stays. Never rejects. */
  async load(): Promise<void> {
    try {
      const { prefs } = await this.#client.call("prefs.get", {});
      if (prefs && this.#writing === null) this.#set(prefs);
    } catch (error) {
      this.#report(error);
    }
  }

  change(more: Partial<Omit<ChartPrefs, "v">>): void {
    const { pinned, hidden, order, ...others } = { ...this.#current, ...more };
    this.#set({ ...others, pinned: kept(pinned), hidden: kept(hidden), order: kept(order) });
    this.#writing ??= setTimeout(() => this.flush(), WRITE_AFTER);
  }

  pin(id: string): void {
    this.change({ pinned: toggled(this.#current.pinned, id) });
  }

  hide(id: string): void {
    this.change({ hidden: toggled(this.#current.hidden, id) });
  }

  /** Writes now: the page is about to go. */
  flush(): void {
    if (this.#writing === null) return;
    clearTimeout(this.#writing);
    this.#writing = null;
    this.#client.call("prefs.set", { prefs: this.#current }).catch((error: unknown) => this.#report(error));
  }

  #set(prefs: ChartPrefs): void {
    this.#current = prefs;
    for (const listener of this.#listeners) listener(prefs);
  }
}

const toggled = (list: readonly string[], id: string): string[] =>
  list.includes(id) ? list.filter((other) => other !== id) : [...list, id];

const kept = (list: readonly string[]): string[] =>
  list.filter((id) => id.length <= LONGEST_ID).slice(-MOST_IDS);
