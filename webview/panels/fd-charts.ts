/** The tab of charts: its tools, and every metric that has data in foldable groups. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { t } from "../../src/protocol/l10n.ts";
import type { AtView, ChartGroup, ChartSpec, WarningView } from "../../src/protocol/run.ts";
import { type Arranged, arrange, moved } from "../arrange.ts";
import { rehearseChart } from "../charts/library.ts";
import type { CursorPlace } from "../cursor.ts";
import { columnsFor, type GroupLayout, layout } from "../layout.ts";
import type { Session } from "../session.ts";
import type { Action } from "../state.ts";
import { formatZoned } from "../text/numbers.ts";
import { shown } from "../text/visible-html.ts";
import type { Theme } from "../theme.ts";
import { define, FdElement } from "../ui/element.ts";
import { reveal } from "../ui/reveal.ts";
import { listenDrags } from "./chart-drag.ts";
import { chartTools } from "./chart-tools.ts";
import type { FdChart } from "./fd-chart.ts";
import "./fd-chart.ts";
import { Watch } from "./watch.ts";
import { readoutTime, stepText, unreadSteps } from "./words.ts";

/** Actions that change what this tab itself shows; scrolling and zooming are none. */
const SHOWN: ReadonlySet<Action["type"]> = new Set([
  "axis",
  "fold",
  "metricFilter",
  "fullRange",
  "logAll",
  "showHidden",
]);

export class FdCharts extends FdElement {
  static override properties = { session: { attribute: false }, theme: { attribute: false } };
  declare session: Session;
  declare theme: Theme;
  readonly #watch = new Watch();
  #stops: (() => void)[] = [];
  #width = 0;
  #columns = 3;
  /** The columns are those that there is room for. */
  #isMeasured = false;
  /** What the run had to draw when this was last rendered, and whether it had times. */
  #groups: readonly ChartGroup[] | undefined;
  #isTimed = false;
  readonly #size = new ResizeObserver(([entry]) => this.#resized(entry?.contentRect.width ?? 0));

