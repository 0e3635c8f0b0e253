/** The charts of the comparison: first those that part, one of them large with its gap when it is asked for. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { t } from "../../src/protocol/l10n.ts";
import { chartLibrary } from "../charts/library.ts";
import type { CursorPlace } from "../crosshair.ts";
import { smoothingAt, smoothingPlace } from "../panels/chart-tools.ts";
import { problemBox } from "../panels/problem.ts";
import { Watch } from "../panels/watch.ts";
import { rangeWords, stepText } from "../panels/words.ts";
import { formatDuration, formatNumber, plural } from "../text/numbers.ts";
import { visibleText } from "../text/visible.ts";
import { shown } from "../text/visible-html.ts";
import type { Theme } from "../theme.ts";
import { define, FdElement } from "../ui/element.ts";
import { reveal } from "../ui/reveal.ts";
import "../ui/controls.ts";
import { keyOf } from "./cursor.ts";
import "./fd-gap.ts";
import "./fd-overlay.ts";
import { swatch } from "./legend.ts";
import type { CompareSession } from "./session.ts";
import { chosen, gapFigures, type Listed, listed } from "./words.ts";

/** Least width of a chart and the space between two, in CSS pixels. */
const CHART_WIDTH = 270;
const CHART_SPACE = 20;
const MOST_COLUMNS = 5;
/** Rows of the large chart's table of values. */
const MOST_ROWS = 60;

export class FdMetrics extends FdElement {
  static override properties = { session: { attribute: false }, theme: { attribute: false } };
  declare session: CompareSession;
  declare theme: Theme;
  readonly #watch = new Watch();
  #columns = 3;
  /** The columns are those that there is room for: what was drawn in others would be asked for anew. */
  #isMeasured = false;
  #stops: (() => void)[] = [];
  readonly #size = new ResizeObserver(([entry]) => {
    const width = entry?.contentRect.width ?? 0;
    const fits = Math.floor((width + CHART_SPACE) / (CHART_WIDTH + CHART_SPACE));
    const columns = Math.min(MOST_COLUMNS, Math.max(1, fits));
    if (width === 0 || (columns === this.#columns && this.#isMeasured)) return;
    this.#isMeasured = true;
    this.#columns = columns;
    requestAnimationFrame(() => {
      this.requestUpdate();
      void this.updateComplete.then(() => this.#measured());
    });
  });
  #measured = (): void => {};

  override connectedCallback(): void {
    super.connectedCallback();
    if (!this.#isMeasured) this.#measured = this.session.ready.begin();
    this.#size.observe(this);
    const update = (): void => this.requestUpdate();
    this.#stops = [
      this.session.subscribe(update),
      this.theme.subscribe(update),
      this.session.store.subscribe((_, change) => {
        if (!("scroll" in change)) update();
        if (change.large) void this.#reveal();
      }),
      this.session.cursor.listen({
        metrics: () => this.#wanted(),
        moved: (place) => this.#moved(place),
        exact: (_, values) => this.#exact(values),
      }),
    ];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#size.disconnect();
    this.#measured();
    for (const stop of this.#stops) stop();
  }

  protected override firstUpdated(): void {
    // While the worker reads: the first answer finds it ready.
    requestAnimationFrame(() => setTimeout(() => void chartLibrary()));
  }

  async #reveal(): Promise<void> {
    await this.updateComplete;
    const large = this.querySelector<HTMLElement>(".cmp-large");
    reveal(large, "nearest");
    large?.querySelector<HTMLElement>("button")?.focus({ preventScroll: true });
  }

  /** The table beside the large chart wants a value of every run. */
  #wanted(): string[] {
    const { large } = this.session.store.state;
    return large === null ? [] : this.session.shown().map((run) => keyOf(run, large));
  }

