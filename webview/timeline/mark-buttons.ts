/** The marks on the timeline: one stop of the Tab key for all of them, arrow keys among them, Enter goes to the step. */

import { html, nothing, type SVGTemplateResult, svg, type TemplateResult } from "lit";
import { t } from "../../src/protocol/l10n.ts";
import type { TimelineMark } from "../../src/protocol/run.ts";
import { markWords, type Onset, SHAPES, stepWords, TONES } from "./marks.ts";
import { type Scale, STRIP } from "./picture.ts";

export interface Picked {
  readonly step: number;
  readonly onset: Onset | null;
}

export interface MarksView {
  readonly marks: readonly TimelineMark[];
  readonly onsets: readonly Onset[];
  readonly scale: Scale;
  readonly width: number;
  /** Place of the mark that the Tab key goes to. */
  readonly focused: number;
  focus(place: number): void;
  pick(picked: Picked): void;
}

interface Item extends Picked {
  readonly words: string;
  readonly className: string;
  readonly shape: SVGTemplateResult;
}

const ONSET_TOP = 5;

export function markButtons(view: MarksView): TemplateResult | typeof nothing {
  const items = itemsOf(view);
  if (items.length === 0) return nothing;
  const focused = Math.min(items.length - 1, Math.max(0, view.focused));
  // Grave marks are painted last, so that they lie on top.
  return html`<svg
    class="tl-marks"
    width=${view.width}
    height=${STRIP.height}
    role="group"
    aria-label=${t("Events on the timeline")}
    @keydown=${(event: KeyboardEvent) => keys(event, view, items)}
  >
    ${items.map(
      (item, place) => svg`<g
        class=${`tl-mark ${item.className}`}
        data-mark=${place}
        role="button"
        tabindex=${place === focused ? 0 : -1}
        aria-label=${item.words}
        transform=${`translate(${Math.round(view.scale.toPixel(item.step) * 10) / 10} 0)`}
        @click=${() => {
          view.focus(place);
          view.pick(item);
        }}
      ><title>${item.words}</title>${item.shape}</g>`,
    )}
  </svg>`;
}

function itemsOf({ marks, onsets }: MarksView): Item[] {
  const events = marks.map((mark) => ({ mark, rank: TONES.indexOf(mark.tone) }));
  const items: Item[] = events
    .sort((a, b) => a.rank - b.rank || a.mark.step - b.mark.step)
    .map(({ mark }) => ({
      step: mark.step,
      onset: null,
      words: markWords(mark),
      className: mark.tone,
      shape: svg`<rect x="-5" y=${STRIP.lane - 7} width="10" height="14" /><path d=${SHAPES[mark.tone]} transform=${`translate(0 ${STRIP.lane})`} />`,
    }));
  for (const onset of onsets) {
    items.push({
      step: onset.step,
      onset,
      words: t("{0} begins at {1}", onset.title, stepWords(onset.step)),
      className: t("onset {0}", onset.severity),
      shape: svg`<rect x="-6" y="0" width="12" height="12" /><path class="tl-onset" d=${`M0,${ONSET_TOP}V${STRIP.height}`} /><path d="M-5,0L5,0L0,7Z" />`,
    });
  }
  return items;
}

function keys(event: KeyboardEvent, view: MarksView, items: readonly Item[]): void {
  const place = Number((event.target as Element | null)?.getAttribute("data-mark"));
  const item = items[place];
  if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
  const inOrder = items
    .map((_, i) => i)
    .sort((a, b) => (items[a]?.step ?? 0) - (items[b]?.step ?? 0) || a - b);
  const at = inOrder.indexOf(place);
  const next: Readonly<Record<string, number>> = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    Home: 0,
    End: items.length - 1,
  };
  const to = inOrder[Object.hasOwn(next, event.key) ? (next[event.key] ?? -1) : -1];
  const isPick = event.key === "Enter" || event.key === " ";
  if (!isPick && !Object.hasOwn(next, event.key)) return;
  event.preventDefault();
  if (isPick) view.pick(item);
  else if (to !== undefined) {
    view.focus(to);
    const group = event.currentTarget as Element;
    group.querySelector<SVGElement>(`[data-mark="${to}"]`)?.focus();
  }
}
