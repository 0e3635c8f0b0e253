/** The samples of the run as the tab knows them: how far the index is, which are shown, and what is searched for. */
import { type SampleQuery, SampleSort } from "../../src/protocol/diagnosis.ts";
import type { SampleFilter, SampleIndexState, SampleOrder } from "../../src/protocol/samples.ts";
import type { Problem } from "../../src/protocol/wire.ts";
import { problemFrom } from "../client.ts";
import type { Session } from "../session.ts";
import { movedRow } from "./moves.ts";
import { Search } from "./search.ts";
import type { SamplesState } from "./state.ts";
import { NO_FILTERS } from "./state.ts";
import { filterOf } from "./words.ts";

/** Milliseconds between two looks at an index that grows. */
const PAUSE = 400;
/** Milliseconds between two lists of a search that goes on finding. */
const HITS_PAUSE = 500;

/** Where a row is now; `null` when its sample is gone. */
export type Move = (row: number) => number | null;

export class Samples {
  /** Which opening of the run its rows are meant in: it follows the session's when they have been found there. */
  epoch = 0;
  index: SampleIndexState | null = null;
  problem: Problem | null = null;
  search: Search | null = null;
  readonly #session: Session;
  readonly #listeners = new Set<() => void>();
  readonly #movers = new Set<(move: Move) => void>();
  #isStarted = false;
  #epoch = -1;
  #polling = new AbortController();
  /** The hits that lists are asked with. */
  #rows: SampleFilter["rows"] = null;
  #hitsTimer: ReturnType<typeof setTimeout> | null = null;

