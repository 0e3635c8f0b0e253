import { early, late, longest, mean, sustained } from "../../stats/series.ts";
import { isRising, trend } from "../../stats/trend.ts";
import { above, below, earlyRows, figure, lateRows } from "../measures.ts";
import { phrase } from "../phrase.ts";
import type { DoctorRun } from "../run.ts";
import { defineSignature, type Verdict } from "../types.ts";

export default defineSignature({
  id: "VALUE_DIVERGENCE",
  title: "Value divergence",
  severity: "warn",
  needs: ["value_explained_variance", "value_loss"],
  needsAny: true,
  params: {
    ev_floor: {
      default: 0,
      min: -10,
      max: 1,
      doc: "Explained variance below this is worse than no prediction.",
    },
    sustain: { default: 10, min: 1, max: 10_000, integer: true, doc: "Rows in a row below it." },
    loss_ratio: {
      default: 3,
      min: 1,
      max: 1000,
      doc: "Without explained variance: late value loss over early.",
    },
  },
  samples: { sort: "advantage", descending: true, why: "advantages that rest on wrong value estimates" },
  pages: {
    what: "PPO measures advantages against a learned value. When that value predicts returns worse than their mean would, advantages are noise, and the policy follows the noise.",
    looks:
      "Explained variance falls below zero and stays there; or the value loss multiplies and keeps rising.",
    tries: [
      "Lower the learning rate of the value head, or warm it up first.",
      "Look at lambda and gamma of GAE.",
      "Check the scale of rewards: huge returns upset the regression.",
      "Clip value updates.",
    ],
    falseAlarms: "The first steps of a new value head, before it has seen anything.",
  },
  inspect(run, p) {
    const byVariance = run.has("value_explained_variance")
      ? inspectVariance(run, p.ev_floor, p.sustain)
      : null;
    if (byVariance && byVariance.reports.length > 0) return byVariance;
    const byLoss = run.has("value_loss") ? inspectLoss(run, p.loss_ratio) : null;
    if (byLoss && byLoss.reports.length > 0) return byLoss;
    return byVariance ?? byLoss ?? { reports: [] };
  },
});

function inspectVariance(run: DoctorRun, floor: number, sustain: number): Verdict {
  const ev = run.series("value_explained_variance");
  const isLow = (v: number) => v < floor;
  const onset = sustained(ev, isLow, sustain);
  const end = mean(late(ev));
  if (onset < 0 || !(end < floor))
    return { reports: [], distance: above(end, floor) ?? below(longest(ev, isLow), sustain) };
  return {
    reports: [
      {
        confidence: 0.85,
        onset,
        evidence: [{ metric: "value_explained_variance", late_mean: end }],
        phrase: phrase(
          "The value head explains {0} of the variance of returns in the last steps: less than their mean would.",
          figure(end),
        ),
        drawings: [{ metric: "value_explained_variance", threshold: floor, late: lateRows(run.rows) }],
      },
    ],
  };
}

function inspectLoss(run: DoctorRun, ratio: number): Verdict {
  const loss = run.series("value_loss");
  const start = mean(early(loss));
  const end = mean(late(loss));
  const t = trend(loss.subarray(Math.floor(loss.length / 2)));
  if (Number.isNaN(start) || start <= 0) return { reports: [] };
  if (!(end / start > ratio) || !isRising(t)) return { reports: [], distance: below(end / start, ratio) };
  return {
    reports: [
      {
        confidence: 0.7,
        onset: -1,
        evidence: [{ metric: "value_loss", early_mean: start, late_mean: end, trend_z: t.z }],
        phrase: phrase(
          "The value loss rose from {0} to {1} and is still rising.",
          figure(start),
          figure(end),
        ),
        drawings: [{ metric: "value_loss", early: earlyRows(run.rows), late: lateRows(run.rows) }],
      },
    ],
  };
}
