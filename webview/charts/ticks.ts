/** Where ticks stand and what they say: numbers, steps, local time and durations. Always a handful, always distinct. */
import { dateOf, formatCount, formatNumber } from "../text/numbers.ts";
import type { Domain } from "./domain.ts";

export interface Ticks {
  readonly values: readonly number[];
  readonly labels: readonly string[];
}

const NONE: Ticks = { values: [], labels: [] };
const MOST = 12;

/** Multiples of `step` inside the range; nothing when numbers are too coarse to count them. */
function multiples(lo: number, hi: number, step: number): number[] {
  if (!(step > 0) || !Number.isFinite(step)) return [];
  const first = Math.ceil(lo / step - 1e-9);
  const last = Math.floor(hi / step + 1e-9);
  const count = last - first + 1;
  if (!(count > 0 && count <= MOST)) return [];
  const values: number[] = [];
  for (let i = 0; i < count; i++) {
    // Dividing by a whole number keeps 0.3 from becoming 0.30000000000000004.
    const value = step < 1 ? (first + i) / Math.round(1 / step) : (first + i) * step;
    const exact = Math.abs(value - (first + i) * step) <= step * 1e-6 ? value : (first + i) * step;
    if (values.at(-1) !== exact) values.push(exact);
  }
  return values;
}

/** Steps that people count in, times a power of ten. */
const NICE = [1, 2, 2.5, 5];

const countOf = (lo: number, hi: number, step: number): number =>
  Math.floor(hi / step + 1e-9) - Math.ceil(lo / step - 1e-9) + 1;

/** The round step that puts most nearly `count` ticks between two values, and never many more. */
function niceStep(lo: number, hi: number, count: number, whole = false): number {
  const power = 10 ** Math.floor(Math.log10((hi - lo) / count));
  if (!(power > 0) || !Number.isFinite(power)) return Number.NaN;
  let best = Number.NaN;
  let miss = Number.POSITIVE_INFINITY;
  for (const scale of [power / 10, power, power * 10, power * 100]) {
    for (const part of NICE) {
      const step = part * scale;
      if (whole && !Number.isInteger(step)) continue;
      const ticks = countOf(lo, hi, step);
      const off = ticks > count ? (ticks - count) * 3 : count - ticks;
      if (ticks >= 2 && ticks <= count + 1 && off < miss) {
        best = step;
        miss = off;
      }
    }
  }
  return best;
}

/** Longest label beside the y axis. */
const WIDEST = 7;

function shortest(value: number): string {
  const text = formatNumber(value);
  return text.length <= WIDEST ? text : value.toExponential(0).replace("+", "").replaceAll("-", "−");
}

/** What a nearly flat curve far from zero needs: "1e14", then what is added to it. */
function offsetLabels(values: readonly number[], step: number): string[] {
  const [base = 0] = values;
  return values.map((value, i) =>
    i === 0 ? formatNumber(base) : `+${formatNumber(round(value - base, step))}`,
  );
}

const round = (value: number, step: number): number => Math.round(value / step) * step;