  constructor(session: Session) {
    this.#session = session;
    session.store.subscribe((_, { type }) => {
      if (type === "zoom" || type === "samples") this.#seek();
    });
    session.subscribe(() => {
      if (this.#isStarted && session.epoch !== this.#epoch) this.#begin();
    });
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Told when rows stand for other samples than until now, before anything is asked about them. */
  onMoved(listener: (move: Move) => void): () => void {
    this.#movers.add(listener);
    return () => this.#movers.delete(listener);
  }

  get state(): SamplesState {
    return this.#session.store.state.samples;
  }

  /** Begins the index, once: somebody looks. */
  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#begin();
  }

  retry(): void {
    this.problem = null;
    this.#begin();
  }

  change(change: Partial<SamplesState>): void {
    this.#session.store.dispatch({ type: "samples", change });
  }

  /** Removes one filter; that of steps is the timeline's where none were chosen here. */
  drop(name: keyof typeof NO_FILTERS): void {
    if (name === "steps" && this.state.steps === null) this.#session.zoom(null);
    else this.change({ [name]: NO_FILTERS[name] });
  }

  dropAll(): void {
    if (this.state.steps === null && this.#session.store.state.range) this.#session.zoom(null);
    this.change(NO_FILTERS);
  }

  /** Opens the tab with the samples of one step. */
  showStep(step: number): void {
    this.change({ ...NO_FILTERS, steps: [step, step], view: "list", open: null });
    this.#session.store.dispatch({ type: "tab", tab: "samples" });
  }

  /** Opens the tab with one sample folded out, among those of its step. */
  showSample(row: number, step: number): void {
    const anchor = { row, offset: 0, place: 0 };
    this.change({ ...NO_FILTERS, steps: [step, step], view: "list", open: row, anchor });
    this.#session.store.dispatch({ type: "tab", tab: "samples" });
  }

  /** Opens the tab with the samples behind a finding. */
  showQuery({ from, to, sort: by, descending }: SampleQuery): void {
    this.change({ ...NO_FILTERS, steps: [from, to], by, descending, view: "list", open: null });
    this.#session.store.dispatch({ type: "tab", tab: "samples" });
  }

  filter(): SampleFilter {
    return filterOf(this.state, this.#session.store.state.range, this.#rows);
  }

  /** By another column than was asked for where no sample has that one: a finding asks without knowing. */
  order(): SampleOrder {
    const { by, descending } = this.state;
    const { index } = this;
    const isMissing =
      index?.done === true && SampleSort.options.some((name) => name === by) && !index.present.includes(by);
    if (!isMissing) return { by, descending };
    return index.present.includes("reward_total")
      ? { by: "reward_total", descending }
      : { by: "row", descending: false };
  }

  /** Unlike any other list's. */
  key(): string {
    const { rows, ...filter } = this.filter();
    return JSON.stringify([filter, rows && this.search?.query, this.epoch]);
  }

  #begin(): void {
    this.#epoch = this.#session.epoch;
    this.#polling.abort();
    this.#polling = new AbortController();
    this.#seek();
    void this.#poll(this.#polling.signal);
  }

  async #poll(signal: AbortSignal): Promise<void> {
    const { client, ready } = this.#session;
    const first = ready.begin();
    let seen = -1;
    try {
      do {
        const index = await client.call("samples.state", { seen }, { signal });
        if (signal.aborted) break;
        this.#follow(index);
        this.index = index;
        this.problem = null;
        seen = index.read;
        this.search?.grown(index.rows);
        this.#changed();
        first();
        if (!index.done) await new Promise((resolve) => setTimeout(resolve, PAUSE));
      } while (!signal.aborted && this.index?.done !== true);
    } catch (error) {
      if (!signal.aborted) {
        this.problem = problemFrom(error);
        this.#session.report(error);
      }
      this.#changed();
    }
    first();
  }

  /** Finds the rows that are meant in the opening that answers now. */
  #follow(index: SampleIndexState): void {
    const { folders, open, anchor } = this.state;
    const isHere = this.epoch === this.#epoch && this.#isPlaced;
    if (isHere) {
      if (JSON.stringify(index.folders) !== JSON.stringify(folders)) this.change({ folders: index.folders });
      return;
    }
    const [openNow, anchorNow] = [open, anchor?.row ?? null].map((row) =>
      row === null || folders.length === 0 ? row : movedRow(row, folders, index),
    );
    if (openNow === undefined || anchorNow === undefined) return;
    this.#isPlaced = true;
    this.epoch = this.#epoch;
    const move: Move = (row) => (folders.length === 0 ? row : (movedRow(row, folders, index) ?? null));
    for (const tell of this.#movers) tell(move);
    this.change({
      ...{ folders: index.folders, open: openNow },
      anchor: anchor && anchorNow !== null ? { ...anchor, row: anchorNow } : null,
    });
  }

  /** Rows that are remembered from before the page was there have to be found too. */
  #isPlaced = false;

  /** Looks for the text anew where it, or what it is looked for in, is another. */
  #seek(): void {
    if (!this.#isStarted) return;
    const { search: text, matchCase } = this.state;
    const all = filterOf(this.state, this.#session.store.state.range, null);
    // Whoever goes from bin to bin of the hits does not look for them anew.
    const filter = { ...all, reward: null, length: null };
    const query = { text, matchCase, filter };
    const key = JSON.stringify([query, this.#epoch]);
    if (key === this.#sought) return;
    this.#sought = key;
    this.search?.dispose();
    this.#rows = text === "" ? null : new Uint32Array();
    if (text === "") this.search = null;
    else {
      const search: Search = new Search(
        query,
        ({ text: wanted, matchCase: exact, filter: within }, after, limit, signal) =>
          this.#session.client.call(
            "samples.search",
            { text: wanted, matchCase: exact, filter: within, after, limit },
            { signal },
          ),
        () => this.#found(search),
      );
      this.search = search;
      search.grown(this.index?.rows ?? 0);
      void search.run();
    }
    this.#changed();
  }

  #sought = "";

  /** The first hits are shown at once, more of them now and then. */
  #found(search: Search): void {
    if (search !== this.search) return;
    const show = (): void => {
      this.#hitsTimer = null;
      if (this.search) this.#rows = this.search.hits;
      this.#changed();
    };
    const isFirst = (this.#rows?.length ?? 0) === 0 && search.hits.length > 0;
    if (!search.running || isFirst) {
      if (this.#hitsTimer !== null) clearTimeout(this.#hitsTimer);
      show();
    } else this.#hitsTimer ??= setTimeout(show, HITS_PAUSE);
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}
