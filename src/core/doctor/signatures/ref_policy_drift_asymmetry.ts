import { below, lateRows, margin, percent } from "../measures.ts";
import { phrase } from "../phrase.ts";
import type { DoctorRun } from "../run.ts";
import { defineSignature } from "../types.ts";

export default defineSignature({
  id: "REF_POLICY_DRIFT_ASYMMETRY",
  title: "Lopsided drift",
  severity: "warn",
  needs: ["kl_positional"],
  params: {
    share_threshold: {
      default: 0.45,
      min: 0,
      max: 1,
      doc: "Share of all KL that one part of the answer carries.",
    },
    min_kl: { default: 0.05, min: 0, max: 100, doc: "Below this sum over the parts nothing is said." },
    min_buckets: { default: 4, min: 2, max: 4096, integer: true, doc: "Parts that there must be." },
  },
  samples: {
    sort: "kl_contribution",
    descending: true,
    why: "the completions farthest from the reference: where do they differ?",
  },
  pages: {
    what: "Most of the distance to the reference lies in one part of the answer, often its first tokens. Learning spreads; a mismatch of chat template, prompt format or special tokens does not, and the KL term then pays for formatting.",
    looks: "One row of the heat map is bright, the others are not.",
    tries: [
      "Compare the exact tokens that policy and reference get for one prompt.",
      "Check chat template, beginning-of-sequence token and system prompt.",
    ],
    falseAlarms: "Tasks whose answers differ in one place only (a final choice).",
  },
  inspect(run, p) {
    const m = run.positional;
    if (!m || m.width < p.min_buckets) return { reports: [] };
    const means = lateMeans(run);
    let total = 0;
    let top = -1;
    means.forEach((v, b) => {
      if (Number.isNaN(v)) return;
      total += v;
      if (top < 0 || v > (means[top] as number)) top = b;
    });
    if (top < 0 || !Number.isFinite(total) || total < p.min_kl) return { reports: [] };
    const share = (means[top] as number) / total;
    if (share <= p.share_threshold) return { reports: [], distance: below(share, p.share_threshold) };
    return {
      reports: [
        {
          confidence: margin(share, p.share_threshold, 0.65),
          onset: -1,
          evidence: [{ metric: "kl_positional", bucket: top, share, bucket_means: means }],
          phrase: phrase(
            "{0} of the KL lies in part {1} of {2} of the answer.",
            percent(share),
            top + 1,
            m.width,
          ),
          drawings: [{ metric: "kl_positional", late: lateRows(run.rows) }],
        },
      ],
    };
  },
});

/** Mean of each bucket over the late rows, NaN left out. */
function lateMeans(run: DoctorRun): number[] {
  const { values, width } = run.positional as { values: Float64Array; width: number };
  const { from, to } = lateRows(run.rows);
  return Array.from({ length: width }, (_, b) => {
    let sum = 0;
    let n = 0;
    for (let row = from; row < to; row++) {
      const v = values[row * width + b] as number;
      if (Number.isNaN(v)) continue;
      sum += v;
      n++;
    }
    return n === 0 ? Number.NaN : sum / n;
  });
}
