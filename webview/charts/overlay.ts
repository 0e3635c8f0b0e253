/** Crosshair, dots, value and marked stretch over a chart: plain elements, moved without drawing the chart again. */
import { MARGIN } from "./chart.ts";
import { type Plot, toPixelX, toPixelY } from "./domain.ts";

export interface OverlayPoint {
  /** Place in the legend: dots keep their series' colour. */
  readonly index: number;
  readonly x: number;
  readonly y: number;
  readonly color: string;
}

const MOST_DOTS = 16;

export class Overlay {
  readonly #line: HTMLElement;
  readonly #pin: HTMLElement;
  readonly #tip: HTMLElement;
  readonly #brush: HTMLElement;
  readonly #dots: HTMLElement[] = [];
  readonly #host: HTMLElement;

  constructor(host: HTMLElement) {
    this.#host = host;
    this.#brush = this.#add("brush");
    this.#pin = this.#add("pin");
    this.#line = this.#add("cross");
    this.#tip = this.#add("tip");
  }

  #add(className: string): HTMLElement {
    const element = document.createElement("div");
    element.className = className;
    element.hidden = true;
    this.#host.append(element);
    return element;
  }

  hide(): void {
    for (const element of [this.#line, this.#pin, this.#tip, this.#brush, ...this.#dots])
      element.hidden = true;
  }

  line(plot: Plot, x: number | null): void {
    upright(this.#line, plot, x);
  }

  /** The step that was pointed out. */
  pin(plot: Plot, x: number | null): void {
    upright(this.#pin, plot, x);
  }

  brush(plot: Plot, brush: readonly [number, number] | null): void {
    this.#brush.hidden = !brush;
    if (!brush) return;
    const clamp = (pixel: number): number => Math.min(plot.width, Math.max(0, pixel));
    const from = clamp(toPixelX(plot, Math.min(...brush)));
    const to = clamp(toPixelX(plot, Math.max(...brush)));
    this.#brush.style.left = `${MARGIN.left + from}px`;
    this.#brush.style.top = `${MARGIN.top}px`;
    this.#brush.style.width = `${Math.max(1, to - from)}px`;
    this.#brush.style.height = `${plot.height}px`;
  }

  points(plot: Plot, points: readonly OverlayPoint[]): void {
    const seen = points.filter(({ y }) => Number.isFinite(y)).slice(0, MOST_DOTS);
    while (this.#dots.length < seen.length) this.#dots.push(this.#add("dot"));
    for (const [i, dot] of this.#dots.entries()) {
      const point = seen[i];
      const pixelX = point ? toPixelX(plot, point.x) : Number.NaN;
      const pixelY = point ? toPixelY(plot, point.y) : Number.NaN;
      const inside = pixelX >= -1 && pixelX <= plot.width + 1 && pixelY >= -1 && pixelY <= plot.height + 1;
      dot.hidden = !inside;
      if (!point || !inside) continue;
      dot.style.borderColor = point.color;
      dot.style.transform = `translate(${MARGIN.left + pixelX}px, ${MARGIN.top + pixelY}px)`;
    }
  }

  /** A short text beside the crosshair, on the side with more room; "" hides it. */
  tip(plot: Plot, x: number | null, text: string): void {
    const pixel = x === null ? Number.NaN : toPixelX(plot, x);
    this.#tip.hidden = text === "" || !(pixel >= -1 && pixel <= plot.width + 1);
    if (this.#tip.hidden) return;
    this.#tip.textContent = text;
    this.#tip.classList.toggle("leftward", pixel > plot.width / 2);
    this.#tip.style.transform = `translate(${MARGIN.left + Math.round(pixel)}px, ${MARGIN.top}px)`;
  }
}

function upright(element: HTMLElement, plot: Plot, x: number | null): void {
  const pixel = x === null ? Number.NaN : toPixelX(plot, x);
  const inside = pixel >= -0.5 && pixel <= plot.width + 0.5;
  element.hidden = !inside;
  if (!inside) return;
  element.style.height = `${plot.height}px`;
  element.style.transform = `translate(${MARGIN.left + Math.round(pixel)}px, ${MARGIN.top}px)`;
}
