/** One metric of all runs over each other, with what the comparison says of it. */

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { OverlayView } from "../../src/protocol/compare.ts";
import { t } from "../../src/protocol/l10n.ts";
import type { ChartView, SeriesView } from "../../src/protocol/run.ts";
import { seriesStyle } from "../charts/palette.ts";
import { outsideWords, placeWords, totalOddities } from "../charts/summary.ts";
import type { Answer } from "../panels/chart-data.ts";
import { chartState } from "../panels/chart-head.ts";
import { formatNumber, plural } from "../text/numbers.ts";
import { visibleText } from "../text/visible.ts";
import { shown } from "../text/visible-html.ts";
import { define } from "../ui/element.ts";
import { keyOf } from "./cursor.ts";
import { NO_MARKS } from "./marks.ts";
import { ComparePlot, type Drawing, type Question } from "./plot.ts";
import { toggled } from "./state.ts";
import { axisOf, type Listed, overlayWords, standingOf, standingWords } from "./words.ts";

/** From so many curves on the baseline is drawn stronger. */
const CROWD = 4;
/** So many values stand beside a title; the table of the crosshair has them all. */
const MOST_VALUES = 2;
/** So many are read out. */
const MOST_TOLD = 8;

const NONE = new Float64Array(0);
const absent = (metric: string): SeriesView => ({
  metric,
  x: NONE,
  y: NONE,
  dotsX: NONE,
  dotsY: NONE,
  markX: NONE,
  markKind: new Uint8Array(0),
  finite: 0,
  missing: 0,
  nan: 0,
  posInf: 0,
  negInf: 0,
  last: null,
  lastX: null,
  min: null,
  minX: null,
  max: null,
  maxX: null,
});

export class FdOverlay extends ComparePlot<OverlayView> {
  static override properties = {
    item: { attribute: false },
    session: { attribute: false },
    theme: { attribute: false },
    watch: { attribute: false },
  };
  declare item: Listed;

  override connectedCallback(): void {
    super.connectedCallback();
    this.dataset["testid"] = "chart";
  }

  protected override question(width: number): Question<OverlayView> {
    const { client, store, epoch } = this.session;
    const { options, range, smoothing, log } = store.state;
    const { metric } = this.item.metric;
    const all = [...this.session.shown()];
    const runs = all.length === this.session.runs.length ? null : all;
    const params = { metric, runs, smoothing, log, align: options.align, range, width };
    return {
      key: JSON.stringify([params, this.session.runs.map(({ uri }) => uri), epoch]),
      ask: async (signal) => {
        const view = await client.call("compare.series", params, { signal });
        if (range === null && !signal.aborted) this.session.sawAxis(view.xDomain);
        return view;
      },
    };
  }

  protected override curves(): number {
    return this.asked.answer?.series.length ?? 0;
  }

