/** One chart of the run: asks for what its width can show while it is near the visible part, and draws it. */

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { t } from "../../src/protocol/l10n.ts";
import type { ChartGroup, ChartSpec } from "../../src/protocol/run.ts";
import { type ChartFactory, plotWidth } from "../charts/chart.ts";
import { type ChartMarks, evidenceWords } from "../charts/evidence.ts";
import { chartLibrary } from "../charts/library.ts";
import { chartSummary, heatmapSummary, placeWords } from "../charts/summary.ts";
import { isWide, type Share } from "../layout.ts";
import type { Session } from "../session.ts";
import type { Action } from "../state.ts";
import { formatNumber, spansDays } from "../text/numbers.ts";
import { visibleText } from "../text/visible.ts";
import type { Theme } from "../theme.ts";
import { define, FdElement } from "../ui/element.ts";
import { openMenu } from "../ui/menu.ts";
import { ChartData, MOST_SERIES } from "./chart-data.ts";
import { chartHead, chartLegend, chartState } from "./chart-head.ts";
import { chartMenu } from "./chart-menu.ts";
import { ChartStage } from "./chart-stage.ts";
import "./fd-chart-table.ts";
import "./fd-heat-table.ts";
import { inTurn } from "./in-turn.ts";
import type { Watch, Watched } from "./watch.ts";

export class FdChart extends FdElement implements Watched {
  static override properties = {
    spec: { attribute: false },
    group: { attribute: false },
    share: { attribute: false },
    session: { attribute: false },
    theme: { attribute: false },
    watch: { attribute: false },
  };
  declare spec: ChartSpec;
  /** The charts among which it stands. */
  declare group: ChartGroup;
  /** Of the row that it stands in. */
  declare share: Share;
  declare session: Session;
  declare theme: Theme;
  declare watch: Watch;
  #data: ChartData | null = null;
  #stage: ChartStage | null = null;
  #marks: ChartMarks | null = null;
  #near = false;
  #width = 0;
  #later: ReturnType<typeof setTimeout> | null = null;
  #stops: (() => void)[] = [];

