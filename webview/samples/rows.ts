/** The rows of one list, a page at a time: what was asked for stays, what nobody waits for any more is taken back. */
import type { SampleList, SampleListRow } from "../../src/protocol/samples.ts";
import { pagesOf } from "./windowing.ts";

export const ROWS_PAGE = 100;
/** Pages that are kept. */
const KEPT = 60;

type Ask = (offset: number, limit: number, signal: AbortSignal) => Promise<SampleList>;

export class SampleRows {
  total = 0;
  /** Samples that match and have no value to sort by. */
  without = 0;
  /** Rows in the index when this was answered. */
  indexed = 0;
  readonly #ask: Ask;
  readonly #pages = new Map<number, readonly SampleListRow[]>();
  readonly #asking = new Map<number, { stop: AbortController; done: Promise<void> }>();

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  at(place: number): SampleListRow | undefined {
    return this.#pages.get(Math.floor(place / ROWS_PAGE))?.[place % ROWS_PAGE];
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

  /** Takes back every question. */
  stop(): void {
    for (const { stop } of this.#asking.values()) stop.abort();
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
    const { rows, total, without, indexed } = await this.#ask(page * ROWS_PAGE, ROWS_PAGE, signal);
    Object.assign(this, { total, without, indexed });
    this.#pages.set(page, rows);
    for (const old of this.#pages.keys()) {
      if (this.#pages.size <= KEPT) break;
      if (old !== page) this.#pages.delete(old);
    }
  }
}
