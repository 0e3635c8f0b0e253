/** What the table of samples shows, and where it stands in it: by row, so that a list that grows does not move. */
import type { PageContract } from "../../src/protocol/page.ts";
import type { SampleFolder, SampleListRow } from "../../src/protocol/samples.ts";
import type { Params, Problem } from "../../src/protocol/wire.ts";
import { problemFrom } from "../client.ts";
import type { Session } from "../session.ts";
import { nameOf } from "./moves.ts";
import { SampleRows } from "./rows.ts";

type Asked = Pick<Params<PageContract, "samples.list">, "filter" | "order" | "components">;

/** Where somebody is: the uppermost row that is seen, and pixels of it that are not. */
export interface Anchor {
  readonly row: number;
  readonly place: number;
  readonly offset: number;
}

export interface Places {
  readonly anchor: Anchor | null;
  /** The row that is folded out, and the one that keys move from. */
  readonly open: number | null;
  readonly active: number | null;
}

export interface Loaded {
  readonly place: number;
  readonly anchor: Anchor | null;
}

/** Somebody who goes on scrolling is followed this often before the list is changed under them. */
const MOST_TRIES = 4;

const isSame = (a: Places, b: Places): boolean =>
  a.anchor?.row === b.anchor?.row && a.open === b.open && a.active === b.active;

/** Rows that are fetched before and after what is seen. */
const MARGIN = 60;

export class ListData {
  rows: SampleRows | null = null;
  /** Where what was asked for stands in the list; `null` when it is not in it. */
  openPlace: number | null = null;
  activePlace: number | null = null;
  problem: Problem | null = null;
  /** Another list is being fetched. */
  isLoading = false;
  /** Where the ranks' rows begin in this list. */
  #folders: readonly SampleFolder[] = [];
  readonly #session: Session;
  #turn = 0;

  constructor(session: Session) {
    this.#session = session;
  }

  get total(): number {
    return this.rows?.total ?? 0;
  }

  /** What a row of this list is called: the same in the next one. */
  nameOf(sample: SampleListRow): string {
    return nameOf(this.#folders, sample.row);
  }

  at(place: number): SampleListRow | undefined {
    return this.rows?.at(place);
  }

  /**
   * Fetches a list, and what is seen of it; what was there stays until then.
   * @param where asked again at the end: who has moved meanwhile is followed
   * @param seen rows that are seen at once
   * @returns where the anchor stands now, 0 without one; `null` when this was overtaken or failed
   */
  async load(asked: Asked, where: () => Places, seen: number): Promise<Loaded | null> {
    const turn = ++this.#turn;
    const done = this.#session.ready.begin();
    this.isLoading = true;
    try {
      const rows = this.#rowsOf(asked);
      const { folders } = this.#session.samples.state;
      let places = where();
      for (let tries = 1; ; tries++) {
        const found = await this.#find(rows, asked, places, seen);
        if (turn !== this.#turn) return null;
        const now = where();
        if (tries < MOST_TRIES && !isSame(now, places)) {
          places = now;
          continue;
        }
        this.rows?.stop();
        this.#folders = folders;
        const { openPlace, activePlace } = found;
        Object.assign(this, { rows, openPlace, activePlace, problem: null });
        return { place: found.first, anchor: now.anchor ?? places.anchor };
      }
    } catch (error) {
      if (turn === this.#turn) this.problem = problemFrom(error) ?? this.problem;
      return null;
    } finally {
      if (turn === this.#turn) this.isLoading = false;
      done();
    }
  }

  async #find(rows: SampleRows, asked: Asked, { anchor, open, active }: Places, seen: number) {
    const [at, openPlace, activePlace] = await Promise.all(
      [anchor?.row ?? null, open, active].map((row) => this.#placeOf(asked, row)),
    );
    const first = await this.#fetch(rows, at ?? anchor?.place ?? 0, seen);
    return { first, openPlace, activePlace };
  }

  /** @returns the place, or the last one where the list is shorter */
  async #fetch(rows: SampleRows, place: number, seen: number): Promise<number> {
    await rows.need(Math.max(0, place - MARGIN), place + seen + 1);
    const first = Math.min(place, Math.max(0, rows.total - 1));
    if (first !== place) await rows.need(Math.max(0, first - seen), first + 1);
    return first;
  }

  #rowsOf(asked: Asked): SampleRows {
    const { client } = this.#session;
    const { components, ...list } = asked;
    return new SampleRows({
      list: (offset, limit, signal) =>
        client.call("samples.list", { ...list, texts: false, offset, limit }, { signal }),
      rows: async (rows, signal) =>
        (
          await client.call(
            "samples.rows",
            { rows: [...rows], ...(components && { components }) },
            { signal },
          )
        ).rows,
    });
  }

  async #placeOf({ filter, order }: Asked, row: number | null): Promise<number | null> {
    if (row === null) return null;
    return (await this.#session.client.call("samples.place", { filter, order, row })).place;
  }

  /** Fetches what is missing of some rows and of those around. @returns whether something came */
  async fill(first: number, end: number): Promise<boolean> {
    const { rows } = this;
    if (!rows) return false;
    const [from, to] = [Math.max(0, first - MARGIN), Math.min(rows.total, end + MARGIN)];
    if (rows.has(from, to)) return false;
    try {
      await rows.need(from, to);
      return rows === this.rows;
    } catch (error) {
      const problem = problemFrom(error);
      if (problem && rows === this.rows) this.problem = problem;
      return problem !== null;
    }
  }

  /** Whether a row's texts are still to come. */
  isPending(sample: SampleListRow): boolean {
    return this.rows?.isPending(sample) ?? false;
  }

  /**
   * Fetches the texts of rows that are there.
   * @param places in the order in which they are needed
   * @param came some are there, or never will be
   */
  async texts(places: readonly number[], came: () => void): Promise<void> {
    const { rows } = this;
    const isNow = (): boolean => rows === this.rows;
    try {
      await rows?.needTexts(places, () => isNow() && came());
    } catch (error) {
      const problem = problemFrom(error);
      if (!problem || !isNow()) return;
      this.problem = problem;
      came();
    }
  }

  stop(): void {
    this.#turn++;
    this.rows?.stop();
  }
}
