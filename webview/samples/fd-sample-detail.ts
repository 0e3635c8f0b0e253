/** A sample folded out: its texts, its figures, where it stands in its group, and what can be done with it. */

import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../src/protocol/l10n.ts";
import { MAX_SAMPLE_TEXT, type SampleDetail } from "../../src/protocol/samples.ts";
import type { Problem } from "../../src/protocol/wire.ts";
import { problemFrom } from "../client.ts";
import { problemBox } from "../panels/problem.ts";
import { stepText } from "../panels/words.ts";
import type { Session } from "../session.ts";
import { formatCount, formatExact, plural } from "../text/numbers.ts";
import { sentence } from "../text/sentence.ts";
import { shown } from "../text/visible-html.ts";
import { define, FdElement } from "../ui/element.ts";
import { say } from "../ui/say.ts";
import { hitsIn, marked, type Needle } from "./highlight.ts";
import { figure, placeWords, reasonName, sampleName, signed } from "./words.ts";

export class FdSampleDetail extends FdElement {
  static override properties = {
    session: { attribute: false },
    row: { attribute: false },
    needle: { attribute: false },
  };
  declare session: Session;
  declare row: number;
  declare needle: Needle | null;
  #sample: SampleDetail | null = null;
  #isGone = false;
  #problem: Problem | null = null;
  #key = "";
  #asking: AbortController | null = null;
  /** The same prompt at another step, shown in this place. */
  #other: number | null = null;
  /** The row is another one, the sample is not. */
  #movedTo: number | null = null;
  #stops: (() => void)[] = [];

  override connectedCallback(): void {
    super.connectedCallback();
    const { samples } = this.session;
    this.#stops = [
      samples.subscribe(() => this.#ask()),
      samples.onMoved((move) => {
        this.#movedTo = move(this.row);
        this.#other = this.#other === null ? null : move(this.#other);
      }),
    ];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.#stops) stop();
    this.#asking?.abort();
    this.#key = "";
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has("row") && this.row !== this.#movedTo) this.#other = null;
    if (changed.has("row")) this.#movedTo = null;
    this.#ask();
  }

  #ask(): void {
    const row = this.#other ?? this.#movedTo ?? this.row;
    const key = JSON.stringify([row, this.session.samples.epoch]);
    if (key === this.#key) return;
    this.#key = key;
    void this.#fetch(row);
  }

  async #fetch(row: number): Promise<void> {
    this.#asking?.abort();
    const asking = new AbortController();
    this.#asking = asking;
    const done = this.session.ready.begin();
    try {
      const { signal } = asking;
      const sample = await this.session.client.call(
        "samples.detail",
        { row, text: MAX_SAMPLE_TEXT },
        { signal },
      );
      [this.#sample, this.#isGone, this.#problem] = [sample, sample === null, null];
    } catch (error) {
      if (!asking.signal.aborted) this.#problem = problemFrom(error);
    }
    this.requestUpdate();
    await this.updateComplete;
    this.#showHits();
    done();
  }

