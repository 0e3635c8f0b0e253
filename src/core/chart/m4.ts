/**
 * Decimation without loss on the screen (M4: Jugel et al., VLDB 2014): of each pixel column the first, lowest, highest
 * and last value, so that a line of width 1 looks as the full data would and no spike is ever lost.
 */
import { type Domain, pixelColumns, placesIn, type SortedX } from "./grid.ts";

/** A column of numbers in row order; `valid[i] = 0` where nothing was written. */
export interface Values {
  readonly values: Float64Array;
  readonly valid: Uint8Array | null;
}

export const MARK_NAN = 0;
export const MARK_POSITIVE_INFINITY = 1;
export const MARK_NEGATIVE_INFINITY = 2;
/** A value of 0 or below where a logarithmic axis has no place for it. */
export const MARK_NOT_POSITIVE = 3;

export interface DecimateOptions {
  /** Also the nearest value on either side of the domain, when no gap lies between: lines run on to the edge. */
  readonly reach?: boolean;
  /** For a logarithmic axis: values of 0 or below are marks, not points. Totals hold them all the same. */
  readonly positive?: boolean;
}

export interface Decimated {
  /** Points of the line in x order; y is NaN where the pen lifts (x repeats the point before). */
  readonly x: Float64Array<ArrayBuffer>;
  readonly y: Float64Array<ArrayBuffer>;
  /** Points without a neighbour, which a line would not show. */
  readonly dotsX: Float64Array<ArrayBuffer>;
  readonly dotsY: Float64Array<ArrayBuffer>;
  /** Where values lie that no line can show: one of each kind a pixel column. */
  readonly markX: Float64Array<ArrayBuffer>;
  readonly markKind: Uint8Array<ArrayBuffer>;
  /** Rows in the domain by what they hold. */
  readonly finite: number;
  readonly missing: number;
  readonly nan: number;
  readonly posInf: number;
  readonly negInf: number;
  /** Of the finite ones, those that a logarithmic axis cannot show; 0 unless asked for. */
  readonly nonPositive: number;
  /** Finite values with their x; `null` when there is none. The first of equal extremes. */
  readonly last: number | null;
  readonly lastX: number | null;
  readonly min: number | null;
  readonly minX: number | null;
  readonly max: number | null;
  readonly maxX: number | null;
}

/**
 * A gap is one or more rows without a finite value. A gap inside one pixel column cannot be seen and does not lift the
 * pen, but a column none of whose points touch each other or a neighbouring column is drawn as dots, not as a stroke.
 * The result shares no memory with the input. Cost: one pass over the rows in the domain.
 */
export function decimate(
  sorted: SortedX,
  column: Values,
  domain: Domain,
  width: number,
  { reach = false, positive = false }: DecimateOptions = {},
): Decimated {
  const [start, end] = placesIn(sorted.x, domain);
  const columnOf = pixelColumns(domain, width);
  const floor = positive ? 0 : Number.NEGATIVE_INFINITY;
  const pen = new Pen(sorted, column, Math.min(width, Math.max(1, end - start)), floor);
  if (reach && start > 0) pen.before(start - 1);
  for (let place = start; place < end; ) {
    const next = columnEnd(sorted.x, place, end, columnOf);
    pen.scan(place, next);
    place = next;
  }
  if (reach && end < sorted.x.length) pen.after(end);
  return pen.finish();
}

/** The first place behind a place's pixel column, found in growing strides: columns hold many rows, or few. */
function columnEnd(x: Float64Array, place: number, end: number, columnOf: (x: number) => number): number {
  const pixel = columnOf(x[place] as number);
  let inside = place;
  let stride = 1;
  while (inside + stride < end && columnOf(x[inside + stride] as number) === pixel) {
    inside += stride;
    stride *= 2;
  }
  let outside = Math.min(end, inside + stride);
  while (outside - inside > 1) {
    const middle = (inside + outside) >>> 1;
    if (columnOf(x[middle] as number) === pixel) inside = middle;
    else outside = middle;
  }
  return outside;
}

