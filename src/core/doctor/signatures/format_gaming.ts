import { REWARD_COMPONENT } from "../../format/names.ts";
import { early, late, max, mean, min, sustained } from "../../stats/series.ts";
import { isRising, trend } from "../../stats/trend.ts";
import { below, earlyRows, figure, lateRows, percent } from "../measures.ts";
import { type Phrase, phrase } from "../phrase.ts";
import { type Distance, defineSignature, type Report } from "../types.ts";

export default defineSignature({
  id: "FORMAT_GAMING",
  title: "Format gaming",
  severity: "warn",
  needs: ["reward_component.*"],
  params: {
    ceiling_tol: {
      default: 0.02,
      min: 0,
      max: 1,
      doc: "Within this share of its range a component counts as at its ceiling.",
    },
    plateau_frac: {
      default: 0.8,
      min: 0,
      max: 1,
      doc: "Share of the late rows that must be at the ceiling.",
    },
    min_rise_frac: {
      default: 0.3,
      min: 0,
      max: 1,
      doc: "It must have risen by more than this share of its range.",
    },
  },
  samples: {
    sort: "reward_total",
    descending: true,
    why: "the best-rewarded completions: what do they do for it?",
  },
  pages: {
    what: "One part of the reward is maxed out while the others no longer improve. The policy takes what pays at once (format, mostly) and leaves the task.",
    looks: "One component climbs to its ceiling and stays; the others lie flat from then on.",
    tries: [
      "Give the finished component less weight, or make it a condition instead of a score.",
      "Make it harder.",
      "Check that the other components can still vary on what the policy writes now.",
    ],
    falseAlarms:
      "A component that is meant to be learned first, early in a run that goes on improving later.",
  },
  inspect(run, p) {
    const half = Math.floor(run.rows / 2);
    const reports: Report[] = [];
    let nearest: Distance | null = null;
    if (run.components.length < 2) return { reports };
    const stagnates = new Map<string, boolean>();
    const isStagnant = (name: string, x: Float64Array): boolean => {
      const known = stagnates.get(name) ?? !isRising(trend(x.subarray(half)));
      stagnates.set(name, known);
      return known;
    };
    for (const [name, x] of run.components) {
      const ceiling = max(x);
      const range = ceiling - min(x);
      if (range <= 1e-9) continue;
      const rise = mean(late(x)) - mean(early(x));
      const floor = ceiling - p.ceiling_tol * range;
      const end = late(x, 0.3, 15);
      const plateau = end.reduce((n, v) => n + (v >= floor ? 1 : 0), 0) / end.length;
      const distance = below(plateau, p.plateau_frac);
      if (distance && (!nearest || distance.ratio > nearest.ratio)) nearest = distance;
      // A rise of NaN goes on, as it does in rlprobe.
      if (plateau < p.plateau_frac || rise <= p.min_rise_frac * range) continue;
      const stagnant = run.components
        .filter(([other, y]) => other !== name && isStagnant(other, y))
        .map(([other]) => other);
      if (stagnant.length === 0) continue;
      const metric = REWARD_COMPONENT + name;
      reports.push({
        confidence: 0.75,
        onset: sustained(x, (v) => v >= floor, 10),
        evidence: [
          { component: name, ceiling, plateau_frac: plateau, rise },
          ...stagnant.map((other) => ({ stagnant_component: other })),
        ],
        phrase: gamed(stagnant, name, figure(ceiling), percent(plateau)),
        drawings: [
          { metric, threshold: floor, early: earlyRows(run.rows), late: lateRows(run.rows, 0.3, 15) },
          ...stagnant.map((other) => ({ metric: REWARD_COMPONENT + other })),
        ],
      });
    }
    return nearest ? { reports, distance: nearest } : { reports };
  },
});

function gamed(stagnant: readonly string[], name: string, ceiling: string, plateau: string): Phrase {
  const others = stagnant.map((other) => `“${other}”`).join(", ");
  return stagnant.length === 1
    ? phrase(
        "The reward component “{0}” is at its ceiling of {1} in {2} of the last steps; {3} no longer improves.",
        ...[name, ceiling, plateau, others],
      )
    : phrase(
        "The reward component “{0}” is at its ceiling of {1} in {2} of the last steps; {3} no longer improve.",
        ...[name, ceiling, plateau, others],
      );
}
