/**
 * The strip over the whole run, always in view: a thin curve, events and findings' onsets, where samples lie, and the part
 * of the run that everything else shows, which pointer and keys move and resize.
 */

import { html, nothing, svg, type TemplateResult } from "lit";
import { t } from "../../src/protocol/l10n.ts";
import { stateWord } from "../../src/protocol/names.ts";
import type { DensityView, Overview } from "../../src/protocol/run.ts";
import type { CursorPlace } from "../cursor.ts";
import { rangeOf } from "../panels/words.ts";
import type { Session } from "../session.ts";
import type { XRange } from "../state.ts";
import { define, FdElement } from "../ui/element.ts";
import { type Drag, dragged, gripAt, type Handle, keyed } from "./brush.ts";
import { TimelineData } from "./data.ts";
import { markButtons, type Picked } from "./mark-buttons.ts";
import { type Onset, stepWords } from "./marks.ts";
import { curvePath, densityPath, type Scale, STRIP, stepScale } from "./picture.ts";

/** A press that moves less than this is a click. */
const CLICK_PIXELS = 3;
/** The range is said when it has rested this long. */
const SAID_AFTER = 600;

function remembered<T extends object>(draw: (of: T, width: number) => string): typeof draw {
  let last: { readonly of: T; readonly width: number; readonly path: string } | null = null;
  return (of, width) => {
    if (last?.of !== of || last.width !== width) last = { of, width, path: draw(of, width) };
    return last.path;
  };
}

