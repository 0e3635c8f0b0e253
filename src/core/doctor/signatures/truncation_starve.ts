import { early, late, mean, sustained } from "../../stats/series.ts";
import { below, earlyRows, lateRows, margin, percent } from "../measures.ts";
import { phrase } from "../phrase.ts";
import { defineSignature } from "../types.ts";

export default defineSignature({
  id: "TRUNCATION_STARVE",
  title: "Answers are cut off",
  severity: "warn",
  needs: ["truncation_rate"],
  params: {
    threshold: { default: 0.5, min: 0, max: 1, doc: "Share of completions that hit the length limit." },
    growth_ratio: {
      default: 2,
      min: 1,
      max: 1000,
      doc: "Rising: the late share is this many times the early one.",
    },
    chronic_frac: {
      default: 0.8,
      min: 0,
      max: 1,
      doc: "Chronic: the share over the whole run is above this.",
    },
  },
  samples: { sort: "completion_len", descending: true, why: "the completions that ran into the limit" },
  pages: {
    what: "Completions run into the limit on new tokens instead of ending. Reward is then paid for half an answer, and the limit decides where an answer stops, not the policy.",
    looks: "The truncation rate climbs, mostly along with length; or it is near one from the start.",
    tries: [
      "Raise the limit on new tokens, or penalise answers that do not end.",
      "If length grows too, deal with that first.",
      "Check the end-of-sequence token: chat template, stop tokens.",
    ],
    falseAlarms: "A limit that is kept low on purpose to save time.",
  },
  inspect(run, p) {
    const x = run.series("truncation_rate");
    const end = mean(late(x));
    if (Number.isNaN(end)) return { reports: [] };
    if (end <= p.threshold) return { reports: [], distance: below(end, p.threshold) };
    const start = mean(early(x));
    const rising = !Number.isNaN(start) && end > p.growth_ratio * Math.max(start, 0.01);
    const chronic = mean(x) > p.chronic_frac;
    if (!rising && !chronic)
      return { reports: [], distance: below(end, p.growth_ratio * Math.max(start, 0.01)) };
    return {
      reports: [
        {
          confidence: margin(end, p.threshold, 0.7),
          onset: sustained(x, (v) => v > p.threshold, 5),
          evidence: [{ metric: "truncation_rate", early_mean: start, late_mean: end }],
          phrase: rising
            ? phrase(
                "{0} of the completions hit the length limit in the last steps; {1} did at first.",
                percent(end),
                percent(start),
              )
            : phrase(
                "{0} of the completions hit the length limit in the last steps, and most did all along.",
                percent(end),
              ),
          drawings: [
            {
              metric: "truncation_rate",
              threshold: p.threshold,
              early: earlyRows(run.rows),
              late: lateRows(run.rows),
            },
          ],
        },
      ],
    };
  },
});
