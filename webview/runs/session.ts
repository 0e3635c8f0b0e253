/** The table of runs as the page knows it: a window of its rows, and how more is asked for. */
import {
  DEFAULT_COLUMNS,
  type RunsPageContract,
  type runsPageNotices,
  type TableAction,
  type TableChoices,
  type TableQuery,
  type TableRow,
  type TableSort,
  type TableView,
} from "../../src/protocol/runs-page.ts";
import type { Problem } from "../../src/protocol/wire.ts";
import { type Connection, problemFrom } from "../client.ts";
import type { Ready } from "../ready.ts";
import { range, type Select, selected } from "./selection.ts";
import type { RunsStore } from "./state.ts";

export type RunsClient = Connection<RunsPageContract, typeof runsPageNotices>;

export type RunsPhase =
  | { readonly state: "loading" | "open" }
  | { readonly state: "failed"; readonly problem: Problem };

/** Milliseconds that somebody has to stop writing before the filter counts. */
const WRITTEN = 180;
/** Rows that are asked for beyond those that are drawn. */
const MARGIN = 40;
const MOST_ROWS = 300;

export class RunsSession {
  readonly client: RunsClient;
  readonly store: RunsStore;
  readonly ready: Ready;
  phase: RunsPhase = { state: "loading" };
  columns: readonly string[] = DEFAULT_COLUMNS;
  view: TableView | null = null;
  choices: TableChoices | null = null;
  /** Where keys move from; kept on its run when others come and go. */
  place = 0;
  /** Another order or other runs: the list begins at its top. */
  isOther = false;
  readonly #listeners = new Set<() => void>();
  #window: readonly [number, number] = [0, 60];
  #asked = "";
  #asking: AbortController | null = null;
  #writing: ReturnType<typeof setTimeout> | null = null;
  #written: () => void = () => {};
  /** A range is selected from here. */
  #anchor: string | null = null;

  constructor(client: RunsClient, store: RunsStore, ready: Ready) {
    this.client = client;
    this.store = store;
    this.ready = ready;
    client.on("changed", () => {
      this.#ask(true);
      if (this.choices) void this.loadChoices();
    });
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  async start(): Promise<void> {
    const done = this.ready.begin();
    this.phase = { state: "loading" };
    this.changed();
    try {
      const { prefs } = await this.client.call("table.open", {});
      if (prefs) this.columns = prefs.columns;
      this.#ask(true);
    } catch (error) {
      this.#failed(error);
    }
    done();
  }

  get query(): TableQuery {
    const { filter, sort } = this.store.state;
    return { filter, sort, columns: [...this.columns] };
  }

  /** `null` while it is not there. */
  row(place: number): TableRow | null {
    const { view } = this;
    return view?.rows[place - view.offset] ?? null;
  }

  /** These rows are to be seen. */
  want(first: number, end: number): void {
    this.#window = [first, end];
    const { view } = this;
    const last = view ? view.offset + view.rows.length : 0;
    if (!view || first < view.offset || Math.min(end, view.total) > last) this.#ask(false);
  }

  setFilter(filter: string): void {
    this.store.change({ filter });
    if (this.#writing !== null) clearTimeout(this.#writing);
    this.#written();
    this.#written = this.ready.begin();
    this.#writing = setTimeout(() => {
      this.#fromTop();
      this.#ask(true);
      this.#written();
    }, WRITTEN);
    this.changed();
  }

  setSort(sort: TableSort | null): void {
    this.store.change({ sort });
    this.#fromTop();
    this.#ask(true);
  }

  setColumns(columns: readonly string[]): void {
    this.columns = columns;
    const prefs = { v: 1 as const, columns: [...columns] };
    this.client.call("table.prefs", { prefs }).catch((error: unknown) => this.report(error));
    this.#ask(true);
  }

  async loadChoices(): Promise<void> {
    const done = this.ready.begin();
    try {
      this.choices = await this.client.call("table.choices", { filter: this.store.state.filter });
    } catch (error) {
      this.report(error);
    }
    done();
    this.changed();
  }

  get selected(): readonly string[] {
    return this.store.state.selected;
  }

  select(dir: string, how: Select): void {
    this.#anchor = dir;
    this.store.change({ selected: selected(this.selected, dir, how), active: dir });
    this.changed();
  }

  /** From where something was selected last to a place; all of it may not be on the page. */
  async selectTo(place: number): Promise<void> {
    const dirs = await this.#dirs();
    const from = this.#anchor === null ? -1 : dirs.indexOf(this.#anchor);
    const to = dirs[place];
    if (to === undefined) return;
    this.store.change({ selected: from < 0 ? [to] : range(dirs, from, place), active: to });
    this.changed();
  }

  async selectAll(): Promise<void> {
    this.store.change({ selected: [...(await this.#dirs())] });
    this.changed();
  }

  selectNone(): void {
    this.store.change({ selected: [] });
    this.changed();
  }

  /** @returns whether it was done */
  async action(action: TableAction): Promise<boolean> {
    try {
      return (await this.client.call("page.action", action)).done;
    } catch (error) {
      this.report(error);
      return false;
    }
  }

  /** For the log; nothing more can be done about it here. */
  report(error: unknown): void {
    const problem = problemFrom(error);
    if (!problem) return;
    const message = error instanceof Error ? `${error.name}: ${error.message}` : problem.message;
    this.client.call("page.report", { message: message.slice(0, 2000) }).catch(() => {});
  }

  async #dirs(): Promise<readonly string[]> {
    try {
      return (await this.client.call("table.dirs", this.query)).dirs;
    } catch (error) {
      this.report(error);
      return [];
    }
  }

  #fromTop(): void {
    this.store.change({ top: 0 });
    this.isOther = true;
    this.place = 0;
    this.#window = [0, this.#window[1] - this.#window[0]];
  }

  /** What is on the page stays until its answer is there. @param isOther the rows may be others now */
  #ask(isOther: boolean): void {
    const [first, end] = this.#window;
    const offset = Math.max(0, first - MARGIN);
    const limit = Math.min(MOST_ROWS, end - first + 2 * MARGIN);
    const key = JSON.stringify([this.query, offset, limit]);
    if (!isOther && this.#asking && this.#asked === key) return;
    this.#asked = key;
    void this.#fetch(offset, limit);
  }

  async #fetch(offset: number, limit: number): Promise<void> {
    const done = this.ready.begin();
    this.#asking?.abort();
    const asking = new AbortController();
    this.#asking = asking;
    const find = this.store.state.active;
    try {
      const params = { ...this.query, offset, limit, find };
      const view = await this.client.call("table.view", params, { signal: asking.signal });
      if (asking.signal.aborted) return;
      this.view = view;
      this.place = view.found ?? Math.min(this.place, Math.max(0, view.total - 1));
      this.phase = { state: "open" };
    } catch (error) {
      if (!asking.signal.aborted) this.#failed(error);
    } finally {
      if (this.#asking === asking) this.#asking = null;
      done();
    }
    this.changed();
  }

  #failed(error: unknown): void {
    const problem = problemFrom(error);
    if (!problem) return;
    this.phase = { state: "failed", problem };
    this.report(error);
    this.changed();
  }
}
