import { early, late, max, mean, sustained } from "../../stats/series.ts";
import { above, below, earlyRows, figure, lateRows } from "../measures.ts";
import { phrase } from "../phrase.ts";
import { defineSignature } from "../types.ts";

export default defineSignature({
  id: "REWARD_STD_DEATH",
  title: "Reward spread dies",
  severity: "warn",
  needs: ["reward_std"],
  params: {
    death_below: { default: 0.05, min: 0, max: 100, doc: "Late spread of reward below this." },
    early_ratio: {
      default: 3,
      min: 1,
      max: 1000,
      doc: "The early spread must be at least this many times the late one.",
    },
  },
  samples: {
    sort: "reward_total",
    descending: true,
    why: "completions of that time: do they differ at all?",
  },
  pages: {
    what: "All completions earn the same. Policy gradients learn from differences in reward; without any there is no direction, whatever the mean is. Either everything is solved, or the policy does one thing only.",
    looks:
      "The spread of reward falls to almost nothing. Where reward is near its maximum the task is used up; where it is not, behaviour has collapsed.",
    tries: [
      "At the ceiling: bring harder prompts.",
      "Below it: look at entropy, and at what the completions have in common.",
      "Check that the reward's ceiling is where you think it is.",
    ],
    falseAlarms: "Very small reward scales: set death_below to fit them.",
  },
  inspect(run, p) {
    const x = run.series("reward_std");
    const start = mean(early(x));
    const end = mean(late(x));
    if (Number.isNaN(start) || Number.isNaN(end)) return { reports: [] };
    if (end >= p.death_below) return { reports: [], distance: above(end, p.death_below) };
    const fallen = p.early_ratio * end;
    if (start < fallen) return { reports: [], distance: below(start, fallen) };
    const reward = run.series("reward_mean");
    const atCeiling = run.has("reward_mean") && mean(late(reward)) > 0.8 * max(reward);
    return {
      reports: [
        {
          confidence: 0.8,
          onset: sustained(x, (v) => v < p.death_below, 5),
          evidence: [
            { metric: "reward_std", early_mean: start, late_mean: end, reward_at_ceiling: atCeiling },
          ],
          phrase: atCeiling
            ? phrase(
                "The spread of reward fell from {0} to {1}; reward is near its maximum, so the prompts may be used up.",
                figure(start),
                figure(end),
              )
            : phrase(
                "The spread of reward fell from {0} to {1}; reward is not near its maximum, so behaviour has collapsed or the reward is broken.",
                figure(start),
                figure(end),
              ),
          drawings: [
            {
              metric: "reward_std",
              threshold: p.death_below,
              early: earlyRows(run.rows),
              late: lateRows(run.rows),
            },
            { metric: "reward_mean" },
          ],
        },
      ],
    };
  },
});
