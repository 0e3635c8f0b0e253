/** A text that is looked for in prompts and completions, a piece of the run at a time. */
import type { PageContract } from "../../src/protocol/page.ts";
import type { SampleFilter } from "../../src/protocol/samples.ts";
import type { Problem, Result } from "../../src/protocol/wire.ts";
import { problemFrom } from "../client.ts";

/** As many hits as a list of them is good for. */
export const MOST_HITS = 100_000;

export interface SearchQuery {
  readonly text: string;
  readonly matchCase: boolean;
  readonly filter: SampleFilter;
}

type Answer = Result<PageContract, "samples.search">;
type Ask = (query: SearchQuery, after: number, limit: number, signal: AbortSignal) => Promise<Answer>;

export class Search {
  readonly query: SearchQuery;
  hits: Uint32Array<ArrayBuffer> = new Uint32Array();
  searched = 0;
  of = 0;
  running = false;
  /** Somebody has stopped it: the hits are those of what was looked at. */
  cancelled = false;
  problem: Problem | null = null;
  readonly #ask: Ask;
  readonly #changed: () => void;
  #stop = new AbortController();
  #next = 0;
  /** Rows in the index, as far as is known. */
  #end = 0;

  constructor(query: SearchQuery, ask: Ask, changed: () => void) {
    this.query = query;
    this.#ask = ask;
    this.#changed = changed;
  }

  /** Hits beyond what is listed are not looked for. */
  get isFull(): boolean {
    return this.hits.length >= MOST_HITS;
  }

  /** Looks through what was not looked through yet. Never rejects. */
  async run(): Promise<void> {
    if (this.running || this.cancelled || this.isFull) return;
    this.running = true;
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    try {
      let more = true;
      while (more && !signal.aborted) more = await this.#step(signal);
    } catch (error) {
      if (!signal.aborted) this.problem = problemFrom(error);
    }
    this.running = false;
    this.#changed();
  }

  /** @returns whether there is more to look at */
  async #step(signal: AbortSignal): Promise<boolean> {
    const room = MOST_HITS - this.hits.length;
    const end = this.#end;
    const { rows, next, searched, of } = await this.#ask(this.query, this.#next, room, signal);
    if (signal.aborted) return false;
    if (rows.length > 0) this.hits = joined(this.hits, rows);
    Object.assign(this, { searched, of });
    this.#next = next ?? Math.max(end, this.#next, (this.hits.at(-1) ?? -1) + 1);
    this.#changed();
    return !this.isFull && (next !== null || this.#end > this.#next);
  }

  /** The index has grown to so many rows: later ones are looked through too. */
  grown(rows: number): void {
    this.#end = Math.max(this.#end, rows);
    if (this.#end > this.#next) void this.run();
  }

  cancel(): void {
    this.cancelled = true;
    this.dispose();
  }

  dispose(): void {
    this.#stop.abort();
  }
}

function joined(a: Uint32Array, b: Uint32Array): Uint32Array<ArrayBuffer> {
  const both = new Uint32Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
