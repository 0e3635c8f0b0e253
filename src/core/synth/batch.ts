/** The completions of one step: two groups of four answers, or eight answers to as many questions where there are no groups. */
import { type Drawn, WEIGHTS } from "./figures.ts";
import { type Algorithm, MAX_TOKENS } from "./levels.ts";
import type { Random } from "./random.ts";
import { promptOf, type Task, taskAt } from "./tasks.ts";
import { completion, type Style, tokensOf } from "./texts.ts";

/** A row of the format's table of samples, as a recorder takes it. */
export interface SynthSample {
  readonly sample_id: string;
  readonly group_id?: string;
  readonly prompt_id: string;
  readonly prompt_text: string;
  readonly completion_text: string;
  readonly reward_total: number;
  readonly reward_components: Readonly<Record<string, number>>;
  readonly advantage: number;
  readonly logprob_mean: number;
  readonly kl_contribution: number;
  readonly completion_len: number;
  readonly truncated: boolean;
}

const BATCH = 8;
const GROUP = 4;

export interface Ways {
  /** How completions read that show what is wrong, and the share of them that do. */
  readonly style: Style | null;
  readonly share: number;
  readonly algorithm: Algorithm;
}

interface Outcome {
  readonly correct: boolean;
  readonly formatted: boolean;
  readonly judge: number;
}

/**
 * @param round how many batches were captured before: questions come again after some of them
 */
export function batch(
  step: number,
  round: number,
  drawn: Drawn,
  { style, share, algorithm }: Ways,
  random: Random,
): SynthSample[] {
  const size = algorithm === "grpo" ? GROUP : 1;
  const count = BATCH / size;
  const answers = Array.from({ length: count }, (_, g) => {
    const isSame = size > 1 && random.chance(drawn.zeroGroups);
    const one = outcome(drawn, random);
    const task = taskAt(round * count + g);
    return Array.from({ length: size }, () =>
      answer(task, isSame ? one : outcome(drawn, random), drawn, random.chance(share) ? style : null, random),
    );
  });
  const scored = size > 1 ? answers.map(withAdvantages) : [withAdvantages(answers.flat())];
  return scored.flatMap((group, g) =>
    group.map(
      ({ advantage, ...row }, i): SynthSample => ({
        sample_id: `${step}_${g * size + i}`,
        ...(size > 1 ? { group_id: `${step}_g${g}` } : {}),
        ...row,
        advantage: advantage * drawn.advScale,
      }),
    ),
  );
}

function outcome({ correct, format, judge, judgeSpread }: Drawn, random: Random): Outcome {
  return {
    correct: random.chance(correct),
    formatted: random.chance(format),
    judge: Math.max(0, judge + judgeSpread * random.normal()),
  };
}

function answer(task: Task, result: Outcome, drawn: Drawn, style: Style | null, random: Random) {
  const truncated = random.chance(drawn.truncation);
  const tokens = Math.min(MAX_TOKENS - 20, drawn.length * Math.max(0.4, 1 + 0.15 * random.normal()));
  // What was cut off has no answer that could be right.
  const seen = truncated ? { ...result, correct: false, formatted: false } : result;
  const text = completion(task, { ...seen, tokens, truncated, style }, random);
  const parts = {
    correctness: seen.correct ? WEIGHTS.correctness : 0,
    format: seen.formatted ? WEIGHTS.format : 0,
    judge: WEIGHTS.judge * seen.judge,
  };
  return {
    prompt_id: task.id,
    prompt_text: promptOf(task),
    completion_text: text,
    reward_total: parts.correctness + parts.format + parts.judge,
    reward_components: parts,
    logprob_mean: -0.45 * drawn.entropy * random.between(0.8, 1.2),
    kl_contribution: drawn.kl * random.between(0.4, 1.9),
    completion_len: tokensOf(text),
    truncated,
  };
}

type Answer = ReturnType<typeof answer>;

/** Rewards within a group, as far as they lie from its mean in its own deviations. */
function withAdvantages(group: readonly Answer[]): (Answer & { advantage: number })[] {
  const rewards = group.map((row) => row.reward_total);
  const mean = rewards.reduce((sum, r) => sum + r, 0) / rewards.length;
  const deviation = Math.sqrt(rewards.reduce((sum, r) => sum + (r - mean) ** 2, 0) / rewards.length);
  return group.map((row) => ({ ...row, advantage: (row.reward_total - mean) / (deviation + 1e-4) }));
}
