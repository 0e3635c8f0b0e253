import { early, late, mean, sustained } from "../../stats/series.ts";
import { above, below, earlyRows, figure, lateRows } from "../measures.ts";
import { phrase } from "../phrase.ts";
import { defineSignature } from "../types.ts";

export default defineSignature({
  id: "ADV_COLLAPSE",
  title: "Advantage collapse",
  severity: "warn",
  needs: ["adv_std"],
  params: {
    collapse_below: {
      default: 0.1,
      min: 0,
      max: 100,
      doc: "Late spread of advantages below this is a collapse.",
    },
    healthy_early: { default: 0.5, min: 0, max: 100, doc: "The early spread must have been above this." },
    sustain: { default: 5, min: 1, max: 10_000, integer: true, doc: "Rows in a row below the limit." },
  },
  samples: { sort: "advantage", descending: true, why: "the largest advantages that are left" },
  pages: {
    what: "Advantages say which answers were better than expected; they are what the policy learns from. When all of them are near zero the gradient is gone, however good the reward looks.",
    looks: "The spread of advantages falls to almost nothing across the whole batch.",
    tries: [
      "Look at how rewards are scaled and normalised.",
      "Check whether reward is at its ceiling for everyone.",
      "Compare with the share of groups without variance and the spread of reward.",
    ],
    falseAlarms: "Normalisation that scales advantages down on purpose.",
  },
  inspect(run, p) {
    const x = run.series("adv_std");
    const start = mean(early(x));
    const end = mean(late(x));
    if (Number.isNaN(start) || Number.isNaN(end)) return { reports: [] };
    if (end >= p.collapse_below) return { reports: [], distance: above(end, p.collapse_below) };
    if (start <= p.healthy_early) return { reports: [], distance: below(start, p.healthy_early) };
    return {
      reports: [
        {
          confidence: 0.8,
          onset: sustained(x, (v) => v < p.collapse_below, p.sustain),
          evidence: [{ metric: "adv_std", early_mean: start, late_mean: end }],
          phrase: phrase(
            "The spread of advantages fell from {0} to {1}: there is hardly any signal left.",
            figure(start),
            figure(end),
          ),
          drawings: [
            {
              metric: "adv_std",
              threshold: p.collapse_below,
              early: earlyRows(run.rows),
              late: lateRows(run.rows),
            },
          ],
        },
      ],
    };
  },
});
