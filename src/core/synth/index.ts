/** Made-up runs: healthy ones, and the fourteen failures with a known onset. Nothing is kept of a step once the next is asked for. */
import { batch, type SynthSample } from "./batch.ts";
import { draw, metricsOf, type StepMetrics } from "./figures.ts";
import { type Algorithm, type Character, characterOf, healthy, type Level, MAX_TOKENS } from "./levels.ts";
import type { Pathology } from "./pathologies.ts";
import { Random } from "./random.ts";
import type { Style } from "./texts.ts";

export type { SynthSample } from "./batch.ts";
export type { StepMetrics } from "./figures.ts";
export type { Algorithm } from "./levels.ts";
export { PATHOLOGIES, type Pathology, pathologyOf } from "./pathologies.ts";

/** As rlprobe's generator has it. */
export const DEFAULT_STEPS = 500;

export interface SynthOptions {
  /** null for a healthy run. */
  readonly pathology: Pathology | null;
  /** Steps, from 1. A failure is found by its signature in runs of 120 steps and more. */
  readonly steps: number;
  readonly seed: number;
  /** GRPO unless said, or unless the failure is one of PPO. */
  readonly algorithm?: Algorithm;
  /** Share of the run after which a failure begins. Default 0.5. */
  readonly onsetShare?: number;
  /** What a healthy step takes. Default 2. */
  readonly stepSeconds?: number;
}

export interface SynthManifest {
  readonly run_id: string;
  readonly algorithm: Algorithm;
  readonly model_name: string;
  readonly world_size: number;
  readonly trainer_config: Readonly<Record<string, number | boolean | string>>;
  readonly notes: string;
  readonly extra: { readonly synthetic: Readonly<Record<string, number | string | null>> };
}

export interface SynthEvent {
  readonly kind: string;
  readonly step: number;
  readonly message: string;
  readonly data?: Readonly<Record<string, number>>;
}

export interface SynthTick {
  readonly step: number;
  /** Seconds since the run began at which the step was over. */
  readonly seconds: number;
  readonly metrics: StepMetrics;
  /** All completions of the step; none at most steps. */
  readonly samples: readonly SynthSample[];
  readonly events: readonly SynthEvent[];
}

export interface SynthRun {
  readonly manifest: SynthManifest;
  /** Step at which the failure begins; null for a healthy run. */
  readonly onset: number | null;
  /** The run from its first step, the same each time. */
  ticks(): Generator<SynthTick, void, void>;
  /** Seconds that the run takes, without its samples being made. */
  duration(): number;
}

/** @throws RangeError for a failure that trainers of that algorithm do not have */
export function synthesize(options: SynthOptions): SynthRun {
  const { pathology, steps, seed } = options;
  const algorithm = options.algorithm ?? pathology?.algorithm ?? "grpo";
  if (pathology?.algorithm && pathology.algorithm !== algorithm)
    throw new RangeError(`${pathology.name} is a failure of ${pathology.algorithm}`);
  const onset = pathology ? Math.floor(steps * (options.onsetShare ?? 0.5)) : null;
  const plan: Plan = {
    ...{ pathology, steps, seed, algorithm },
    onset: onset ?? Number.POSITIVE_INFINITY,
    stepSeconds: options.stepSeconds ?? 2,
    character: characterOf(new Random(seed, "character")),
    config: configOf(pathology, algorithm, steps, seed),
  };
  return {
    manifest: manifestOf(plan),
    onset,
    ticks: () => ticks(plan),
    duration: () => {
      let seconds = 0;
      for (const { drawn } of course(plan)) seconds += drawn.stepTime;
      return seconds;
    },
  };
}

interface Plan {
  readonly pathology: Pathology | null;
  readonly steps: number;
  readonly seed: number;
  readonly algorithm: Algorithm;
  /** Infinite where nothing fails. */
  readonly onset: number;
  readonly stepSeconds: number;
  readonly character: Character;
  readonly config: SynthManifest["trainer_config"];
}

function configOf(
  pathology: Pathology | null,
  algorithm: Algorithm,
  steps: number,
  seed: number,
): SynthManifest["trainer_config"] {
  const own =
    algorithm === "grpo" ? { num_generations: 4 } : { cliprange_value: 0.2, value_learning_rate: 1e-5 };
  return {
    learning_rate: 1e-6,
    beta: 0.04,
    epsilon: 0.2,
    temperature: 1,
    max_completion_length: MAX_TOKENS,
    max_grad_norm: 1,
    max_steps: steps,
    batch_size: 8,
    dtype: "bfloat16",
    seed,
    ...own,
    ...pathology?.config,
  };
}

