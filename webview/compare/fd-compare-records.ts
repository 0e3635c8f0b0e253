/** Rows of metrics.json across runs: mean and spread over seeds, and the difference to the baseline with its interval. */

import { html, type TemplateResult } from "lit";
import type { RecordCell, RecordDifference, RecordsComparison } from "../../src/protocol/compare.ts";
import { t } from "../../src/protocol/l10n.ts";
import { formatExact, formatNumber, plural } from "../text/numbers.ts";
import { sentence } from "../text/sentence.ts";
import { shown } from "../text/visible-html.ts";
import type { Theme } from "../theme.ts";
import { define } from "../ui/element.ts";
import { swatch } from "./legend.ts";
import { CompareSection } from "./section.ts";
import { differenceWords, recordWords } from "./words.ts";

type Row = RecordsComparison["rows"][number];

export class FdCompareRecords extends CompareSection<RecordsComparison> {
  static override properties = { session: { attribute: false }, theme: { attribute: false } };
  declare theme: Theme;

  protected override key(): string {
    const { runs, epoch } = this.session;
    return JSON.stringify([runs.map(({ uri }) => uri), epoch]);
  }

  protected override fetch(signal: AbortSignal): Promise<RecordsComparison> {
    return this.session.client.call("compare.records", {}, { signal });
  }

  override render(): TemplateResult {
    const { answer } = this.asked;
    return html`<section class="cmp-section" id="section-records" aria-label=${t("Records")}>
      <div class="tools" role="toolbar" aria-label=${t("Records")}>
        <h2>${t("Records")}</h2>
        <span class="muted">${answer && answer.rows.length > 0 ? answer.method : ""}</span>
      </div>
      ${this.trouble() ?? (answer ? this.#table(answer) : html`<div class="bone box"></div>`)}
    </section>`;
  }

  #table({ rows, dropped }: RecordsComparison): TemplateResult {
    const { runs } = this.session;
    if (rows.length === 0) return html`<p class="none">${t("No metrics.json row can be compared.")}</p>`;
    return html`<div class="cmp-wide" tabindex="0" role="region" aria-label=${t("Rows of metrics.json")}>
        <table class="cmp-records">
          <thead>
            <tr>
              <th scope="col">${t("benchmark")}</th>
              <th scope="col">${t("metric")}</th>
              <th scope="col">${t("horizon")}</th>
              ${runs.map(({ run, label }) => html`<th scope="col">${swatch(this.session, this.theme.current, run ?? 0)} ${shown(label, 60)}</th>`)}
              ${runs.slice(1).map(({ label }) => html`<th scope="col">${sentence(t("{0} − baseline"), shown(label, 60))}</th>`)}
            </tr>
          </thead>
          <tbody>${rows.map((row) => this.#row(row))}</tbody>
        </table>
      </div>
      <p class="muted">${dropped > 0 ? t("{0} not shown.", plural(dropped, "more row")) : ""}</p>`;
  }

  #row({ benchmark, metric, horizon, cells, differences }: Row): TemplateResult {
    return html`<tr data-testid="record-row">
      <td>${shown(benchmark, 200)}</td>
      <td>${shown(metric, 200)}</td>
      <td>${shown(horizon, 80)}</td>
      ${cells.map((cell) => html`<td class="num" title=${cell ? cellTitle(cell) : t("no such row")}>${cell ? recordWords(cell) : "–"}</td>`)}
      ${differences
        .slice(1)
        .map(
          (difference) =>
            html`<td class=${`num ${isClear(difference) ? "clear" : ""}`} title=${difference ? differenceTitle(difference) : t("a side is missing")}>${difference ? differenceWords(difference) : "–"}</td>`,
        )}
    </tr>`;
  }
}

/** The interval leaves out 0. */
const isClear = (difference: RecordDifference | null): boolean =>
  difference !== null && (difference.low > 0 || difference.high < 0);

const cellTitle = ({ n, mean, sd, min, max, seeds }: RecordCell): string =>
  t(
    "{0}: mean {1}, sample sd {2}, from {3} to {4}{5}",
    plural(n, "value"),
    formatExact(mean),
    formatExact(sd),
    formatExact(min),
    formatExact(max),
    seeds === "" ? "" : t(", seeds {0}", seeds),
  );

const differenceTitle = ({ p, df }: RecordDifference): string =>
  Number.isNaN(p)
    ? t("too few values for an interval")
    : t("95 % interval; p {0}, {1} degrees of freedom", formatNumber(p), formatNumber(df));

define("fd-compare-records", FdCompareRecords);
