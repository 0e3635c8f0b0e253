import { random as seeded } from "../random.ts";

export { seeded };

export interface Rows {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly valid: Uint8Array | null;
}

/** Rows as recordings have them: noise, jumps, gaps of any length, NaN and ±Inf, repeated and unsorted x. */
export function randomRows(random: () => number, maxRows: number): Rows {
  const n = Math.floor(random() * maxRows);
  const x = new Float64Array(n);
  const y = new Float64Array(n);
  const valid = random() < 0.5 ? new Uint8Array(n).fill(1) : null;
  const holes = random() * random();
  const isUnsorted = random() < 0.3;
  const base = random() < 0.2 ? 2 ** 53 : Math.floor(random() * 1000);
  let at = base;
  for (let i = 0; i < n; i++) {
    at += random() < 0.1 ? 0 : Math.ceil(random() * (random() < 0.02 ? 500 : 3));
    x[i] = isUnsorted && random() < 0.1 ? base + Math.floor(random() * n) : at;
    if (isUnsorted && random() < 0.02) x[i] = Number.NaN;
    y[i] = Math.round((random() - 0.5) * 8) / 4 + (random() < 0.01 ? 1000 : 0);
    if (random() < holes) {
      const kind = random();
      if (kind < 0.4) y[i] = Number.NaN;
      else if (kind < 0.5) y[i] = Number.POSITIVE_INFINITY;
      else if (kind < 0.6) y[i] = Number.NEGATIVE_INFINITY;
      else if (valid) valid[i] = 0;
    }
  }
  return { x, y, valid };
}
