/** The tab of run records: attempts side by side, the configurations that they ran, and the rows of metrics.json in short. */

import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../src/protocol/l10n.ts";
import type { RecordsView } from "../../src/protocol/run.ts";
import type { Problem } from "../../src/protocol/wire.ts";
import { problemFrom } from "../client.ts";
import type { Session } from "../session.ts";
import { formatExact, formatNumber, plural } from "../text/numbers.ts";
import { shown } from "../text/visible-html.ts";
import "../ui/controls.ts";
import { define, FdElement } from "../ui/element.ts";
import { attemptsTable, configsTable } from "./attempts.ts";
import { problemBox } from "./problem.ts";
import { attemptsWords } from "./record-words.ts";
import { warningList } from "./warnings.ts";
import { notSaid } from "./words.ts";

export class FdRecords extends FdElement {
  static override properties = { session: { attribute: false } };
  declare session: Session;
  #records: RecordsView | null = null;
  #problem: Problem | null = null;
  #epoch = -1;
  #onlyDifferences = true;
  /** Files of attempts that somebody folded out, or in where they are out by themselves. */
  readonly #toggled = new Set<string>();
  #stop: () => void = () => {};

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stop = this.session.subscribe(() => {
      this.#ask();
      this.requestUpdate();
    });
    this.#ask();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop();
  }

  #ask(): void {
    if (this.#epoch === this.session.epoch) return;
    this.#epoch = this.session.epoch;
    void this.#fetch();
  }

  async #fetch(): Promise<void> {
    const done = this.session.ready.begin();
    try {
      this.#records = await this.session.client.call("run.records", {});
      this.#problem = null;
    } catch (error) {
      this.#problem = problemFrom(error);
    }
    this.requestUpdate();
    await this.updateComplete;
    done();
  }

  override render(): TemplateResult {
    if (this.#problem) return problemBox(this.#problem, () => void this.#fetch());
    const records = this.#records;
    return html`<div class="scroller records" data-scroller="records" tabindex="0" role="region" aria-label=${t("Records")}>
      ${records ? this.#content(records) : nothing}
    </div>`;
  }

  #content(records: RecordsView): TemplateResult {
    const { attempts, metrics, warnings } = records;
    const more = notSaid(warnings, this.session.warnings);
    return html`${more.length > 0 ? warningList(this.session, more) : nothing}
    ${attempts.length > 0 ? this.#attempts(records) : nothing}
    ${metrics.length > 0 ? html`<h2>${t("Metrics")}</h2>${metricsTable(records)}` : nothing}
    ${attempts.length + metrics.length === 0 ? html`<p class="none">${t("No run records could be read.")}</p>` : nothing}`;
  }

  #attempts(records: RecordsView): TemplateResult {
    const { attempts, configs } = records;
    // One alone has room for all that it says.
    const isOutAnyway = attempts.length === 1;
    const open = new Set(
      attempts.map(({ file }) => file).filter((file) => this.#toggled.has(file) !== isOutAnyway),
    );
    const toggle = (file: string): void => {
      if (!this.#toggled.delete(file)) this.#toggled.add(file);
      this.requestUpdate();
    };
    return html`<h2>${t("Attempts")}</h2>
      <p class="muted rec-words">${attemptsWords(records)}</p>
      ${attemptsTable({ attempts, open, toggle })}
      ${configsTable(configs, this.#onlyDifferences, (only) => {
        this.#onlyDifferences = only;
        this.requestUpdate();
      })}`;
  }
}

function metricsTable({ metrics, droppedMetrics }: RecordsView): TemplateResult {
  const figure = (value: number): TemplateResult =>
    html`<td class="num" title=${formatExact(value)}>${Number.isNaN(value) ? "–" : formatNumber(value, 6)}</td>`;
  return html`<div class="rec-wide" tabindex="0" role="region" aria-label=${t("Rows of metrics.json over seeds")}>
      <table class="metrics">
        <thead>
          <tr>
            <th scope="col">${t("benchmark")}</th>
            <th scope="col">${t("metric")}</th>
            <th scope="col">${t("horizon")}</th>
            <th scope="col" class="num" title=${t("rows: one a seed")}>n</th>
            <th scope="col" class="num">${t("mean")}</th>
            <th scope="col" class="num" title=${t("sample standard deviation over seeds")}>${t("sd")}</th>
            <th scope="col" class="num">${t("min")}</th>
            <th scope="col" class="num">${t("max")}</th>
            <th scope="col">${t("seeds")}</th>
          </tr>
        </thead>
        <tbody>
          ${metrics.map(
            (row) => html`<tr data-testid="record-row">
              <td>${shown(row.benchmark, 200)}</td>
              <td>${shown(row.metric, 200)}</td>
              <td>${row.horizon === "" ? "–" : shown(row.horizon, 80)}</td>
              <td class="num">${row.n}</td>
              ${figure(row.mean)}${row.n > 1 ? figure(row.sd) : html`<td class="num">–</td>`}${figure(row.min)}${figure(row.max)}
              <td>${row.seeds === "" ? "–" : shown(row.seeds, 200)}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${droppedMetrics > 0 ? html`<p class="muted">${t("{0} not shown.", plural(droppedMetrics, "more row"))}</p>` : nothing}`;
}

define("fd-records", FdRecords);
