/** What a comparison says, drawn over a chart: the early window, the noise band, where the runs part. */
import { MARGIN } from "../charts/chart.ts";
import { type Plot, toPixelX, toPixelY } from "../charts/domain.ts";

type Pair = readonly [number, number];

export interface CompareMarks {
  /** Stretch of x that the noise is taken from. */
  readonly early: Pair | null;
  /** The noise band in units of y, drawn over the gap. */
  readonly band: Pair | null;
  /** Where they part; `separation` is our own measure. */
  readonly divergence: number | null;
  readonly separation: number | null;
}

export const NO_MARKS: CompareMarks = { early: null, band: null, divergence: null, separation: null };

/** Plain elements over the curves. */
export class MarksLayer {
  readonly #layer: HTMLElement;

  constructor(host: HTMLElement) {
    this.#layer = document.createElement("div");
    this.#layer.className = "cmp-marks";
    this.#layer.setAttribute("aria-hidden", "true");
    host.append(this.#layer);
  }

  draw(plot: Plot, { early, band, divergence, separation }: CompareMarks): void {
    this.#layer.replaceChildren();
    const { style } = this.#layer;
    style.left = `${MARGIN.left}px`;
    style.top = `${MARGIN.top}px`;
    style.width = `${plot.width}px`;
    style.height = `${plot.height}px`;
    if (plot.x.empty) return;
    if (early) this.#stretch(plot, early);
    if (band) this.#band(plot, band);
    if (separation !== null) this.#line(plot, separation, "separation");
    if (divergence !== null) this.#line(plot, divergence, "divergence");
  }

  #add(className: string): HTMLElement {
    const element = document.createElement("div");
    element.className = className;
    this.#layer.append(element);
    return element;
  }

  #stretch(plot: Plot, early: Pair): void {
    const [from, to] = early.map((x) => clamp(toPixelX(plot, x), plot.width)) as [number, number];
    if (to <= from) return;
    const element = this.#add("cmp-early");
    element.style.left = `${from}px`;
    element.style.width = `${Math.max(1, to - from)}px`;
  }

  #band(plot: Plot, band: Pair): void {
    const [low, high] = band.map((y) => clamp(toPixelY(plot, y), plot.height)) as [number, number];
    if (!(low >= high)) return;
    const element = this.#add("cmp-band");
    element.style.top = `${high}px`;
    element.style.height = `${Math.max(1, low - high)}px`;
  }

  #line(plot: Plot, x: number, kind: "divergence" | "separation"): void {
    const left = toPixelX(plot, x);
    if (left < -0.5 || left > plot.width + 0.5) return;
    this.#add(`cmp-line ${kind}`).style.left = `${Math.round(left)}px`;
  }
}

const clamp = (pixel: number, most: number): number => Math.min(most, Math.max(0, pixel));
