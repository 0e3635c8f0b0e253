/** What a comparison of two comes to, in sentences. */
import type { PairView } from "../protocol/compare.ts";
import { plural } from "./figures.ts";

/** @returns a sentence that can hold a metric's name, which is recorded text */
export function firstWords({ metrics, first, compared, comparedOurs }: PairView): string {
  const found = metrics.find(({ metric }) => metric === first);
  if (found?.divergence) return `The runs part at step ${found.divergence.text}, first in ${found.title}.`;
  if (compared + comparedOurs === 0) return "Too few rows meet: no metric is compared.";
  return metrics.some(({ divergence, separation }) => divergence ?? separation)
    ? "No metric diverges by rlprobe's rule; some part by Flight Deck's own."
    : "No metric diverges: the runs track each other.";
}

export function pairWords({ metrics, commonSteps, compared, comparedOurs }: PairView): string {
  const diverge = (isOurs: boolean): string => {
    const parted = metrics.filter(({ divergence, ours }) => divergence !== null && ours === isOurs).length;
    return `${parted} of them ${parted === 1 ? "diverges" : "diverge"}`;
  };
  const ours =
    comparedOurs > 0 ? `; ${comparedOurs} more compared by Flight Deck only, ${diverge(true)}` : "";
  return `${plural(commonSteps, "common step")}, ${plural(compared, "metric")} compared, ${diverge(false)}${ours}.`;
}
