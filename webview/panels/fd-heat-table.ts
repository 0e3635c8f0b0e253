/** A heat map as a table: what its cells hold, a column of the picture a row, a page at a time. */

import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../src/protocol/l10n.ts";
import type { ChartSpec } from "../../src/protocol/run.ts";
import { placeWords } from "../charts/summary.ts";
import { formatCount, formatNumber, formatStep, spansDays } from "../text/numbers.ts";
import { visibleText } from "../text/visible.ts";
import { define, FdElement } from "../ui/element.ts";
import type { Answer } from "./chart-data.ts";
import { MOST_COLUMNS, TABLE_ROWS, tablePages } from "./fd-chart-table.ts";

export class FdHeatTable extends FdElement {
  static override properties = { answer: { attribute: false }, spec: { attribute: false } };
  declare answer: Answer | null;
  declare spec: ChartSpec;
  #offset = 0;

  override render(): TemplateResult {
    const heat = this.answer?.heat;
    if (!heat) return html`<div class="skeleton"></div>`;
    const { columns, buckets } = heat;
    if (this.#offset >= columns) this.#offset = 0;
    const positions = Array.from({ length: Math.min(buckets, MOST_COLUMNS) }, (_, bucket) => bucket);
    const count = Math.min(TABLE_ROWS, columns - this.#offset);
    const page = Array.from({ length: count }, (_, i) => this.#offset + i);
    const left = buckets - positions.length;
    return html`<div class="scroller" tabindex="0" role="region" aria-label=${t("Values of {0}", visibleText(this.spec.title, 120))}>
        <table class="rows">
          <caption class="muted">
            ${left > 0 ? t("Means by position; {0} more positions are in the CSV", formatCount(left)) : t("Means by position")}
          </caption>
          <thead>
            <tr>
              <th scope="col" class="num">${this.answer?.axis === "step" ? t("step") : t("time")}</th>
              ${positions.map((bucket) => html`<th scope="col" class="num">${bucket}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${page.map(
              (column) => html`<tr>
                <th scope="row" class="num">${this.#place(column)}</th>
                ${positions.map((bucket) => html`<td class="num">${cell(heat.cells[column * buckets + bucket])}</td>`)}
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${columns > TABLE_ROWS ? tablePages(this.#offset, count, columns, (offset) => this.#go(offset)) : nothing}`;
  }

  /** The steps that a column of the picture stands for, or the time in its middle. */
  #place(column: number): string {
    const { heat, axis = "step" } = this.answer ?? {};
    const { columns = 1, xDomain: [from, to] = [0, 0] } = heat ?? {};
    const at = (share: number): number => from + ((to - from) * share) / columns;
    if (axis !== "step") return placeWords(at(column + 0.5), axis, spansDays(from, to));
    const first = Math.ceil(at(column));
    const last = column === columns - 1 ? to : Math.ceil(at(column + 1)) - 1;
    return last > first ? `${formatStep(first)}–${formatStep(last)}` : formatStep(first);
  }

  #go(offset: number): void {
    this.#offset = Math.max(0, offset);
    this.requestUpdate();
    this.querySelector(".scroller")?.scrollTo({ top: 0 });
  }
}

const cell = (value = Number.NaN): string => (Number.isNaN(value) ? "–" : formatNumber(value));

define("fd-heat-table", FdHeatTable);
