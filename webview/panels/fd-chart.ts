/** One chart of the run: asks for what its width can show while it is near the visible part, and draws it. */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { ChartSpec, ChartView } from "../../src/protocol/run.ts";
import type { Problem } from "../../src/protocol/wire.ts";
import { plotWidth } from "../charts/chart.ts";
import { seriesStyle } from "../charts/palette.ts";
import { chartSummary, heatmapSummary, outsideWords, placeWords, totalOddities } from "../charts/summary.ts";
import type { Session } from "../session.ts";
import { formatExact, formatNumber, plural } from "../text/numbers.ts";
import { visibleText } from "../text/visible.ts";
import { shown } from "../text/visible-html.ts";
import type { Theme } from "../theme.ts";
import { define, FdElement } from "../ui/element.ts";
import { ChartData, MOST_SERIES } from "./chart-data.ts";
import { ChartStage } from "./chart-stage.ts";
import type { Watch, Watched } from "./watch.ts";
import { isWide } from "./words.ts";

/** A legend names this many series; the crosshair and the summary know them all. */
const MOST_LABELS = 24;

export class FdChart extends FdElement implements Watched {
  static override properties = {
    spec: { attribute: false },
    session: { attribute: false },
    theme: { attribute: false },
    watch: { attribute: false },
  };
  declare spec: ChartSpec;
  declare session: Session;
  declare theme: Theme;
  declare watch: Watch;
  #data: ChartData | null = null;
  #stage: ChartStage | null = null;
  #near = false;
  #width = 0;
  #later: ReturnType<typeof setTimeout> | null = null;
  #stops: (() => void)[] = [];

  override connectedCallback(): void {
    super.connectedCallback();
    this.setAttribute("role", "figure");
    this.dataset["testid"] = "chart";
    this.#data ??= new ChartData(this.session, this.spec, () => this.#answered());
    this.watch.add(this);
    this.#stops = [
      this.session.store.subscribe((_, action) => {
        if (action.type === "zoom" || action.type === "axis") this.#ask();
        if (action.type === "fullRange" || (action.type === "full" && action.chart === this.spec.id))
          this.#draw();
      }),
      this.session.subscribe(() => this.#ask()),
      this.theme.subscribe((theme) => {
        this.requestUpdate();
        void this.#stage?.paint(theme);
      }),
    ];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.watch.remove(this);
    for (const stop of this.#stops) stop();
    this.#leave();
  }

  near(near: boolean): void {
    if (near === this.#near) return;
    this.#near = near;
    if (near) this.#enter();
    else this.#leave();
    this.requestUpdate();
  }

  resized(width: number): void {
    if (width === this.#width || width === 0) return;
    this.#width = width;
    if (this.#later !== null) clearTimeout(this.#later);
    this.#later = setTimeout(() => {
      this.#stage?.resize();
      this.#draw();
      this.#ask();
    }, 80);
  }

  #enter(): void {
    if (this.#data?.answer) this.#draw();
    this.#ask();
  }

  #leave(): void {
    this.#near = false;
    this.#data?.stop();
    this.#stage?.dispose();
    this.#stage = null;
  }

  #columns(): number {
    return this.#stage?.columns ?? plotWidth(this.clientWidth);
  }

  #ask(): void {
    if (this.#near && this.clientWidth > 0) this.#data?.ask(this.#columns());
  }

  #answered(): void {
    if (this.#data?.answer?.view?.problems.length) void this.session.refreshWarnings();
    this.#draw();
  }

  #draw(): void {
    this.requestUpdate();
    const done = this.session.ready.begin();
    void this.updateComplete
      .then(() => this.#drawNow())
      .catch((error: unknown) => this.session.report(error))
      .finally(done);
  }

