/** The samples behind a finding: a row each, which opens to its prompt and completion. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { SampleQuery } from "../../src/protocol/diagnosis.ts";
import { t } from "../../src/protocol/l10n.ts";
import type { SampleRow, SamplesPage } from "../../src/protocol/run.ts";
import type { Problem } from "../../src/protocol/wire.ts";
import { problemFrom } from "../client.ts";
import type { Session } from "../session.ts";
import { formatCount, formatNumber, plural } from "../text/numbers.ts";
import { visibleText } from "../text/visible.ts";
import { shown } from "../text/visible-html.ts";
import { define, FdElement } from "../ui/element.ts";
import { rangeWords, stepText } from "./words.ts";

const HEAD = 120;
/** In the words of a table of samples. */
const SORT_NAMES: Readonly<Record<SamplesPage["sort"], string>> = {
  reward_total: t("reward"),
  advantage: t("advantage"),
  kl_contribution: "KL",
  completion_len: t("length"),
  logprob_mean: t("log probability"),
  step: "step",
};

export class FdSamples extends FdElement {
  static override properties = {
    session: { attribute: false },
    query: { attribute: false },
    name: { attribute: false },
  };
  declare session: Session;
  declare query: SampleQuery;
  /** What they are samples of. */
  declare name: string;
  #page: SamplesPage | null = null;
  #problem: Problem | null = null;
  #key = "";
  #asking: AbortController | null = null;
  readonly #open = new Set<number>();
  #stop: () => void = () => {};

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stop = this.session.subscribe(() => this.#ask());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop();
    this.#asking?.abort();
    this.#key = "";
  }

  protected override willUpdate(): void {
    this.#ask();
  }

  #ask(): void {
    const { why: _, ...asked } = this.query;
    const key = JSON.stringify([asked, this.session.epoch]);
    if (key === this.#key) return;
    this.#key = key;
    void this.#fetch(asked);
  }

  async #fetch(asked: Omit<SampleQuery, "why">): Promise<void> {
    this.#asking?.abort();
    const asking = new AbortController();
    this.#asking = asking;
    const done = this.session.ready.begin();
    try {
      this.#page = await this.session.client.call("samples.query", asked, { signal: asking.signal });
      this.#problem = null;
      this.#open.clear();
    } catch (error) {
      if (!asking.signal.aborted) this.#problem = problemFrom(error);
    }
    this.requestUpdate();
    done();
  }

  override render(): TemplateResult {
    const page = this.#page;
    if (this.#problem)
      return html`<p class="samples-note">${shown(this.#problem.message, 400)}
        <button type="button" class="link" @click=${() => this.#retry()}>${t("Try again")}</button></p>`;
    if (!page) return html`<p class="samples-note muted">${t("Looking…")}</p>`;
    if (page.rows.length === 0)
      return html`<p class="samples-note muted">${t("No samples were kept of these steps.")}</p>`;
    return html`<p class="samples-note muted">${this.#note(page)}
        <button type="button" class="link" aria-label=${t("Show all in Samples: {0}", visibleText(this.name, 120))} @click=${() => this.session.samples.showQuery(this.query)}>${t("Show all in Samples")}</button></p>
      <ul class="samples" aria-label=${t("Samples behind {0}", this.name)}>
        ${repeat(
          page.rows,
          ({ row }) => row,
          (row) => this.#row(row),
        )}
      </ul>`;
  }

  #retry(): void {
    this.#key = "";
    this.#problem = null;
    this.requestUpdate();
  }

  #note({ total, rows, sort }: SamplesPage): string {
    const { from, to, why, descending } = this.query;
    const isFallback = sort !== this.query.sort;
    const name = SORT_NAMES[sort];
    const sorted =
      sort === "step"
        ? t("{0} first", name)
        : descending
          ? t("highest {0} first", name)
          : t("lowest {0} first", name);
    const range = rangeWords([from, to], "");
    const [some, all] = [formatCount(rows.length), formatCount(total)];
    if (isFallback)
      return t(
        "{0} of {1} in {2}, {3}, no {4} recorded",
        some,
        all,
        range,
        sorted,
        SORT_NAMES[this.query.sort],
      );
    if (why !== "") return t("{0} of {1} in {2}, {3}: {4}", some, all, range, sorted, why);
    return t("{0} of {1} in {2}, {3}", some, all, range, sorted);
  }

  #row(sample: SampleRow): TemplateResult {
    const { row, id, step, rank, reward, advantage, length, truncated } = sample;
    const open = this.#open.has(row);
    const place = `sample-${row}`;
    const facts: (readonly [string, string])[] = [
      [t("reward"), figure(reward)],
      [t("adv"), signed(advantage)],
      [t("len"), length === null ? "–" : formatCount(length)],
    ];
    return html`<li data-testid="sample-row" data-sample=${id} data-step=${step} data-rank=${rank}>
      <button type="button" class="sample" aria-expanded=${String(open)} aria-controls=${open ? place : nothing} @click=${() => this.#toggle(row)}>
        <span class="sample-facts"
          ><b>${stepText(step)}</b> <span class="sample-id">${shown(id, 60)}</span> <span class="muted">${t("rank {0}", rank)}</span>
          ${facts.map(([name, value]) => html`<span><span class="muted">${name}</span> ${value}</span> `)}${truncated === true ? html`<span class="chip" title=${t("It ran into the length limit")}>${t("cut off")}</span>` : nothing}</span
        >
        <span class="sample-head">${sample.completion === "" ? html`<span class="muted">${t("no completion")}</span>` : shown(sample.completion, HEAD)}</span>
      </button>
      ${
        open
          ? html`<div id=${place} class="sample-detail" data-testid="sample-detail">
              ${this.#text(t("Prompt"), sample.prompt, sample.promptLength)}
              ${this.#text(t("Completion"), sample.completion, sample.completionLength)}
              <p class="actions"><button type="button" class="link" @click=${() => void this.session.showStep(Number(step))}>${t("Show step {0}", stepText(step))}</button></p>
            </div>`
          : nothing
      }
    </li>`;
  }

  #text(name: string, text: string, length: number): TemplateResult {
    return html`<h4>${name} <span class="muted">${plural(length, "character")}</span></h4>
      <div class="sample-text" tabindex="0" role="region" aria-label=${t("{0} of {1}", name, visibleText(this.name, 120))}>${text === "" ? html`<span class="muted">${t("none was recorded")}</span>` : shown(text, text.length, true)}</div>
      ${text.length < length ? html`<p class="muted" data-testid="sample-cut">${t("The first {0} of {1} characters.", formatCount(text.length), formatCount(length))}</p>` : nothing}`;
  }

  #toggle(row: number): void {
    if (!this.#open.delete(row)) this.#open.add(row);
    this.requestUpdate();
  }
}

const figure = (value: number | null): string => (value === null ? "–" : formatNumber(value));
const signed = (value: number | null): string =>
  value !== null && value > 0 ? `+${formatNumber(value)}` : figure(value);

define("fd-samples", FdSamples);
