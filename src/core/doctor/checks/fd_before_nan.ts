import { diagnose } from "../engine.ts";
import { phrase } from "../phrase.ts";
import type { DoctorRun } from "../run.ts";
import { SIGNATURES } from "../signatures/index.ts";
import { defineSignature, MIN_ROWS, type Report } from "../types.ts";

export default defineSignature({
  id: "FD_BEFORE_NAN",
  title: "Hidden behind a tail of NaN",
  severity: "critical",
  needs: ["loss", "grad_norm", "kl_mean", "entropy_mean", "reward_mean", "adv_std", "reward_std"],
  needsAny: true,
  params: {
    tail: {
      default: 5,
      min: 1,
      max: 10_000,
      integer: true,
      doc: "Rows without a number at the end that count as a tail.",
    },
  },
  samples: { sort: "reward_total", descending: true, why: "completions from before the tail" },
  pages: {
    what: "A metric ends in NaN, which empties the late window that signatures look at. The same signatures, run over the steps before the tail, fire.",
    looks: "A collapse or a rise, then a line that stops.",
    tries: [
      "Treat the finding named in the evidence first.",
      "Then find the first NaN: it is often the last stage of the same failure.",
    ],
    falseAlarms: "As for the signature that is named.",
  },
  inspect(run, p) {
    const end = tailStart(run, this.needs, p.tail);
    if (end === null || end < MIN_ROWS) return { reports: [] };
    const known = new Set(diagnose(run, {}, SIGNATURES).findings.map((f) => f.signature));
    const hidden = diagnose(run.prefix(end), {}, SIGNATURES).findings.filter((f) => !known.has(f.signature));
    const reports: Report[] = hidden.map((f) => ({
      severity: f.severity,
      confidence: f.confidence * 0.9,
      onset: f.onsetRow,
      evidence: [{ signature: f.signature, rows_before_tail: end }, ...f.evidence],
      phrase: phrase("Before the values stop being numbers: {0}", f.phrase),
      drawings: f.drawings,
    }));
    return { reports };
  },
});

/** The earliest row from which one of the metrics holds no numbers to its end; null when all end in numbers. */
function tailStart(run: DoctorRun, metrics: readonly string[], tail: number): number | null {
  let earliest: number | null = null;
  for (const metric of metrics) {
    const rows = run.nonFinite(metric);
    const last = run.lastWritten(metric);
    if (rows.length < tail || rows.at(-1) !== last) continue;
    let n = 1;
    while (n < rows.length && rows[rows.length - 1 - n] === (rows[rows.length - n] as number) - 1) n++;
    const start = last - n + 1;
    if (n >= tail && (earliest === null || start < earliest)) earliest = start;
  }
  return earliest;
}
