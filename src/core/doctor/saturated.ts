/** The rule that several signatures share: a share stays above a threshold for long, and is above it at the end. */
import { late, longest, mean, sustained } from "../stats/series.ts";
import { below, lateRows, margin } from "./measures.ts";
import type { Phrase } from "./phrase.ts";
import type { DoctorRun } from "./run.ts";
import type { Verdict } from "./types.ts";

/** @param phrase says what the late mean means */
export function inspectSaturation(
  run: DoctorRun,
  metric: string,
  p: { readonly threshold: number; readonly sustain: number },
  phrase: (lateMean: number) => Phrase,
): Verdict {
  const x = run.series(metric);
  const isHigh = (v: number) => v > p.threshold;
  const onset = sustained(x, isHigh, p.sustain);
  const end = mean(late(x));
  if (Number.isNaN(end)) return { reports: [] };
  if (onset < 0 || end <= p.threshold)
    return { reports: [], distance: below(end, p.threshold) ?? below(longest(x, isHigh), p.sustain) };
  return {
    reports: [
      {
        confidence: margin(end, p.threshold, 0.7),
        onset,
        evidence: [{ metric, late_mean: end, threshold: p.threshold }],
        phrase: phrase(end),
        drawings: [{ metric, threshold: p.threshold, late: lateRows(run.rows) }],
      },
    ],
  };
}