  protected override firstUpdated(): void {
    const list = this.querySelector<HTMLElement>(".scroller");
    if (!list) return;
    this.#size.observe(list);
    // While the worker reads: the first answer finds it ready.
    requestAnimationFrame(() => setTimeout(() => void rehearseChart(this.theme.current)));
    const dragging = new AbortController();
    this.#stops.push(() => dragging.abort());
    listenDrags(
      list,
      ({ chart, group, place }) => {
        const found = this.#arranged().groups.find(({ id }) => id === group);
        const { prefs } = this.session;
        if (found) prefs.change(moved(found, prefs.current, chart, place));
      },
      dragging.signal,
    );
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const { cursor, store, prefs } = this.session;
    this.#stops = [
      // Other files can hold other metrics, and whether there are times is known later than the metrics.
      this.session.subscribe(() => {
        const { overview, axis } = this.session;
        const isOther = overview?.groups !== this.#groups || this.#isTimed !== (axis?.hasTime === true);
        if (isOther || overview?.groups.length === 0) this.requestUpdate();
      }),
      store.subscribe((_, { type }) => {
        if (SHOWN.has(type)) this.requestUpdate();
      }),
      store.subscribe((_, action) => {
        if (action.type === "finding" && action.id !== null) void this.#reveal();
      }),
      prefs.subscribe(() => {
        this.#resized(this.#width);
        this.requestUpdate();
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

  #resized(width: number): void {
    if (width === 0) return;
    this.#width = width;
    const columns = columnsFor(width, this.session.prefs.current.size);
    if (columns === this.#columns && this.#isMeasured) return;
    const isFirst = !this.#isMeasured;
    this.#isMeasured = true;
    this.#columns = columns;
    this.requestUpdate();
    if (isFirst) void this.updateComplete.then(() => this.#sayMeasured());
  }

  /** Brings the first chart that the shown finding cites into view, out of a folded group and past a filter. */
  async #reveal(): Promise<void> {
    const { store, findings } = this.session;
    const metric = findings.selected?.drawings[0]?.metric;
    const cites = ({ charts }: ChartGroup): boolean => charts.some((chart) => shows(chart, metric));
    if (!this.#arranged().groups.some(cites) && store.state.metricFilter !== "")
      store.dispatch({ type: "metricFilter", text: "" });
    const group = this.#arranged().groups.find(cites);
    if (!group) return;
    if (!this.#isOpen(group)) store.dispatch({ type: "fold", group: group.id });
    await this.updateComplete;
    const charts = this.querySelectorAll<FdChart>("fd-chart");
    const chart = [...charts].find(({ spec }) => shows(spec, metric));
    const room = this.querySelector(".scroller")?.clientHeight ?? 0;
    // In the middle the title of one that is higher than the list would lie above it.
    reveal(chart, chart && chart.offsetHeight + HEADING <= room ? "center" : "start");
  }

  /** The list can be scrolled to where it was. */
  #sayMeasured(): void {
    this.dispatchEvent(new CustomEvent("fd-measured", { bubbles: true }));
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
    const { x, pin } = this.session.cursor.place;
    readout.replaceChildren(pin !== null && x === pin ? t("pinned step") : t("step"), " ", step);
    if (at.time !== null) {
      readout.append(` · ${readoutTime(at.time, this.session.store.state.x, this.session.axis)}`);
      readout.title = formatZoned(at.time);
    }
  }

  #arranged(): Arranged {
    const { overview, store, prefs } = this.session;
    const { metricFilter, showHidden } = store.state;
    this.#groups = overview?.groups;
    this.#isTimed = this.session.axis?.hasTime === true;
    return arrange(overview?.groups ?? [], prefs.current, metricFilter, showHidden);
  }

  readonly #isOpen = (group: ChartGroup): boolean => !this.session.store.state.closed.includes(group.id);

  override render(): TemplateResult {
    const arranged = this.#arranged();
    const { groups, all, hidden } = arranged;
    const places = layout(groups, this.#columns, this.#isOpen);
    return html`${all + hidden > 0 ? chartTools(this.session, arranged) : nothing}
      <div class="scroller charts" data-scroller="charts" data-measured=${String(this.#isMeasured)} data-size=${this.session.prefs.current.size} tabindex="-1">
        ${repeat(
          groups,
          (group) => group.id,
          (group, i) => this.#group(group, places[i]),
        )}${groups.length > 0 ? nothing : none(all, hidden, this.session.warnings)}
      </div>`;
  }

  #group(group: ChartGroup, place: GroupLayout | undefined): TemplateResult {
    const { store } = this.session;
    const open = this.#isOpen(group);
    return html`<section
      class="group"
      data-group=${group.id}
      data-units=${place?.share.units ?? 1}
      data-of=${place?.share.of ?? 1}
      aria-label=${group.title}
    >
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
                (chart, i) =>
                  html`<fd-chart
                    .spec=${chart}
                    .group=${group}
                    .share=${place?.charts[i] ?? { units: 1, of: 1 }}
                    .session=${this.session}
                    .theme=${this.theme}
                    .watch=${this.#watch}
                  ></fd-chart>`,
              )}
            </div>`
          : nothing
      }
    </section>`;
  }
}

/** Pixels that a group's heading takes, which stays at the top of the list. */
const HEADING = 30;

const shows = ({ series }: ChartSpec, metric: string | undefined): boolean =>
  series.some((one) => one.metric === metric);

function none(all: number, hidden: number, warnings: readonly WarningView[]): TemplateResult {
  if (all > 0) return html`<p class="none">${t("No metric matches the filter.")}</p>`;
  if (hidden > 0) return html`<p class="none">${t("All charts are hidden.")}</p>`;
  const unread = unreadSteps(warnings);
  if (unread)
    return html`<div class="none" data-testid="steps-unread">
      <p>${t("The steps could not be read.")} ${shown(unread.message, 600)} <span class="file">${shown(unread.file, 400)}</span></p>
      <p>${shown(unread.remedy, 600)}</p>
    </div>`;
  return html`<p class="none">${t("No steps are recorded in this run, so there is nothing to draw yet.")}</p>`;
}

define("fd-charts", FdCharts);
