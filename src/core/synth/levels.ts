/** How a run stands at a step before chance has its say, and how a healthy one gets there. */
import type { Random } from "./random.ts";

export type Algorithm = "grpo" | "ppo";

/** What a completion can say at its longest, in tokens. */
export const MAX_TOKENS = 512;
/** Buckets of token positions in kl_positional. */
export const KL_BUCKETS = 8;

export interface Level {
  /** Share of right answers; of answers in the form that was asked for; the judge's score, from 0, about 0.5. */
  correct: number;
  format: number;
  judge: number;
  /** How far the judge's scores lie apart. */
  judgeSpread: number;
  /** nats a token. */
  kl: number;
  /** Share of the KL that falls on the first bucket of positions. */
  firstBucket: number;
  entropy: number;
  clip: number;
  ratioP95: number;
  /** Share of groups whose rewards are all the same. */
  zeroGroups: number;
  /** What advantages are multiplied by. */
  advScale: number;
  /** Tokens. */
  length: number;
  truncation: number;
  repetition: number;
  /** Seconds. */
  stepTime: number;
  generationShare: number;
  gradNorm: number;
  nanCount: number;
  loss: number;
  explainedVariance: number;
  valueLoss: number;
  /** 0 … 1: how much the rewards of a step go with the lengths of its answers. */
  coupling: number;
  /** What rewards vary by from step to step, as a share of the usual. */
  unrest: number;
  /** The same for the format alone. */
  formatUnrest: number;
}

/** Where this run begins and ends, so that no two seeds look alike. */
export interface Character {
  readonly correctFrom: number;
  readonly correctTo: number;
  readonly entropy: number;
  readonly length: number;
  readonly gradNorm: number;
  readonly kl: number;
}

export function characterOf(random: Random): Character {
  return {
    correctFrom: random.between(0.2, 0.3),
    correctTo: random.between(0.62, 0.74),
    entropy: random.between(1.7, 2.1),
    length: random.between(135, 165),
    gradNorm: random.between(0.7, 1.1),
    kl: random.between(0.04, 0.06),
  };
}

/** From 0 to 1 over the run, fast at first. */
const learned = (share: number, rate: number): number =>
  (1 - Math.exp(-rate * share)) / (1 - Math.exp(-rate));

/** @param share of the run that is over, 0 … 1 */
export function healthy(share: number, character: Character, stepSeconds: number): Level {
  const { correctFrom, correctTo } = character;
  return {
    correct: correctFrom + (correctTo - correctFrom) * learned(share, 2.5),
    format: 0.35 + 0.42 * learned(share, 2),
    judge: 0.5 + 0.08 * share,
    judgeSpread: 0.12,
    kl: 0.004 + character.kl * share ** 0.8,
    firstBucket: 0.17,
    entropy: character.entropy - 0.7 * learned(share, 2),
    clip: 0.06 + 0.03 * share,
    ratioP95: 1.12,
    zeroGroups: 0.05 + 0.12 * share,
    advScale: 1,
    length: character.length * (1 + 0.08 * share),
    truncation: 0.015,
    repetition: 0.02,
    stepTime: stepSeconds,
    generationShare: 0.68,
    gradNorm: character.gradNorm * (1 - 0.3 * share),
    nanCount: 0,
    loss: 0.08 * Math.exp(-share),
    explainedVariance: 0.1 + 0.6 * learned(share, 3),
    valueLoss: 0.08 + 0.5 * Math.exp(-1.5 * share),
    coupling: 0,
    unrest: 1,
    formatUnrest: 1,
  };
}
