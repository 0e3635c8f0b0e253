import { early, late, longest, mean, sustained } from "../../stats/series.ts";
import { below, earlyRows, figure, lateRows, margin } from "../measures.ts";
import { phrase } from "../phrase.ts";
import { defineSignature } from "../types.ts";

export default defineSignature({
  id: "REWARD_HACK_LENGTH",
  title: "Reward follows length",
  severity: "warn",
  needs: ["reward_mean", "completion_len_mean"],
  params: {
    corr_threshold: { default: 0.75, min: 0, max: 1, doc: "Correlation of reward and length above this." },
    corr_window: {
      default: 25,
      min: 4,
      max: 10_000,
      integer: true,
      doc: "Rows that the correlation is taken over.",
    },
    sustain: { default: 15, min: 1, max: 10_000, integer: true, doc: "Rows in a row above it." },
    len_growth: { default: 1.4, min: 1, max: 100, doc: "Late length must be this many times the early one." },
  },
  samples: {
    sort: "completion_len",
    descending: true,
    why: "the longest completions, with what they earned",
  },
  pages: {
    what: "Reward rises because completions get longer, not better. If length pays even a little (more keywords, more partial credit), padding is the cheapest way up.",
    looks: "Reward and completion length climb together, step by step, for a long stretch.",
    tries: [
      "Penalise length, or divide the reward by it.",
      "Read the longest well-rewarded completions: is there padding in them?",
      "Lower the limit on new tokens while you look.",
      "Score the same completions cut to equal length.",
    ],
    falseAlarms:
      "Tasks whose right answers need more steps as they get harder: reasoning that grows on purpose.",
  },
  inspect(run, p) {
    const length = run.series("completion_len_mean");
    const start = mean(early(length));
    const end = mean(late(length));
    if (Number.isNaN(start) || start <= 0) return { reports: [] };
    const growth = end / start;
    // Written so that a late mean of NaN goes on, as it does in rlprobe.
    if (growth < p.len_growth) return { reports: [], distance: below(growth - 1, p.len_growth - 1) };
    const correlation = run.correlation("reward_mean", "completion_len_mean", p.corr_window);
    const moves = (v: number) => v > p.corr_threshold;
    const onset = sustained(correlation, moves, p.sustain);
    if (onset < 0) return { reports: [], distance: below(longest(correlation, moves), p.sustain) };
    return {
      reports: [
        {
          confidence: margin(growth, p.len_growth, 0.7),
          onset,
          evidence: [
            { metric: "completion_len_mean", early_mean: start, late_mean: end },
            { metric: "rolling_corr(reward, length)", window: p.corr_window, threshold: p.corr_threshold },
          ],
          phrase: phrase(
            "Completions grew {0}× while reward moved with them: their correlation over {1} steps stays above {2} for {3} steps.",
            figure(growth),
            p.corr_window,
            figure(p.corr_threshold),
            p.sustain,
          ),
          drawings: [
            { metric: "completion_len_mean", early: earlyRows(run.rows), late: lateRows(run.rows) },
            { metric: "reward_mean" },
          ],
          links: "longest-rewarded",
        },
      ],
    };
  },
});
