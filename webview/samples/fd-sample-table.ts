/**
 * The table of samples. Its rows lie in a layer that stays where it is while the list is scrolled behind it: what is seen
 * changes only when other rows are there to be seen. For screen readers it is a plain table, a page at a time.
 */

import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../src/protocol/l10n.ts";
import type { SampleListRow } from "../../src/protocol/samples.ts";
import { problemBox } from "../panels/problem.ts";
import type { Session } from "../session.ts";
import type { XRange } from "../state.ts";
import { define, FdElement } from "../ui/element.ts";
import { columnsFor, componentsOf, leastWidth, type SampleColumn } from "./columns.ts";
import { css } from "./css.ts";
import { ListData, type Places } from "./list.ts";
import type { Move } from "./model.ts";
import { rowsPager } from "./pager.ts";
import { tableHead } from "./table-head.ts";
import { keysOf } from "./table-keys.ts";
import { tableRows } from "./table-rows.ts";
import {
  drawnRows,
  type Geometry,
  placeAt,
  reach,
  revealed,
  scrolled,
  standIn,
  standInTop,
  topOf,
  unfolded,
} from "./windowing.ts";

export const ROW = 24;
const HEAD = 27;
/** Rows that are drawn beyond what is seen. */
const MORE = 8;
/** What is folded out, before it was measured. */
const USUAL_DETAIL = 320;
/** Of what is folded out by keys at least so much comes into view, or all that there is. */
const LEAST_DETAIL = 160;
/** Rows of a page for screen readers. */
export const PAGE = 100;
/** Milliseconds without scrolling after which the scroll bar is put where the list is. */
const STILL = 160;

const range = (first: number, end: number): number[] =>
  Array.from({ length: end - first }, (_, i) => first + i);

const usesScreenReader = (): boolean => document.body.classList.contains("vscode-using-screen-reader");

export class FdSampleTable extends FdElement {
  static override properties = { session: { attribute: false }, rewards: { attribute: false } };
  declare session: Session;
  /** Rewards of the run, lowest and highest. */
  declare rewards: XRange | null;
  #data: ListData | null = null;
  #columns: readonly SampleColumn[] = [];
  #key = "";
  #version = "";
  #isStale = false;
  #width = 0;
  #seen = 400;
  /** Pixels of the list above what is seen: as it should be, and as it is drawn. */
  #top = 0;
  #drawnTop = 0;
  /** The rows that are drawn: the first, and the one after the last. */
  #drawn: readonly [number, number] = [0, 0];
  #detail = USUAL_DETAIL;
  /** Where the stand-in was scrolled to last. */
  #from = 0;
  #still: ReturnType<typeof setTimeout> | null = null;
  #active: SampleListRow | null = null;
  /** The row that was folded out when its place was looked for. */
  #openRow: number | null = null;
  /** The place that gets the focus as soon as its row is there. */
  #goal: number | null = null;
  #stops: (() => void)[] = [];
  readonly #sizes = new ResizeObserver(() => this.#measure());
  readonly #modes = new MutationObserver(() => this.requestUpdate());

  override connectedCallback(): void {
    super.connectedCallback();
    this.#data ??= new ListData(this.session);
    const { samples, store } = this.session;
    this.#stops = [
      samples.subscribe(() => this.#check()),
      samples.onMoved((move) => this.#moved(move)),
      store.subscribe((_, { type }) => {
        if (type === "samples" || type === "zoom") this.#check();
        if (type === "pin") this.requestUpdate();
      }),
    ];
    this.#modes.observe(document.body, { attributes: true, attributeFilter: ["class"] });
    this.#check();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.#stops) stop();
    this.#sizes.disconnect();
    this.#modes.disconnect();
    this.#data?.stop();
    this.#key = "";
  }

  /** Moves the focus into the table. */
  override focus(): void {
    this.#go(this.#data?.activePlace ?? placeAt(this.#geometry(), this.#top));
  }

  get #scroller(): HTMLElement | null {
    return this.querySelector<HTMLElement>(".sm-scroller");
  }

  #geometry(): Geometry {
    const place = this.#data?.openPlace ?? null;
    return {
      rows: this.#data?.total ?? 0,
      row: ROW,
      seen: this.#seen,
      open: place === null ? null : { place, height: this.#detail },
    };
  }

