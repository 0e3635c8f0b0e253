/** One row of the table of samples. */

import { html, nothing, svg, type TemplateResult } from "lit";
import { t } from "../../src/protocol/l10n.ts";
import type { SampleListRow } from "../../src/protocol/samples.ts";
import { stepText } from "../panels/words.ts";
import type { XRange } from "../state.ts";
import { formatCount, formatExact } from "../text/numbers.ts";
import { shown } from "../text/visible-html.ts";
import { componentOf, type SampleColumn } from "./columns.ts";
import { excerpt, hitsIn, marked, type Needle } from "./highlight.ts";
import { figure, reasonName, sampleName, signed } from "./words.ts";

/** Characters of a completion in a row. */
const HEAD = 220;
const BAR = 34;

export interface RowView {
  readonly sample: SampleListRow;
  readonly columns: readonly SampleColumn[];
  /** Reward components, in the order of a sample's values. */
  readonly components: readonly string[];
  /** Rewards from the lowest to the highest; `null` when they are not known. */
  readonly rewards: XRange | null;
  readonly needle: Needle | null;
  /** Place in the table for who cannot see it, from 1. */
  readonly index: number;
  readonly isOpen: boolean;
  /** Its texts and components are still to come. */
  readonly isPending: boolean;
  readonly isTabStop: boolean;
  /** Its step was pointed out. */
  readonly isPicked: boolean;
  toggle(): void;
}

export function sampleRow(view: RowView): TemplateResult {
  const { sample, columns, isOpen, isPicked, isPending } = view;
  return html`<div
    role="row"
    class=${`sm-row ${isOpen ? "open" : ""} ${isPicked ? "picked" : ""}`}
    data-testid="sample-row"
    data-sample=${sampleName(sample)}
    data-row=${sample.row}
    aria-level="1"
    aria-rowindex=${view.index}
    aria-expanded=${String(isOpen)}
    tabindex=${view.isTabStop ? 0 : -1}
    @click=${() => view.toggle()}
  >
    <span role="gridcell" class="sm-fold" aria-colindex="1"><i class="chevron" aria-hidden="true"></i></span>
    ${columns.map(
      (column, i) =>
        html`<span role="gridcell" aria-colindex=${i + 2} class=${`sm-cell ${column.isNumber ? "num" : ""} ${componentOf(column.id) === null ? `sm-${column.id}` : ""}`}>${cell(column, view)}</span>`,
    )}
    <span role="gridcell" aria-colindex=${columns.length + 2} class="sm-cell sm-text" aria-busy=${isPending ? "true" : nothing}>${head(view)}</span>
  </div>`;
}

function cell({ id }: SampleColumn, { sample, components, rewards, isPending }: RowView): unknown {
  const component = componentOf(id);
  if (component !== null && isPending) return nothing;
  if (component !== null) return exact(sample.values?.[components.indexOf(component)] ?? null);
  switch (id) {
    case "step":
      return stepText(sample.step);
    case "rank":
      return sample.rank;
    case "reward":
      return html`${rewardBar(sample.reward, rewards)}<b title=${title(sample.reward)}>${figure(sample.reward)}</b>`;
    case "advantage":
      return html`<span title=${title(sample.advantage)}>${signed(sample.advantage)}</span>`;
    case "kl":
      return exact(sample.kl);
    case "logprob":
      return exact(sample.logprob);
    case "length":
      return sample.length === null ? "–" : formatCount(sample.length);
    case "truncated":
      return sample.truncated === true
        ? html`<span class="chip odd" title=${t("It ran into the length limit")}>${t("cut off")}</span>`
        : nothing;
    case "reason":
      return sample.reason === "" ? nothing : reasonName(sample.reason);
    case "group":
      return shown(sample.group, 40);
    default:
      return nothing;
  }
}

const title = (value: number | null): string | typeof nothing =>
  value === null ? nothing : formatExact(value);

const exact = (value: number | null): TemplateResult =>
  html`<span title=${title(value)}>${figure(value)}</span>`;

/** How high a reward is among those of the list; from zero where some are below it. */
export function rewardBar(reward: number | null, rewards: XRange | null): TemplateResult | typeof nothing {
  if (!rewards || rewards[0] === rewards[1]) return nothing;
  const [low, high] = rewards;
  const at = (value: number): number => Math.min(BAR, Math.max(0, ((value - low) / (high - low)) * BAR));
  const zero = at(Math.min(high, Math.max(low, 0)));
  const end = reward === null || Number.isNaN(reward) ? zero : at(reward);
  return html`<svg class="sm-bar" width=${BAR} height="8" aria-hidden="true">
    ${svg`<rect class="rail" x="0" y="1" width=${BAR} height="6" /><rect class=${end < zero ? "below" : "above"} x=${Math.min(zero, end)} y="1" width=${Math.abs(end - zero)} height="6" />`}
  </svg>`;
}

/** The completion's beginning, or what is around a hit; the prompt's where only that has one. */
function head({ sample, needle, isPending }: RowView): TemplateResult {
  if (isPending) return html`<span class="muted" aria-label=${t("being read")}>…</span>`;
  const { prompt, completion } = sample;
  const isInPrompt = hitsIn(completion, needle, 1).length === 0 && hitsIn(prompt, needle, 1).length > 0;
  if (isInPrompt)
    return html`<span class="muted">${t("prompt:")}</span> ${marked(excerpt(prompt, needle, HEAD), needle)}`;
  if (completion === "") return html`<span class="muted">${t("no completion")}</span>`;
  return marked(excerpt(completion, needle, HEAD), needle);
}
