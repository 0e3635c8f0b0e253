/** The tab of charts: its tools, and every metric that has data in foldable groups. */
import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { AtView, ChartGroup, XAxis } from "../../src/protocol/run.ts";
import type { CursorPlace } from "../cursor.ts";
import type { Session } from "../session.ts";
import type { Action } from "../state.ts";
import { formatClock, formatCount, formatMoment } from "../text/numbers.ts";
import type { Theme } from "../theme.ts";
import { define, FdElement } from "../ui/element.ts";
import "../ui/controls.ts";
import "./fd-chart.ts";
import { Watch } from "./watch.ts";
import { columnsFor, filterGroups, groupSpan, rangeWords, stepText } from "./words.ts";

/** Actions that change what this tab itself shows; scrolling is none. */
const SHOWN: ReadonlySet<Action["type"]> = new Set(["zoom", "axis", "fold", "metricFilter", "fullRange"]);

export class FdCharts extends FdElement {
  static override properties = { session: { attribute: false }, theme: { attribute: false } };
  declare session: Session;
  declare theme: Theme;
  readonly #watch = new Watch();
  #stops: (() => void)[] = [];
  #columns = 3;
  #zoomed = false;
  readonly #size = new ResizeObserver(([entry]) => {
    const columns = columnsFor(entry?.contentRect.width ?? 0);
    if (columns === this.#columns || entry?.contentRect.width === 0) return;
    this.#columns = columns;
    this.requestUpdate();
  });

  protected override firstUpdated(): void {
    const list = this.querySelector(".scroller");
    if (list) this.#size.observe(list);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const { cursor, store } = this.session;
    this.#stops = [
      store.subscribe((_, { type }) => {
        if (SHOWN.has(type)) this.requestUpdate();
      }),
      cursor.listen({
        metrics: () => [],
        moved: (place) => this.#moved(place),
        exact: (at) => this.#readout(at),
      }),
    ];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.#stops) stop();
    this.#size.disconnect();
  }

  #moved({ x }: CursorPlace): void {
    const readout = this.querySelector<HTMLElement>(".readout");
    if (readout && x === null) readout.replaceChildren();
  }

  #readout(at: AtView): void {
    const readout = this.querySelector<HTMLElement>(".readout");
    if (!readout) return;
    const step = document.createElement("b");
    step.textContent = stepText(at.stepText);
    readout.replaceChildren("step ", step);
    if (at.time !== null) {
      readout.append(` · ${formatClock(at.time)}`);
      readout.title = formatMoment(at.time);
    }
  }

  #axes(): { value: XAxis; label: string; disabled: boolean }[] {
    const timeless = this.session.axis?.hasTime !== true;
    return [
      { value: "step", label: "Step", disabled: false },
      { value: "time", label: "Wall time", disabled: timeless },
      { value: "relative", label: "Relative time", disabled: timeless },
    ];
  }

  #tools(found: number, all: number): TemplateResult {
    const { store } = this.session;
    const { metricFilter, x, range, fullRange } = store.state;
    return html`<div class="tools" role="toolbar" aria-label="Charts">
      <fd-text-field
        label="Filter metrics"
        placeholder="Filter metrics"
        .value=${metricFilter}
        @fd-change=${(event: CustomEvent<string>) => store.dispatch({ type: "metricFilter", text: event.detail })}
      ></fd-text-field>
      <fd-select
        label="X axis"
        .value=${x}
        .options=${this.#axes()}
        @fd-change=${(event: CustomEvent<XAxis>) => void this.session.changeAxis(event.detail)}
      ></fd-select>
      <fd-checkbox
        label="Full range"
        ?checked=${fullRange}
        @fd-change=${(event: CustomEvent<boolean>) => store.dispatch({ type: "fullRange", on: event.detail })}
      ></fd-checkbox>
      ${found < all ? html`<span class="muted">${formatCount(found)} of ${formatCount(all)} charts</span>` : nothing}
      <span class="gap"></span>
      <span class="readout muted"></span>
      ${
        range
          ? html`<span class="muted" data-testid="zoom-range"
                >${rangeWords(range, x, stepText(this.session.axis?.lastText ?? ""))}</span
              ><fd-button kind="secondary" label="Reset Zoom" @click=${() => this.session.zoom(null)}></fd-button>`
          : nothing
      }
    </div>`;
  }

  override render(): TemplateResult {
    const { overview, store } = this.session;
    const groups = overview?.groups ?? [];
    const shown = filterGroups(groups, store.state.metricFilter);
    const count = (list: readonly ChartGroup[]): number =>
      list.reduce((sum, group) => sum + group.charts.length, 0);
    const all = count(groups);
    return html`${all > 0 ? this.#tools(count(shown), all) : nothing}
      <p class="unseen" role="status">${this.#status()}</p>
      <div class="scroller charts" data-scroller="charts" data-columns=${this.#columns} tabindex="-1">
        ${repeat(
          shown,
          (group) => group.id,
          (group) => this.#group(group),
        )}${this.#none(all, shown.length)}
      </div>`;
  }

  /** What a zoom shows, for who cannot see it; nothing before the first one. */
  #status(): string {
    const { range, x } = this.session.store.state;
    if (range) this.#zoomed = true;
    if (range) return `Showing ${rangeWords(range, x, stepText(this.session.axis?.lastText ?? ""))}`;
    return this.#zoomed ? "Showing the whole run" : "";
  }

  #none(all: number, shown: number): TemplateResult | typeof nothing {
    if (shown > 0) return nothing;
    if (all > 0) return html`<p class="none">No metric matches the filter.</p>`;
    return html`<p class="none">No steps are recorded in this run, so there is nothing to draw yet.</p>`;
  }

  #group(group: ChartGroup): TemplateResult {
    const { store } = this.session;
    const open = !store.state.closed.includes(group.id);
    const span = groupSpan(group, this.#columns);
    return html`<section class="group" data-span=${span} aria-label=${group.title}>
      <h2>
        <button
          type="button"
          class="fold"
          aria-expanded=${String(open)}
          @click=${() => store.dispatch({ type: "fold", group: group.id })}
        >
          <i class="chevron" aria-hidden="true"></i>${group.title} <span class="muted">${group.charts.length}</span>
        </button>
      </h2>
      ${
        open
          ? html`<div class="grid">
              ${repeat(
                group.charts,
                (chart) => chart.id,
                (chart) =>
                  html`<fd-chart .spec=${chart} .session=${this.session} .theme=${this.theme} .watch=${this.#watch}></fd-chart>`,
              )}
            </div>`
          : nothing
      }
    </section>`;
  }
}

define("fd-charts", FdCharts);