function manifestOf({ pathology, steps, seed, algorithm, onset, config }: Plan): SynthManifest {
  const label = pathology?.name ?? "healthy";
  const begins = pathology ? `: ${label} begins at step ${onset}` : ", healthy";
  return {
    run_id: `synth-${label}-${algorithm}-${steps}-${seed}`,
    algorithm,
    model_name: "made-up/policy-1b",
    world_size: 1,
    trainer_config: config,
    notes: `Made up by flight-deck synth${begins}. No model was trained.`,
    extra: {
      synthetic: {
        generator: "flight-deck",
        pathology: pathology?.name ?? null,
        onset: pathology ? onset : null,
        seed,
      },
    },
  };
}

/** Over how many steps a failure comes to its height. */
const rise = (steps: number): number => Math.max(6, 0.05 * steps);
const smooth = (x: number): number => (x >= 1 ? 1 : x * x * (3 - 2 * x));

/** The level of each step, and what was drawn from it. */
function* course(plan: Plan) {
  const { pathology, steps, seed, onset, character, stepSeconds } = plan;
  const random = new Random(seed, "figures");
  const fate = new Random(seed, "fate");
  const shareOf = (step: number) => (steps > 1 ? step / (steps - 1) : 0);
  const start: Readonly<Level> = healthy(shareOf(Math.min(onset, steps)), character, stepSeconds);
  for (let step = 0; step < steps; step++) {
    const level = healthy(shareOf(step), character, stepSeconds);
    if (step >= onset) {
      const since = step - onset;
      pathology?.apply(level, {
        steps: since,
        fast: smooth((since + 1) / rise(steps)),
        slow: since / Math.max(1, steps - 1 - onset),
        start,
        random: fate,
      });
    }
    yield { step, drawn: draw(level, random) };
  }
}

/** Every so many steps are captured: enough to read in, and never very many. */
const captureEvery = (steps: number): number => Math.max(5, Math.ceil(steps / 1000));

function* ticks(plan: Plan): Generator<SynthTick, void, void> {
  const { pathology, steps, seed, algorithm, onset } = plan;
  const texts = new Random(seed, "texts");
  const details = new Random(seed, "details");
  const every = captureEvery(steps);
  const learningRate = Number(plan.config["learning_rate"]);
  let seconds = 0;
  let round = 0;
  for (const { step, drawn } of course(plan)) {
    seconds += drawn.stepTime;
    const isCaptured = step % every === 0 || step === onset || step === steps - 1;
    // As far as a failure has come, so many of the completions show it.
    const share = step < onset ? 0 : smooth((step - onset + 1) / rise(steps));
    const style = styleOf(pathology, drawn.nanCount);
    yield {
      step,
      seconds,
      metrics: {
        ...metricsOf(drawn, algorithm, learningRate, details),
        tokens_seen: Math.round((step + 1) * 8 * drawn.length),
      },
      samples: isCaptured ? batch(step, round++, drawn, { style, share, algorithm }, texts) : [],
      events: eventsOf(step, steps, drawn.nanCount),
    };
  }
}

/** A step whose gradients are no numbers is all that a run with such gradients shows in its texts. */
function styleOf(pathology: Pathology | null, nanCount: number): Style | null {
  const style = pathology?.style ?? null;
  return style === "broken" && nanCount === 0 ? null : style;
}

function eventsOf(step: number, steps: number, nanCount: number): SynthEvent[] {
  const events: SynthEvent[] = [];
  if (step === 0) events.push({ kind: "train_begin", step, message: "" });
  if (nanCount > 0) {
    const message = `Gradients of ${nanCount} ${nanCount === 1 ? "parameter is" : "parameters are"} not a number`;
    events.push({ kind: "nan_detected", step, message, data: { nan_count: nanCount } });
  }
  const apart = Math.max(1, Math.floor(steps / 5));
  if (step > 0 && step % apart === 0)
    events.push({ kind: "checkpoint", step, message: `checkpoint-${step}` });
  if (step === steps - 1) events.push({ kind: "train_end", step, message: "" });
  return events;
}
