import { percent } from "../measures.ts";
import { phrase } from "../phrase.ts";
import { inspectSaturation } from "../saturated.ts";
import { defineSignature } from "../types.ts";

export default defineSignature({
  id: "CLIP_SATURATION",
  title: "Clip saturation",
  severity: "warn",
  needs: ["clip_fraction"],
  params: {
    threshold: { default: 0.3, min: 0, max: 1, doc: "Share of tokens whose ratio is clipped." },
    sustain: { default: 20, min: 1, max: 10_000, integer: true, doc: "Rows in a row above it." },
  },
  samples: { sort: "advantage", descending: true, why: "the completions whose advantages push the hardest" },
  pages: {
    what: "The clip of PPO and GRPO cuts off updates that would move far from the policy that made the rollouts. When it cuts most of the time, most of the gradient is thrown away, and what is left is skewed.",
    looks: "The clip fraction climbs from a few percent and stays high.",
    tries: [
      "Lower the learning rate.",
      "Do fewer optimizer epochs on one batch of rollouts, so that data is fresher.",
      "Look at the upper ratios (ratio_p95): is the drift one-sided?",
    ],
    falseAlarms: "Very narrow clip ranges, chosen on purpose.",
  },
  inspect: (run, p) =>
    inspectSaturation(run, "clip_fraction", p, (end) =>
      phrase("{0} of the tokens are clipped in the last steps; healthy runs clip 5 to 15%.", percent(end)),
    ),
});
