/** Time stamps of step rows: units, range, and the trace that a second run leaves in them. */
import type { Warn } from "../format/problems.ts";
import type { Column } from "../run/model.ts";

/** Clocks of one machine are corrected by less than this; a larger step back is another run's clock. */
const CLOCK_JITTER_S = 1;
/** The last second that a Date can hold. */
const MAX_SECONDS = 8.64e12;

/** Unix time as seconds passes this in the year 5138; what is larger was written in a finer unit. */
const SECONDS_BELOW = 1e11;
const UNITS = [
  { below: SECONDS_BELOW, divisor: 1, name: "seconds" },
  { below: 1e14, divisor: 1e3, name: "milliseconds" },
  { below: 1e17, divisor: 1e6, name: "microseconds" },
  { below: 1e20, divisor: 1e9, name: "nanoseconds" },
] as const;

/** The column as Unix seconds; values that no calendar holds become missing. The very same column when all is well. */
export function toUnixSeconds(column: Column, path: string, warn: Warn): Column {
  const unit = unitOf(column.values);
  const outside = countOutside(column.values, MAX_SECONDS * unit.divisor);
  if (unit.divisor === 1 && outside === 0) return column;
  if (unit.divisor !== 1)
    warn("timestamp-units", path, `they are in ${unit.name}, and shown as seconds`, { column: "timestamp" });
  if (outside > 0)
    warn("timestamp-range", path, "times lie beyond any calendar", { column: "timestamp", count: outside });
  const values = column.values.map((t) =>
    Math.abs(t / unit.divisor) > MAX_SECONDS ? Number.NaN : t / unit.divisor,
  );
  return { values, valid: Uint8Array.from(values, (t) => (Number.isNaN(t) ? 0 : 1)), exact: null };
}

/** Finite values that are farther from 0 than a limit. */
function countOutside(values: Float64Array, limit: number): number {
  let outside = 0;
  for (let i = 0; i < values.length; i++) {
    const distance = Math.abs(values[i] as number);
    if (distance > limit && distance < Number.POSITIVE_INFINITY) outside++;
  }
  return outside;
}

/** Rows that are looked at to tell the unit. */
const LOOKED_AT = 1001;

function unitOf(values: Float64Array): (typeof UNITS)[number] {
  const step = Math.max(1, Math.floor(values.length / LOOKED_AT));
  const some: number[] = [];
  for (let i = 0; i < values.length; i += step)
    if (Number.isFinite(values[i])) some.push(Math.abs(values[i] as number));
  some.sort((a, b) => a - b);
  const median = some[some.length >> 1] ?? 0;
  return UNITS.find((u) => median < u.below) ?? UNITS[0];
}

/**
 * Row from which on every time lies before every time above it: the files of an older run stand behind a newer one's.
 * A clock that wavers, or a summary row, does not look like that. -1 when there is no such row.
 */
export function firstOfOlderRun(timestamp: Column): number {
  const t = timestamp.values;
  if (!goesBack(t)) return -1;
  const latestFrom = new Float64Array(t.length + 1).fill(Number.NEGATIVE_INFINITY);
  for (let i = t.length - 1; i >= 0; i--) {
    const v = t[i] as number;
    latestFrom[i] = Math.max(latestFrom[i + 1] as number, Number.isFinite(v) ? v : Number.NEGATIVE_INFINITY);
  }
  let earliest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < t.length - 1; i++) {
    const latest = latestFrom[i] as number;
    if (i >= 2 && Number.isFinite(latest) && Number.isFinite(earliest) && latest < earliest - CLOCK_JITTER_S)
      return i;
    const v = t[i] as number;
    if (Number.isFinite(v)) earliest = Math.min(earliest, v);
  }
  return -1;
}

/** Whether a time lies before one above it, by more than a clock wavers: few runs do, and all are looked at with each new part. */
function goesBack(times: Float64Array): boolean {
  let latest = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < times.length; i++) {
    const t = times[i] as number;
    if (t < latest - CLOCK_JITTER_S) return true;
    if (t > latest && t < Number.POSITIVE_INFINITY) latest = t;
  }
  return false;
}
