/** Where each metric parts, on one line: the early window, the part that is shown, and a label at each place. */

import { html, nothing, type TemplateResult } from "lit";
import type { MetricGap, PairView } from "../../src/protocol/compare.ts";
import { t } from "../../src/protocol/l10n.ts";
import { formatCount, formatDuration } from "../text/numbers.ts";
import { visibleText } from "../text/visible.ts";
import { shown } from "../text/visible-html.ts";
import { define, FdElement } from "../ui/element.ts";
import { type RulerPlace, rulerLayout, rulerTicks } from "./ruler-layout.ts";
import type { CompareSession } from "./session.ts";
import { atWords, inOrder, shortPlace } from "./words.ts";

const MOST_ROWS = 4;
const ROW = 15;
/** Between two ticks. */
const TICK = 110;
/** Dot and space before a label. */
const DOT = 11;
const MOST_LETTERS = 40;

interface Mark {
  readonly gap: MetricGap;
  readonly x: number;
  readonly label: string;
  readonly isOurs: boolean;
}

let pen: CanvasRenderingContext2D | null = null;

function textWidth(text: string): number {
  pen ??= document.createElement("canvas").getContext("2d");
  if (!pen) return text.length * 6.2;
  pen.font = `11px ${getComputedStyle(document.body).fontFamily}`;
  return pen.measureText(text).width;
}

export class FdRuler extends FdElement {
  static override properties = { session: { attribute: false } };
  declare session: CompareSession;
  #width = 0;
  #stops: (() => void)[] = [];
  readonly #size = new ResizeObserver(([entry]) => {
    const width = Math.floor(entry?.contentRect.width ?? 0);
    if (width === this.#width || width === 0) return;
    this.#width = width;
    // It grows by what it shows: with the next frame, or its observer would be told in a circle.
    requestAnimationFrame(() => this.requestUpdate());
  });

  override connectedCallback(): void {
    super.connectedCallback();
    const update = (): void => this.requestUpdate();
    this.#size.observe(this);
    this.#stops = [
      this.session.subscribe(update),
      this.session.store.subscribe((_, change) => {
        if ("range" in change || "options" in change || "other" in change || "pin" in change) update();
      }),
    ];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#size.disconnect();
    for (const stop of this.#stops) stop();
  }

  #marks({ metrics, align }: PairView): Mark[] {
    const mark = (gap: MetricGap): Mark[] => {
      const place = gap.divergence ?? gap.separation?.at;
      if (!place) return [];
      const isOurs = !gap.divergence || gap.ours;
      const label = `${visibleText(gap.title, MOST_LETTERS)} · ${shortPlace(place, align)}`;
      return [{ gap, x: place.x, label, isOurs }];
    };
    return inOrder(metrics).flatMap(mark);
  }

  protected override updated(): void {
    for (const element of this.querySelectorAll<HTMLElement>("[data-left]")) {
      element.style.left = `${element.dataset["left"]}px`;
      if (element.dataset["wide"]) element.style.width = `${element.dataset["wide"]}px`;
      if (element.dataset["top"]) element.style.top = `${element.dataset["top"]}px`;
    }
    const line = this.querySelector<HTMLElement>(".ruler");
    if (line) line.style.height = `${line.dataset["height"] ?? "0"}px`;
  }

  override render(): TemplateResult | typeof nothing {
    const { full, store } = this.session;
    const pair = this.session.pair().answer;
    const { range, options } = store.state;
    if (!full || !pair || pair.align !== options.align || this.#width === 0) return nothing;
    const span = full[1] - full[0] || 1;
    const at = (x: number): number => Math.round(((x - full[0]) / span) * (this.#width - 1));
    const marks = this.#marks(pair);
    const places = rulerLayout(
      marks.map(({ x, label }) => ({ at: at(x), width: DOT + textWidth(label) })),
      this.#width,
      MOST_ROWS,
    );
    const rows = Math.max(0, ...places.map(({ row }) => (row === null ? 0 : row + 1)));
    const base = rows * ROW + 4;
    const early = pair.metrics.find((gap) => gap.early)?.early ?? null;
    const stretch = (name: string, [from, to]: readonly [number, number], title: string) =>
      html`<i class=${name} title=${title} data-left=${at(from)} data-wide=${Math.max(1, at(to) - at(from))} data-top=${base}></i>`;
    return html`<div class="ruler" role="region" aria-label=${t("Where the runs part")} data-height=${base + 24} @dblclick=${() => this.session.zoom(null)}>
      ${early ? stretch("ruler-early", early, t("The early window: the noise is taken from here")) : nothing}
      ${range ? stretch("ruler-shown", range, t("The part that is shown")) : nothing}
      <i class="ruler-axis" data-left="0" data-wide=${this.#width} data-top=${base + 4}></i>
      ${rulerTicks(full[0], full[1], Math.max(1, Math.floor(this.#width / TICK))).map(
        (tick) =>
          html`<span class=${at(tick) > this.#width - TICK / 4 ? "ruler-tick last-tick" : "ruler-tick"} data-left=${at(tick)} data-top=${base}>${options.align === "time" ? formatDuration(tick) : formatCount(tick)}</span>`,
      )}
      ${marks.map((mark, i) => this.#label(mark, places[i], at(mark.x), base))}
    </div>`;
  }

  #label(mark: Mark, place: RulerPlace | undefined, left: number, base: number): TemplateResult {
    const { gap, label, isOurs, x } = mark;
    const { align } = this.session.store.state.options;
    const where = gap.divergence ?? gap.separation?.at;
    const [title, at] = [visibleText(gap.title, 120), where ? atWords(where, align) : ""];
    const how = gap.divergence ? t("{0} parts at {1}", title, at) : t("{0} separates near {1}", title, at);
    const words = isOurs ? t("{0}, found by Flight Deck's own measure or metric", how) : how;
    const row = place?.row ?? null;
    const classes = ["ruler-mark"];
    if (isOurs) classes.push("ours");
    if (place?.leftward) classes.push("leftward");
    if (row === null) classes.push("bare");
    return html`<button
        type="button"
        class=${classes.join(" ")}
        title=${words}
        aria-label=${t("{0}: {1}, show both runs there", label, words)}
        data-metric=${gap.metric}
        data-left=${left}
        data-top=${row === null ? base - 2 : row * ROW}
        @click=${() => this.session.showAt(x)}
      ><i class="ruler-dot" aria-hidden="true"></i>${row === null ? nothing : html`<span class="ruler-label">${shown(label, 80)}</span>`}</button>
      ${row === null ? nothing : html`<i class=${isOurs ? "ruler-stem ours" : "ruler-stem"} data-left=${left} data-top=${base}></i>`}`;
  }
}

define("fd-ruler", FdRuler);
