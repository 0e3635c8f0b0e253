/** Numbers as people read them: short on the charts, exact where asked for. */
import { type Counted, counted } from "../../src/protocol/counts.ts";
import { t } from "../../src/protocol/l10n.ts";

const MINUS = "−";
const sign = (text: string): string => text.replace(/^-/, MINUS);

const exponent = (value: number, digits: number): string => {
  const [mantissa = "0", power = "0"] = value.toExponential(digits).split("e");
  const short = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
  return sign(`${short}e${power.replace("+", "").replace("-", MINUS)}`);
};

/** Not Intl's: making its first formatter takes longer than all else that the header needs. */
function grouped(value: number | bigint, digits: number): string {
  const text = typeof value === "bigint" ? String(value) : plain(value, digits);
  const [whole = "", fraction = ""] = text.split(".");
  const rest = fraction.replace(/0+$/, "");
  return `${whole.replace(/\B(?=(?:\d{3})+$)/g, ",")}${rest === "" ? "" : `.${rest}`}`;
}

/** All digits, however large. */
const plain = (value: number, digits: number): string =>
  Math.abs(value) < 1e21 ? value.toFixed(digits) : String(BigInt(value));

/** Digits in groups of three: "12,345". */
export function formatCount(value: number): string {
  return sign(grouped(Math.trunc(value), 0));
}

/** A step with all its digits, in groups of three; what is between two steps as short as other numbers. */
export function formatStep(step: number): string {
  const isWhole = Number.isInteger(step) && Math.abs(step) < 1e21;
  return isWhole ? sign(grouped(BigInt(step), 0)) : formatNumber(step);
}

/** Three or four significant digits: "1.14", "0.0525", "182.4", "12,345", "1.23e6", "NaN", "∞"; or so many. */
export function formatNumber(value: number, significant = 3): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : `${MINUS}∞`;
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size >= 1e6 || size < 1e-4) return exponent(value, significant - 1);
  const whole = Math.floor(Math.log10(size));
  const digits = Math.max(size >= 1e4 ? 0 : 1, significant - 1 - whole);
  const rounded = Number(value.toFixed(digits));
  return sign(size >= 1000 ? grouped(rounded, digits) : String(rounded));
}

/** All digits that distinguish the number: for tooltips and labels. */
export function formatExact(value: number): string {
  if (!Number.isFinite(value)) return formatNumber(value);
  return sign(String(value));
}

/** Lengths of time: "0.8 s", "34 s", "1 m 34 s", "2 h 05 m", "3 d 4 h". */
export function formatDuration(seconds: number): string {
  if (!Number.isFinite(seconds)) return "";
  const size = Math.abs(seconds);
  const minus = seconds < 0 ? MINUS : "";
  if (size >= 86_400 * 36_500) return `${minus}${formatNumber(size / 86_400)} d`;
  if (size < 10 && !Number.isInteger(size)) return `${minus}${Number(size.toPrecision(2))} s`;
  const whole = Math.round(size);
  const [d, h, m, s] = [
    Math.floor(whole / 86_400),
    Math.floor((whole % 86_400) / 3600),
    Math.floor((whole % 3600) / 60),
    whole % 60,
  ];
  const two = (n: number): string => String(n).padStart(2, "0");
  if (d > 0) return `${minus}${d} d ${h} h`;
  if (h > 0) return `${minus}${h} h ${two(m)} m`;
  if (m > 0) return `${minus}${m} m ${two(s)} s`;
  return `${minus}${s} s`;
}

/** Latest moment that a Date can hold, in seconds. */
const MAX_DATE = 8.64e12;
const two = (n: number): string => String(n).padStart(2, "0");

/** A Date for Unix seconds, or `null` beyond what a date can be. */
export function dateOf(seconds: number): Date | null {
  return Number.isFinite(seconds) && Math.abs(seconds) <= MAX_DATE ? new Date(seconds * 1000) : null;
}

/** Local wall time "18:21:04". */
export function formatClock(seconds: number): string {
  const date = dateOf(seconds);
  if (!date) return formatNumber(seconds);
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** Local date "2026-03-09". */
export function formatDay(seconds: number): string {
  const date = dateOf(seconds);
  if (!date) return formatNumber(seconds);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Local date and time "2026-03-09 18:21:04". */
export function formatMoment(seconds: number): string {
  return dateOf(seconds) ? `${formatDay(seconds)} ${formatClock(seconds)}` : formatNumber(seconds);
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;

/** Local day and wall time "Nov 27 10:11:04", for what lasts longer than a day. */
export function formatDayClock(seconds: number): string {
  const date = dateOf(seconds);
  if (!date) return formatNumber(seconds);
  return `${MONTHS[date.getMonth()] ?? ""} ${date.getDate()} ${formatClock(seconds)}`;
}

/** Two moments lie on different local days: a wall time alone would not tell them apart. */
export const spansDays = (from: number | null, to: number | null): boolean =>
  from !== null && to !== null && formatDay(from) !== formatDay(to);

/** How local time is ahead of or behind UTC at a moment: "local time, UTC+01:00". */
export function zoneWords(seconds: number): string {
  const minutes = -(dateOf(seconds)?.getTimezoneOffset() ?? 0);
  const size = Math.abs(minutes);
  return t(
    "local time, UTC{0}{1}:{2}",
    minutes < 0 ? MINUS : "+",
    two(Math.floor(size / 60)),
    two(size % 60),
  );
}

/** Date, time and zone: "2026-03-09 18:21:04 (local time, UTC+01:00)". */
export const formatZoned = (seconds: number): string =>
  dateOf(seconds) ? `${formatMoment(seconds)} (${zoneWords(seconds)})` : formatMoment(seconds);

/** "1 step", "2 steps". */
export const plural = (count: number, what: Counted): string => counted(what, count, formatCount(count));
