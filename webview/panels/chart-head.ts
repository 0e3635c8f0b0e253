/** The line above a chart, its legend, and what stands over the plot when there is nothing to draw. */

import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../src/protocol/l10n.ts";
import type { ChartSpec, ChartView } from "../../src/protocol/run.ts";
import type { Problem } from "../../src/protocol/wire.ts";
import { type ChartTheme, seriesStyle } from "../charts/palette.ts";
import { outsideWords, totalOddities } from "../charts/summary.ts";
import { formatExact, formatNumber, plural } from "../text/numbers.ts";
import { visibleText } from "../text/visible.ts";
import { shown } from "../text/visible-html.ts";
import { type Answer, MOST_SERIES } from "./chart-data.ts";

/** A legend names this many series; the crosshair and the summary know them all. */
const MOST_LABELS = 24;

export interface HeadEvents {
  /** Shows the whole range, or the usual one. */
  full(): void;
  menu(anchor: HTMLElement): void;
}

export interface HeadView {
  readonly spec: ChartSpec;
  readonly answer: Answer | null;
  /** The whole range is shown. */
  readonly full: boolean;
}

export function chartHead(view: HeadView, events: HeadEvents): TemplateResult {
  const { spec, answer } = view;
  const names = spec.series.map(({ metric }) => metric).join(", ");
  return html`<header class="chart-head">
    <h3 title=${visibleText(names === spec.title ? names : `${spec.title} (${names})`, 300)}>${shown(spec.title, 120)}</h3>
    ${lastValue(spec, answer)}<span class="chips">${chips(view, events)}</span>
    <button
      class="more"
      type="button"
      aria-haspopup="menu"
      aria-expanded="false"
      aria-label=${t("Actions for {0}", visibleText(spec.title, 120))}
      title=${t("More actions")}
      @click=${(event: Event) => {
        if (event.currentTarget instanceof HTMLElement) events.menu(event.currentTarget);
      }}
    >
      <span aria-hidden="true">⋯</span>
    </button>
  </header>`;
}

function lastValue(spec: ChartSpec, answer: Answer | null): TemplateResult | typeof nothing {
  const series = answer?.view?.series;
  const last = series?.[0]?.last;
  if (series?.length !== 1 || last === null || last === undefined) return nothing;
  return html`<span class="last" title=${t("last value {0}", formatExact(last))}
    >${formatNumber(last)}${spec.unit ? html` <span class="unit">${shown(spec.unit, 20)}</span>` : nothing}</span
  >`;
}

function chips({ answer, full }: HeadView, events: HeadEvents): TemplateResult {
  const view = answer?.view;
  const heat = answer?.heat?.valueDomain;
  return html`${totalOddities(view?.series ?? []).map(
    ({ text, hint }) => html`<span class="chip odd" title=${hint}>${text}</span>`,
  )}${answer?.log ? html`<span class="chip" title=${t("The y axis is logarithmic")}>${t("log")}</span>` : nothing}${view && view.outside > 0 ? outside(view, full, events) : nothing}${
    heat
      ? html`<span class="chip ramp">${formatNumber(heat[0])}<span class="ramp-bar"></span>${formatNumber(heat[1])}</span>`
      : nothing
  }`;
}

function outside(view: ChartView, full: boolean, events: HeadEvents): TemplateResult {
  const hint = full
    ? t("Show the usual range")
    : t("{0} lie outside; show the full range", plural(view.outside, "point"));
  return html`<button
    class="chip"
    type="button"
    title=${hint}
    aria-pressed=${String(full)}
    @click=${() => events.full()}
  >
    ${full ? t("full range") : outsideWords(view)}
  </button>`;
}

/** Names, colours and dashes of the lines; the figures are written by who knows where the crosshair is. */
export function chartLegend(spec: ChartSpec, theme: ChartTheme): TemplateResult {
  const more = spec.series.length - MOST_LABELS;
  const undrawn = Math.max(0, spec.series.length - MOST_SERIES);
  return html`<ul class="legend">
    ${spec.series.slice(0, MOST_LABELS).map(({ metric, label }, index) => {
      const { color, dash } = seriesStyle(index, theme);
      return html`<li title=${visibleText(metric, 200)}>
        <svg width="14" height="8" aria-hidden="true">
          <line x1="0" y1="4" x2="14" y2="4" stroke=${color} stroke-width="1.5" stroke-dasharray=${dash.join(" ")} />
        </svg>
        ${shown(label, 60)} <span class="legend-value" data-index=${index}></span>
      </li>`;
    })}${more > 0 ? html`<li>${undrawn > 0 ? t("and {0} more, {1} of them not drawn", more, undrawn) : t("and {0} more", more)}</li>` : nothing}
  </ul>`;
}

/** Why there is nothing to see, or not all. */
export function chartState(
  answer: Answer | null,
  problem: Problem | null,
  near: boolean,
  retry: () => void,
): TemplateResult | typeof nothing {
  const first = problem ?? (answer?.view ?? answer?.heat)?.problems[0];
  if (first) return trouble(first, problem !== null, retry);
  if (!answer) return near ? html`<div class="over skeleton"></div>` : nothing;
  const words = nothingWords(answer);
  return words === "" ? nothing : html`<div class="over none">${words}</div>`;
}

function nothingWords({ view, heat, log, range }: Answer): string {
  if (heat) return heat.valueDomain ? "" : t("no values");
  const series = view?.series ?? [];
  if (series.some(({ finite, nonPositive = 0 }) => finite > nonPositive)) return "";
  // A line can pass through a stretch in which nothing was written.
  if (series.some(({ x }) => x.length > 0)) return "";
  if (log && series.some(({ finite }) => finite > 0)) return t("no values above 0");
  if (totalOddities(series).length > 0) return t("no finite values");
  return range ? t("no values in this range") : t("no values");
}

function trouble(problem: Problem, failed: boolean, retry: () => void): TemplateResult {
  return html`<div class=${failed ? "over problem" : "problem strip"} data-testid="chart-error" title=${visibleText(problem.remedy, 400)}>
    <p>${shown(problem.message, 300)}</p>
    ${failed && problem.remedy !== "" ? html`<p class="muted">${shown(problem.remedy, 300)}</p>` : nothing}
    ${failed ? html`<button class="link" type="button" @click=${retry}>${t("Retry")}</button>` : nothing}
  </div>`;
}
