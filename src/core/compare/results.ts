/** Rows of metrics.json over several runs: repeats over seeds, and whether two runs really differ. */
import cdf from "@stdlib/stats-base-dists-t-cdf";
import type { MetricRow } from "../format/records.ts";

/** Values of one benchmark, metric and horizon: one a seed. */
export interface Results {
  readonly n: number;
  readonly mean: number;
  /** Sample standard deviation; NaN for n < 2. */
  readonly sd: number;
  readonly min: number;
  readonly max: number;
  readonly seeds: readonly MetricRow["seed"][];
}

export interface Difference {
  /** Other minus baseline. */
  readonly value: number;
  /** 95% interval, degrees of freedom, two-sided p; NaN where there is no telling. */
  readonly low: number;
  readonly high: number;
  readonly df: number;
  readonly p: number;
}

export interface ResultsRow {
  readonly benchmark: string;
  readonly metric: string;
  readonly horizon: MetricRow["horizon"];
  /** One a run; `null` where it has no such row. */
  readonly results: readonly (Results | null)[];
}

/** In the order in which benchmark, metric and horizon first appear. */
export function resultsRows(runs: readonly (readonly MetricRow[])[]): ResultsRow[] {
  const groups = new Map<string, { readonly row: MetricRow; readonly byRun: MetricRow[][] }>();
  runs.forEach((rows, run) => {
    for (const row of rows) {
      const key = JSON.stringify([row.benchmark, row.metric, typeof row.horizon, String(row.horizon)]);
      let group = groups.get(key);
      if (!group) {
        group = { row, byRun: runs.map(() => []) };
        groups.set(key, group);
      }
      group.byRun[run]?.push(row);
    }
  });
  return [...groups.values()].map(({ row: { benchmark, metric, horizon }, byRun }) => ({
    benchmark,
    metric,
    horizon,
    results: byRun.map((rows) => (rows.length === 0 ? null : resultsOf(rows))),
  }));
}

function resultsOf(rows: readonly MetricRow[]): Results {
  const values = rows.map(({ value }) => value);
  const n = values.length;
  const mean = values.reduce((sum, v) => sum + v / n, 0);
  const squares = values.reduce((sum, v) => sum + (v - mean) ** 2, 0);
  return {
    n,
    mean,
    sd: n < 2 ? Number.NaN : Math.sqrt(squares / (n - 1)),
    min: values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
    max: values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY),
    seeds: rows.map(({ seed }) => seed),
  };
}

/** Welch's t: two means whose spreads may differ (Welch 1947, degrees of freedom by Satterthwaite 1946). */
export function welch(baseline: Results, other: Results, level = 0.95): Difference {
  const value = other.mean - baseline.mean;
  const a = baseline.sd ** 2 / baseline.n;
  const b = other.sd ** 2 / other.n;
  const error = Math.sqrt(a + b);
  // One seed, no spread at all, or a value that is no number: an interval would be made up.
  if (!(error > 0) || !Number.isFinite(error)) {
    return { value, low: Number.NaN, high: Number.NaN, df: Number.NaN, p: Number.NaN };
  }
  const df = (a + b) ** 2 / (a ** 2 / (baseline.n - 1) + b ** 2 / (other.n - 1));
  const reach = error * quantile((1 + level) / 2, df);
  return {
    value,
    low: value - reach,
    high: value + reach,
    df,
    p: 2 * cdf(-Math.abs(value) / error, df),
  };
}

/** Where Student's distribution reaches a share above a half: halving finds it to the last digits. */
export function quantile(share: number, df: number): number {
  let high = 1;
  while (cdf(high, df) < share) high *= 2;
  let low = 0;
  for (let i = 0; i < 100; i++) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) break;
    if (cdf(middle, df) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
