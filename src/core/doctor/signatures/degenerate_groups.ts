import { percent } from "../measures.ts";
import { phrase } from "../phrase.ts";
import { inspectSaturation } from "../saturated.ts";
import { defineSignature } from "../types.ts";

export default defineSignature({
  id: "DEGENERATE_GROUPS",
  title: "Degenerate groups",
  severity: "warn",
  needs: ["zero_variance_group_frac"],
  params: {
    threshold: { default: 0.4, min: 0, max: 1, doc: "Share of groups whose rewards are all equal." },
    sustain: { default: 15, min: 1, max: 10_000, integer: true, doc: "Rows in a row above it." },
  },
  samples: {
    sort: "reward_total",
    descending: false,
    why: "the worst of the groups: all wrong, or all right?",
  },
  pages: {
    what: "GRPO learns from differences inside a group of answers to one prompt. A group in which all answers earn the same, all right or all wrong, teaches nothing: it costs its rollouts and gives no gradient.",
    looks: "The share of groups without variance rises and stays up.",
    tries: [
      "All right: take harder prompts, or drop those that are solved.",
      "All wrong: take easier prompts, or give partial credit.",
      "Sample more completions a prompt.",
      "Raise the sampling temperature.",
    ],
    falseAlarms: "Rewards of few values with small groups, where ties are common from the start.",
  },
  inspect: (run, p) =>
    inspectSaturation(run, "zero_variance_group_frac", p, (end) =>
      phrase(
        "{0} of the groups have no difference in reward in the last steps: they give no gradient.",
        percent(end),
      ),
    ),
});