  /** The row that keys move from stays the same sample. */
  #moved(move: Move): void {
    const row = this.#active && move(this.#active.row);
    this.#active = this.#active && row !== null ? { ...this.#active, row } : null;
  }

  /** Asks for another list where another one is to be shown, or for the same where more is in it. */
  #check(): void {
    const { samples } = this.session;
    const { index } = samples;
    if (!index) return;
    const chosen = { ...samples.state, by: samples.order().by };
    this.#columns = columnsFor(index, chosen, this.#width || 900);
    const key = JSON.stringify([samples.key(), samples.order()]);
    const hits = samples.filter().rows?.length ?? null;
    const version = JSON.stringify([index.rows, hits, componentsOf(this.#columns)]);
    // Another row may have been folded out from elsewhere.
    const isOpened = samples.state.open !== this.#openRow;
    if (key !== this.#key || version !== this.#version || isOpened) {
      const isOther = key !== this.#key || isOpened;
      [this.#key, this.#version] = [key, version];
      if (isOther || !this.#data?.isLoading) void this.#load();
      else this.#isStale = true;
    }
    this.requestUpdate();
  }

  async #load(): Promise<void> {
    const { samples } = this.session;
    const data = this.#data;
    if (!data) return;
    this.#isStale = false;
    const asked = {
      filter: samples.filter(),
      order: samples.order(),
      components: componentsOf(this.#columns),
    };
    const where = (): Places => {
      const { anchor, open } = samples.state;
      this.#openRow = open;
      return { anchor, open, active: this.#active?.row ?? null };
    };
    const loaded = await data.load(asked, where, Math.ceil(this.#seen / ROW));
    if (loaded) {
      const { place, anchor } = loaded;
      this.#moveTo(anchor ? topOf(this.#geometry(), place) + anchor.offset : 0);
      if (data.activePlace === null) this.#active = null;
    }
    this.requestUpdate();
    if (this.#isStale && !data.isLoading) void this.#load();
  }

  /** @param least pixels of what is folded out that come into view: below a pointer its row stays where it is */
  #toggle(place: number, least = 0): void {
    const data = this.#data;
    const sample = data?.at(place);
    if (!data || !sample) return;
    const isOpen = data.openPlace === place;
    const before = topOf(this.#geometry(), place) - this.#top;
    data.openPlace = isOpen ? null : place;
    this.#detail = USUAL_DETAIL;
    this.#active = sample;
    data.activePlace = place;
    this.#openRow = isOpen ? null : sample.row;
    this.session.samples.change({ open: this.#openRow });
    const list = this.#geometry();
    const stays = topOf(list, place) - before;
    this.#moveTo(least === 0 ? stays : unfolded(list, stays, least));
    this.requestUpdate();
  }

  /** Scrolls the list to a height, and the stand-in with it as soon as it has its size. */
  #moveTo(top: number): void {
    this.#top = Math.min(reach(this.#geometry()), Math.max(0, top));
    this.#needsSync = true;
    this.#remember();
    this.requestUpdate();
  }

  #needsSync = false;

  readonly #scrolled = (): void => {
    const scroller = this.#scroller;
    if (!scroller || scroller.clientHeight === 0 || usesScreenReader()) return;
    const to = scroller.scrollTop;
    if (to === this.#from) return;
    const list = this.#geometry();
    this.#top = scrolled(list, this.#top, this.#from, to);
    this.#from = to;
    this.#remember();
    this.requestUpdate();
    if (this.#still !== null) clearTimeout(this.#still);
    const isStuck =
      (to <= 0 && this.#top > 0) || (to >= standIn(list) - this.#seen && this.#top < reach(list));
    if (isStuck) this.#sync();
    this.#still = setTimeout(() => {
      // A busy browser has moved the bar and not told yet: that is where somebody wants to be.
      this.#scrolled();
      this.#sync();
    }, STILL);
  };

  /** Puts the scroll bar where the list is. */
  #sync(): void {
    const scroller = this.#scroller;
    if (!scroller || scroller.clientHeight === 0) return;
    const at = standInTop(this.#geometry(), this.#top);
    if (Math.abs(scroller.scrollTop - at) >= 1) scroller.scrollTop = at;
    this.#from = scroller.scrollTop;
  }

  #remember(): void {
    const { samples } = this.session;
    const list = this.#geometry();
    const place = placeAt(list, this.#top);
    const row = this.#data?.at(place)?.row;
    const isAtTop = this.#top === 0 && this.#active === null && samples.state.open === null;
    if (isAtTop && samples.state.anchor !== null) samples.change({ anchor: null });
    if (row === undefined || isAtTop) return;
    const offset = this.#top - topOf(list, place);
    const { anchor } = samples.state;
    if (anchor?.row === row && anchor.offset === offset && anchor.place === place) return;
    samples.change({ anchor: { row, offset, place } });
  }

  #measure(): void {
    const scroller = this.#scroller;
    if (!scroller || scroller.clientHeight === 0) return;
    const seen = Math.max(ROW, scroller.clientHeight - HEAD);
    const width = scroller.clientWidth;
    const detail = this.querySelector<HTMLElement>(".sm-detail")?.offsetHeight ?? this.#detail;
    const grown = detail - this.#detail;
    const openPlace = this.#data?.openPlace ?? null;
    const isAbove = openPlace !== null && placeAt(this.#geometry(), this.#top) > openPlace;
    if (seen === this.#seen && width === this.#width && grown === 0) return;
    const isWider = width !== this.#width;
    [this.#seen, this.#width, this.#detail] = [seen, width, detail];
    if (isAbove) this.#top += grown;
    this.#moveTo(this.#top);
    if (isWider) this.#check();
  }

  #go(place: number): void {
    const data = this.#data;
    if (!data || data.total === 0) return;
    const to = Math.min(data.total - 1, Math.max(0, place));
    this.#goal = to;
    data.activePlace = to;
    if (usesScreenReader()) this.session.samples.change({ rowsAt: to - (to % PAGE) });
    else this.#moveTo(revealed(this.#geometry(), this.#top, to));
    this.requestUpdate();
  }

  protected override firstUpdated(): void {
    const scroller = this.#scroller;
    if (scroller) this.#sizes.observe(scroller);
    this.#measure();
  }

  protected override updated(): void {
    if (this.#needsSync && !usesScreenReader()) {
      this.#needsSync = false;
      this.#sync();
    }
    const detail = this.querySelector(".sm-detail");
    if (detail) this.#sizes.observe(detail);
    this.#focusGoal();
    const scroller = this.#scroller;
    // What had the focus may have been scrolled out of what is drawn. Or the whole page lost it: then nothing here takes it.
    if (this.#hasFocus && scroller && document.hasFocus() && document.activeElement === document.body)
      scroller.focus({ preventScroll: true });
  }

  #hasFocus = false;

  #focusGoal(): void {
    if (this.#goal === null) return;
    const sample = this.#data?.at(this.#goal);
    const row = sample && this.querySelector<HTMLElement>(`.sm-row[data-row="${sample.row}"]`);
    if (!sample || !row) return;
    this.#goal = null;
    this.#active = sample;
    row.focus({ preventScroll: !usesScreenReader() });
    this.#remember();
    this.requestUpdate();
  }

  /** A part of what is folded out got the focus: the browser has scrolled the layer instead of the list. */
  readonly #layerScrolled = ({ currentTarget }: Event): void => {
    if (!(currentTarget instanceof HTMLElement) || currentTarget.scrollTop === 0) return;
    const by = currentTarget.scrollTop;
    currentTarget.scrollTop = 0;
    this.#moveTo(this.#top + by);
  };

  /** Rows to draw: what is to be seen, or what was seen last until that is there. */
  #window(): [number, number] {
    const data = this.#data;
    if (!data?.rows) return [0, 0];
    if (usesScreenReader()) {
      const first = Math.min(this.session.samples.state.rowsAt, Math.max(0, data.total - 1));
      const start = first - (first % PAGE);
      const end = Math.min(data.total, start + PAGE);
      void data.fill(start, end).then((isMore) => isMore && this.requestUpdate());
      this.#needTexts(start, end);
      return data.rows.has(start, end) ? [start, end] : [0, 0];
    }
    const list = this.#geometry();
    const wanted = drawnRows(list, this.#top, MORE);
    void data.fill(...wanted).then((isMore) => isMore && this.requestUpdate());
    if (data.rows.has(...wanted)) {
      this.#needTexts(...wanted, placeAt(list, this.#top));
      this.#drawnTop = this.#top;
      return wanted;
    }
    const before = drawnRows(list, this.#drawnTop, MORE);
    return data.rows.has(...before) ? before : [0, 0];
  }

  /** Has the texts of rows fetched whose figures are shown, of those that are seen first. */
  #needTexts(first: number, end: number, seen = first): void {
    const data = this.#data;
    const isPending = (place: number): boolean => {
      const sample = data?.at(place);
      return sample !== undefined && data?.isPending(sample) === true;
    };
    const places = [...range(seen, end), ...range(first, seen)].filter(isPending);
    if (!data || places.length === 0) return;
    const done = this.session.ready.begin();
    void data.texts(places, () => this.requestUpdate()).finally(done);
  }

  override render(): TemplateResult {
    const data = this.#data;
    if (data?.problem) return problemBox(data.problem, () => this.#retry());
    const [first, end] = this.#window();
    this.#drawn = [first, end];
    const isBounded = usesScreenReader();
    const list = this.#geometry();
    const columns = this.#columns;
    const widths = columns.map(({ width }) => `${width}px`).join(" ");
    const shift = first === end ? 0 : topOf(list, first) - this.#drawnTop;
    return html`<div
        class=${`sm-scroller ${isBounded ? "bounded" : ""}`}
        role="treegrid"
        tabindex="-1"
        aria-label=${t("Samples")}
        aria-rowcount=${list.rows + 1 + (list.open ? 1 : 0)}
        aria-colcount=${columns.length + 2}
        aria-busy=${String(data?.isLoading === true || this.#drawnTop !== this.#top)}
        ${css({
          "--sm-columns": `18px ${widths} minmax(200px, 1fr)`,
          "--sm-least": `${leastWidth(columns)}px`,
          "--sm-width": `${this.#width}px`,
        })}
        @scroll=${this.#scrolled}
        @keydown=${this.#pressed}
        @focusin=${this.#focused}
        @focusout=${({ relatedTarget }: FocusEvent) => {
          if (relatedTarget instanceof Node && !this.contains(relatedTarget)) this.#hasFocus = false;
        }}
      >
        ${tableHead(columns, this.session.samples)}
        <div class="sm-space" role="presentation" ${css({ height: isBounded ? "auto" : `${Math.max(standIn(list), 1)}px` })}>
          <div class="sm-layer" role="rowgroup" ${css({ height: isBounded ? "auto" : `${Math.min(this.#seen, standIn(list))}px` })} @scroll=${this.#layerScrolled}>
            <div class="sm-rows" role="presentation" ${css({ transform: isBounded ? "none" : `translateY(${shift}px)` })}>
              ${this.#rows(first, end)}
            </div>
          </div>
        </div>
      </div>
      ${isBounded ? rowsPager(this.session.samples, list.rows, PAGE) : nothing}`;
  }

  #rows(first: number, end: number): TemplateResult {
    const { session, rewards } = this;
    const { search: text, matchCase } = session.samples.state;
    return tableRows({
      ...{ session, rewards, columns: this.#columns },
      places: range(first, end),
      at: (place) => this.#data?.at(place),
      nameOf: (sample) => this.#data?.nameOf(sample) ?? "",
      isPending: (sample) => this.#data?.isPending(sample) === true,
      needle: text === "" ? null : { text, matchCase },
      openPlace: this.#data?.openPlace ?? null,
      activePlace: this.#data?.activePlace ?? null,
      topPlace: placeAt(this.#geometry(), this.#drawnTop),
      toggle: (place) => this.#toggle(place),
      go: (place) => this.#go(place),
    });
  }

  readonly #focused = ({ target }: FocusEvent): void => {
    this.#hasFocus = true;
    if (!(target instanceof HTMLElement) || target.dataset["row"] === undefined) return;
    const row = Number(target.dataset["row"]);
    const data = this.#data;
    if (!data || this.#active?.row === row) return;
    const [first, end] = this.#drawn;
    for (let place = first; place < end; place++) {
      const sample = data.at(place);
      if (sample?.row !== row) continue;
      this.#active = sample;
      data.activePlace = place;
      this.#remember();
      this.requestUpdate();
    }
  };

  readonly #pressed = (event: KeyboardEvent): void => {
    const data = this.#data;
    const { target } = event;
    if (!data || !(target instanceof HTMLElement) || target.closest("fd-sample-detail")) return;
    const place = data.activePlace ?? placeAt(this.#geometry(), this.#top);
    const screen = Math.max(1, Math.floor(this.#seen / ROW) - 1);
    const isOpen = data.openPlace === place;
    const done = keysOf(event, {
      place,
      last: data.total - 1,
      screen,
      isOpen,
      isHead: target.closest(".sm-head") !== null,
      go: (to) => this.#go(to),
      toggle: () => this.#toggle(place, LEAST_DETAIL),
      open: () => {
        const row = data.at(place)?.row;
        if (row !== undefined) this.session.action({ action: "openSample", row, ...this.#searchWords() });
      },
      head: () => this.querySelector<HTMLElement>('.sm-head button[tabindex="0"]')?.focus(),
    });
    if (done) event.preventDefault();
  };

  #searchWords(): { search?: string } {
    const { search } = this.session.samples.state;
    return search === "" ? {} : { search };
  }

  #retry(): void {
    if (this.#data) this.#data.problem = null;
    void this.#load();
  }
}

define("fd-sample-table", FdSampleTable);