  /** Series by their run's place among colours and dashes. */
  #bySlot(view: OverlayView): { series: SeriesView[]; keys: string[] } {
    const { slots } = this.session.store.state;
    const series = slots.map(() => absent(view.metric));
    const keys = slots.map(() => "");
    const isCrowd = view.series.length >= CROWD;
    for (const { run, series: one } of view.series) {
      const slot = this.session.slot(run);
      const led = { ...one, lead: true };
      series[slot] = isCrowd && run === 0 ? led : one;
      keys[slot] = keyOf(run, view.metric);
    }
    return { series, keys };
  }

  protected override drawing(view: OverlayView): Drawing {
    const { options, range, log } = this.session.store.state;
    const { series, keys } = this.#bySlot(view);
    return {
      answer: { axis: axisOf(options.align), range, log, view: this.#view(view, series), heat: null },
      keys,
      full: this.#full(),
      marks: this.#marks(),
    };
  }

  #view(
    { metric, xDomain, yFull, yRobust, outside, problems }: OverlayView,
    series: SeriesView[],
  ): ChartView {
    return { id: metric, series, xDomain, yFull, yRobust, outside, problems };
  }

  #marks() {
    const { gap } = this.item;
    if (!gap) return NO_MARKS;
    const { divergence, separation, early } = gap;
    return {
      early: divergence || separation ? early : null,
      band: null,
      divergence: divergence?.x ?? null,
      separation: divergence ? null : (separation?.at.x ?? null),
    };
  }

  #full(): boolean {
    const { fullRange, full } = this.session.store.state;
    return fullRange !== full.includes(this.item.metric.metric);
  }

  /** Beside the title, and for a reader of the screen in the slider's text. */
  protected override values(values: readonly (number | null | undefined)[] | null, x: number | null): void {
    const now = this.querySelector<HTMLElement>(".now");
    const told = this.#told();
    const theme = this.chartTheme();
    now?.replaceChildren(
      ...(values === null
        ? []
        : told.slice(0, MOST_VALUES).map(({ slot }) => {
            const figure = document.createElement("span");
            const value = values[slot];
            figure.textContent = typeof value === "number" ? formatNumber(value) : "–";
            figure.style.color = seriesStyle(slot, theme).color;
            return figure;
          })),
    );
    const plot = this.querySelector<HTMLElement>(".plot");
    if (x === null || !plot || document.activeElement !== plot) return;
    const words = told.map(({ slot, name }) => {
      const value = values?.[slot];
      return `${name} ${typeof value === "number" ? formatNumber(value) : t("no value")}`;
    });
    plot.setAttribute("aria-valuenow", String(x));
    plot.setAttribute("aria-valuetext", [placeWords(x, axisOf(this.#align())), ...words].join(", "));
  }

  #align() {
    return this.session.store.state.options.align;
  }

  /** The pair that is told of, then the others, of those that are drawn. */
  #told(): { slot: number; name: string }[] {
    const { session } = this;
    const drawn = session.shown();
    const first = [0, session.other].filter((run) => drawn.includes(run));
    const runs = [...first, ...drawn.filter((run) => !first.includes(run))];
    return runs.slice(0, MOST_TOLD).map((run) => ({
      slot: session.slot(run),
      name: visibleText(session.runs[run]?.label ?? "", 60),
    }));
  }

  protected override updated(changed: PropertyValues<this>): void {
    const { item, session } = this;
    this.dataset["metric"] = item.metric.metric;
    const view = this.asked.answer;
    const named = (view?.series ?? []).map(
      ({ run, series }) => [session.runs[run]?.label ?? "", series] as const,
    );
    this.setAttribute("aria-label", visibleText(overlayWords(item, view, named, this.#align()), 2000));
    this.dataset["drawn"] = String(view?.series.length ?? 0);
    if (changed.has("item") && changed.get("item")) this.draw();
  }

  override render(): TemplateResult {
    const { item, session } = this;
    const { title, metric, ours, unit } = item.metric;
    const { gap, skipped } = item;
    const view = this.asked.answer;
    const align = this.#align();
    const name = visibleText(title, 120);
    const words = skipped || standingWords(gap, align);
    const isLarge = session.store.state.large === metric;
    return html`<header class="chart-head cmp-head">
        <h3 title=${visibleText(metric === title ? metric : `${title} (${metric})`, 300)}>
          <button
            type="button"
            class="cmp-title"
            aria-expanded=${String(isLarge)}
            @click=${() => session.store.change({ large: isLarge ? null : metric })}
          >${shown(title, 120)}${unit === "" ? nothing : html` <span class="unit">${shown(unit, 20)}</span>`}</button>
        </h3>
        ${ours ? html`<span class="chip" title=${t("Compared by Flight Deck only: rlprobe leaves it out")}>${t("ours")}</span>` : nothing}
        <span class="now"></span><span class="chips">${this.#chips(view)}</span>
        ${words === "" ? nothing : html`<span class=${`standing ${standingOf(gap)}`} title=${STANDING[standingOf(gap)] || words}>${words}</span>`}
      </header>
      <div
        class="plot"
        tabindex=${this.stage ? 0 : -1}
        role="slider"
        aria-label=${t("Crosshair in {0}", name)}
        aria-keyshortcuts="ArrowLeft ArrowRight Shift+ArrowRight Enter Space Escape + - 0 Home End"
        aria-valuemin=${this.stage?.x.lo ?? 0}
        aria-valuemax=${this.stage?.x.hi ?? 0}
        aria-valuenow=${this.stage?.x.lo ?? 0}
        aria-valuetext=${t("no crosshair")}
      ></div>
      ${chartState(this.#answer(view), this.asked.problem, this.isNear, () => this.retry())}`;
  }

  #answer(view: OverlayView | null): Answer | null {
    const { range, log } = this.session.store.state;
    if (!view) return null;
    const series = view.series.map((one) => one.series);
    return { axis: axisOf(this.#align()), range, log, view: this.#view(view, series), heat: null };
  }

  #chips(view: OverlayView | null): TemplateResult {
    if (!view) return html``;
    const { store } = this.session;
    const series = view.series.map((one) => one.series);
    const full = this.#full();
    const { metric } = view;
    const words = full ? t("full range") : outsideWords(this.#view(view, series));
    return html`${totalOddities(series).map(
      ({ text, hint }) => html`<span class="chip odd" title=${hint}>${text}</span>`,
    )}${
      view.outside > 0
        ? html`<button
            class="chip"
            type="button"
            aria-pressed=${String(full)}
            title=${full ? t("Show the usual range") : t("{0} outside; show the full range", plural(view.outside, "point"))}
            @click=${() => store.change({ full: toggled(store.state.full, metric) })}
          >${words}</button>`
        : nothing
    }`;
  }
}

const STANDING = {
  parts: t(
    "The gap leaves the noise of its early window, and stays outside for as many rows as are asked for",
  ),
  separates: t("By Flight Deck's own measure: the gap changes its level once and stays there"),
  tracks: t("The gap does not stay outside the noise of its early window for as many rows as are asked for"),
  unknown: "",
} as const;

define("fd-overlay", FdOverlay);
