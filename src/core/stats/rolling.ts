/** Pearson's correlation over each trailing window. */

/**
 * @returns a value a row, NaN before `window − 1`, where fewer than `max(4, ⌊window/2⌋)` pairs are both there, and where
 *   either population standard deviation is below 1e-12
 */
export function rollingCorrelation(x: Float64Array, y: Float64Array, window: number): Float64Array {
  const out = new Float64Array(x.length).fill(Number.NaN);
  const least = Math.max(4, Math.floor(window / 2));
  for (let i = window - 1; i < x.length; i++) out[i] = correlation(x, y, i - window + 1, i + 1, least);
  return out;
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
  if (Math.sqrt(xx / n) < 1e-12 || Math.sqrt(yy / n) < 1e-12) return Number.NaN;
  return Math.max(-1, Math.min(1, xy / Math.sqrt(xx) / Math.sqrt(yy)));
}
