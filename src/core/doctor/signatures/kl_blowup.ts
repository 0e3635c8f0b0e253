import { early, late, mean, median, sustained } from "../../stats/series.ts";
import { isRising, trend } from "../../stats/trend.ts";
import { below, earlyRows, figure, lateRows, margin } from "../measures.ts";
import { phrase } from "../phrase.ts";
import { defineSignature } from "../types.ts";

export default defineSignature({
  id: "KL_BLOWUP",
  title: "KL blow-up",
  severity: "critical",
  needs: ["kl_mean"],
  params: {
    ratio: { default: 8, min: 1, max: 1000, doc: "Late KL must exceed this many times its early median." },
    abs_floor: {
      default: 0.5,
      min: 0,
      max: 100,
      doc: "And be above this many nats, whatever its start was.",
    },
    sustain: { default: 3, min: 1, max: 1000, integer: true, doc: "Rows in a row above the onset level." },
  },
  samples: {
    sort: "kl_contribution",
    descending: true,
    why: "the completions that are farthest from the reference",
  },
  pages: {
    what: "The policy leaves the reference model at a growing pace. What it writes then lies outside of what the reward was made to judge, so reward can rise while the text falls apart.",
    looks:
      "KL to the reference stays near its start, then climbs and keeps climbing; reward often rises with it for a while.",
    tries: [
      "Raise the KL coefficient (beta), or set one if it is 0.",
      "Lower the learning rate.",
      "Check that the reference model is frozen and is the one that you mean.",
      "Go back to a checkpoint before the onset.",
    ],
    falseAlarms: "A run without a KL term on purpose, or one that is meant to move far from its start.",
  },
  inspect(run, p) {
    const kl = run.series("kl_mean");
    const baseline = median(early(kl));
    const end = mean(late(kl));
    if (Number.isNaN(end) || Number.isNaN(baseline)) return { reports: [] };
    const threshold = Math.max(p.ratio * Math.max(baseline, 1e-6), p.abs_floor);
    const t = trend(kl.subarray(Math.floor(kl.length / 2)));
    if (end <= threshold || !isRising(t)) return { reports: [], distance: below(end, threshold) };
    const level = Math.max(5 * baseline, threshold / 4);
    return {
      reports: [
        {
          confidence: margin(end, threshold, 0.75),
          onset: sustained(kl, (v) => v > level, p.sustain),
          evidence: [
            {
              metric: "kl_mean",
              early_median: baseline,
              late_mean: end,
              threshold,
              trend_z: t.z,
              trend_p: t.p,
            },
          ],
          phrase: phrase(
            "KL to the reference rose from {0} to {1} nats and is still rising; {2} would have been the limit.",
            figure(baseline),
            figure(end),
            figure(threshold),
          ),
          drawings: [{ metric: "kl_mean", threshold, early: earlyRows(run.rows), late: lateRows(run.rows) }],
        },
      ],
    };
  },
});
