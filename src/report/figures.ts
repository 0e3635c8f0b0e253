/** Numbers as a report says them: short in pictures and tables, steps with all their digits. */

const MINUS = "−";
const sign = (text: string): string => text.replace(/^-/, MINUS);

const grouped = (whole: string): string => whole.replace(/\B(?=(?:\d{3})+$)/g, ",");

/** "12,345". */
export function count(value: number): string {
  const whole = Math.trunc(value);
  return Math.abs(whole) < 1e21
    ? sign(`${whole < 0 ? "-" : ""}${grouped(String(Math.abs(whole)))}`)
    : figure(value);
}

/** "1 step", "2 steps". */
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

/** Four significant digits: "1.14", "0.0525", "12,345", "1.23e6", "NaN", "∞"; "–" where nothing was written. */
export function figure(value: number | null): string {
  if (value === null) return "–";
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : `${MINUS}∞`;
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) {
    const [mantissa = "", power = ""] = value.toExponential(3).split("e");
    const short = mantissa.replace(/\.?0+$/, "");
    return sign(`${short}e${power.replace("+", "").replace("-", MINUS)}`);
  }
  const [whole = "", fraction = ""] = String(Number(value.toPrecision(size >= 1000 ? 6 : 4))).split(".");
  const minus = whole.startsWith("-");
  const text = `${minus ? "-" : ""}${grouped(whole.replace("-", ""))}`;
  return sign(fraction === "" ? text : `${text}.${fraction}`);
}

/** A step, or what lies between two. */
export const stepFigure = (step: number): string => (Number.isInteger(step) ? count(step) : figure(step));

/** Latest moment that a date can hold, in milliseconds. */
const MAX_DATE = 8.64e15;

/** "2026-03-09 18:21 UTC"; "" for what is no moment. */
export function moment(ms: number | null): string {
  if (ms === null || !Number.isFinite(ms) || Math.abs(ms) > MAX_DATE) return "";
  const text = new Date(ms).toISOString();
  return `${text.slice(0, -8).replace("T", " ")} UTC`;
}

/** Multiples of a round number in a range, at most about `most`; none where numbers are too coarse for it. */
export function ticks(lo: number, hi: number, most: number, whole = false): number[] {
  const span = hi - lo;
  if (!(span > 0) || !Number.isFinite(span)) return [];
  const power = 10 ** Math.floor(Math.log10(span / most));
  if (!(power > 0) || !Number.isFinite(power)) return [];
  const step = [1, 2, 2.5, 5, 10, 20]
    .map((part) => part * power)
    .find((s) => span / s <= most && (!whole || Number.isInteger(s)));
  if (step === undefined) return whole ? [lo, hi].filter(Number.isInteger) : [];
  const first = Math.ceil(lo / step - 1e-9);
  const last = Math.floor(hi / step + 1e-9);
  if (!(last - first <= 2 * most)) return [];
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}