function numberLabels(values: readonly number[], step: number): string[] {
  const short = values.map((value) => formatNumber(value === 0 ? 0 : value));
  if (new Set(short).size === values.length && short.every((label) => label.length <= WIDEST)) return short;
  const decimals = Math.min(20, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
  const fixed = values.map((value) => value.toFixed(decimals).replace("-", "−"));
  if (new Set(fixed).size === values.length && fixed.every((label) => label.length <= WIDEST)) return fixed;
  return offsetLabels(values, step);
}

/** Ticks of a y axis. */
export function numberTicks(domain: Domain, count: number): Ticks {
  if (domain.empty) return NONE;
  const { lo, hi } = domain;
  const step = niceStep(lo, hi, count);
  const values = multiples(lo, hi, step);
  if (values.length < 2) return endTicks(domain);
  const labels = numberLabels(values, step);
  return labels.every((label) => label.length <= WIDEST + 1)
    ? told(values, labels, domain)
    : endTicks(domain);
}

/** Parts of a decade, from few to many. */
const DECADE_PARTS = [[1], [1, 3], [1, 2, 5], [1, 1.5, 2, 3, 5, 7]] as const;

/** Ticks of a logarithmic y axis, given and placed in exponents of ten. */
export function logTicks({ lo, hi, empty }: Domain, count: number): Ticks {
  if (empty) return NONE;
  if (hi - lo < 1) return bent(numberTicks({ lo: 10 ** lo, hi: 10 ** hi, empty }, count), lo, hi);
  const from = Math.floor(lo);
  const decades = Math.floor(hi) - Math.ceil(lo) + 1;
  const every = Math.max(1, Math.ceil(decades / Math.min(count, MOST)));
  let best: number[] = [];
  for (const parts of DECADE_PARTS) {
    const values: number[] = [];
    for (let exponent = from; exponent <= hi; exponent++) {
      if (parts.length === 1 && exponent % every !== 0) continue;
      values.push(...parts.map((part) => exponent + Math.log10(part)).filter((at) => at >= lo && at <= hi));
    }
    if (best.length >= 2 && values.length > count) break;
    if (values.length <= MOST) best = values;
    if (every > 1) break;
  }
  const labels = best.map((at) => shortest(10 ** at));
  if (best.length >= 2 && new Set(labels).size === labels.length) return { values: best, labels };
  const ends = [shortest(10 ** lo), shortest(10 ** hi)];
  return ends[0] === ends[1]
    ? { values: [lo], labels: ends.slice(0, 1) }
    : { values: [lo, hi], labels: ends };
}

/** Ticks of a stretch so short that round numbers serve better than powers of ten. */
function bent({ values, labels }: Ticks, lo: number, hi: number): Ticks {
  return { values: values.map((value) => Math.min(hi, Math.max(lo, Math.log10(value)))), labels };
}

/** The ticks, unless two of them say the same. */
function told(values: readonly number[], labels: readonly string[], domain: Domain): Ticks {
  return new Set(labels).size === labels.length ? { values, labels } : endTicks(domain);
}

/** When no round number fits: the two ends. */
function endTicks({ lo, hi }: Domain): Ticks {
  const labels = [shortest(lo), shortest(hi)];
  return labels[0] === labels[1]
    ? { values: [lo], labels: labels.slice(0, 1) }
    : { values: [lo, hi], labels };
}

const scaled = (value: number, unit: number, suffix: string): string =>
  `${String(Math.round((value / unit) * 1000) / 1000).replace("-", "−")}${suffix}`;

function stepLabels(values: readonly number[]): string[] {
  const largest = Math.max(...values.map(Math.abs));
  if (largest >= 1e12) return values.map((value) => formatNumber(value));
  for (const [unit, suffix, from] of [
    [1e9, "G", 1e9],
    [1e6, "M", 1e6],
    [1e3, "k", 1e4],
  ] as const) {
    if (largest >= from && values.every((value) => value % (unit / 10) === 0)) {
      return values.map((value) => (value === 0 ? "0" : scaled(value, unit, suffix)));
    }
  }
  return values.map(formatCount);
}

/** Ticks of the step axis: whole steps only, as long as one is in view. */
export function stepTicks(domain: Domain, count: number): Ticks {
  if (domain.empty) return NONE;
  const { lo, hi } = domain;
  const round = multiples(lo, hi, niceStep(lo, hi, count, true));
  const values = round.length > 0 ? round : wholeEnds(lo, hi);
  if (values.length === 0) return endTicks(domain);
  const labels = stepLabels(values);
  return new Set(labels).size === labels.length
    ? { values, labels }
    : told(values, addedLabels(values), domain);
}

/** First and last whole number in a stretch. */
const wholeEnds = (lo: number, hi: number): number[] =>
  [...new Set([Math.ceil(lo), Math.floor(hi)])].filter((value) => value >= lo && value <= hi);

/** What steps far from zero need: the first one, then what is added to it. */
function addedLabels(values: readonly number[]): string[] {
  const [base = 0] = values;
  const added = stepLabels(values.map((value) => value - base));
  return values.map((_, i) => (i === 0 ? formatNumber(base) : `+${added[i] ?? ""}`));
}

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
const PERIODS = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 7, 14].map((n) => n * DAY),
];

