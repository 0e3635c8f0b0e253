/** The rows of the table: those that are seen lie in a space as high as all of them. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { t } from "../../src/protocol/l10n.ts";
import type { TableColumn } from "../../src/protocol/runs-page.ts";
import { css } from "../samples/css.ts";
import { drawnRows, fullHeight, type Geometry, placeAt, revealed, topOf } from "../samples/windowing.ts";
import { visibleText } from "../text/visible.ts";
import { shown } from "../text/visible-html.ts";
import { define, FdElement } from "../ui/element.ts";
import { cell } from "./cells.ts";
import { BOX, moved, nextSort, widthOf } from "./columns.ts";
import type { RunsSession } from "./session.ts";

const ROW = 26;
const HEAD = 28;
/** Rows that are drawn beyond what is seen. */
const MORE = 10;

export class FdTable extends FdElement {
  static override properties = { session: { attribute: false } };
  declare session: RunsSession;
  #seen = 600;
  #isRestored = false;
  /** The place that gets the focus as soon as its row is there. */
  #goal: number | null = null;
  #hasFocus = false;
  #stop: () => void = () => {};
  readonly #sizes = new ResizeObserver(() => this.#measure());

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stop = this.session.subscribe(() => this.requestUpdate());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop();
    this.#sizes.disconnect();
  }

  /** Moves the focus into the table. */
  override focus(): void {
    this.#go(this.session.place);
  }

  get #scroller(): HTMLElement | null {
    return this.querySelector<HTMLElement>(".rt-scroller");
  }

  #geometry(): Geometry {
    return { rows: this.session.view?.total ?? 0, row: ROW, seen: this.#seen, open: null };
  }

  protected override firstUpdated(): void {
    if (this.#scroller) this.#sizes.observe(this.#scroller);
    this.#measure();
  }

  #measure(): void {
    const scroller = this.#scroller;
    if (!scroller || scroller.clientHeight === 0) return;
    const seen = Math.max(ROW, scroller.clientHeight - HEAD);
    if (seen === this.#seen) return;
    this.#seen = seen;
    this.requestUpdate();
  }

  protected override updated(): void {
    const scroller = this.#scroller;
    const { top, left } = this.session.store.state;
    if (scroller && this.session.view && scroller.clientHeight > 0) {
      if (!this.#isRestored || this.session.isOther) scroller.scrollTop = top;
      if (!this.#isRestored) scroller.scrollLeft = left;
      this.#isRestored = true;
      this.session.isOther = false;
    }
    this.#focusGoal();
    // What had the focus may have been scrolled out of what is drawn.
    if (this.#hasFocus && scroller && document.hasFocus() && document.activeElement === document.body)
      scroller.focus({ preventScroll: true });
    this.session.ready.settle();
  }

  readonly #scrolled = (): void => {
    const scroller = this.#scroller;
    if (!scroller || !this.#isRestored || scroller.clientHeight === 0) return;
    this.session.store.change({ top: scroller.scrollTop, left: scroller.scrollLeft });
    this.requestUpdate();
  };

  #go(place: number): void {
    const { session } = this;
    const total = session.view?.total ?? 0;
    const scroller = this.#scroller;
    if (total === 0 || !scroller) return;
    const to = Math.min(total - 1, Math.max(0, place));
    this.#goal = to;
    session.place = to;
    const next = revealed(this.#geometry(), scroller.scrollTop, to);
    if (next !== scroller.scrollTop) scroller.scrollTop = next;
    session.store.change({ top: scroller.scrollTop });
    this.requestUpdate();
  }

  #focusGoal(): void {
    if (this.#goal === null) return;
    const row = this.querySelector<HTMLElement>(`.rt-row[data-place="${this.#goal}"]:not(.bone)`);
    if (!row) return;
    this.#goal = null;
    row.focus({ preventScroll: true });
    this.session.store.change({ active: row.dataset["dir"] ?? null });
  }

  override render(): TemplateResult {
    const { session } = this;
    const { view } = session;
    const columns = view?.columns ?? [];
    const list = this.#geometry();
    const [first, end] = drawnRows(list, session.store.state.top, MORE);
    if (end > first) session.want(first, end);
    const widths = columns.map((column) => widthOf(column));
    const [name = 200, ...others] = widths;
    const least = BOX + widths.reduce((sum, width) => sum + width + 8, 0) + 20;
    return html`<div
      class="rt-scroller"
      role="grid"
      tabindex="-1"
      aria-label=${t("Runs")}
      aria-multiselectable="true"
      aria-rowcount=${list.rows + 1}
      aria-colcount=${columns.length}
      ${css({
        "--rt-columns": `${BOX}px minmax(${name}px, 1fr) ${others.map((width) => `${width}px`).join(" ")}`,
        "--rt-least": `${least}px`,
      })}
      @scroll=${this.#scrolled}
      @keydown=${this.#pressed}
      @focusin=${() => {
        this.#hasFocus = true;
      }}
      @focusout=${({ relatedTarget }: FocusEvent) => {
        if (relatedTarget instanceof Node && !this.contains(relatedTarget)) this.#hasFocus = false;
      }}
    >
      ${this.#head(columns)}
      <div class="rt-space" role="rowgroup" ${css({ height: `${Math.max(1, fullHeight(list))}px` })}>
        ${repeat(
          Array.from({ length: end - first }, (_, i) => first + i),
          (place) => place,
          (place) => this.#row(place, columns, list),
        )}
      </div>
    </div>`;
  }

  #head(columns: readonly TableColumn[]): TemplateResult {
    const { sort } = this.session.store.state;
    const stop = columns.find(({ id }) => id === sort?.column) ?? columns[0];
    return html`<div class="rt-head" role="rowgroup">
      <div class="rt-row" role="row" aria-rowindex="1">
        <i aria-hidden="true"></i>
        ${columns.map((column, i) => {
          const { id, label, title, isNumber } = column;
          const isSorted = sort?.column === id;
          const order = isSorted ? (sort.descending ? "descending" : "ascending") : "none";
          const words = [title, t("Click to sort")].filter((one) => one !== "").join(". ");
          return html`<span
            role="columnheader"
            class=${`rt-cell ${isNumber ? "num" : ""} ${i === 0 ? "rt-name" : ""}`}
            aria-colindex=${i + 1}
            aria-sort=${order}
            data-column=${id}
            ><button
              type="button"
              tabindex=${column === stop ? 0 : -1}
              title=${visibleText(words, 300)}
              @click=${() => this.session.setSort(nextSort(column, sort))}
            >${isSorted ? html`<i class="sm-arrow ${sort.descending ? "down" : "up"}" aria-hidden="true"></i>` : nothing}${shown(label, 80)}</button></span
          >`;
        })}
      </div>
    </div>`;
  }

  #row(place: number, columns: readonly TableColumn[], list: Geometry): TemplateResult {
    const { session } = this;
    const row = session.row(place);
    const at = css({ transform: `translateY(${topOf(list, place)}px)` });
    if (!row)
      return html`<div class="rt-row bone" role="row" aria-rowindex=${place + 2} aria-busy="true" data-place=${place} ${at}>
        <i aria-hidden="true"></i><span role="gridcell" class="rt-cell muted">…</span>
      </div>`;
    const isSelected = session.selected.includes(row.dir);
    return html`<div
      class="rt-row"
      role="row"
      tabindex=${place === session.place ? 0 : -1}
      aria-rowindex=${place + 2}
      aria-selected=${String(isSelected)}
      data-testid="runs-row"
      data-place=${place}
      data-dir=${row.dir}
      ${at}
      @click=${(event: MouseEvent) => this.#clicked(event, place, row.dir)}
      @dblclick=${() => void session.action({ action: "open", dir: row.dir })}
    >
      <i class="rt-tick" aria-hidden="true"></i>
      ${columns.map(
        (column, i) =>
          html`<span role="gridcell" class=${`rt-cell ${column.isNumber ? "num" : ""} ${i === 0 ? "rt-name" : ""}`} aria-colindex=${i + 1} data-column=${column.id}>${cell(session, column, row, i)}</span>`,
      )}
    </div>`;
  }

  #clicked({ target, shiftKey, ctrlKey, metaKey }: MouseEvent, place: number, dir: string): void {
    const { session } = this;
    const isTick = target instanceof HTMLElement && target.classList.contains("rt-tick");
    session.place = place;
    if (shiftKey) void session.selectTo(place);
    else session.select(dir, isTick || ctrlKey || metaKey ? "toggle" : "only");
    this.#goal = place;
    this.requestUpdate();
  }

  readonly #pressed = (event: KeyboardEvent): void => {
    const { target } = event;
    if (event.defaultPrevented || !(target instanceof HTMLElement)) return;
    const isHead = target.closest(".rt-head") !== null;
    const isDone = isHead
      ? this.#headKey(event, target)
      : target.matches("button")
        ? this.#buttonKey(event, target)
        : this.#rowKey(event);
    if (isDone) event.preventDefault();
  };

  #rowKey({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean {
    const { session } = this;
    const { place } = session;
    const row = session.row(place);
    if (altKey) return false;
    if (ctrlKey || metaKey) {
      if (key.toLowerCase() !== "a") return false;
      void session.selectAll();
      return true;
    }
    const screen = Math.max(1, Math.floor(this.#seen / ROW) - 1);
    const total = session.view?.total ?? 0;
    const moves: ReadonlyMap<string, number> = new Map([
      ["ArrowDown", place + 1],
      ["ArrowUp", place - 1],
      ["PageDown", place + screen],
      ["PageUp", place - screen],
      ["Home", 0],
      ["End", total - 1],
    ]);
    const to = moves.get(key);
    if (key === "ArrowUp" && place === 0 && !shiftKey)
      this.querySelector<HTMLElement>('.rt-head button[tabindex="0"]')?.focus();
    else if (to !== undefined) {
      if (shiftKey && row && session.selected.length === 0) session.select(row.dir, "only");
      this.#go(to);
      if (shiftKey) void session.selectTo(session.place);
    } else if (!row) return false;
    else if (key === " ") session.select(row.dir, "toggle");
    else if (key === "Enter") void session.action({ action: "open", dir: row.dir });
    else if (key === "Escape" && session.selected.length > 0) session.selectNone();
    else if (key === "ArrowRight")
      this.querySelector<HTMLElement>(`.rt-row[data-place="${place}"] button`)?.focus();
    else return false;
    return true;
  }

  /** From button to button in a row, and back to the row. */
  #buttonKey({ key }: KeyboardEvent, target: HTMLElement): boolean {
    const row = target.closest<HTMLElement>(".rt-row");
    const by = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
    if (key === "Escape") row?.focus();
    else if (by === 0) return key.startsWith("Arrow") && this.#leave(key);
    else {
      const buttons = [...(row?.querySelectorAll<HTMLElement>("button") ?? [])];
      const next = buttons[buttons.indexOf(target) + by];
      (next ?? (by < 0 ? row : target))?.focus();
    }
    return true;
  }

  #leave(key: string): boolean {
    this.#go(this.session.place + (key === "ArrowDown" ? 1 : -1));
    return true;
  }

  #headKey({ key, altKey }: KeyboardEvent, target: HTMLElement): boolean {
    const { session } = this;
    const by = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
    if (key === "ArrowDown") {
      this.#go(placeAt(this.#geometry(), session.store.state.top));
      return true;
    }
    if (by === 0) return false;
    const id = target.closest<HTMLElement>("[data-column]")?.dataset["column"];
    if (altKey && id !== undefined) {
      session.setColumns(moved(session.columns, id, by));
      return true;
    }
    const buttons = [...this.querySelectorAll<HTMLElement>(".rt-head button")];
    buttons[(buttons.indexOf(target) + by + buttons.length) % buttons.length]?.focus();
    return true;
  }
}

define("fd-table", FdTable);
