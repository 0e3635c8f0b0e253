import { early, late, mean, sustained } from "../../stats/series.ts";
import { isRising, trend } from "../../stats/trend.ts";
import { above, below, earlyRows, lateRows, percent } from "../measures.ts";
import { phrase } from "../phrase.ts";
import { defineSignature } from "../types.ts";

export default defineSignature({
  id: "REPETITION_SPIRAL",
  title: "Repetition spiral",
  severity: "warn",
  needs: ["repetition_rate"],
  params: {
    late_above: { default: 0.3, min: 0, max: 1, doc: "Late repetition above this." },
    early_below: { default: 0.15, min: 0, max: 1, doc: "Early repetition must have been below this." },
  },
  samples: { sort: "completion_len", descending: true, why: "long completions of that time: do they loop?" },
  pages: {
    what: "Completions repeat themselves more and more. A loop that earns anything at all is easy to fall into and hard to leave, since low entropy feeds it.",
    looks: "The repetition rate climbs from almost nothing, often while entropy falls.",
    tries: [
      "Raise the temperature, or add an entropy bonus.",
      "Penalise repetition in the rollouts.",
      "Read the repeated samples: a few degenerate prompts often start it.",
    ],
    falseAlarms: "Answers with repeated structure by nature: tables, code.",
  },
  inspect(run, p) {
    const x = run.series("repetition_rate");
    const start = mean(early(x));
    const end = mean(late(x));
    if (Number.isNaN(start) || Number.isNaN(end)) return { reports: [] };
    const t = trend(x);
    if (!(end > p.late_above && start < p.early_below && isRising(t)))
      return { reports: [], distance: below(end, p.late_above) ?? above(start, p.early_below) };
    return {
      reports: [
        {
          confidence: 0.8,
          onset: sustained(x, (v) => v > p.late_above, 5),
          evidence: [{ metric: "repetition_rate", early_mean: start, late_mean: end, trend_z: t.z }],
          phrase: phrase("Repetition rose from {0} to {1}: completions loop.", percent(start), percent(end)),
          drawings: [
            {
              metric: "repetition_rate",
              threshold: p.late_above,
              early: earlyRows(run.rows),
              late: lateRows(run.rows),
            },
          ],
        },
      ],
    };
  },
});
