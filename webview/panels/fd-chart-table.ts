/** A chart's rows as a table: every value of the steps that are shown, a page at a time. */

import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../src/protocol/l10n.ts";
import type { ChartSpec, RowsView } from "../../src/protocol/run.ts";
import type { Problem } from "../../src/protocol/wire.ts";
import { problemFrom } from "../client.ts";
import type { Session } from "../session.ts";
import { formatCount, formatExact, formatZoned } from "../text/numbers.ts";
import { visibleText } from "../text/visible.ts";
import { shown } from "../text/visible-html.ts";
import { define, FdElement } from "../ui/element.ts";
import { problemBox } from "./problem.ts";
import { clockWords, stepText } from "./words.ts";

export const TABLE_ROWS = 100;
/** More columns than this are no table any more; the rest is in the CSV. */
export const MOST_COLUMNS = 32;

/** From page to page of a table. @param count rows of this one */
export function tablePages(
  offset: number,
  count: number,
  total: number,
  go: (offset: number) => void,
): TemplateResult {
  return html`<p class="pages">
    <button type="button" class="link" ?disabled=${offset === 0} @click=${() => go(offset - TABLE_ROWS)}>${t("Previous")}</button>
    <span class="muted">${t("{0}–{1} of {2} rows", formatCount(offset + 1), formatCount(offset + count), formatCount(total))}</span>
    <button type="button" class="link" ?disabled=${offset + count >= total} @click=${() => go(offset + TABLE_ROWS)}>${t("Next")}</button>
  </p>`;
}

export class FdChartTable extends FdElement {
  static override properties = { session: { attribute: false }, spec: { attribute: false } };
  declare session: Session;
  declare spec: ChartSpec;
  #view: RowsView | null = null;
  #problem: Problem | null = null;
  #offset = 0;
  #key = "";
  #asking: AbortController | null = null;
  #stops: (() => void)[] = [];

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stops = [
      this.session.store.subscribe((_, { type }) => {
        if (type === "zoom") this.#offset = 0;
        if (type === "zoom") this.#ask();
        if (type === "pin") this.requestUpdate();
      }),
      this.session.subscribe(() => this.#ask()),
    ];
    this.#ask();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.#stops) stop();
    this.#asking?.abort();
    this.#key = "";
  }

  #metrics(): string[] {
    return this.spec.series.slice(0, MOST_COLUMNS).map(({ metric }) => metric);
  }

  #ask(): void {
    const { range } = this.session.store.state;
    const key = JSON.stringify([range, this.#offset, this.session.epoch]);
    if (key === this.#key) return;
    this.#key = key;
    void this.#fetch(range && [range[0], range[1]]);
  }

  async #fetch(steps: [number, number] | null): Promise<void> {
    this.#asking?.abort();
    const asking = new AbortController();
    this.#asking = asking;
    const done = this.session.ready.begin();
    try {
      const params = { metrics: this.#metrics(), steps, offset: this.#offset, limit: TABLE_ROWS };
      const view = await this.session.client.call("chart.rows", params, { signal: asking.signal });
      this.#view = view;
      this.#problem = view.problems[0] ?? null;
    } catch (error) {
      if (!asking.signal.aborted) this.#problem = problemFrom(error);
    }
    this.requestUpdate();
    await this.updateComplete;
    done();
  }

  #go(offset: number): void {
    this.#offset = Math.max(0, offset);
    this.#ask();
    this.querySelector(".scroller")?.scrollTo({ top: 0 });
  }

  override render(): TemplateResult {
    const retry = (): void => {
      this.#key = "";
      this.#ask();
    };
    if (this.#problem) return problemBox(this.#problem, retry);
    const view = this.#view;
    if (!view) return html`<div class="skeleton"></div>`;
    return html`<div class="scroller" tabindex="0" role="region" aria-label=${t("Values of {0}", visibleText(this.spec.title, 120))}>
        ${view.rows.length > 0 ? this.#table(view) : html`<p class="none">${t("No rows in these steps.")}</p>`}
      </div>
      ${view.total > TABLE_ROWS ? tablePages(this.#offset, view.rows.length, view.total, (offset) => this.#go(offset)) : nothing}`;
  }

  #table(view: RowsView): TemplateResult {
    const timed = this.session.axis?.hasTime === true;
    const { pin } = this.session.store.state;
    return html`<table class="rows">
      <thead>
        <tr>
          <th scope="col" class="num">${t("step")}</th>
          ${timed ? html`<th scope="col" title=${t("local time")}>${t("time")}</th>` : nothing}
          ${this.spec.series.slice(0, MOST_COLUMNS).map(({ label }) => html`<th scope="col" class="num">${shown(label, 60)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${view.rows.map(
          (row) => html`<tr class=${pin !== null && Number(row.step) === pin ? "picked" : ""}>
            <th scope="row" class="num">
              <button type="button" class="link" title=${t("Point out this step everywhere")} @click=${() => void this.session.pick(Number(row.step))}>
                ${stepText(row.step)}
              </button>
            </th>
            ${timed ? html`<td class="when" title=${row.time === null ? "" : formatZoned(row.time)}>${row.time === null ? "–" : clockWords(row.time, this.session.axis)}</td>` : nothing}
            ${row.values.map((value) => html`<td class="num">${value === null ? "–" : formatExact(value)}</td>`)}
          </tr>`,
        )}
      </tbody>
    </table>`;
  }
}

define("fd-chart-table", FdChartTable);
