/** One prompt over time: its rewards, and the completion at one step beside that at another. */

import { html, nothing, svg, type TemplateResult } from "lit";
import { t } from "../../src/protocol/l10n.ts";
import {
  MAX_SAMPLE_TEXT,
  type PromptKey,
  type PromptTime,
  type SampleDetail,
} from "../../src/protocol/samples.ts";
import { stepText } from "../panels/words.ts";
import type { Session } from "../session.ts";
import { formatCount, formatNumber, plural } from "../text/numbers.ts";
import { shown } from "../text/visible-html.ts";
import { define, FdElement } from "../ui/element.ts";
import { Asked } from "./asked.ts";
import { linePath, nearestStep, placesOf, type StepPlace, stretchOf } from "./prompt-line.ts";
import { figure, sampleName, signed } from "./words.ts";

const HEIGHT = 96;

type Side = "a" | "b";
const NAMES: Readonly<Record<Side, string>> = { a: "A", b: "B" };

export class FdPrompt extends FdElement {
  static override properties = {
    session: { attribute: false },
    prompt: { attribute: false },
    time: { attribute: false },
  };
  declare session: Session;
  declare prompt: PromptKey;
  declare time: PromptTime;
  #details: Record<Side, Asked<SampleDetail | null>> | null = null;
  /** Which sample of its step, by side. */
  #at: Record<Side, number> = { a: 0, b: 0 };
  /** What a click sets next. */
  #next: Side = "a";
  #stop: () => void = () => {};
  #box = { width: 640, height: HEIGHT, pad: 8 };
  readonly #sizes = new ResizeObserver(([entry]) => {
    const width = Math.round((entry?.contentRect.width ?? 0) - 28);
    if (width <= 0 || width === this.#box.width) return;
    this.#box = { ...this.#box, width };
    this.requestUpdate();
  });

  override connectedCallback(): void {
    super.connectedCallback();
    const asked = (): Asked<SampleDetail | null> => new Asked(this.session, () => this.requestUpdate());
    this.#details = { a: asked(), b: asked() };
    this.#stop = this.session.store.subscribe((_, { type }) => {
      if (type === "samples" || type === "zoom") this.requestUpdate();
    });
    this.#sizes.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop();
    this.#details?.a.stop();
    this.#details?.b.stop();
    this.#sizes.disconnect();
  }

  /** The step of a side: what was chosen, else the first and the last. */
  #step(side: Side): PromptTime["steps"][number] | undefined {
    const { steps } = this.time;
    const chosen = this.session.samples.state[side];
    return steps.find(({ step }) => step === chosen) ?? (side === "a" ? steps[0] : steps.at(-1));
  }

  #row(side: Side): number | null {
    const rows = this.#step(side)?.rows ?? [];
    return rows[Math.min(this.#at[side], rows.length - 1)] ?? null;
  }

  protected override willUpdate(): void {
    for (const side of ["a", "b"] as const) {
      const row = this.#row(side);
      if (row === null) continue;
      this.#details?.[side].ask(String(row), String(this.session.samples.epoch), (signal) =>
        this.session.client.call("samples.detail", { row, text: MAX_SAMPLE_TEXT }, { signal }),
      );
    }
  }

  #choose(side: Side, step: number | null): void {
    if (step === null) return;
    this.#at[side] = 0;
    this.session.samples.change({ [side]: step });
  }

  readonly #clicked = (event: PointerEvent): void => {
    const { currentTarget } = event;
    if (!(currentTarget instanceof Element)) return;
    const box = currentTarget.getBoundingClientRect();
    const x = event.clientX - box.left;
    const side = event.shiftKey ? "b" : this.#next;
    this.#next = side === "a" ? "b" : "a";
    this.#choose(side, nearestStep(placesOf(this.time, this.#box), x));
  };

  override render(): TemplateResult {
    const { text, steps } = this.time;
    const [a, b] = [this.#row("a"), this.#row("b")];
    const first = steps[0]?.rows[0];
    const { session } = this;
    return html`<div class="sm-prompt-detail" data-testid="prompt-detail">
      <div class="sm-box" tabindex="0" role="region" aria-label=${t("Prompt")}>${shown(text, text.length, true)}</div>
      ${steps.length > 1 ? this.#picture() : nothing}
      <p class="sm-actions">
        ${a !== null && b !== null && a !== b ? html`<button type="button" class="link" data-testid="compare" @click=${() => session.action({ action: "diffSamples", a, b })}>${t("Compare A with B")}</button>` : nothing}
        ${first === undefined ? nothing : html`<button type="button" class="link" @click=${() => session.action({ action: "openPrompt", row: first })}>${t("Open as document")}</button>`}
        <button type="button" class="link" @click=${() => session.samples.change({ view: "list", prompt: { prompt: this.prompt, text: text.slice(0, 200) } })}>${t("Its samples")}</button>
      </p>
      <div class="sm-versus">${this.#side("a")}${steps.length > 1 ? this.#side("b") : nothing}</div>
    </div>`;
  }

  #picture(): TemplateResult {
    const places = placesOf(this.time, this.#box);
    const { width, height } = this.#box;
    const mark = (side: Side): unknown => {
      const place = places.find(({ step }) => step === this.#step(side)?.step);
      return place ? sideMark(place, side, width) : nothing;
    };
    const stretch = stretchOf(places, this.session.samples.filter().steps);
    return html`<svg
      class="sm-line-chart large"
      width=${width}
      height=${height}
      role="img"
      aria-label=${this.#summary()}
      @click=${this.#clicked}
    >
      ${stretch ? svg`<rect class="stretch" x=${stretch.x} width=${stretch.width} y="0" height=${height}><title>${t("The steps that the list is about")}</title></rect>` : nothing}
      ${places.map(({ x, low, high }) => svg`<line class="spread" x1=${x} x2=${x} y1=${low} y2=${high} />`)}
      ${svg`<path d=${linePath(places)} fill="none" />`}
      ${places.map(({ x, y }) => svg`<circle cx=${x} cy=${y} r=${places.length > 60 ? 1.5 : 2.5} />`)}
      ${mark("a")}${mark("b")}
    </svg>`;
  }

  #summary(): string {
    const { steps } = this.time;
    const [first, last] = [steps[0], steps.at(-1)];
    if (!first || !last) return t("No steps");
    return t(
      "Reward of this prompt at {0}: {1} at step {2}, {3} at step {4}. Click a step for A, then one for B; or choose them below.",
      plural(steps.length, "step"),
      figure(first.mean),
      first.stepText,
      figure(last.mean),
      last.stepText,
    );
  }

  #side(side: Side): TemplateResult {
    const { steps } = this.time;
    const own = this.#step(side);
    const sample = this.#details?.[side].answer ?? null;
    const rows = own?.rows ?? [];
    const at = Math.min(this.#at[side], rows.length - 1);
    const turn = (by: number): void => {
      this.#at[side] = (at + by + rows.length) % rows.length;
      this.requestUpdate();
    };
    return html`<section class=${`sm-side ${side}`} data-side=${side} aria-label=${t("Completion {0}", NAMES[side])}>
      <h3>
        <b>${NAMES[side]}</b>
        <select aria-label=${t("Step of {0}", NAMES[side])} @change=${({ target }: Event) => {
          if (target instanceof HTMLSelectElement)
            this.#choose(side, steps[target.selectedIndex]?.step ?? null);
        }}>
          ${steps.map(({ step, stepText: words, mean }) => html`<option .selected=${step === own?.step}>${t("step {0} · {1}", stepText(words), figure(mean))}</option>`)}
        </select>
        ${
          rows.length > 1
            ? html`<button type="button" class="link" aria-label=${t("Previous sample of {0}", NAMES[side])} @click=${() => turn(-1)}>‹</button>
                <span class="muted">${t("{0} of {1}", formatCount(at + 1), formatCount(rows.length))}</span>
                <button type="button" class="link" aria-label=${t("Next sample of {0}", NAMES[side])} @click=${() => turn(1)}>›</button>`
            : nothing
        }
        ${sample ? this.#facts(sample) : nothing}
      </h3>
      <div class="sm-box" tabindex="0" role="region" aria-label=${t("Completion at step {0}", own?.stepText ?? "")} data-sample=${sample ? sampleName(sample) : nothing}>${completion(sample)}</div>
    </section>`;
  }

  #facts(sample: SampleDetail): TemplateResult {
    const { row, reward, advantage, length } = sample;
    return html`<span class="muted">${t("reward")}</span> ${figure(reward)} <span class="muted">${t("adv")}</span> ${signed(advantage)}
      ${length === null ? nothing : html`<span class="muted">${t("len")}</span> ${formatNumber(length)}`}
      <span class="gap"></span>
      <button type="button" class="link" @click=${() => this.session.action({ action: "openSample", row })}>${t("Open")}</button>`;
  }
}

function completion(sample: SampleDetail | null): TemplateResult | typeof nothing {
  if (!sample) return nothing;
  const { completion: text } = sample;
  return text === ""
    ? html`<span class="muted">${t("none was recorded")}</span>`
    : shown(text, text.length, true);
}

const sideMark = (
  { x, y }: StepPlace,
  side: Side,
  width: number,
): TemplateResult => svg`<g class=${`mark ${side}`}>
  <line x1=${x} x2=${x} y1="0" y2=${HEIGHT} />
  <circle cx=${x} cy=${y} r="4.5" />
  <text x=${x > width - 14 ? x - 4 : x + 4} y="9" text-anchor=${x > width - 14 ? "end" : "start"}>${NAMES[side]}</text>
</g>`;

define("fd-prompt", FdPrompt);
