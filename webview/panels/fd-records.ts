/** The tab of run records: what witnesses saw of each attempt, and the rows of metrics.json in short. */
import { html, nothing, type TemplateResult } from "lit";
import type { RecordsView } from "../../src/protocol/run.ts";
import type { Problem } from "../../src/protocol/wire.ts";
import { problemFrom } from "../client.ts";
import type { Session } from "../session.ts";
import { formatExact, formatNumber } from "../text/numbers.ts";
import { shown } from "../text/visible-html.ts";
import { define, FdElement } from "../ui/element.ts";
import { problemBox } from "./problem.ts";
import { warningList } from "./warnings.ts";
import { notSaid } from "./words.ts";

type Attempt = RecordsView["attempts"][number];
type Metric = RecordsView["metrics"][number];

const HASH = {
  match: ["ok", "the hash matches the configuration in the file"],
  mismatch: ["bad", "the hash does not match the configuration in the file"],
  unknown: ["", "the hash could not be checked"],
} as const;
const MANIFEST = {
  match: ["ok", "same configuration as manifest.json"],
  differs: ["warn", "another configuration than manifest.json"],
  unknown: ["", "no configuration to compare with"],
} as const;

export class FdRecords extends FdElement {
  static override properties = { session: { attribute: false } };
  declare session: Session;
  #records: RecordsView | null = null;
  #problem: Problem | null = null;
  #epoch = -1;
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
    return html`<div class="scroller" data-scroller="records" tabindex="0" role="region" aria-label="Records">
      ${records ? this.#content(records) : nothing}
    </div>`;
  }

  #content({ attempts, metrics, warnings }: RecordsView): TemplateResult {
    const more = notSaid(warnings, this.session.warnings);
    return html`${more.length > 0 ? warningList(this.session, more) : nothing}
    ${attempts.length > 0 ? html`<h2>Attempts</h2>${attempts.map((attempt) => this.#attempt(attempt))}` : nothing}
    ${metrics.length > 0 ? html`<h2>Metrics</h2>${this.#metrics(metrics)}` : nothing}
    ${attempts.length + metrics.length === 0 ? html`<p class="none">No run records could be read.</p>` : nothing}`;
  }

  #attempt(attempt: Attempt): TemplateResult {
    const [hashTone, hashWords] = HASH[attempt.hash];
    const [manifestTone, manifestWords] = MANIFEST[attempt.manifest];
    return html`<section class="record" data-testid="record-row" data-hash=${attempt.hash}>
      <h3>Attempt ${attempt.attempt} <span class="muted">${shown(attempt.file, 200)}</span></h3>
      <p>
        <span class=${`pill ${hashTone}`}>${hashWords}</span>
        <span class=${`pill ${manifestTone}`}>${manifestWords}</span>
      </p>
      <table>
        <tbody>
          <tr>
            <th scope="row">stated hash</th>
            <td class="value">${attempt.statedHash === "" ? "–" : shown(attempt.statedHash, 80)}</td>
          </tr>
          <tr>
            <th scope="row">computed hash</th>
            <td class="value">${attempt.computedHash === "" ? "–" : shown(attempt.computedHash, 80)}</td>
          </tr>
          ${attempt.fields.map(
            ({ key, value }) => html`<tr>
              <th scope="row">${shown(key, 200)}</th>
              <td class="value">${shown(value, undefined, true)}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </section>`;
  }

  #metrics(metrics: readonly Metric[]): TemplateResult {
    const figure = (value: number): TemplateResult =>
      html`<td class="num" title=${formatExact(value)}>${Number.isNaN(value) ? "–" : formatNumber(value, 6)}</td>`;
    return html`<table class="metrics">
      <thead>
        <tr>
          <th scope="col">benchmark</th>
          <th scope="col">metric</th>
          <th scope="col">horizon</th>
          <th scope="col" class="num">n</th>
          <th scope="col" class="num">mean</th>
          <th scope="col" class="num" title="sample standard deviation over seeds">sd</th>
          <th scope="col" class="num">min</th>
          <th scope="col" class="num">max</th>
          <th scope="col">seeds</th>
        </tr>
      </thead>
      <tbody>
        ${metrics.map(
          (row) => html`<tr data-testid="record-row">
            <td>${shown(row.benchmark, 200)}</td>
            <td>${shown(row.metric, 200)}</td>
            <td>${shown(row.horizon, 80)}</td>
            <td class="num">${row.n}</td>
            ${figure(row.mean)}${figure(row.sd)}${figure(row.min)}${figure(row.max)}
            <td>${shown(row.seeds, 200)}</td>
          </tr>`,
        )}
      </tbody>
    </table>`;
  }
}

define("fd-records", FdRecords);
