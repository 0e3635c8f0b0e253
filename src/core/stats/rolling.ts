/** Pearson's correlation over each trailing window. */

/**
 * @returns a value a row, NaN before `window − 1`, where fewer than `max(4, ⌊window/2⌋)` pairs are both there, and where
 *   either population standard deviation is below 1e-12
 */
export function rollingCorrelation(x: Float64Array, y: Float64Array, window: number): Float64Array {
  const out = new Float64Array(x.length).fill(Number.NaN);
  const least = Math.max(4, Math.floor(window / 2));
  if (window > WIDE) wide(x, y, window, least, out);
  else for (let i = window - 1; i < x.length; i++) out[i] = correlation(x, y, i - window + 1, i + 1, least);
  return out;
}

/** Above this a window is not summed up anew for each row. */
const WIDE = 128;
/** Beyond this a square is no number any more. */
const HUGE = 1e150;

/**
 * Rows are cut into blocks as long as the window: each window is the end of one block and the beginning of the next, and
 * moments of both are known. Nothing is ever subtracted from a running sum, so that no digits are lost however long the run.
 */
function wide(x: Float64Array, y: Float64Array, window: number, least: number, out: Float64Array): void {
  const ends = new Float64Array(window * FIELDS);
  const odd = { infinite: -1, huge: -1 };
  for (let i = 0; i < Math.min(window - 1, x.length); i++) noteOdd(x, y, i, odd);
  for (let block = 0; block + window <= x.length; block += window) {
    const next = block + window;
    const behind = new Moments();
    for (let i = next - 1; i >= block; i--) {
      behind.add(x[i] as number, y[i] as number);
      behind.store(ends, (i - block) * FIELDS);
    }
    const begun = new Moments();
    for (let i = next - 1; i < Math.min(x.length, next + window - 1); i++) {
      if (i >= next) begun.add(x[i] as number, y[i] as number);
      noteOdd(x, y, i, odd);
      const from = i - window + 1;
      // An infinite value leaves nothing that could be a correlation.
      if (odd.infinite >= from) continue;
      out[i] =
        odd.huge >= from
          ? correlation(x, y, from, i + 1, least)
          : begun.joined(ends, (from - block) * FIELDS, least);
    }
  }
}

/** Notes a pair of which a square would be no number. */
function noteOdd(x: Float64Array, y: Float64Array, i: number, odd: { infinite: number; huge: number }): void {
  const size = Math.max(Math.abs(x[i] as number), Math.abs(y[i] as number));
  if (size === Number.POSITIVE_INFINITY) odd.infinite = i;
  else if (size > HUGE) odd.huge = i;
}

const isPair = (a: number, b: number): boolean => !Number.isNaN(a) && !Number.isNaN(b);

/** Numbers that {@link Moments} are stored as. */
const FIELDS = 6;

/** Count, means, and sums of products around the means, of the pairs that are both there. */
class Moments {
  n = 0;
  mx = 0;
  my = 0;
  xx = 0;
  yy = 0;
  xy = 0;

  add(a: number, b: number): void {
    if (!isPair(a, b)) return;
    this.n++;
    const dx = a - this.mx;
    const dy = b - this.my;
    this.mx += dx / this.n;
    this.my += dy / this.n;
    this.xx += dx * (a - this.mx);
    this.yy += dy * (b - this.my);
    this.xy += dx * (b - this.my);
  }

  store(to: Float64Array, at: number): void {
    to[at] = this.n;
    to[at + 1] = this.mx;
    to[at + 2] = this.my;
    to[at + 3] = this.xx;
    to[at + 4] = this.yy;
    to[at + 5] = this.xy;
  }

  /** The correlation of these pairs and the stored ones together. */
  joined(stored: Float64Array, at: number, least: number): number {
    const m = stored[at] as number;
    const n = this.n + m;
    if (n < least) return Number.NaN;
    const dx = (stored[at + 1] as number) - this.mx;
    const dy = (stored[at + 2] as number) - this.my;
    const share = (this.n * m) / n;
    const xx = this.xx + (stored[at + 3] as number) + dx * dx * share;
    const yy = this.yy + (stored[at + 4] as number) + dy * dy * share;
    return coefficient(n, xx, yy, this.xy + (stored[at + 5] as number) + dx * dy * share);
  }
}

function coefficient(n: number, xx: number, yy: number, xy: number): number {
  if (Math.sqrt(xx / n) < 1e-12 || Math.sqrt(yy / n) < 1e-12) return Number.NaN;
  return Math.max(-1, Math.min(1, xy / Math.sqrt(xx) / Math.sqrt(yy)));
}

function correlation(x: Float64Array, y: Float64Array, from: number, to: number, least: number): number {
  let n = 0;
  let sx = 0;
  let sy = 0;
  for (let i = from; i < to; i++) {
    const a = x[i] as number;
    const b = y[i] as number;
    if (!Number.isNaN(a) && !Number.isNaN(b)) {
      sx += a;
      sy += b;
      n++;
    }
  }
  if (n < least) return Number.NaN;
  const mx = sx / n;
  const my = sy / n;
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (let i = from; i < to; i++) {
    const a = (x[i] as number) - mx;
    const b = (y[i] as number) - my;
    if (!Number.isNaN(a) && !Number.isNaN(b)) {
      xx += a * a;
      yy += b * b;
      xy += a * b;
    }
  }
  return coefficient(n, xx, yy, xy);
}
