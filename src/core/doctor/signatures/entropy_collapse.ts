import { early, late, mean, sustained } from "../../stats/series.ts";
import { trend } from "../../stats/trend.ts";
import { above, below, earlyRows, figure, lateRows } from "../measures.ts";
import { phrase } from "../phrase.ts";
import { defineSignature } from "../types.ts";

export default defineSignature({
  id: "ENTROPY_COLLAPSE",
  title: "Entropy collapse",
  severity: "critical",
  needs: ["entropy_mean"],
  params: {
    collapse_below: { default: 0.25, min: 0, max: 100, doc: "Late entropy below this is a collapse." },
    healthy_early: { default: 1, min: 0, max: 100, doc: "Early entropy must have been above this." },
    sustain: { default: 3, min: 1, max: 1000, integer: true, doc: "Rows in a row below the limit." },
  },
  samples: { sort: "logprob_mean", descending: true, why: "the completions that the policy is surest of" },
  pages: {
    what: "The policy writes nearly the same thing every time. Policy gradients compare different answers to one prompt; without differences nothing is learned any more, and it does not come back by itself.",
    looks: "Entropy falls to almost nothing and stays there, mostly while reward stops moving.",
    tries: [
      "Add an entropy bonus or raise it.",
      "Raise the sampling temperature of rollouts.",
      "Lower the learning rate, above all early on.",
      "Look whether reward has reached its ceiling: then the prompts are used up.",
    ],
    falseAlarms: "Tasks with a single short right answer, where a sure policy is the aim.",
  },
  inspect(run, p) {
    const entropy = run.series("entropy_mean");
    const start = mean(early(entropy));
    const end = mean(late(entropy));
    if (Number.isNaN(start) || Number.isNaN(end)) return { reports: [] };
    if (end >= p.collapse_below) return { reports: [], distance: above(end, p.collapse_below) };
    if (start <= p.healthy_early) return { reports: [], distance: below(start, p.healthy_early) };
    const { z } = trend(late(run.series("reward_mean"), 0.4));
    const plateaued = Math.abs(z) < 1.96;
    return {
      reports: [
        {
          confidence: plateaued ? 0.9 : 0.75,
          onset: sustained(entropy, (v) => v < p.collapse_below, p.sustain),
          evidence: [
            {
              metric: "entropy_mean",
              early_mean: start,
              late_mean: end,
              collapse_threshold: p.collapse_below,
            },
            { metric: "reward_mean", late_trend_z: z },
          ],
          phrase: plateaued
            ? phrase(
                "Entropy fell from {0} to {1} nats, and reward has stopped moving.",
                figure(start),
                figure(end),
              )
            : phrase("Entropy fell from {0} to {1} nats.", figure(start), figure(end)),
          drawings: [
            {
              metric: "entropy_mean",
              threshold: p.collapse_below,
              early: earlyRows(run.rows),
              late: lateRows(run.rows),
            },
            { metric: "reward_mean", late: lateRows(run.rows, 0.4) },
          ],
        },
      ],
    };
  },
});
