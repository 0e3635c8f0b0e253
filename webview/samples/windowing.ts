/**
 * Which rows of a long list are seen, and where: rows of one height, one of which may have something folded out below it.
 *
 * A browser stops counting pixels somewhere above ten million. What is longer is scrolled by a shorter stand-in: wheel and
 * keys move the list by as many pixels as they say, the scroll bar moves it by shares.
 */

export interface Geometry {
  readonly rows: number;
  /** Pixels a row. */
  readonly row: number;
  /** Pixels that are seen. */
  readonly seen: number;
  /** What is folded out below a row; `null` for nothing. */
  readonly open: { readonly place: number; readonly height: number } | null;
}

/** Tallest element that every browser lays out exactly. */
export const TALLEST = 8_000_000;
/** Screens that a wheel or a key may move at once; more is the scroll bar. */
const NEAR = 4;

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

export const fullHeight = ({ rows, row, open }: Geometry): number => rows * row + (open?.height ?? 0);

/** How far the list can be scrolled. */
export const reach = (list: Geometry): number => Math.max(0, fullHeight(list) - list.seen);

/** Height of the stand-in. */
export const standIn = (list: Geometry): number => Math.min(TALLEST, fullHeight(list));

const standInReach = (list: Geometry): number => Math.max(0, standIn(list) - list.seen);

/** Where the stand-in is scrolled to when the list is scrolled to `top`; at an end only where the list is. */
export function standInTop(list: Geometry, top: number): number {
  const [most, far] = [standInReach(list), reach(list)];
  if (most === far) return top;
  const at = (top / far) * most;
  return top <= 0 ? 0 : top >= far ? most : clamp(at, 1, most - 1);
}

/** Where the list is once the stand-in was scrolled from one place to another. */
export function scrolled(list: Geometry, top: number, from: number, to: number): number {
  const [most, far] = [standInReach(list), reach(list)];
  if (most === far) return clamp(to, 0, far);
  const by = to - from;
  const next = Math.abs(by) <= NEAR * list.seen ? top + by : (to / most) * far;
  return clamp(next, 0, far);
}

/** Pixels from the list's beginning to a row. */
export const topOf = ({ row, open }: Geometry, place: number): number =>
  place * row + (open && place > open.place ? open.height : 0);

/** The row at a height; what is folded out belongs to the row above it. */
export function placeAt({ rows, row, open }: Geometry, y: number): number {
  const last = Math.max(0, rows - 1);
  const below = open ? (open.place + 1) * row : Number.POSITIVE_INFINITY;
  if (!open || y < below) return clamp(Math.floor(y / row), 0, last);
  return clamp(Math.max(open.place, Math.floor((y - open.height) / row)), 0, last);
}

/** Rows to draw: the first, and the one after the last; some more at either side. */
export function drawnRows(list: Geometry, top: number, more: number): [number, number] {
  if (list.rows === 0) return [0, 0];
  const first = placeAt(list, top) - more;
  const last = placeAt(list, top + list.seen) + 1 + more;
  return [clamp(first, 0, list.rows), clamp(last, 0, list.rows)];
}

/** Where to scroll so that a row is seen, moving as little as it takes. */
export function revealed(list: Geometry, top: number, place: number): number {
  const at = topOf(list, place);
  const next = at < top ? at : at + list.row > top + list.seen ? at + list.row - list.seen : top;
  return clamp(next, 0, reach(list));
}

/** The same for what is folded out below a row: at least so many pixels of it, or all that there are, and the row itself. */
export function unfolded(list: Geometry, top: number, least: number): number {
  if (!list.open) return top;
  const at = topOf(list, list.open.place);
  const end = at + list.row + Math.min(least, list.open.height);
  return clamp(Math.min(Math.max(top, end - list.seen), Math.max(top, at)), 0, reach(list));
}

/** Pages of `size` rows that hold rows from `first` up to `end`. */
export function pagesOf(first: number, end: number, size: number): number[] {
  if (end <= first) return [];
  const from = Math.floor(first / size);
  return Array.from({ length: Math.ceil(end / size) - from }, (_, i) => from + i);
}
