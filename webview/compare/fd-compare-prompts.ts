/** The same prompt in both runs: mean rewards, their gap, and the best completion of each one click from a diff. */

import { html, nothing, type TemplateResult } from "lit";
import type { BestSample, PromptGap, PromptGaps } from "../../src/protocol/compare.ts";
import { t } from "../../src/protocol/l10n.ts";
import { formatCount, formatNumber, plural } from "../text/numbers.ts";
import { sentence } from "../text/sentence.ts";
import { visibleText } from "../text/visible.ts";
import { shown } from "../text/visible-html.ts";
import type { Theme } from "../theme.ts";
import { define } from "../ui/element.ts";
import { swatch } from "./legend.ts";
import { CompareSection } from "./section.ts";
import { signed } from "./words.ts";

const PAGE = 10;
/** Most pairs of one editor of changes. */
const MOST_CHANGES = 100;
const MOST_LETTERS = 300;
/** Pixels of the longest bar. */
const BAR = 64;

export class FdComparePrompts extends CompareSection<PromptGaps> {
  static override properties = { session: { attribute: false }, theme: { attribute: false } };
  declare theme: Theme;
  #open: string | null = null;

  protected override key(): string {
    const { runs, other, epoch, store } = this.session;
    return JSON.stringify([runs[0]?.uri, runs[other]?.uri, store.state.promptOffset, epoch]);
  }

  protected override fetch(signal: AbortSignal): Promise<PromptGaps> {
    const { other, store, client } = this.session;
    return client.call(
      "compare.prompts",
      { other, offset: store.state.promptOffset, limit: PAGE },
      { signal },
    );
  }

  override render(): TemplateResult {
    const { answer } = this.asked;
    return html`<section class="cmp-section" id="section-prompts" aria-label=${t("Same prompt, both runs")}>
      <div class="tools" role="toolbar" aria-label=${t("Prompts")}>
        <h2>${t("Same prompt, both runs")}</h2>
        <span class="muted" role="status">${answer ? headWords(answer) : ""}</span>
        <span class="gap"></span>
        ${
          answer && answer.prompts.length > 0
            ? html`<button type="button" class="link" @click=${() => void this.#all(answer)}>
                ${answer.total > MOST_CHANGES ? t("Open the first {0} as changes", MOST_CHANGES) : t("Open all as changes")}
              </button>`
            : nothing
        }
      </div>
      ${this.trouble() ?? (answer ? this.#table(answer) : html`<div class="bone box"></div>`)}
    </section>`;
  }

  protected override updated(): void {
    for (const bar of this.querySelectorAll<HTMLElement>("[data-bar]"))
      bar.style.width = `${bar.dataset["bar"]}px`;
  }

  /** All of them, not only those of the page that is shown. */
  async #all({ other, total, prompts: shownPrompts }: PromptGaps): Promise<void> {
    const { client } = this.session;
    const limit = Math.min(total, MOST_CHANGES);
    let prompts = shownPrompts;
    try {
      if (prompts.length < limit)
        ({ prompts } = await client.call("compare.prompts", { other, offset: 0, limit }));
    } catch (error) {
      this.session.report(error);
    }
    const pairs = prompts.map(({ key, text, bestA, bestB }) => ({
      label: visibleText(text || key, 80),
      a: bestA.row,
      b: bestB.row,
    }));
    this.session.action({ action: "diffAllSamples", other, pairs });
  }

