import { early, late, mean } from "../../stats/series.ts";
import { isRising, trend } from "../../stats/trend.ts";
import { below, earlyRows, figure, lateRows } from "../measures.ts";
import { phrase } from "../phrase.ts";
import { defineSignature } from "../types.ts";

export default defineSignature({
  id: "THROUGHPUT_ROT",
  title: "Steps get slower",
  severity: "info",
  needs: ["step_time_s"],
  params: {
    ratio: { default: 1.4, min: 1, max: 1000, doc: "Late step time over early." },
  },
  samples: {
    sort: "completion_len",
    descending: true,
    why: "the longest completions: generation time follows length",
  },
  pages: {
    what: "Each step takes longer than the one before. Mostly a symptom: longer completions take longer to write.",
    looks: "Step time creeps up over the whole run.",
    tries: [
      "If length grows too, deal with that first.",
      "Otherwise compare generation time and optimisation time: which of them grows?",
      "Look for memory that fills up, or another job on the machine.",
    ],
    falseAlarms: "A curriculum whose later prompts are longer.",
  },
  inspect(run, p) {
    const x = run.series("step_time_s");
    const start = mean(early(x));
    const end = mean(late(x));
    if (Number.isNaN(start) || start <= 0 || Number.isNaN(end)) return { reports: [] };
    const t = trend(x);
    if (end / start <= p.ratio || !isRising(t)) return { reports: [], distance: below(end / start, p.ratio) };
    const length = run.series("completion_len_mean");
    const growing =
      run.has("completion_len_mean") && mean(late(length)) > 1.3 * Math.max(mean(early(length)), 1e-9);
    return {
      reports: [
        {
          confidence: 0.7,
          onset: -1,
          evidence: [
            { metric: "step_time_s", early_mean: start, late_mean: end, trend_z: t.z },
            { completion_length_growing: growing },
          ],
          phrase: growing
            ? phrase(
                "A step takes {0} s instead of {1} s; completions grew as well, which explains it.",
                figure(end),
                figure(start),
              )
            : phrase("A step takes {0} s instead of {1} s.", figure(end), figure(start)),
          drawings: [
            { metric: "step_time_s", early: earlyRows(run.rows), late: lateRows(run.rows) },
            ...(growing ? [{ metric: "completion_len_mean" }] : []),
          ],
        },
      ],
    };
  },
});