  async #drawNow(): Promise<void> {
    const answer = this.#data?.answer;
    const host = this.querySelector<HTMLElement>(".plot");
    if (!answer || !host || !this.#near) return;
    this.#stage ??= new ChartStage(host, this.#metrics(), this.session.cursor, this.theme.current, {
      zoom: (range) => this.session.zoom(range),
      values: (values) => this.#values(host, values),
    });
    await this.#stage.draw(answer, this.#full());
    this.requestUpdate();
  }

  #metrics(): readonly string[] {
    if (this.spec.kind === "heatmap") return [];
    return this.spec.series.slice(0, MOST_SERIES).map(({ metric }) => metric);
  }

  #full(): boolean {
    const { fullRange, full } = this.session.store.state;
    return fullRange !== full.includes(this.spec.id);
  }

  /** Values under the crosshair: in the legend, and for a reader of the screen in the slider's text. */
  #values(plot: HTMLElement, values: readonly (number | null | undefined)[] | null): void {
    const last = this.#data?.answer?.view?.series.map((series) => series.last) ?? [];
    for (const element of this.querySelectorAll<HTMLElement>(".legend-value")) {
      const index = Number(element.dataset["index"]);
      const value = values ? values[index] : last[index];
      element.textContent = typeof value === "number" ? formatNumber(value) : "–";
    }
    const { x } = this.session.cursor.place;
    if (x === null || document.activeElement !== plot) return;
    const words = (values ?? [])
      .slice(0, 8)
      .map((value) => (typeof value === "number" ? formatNumber(value) : "no value"))
      .join(", ");
    plot.setAttribute("aria-valuenow", String(x));
    plot.setAttribute(
      "aria-valuetext",
      [placeWords(x, this.session.store.state.x), words].filter(Boolean).join(", "),
    );
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has("spec")) {
      this.dataset["metric"] = this.spec.id;
      this.classList.toggle("wide", isWide(this.spec));
      this.classList.toggle("several", this.spec.series.length > 1);
    }
    const answer = this.#data?.answer;
    const labels = this.spec.series.map(({ label }) => label);
    const axis = answer?.axis ?? "step";
    const words =
      this.spec.kind === "heatmap"
        ? heatmapSummary(this.spec.title, answer?.heat ?? null, axis)
        : chartSummary(this.spec.title, labels, answer?.view ?? null, axis);
    this.setAttribute("aria-label", visibleText(words));
    const last = answer?.view?.series[0]?.last;
    if (last === null || last === undefined) delete this.dataset["last"];
    else this.dataset["last"] = String(last);
    // The legend's figures are written by #values, never by lit.
    const plot = this.querySelector<HTMLElement>(".plot");
    if (plot && this.session.cursor.place.x === null) this.#values(plot, null);
  }

  override render(): TemplateResult {
    const { title } = this.spec;
    const names = this.spec.series.map(({ metric }) => metric).join(", ");
    return html`<header class="chart-head">
        <h3 title=${visibleText(names, 200)}>${shown(title, 120)}</h3>
        ${this.#lastValue()}<span class="gap"></span>${this.#chips()}
      </header>
      ${this.spec.series.length > 1 && this.spec.kind === "lines" ? this.#legend() : nothing}
      <div
        class="plot"
        tabindex=${this.#stage ? 0 : -1}
        role="slider"
        aria-label=${`Crosshair in ${visibleText(title, 120)}`}
        aria-keyshortcuts="ArrowLeft ArrowRight Shift+ArrowRight Enter Escape + - 0 Home End"
        aria-valuemin=${this.#stage?.x.lo ?? 0}
        aria-valuemax=${this.#stage?.x.hi ?? 0}
        aria-valuenow=${this.#stage?.x.lo ?? 0}
        aria-valuetext="no crosshair"
      ></div>
      ${this.#state()}`;
  }

  #lastValue(): TemplateResult | typeof nothing {
    const series = this.#data?.answer?.view?.series;
    const last = series?.[0]?.last;
    if (series?.length !== 1 || last === null || last === undefined) return nothing;
    const { unit } = this.spec;
    return html`<span class="last" title=${`last value ${formatExact(last)}`}
      >${formatNumber(last)}${unit ? html` <span class="unit">${shown(unit, 20)}</span>` : nothing}</span
    >`;
  }

  #chips(): TemplateResult {
    const answer = this.#data?.answer;
    const view = answer?.view;
    const heat = answer?.heat?.valueDomain;
    return html`${totalOddities(view?.series ?? []).map(
      ({ text, hint }) => html`<span class="chip odd" title=${hint}>${text}</span>`,
    )}${view && view.outside > 0 ? this.#outside(view) : nothing}${
      heat
        ? html`<span class="chip ramp">${formatNumber(heat[0])}<span class="ramp-bar"></span>${formatNumber(heat[1])}</span>`
        : nothing
    }`;
  }

  #outside(view: ChartView): TemplateResult {
    const full = this.#full();
    const hint = full
      ? "Show the usual range"
      : `${plural(view.outside, "point")} lie outside; show the full range`;
    return html`<button
      class="chip"
      type="button"
      title=${hint}
      aria-pressed=${String(full)}
      @click=${() => this.session.store.dispatch({ type: "full", chart: this.spec.id })}
    >
      ${full ? "full range" : outsideWords(view)}
    </button>`;
  }

  #legend(): TemplateResult {
    const more = this.spec.series.length - MOST_LABELS;
    const undrawn = Math.max(0, this.spec.series.length - MOST_SERIES);
    return html`<ul class="legend">
      ${this.spec.series.slice(0, MOST_LABELS).map(({ metric, label }, index) => {
        const { color, dash } = seriesStyle(index, this.theme.current);
        return html`<li title=${visibleText(metric, 200)}>
          <svg width="14" height="8" aria-hidden="true">
            <line x1="0" y1="4" x2="14" y2="4" stroke=${color} stroke-width="1.5" stroke-dasharray=${dash.join(" ")} />
          </svg>
          ${shown(label, 60)} <span class="legend-value" data-index=${index}></span>
        </li>`;
      })}${more > 0 ? html`<li>and ${more} more${undrawn > 0 ? `, ${undrawn} of them not drawn` : ""}</li>` : nothing}
    </ul>`;
  }

  #state(): TemplateResult | typeof nothing {
    const { answer, problem } = this.#data ?? {};
    const problems = [...(problem ? [problem] : []), ...((answer?.view ?? answer?.heat)?.problems ?? [])];
    const [first] = problems;
    if (first) return this.#problem(first, problem !== null && problem !== undefined);
    if (!answer) return this.#near ? html`<div class="over skeleton"></div>` : nothing;
    const empty = answer.view
      ? answer.view.series.every((series) => series.finite === 0)
      : !answer.heat?.valueDomain;
    if (!empty) return nothing;
    const odd = totalOddities(answer.view?.series ?? []).length > 0;
    return html`<div class="over none">
      ${odd ? "no finite values" : answer.range ? "no values in this range" : "no values"}
    </div>`;
  }

  #problem(problem: Problem, failed: boolean): TemplateResult {
    return html`<div class=${failed ? "over problem" : "problem strip"} data-testid="chart-error" title=${visibleText(problem.remedy, 400)}>
      <p>${shown(problem.message, 300)}</p>
      ${failed && problem.remedy !== "" ? html`<p class="muted">${shown(problem.remedy, 300)}</p>` : nothing}
      ${
        failed
          ? html`<button class="link" type="button" @click=${() => this.#data?.retry(this.#columns())}>Retry</button>`
          : nothing
      }
    </div>`;
  }
}

define("fd-chart", FdChart);