  #table(answer: PromptGaps): TemplateResult {
    const { prompts, total, offset, other } = answer;
    const { runs } = this.session;
    if (prompts.length === 0)
      return html`<p class="none">${total > 0 ? t("No more prompts.") : t("The two runs have no captured prompt in common.")}</p>`;
    const largest = Math.max(0, ...prompts.map(({ gap }) => (Number.isFinite(gap) ? Math.abs(gap) : 0)));
    const name = (run: number): TemplateResult =>
      html`${swatch(this.session, this.theme.current, run)} <span class="unseen">${shown(runs[run]?.label ?? "", 60)}</span>`;
    return html`<table class="cmp-prompts">
        <thead>
          <tr>
            <th scope="col">${t("prompt")}</th>
            <th scope="col" class="num" title=${t("Mean reward in the baseline")}>${name(0)}</th>
            <th scope="col" class="num" title=${t("Mean reward in the other run")}>${name(other)}</th>
            <th scope="col" title=${t("The other run minus the baseline: above zero the other run is higher")}>${t("gap to baseline")}</th>
            <th scope="col"><span class="unseen">${t("best completions")}</span></th>
          </tr>
        </thead>
        <tbody>${prompts.map((prompt) => this.#row(prompt, other, largest))}</tbody>
      </table>
      ${total > PAGE ? this.#pages(total, offset) : nothing}`;
  }

  #row(prompt: PromptGap, other: number, largest: number): TemplateResult {
    const { key, text, nA, nB, rewardA, rewardB, gap, bestA, bestB } = prompt;
    const isOpen = this.#open === key;
    const bar = largest > 0 && Number.isFinite(gap) ? Math.round((Math.abs(gap) / largest) * BAR) : 0;
    const name = visibleText(text || key, 80);
    return html`<tr data-testid="diff-prompt-row" data-key=${key}>
        <th scope="row" class="cmp-prompt-cell">
          <button type="button" class="cmp-prompt" aria-expanded=${String(isOpen)} title=${visibleText(text, 1000)} @click=${() => this.#toggle(key)}>
            <i class="chevron" aria-hidden="true"></i><span class="cmp-prompt-text">${shown(text || key, MOST_LETTERS)}</span>
          </button>
        </th>
        <td class="num" title=${plural(nA, "sample")}>${formatNumber(rewardA)}</td>
        <td class="num" title=${plural(nB, "sample")}>${formatNumber(rewardB)}</td>
        <td class="cmp-gap"><i class=${gap >= 0 ? "cmp-bar" : "cmp-bar down"} data-bar=${bar}></i><span>${signed(gap)}</span></td>
        <td>
          <button
            type="button"
            class="link"
            aria-label=${t("Diff best completions of {0}", name)}
            @click=${() => this.session.action({ action: "diffSamples", other, a: bestA.row, b: bestB.row })}
          >${t("Diff best")}</button>
        </td>
      </tr>
      ${isOpen ? html`<tr class="cmp-best"><td colspan="5"><div>${this.#best(bestA, 0)}${this.#best(bestB, other)}</div></td></tr>` : nothing}`;
  }

  #best({ step, reward, rank, completion, completionLength }: BestSample, run: number): TemplateResult {
    const more = completionLength - completion.length;
    const where = [
      t("step {0}", step),
      rank > 0 ? t("rank {0}", rank) : "",
      reward === null ? "" : t("reward {0}", formatNumber(reward)),
    ];
    return html`<figure>
      <figcaption>${swatch(this.session, this.theme.current, run)} ${sentence(t("best of {0}"), shown(this.session.runs[run]?.label ?? "", 60))} <span class="muted">${where.filter(Boolean).join(" · ")}</span></figcaption>
      <p class="cmp-text">${completion === "" ? html`<span class="muted">${t("nothing was written")}</span>` : shown(completion, 2000, true)}</p>
      ${more > 0 ? html`<p class="muted">${plural(more, "more character")}</p>` : nothing}
    </figure>`;
  }

  #toggle(key: string): void {
    this.#open = this.#open === key ? null : key;
    this.requestUpdate();
  }

  #pages(total: number, offset: number): TemplateResult {
    const { store } = this.session;
    const turn = (by: number): void => store.change({ promptOffset: Math.max(0, offset + by) });
    const last = Math.min(total, offset + PAGE);
    return html`<p class="pages">
      <button type="button" class="link" ?disabled=${offset === 0} @click=${() => turn(-PAGE)}>${t("Previous")}</button>
      <span>${t("{0}–{1} of {2}", formatCount(offset + 1), formatCount(last), formatCount(total))}</span>
      <button type="button" class="link" ?disabled=${last >= total} @click=${() => turn(PAGE)}>${t("Next")}</button>
    </p>`;
  }
}

function headWords({ by, total }: PromptGaps): string {
  if (by === "none" || total === 0) return "";
  const matched = by === "id" ? t("matched by prompt id") : t("matched by text");
  return t("{0} · largest gap first", matched);
}

define("fd-compare-prompts", FdComparePrompts);
