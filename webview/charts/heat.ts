/** The cells of a heat map: one image under the frame, a pixel a cell, stretched by the browser. */
import { t } from "../../src/protocol/l10n.ts";
import type { HeatmapView } from "../../src/protocol/run.ts";
import { formatNumber } from "../text/numbers.ts";
import { MARGIN } from "./chart.ts";
import { type Plot, toPixelX } from "./domain.ts";
import { type ChartTheme, ramp } from "./palette.ts";

const STEPS = 256;

export interface CellImage {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue, opacity; first row on top, which is the last bucket. */
  readonly pixels: Uint8ClampedArray<ArrayBuffer>;
}

/** Colours of all cells; empty ones stay clear. */
export function cellImage(heat: HeatmapView, colors: Uint8ClampedArray): CellImage {
  const { columns, buckets, cells, valueDomain } = heat;
  const pixels = new Uint8ClampedArray(columns * buckets * 4);
  const [lo, hi] = valueDomain ?? [0, 1];
  const steps = colors.length / 4;
  const scale = hi / 2 - lo / 2 > 0 ? (steps - 1) / 2 / (hi / 2 - lo / 2) : 0;
  for (let c = 0; c < columns; c++) {
    for (let b = 0; b < buckets; b++) {
      const value = cells[c * buckets + b] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      const step = Math.min(steps - 1, Math.max(0, Math.round((value - lo) * scale)));
      pixels.set(colors.subarray(step * 4, step * 4 + 4), ((buckets - 1 - b) * columns + c) * 4);
    }
  }
  return { width: columns, height: buckets, pixels };
}

/** Values of the column at a place on x, by position, NaN where there is none; `null` beside the picture. */
export function heatColumn(heat: HeatmapView, x: number): Float64Array | null {
  const { columns, buckets, cells, xDomain } = heat;
  const [from, to] = xDomain;
  if (columns === 0 || !(x >= from && x <= to)) return null;
  const share = to > from ? (x / 2 - from / 2) / (to / 2 - from / 2) : 0;
  const column = Math.min(columns - 1, Math.floor(share * columns));
  return cells.subarray(column * buckets, (column + 1) * buckets);
}

/** "position 12: 0.0525" of a cell; of a whole column "−0.2 to 3.12, most at 12". @param bucket `null` for all */
export function heatWords(heat: HeatmapView, x: number, bucket: number | null): string {
  const values = heatColumn(heat, x);
  if (!values) return "";
  const value = bucket === null ? undefined : values[bucket];
  if (value !== undefined)
    return t("position {0}: {1}", String(bucket), Number.isNaN(value) ? t("no value") : formatNumber(value));
  const ends = extremes(values);
  if (!ends) return t("no value");
  return t(
    "{0} to {1}, most at {2}",
    formatNumber(values[ends.low] ?? 0),
    formatNumber(values[ends.high] ?? 0),
    ends.high,
  );
}

/** Places of the lowest and the highest value; `null` when there is none. */
export function extremes(values: Float64Array): { readonly low: number; readonly high: number } | null {
  let low = -1;
  let high = -1;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    if (low < 0 || value < (values[low] ?? 0)) low = i;
    if (high < 0 || value > (values[high] ?? 0)) high = i;
  }
  return low < 0 ? null : { low, high };
}

export class HeatLayer {
  readonly #canvas: HTMLCanvasElement;

  constructor(host: HTMLElement) {
    this.#canvas = document.createElement("canvas");
    this.#canvas.className = "heat";
    host.prepend(this.#canvas);
  }

  draw(heat: HeatmapView, plot: Plot, theme: ChartTheme): void {
    const canvas = this.#canvas;
    const { width, height, pixels } = cellImage(
      heat,
      ramp(theme.background, theme.series[0] ?? theme.label, STEPS),
    );
    canvas.hidden = width === 0 || height === 0;
    if (canvas.hidden) return;
    canvas.width = width;
    canvas.height = height;
    canvas.getContext("2d")?.putImageData(new ImageData(pixels, width, height), 0, 0);
    const from = toPixelX(plot, heat.xDomain[0]);
    const to = toPixelX(plot, heat.xDomain[1]);
    canvas.style.left = `${MARGIN.left + from}px`;
    canvas.style.top = `${MARGIN.top}px`;
    canvas.style.width = `${Math.max(1, to - from)}px`;
    canvas.style.height = `${plot.height}px`;
  }

  dispose(): void {
    this.#canvas.remove();
  }
}
