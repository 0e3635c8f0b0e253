/** From M4 points to the path strings that Vega draws, in CSS pixels of the plot. */
import { type Plot, toPixelX, toPixelY } from "./domain.ts";

/** A tenth of a pixel is as fine as a 1-px line shows; fewer digits make shorter paths. */
const tenth = (pixel: number): number => Math.round(pixel * 10) / 10;

/** Straight segments through the points; NaN lifts the pen. */
export function linePath(x: ArrayLike<number>, y: ArrayLike<number>, plot: Plot): string {
  const parts: string[] = [];
  let down = false;
  let lastX = Number.NaN;
  let lastY = Number.NaN;
  for (let i = 0; i < x.length; i++) {
    const py = tenth(toPixelY(plot, y[i] ?? Number.NaN));
    if (Number.isNaN(py)) {
      down = false;
      continue;
    }
    const px = tenth(toPixelX(plot, x[i] ?? 0));
    if (down && px === lastX && py === lastY) continue;
    parts.push(`${down ? "L" : "M"}${px},${py}`);
    down = true;
    lastX = px;
    lastY = py;
  }
  return parts.join("");
}

/** A dot of 3 px at each point: what stands alone would not be seen as a line. */
export function dotPath(x: ArrayLike<number>, y: ArrayLike<number>, plot: Plot): string {
  let path = "";
  for (let i = 0; i < x.length; i++) {
    const py = tenth(toPixelY(plot, y[i] ?? Number.NaN));
    if (Number.isNaN(py)) continue;
    const px = tenth(toPixelX(plot, x[i] ?? 0) - 1.5);
    path += `M${px},${py}a1.5,1.5 0 1,1 3,0a1.5,1.5 0 1,1 -3,0Z`;
  }
  return path;
}

export const NAN_MARK = 0;
export const POSITIVE_MARK = 1;
export const NEGATIVE_MARK = 2;
/** At or below 0 on a logarithmic axis. */
export const NOT_POSITIVE_MARK = 3;

/** Two marks closer than this would run into each other. */
const MARK_SPACE = 6;

const cross = (x: number, y: number): string =>
  `M${x - 2.5},${y - 2.5}L${x + 2.5},${y + 2.5}M${x - 2.5},${y + 2.5}L${x + 2.5},${y - 2.5}`;
const triangle = (x: number, y: number, up: boolean): string =>
  up ? `M${x - 4},${y + 6}L${x},${y}L${x + 4},${y + 6}Z` : `M${x - 4},${y - 6}L${x},${y}L${x + 4},${y - 6}Z`;

const bar = (x: number, y: number): string => `M${x - 3},${y}L${x + 3},${y}`;

/**
 * Where values are that no line can reach: crosses for NaN on the floor, triangles for ±Inf at the edge they left by,
 * bars on the floor for what is not above 0.
 */
export function markPath(x: ArrayLike<number>, kinds: ArrayLike<number>, kind: number, plot: Plot): string {
  let path = "";
  let last = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < x.length; i++) {
    if (kinds[i] !== kind) continue;
    const px = tenth(toPixelX(plot, x[i] ?? 0));
    if (px < -1 || px > plot.width + 1 || px - last < MARK_SPACE) continue;
    last = px;
    if (kind === NAN_MARK) path += cross(px, plot.height - 4);
    else if (kind === NOT_POSITIVE_MARK) path += bar(px, plot.height - 2);
    else path += triangle(px, kind === POSITIVE_MARK ? 1 : plot.height - 1, kind === POSITIVE_MARK);
  }
  return path;
}

/** Index of the point nearest to `at` in ascending `x` that has a value; −1 when there is none. */
export function nearestPoint(x: ArrayLike<number>, y: ArrayLike<number>, at: number): number {
  let lo = 0;
  let hi = x.length;
  while (lo < hi) {
    const middle = (lo + hi) >> 1;
    if ((x[middle] ?? 0) < at) lo = middle + 1;
    else hi = middle;
  }
  let left = lo - 1;
  let right = lo;
  while (left >= 0 && Number.isNaN(y[left])) left--;
  while (right < x.length && Number.isNaN(y[right])) right++;
  if (left < 0) return right < x.length ? right : -1;
  if (right >= x.length) return left;
  return at - (x[left] ?? 0) <= (x[right] ?? 0) - at ? left : right;
}

/** The first x at least `least` away from `at` in the direction given; the last one there is when none is. */
export function nextX(x: ArrayLike<number>, at: number, direction: 1 | -1, least: number): number {
  let found = at;
  const start = direction > 0 ? 0 : x.length - 1;
  for (let i = start; i >= 0 && i < x.length; i += direction) {
    const place = x[i] ?? at;
    const away = (place - at) * direction;
    if (away > 0) found = place;
    if (away >= least) break;
  }
  return found;
}