/** The state of one pass: the totals, the output so far, and the pixel column before the one at hand. */
class Pen {
  readonly #sorted: SortedX;
  readonly #column: Values;
  /** Values at or below it have no place on the axis. */
  readonly #floor: number;
  #finite = 0;
  #missing = 0;
  readonly #bad = [0, 0, 0, 0];
  #min = Number.POSITIVE_INFINITY;
  #minX = 0;
  #max = Number.NEGATIVE_INFINITY;
  #maxX = 0;
  #lastPlace = -1;
  /** A gap lies between the last point and the one to come. */
  #isGapAhead = true;
  readonly #marked = [false, false, false, false];
  // Kept back until it is known whether the line goes on from it: at most four points as x, y.
  readonly #held = new Float64Array(8);
  #heldCount = 0;
  #heldIsLine = false;
  /** What is held lies outside of the domain: worth nothing alone. */
  #isOutside = false;
  // Output.
  readonly #x: Float64Array<ArrayBuffer>;
  readonly #y: Float64Array<ArrayBuffer>;
  #length = 0;
  readonly #dotsX: Float64Array<ArrayBuffer>;
  readonly #dotsY: Float64Array<ArrayBuffer>;
  #dots = 0;
  readonly #markX: number[] = [];
  readonly #markKind: number[] = [];

  constructor(sorted: SortedX, column: Values, pixelCount: number, floor: number) {
    this.#sorted = sorted;
    this.#column = column;
    this.#floor = floor;
    // Two more for the neighbours outside of the domain, each with its lift.
    this.#x = new Float64Array(pixelCount * 5 + 4);
    this.#y = new Float64Array(pixelCount * 5 + 4);
    this.#dotsX = new Float64Array(pixelCount * 4);
    this.#dotsY = new Float64Array(pixelCount * 4);
  }

  /** Takes in the rows of one pixel column. Everything hot is a local: this loop sees every row of the recording. */
  scan(start: number, end: number): void {
    const { rows } = this.#sorted;
    const { values, valid } = this.#column;
    const floor = this.#floor;
    let count = 0;
    let links = 0;
    let isGap = this.#isGapAhead;
    let isLinked = false;
    let first = 0;
    let last = 0;
    let low = 0;
    let high = 0;
    let lowY = Number.POSITIVE_INFINITY;
    let highY = Number.NEGATIVE_INFINITY;
    for (let place = start; place < end; place++) {
      const row = rows === null ? place : (rows[place] as number);
      const y = values[row] as number;
      if (y - y !== 0 || y <= floor || (valid !== null && valid[row] === 0)) {
        this.#gap(place, row);
        isGap = true;
        continue;
      }
      if (count === 0) {
        isLinked = !isGap;
        first = place;
      } else if (!isGap) links++;
      if (y < lowY) {
        lowY = y;
        low = place;
      }
      if (y > highY) {
        highY = y;
        high = place;
      }
      count++;
      isGap = false;
      last = place;
    }
    this.#isGapAhead = isGap;
    this.#marked.fill(false);
    if (count === 0) return;
    this.#finite += count;
    this.#release(isLinked);
    this.#heldIsLine = isLinked || links > 0;
    this.#holdAll(first, Math.min(low, high), Math.max(low, high), last);
    this.#total(low, lowY, high, highY, last);
  }

  #gap(place: number, row: number): void {
    const { values, valid } = this.#column;
    if (valid !== null && valid[row] === 0) {
      this.#missing++;
      return;
    }
    const value = values[row] as number;
    let kind = MARK_NAN;
    if (value === Number.POSITIVE_INFINITY) kind = MARK_POSITIVE_INFINITY;
    else if (value === Number.NEGATIVE_INFINITY) kind = MARK_NEGATIVE_INFINITY;
    else if (value <= this.#floor) {
      kind = MARK_NOT_POSITIVE;
      this.#finite++;
      this.#total(place, value, place, value, place);
    }
    this.#bad[kind] = (this.#bad[kind] ?? 0) + 1;
    if (this.#marked[kind]) return;
    this.#marked[kind] = true;
    this.#markX.push(this.#sorted.x[place] as number);
    this.#markKind.push(kind);
  }

