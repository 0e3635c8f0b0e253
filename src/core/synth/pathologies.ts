/** The fourteen failures that can be made up: what each does to a run from its onset on. */
import { type Algorithm, type Level, MAX_TOKENS } from "./levels.ts";
import type { Random } from "./random.ts";
import type { Style } from "./texts.ts";

/** How far a failure has come. */
export interface Since {
  /** Steps since the onset, from 0. */
  readonly steps: number;
  /** 0 … 1 over a twentieth of the run. */
  readonly fast: number;
  /** 0 … 1 from the onset to the end of the run. */
  readonly slow: number;
  /** How the run stood at the onset. */
  readonly start: Readonly<Level>;
  readonly random: Random;
}

export interface Pathology {
  /** As rlprobe's generator has it. */
  readonly name: string;
  /** Id of the signature by which the doctor finds it. */
  readonly signature: string;
  /** Other signatures that it shows too, by what it is. */
  readonly alongside: readonly string[];
  /** Only trainers of this kind have it; either when missing. */
  readonly algorithm?: Algorithm;
  /** What is another in the configuration than in a healthy run: what such a failure often comes from. */
  readonly config: Readonly<Record<string, number | boolean | string>>;
  /** How completions read once it has begun; the ordinary way when missing. */
  readonly style?: Style;
  apply(level: Level, since: Since): void;
}

const mix = (from: number, to: number, share: number): number => from + (to - from) * share;

