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

/** Columns of this many pixels. */
const BAR = 4;

/** Bars that hang from the lane, as long as there are samples; a gap between two. */
export function densityPath({ counts }: DensityView, width: number): string {
  const bars = Math.max(1, Math.floor(width / BAR));
  const sums = new Float64Array(bars);
  counts.forEach((count, i) => {
    const bar = Math.min(bars - 1, Math.floor((i / counts.length) * bars));
    sums[bar] = (sums[bar] ?? 0) + count;
  });
  const most = sums.reduce((a, b) => Math.max(a, b), 0);
  if (most === 0) return "";
  const room = STRIP.height - STRIP.densityTop;
  let path = "";
  sums.forEach((count, i) => {
    if (count === 0) return;
    const height = Math.max(1.5, Math.round((count / most) * room * 10) / 10);
    path += `M${i * BAR},${STRIP.densityTop}h${BAR - 1}v${height}h${1 - BAR}Z`;
  });
  return path;
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
