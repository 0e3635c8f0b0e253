/** The timeline's still parts as paths: the curve, and how many samples lie where. */
import type { DensityView, TimelineView } from "../../src/protocol/run.ts";
import { type Domain, type Plot, xDomain, yDomain } from "../charts/domain.ts";
import { dotPath, linePath } from "../charts/path.ts";

/** Heights in CSS pixels, from the top. */
export const STRIP = { curve: 32, lane: 41, densityTop: 49, height: 60 } as const;
const CURVE_TOP = 3;

export function curvePath(view: TimelineView, width: number): string {
  if (!view.series || !view.domain) return "";
  const plot: Plot = {
    x: xDomain(view.domain),
    y: yDomain(view.yRange),
    width,
    height: STRIP.curve - CURVE_TOP,
  };
  // The usual range is drawn: what lies far outside ends at the strip's edge.
  const inside = (values: Float64Array): Float64Array =>
    values.map((value) => Math.min(plot.y.hi, Math.max(plot.y.lo, value)));
  const { x, y, dotsX, dotsY } = view.series;
  return linePath(x, inside(y), plot) + dotPath(dotsX, inside(dotsY), plot);
}

/** Least width of a bar with the gap behind it, in pixels. */
const BAR = 4;

/** Bars of samples in a width: none is narrower than a step. */
export const barsIn = (width: number, [first, last]: readonly [number, number]): number =>
  Math.max(1, Math.min(Math.floor(width / BAR), last - first + 1));

/** Bars that hang from the lane, as long as a step of theirs has samples; a gap between two. */
export function densityPath(
  { counts }: DensityView,
  width: number,
  domain: readonly [number, number],
): string {
  // A bar more or less wide than its neighbour by one step is no denser.
  const dense = counts.map((count, i) => count / Math.max(1, stepsIn(i, counts.length, domain)));
  const most = dense.reduce((a, b) => Math.max(a, b), 0);
  if (most === 0) return "";
  const room = STRIP.height - STRIP.densityTop;
  const tenth = (pixel: number): number => Math.round(pixel * 10) / 10;
  const wide = tenth(Math.max(1, width / counts.length - 1));
  let path = "";
  dense.forEach((share, i) => {
    if (share === 0) return;
    const height = Math.max(1.5, tenth((share / most) * room));
    path += `M${tenth((i * width) / counts.length)},${STRIP.densityTop}h${wide}v${height}h${-wide}Z`;
  });
  return path;
}

/** Whole steps that fall on a bar. */
function stepsIn(bar: number, bars: number, [first, last]: readonly [number, number]): number {
  const from = (place: number): number => Math.ceil((place * (last - first)) / bars);
  return from(bar + 1) - from(bar) + (bar === bars - 1 ? 1 : 0);
}

export interface Scale {
  toPixel(step: number): number;
  toStep(pixel: number): number;
}

export function stepScale(domain: readonly [number, number], width: number): Scale {
  const { lo, hi }: Domain = xDomain(domain);
  return {
    toPixel: (step) => ((step - lo) / (hi - lo)) * width,
    toStep: (pixel) => lo + (pixel / width) * (hi - lo),
  };
}