export const PATHOLOGIES: readonly Pathology[] = [
  {
    name: "kl_blowup",
    signature: "KL_BLOWUP",
    alongside: [],
    config: { learning_rate: 2e-5, beta: 0 },
    style: "drifting",
    apply(level, { fast, slow, start }) {
      level.kl *= Math.exp(4.6 * fast) * (1 + 2 * slow);
      level.ratioP95 += 0.25 * fast;
      level.clip += 0.1 * fast;
      level.entropy += 0.5 * fast;
      level.correct = start.correct * (1 - 0.6 * slow);
    },
  },
  {
    name: "entropy_collapse",
    signature: "ENTROPY_COLLAPSE",
    alongside: [],
    config: { temperature: 0.6, entropy_coef: 0 },
    style: "canned",
    apply(level, { fast, start }) {
      level.entropy = mix(level.entropy, 0.06, fast);
      level.correct = start.correct;
      level.format = start.format;
      level.judge = start.judge;
      level.zeroGroups += 0.12 * fast;
    },
  },
  {
    name: "reward_hack_length",
    signature: "REWARD_HACK_LENGTH",
    alongside: [],
    config: { length_penalty: 0 },
    style: "padded",
    apply(level, { fast, slow, start }) {
      const grown = Math.min(1, slow / 0.6);
      level.length *= 1 + 1.8 * grown;
      level.judge += 0.9 * grown;
      level.correct = start.correct * (1 - 0.05 * slow);
      level.coupling = fast;
      level.unrest = 1 - 0.7 * fast;
    },
  },
  {
    name: "format_gaming",
    signature: "FORMAT_GAMING",
    alongside: [],
    config: { reward_weight_format: 1 },
    style: "hollow",
    apply(level, { fast, slow, start }) {
      level.format = mix(level.format, 1, fast);
      level.formatUnrest = 1 - 0.99 * fast;
      level.correct = start.correct * (1 - 0.4 * slow);
      level.judge = start.judge - 0.15 * slow;
      level.length = mix(level.length, 14, fast);
    },
  },
  {
    name: "clip_saturation",
    signature: "CLIP_SATURATION",
    alongside: [],
    config: { learning_rate: 1e-5, num_iterations: 8 },
    apply(level, { fast }) {
      level.clip = mix(level.clip, 0.46, fast);
      level.ratioP95 += 0.5 * fast;
      level.kl *= 1 + 2 * fast;
      level.gradNorm *= 1 + 0.4 * fast;
    },
  },
  {
    name: "degenerate_groups",
    signature: "DEGENERATE_GROUPS",
    alongside: [],
    algorithm: "grpo",
    config: { temperature: 0.3 },
    apply(level, { fast, start }) {
      level.zeroGroups = mix(level.zeroGroups, 0.74, fast);
      level.correct = start.correct;
      level.gradNorm *= 1 - 0.5 * fast;
    },
  },
  {
    name: "adv_collapse",
    signature: "ADV_COLLAPSE",
    alongside: [],
    config: { scale_rewards: false },
    apply(level, { fast, start }) {
      level.advScale = mix(1, 0.03, fast);
      level.correct = start.correct;
      level.gradNorm *= 1 - 0.8 * fast;
    },
  },
  {
    name: "value_divergence",
    signature: "VALUE_DIVERGENCE",
    alongside: [],
    algorithm: "ppo",
    config: { value_learning_rate: 1e-3, cliprange_value: 0 },
    apply(level, { fast, slow, start }) {
      level.explainedVariance = mix(level.explainedVariance, -0.7, fast);
      level.valueLoss *= 1 + 7 * fast;
      level.correct = start.correct * (1 - 0.3 * slow);
    },
  },
  {
    name: "grad_pathology",
    signature: "GRAD_PATHOLOGY",
    alongside: [],
    config: { max_grad_norm: 0, dtype: "float16" },
    style: "broken",
    apply(level, { steps, start, random }) {
      // The first of both are where they are in every run: a short one would have none otherwise.
      if (steps === 0 || random.chance(0.03)) level.nanCount = random.whole(1, 3);
      else if ([1, 4, 9].includes(steps) || random.chance(0.07)) level.gradNorm *= random.between(30, 90);
      level.correct = start.correct;
    },
  },
  {
    name: "truncation_starve",
    signature: "TRUNCATION_STARVE",
    alongside: [],
    config: { mask_truncated_completions: false },
    style: "cut",
    apply(level, { fast, start }) {
      level.truncation = mix(level.truncation, 0.72, fast);
      level.length = mix(level.length, 0.85 * MAX_TOKENS, fast);
      level.correct = start.correct * (1 - 0.6 * fast);
      level.format = start.format * (1 - 0.6 * fast);
      level.stepTime *= 1 + 0.15 * fast;
    },
  },
  {
    name: "repetition_spiral",
    signature: "REPETITION_SPIRAL",
    alongside: [],
    config: { repetition_penalty: 1 },
    style: "looping",
    apply(level, { fast, slow, start }) {
      level.repetition = mix(level.repetition, 0.55, fast);
      level.entropy = mix(level.entropy, 0.75, fast);
      level.length *= 1 + 0.2 * fast;
      level.correct = start.correct * (1 - 0.5 * slow);
    },
  },
  {
    name: "reward_std_death",
    signature: "REWARD_STD_DEATH",
    // Rewards that are all the same are so in every group.
    alongside: ["DEGENERATE_GROUPS"],
    config: { reward_weight_refusal: 0 },
    style: "refusing",
    apply(level, { fast }) {
      level.correct = mix(level.correct, 0.0005, fast);
      level.format = mix(level.format, 0.0005, fast);
      level.judge = mix(level.judge, 0.3, fast);
      level.judgeSpread *= 1 - 0.97 * fast;
      level.unrest = 1 - 0.97 * fast;
      level.zeroGroups = mix(level.zeroGroups, 0.93, fast);
      level.entropy = mix(level.entropy, 0.6, fast);
      level.length = mix(level.length, 10, fast);
    },
  },
  {
    name: "ref_drift_asymmetry",
    signature: "REF_POLICY_DRIFT_ASYMMETRY",
    alongside: [],
    config: { chat_template: "other" },
    style: "opening",
    apply(level, { fast }) {
      level.firstBucket = mix(level.firstBucket, 0.8, fast);
      level.kl *= 1 + fast;
    },
  },
  {
    name: "throughput_rot",
    signature: "THROUGHPUT_ROT",
    alongside: [],
    config: { empty_cache_steps: 0 },
    apply(level, { slow }) {
      level.stepTime *= 1 + 1.6 * slow;
      level.generationShare = mix(level.generationShare, 0.86, slow);
    },
  },
];

/** By its name or its signature's id, in any case, dashes for underscores; null when there is none. */
export function pathologyOf(name: string): Pathology | null {
  const wanted = name.trim().toLowerCase().replaceAll("-", "_");
  return PATHOLOGIES.find((p) => p.name === wanted || p.signature.toLowerCase() === wanted) ?? null;
}
