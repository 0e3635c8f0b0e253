/** What several signatures measure in the same way. */
import { english, type Phrase, phrase } from "./phrase.ts";
import type { Distance, RowRange } from "./types.ts";

/** `clamp(base + 0.3 · (|value / threshold| − 1), 0.5, 0.99)`; `base` when the threshold is 0; 0.99 when the value is NaN. */
export function margin(value: number, threshold: number, base: number): number {
  if (threshold === 0) return base;
  const raw = base + 0.3 * (Math.abs(value / threshold) - 1);
  // Python's min(0.99, NaN) is 0.99, and rlprobe's findings carry it.
  return Number.isNaN(raw) ? 0.99 : Math.max(0.5, Math.min(0.99, raw));
}

export function earlyRows(rows: number, frac = 0.25, min = 10): RowRange {
  return { from: 0, to: Math.min(rows, Math.max(min, Math.trunc(rows * frac))) };
}

export function lateRows(rows: number, frac = 0.2, min = 10): RowRange {
  return { from: Math.max(0, rows - Math.max(min, Math.trunc(rows * frac))), to: rows };
}

/** How far below a limit a value stays. @returns undefined when it does not, or is no number: then something else keeps quiet */
export function below(value: number, limit: number): Distance | undefined {
  if (!Number.isFinite(value) || !(value <= limit)) return undefined;
  return distance(ratioOf(value, limit), phrase("{0} of {1}", figure(value), figure(limit)));
}

/** How far above a floor a value stays: 3.1× above is a ratio of 1/3.1. @returns undefined as {@link below} does */
export function above(value: number, floor: number): Distance | undefined {
  if (!Number.isFinite(value) || !(value >= floor)) return undefined;
  return distance(ratioOf(floor, value), phrase("{0}, limit {1}", figure(value), figure(floor)));
}

const distance = (ratio: number, phrase: Phrase): Distance => ({ ratio, words: english(phrase), phrase });

function ratioOf(a: number, b: number): number {
  const r = a / b;
  // Of two negative numbers the nearer one to zero is the farther from its floor.
  return Number.isFinite(r) ? Math.min(1, Math.max(0, r)) : 0;
}

/** Three significant digits, without an exponent where it can be helped. */
export function figure(v: number): string {
  if (!Number.isFinite(v)) return String(v);
  const text =
    Math.abs(v) >= 1e5 || (v !== 0 && Math.abs(v) < 1e-4)
      ? v.toExponential(2)
      : String(Number(v.toPrecision(3)));
  return text.replace("e+", "e");
}

export const percent = (v: number): string => `${Math.round(v * 100)}%`;
