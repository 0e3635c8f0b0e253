/** What a comparison of two runs finds. A is the baseline; gaps are A − B, as rlprobe has them, unless said otherwise; the views turn them round. */
import type { RowOrder } from "../run/model.ts";

/** How rows meet: equal step numbers, equal steps since each run's first, or nearest in seconds since each run's first time. */
export type Alignment = "step" | "relative" | "time";

export interface CompareSettings {
  /** Noise units beyond which a gap counts. */
  readonly z: number;
  /** Consecutive rows that it has to last. */
  readonly sustain: number;
  readonly align: Alignment;
  readonly order: RowOrder;
}

export const DEFAULT_SETTINGS: CompareSettings = { z: 4, sustain: 5, align: "step", order: "merged" };

/** Rows that have to meet before a metric is compared, and values that have to be there in both. */
export const MIN_COMMON = 30;

/** Places `[from, to)` among the rows that meet. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** rlprobe's rule for one metric. */
export interface Divergence {
  /** Places where both have a value. */
  readonly n: number;
  /** Place at which the gap leaves its early noise for `sustain` rows; -1 when it never does. */
  readonly at: number;
  /** Mean of the early gap. */
  readonly gapEarly: number;
  /** Its population standard deviation, kept above a floor. */
  readonly noise: number;
  readonly gapLate: number;
  readonly zLate: number;
  readonly higherLate: "a" | "b";
  readonly early: Window;
  readonly late: Window;
}

/** The second measure, which is ours: the gap changes its level once and for good. */
export interface Separation {
  /** First place of the new level. */
  readonly at: number;
  /** Mean gaps before and from there on. */
  readonly before: number;
  readonly after: number;
  /** The change in standard errors that allow for autocorrelation. */
  readonly score: number;
}

export interface MetricComparison extends Divergence {
  readonly metric: string;
  /** A metric that rlprobe does not compare. */
  readonly ours: boolean;
  readonly separation: Separation | null;
}

export interface SkippedMetric {
  readonly metric: string;
  readonly reason: "only-a" | "only-b" | "too-few";
  readonly n: number;
}