  override connectedCallback(): void {
    super.connectedCallback();
    this.setAttribute("role", "figure");
    this.dataset["testid"] = "chart";
    this.#marks = this.session.findings.marksFor(this.spec);
    this.#data ??= new ChartData(this.session, this.spec, () => this.#answered());
    this.watch.add(this);
    this.#stops = [
      this.session.store.subscribe((_, action) => this.#acted(action)),
      this.session.prefs.subscribe(() => this.#ask()),
      this.session.findings.subscribe(() => this.#mark()),
      this.session.subscribe(() => this.#ask()),
      this.theme.subscribe((theme) => {
        this.requestUpdate();
        void this.#stage?.paint(theme);
      }),
    ];
  }

  /** Draws again when other findings are to be drawn. */
  #mark(): void {
    const marks = this.session.findings.marksFor(this.spec);
    if (JSON.stringify(marks) === JSON.stringify(this.#marks)) return;
    this.#marks = marks;
    this.#draw();
  }

  #acted(action: Action): void {
    const isOurs = "chart" in action && action.chart === this.spec.id;
    if (action.type === "zoom" || action.type === "axis" || action.type === "logAll") this.#ask();
    if (action.type === "log" && isOurs) this.#ask();
    if (action.type === "fullRange" || (action.type === "full" && isOurs)) this.#draw();
    if (action.type === "table" && isOurs) this.#turn();
  }

  /** From the picture to the table, or back. */
  #turn(): void {
    this.#stage?.dispose();
    this.#stage = null;
    this.#draw();
    this.#ask();
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
    this.session.columnsRead();
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
    if (!this.#data?.answer) return;
    const library = await chartLibrary();
    if (this.#stage) await this.#paint(library);
    else await inTurn(() => this.#paint(library));
  }

  async #paint(library: ChartFactory): Promise<void> {
    const answer = this.#data?.answer;
    const host = this.querySelector<HTMLElement>(".plot");
    if (!answer || !host || !this.#near) return;
    this.#stage ??= new ChartStage(library, host, this.#metrics(), this.session.cursor, this.theme.current, {
      zoom: (range) => void this.session.zoomX(range),
      pick: (x) => void (x === null ? this.session.pick(null) : this.session.pickX(x)),
      finding: (id) => this.session.findings.show(id),
      values: (values, x, words) => this.#values(host, values, x, words),
    });
    await this.#stage.draw(answer, this.#full(), this.#marks);
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
  #values(
    plot: HTMLElement,
    values: readonly (number | null | undefined)[] | null,
    x: number | null,
    drawn = "",
  ): void {
    const last = this.#data?.answer?.view?.series.map((series) => series.last) ?? [];
    for (const element of this.querySelectorAll<HTMLElement>(".legend-value")) {
      const index = Number(element.dataset["index"]);
      const value = values ? values[index] : last[index];
      element.textContent = typeof value === "number" ? formatNumber(value) : "–";
    }
    if (x === null || document.activeElement !== plot) return;
    const words = (values ?? [])
      .slice(0, 8)
      .map((value) => (typeof value === "number" ? formatNumber(value) : t("no value")))
      .join(", ");
    plot.setAttribute("aria-valuenow", String(x));
    plot.setAttribute("aria-valuetext", [this.#place(x), words, drawn].filter(Boolean).join(", "));
  }

  #place(x: number): string {
    const { axis, store } = this.session;
    return placeWords(x, store.state.x, spansDays(axis?.timeFirst ?? null, axis?.timeLast ?? null));
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has("spec")) {
      this.dataset["metric"] = this.spec.id;
      this.classList.toggle("wide", isWide(this.spec));
      this.classList.toggle("several", this.spec.series.length > 1);
    }
    if (changed.has("share")) {
      this.dataset["units"] = String(this.share.units);
      this.dataset["of"] = String(this.share.of);
    }
    this.classList.toggle("as-table", this.#isTable());
    const answer = this.#data?.answer;
    const labels = this.spec.series.map(({ label }) => label);
    const axis = answer?.axis ?? "step";
    const words =
      this.spec.kind === "heatmap"
        ? heatmapSummary(this.spec.title, answer?.heat ?? null, axis)
        : chartSummary(this.spec.title, labels, answer?.view ?? null, axis);
    const drawn = evidenceWords(this.#marks);
    this.setAttribute("aria-label", visibleText(drawn === "" ? words : `${words}. ${drawn}`));
    const last = answer?.view?.series[0]?.last;
    if (last === null || last === undefined) delete this.dataset["last"];
    else this.dataset["last"] = String(last);
    // The legend's figures are written by #values, never by lit.
    const plot = this.querySelector<HTMLElement>(".plot");
    if (plot && this.session.cursor.place.x === null) this.#values(plot, null, null);
  }

  override render(): TemplateResult {
    const { spec, session } = this;
    const { answer = null, problem = null } = this.#data ?? {};
    return html`${chartHead(
      { spec, answer, full: this.#full() },
      {
        full: () => session.store.dispatch({ type: "full", chart: spec.id }),
        menu: (anchor) => this.#menu(anchor),
      },
    )}
    ${this.#isTable() ? this.#table() : html`${this.#plot()}${chartState(answer, problem, this.#near, () => this.#data?.retry(this.#columns()))}`}`;
  }

  #menu(anchor: HTMLElement): void {
    const { session, spec, group } = this;
    const title = t("Actions for {0}", visibleText(spec.title, 120));
    const answer = this.#data?.answer ?? null;
    const theme = this.theme.current;
    openMenu(anchor, title, chartMenu({ session, spec, group, anchor, answer, theme }));
  }

  #isTable(): boolean {
    return this.session.store.state.tables.includes(this.spec.id);
  }

  #table(): TemplateResult | typeof nothing {
    if (!this.#near) return nothing;
    return this.spec.kind === "heatmap"
      ? html`<fd-heat-table .answer=${this.#data?.answer ?? null} .spec=${this.spec}></fd-heat-table>`
      : html`<fd-chart-table .session=${this.session} .spec=${this.spec}></fd-chart-table>`;
  }

  #plot(): TemplateResult {
    const { spec } = this;
    return html`${spec.series.length > 1 && spec.kind === "lines" ? chartLegend(spec, this.theme.current) : nothing}
      <div
        class="plot"
        tabindex=${this.#stage ? 0 : -1}
        role="slider"
        aria-label=${t("Crosshair in {0}", visibleText(spec.title, 120))}
        aria-keyshortcuts="ArrowLeft ArrowRight Shift+ArrowRight Enter Space Escape + - 0 Home End"
        aria-valuemin=${this.#stage?.x.lo ?? 0}
        aria-valuemax=${this.#stage?.x.hi ?? 0}
        aria-valuenow=${this.#stage?.x.lo ?? 0}
        aria-valuetext=${t("no crosshair")}
      ></div>`;
  }
}

define("fd-chart", FdChart);
