import { early, late, mean } from "../../stats/series.ts";
import { earlyRows, figure, lateRows } from "../measures.ts";
import { type Phrase, phrase } from "../phrase.ts";
import type { DoctorRun } from "../run.ts";
import { defineSignature, type Report } from "../types.ts";

/** Broken when the metric stays on this side of the limit in the early and in the late window. */
interface Rule {
  readonly metric: string;
  readonly param: "entropy_below" | "kl_above" | "zero_variance_above" | "adv_below" | "reward_std_below";
  readonly above: boolean;
  readonly says: (metric: string, start: string, end: string) => Phrase;
}

const RULES: readonly Rule[] = [
  {
    metric: "entropy_mean",
    param: "entropy_below",
    above: false,
    says: (...of) => phrase("{0} is {1} at first and {2} at the end: the policy never explored.", ...of),
  },
  {
    metric: "kl_mean",
    param: "kl_above",
    above: true,
    says: (...of) =>
      phrase(
        "{0} is {1} at first and {2} at the end: the policy was far from the reference from the start.",
        ...of,
      ),
  },
  {
    metric: "zero_variance_group_frac",
    param: "zero_variance_above",
    above: true,
    says: (...of) =>
      phrase(
        "{0} is {1} at first and {2} at the end: hardly a group ever had a difference in reward.",
        ...of,
      ),
  },
  {
    metric: "adv_std",
    param: "adv_below",
    above: false,
    says: (...of) =>
      phrase("{0} is {1} at first and {2} at the end: there never was an advantage to learn from.", ...of),
  },
  {
    metric: "reward_std",
    param: "reward_std_below",
    above: false,
    says: (...of) => phrase("{0} is {1} at first and {2} at the end: rewards never differed.", ...of),
  },
];

export default defineSignature({
  id: "FD_NEVER_HEALTHY",
  title: "Never healthy",
  severity: "warn",
  needs: RULES.map((r) => r.metric),
  needsAny: true,
  params: {
    entropy_below: { default: 0.02, min: 0, max: 100, doc: "Entropy below this from first to last." },
    kl_above: { default: 5, min: 0, max: 1000, doc: "KL above this from first to last." },
    zero_variance_above: {
      default: 0.9,
      min: 0,
      max: 1,
      doc: "Share of groups without variance above this throughout.",
    },
    adv_below: { default: 0.01, min: 0, max: 100, doc: "Spread of advantages below this throughout." },
    reward_std_below: { default: 0.001, min: 0, max: 100, doc: "Spread of reward below this throughout." },
  },
  samples: { sort: "reward_total", descending: true, why: "completions of the first steps" },
  pages: {
    what: "Something was broken before the first step. rlprobe's signatures compare the end with a healthy beginning; a run that never had one passes them.",
    looks: "A flat line in the wrong place from step one.",
    tries: [
      "Look at the completions of the first steps: are they what the task asks for?",
      "Check reward function, chat template and reference model before training on.",
      "Run one batch by hand and score it.",
    ],
    falseAlarms: "Continuing a run that had already converged.",
  },
  inspect(run, p) {
    const reports = RULES.flatMap((rule) => reportOf(run, rule, p[rule.param]) ?? []);
    return { reports };
  },
});

function reportOf(run: DoctorRun, { metric, above, says }: Rule, limit: number): Report | null {
  if (!run.has(metric)) return null;
  const x = run.series(metric);
  const start = mean(early(x));
  const end = mean(late(x));
  const isBroken = (v: number) => (above ? v > limit : v < limit);
  if (!isBroken(start) || !isBroken(end)) return null;
  return {
    confidence: 0.7,
    onset: x.findIndex((v) => !Number.isNaN(v)),
    evidence: [{ metric, early_mean: start, late_mean: end, threshold: limit }],
    phrase: says(metric, figure(start), figure(end)),
    drawings: [{ metric, threshold: limit, early: earlyRows(run.rows), late: lateRows(run.rows) }],
  };
}
