import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../src/protocol/l10n.ts";
import { visibleText } from "../text/visible.ts";
import { shown } from "../text/visible-html.ts";
import { nextOrder, type SampleColumn } from "./columns.ts";
import type { Samples } from "./model.ts";

/** The heads of the columns: a click sorts, highest first and then lowest. */
export function tableHead(columns: readonly SampleColumn[], samples: Samples): TemplateResult {
  const order = samples.order();
  const sortable = columns.filter(({ by }) => by !== null);
  const stop = sortable.find(({ by }) => by === order.by) ?? sortable[0];
  return html`<div class="sm-head" role="rowgroup">
    <div class="sm-row" role="row" aria-rowindex="1">
      <span role="columnheader" aria-colindex="1"><span class="unseen">${t("details")}</span></span>
      ${columns.map((column, i) => columnHead(column, i + 2, samples, column === stop))}
      <span role="columnheader" class="sm-cell" aria-colindex=${columns.length + 2}>${t("completion")}</span>
    </div>
  </div>`;
}

function columnHead(
  column: SampleColumn,
  index: number,
  samples: Samples,
  isTabStop: boolean,
): TemplateResult {
  const { id, label, title, by, isNumber } = column;
  const order = samples.order();
  const isSorted = by !== null && order.by === by;
  const sort = by === null ? nothing : isSorted ? (order.descending ? "descending" : "ascending") : "none";
  const arrow = isSorted
    ? html`<i class="sm-arrow ${order.descending ? "down" : "up"}" aria-hidden="true"></i>`
    : nothing;
  const press = (): void => {
    const next = nextOrder(column, order);
    if (next) samples.change(next);
  };
  return html`<span role="columnheader" class=${`sm-cell ${isNumber ? "num" : ""}`} aria-colindex=${index} aria-sort=${sort} data-column=${id}
    >${
      by === null
        ? html`<span title=${visibleText(title, 200)}>${label}</span>`
        : html`<button type="button" tabindex=${isTabStop ? 0 : -1} title=${visibleText(t("{0}: sort", title), 200)} @click=${press}>${arrow}${shown(label, 40)}</button>`
    }</span
  >`;
}