export class FdTimeline extends FdElement {
  static override properties = { session: { attribute: false }, onsets: { attribute: false } };
  declare session: Session;
  /** Where findings begin to show. */
  declare onsets: readonly Onset[];
  #data: TimelineData | null = null;
  #width = 0;
  // Drawn once for an answer and a width, however often the brush moves.
  readonly #curvePath = remembered(curvePath);
  readonly #densityPath = remembered((density: DensityView, width) => {
    const domain = this.#data?.view?.domain ?? this.session.fullSteps();
    return domain ? densityPath(density, width, domain) : "";
  });
  #drag: Drag | null = null;
  /** Both ends in pixels while they are dragged. */
  #live: XRange | null = null;
  #hover: number | null = null;
  #said = "";
  /** How the run stood when it was last said or seen. */
  #state: Overview["state"] | null = null;
  #saying: ReturnType<typeof setTimeout> | null = null;
  #focusedMark = 0;
  #stops: (() => void)[] = [];
  readonly #size = new ResizeObserver(([entry]) => this.#resized(entry?.contentRect.width ?? 0));

  constructor() {
    super();
    this.onsets = [];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#data ??= new TimelineData(this.session, () => this.requestUpdate());
    this.#sayState();
    this.#stops = [
      this.session.subscribe(() => {
        this.#data?.ask(this.#width);
        this.#sayState();
        this.requestUpdate();
      }),
      this.session.store.subscribe((_, { type }) => {
        if (type === "zoom" || type === "pin") this.requestUpdate();
        if (type === "zoom") this.#say();
      }),
      this.session.cursor.listen({
        metrics: () => [],
        moved: (place) => this.#moved(place),
        exact: (at) => this.#showHover(at.step),
      }),
    ];
  }

  protected override firstUpdated(): void {
    const strip = this.querySelector(".tl-strip");
    if (strip) this.#size.observe(strip);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.#stops) stop();
    this.#size.disconnect();
    this.#data?.stop();
  }

  #resized(width: number): void {
    if (width === this.#width || width === 0) return;
    this.#width = width;
    this.#data?.ask(width);
    this.requestUpdate();
  }

  #scale(): Scale | null {
    const domain = this.#data?.view?.domain ?? this.session.fullSteps();
    return domain && this.#width > 0 ? stepScale(domain, this.#width) : null;
  }

  #moved({ x, pin }: CursorPlace): void {
    if (x === null || x === pin) this.#showHover(null);
  }

  #showHover(step: number | null): void {
    const { x, pin } = this.session.cursor.place;
    const next = x === null || x === pin ? null : step;
    if (next === this.#hover) return;
    this.#hover = next;
    this.#place(".tl-hover", this.#scale(), next);
  }

  #place(selector: string, scale: Scale | null, step: number | null): void {
    const line = this.querySelector<HTMLElement>(selector);
    if (!line) return;
    line.hidden = step === null || !scale;
    if (step !== null && scale) line.style.transform = `translateX(${Math.round(scale.toPixel(step))}px)`;
  }

  /** What is shown now, for who cannot see it; nothing before the first change. */
  #say(): void {
    if (this.#saying !== null) clearTimeout(this.#saying);
    this.#saying = setTimeout(() => {
      const { range } = this.session.store.state;
      this.#said = range ? t("Showing {0}", this.#words(range)) : t("Showing the whole run");
      this.requestUpdate();
    }, SAID_AFTER);
  }

  /** That a run which is looked at has ended, say; how it stands when it is opened is in the header. */
  #sayState(): void {
    const { overview, axis } = this.session;
    if (!overview || !axis) return;
    const before = this.#state;
    this.#state = overview.state;
    if (before !== null && before !== this.#state) this.#said = t("The run: {0}", stateWord(this.#state));
  }

  #words(range: XRange): string {
    return rangeOf(range, this.session.axis);
  }

  protected override updated(): void {
    const scale = this.#scale();
    const { range, pin } = this.session.store.state;
    const ends =
      this.#live ?? (range && scale ? ([scale.toPixel(range[0]), scale.toPixel(range[1])] as const) : null);
    const [from, to] = ends ?? [0, this.#width];
    this.#span(".tl-brush", from, to);
    this.#span(".tl-shade.before", 0, from);
    this.#span(".tl-shade.after", to, this.#width);
    this.#place(".tl-pin", scale, pin);
    this.#place(".tl-hover", scale, this.#hover);
  }

  #span(selector: string, from: number, to: number): void {
    const element = this.querySelector<HTMLElement>(selector);
    if (!element) return;
    element.style.left = `${from}px`;
    element.style.width = `${Math.max(0, to - from)}px`;
  }

  override render(): TemplateResult {
    const { view = null, density = null } = this.#data ?? {};
    const width = this.#width;
    const { range } = this.session.store.state;
    return html`<section class="timeline" data-testid="timeline" aria-label=${t("Timeline of the whole run")}>
      <div
        class="tl-strip"
        @pointerdown=${this.#pressed}
        @pointermove=${this.#pulled}
        @pointerup=${this.#released}
        @pointercancel=${this.#cancelled}
        @dblclick=${() => this.session.zoom(null)}
      >
        <svg class="tl-picture" width=${width} height=${STRIP.height} aria-hidden="true">
          ${density ? svg`<path class="tl-density" d=${this.#densityPath(density, width)} />` : nothing}
          <path class="tl-lane" d=${`M0,${STRIP.lane + 0.5}H${width}`} />
          ${view ? svg`<path class="tl-curve" transform="translate(0 2)" d=${this.#curvePath(view, width)} />` : nothing}
        </svg>
        <div class="tl-shade before"></div>
        <div class="tl-shade after"></div>
        <div class="tl-pin" hidden></div>
        <div class="tl-hover" hidden></div>
        ${this.#brush(range)} ${this.#marks()}
      </div>
      <p class="unseen" role="status">${this.#said}</p>
    </section>`;
  }

  #brush(range: XRange | null): TemplateResult | typeof nothing {
    const full = this.session.fullSteps();
    if (!full || full[1] - full[0] < 2) return nothing;
    const [from, to] = range ?? full;
    const handle = (name: Handle, label: string, value: number, words: string): TemplateResult => html`<div
      class=${`tl-grip ${name}`}
      role="slider"
      tabindex="0"
      data-handle=${name}
      aria-label=${label}
      aria-valuemin=${full[0]}
      aria-valuemax=${full[1]}
      aria-valuenow=${value}
      aria-valuetext=${words}
      @keydown=${(event: KeyboardEvent) => this.#key(event, name)}
    ></div>`;
    return html`<div class=${range ? "tl-brush" : "tl-brush whole"} data-testid="brush">
      ${handle("start", t("First step shown"), from, stepWords(from))}
      ${range ? handle("move", t("Steps shown"), from, this.#words(range)) : nothing}
      ${handle("end", t("Last step shown"), to, stepWords(to))}
    </div>`;
  }

  #marks(): TemplateResult | typeof nothing {
    const view = this.#data?.view;
    const scale = this.#scale();
    if (!view || !scale) return nothing;
    return markButtons({
      marks: view.marks,
      onsets: this.onsets,
      scale,
      width: this.#width,
      focused: this.#focusedMark,
      focus: (place) => {
        this.#focusedMark = place;
        this.requestUpdate();
      },
      pick: (picked) => this.#pick(picked),
    });
  }

  #pick({ step, onset }: Picked): void {
    void this.session.pick(step);
    if (onset) this.dispatchEvent(new CustomEvent("fd-onset", { detail: onset.id, bubbles: true }));
  }

  #pixelOf(event: PointerEvent): number {
    const left = this.querySelector(".tl-strip")?.getBoundingClientRect().left ?? 0;
    return Math.min(this.#width, Math.max(0, event.clientX - left));
  }

  #pressed(event: PointerEvent): void {
    const scale = this.#scale();
    const isMark = event.target instanceof Element && event.target.closest("[data-mark]") !== null;
    if (event.button !== 0 || isMark || !scale || !this.querySelector(".tl-brush")) return;
    const { range } = this.session.store.state;
    const brush: XRange | null = range && [scale.toPixel(range[0]), scale.toPixel(range[1])];
    const from = this.#pixelOf(event);
    this.#drag = { grip: gripAt(from, brush, this.#width), from, brush: brush ?? [0, this.#width] };
    if (event.currentTarget instanceof Element) event.currentTarget.setPointerCapture(event.pointerId);
  }

  #pulled(event: PointerEvent): void {
    const drag = this.#drag;
    if (!drag) return;
    const to = this.#pixelOf(event);
    if (!this.#live && Math.abs(to - drag.from) < CLICK_PIXELS) return;
    this.#live = dragged(drag, to, this.#width);
    this.requestUpdate();
    // Charts follow as fast as they are drawn, and no faster.
    if (!this.session.ready.busy) this.#show(this.#live);
  }

  #show(pixels: XRange): void {
    const scale = this.#scale();
    if (scale) this.session.zoom([scale.toStep(pixels[0]), scale.toStep(pixels[1])]);
  }

  #released(): void {
    const live = this.#live;
    this.#cancelled();
    if (live) this.#show(live);
  }

  #cancelled(): void {
    this.#drag = null;
    this.#live = null;
    this.requestUpdate();
  }

  #key(event: KeyboardEvent, handle: Handle): void {
    const full = this.session.fullSteps();
    if (!full) return;
    const unit = Math.max(1, Math.round((full[1] - full[0]) / Math.max(1, this.#width)));
    const next = keyed(handle, event, this.session.store.state.range ?? full, full, unit);
    if (next === null) return;
    event.preventDefault();
    event.stopPropagation();
    this.session.zoom(next === "reset" ? null : next);
  }
}

define("fd-timeline", FdTimeline);
