import { max, median, sum } from "../../stats/series.ts";
import { below, figure } from "../measures.ts";
import { phrase } from "../phrase.ts";
import type { DoctorRun } from "../run.ts";
import { defineSignature, type Report } from "../types.ts";

export default defineSignature({
  id: "GRAD_PATHOLOGY",
  title: "Gradient pathology",
  severity: "critical",
  needs: ["nan_count", "inf_count", "grad_norm"],
  needsAny: true,
  params: {
    spike_ratio: {
      default: 10,
      min: 1,
      max: 10_000,
      doc: "A gradient norm above this many times the median is a spike.",
    },
    min_spikes: { default: 3, min: 1, max: 10_000, integer: true, doc: "So many spikes make a finding." },
  },
  samples: {
    sort: "advantage",
    descending: true,
    why: "the completions with the most weight at the first spike",
  },
  pages: {
    what: "Gradients that are not numbers, or that jump to many times their usual size. One NaN update can ruin weights for good; spikes tell of overflow, a bad batch or a learning rate that is far too high.",
    looks: "Counts of NaN or Inf above zero; sharp needles on the gradient norm.",
    tries: [
      "Train in bf16 instead of fp16, or scale the loss.",
      "Clip gradients harder.",
      "Lower the learning rate.",
      "Go back to a checkpoint before the first NaN: weights may be spoiled.",
      "Look at the samples of the steps with spikes.",
    ],
    falseAlarms: "Spikes in the first steps of a warm-up.",
  },
  inspect(run, p) {
    const reports: Report[] = [];
    const counted = countReport(run);
    if (counted) reports.push(counted);
    if (!run.has("grad_norm")) return { reports };
    const grad = run.series("grad_norm");
    const middle = median(grad);
    if (!(middle > 0)) return { reports };
    const level = p.spike_ratio * middle;
    let spikes = 0;
    let first = -1;
    grad.forEach((v, i) => {
      if (!(v > level)) return;
      spikes++;
      if (first < 0) first = i;
    });
    if (spikes < p.min_spikes) return { reports, distance: below(spikes, p.min_spikes) };
    reports.push({
      confidence: 0.85,
      onset: first,
      evidence: [{ metric: "grad_norm", median: middle, n_spikes: spikes, max: max(grad) }],
      phrase: phrase(
        "The gradient norm is above {0}× its median of {1} at {2} steps, up to {3}.",
        figure(p.spike_ratio),
        figure(middle),
        spikes,
        figure(max(grad)),
      ),
      drawings: [{ metric: "grad_norm", threshold: level }],
    });
    return { reports };
  },
});

function countReport(run: DoctorRun): Report | null {
  const nan = run.series("nan_count");
  const inf = run.series("inf_count");
  const total = sum(nan) + sum(inf);
  if (!(total > 0)) return null;
  const zero = (v: number | undefined) => (v === undefined || Number.isNaN(v) ? 0 : v);
  const onset = nan.findIndex((v, i) => zero(v) + zero(inf[i]) > 0);
  return {
    confidence: 0.99,
    onset,
    evidence: [{ metric: "nan_count+inf_count", total: Math.trunc(total) }],
    phrase: phrase("{0} gradient values were NaN or infinite.", Math.trunc(total)),
    drawings: [{ metric: "nan_count" }, { metric: "inf_count" }],
  };
}
