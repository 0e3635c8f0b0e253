/** Where values stand in a picture of a report, whatever the recording holds. */
import { figure, ticks } from "./figures.ts";

export type Pair = readonly [number, number];

export interface Frame {
  readonly left: number;
  readonly top: number;
  /** Of the plot inside. */
  readonly width: number;
  readonly height: number;
}

export interface Plot extends Frame {
  readonly x: Pair;
  readonly y: Pair;
}

/** Beyond this the width of a range would not be a number any more. */
const LIMIT = 8e307;
const clamp = (value: number): number => Math.min(LIMIT, Math.max(-LIMIT, value));
/** Far outside is far outside. */
const FAR = 20_000;

/** A little room, a band around a constant, a stand-in for nothing. */
export function yRange(range: Pair | null, levels: readonly number[] = []): Pair {
  const values = [...(range ?? []), ...(range ? levels : [])].filter(Number.isFinite).map(clamp);
  if (values.length === 0) return [0, 1];
  const lo = Math.min(...values);
  const hi = Math.max(...values);
  const width = hi - lo;
  if (width <= Math.max(Math.abs(lo), Math.abs(hi)) * Number.EPSILON * 8) {
    const room = lo === 0 ? 1 : Math.abs(lo) * 0.05 + Number.MIN_VALUE * 4;
    return [clamp(lo - room), clamp(hi + room)];
  }
  // Zero is a floor for what is never negative.
  const below = lo >= 0 && lo - width * 0.05 < 0 ? -width * 0.02 : lo - width * 0.05;
  return [clamp(below), clamp(hi + width * 0.06)];
}

/** Exact, but never of no width. */
export function xRange([from, to]: Pair): Pair {
  if (!Number.isFinite(from) || !Number.isFinite(to)) return [0, 1];
  const [a, b] = [clamp(Math.min(from, to)), clamp(Math.max(from, to))];
  if (b - a > Math.max(Math.abs(a), Math.abs(b)) * Number.EPSILON * 4) return [a, b];
  const room = Math.max(0.5, Math.abs(a) * Number.EPSILON * 64);
  return [clamp(a - room), clamp(b + room)];
}

/** Tenths of a pixel are as fine as a line shows. */
export const toX = (plot: Plot, x: number): number =>
  tenth(plot.left + ((x - plot.x[0]) / (plot.x[1] - plot.x[0])) * plot.width);

export function toY(plot: Plot, y: number): number {
  const pixel = plot.top + plot.height - ((y - plot.y[0]) / (plot.y[1] - plot.y[0])) * plot.height;
  return tenth(Math.min(FAR, Math.max(-FAR, pixel)));
}

const tenth = (pixel: number): number => Math.round(pixel * 10) / 10;

/** Straight segments through the points, the pen lifted at NaN; written with short steps from point to point. */
export function linePath(x: Float64Array, y: Float64Array, plot: Plot): string {
  const parts: string[] = [];
  let [lastX, lastY, isDown] = [0, 0, false];
  for (let i = 0; i < x.length; i++) {
    const value = y[i] ?? Number.NaN;
    if (Number.isNaN(value)) {
      isDown = false;
      continue;
    }
    // Whole tenths: steps add up to exactly where the point is.
    const px = Math.round(toX(plot, x[i] ?? 0) * 10);
    const py = Math.round(toY(plot, value) * 10);
    if (!isDown) parts.push(`M${px / 10} ${py / 10}`);
    else if (px === lastX && py === lastY) continue;
    else if (px === lastX) parts.push(`v${(py - lastY) / 10}`);
    else if (py === lastY) parts.push(`h${(px - lastX) / 10}`);
    else parts.push(`l${pair((px - lastX) / 10, (py - lastY) / 10)}`);
    isDown = true;
    lastX = px;
    lastY = py;
  }
  return parts.join("");
}

const pair = (a: number, b: number): string => (b < 0 ? `${a}${b}` : `${a} ${b}`);

/** Points that stand alone, as dots of a stroke's width. */
export function dotPath(x: Float64Array, y: Float64Array, plot: Plot): string {
  let path = "";
  for (let i = 0; i < x.length; i++) {
    const value = y[i] ?? Number.NaN;
    if (!Number.isNaN(value)) path += `M${toX(plot, x[i] ?? 0)} ${toY(plot, value)}h0`;
  }
  return path;
}

/** Two marks closer than this would run into each other. */
const MARK_SPACE = 7;

/** Places of marks in pixels, none upon another. */
export function apart(places: Iterable<number>): number[] {
  const kept: number[] = [];
  for (const place of places)
    if (place - (kept.at(-1) ?? Number.NEGATIVE_INFINITY) >= MARK_SPACE) kept.push(place);
  return kept;
}

/** Labels beside the y axis that are all different. */
export function yTicks({ y, height }: Plot): { readonly at: number; readonly label: string }[] {
  const all = ticks(y[0], y[1], Math.max(2, Math.round(height / 32)));
  const labels = all.map((at) => (Math.abs(at) < 1e-12 * (y[1] - y[0]) ? "0" : figure(at)));
  return new Set(labels).size === labels.length ? all.map((at, i) => ({ at, label: labels[i] ?? "" })) : [];
}
