/**
 * The rows of one list, a page at a time: what was asked for stays, what nobody waits for any more is taken back.
 * Figures come at once; texts, which may have to be read from as many files as there are rows, come after them.
 */
import type { SampleList, SampleListRow } from "../../src/protocol/samples.ts";
import { pagesOf } from "./windowing.ts";

export const ROWS_PAGE = 100;
/** Pages that are kept. */
const KEPT = 60;

/** Rows whose texts are fetched in one question: those that are there are shown while the next are read. */
export const TEXTS_AT_ONCE = 12;

export interface Ask {
  /** Rows without texts. */
  list(offset: number, limit: number, signal: AbortSignal): Promise<SampleList>;
  /** Whole rows. */
  rows(rows: readonly number[], signal: AbortSignal): Promise<readonly SampleListRow[]>;
}

export class SampleRows {
  total = 0;
  /** Samples that match and have no value to sort by. */
  without = 0;
  /** Rows in the index when this was answered. */
  indexed = 0;
  readonly #ask: Ask;
  readonly #pages = new Map<number, SampleListRow[]>();
  /** Rows whose texts are there, or are not to be had. */
  readonly #whole = new WeakSet<SampleListRow>();
  #texts: { rows: readonly number[]; readonly stop: AbortController } | null = null;
  #wanted: readonly number[] = [];
  readonly #asking = new Map<number, { stop: AbortController; done: Promise<void> }>();

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  at(place: number): SampleListRow | undefined {
    return this.#pages.get(Math.floor(place / ROWS_PAGE))?.[place % ROWS_PAGE];
  }

  /** Whether its texts are still to come. */
  isPending(sample: SampleListRow): boolean {
    return !this.#whole.has(sample);
  }

  has(first: number, end: number): boolean {
    return pagesOf(first, Math.min(end, this.total), ROWS_PAGE).every((page) => this.#pages.has(page));
  }

  /**
   * Fetches the pages that hold these rows, and takes back what was asked for others.
   * @throws ProblemError when one cannot be had
   */
  async need(first: number, end: number): Promise<void> {
    const wanted = pagesOf(first, end, ROWS_PAGE);
    for (const [page, { stop }] of this.#asking) if (!wanted.includes(page)) stop.abort();
    await Promise.all(wanted.filter((page) => !this.#pages.has(page)).map((page) => this.#fetch(page)));
  }

  /**
   * Fetches the texts of rows that are there, a few at a time; texts of other rows are taken back.
   * @param places in the order in which they are needed
   * @param came some are there
   * @throws ProblemError when some cannot be had
   */
  async needTexts(places: readonly number[], came: () => void): Promise<void> {
    this.#wanted = places;
    const next = this.#missing();
    const asking = this.#texts;
    if (asking?.rows.some((row) => next.includes(row))) return;
    asking?.stop.abort();
    const texts: { rows: readonly number[]; readonly stop: AbortController } = {
      rows: next,
      stop: new AbortController(),
    };
    this.#texts = texts;
    try {
      for (; texts.rows.length > 0; texts.rows = this.#missing()) {
        const found = await this.#ask.rows(texts.rows, texts.stop.signal);
        texts.stop.signal.throwIfAborted();
        this.#fillIn(texts.rows, found);
        came();
      }
    } finally {
      if (this.#texts === texts) this.#texts = null;
    }
  }

  /** The next rows whose texts are wanted. */
  #missing(): number[] {
    const rows: number[] = [];
    for (const place of this.#wanted) {
      if (rows.length === TEXTS_AT_ONCE) break;
      const sample = this.at(place);
      if (sample && !this.#whole.has(sample)) rows.push(sample.row);
    }
    return rows;
  }

  #fillIn(asked: readonly number[], found: readonly SampleListRow[]): void {
    const byRow = new Map(found.map((sample) => [sample.row, sample]));
    for (const page of this.#pages.values()) {
      for (const [i, sample] of page.entries()) {
        if (!asked.includes(sample.row)) continue;
        const whole = byRow.get(sample.row) ?? sample;
        page[i] = whole;
        this.#whole.add(whole);
      }
    }
  }

  /** Takes back every question. */
  stop(): void {
    for (const { stop } of this.#asking.values()) stop.abort();
    this.#texts?.stop.abort();
  }

  #fetch(page: number): Promise<void> {
    const known = this.#asking.get(page);
    if (known && !known.stop.signal.aborted) return known.done;
    const stop = new AbortController();
    const asking = { stop, done: this.#fill(page, stop.signal) };
    this.#asking.set(page, asking);
    const end = (): void => {
      if (this.#asking.get(page) === asking) this.#asking.delete(page);
    };
    asking.done.then(end, end);
    return asking.done;
  }

  async #fill(page: number, signal: AbortSignal): Promise<void> {
    const { rows, total, without, indexed } = await this.#ask.list(page * ROWS_PAGE, ROWS_PAGE, signal);
    Object.assign(this, { total, without, indexed });
    this.#pages.set(page, [...rows]);
    for (const old of this.#pages.keys()) {
      if (this.#pages.size <= KEPT) break;
      if (old !== page) this.#pages.delete(old);
    }
  }
}
