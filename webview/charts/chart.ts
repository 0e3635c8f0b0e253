/**
 * A chart as the rest of the page sees it: what to draw goes in, nothing of the drawing library comes out. Another
 * library takes vega's place by another {@link ChartFactory}.
 */
import type { HeatmapView, XAxis } from "../../src/protocol/run.ts";
import type { Domain } from "./domain.ts";
import type { ChartTheme } from "./palette.ts";

export interface ChartSeries {
  /** M4 points; NaN in y lifts the pen. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly dotsX: Float64Array;
  readonly dotsY: Float64Array;
  /** The smoothed curve in the same form; the raw one steps back behind it. */
  readonly smoothX?: Float64Array | undefined;
  readonly smoothY?: Float64Array | undefined;
  readonly markX: Float64Array;
  readonly markKind: Uint8Array;
  /** The one that others are held against: drawn over them, and stronger. */
  readonly lead?: boolean | undefined;
}

export interface ChartPicture {
  readonly axis: XAxis;
  readonly x: Domain;
  /** In exponents of ten where `log` is set. */
  readonly y: Domain;
  readonly log: boolean;
  /** In the order of the legend: the style follows from the place. */
  readonly series: readonly ChartSeries[];
  readonly heat: HeatmapView | null;
}

export interface Chart {
  /** Draws; resolves when it is on the page. */
  draw(picture: ChartPicture): Promise<void>;
  /** CSS pixels of the whole box, margins included. */
  resize(width: number, height: number): void;
  /** The theme changed: draws again what is there. */
  paint(theme: ChartTheme): Promise<void>;
  /** Lets go of everything; nothing may be called afterwards. */
  dispose(): void;
}

export interface ChartFactory {
  create(host: HTMLElement, width: number, height: number, theme: ChartTheme): Chart;
}

/** Room for labels around the plot, in CSS pixels. */
export const MARGIN = { left: 46, top: 8, right: 8, bottom: 18 } as const;

export const plotWidth = (width: number): number =>
  Math.max(1, Math.floor(width - MARGIN.left - MARGIN.right));
export const plotHeight = (height: number): number =>
  Math.max(1, Math.floor(height - MARGIN.top - MARGIN.bottom));