function periodStep(width: number, count: number): number {
  const raw = width / count;
  if (raw < 1) return niceStep(0, width, count);
  return PERIODS.find((period) => period >= raw * 0.999) ?? niceStep(0, width / DAY, count) * DAY;
}

const two = (n: number): string => String(n).padStart(2, "0");

function momentLabel(date: Date, step: number): string {
  const day = `${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const minutes = `${two(date.getHours())}:${two(date.getMinutes())}`;
  if (step >= 20 * DAY) return `${date.getFullYear()}-${two(date.getMonth() + 1)}`;
  if (step >= DAY) return day;
  if (step >= MINUTE) return minutes === "00:00" ? day : minutes;
  const seconds = `${minutes}:${two(date.getSeconds())}`;
  return step >= 1 ? seconds : `${seconds}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}

/** Ticks of the wall-time axis (Unix seconds), at round moments of local time. */
export function timeTicks(domain: Domain, count: number): Ticks {
  const { lo, hi, empty } = domain;
  const from = dateOf(lo);
  if (empty) return NONE;
  if (!from || !dateOf(hi)) return numberTicks(domain, count);
  const step = periodStep(hi - lo, count);
  const shift = from.getTimezoneOffset() * MINUTE;
  const values = multiples(lo - shift, hi - shift, step).map((value) => value + shift);
  if (values.length === 0) return endTimes(lo, hi);
  const labels = values.map((value) => momentLabel(new Date(value * 1000), step));
  return new Set(labels).size === labels.length ? { values, labels } : endTimes(lo, hi);
}

function endTimes(lo: number, hi: number): Ticks {
  const [from = "", to = ""] = [lo, hi].map((value) => momentLabel(new Date(value * 1000), 1));
  return from === to ? { values: [lo], labels: [from] } : { values: [lo, hi], labels: [from, to] };
}

function spanLabel(seconds: number, step: number): string {
  if (seconds === 0) return "0";
  const size = Math.abs(seconds);
  const sign = seconds < 0 ? "−" : "";
  if (step < 1) return `${sign}${formatNumber(size)} s`;
  const [d, h, m, s] = [
    Math.floor(size / DAY),
    Math.floor((size % DAY) / HOUR),
    Math.floor((size % HOUR) / MINUTE),
    Math.round(size % MINUTE),
  ];
  if (step >= DAY) return `${sign}${d}d`;
  if (d > 0) return `${sign}${d}d ${h}h`;
  if (step >= HOUR) return `${sign}${h}h`;
  if (step >= MINUTE) return h > 0 ? `${sign}${h}:${two(m)}h` : `${sign}${m}m`;
  if (h > 0) return `${sign}${h}:${two(m)}:${two(s)}`;
  return m > 0 ? `${sign}${m}:${two(s)}m` : `${sign}${s}s`;
}

/** Ticks of the relative-time axis (seconds). */
export function spanTicks(domain: Domain, count: number): Ticks {
  const { lo, hi, empty } = domain;
  if (empty) return NONE;
  if (hi - lo > DAY * 36_500 || Math.abs(hi) > 1e12) return numberTicks(domain, count);
  const step = periodStep(hi - lo, count);
  const values = multiples(lo, hi, step);
  const labels = values.map((value) => spanLabel(value, step));
  return values.length === 0 ? endTicks(domain) : told(values, labels, domain);
}
