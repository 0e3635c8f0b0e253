/** Ranges that a chart can be drawn over, whatever the recording holds. */

export interface Domain {
  readonly lo: number;
  readonly hi: number;
  /** Nothing to show: the range is a stand-in. */
  readonly empty: boolean;
}

/** Beyond this the width of a range would not be a number any more. */
const LIMIT = 8e307;
const clamp = (value: number): number => Math.min(LIMIT, Math.max(-LIMIT, value));

/** Room around a single value: a share of its size, and never so little that the two ends are one number. */
function around(value: number): readonly [number, number] {
  const size = Math.abs(value);
  const room = size === 0 ? 1 : Math.max(size * 0.05, size * Number.EPSILON * 64, Number.MIN_VALUE * 4);
  return [clamp(value - room), clamp(value + room)];
}

/** The y range for drawing: the given one with a little room, a stand-in for nothing, a band around a constant. */
export function yDomain(range: readonly [number, number] | null): Domain {
  if (!range || !Number.isFinite(range[0]) || !Number.isFinite(range[1]))
    return { lo: 0, hi: 1, empty: true };
  const a = clamp(Math.min(range[0], range[1]));
  const b = clamp(Math.max(range[0], range[1]));
  const width = b - a;
  const tiny = Math.max(Math.abs(a), Math.abs(b)) * Number.EPSILON * 8;
  if (width <= tiny) {
    const [lo, hi] = around((a + b) / 2);
    return { lo, hi, empty: false };
  }
  const room = width * 0.05;
  // Zero is a floor for what is never negative: the room must not suggest negative values.
  const lo = a >= 0 && a - room < 0 ? -width * 0.02 : a - room;
  return { lo: clamp(lo), hi: clamp(b + room), empty: false };
}

/** Exponents beyond these belong to 0 and to infinity. */
const LEAST_EXPONENT = -323.3;
const MOST_EXPONENT = 308.2547;
const clampExponent = (at: number): number => Math.min(MOST_EXPONENT, Math.max(LEAST_EXPONENT, at));

/** The same for a logarithmic axis, in exponents of ten. */
export function logDomain(range: readonly [number, number] | null): Domain {
  if (!range || !(range[0] > 0) || !Number.isFinite(range[1])) return { lo: -1, hi: 1, empty: true };
  const lo = Math.log10(Math.min(...range));
  const hi = Math.log10(Math.max(...range));
  const room = hi - lo < 1e-9 ? 0.5 : (hi - lo) * 0.05;
  return { lo: clampExponent(lo - room), hi: clampExponent(hi + room), empty: false };
}

/** The x range for drawing: exact, but never of no width. */
export function xDomain(range: readonly [number, number]): Domain {
  const [from, to] = range;
  if (!Number.isFinite(from) || !Number.isFinite(to)) return { lo: 0, hi: 1, empty: true };
  const a = clamp(Math.min(from, to));
  const b = clamp(Math.max(from, to));
  if (b - a > Math.max(Math.abs(a), Math.abs(b)) * Number.EPSILON * 4) return { lo: a, hi: b, empty: false };
  const room = Math.max(0.5, Math.abs(a) * Number.EPSILON * 64);
  return { lo: clamp(a - room), hi: clamp(b + room), empty: false };
}

export interface Plot {
  readonly x: Domain;
  /** In exponents of ten where `log` is set. */
  readonly y: Domain;
  readonly log?: boolean;
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
}

export const toPixelX = (plot: Plot, x: number): number =>
  ((x - plot.x.lo) / (plot.x.hi - plot.x.lo)) * plot.width;

export const toDataX = (plot: Plot, pixel: number): number =>
  plot.x.lo + (pixel / plot.width) * (plot.x.hi - plot.x.lo);

/** Far outside is far outside: drawing libraries do not like numbers beyond a few ten thousands. */
const FAR = 20_000;

/** NaN for what a logarithmic axis has no place for. */
export const toPixelY = (plot: Plot, value: number): number => {
  const y = plot.log === true ? Math.log10(value > 0 ? value : Number.NaN) : value;
  const pixel = plot.height - ((y - plot.y.lo) / (plot.y.hi - plot.y.lo)) * plot.height;
  return pixel > FAR ? FAR : Math.max(pixel, -FAR);
};

/** A zoom that can be asked for: ordered, inside `full`, and not narrower than what numbers can tell apart. */
export function clampRange(
  range: readonly [number, number],
  full: readonly [number, number],
  least: number,
): [number, number] | null {
  let lo = Math.max(full[0], Math.min(range[0], range[1]));
  let hi = Math.min(full[1], Math.max(range[0], range[1]));
  if (!(hi >= lo)) return null;
  const need = Math.max(least, Math.max(Math.abs(lo), Math.abs(hi)) * Number.EPSILON * 64);
  if (hi - lo < need) {
    const middle = (lo + hi) / 2;
    lo = Math.max(full[0], middle - need / 2);
    hi = Math.min(full[1], middle + need / 2);
  }
  return lo <= full[0] && hi >= full[1] ? null : [lo, hi];
}