  /** Each text begins at its first hit. */
  #showHits(): void {
    for (const box of this.querySelectorAll<HTMLElement>(".sm-box")) {
      const hit = box.querySelector<HTMLElement>("mark");
      if (hit) box.scrollTop = Math.max(0, hit.offsetTop - box.offsetTop - 20);
    }
  }

  override render(): TemplateResult {
    const retry = (): void => {
      [this.#key, this.#problem] = ["", null];
      this.requestUpdate();
    };
    if (this.#problem) return problemBox(this.#problem, retry);
    if (this.#isGone) return html`<p class="none">${t("This sample is not there any more.")}</p>`;
    const sample = this.#sample;
    if (!sample) return html`<div class="sm-inside skeleton"></div>`;
    return html`<div class="sm-inside" data-testid="sample-detail" data-sample=${sampleName(sample)}>
      ${this.#bar(sample)}
      <div class="sm-texts">
        ${this.#text("Prompt", sample.prompt, sample.promptLength)}
        ${this.#text("Completion", sample.completion, sample.completionLength)}
      </div>
      ${facts(sample)}
    </div>`;
  }

  #bar(sample: SampleDetail): TemplateResult {
    return html`<p class="sm-bar-line">
      <b>${t("step {0}", stepText(sample.step))}</b> <span class="sample-id">${shown(sample.id, 80)}</span>
      <span class="muted">${t("rank {0}", sample.rank)}</span>
      ${this.#other === null ? nothing : html`<span class="chip">${t("the same prompt at another step")}</span> ${this.#link(t("Back"), () => this.#show(null))}`}
      <span class="gap"></span>
      ${this.#actions(sample)}
    </p>`;
  }

  #actions(sample: SampleDetail): TemplateResult {
    const { row, place, earlier, later, group, promptId, prompt } = sample;
    const { session } = this;
    const open = (): void =>
      session.action({
        action: "openSample",
        row,
        ...(this.needle ? { search: this.needle.text } : {}),
      });
    const diff = (a: number, b: number): void => session.action({ action: "diffSamples", a, b });
    // Where all are the same there is no best one.
    const { best = null, worst = null } = place?.sd === 0 ? {} : (place ?? {});
    return html`<span class="sm-actions" role="toolbar" aria-label=${t("Actions for this sample")}>
      ${this.#link(t("Open"), open, t("Open as a document (Ctrl+Enter)"))}
      ${best !== null && best !== row ? this.#link(t("Compare with best"), () => diff(row, best), t("The highest reward of its group")) : nothing}
      ${worst !== null && worst !== row ? this.#link(t("Compare with worst"), () => diff(row, worst), t("The lowest reward of its group")) : nothing}
      ${earlier === null ? nothing : this.#link(t("Compare with earlier"), () => diff(earlier, row), t("The same prompt at the step before"))}
      ${earlier === null ? nothing : this.#link(t("‹ Earlier"), () => this.#show(earlier), t("The same prompt, earlier"))}
      ${later === null ? nothing : this.#link(t("Later ›"), () => this.#show(later), t("The same prompt, later"))}
      ${group === "" ? nothing : this.#link(t("Its group"), () => session.samples.change({ group, steps: stepsOf(sample) }), t("Only the samples of its group"))}
      ${
        prompt === "" || (promptId === "" && prompt.length < sample.promptLength)
          ? nothing
          : this.#link(
              t("Its prompt"),
              () =>
                session.samples.change({
                  prompt: { prompt: promptOf(promptId, prompt), text: prompt.slice(0, 200) },
                }),
              t("Only samples of this prompt"),
            )
      }
      ${this.#link(t("Show step"), () => void session.showStep(Number(sample.step)), t("Show its step in the charts"))}
      ${this.#link(t("Copy id"), () => void this.#copy(sampleName(sample)), sampleName(sample))}
    </span>`;
  }

  #link(label: string, run: () => void, title = ""): TemplateResult {
    return html`<button type="button" class="link" title=${title || nothing} @click=${run}>${label}</button>`;
  }

  #show(row: number | null): void {
    this.#other = row;
    this.requestUpdate();
  }

  async #copy(text: string): Promise<void> {
    try {
      await this.session.client.call("page.copyText", { text });
      say(t("Copied"));
    } catch (error) {
      this.session.report(error);
    }
  }

  #text(name: string, text: string, length: number): TemplateResult {
    const hits = hitsIn(text, this.needle).length;
    const row = this.#sample?.row ?? this.row;
    return html`<section class=${`sm-part ${name.toLowerCase()}`}>
      <h3>${name} <span class="muted">${plural(length, "character")}${hits > 0 ? `, ${plural(hits, "hit")}` : ""}</span></h3>
      <div class="sm-box" tabindex="0" role="region" aria-label=${name}>${text === "" ? html`<span class="muted">${t("none was recorded")}</span>` : marked(text, this.needle, true)}</div>
      ${
        text.length < length
          ? html`<p class="muted" data-testid="sample-cut">
              ${t("The first {0} of {1} characters.", formatCount(text.length), formatCount(length))}
              ${this.#link(t("Open as document"), () => this.session.action({ action: "openSample", row }))}
            </p>`
          : nothing
      }
    </section>`;
  }
}

const stepsOf = ({ step }: SampleDetail): [number, number] | null =>
  Number.isSafeInteger(Number(step)) ? [Number(step), Number(step)] : null;

const promptOf = (id: string, text: string): { by: "id" | "text"; key: string } =>
  id === "" ? { by: "text", key: text } : { by: "id", key: id };

/** Everything that is a figure, and what the sample belongs to. */
function facts(sample: SampleDetail): TemplateResult {
  const { reward, advantage, kl, logprob, length, tokens, truncated, components, place } = sample;
  const figures: [string, number | null, string][] = [
    [t("reward"), reward, figure(reward)],
    [t("advantage"), advantage, signed(advantage)],
    ["KL", kl, figure(kl)],
    [t("log probability"), logprob, figure(logprob)],
    [
      t("length"),
      length ?? tokens,
      length === null && tokens === null ? "–" : plural(length ?? tokens ?? 0, "token"),
    ],
  ];
  return html`<div class="sm-facts">
    <dl class="facts-list">
      ${figures.filter(([, value]) => value !== null).map(([name, value, words]) => fact(name, words, value))}
      ${truncated === true ? fact(t("ended"), t("cut off at the limit"), null) : nothing}
      ${sample.reason === "" ? nothing : fact(t("captured"), reasonName(sample.reason), null)}
      ${sample.group === "" ? nothing : html`<dt>${t("group")}</dt><dd>${shown(sample.group, 80)}</dd>`}
      ${sample.promptId === "" ? nothing : html`<dt>${t("prompt id")}</dt><dd>${shown(sample.promptId, 80)}</dd>`}
    </dl>
    ${
      components.length > 0
        ? html`<h3>${t("Reward components")}</h3>
            <dl class="facts-list" data-testid="components">
              ${components.map(({ name, value }) => html`<dt>${shown(name, 60)}</dt><dd title=${formatExact(value)}>${figure(value)}</dd>`)}
            </dl>`
        : nothing
    }
    ${place ? html`<p class="muted" data-testid="group-place">${placeWords(place)}</p>` : nothing}
    <p class="muted file" title=${t("Where it lies in the run")}>${sentence(t("{0}, row {1}"), shown(sample.file, 120), formatCount(sample.fileRow))}</p>
  </div>`;
}

const fact = (name: string, words: string, value: number | null): TemplateResult =>
  html`<dt>${name}</dt><dd title=${value === null ? nothing : formatExact(value)}>${words}</dd>`;

define("fd-sample-detail", FdSampleDetail);
