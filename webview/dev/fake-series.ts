/** A small stand-in for the worker's decimation: enough to look at, not what ships. */
import type { SeriesView } from "../../src/protocol/run.ts";
import type { FakeColumn } from "./fake-run.ts";

class Output {
  readonly x: number[] = [];
  readonly y: number[] = [];
  readonly dotsX: number[] = [];
  readonly dotsY: number[] = [];
  readonly markX: number[] = [];
  readonly markKind: number[] = [];
}

const isValue = (column: FakeColumn, i: number): boolean =>
  i >= 0 && i < column.values.length && column.valid?.[i] !== 0 && Number.isFinite(column.values[i]);

/** First, lowest, highest and last of each pixel column; gaps lift the pen, lonely points become dots. */
export function fakeSeries(
  metric: string,
  x: Float64Array,
  column: FakeColumn,
  range: readonly [number, number],
  width: number,
): SeriesView {
  const out = new Output();
  const sums = { finite: 0, missing: 0, nan: 0, posInf: 0, negInf: 0 };
  let low = -1;
  let high = -1;
  let last = -1;
  let pixel = -1;
  let held: number[] = [];
  const value = (i: number): number => column.values[i] ?? Number.NaN;
  const flush = (): void => {
    for (const i of [...new Set(held)].sort((a, b) => a - b)) {
      out.x.push(x[i] ?? 0);
      out.y.push(value(i));
    }
    held = [];
  };
  const hold = (i: number): void => {
    const [first = i, min = i, max = i] = held;
    held = [first, value(i) < value(min) ? i : min, value(i) > value(max) ? i : max, i];
  };
  for (let i = 0; i < x.length; i++) {
    const at = x[i] ?? 0;
    if (at < range[0] || at > range[1]) continue;
    const here = Math.floor(((at - range[0]) / (range[1] - range[0] || 1)) * width);
    if (!isValue(column, i)) {
      count(column, i, sums);
      mark(out, column, i, at);
      if (held.length > 0) {
        flush();
        out.x.push(at);
        out.y.push(Number.NaN);
      }
      continue;
    }
    sums.finite++;
    if (low < 0 || value(i) < value(low)) low = i;
    if (high < 0 || value(i) > value(high)) high = i;
    last = i;
    if (!isValue(column, i - 1) && !isValue(column, i + 1)) {
      out.dotsX.push(at);
      out.dotsY.push(value(i));
      continue;
    }
    if (here !== pixel) flush();
    pixel = here;
    hold(i);
  }
  flush();
  const of = (i: number): number | null => (i < 0 ? null : value(i));
  const xOf = (i: number): number | null => (i < 0 ? null : (x[i] ?? null));
  return {
    metric,
    x: Float64Array.from(out.x),
    y: Float64Array.from(out.y),
    dotsX: Float64Array.from(out.dotsX),
    dotsY: Float64Array.from(out.dotsY),
    markX: Float64Array.from(out.markX),
    markKind: Uint8Array.from(out.markKind),
    ...sums,
    ...{ last: of(last), lastX: xOf(last) },
    ...{ min: of(low), minX: xOf(low), max: of(high), maxX: xOf(high) },
  };
}

function count(
  column: FakeColumn,
  i: number,
  sums: { missing: number; nan: number; posInf: number; negInf: number },
): void {
  const value = column.values[i];
  if (column.valid?.[i] === 0) sums.missing++;
  else if (value === Number.POSITIVE_INFINITY) sums.posInf++;
  else if (value === Number.NEGATIVE_INFINITY) sums.negInf++;
  else sums.nan++;
}

function mark(out: Output, column: FakeColumn, i: number, at: number): void {
  const value = column.values[i] ?? Number.NaN;
  if (column.valid?.[i] === 0) return;
  out.markX.push(at);
  out.markKind.push(Number.isNaN(value) ? 0 : value > 0 ? 1 : 2);
}

/** The usual range: without what lies far beyond a sample of the values, when that is little. */
export function fakeRanges(
  columns: readonly FakeColumn[],
  x: Float64Array,
  range: readonly [number, number],
): { full: [number, number] | null; robust: [number, number] | null; outside: number } {
  const all: number[] = [];
  for (const column of columns) {
    for (let i = 0; i < x.length; i++) {
      const at = x[i] ?? 0;
      if (at >= range[0] && at <= range[1] && isValue(column, i)) all.push(column.values[i] ?? 0);
    }
  }
  if (all.length === 0) return { full: null, robust: null, outside: 0 };
  const stride = Math.max(1, Math.floor(all.length / 997));
  const sample = Float64Array.from(all.filter((_, i) => i % stride === 0)).sort();
  const at = (share: number): number => sample[Math.floor(share * (sample.length - 1))] ?? 0;
  const spread = at(0.95) - at(0.05);
  const fence: [number, number] = [at(0.05) - 3 * spread, at(0.95) + 3 * spread];
  const full = extent(all);
  const inside = all.filter((value) => value >= fence[0] && value <= fence[1]);
  const outside = all.length - inside.length;
  const few = outside > 0 && outside <= all.length * 0.01 + 2;
  return few && spread > 0 ? { full, robust: extent(inside), outside } : { full, robust: full, outside: 0 };
}

function extent(values: readonly number[]): [number, number] {
  let lo = Number.POSITIVE_INFINITY;
  let hi = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value < lo) lo = value;
    if (value > hi) hi = value;
  }
  return [lo, hi];
}