  #total(low: number, lowY: number, high: number, highY: number, last: number): void {
    const { x } = this.#sorted;
    if (lowY < this.#min) {
      this.#min = lowY;
      this.#minX = x[low] as number;
    }
    if (highY > this.#max) {
      this.#max = highY;
      this.#maxX = x[high] as number;
    }
    if (last > this.#lastPlace) this.#lastPlace = last;
  }

  #isPoint(place: number): boolean {
    const { rows } = this.#sorted;
    const { values, valid } = this.#column;
    const row = rows === null ? place : (rows[place] as number);
    const y = values[row] as number;
    return y - y === 0 && y > this.#floor && (valid === null || valid[row] !== 0);
  }

  /** The last place before the domain: where a line comes from. */
  before(place: number): void {
    if (!this.#isPoint(place)) return;
    this.#holdAll(place);
    this.#isOutside = true;
    this.#isGapAhead = false;
  }

  /** The first place behind the domain: where a line goes to. */
  after(place: number): void {
    if (this.#isGapAhead || !this.#isPoint(place)) return;
    this.#release(true);
    this.#add(this.#sorted.x[place] as number, this.#valueAt(place));
    this.#add(this.#sorted.x[place] as number, Number.NaN);
  }

  #valueAt(place: number): number {
    const { rows } = this.#sorted;
    return this.#column.values[rows === null ? place : (rows[place] as number)] as number;
  }

  /** Places in order; first, lowest, highest and last are often the same. */
  #holdAll(...places: readonly number[]): void {
    let before = -1;
    for (const place of places) {
      if (place === before) continue;
      before = place;
      this.#held[2 * this.#heldCount] = this.#sorted.x[place] as number;
      this.#held[2 * this.#heldCount + 1] = this.#valueAt(place);
      this.#heldCount++;
    }
  }

  /** Puts out the column kept back: as a line where it touches something, as dots where not. */
  #release(isContinued: boolean): void {
    if (this.#heldCount === 0) return;
    const isLine = this.#heldIsLine || isContinued;
    const isDropped = this.#isOutside && !isContinued;
    this.#isOutside = false;
    if (isDropped) this.#heldCount = 0;
    for (let i = 0; i < this.#heldCount; i++) {
      const x = this.#held[2 * i] as number;
      const y = this.#held[2 * i + 1] as number;
      if (isLine) this.#add(x, y);
      else {
        this.#dotsX[this.#dots] = x;
        this.#dotsY[this.#dots++] = y;
      }
    }
    if (isLine && !isContinued) this.#add(this.#x[this.#length - 1] as number, Number.NaN);
    this.#heldCount = 0;
  }

  #add(x: number, y: number): void {
    this.#x[this.#length] = x;
    this.#y[this.#length++] = y;
  }

  finish(): Decimated {
    this.#release(false);
    const isAny = this.#finite > 0;
    // A lift after the last point says nothing.
    const length = this.#length > 0 ? this.#length - 1 : 0;
    return {
      x: this.#x.slice(0, length),
      y: this.#y.slice(0, length),
      dotsX: this.#dotsX.slice(0, this.#dots),
      dotsY: this.#dotsY.slice(0, this.#dots),
      markX: Float64Array.from(this.#markX),
      markKind: Uint8Array.from(this.#markKind),
      finite: this.#finite,
      missing: this.#missing,
      nan: this.#bad[MARK_NAN] ?? 0,
      posInf: this.#bad[MARK_POSITIVE_INFINITY] ?? 0,
      negInf: this.#bad[MARK_NEGATIVE_INFINITY] ?? 0,
      nonPositive: this.#bad[MARK_NOT_POSITIVE] ?? 0,
      last: isAny ? this.#valueAt(this.#lastPlace) : null,
      lastX: isAny ? (this.#sorted.x[this.#lastPlace] as number) : null,
      min: isAny ? this.#min : null,
      minX: isAny ? this.#minX : null,
      max: isAny ? this.#max : null,
      maxX: isAny ? this.#maxX : null,
    };
  }
}
