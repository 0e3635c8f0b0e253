import { type Phrase, phrase } from "../phrase.ts";
import type { DoctorRun } from "../run.ts";
import { defineSignature, type Report } from "../types.ts";

const WATCHED = [
  "loss",
  "grad_norm",
  "kl_mean",
  "entropy_mean",
  "reward_mean",
  "value_loss",
  "adv_std",
] as const;

export default defineSignature({
  id: "FD_NON_FINITE",
  title: "Values that are no numbers",
  severity: "warn",
  needs: WATCHED,
  needsAny: true,
  params: {
    tail: {
      default: 5,
      min: 1,
      max: 10_000,
      integer: true,
      doc: "So many at the end of a metric make it critical.",
    },
  },
  samples: { sort: "advantage", descending: true, why: "the completions of the first step with NaN or Inf" },
  pages: {
    what: "NaN or an infinity was recorded for a metric that training rests on. rlprobe counts gradient values only; a loss or KL that is no number passes it by, and a tail of NaN hides what the values before it show.",
    looks: "Marks at the edge of a chart where the line has a gap; a line that ends early.",
    tries: [
      "Find the first step with one: what was in that batch?",
      "Train in bf16 instead of fp16, or scale the loss.",
      "Lower the learning rate and clip gradients.",
      "If it goes on to the end: go back to a checkpoint before the first.",
    ],
    falseAlarms: "A metric whose trainer writes NaN for “nothing to measure” in some steps.",
  },
  inspect(run, p) {
    const reports: Report[] = [];
    for (const metric of WATCHED) {
      const report = reportOf(run, metric, p.tail);
      if (report) reports.push(report);
    }
    return { reports };
  },
});

function reportOf(run: DoctorRun, metric: string, tail: number): Report | null {
  const rows = run.nonFinite(metric);
  const [first] = rows;
  if (first === undefined) return null;
  const x = run.series(metric);
  const nan = rows.reduce((n, row) => n + (Number.isNaN(x[row]) ? 1 : 0), 0);
  const toTheEnd = tailLength(run, metric, rows) >= tail;
  return {
    severity: toTheEnd ? "critical" : "warn",
    confidence: toTheEnd ? 0.99 : 0.9,
    onset: first,
    evidence: [{ metric, n_nan: nan, n_inf: rows.length - nan, to_the_end: toTheEnd }],
    phrase: wordsOf(metric, rows.length, toTheEnd),
    drawings: [{ metric }],
  };
}

/** Rows at the end of what was written that are no numbers, one after another. */
function tailLength(run: DoctorRun, metric: string, rows: readonly number[]): number {
  if (rows.at(-1) !== run.lastWritten(metric)) return 0;
  let n = 1;
  while (n < rows.length && rows[rows.length - 1 - n] === (rows[rows.length - n] as number) - 1) n++;
  return n;
}

function wordsOf(metric: string, steps: number, toTheEnd: boolean): Phrase {
  if (toTheEnd)
    return steps === 1
      ? phrase("{0} is NaN or infinite at {1} step, and to the end.", metric, steps)
      : phrase("{0} is NaN or infinite at {1} steps, and to the end.", metric, steps);
  return steps === 1
    ? phrase("{0} is NaN or infinite at {1} step.", metric, steps)
    : phrase("{0} is NaN or infinite at {1} steps.", metric, steps);
}