  #moved({ x }: CursorPlace): void {
    if (x !== null) return;
    this.querySelector(".readout")?.replaceChildren();
    for (const cell of this.querySelectorAll("[data-value-of]")) cell.textContent = "–";
  }

  #exact(values: ReadonlyMap<string, number | null>): void {
    const { rows } = this.session.cursor;
    const { align } = this.session.store.state.options;
    const [first] = rows;
    const readout = this.querySelector<HTMLElement>(".readout");
    if (readout && first) {
      const step = document.createElement("b");
      step.textContent = stepText(first.step);
      readout.replaceChildren(t("step"), " ", step);
      if (align === "time" && first.x !== null) readout.append(t(" · {0} in", formatDuration(first.x)));
    }
    const { large } = this.session.store.state;
    if (large === null) return;
    for (const cell of this.querySelectorAll<HTMLElement>("[data-value-of]")) {
      const run = Number(cell.dataset["valueOf"]);
      const value = values.get(keyOf(run, large));
      cell.textContent = typeof value === "number" ? formatNumber(value, 5) : "–";
    }
    for (const cell of this.querySelectorAll<HTMLElement>("[data-step-of]"))
      cell.textContent = stepText(rows[Number(cell.dataset["stepOf"])]?.step ?? "");
  }

  override render(): TemplateResult {
    const { overview, store } = this.session;
    const { answer, problem } = this.session.pair();
    const ready = overview && (answer || problem) && this.#isMeasured;
    const list = ready ? listed(overview, answer) : [];
    const { shown: items, more, track } = chosen(list, store.state, this.#columns);
    const large = list.find(({ metric }) => metric.metric === store.state.large) ?? null;
    return html`<section class="cmp-section" id="section-metrics" aria-label=${t("Metrics")}>
      ${this.#tools(list)}
      ${problem ? problemBox(problem, () => this.#again()) : nothing}
      ${large ? this.#large(large) : nothing}
      <div class="cmp-grid" data-columns=${this.#columns}>
        ${
          ready
            ? repeat(
                items,
                (item) => item.metric.metric,
                (item) => this.#chart(item),
              )
            : Array.from({ length: this.#columns * 2 }, () => html`<div class="bone box"></div>`)
        }
      </div>
      ${this.#more(more, list.length, track)}
      ${ready && items.length === 0 ? html`<p class="none">${this.#none(list)}</p>` : nothing}
    </section>`;
  }

  /** The way to those that are left out, and back. */
  #more(more: number, all: number, track: boolean): TemplateResult | typeof nothing {
    const { store } = this.session;
    const { onlyDiverged, metricFilter } = store.state;
    const canShorten = store.state.all && !onlyDiverged && metricFilter === "" && all > this.#columns * 2;
    if (more === 0 && !canShorten) return nothing;
    const words =
      more === 0
        ? t("Show fewer")
        : track
          ? t("Show {0}, which track", plural(more, "more metric"))
          : t("Show {0}", plural(more, "more metric"));
    return html`<p class="cmp-more">
      <button type="button" class="link" @click=${() => store.change({ all: more > 0 })}>${words}</button>
    </p>`;
  }

  #none(list: readonly Listed[]): string {
    if (list.length === 0) return t("These runs have no metric in common.");
    return this.session.store.state.onlyDiverged ? t("No metric parts.") : t("No metric matches the filter.");
  }

  #again(): void {
    this.session.pair().problem = null;
    this.session.store.change({ other: this.session.store.state.other });
  }

  #chart(item: Listed): TemplateResult {
    const { metric, gap } = item.gap
      ? { metric: item.metric, gap: item.gap }
      : { metric: item.metric, gap: null };
    const chart = html`<fd-overlay
      .item=${item}
      .session=${this.session}
      .theme=${this.theme}
      .watch=${this.#watch}
    ></fd-overlay>`;
    if (!gap?.divergence) return html`<div class="cmp-cell">${chart}</div>`;
    return html`<div
      class="cmp-cell"
      data-testid="diff-metric"
      data-metric=${metric.metric}
      data-step=${gap.divergence.text}
      data-ours=${String(gap.ours)}
    >${chart}</div>`;
  }

  #large(item: Listed): TemplateResult {
    const { session } = this;
    const { gap, metric } = item;
    const { options } = session.store.state;
    const title = visibleText(metric.title, 120);
    return html`<section class="cmp-large" aria-label=${title} @keydown=${(event: KeyboardEvent) => this.#largeKey(event)}>
      <div class="cmp-large-head">
        <h2>${shown(metric.title, 120)}</h2>
        <code>${shown(metric.metric, 200)}</code>
        <span class="gap"></span>
        <fd-button label=${t("Close")} name=${t("Close the large chart of {0}", title)} @click=${() => session.store.change({ large: null })}></fd-button>
      </div>
      <div class="cmp-large-body">
        <div class="cmp-large-charts">
          <fd-overlay .item=${item} .session=${session} .theme=${this.theme} .watch=${this.#watch}></fd-overlay>
          <fd-gap .item=${item} .session=${session} .theme=${this.theme} .watch=${this.#watch}></fd-gap>
        </div>
        <div class="cmp-large-side" tabindex="0" role="region" aria-label=${t("Figures of {0}", title)}>
          ${
            gap
              ? html`<dl class="facts-list">${gapFigures(gap, options.z, options.align).map(
                  ([name, value]) => html`<dt>${name}</dt><dd>${shown(value, 300)}</dd>`,
                )}</dl>`
              : html`<p class="muted">${item.skipped === "" ? t("Not compared in this pair.") : item.skipped}</p>`
          }
          ${this.#valuesTable()}
        </div>
      </div>
    </section>`;
  }

  #largeKey(event: KeyboardEvent): void {
    const isPlot = event.target instanceof Element && event.target.closest(".plot");
    if (event.key !== "Escape" || isPlot) return;
    const { large } = this.session.store.state;
    this.session.store.change({ large: null });
    void this.updateComplete.then(() => {
      const charts = [...this.querySelectorAll<HTMLElement>("fd-overlay")];
      charts
        .find((chart) => chart.dataset["metric"] === large)
        ?.querySelector("button")
        ?.focus();
    });
  }

  /** Values of all runs under the crosshair. */
  #valuesTable(): TemplateResult {
    const { session } = this;
    const runs = session.shown();
    return html`<table class="cmp-values">
      <thead>
        <tr><th scope="col">${t("under the crosshair")}</th><th scope="col" class="num">${t("step")}</th><th scope="col" class="num">${t("value")}</th></tr>
      </thead>
      <tbody>
        ${runs.slice(0, MOST_ROWS).map(
          (run) => html`<tr>
            <th scope="row">${swatch(session, this.theme.current, run)} ${shown(session.runs[run]?.label ?? "", 60)}</th>
            <td class="num" data-step-of=${run}></td>
            <td class="num" data-value-of=${run}>–</td>
          </tr>`,
        )}
      </tbody>
    </table>`;
  }

  #tools(list: readonly Listed[]): TemplateResult {
    const { store } = this.session;
    const { onlyDiverged, log, fullRange, smoothing, metricFilter, range, options } = store.state;
    const parted = list.filter(({ gap }) => gap?.divergence || gap?.separation).length;
    const isCompared = list.some(({ gap }) => gap !== null);
    const words = smoothing > 0 ? String(smoothing) : t("off");
    return html`<div class="tools" role="toolbar" aria-label=${t("Charts")}>
      <h2>${t("Metrics")} <span class="muted">${isCompared ? t("{0} of {1} part", parted, list.length) : ""}</span></h2>
      <fd-text-field
        label=${t("Filter metrics")}
        placeholder=${t("Filter metrics")}
        .value=${metricFilter}
        @fd-change=${(event: CustomEvent<string>) => store.change({ metricFilter: event.detail })}
      ></fd-text-field>
      <fd-checkbox
        label=${t("Only diverged")}
        ?checked=${onlyDiverged}
        @fd-change=${(event: CustomEvent<boolean>) => store.change({ onlyDiverged: event.detail })}
      ></fd-checkbox>
      <label class="smoothing" title=${t("Curves averaged over the full data; the raw ones stay behind them")}>
        <span>${t("Smoothing")}</span>
        <input
          type="range"
          min="0"
          max="100"
          step="1"
          aria-valuetext=${words}
          .value=${String(smoothingPlace(smoothing))}
          @input=${(event: InputEvent) => {
            if (event.target instanceof HTMLInputElement)
              store.change({ smoothing: smoothingAt(Number(event.target.value)) });
          }}
        />
        <output>${words}</output>
      </label>
      <fd-checkbox
        label=${t("Log")}
        ?checked=${log}
        @fd-change=${(event: CustomEvent<boolean>) => store.change({ log: event.detail })}
      ></fd-checkbox>
      <fd-checkbox
        label=${t("Full range")}
        ?checked=${fullRange}
        @fd-change=${(event: CustomEvent<boolean>) => store.change({ fullRange: event.detail, full: [] })}
      ></fd-checkbox>
      <span class="gap"></span>
      <span class="readout muted"></span>
      ${
        range
          ? html`<span class="range"
              ><span data-testid="zoom-range">${options.align === "time" ? `${formatDuration(range[0])}–${formatDuration(range[1])}` : rangeWords(range, "")}</span>
              <button type="button" class="link" @click=${() => this.session.zoom(null)}>${t("Show all")}</button></span
            >`
          : nothing
      }
    </div>`;
  }
}

define("fd-metrics", FdMetrics);
