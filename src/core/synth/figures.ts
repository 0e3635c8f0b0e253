/** The metrics of one step: a level, and what chance makes of it. */
import { type Algorithm, KL_BUCKETS, type Level, MAX_TOKENS } from "./levels.ts";
import type { Random } from "./random.ts";

/** Metrics by the format's names; `tokens_seen` is one that it does not know. */
export type StepMetrics = Readonly<
  Record<string, number | readonly number[] | Readonly<Record<string, number>>>
>;

/** A level with chance in it: what a batch of that step is drawn from. */
export interface Drawn extends Readonly<Level> {
  readonly rewardMean: number;
  readonly rewardStd: number;
}

/** What each part of the reward counts. */
export const WEIGHTS = { correctness: 1, format: 0.2, judge: 0.3 } as const;

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));
/** Smallest share that is not none. */
const SOME = 1e-4;

export function draw(level: Readonly<Level>, random: Random): Drawn {
  const share = (value: number, spread: number) => clamp(value + spread * random.normal(), 0, 1);
  const times = (value: number, spread: number) => value * Math.max(0.2, 1 + spread * random.normal());
  // What rewards and lengths have in common: nothing, in a healthy run.
  const common = level.coupling * random.normal();
  const correct = share(level.correct, 0.02 * level.unrest);
  const format = share(level.format, 0.03 * level.unrest * level.formatUnrest);
  const judge = Math.max(0, level.judge + 0.03 * level.unrest * random.normal() + 0.17 * common);
  const parts = variance(correct, WEIGHTS.correctness) + variance(format, WEIGHTS.format);
  const spread = Math.sqrt(parts + (WEIGHTS.judge * level.judgeSpread) ** 2);
  return {
    ...level,
    correct,
    format,
    judge,
    rewardMean: WEIGHTS.correctness * correct + WEIGHTS.format * format + WEIGHTS.judge * judge,
    rewardStd: Math.max(SOME, times(spread, 0.05)),
    kl: Math.max(SOME, times(level.kl, 0.07)),
    entropy: Math.max(0.005, times(level.entropy, 0.03)),
    clip: share(level.clip, 0.015),
    ratioP95: times(level.ratioP95, 0.015),
    zeroGroups: share(level.zeroGroups, 0.02),
    length: clamp(times(level.length, 0.03) * (1 + 0.1 * common), 1, MAX_TOKENS),
    truncation: share(level.truncation, level.truncation > 0.1 ? 0.02 : 0.005),
    repetition: share(level.repetition, level.repetition > 0.1 ? 0.02 : 0.005),
    stepTime: times(level.stepTime, 0.025),
    gradNorm: times(level.gradNorm, 0.12),
    loss: level.loss + 0.01 * random.normal(),
    explainedVariance: Math.min(1, level.explainedVariance + 0.03 * random.normal()),
    valueLoss: times(level.valueLoss, 0.05),
  };
}

const variance = (share: number, weight: number): number => share * (1 - share) * weight ** 2;

export function metricsOf(
  drawn: Drawn,
  algorithm: Algorithm,
  learningRate: number,
  random: Random,
): StepMetrics {
  const { rewardMean, rewardStd, correct, format, judge, kl, entropy, nanCount } = drawn;
  // The loss of a step whose gradients are no numbers is none either, and the update is left out.
  const orNaN = (value: number) => (nanCount > 0 ? Number.NaN : value);
  const gradNorm = orNaN(drawn.gradNorm);
  return {
    reward_mean: rewardMean,
    reward_std: rewardStd,
    ...extremes(drawn),
    reward_components: {
      correctness: WEIGHTS.correctness * correct,
      format: WEIGHTS.format * format,
      judge: WEIGHTS.judge * judge,
    },
    kl_mean: kl,
    kl_max: kl * random.between(3.5, 5),
    kl_positional: buckets(drawn, random),
    entropy_mean: entropy,
    logprob_mean: -0.45 * entropy + 0.01 * random.normal(),
    ratio_mean: 1 + 0.006 * random.normal(),
    ratio_p95: drawn.ratioP95,
    clip_fraction: drawn.clip,
    ...advantages(drawn, algorithm, random),
    ...(algorithm === "ppo" ? valueMetrics(drawn, random) : {}),
    loss: orNaN(drawn.loss),
    lr: learningRate,
    grad_norm: gradNorm,
    grad_norm_post_clip: Math.min(gradNorm, 1),
    nan_count: nanCount,
    inf_count: 0,
    weight_update_ratio: nanCount > 0 ? 0 : Math.abs(1e-3 + 8e-5 * random.normal()),
    ...generation(drawn, random),
  };
}

/** No answer scores less than one that is wrong, nor more than one that is right. */
function extremes({ rewardMean, rewardStd, judge, judgeSpread }: Drawn): StepMetrics {
  const lowest = WEIGHTS.judge * Math.max(0, judge - 2.2 * judgeSpread);
  const highest =
    WEIGHTS.correctness + WEIGHTS.format + WEIGHTS.judge * Math.max(0, judge + 2.2 * judgeSpread);
  return {
    reward_min: Math.max(Math.min(lowest, rewardMean), rewardMean - 2.1 * rewardStd),
    reward_max: Math.min(Math.max(highest, rewardMean), rewardMean + 2.1 * rewardStd),
  };
}

/** nats a bucket of positions; their mean is that of the step, about. */
function buckets({ kl, firstBucket }: Drawn, random: Random): number[] {
  const others = (1 - firstBucket) / (KL_BUCKETS - 1);
  return Array.from({ length: KL_BUCKETS }, (_, i) => {
    const share = i === 0 ? firstBucket : others;
    return Math.max(0, kl * KL_BUCKETS * share * (1 + 0.1 * random.normal()));
  });
}

function advantages(drawn: Drawn, algorithm: Algorithm, random: Random): StepMetrics {
  const { advScale, zeroGroups, rewardStd } = drawn;
  const isGrpo = algorithm === "grpo";
  const alive = isGrpo ? Math.sqrt(1 - Math.min(0.99, zeroGroups)) : 1;
  const common = {
    adv_mean: 0.015 * advScale * random.normal(),
    adv_std: 0.97 * alive * advScale * (1 + 0.03 * random.normal()),
    adv_zero_frac: clamp(isGrpo ? zeroGroups : 0.004 + 0.001 * random.normal(), 0, 1),
  };
  if (!isGrpo) return common;
  return {
    ...common,
    group_reward_std_mean: 0.75 * rewardStd * (1 - zeroGroups),
    zero_variance_group_frac: zeroGroups,
  };
}

function valueMetrics({ valueLoss, explainedVariance }: Drawn, random: Random): StepMetrics {
  return {
    value_loss: valueLoss,
    value_explained_variance: explainedVariance,
    value_clip_fraction: clamp(0.07 + 0.015 * random.normal(), 0, 1),
  };
}

function generation(drawn: Drawn, random: Random): StepMetrics {
  const { length, truncation, stepTime, generationShare } = drawn;
  return {
    completion_len_mean: length,
    completion_len_p95: Math.min(MAX_TOKENS, length * random.between(1.5, 1.65)),
    completion_len_max: truncation > 0.1 ? MAX_TOKENS : Math.min(MAX_TOKENS, length * random.between(2, 2.3)),
    max_len_hit_frac: truncation,
    eos_rate: 1 - truncation,
    repetition_rate: drawn.repetition,
    truncation_rate: truncation,
    step_time_s: stepTime,
    generation_time_s: stepTime * generationShare,
    optimization_time_s: stepTime * (1 - generationShare),
  };
}
