/** What `flight-deck/recorder` takes and gives. These types are published as they stand here. */

/** A number as loops have it: also BigInt, and booleans as 1 and 0. NaN and infinite values are recorded as such. */
export type MetricValue = number | bigint | boolean;

/**
 * Metrics of one optimizer step. The names of the format (`reward_mean`, `kl_mean`, `entropy_mean`, `lr`, …) become its columns, any other
 * name a column `extra.<name>`. Missing, undefined and null mean: not measured.
 */
export interface StepMetrics {
  /** Reward by component; columns `reward_component.<name>`. */
  readonly reward_components?: Readonly<Record<string, MetricValue | null | undefined>> | null | undefined;
  /** KL by token position, in coarse buckets, nats. */
  readonly kl_positional?: readonly number[] | null | undefined;
  /** Metrics that the format does not name, when they are kept apart. */
  readonly extra?: Readonly<Record<string, MetricValue | null | undefined>> | null | undefined;
  readonly [name: string]:
    | MetricValue
    | readonly number[]
    | Readonly<Record<string, MetricValue | null | undefined>>
    | null
    | undefined;
}

/** One completion. Every field is optional; fields that are not named here are left out. */
export interface SampleInput {
  /** `<step>_<index>` when missing. */
  readonly sample_id?: string | number | bigint | null | undefined;
  readonly group_id?: string | number | bigint | null | undefined;
  readonly prompt_id?: string | number | bigint | null | undefined;
  readonly prompt_text?: string | null | undefined;
  readonly completion_text?: string | null | undefined;
  readonly completion_token_ids?: readonly (number | bigint)[] | null | undefined;
  readonly reward_total?: MetricValue | null | undefined;
  readonly reward_components?: Readonly<Record<string, MetricValue | null | undefined>> | null | undefined;
  readonly advantage?: MetricValue | null | undefined;
  readonly logprob_mean?: MetricValue | null | undefined;
  readonly kl_contribution?: MetricValue | null | undefined;
  /** Tokens. */
  readonly completion_len?: number | bigint | null | undefined;
  readonly truncated?: boolean | null | undefined;
  /** Taken over with `select: false`, for replays; otherwise it says why the recorder kept the sample. */
  readonly capture_reason?: string | null | undefined;
  /** In place of the call's step, for replays. */
  readonly step?: number | bigint | undefined;
  /** In place of the recorder's rank, for replays. */
  readonly rank?: number | undefined;
}

/** Of each call of `logSamples`: the best, the worst, and some of the rest. All are kept when they are no more than the three together. */
export interface SamplingOptions {
  /** 2 when missing. */
  readonly topK?: number;
  /** 2 when missing. */
  readonly bottomK?: number;
  /** Drawn from those between, 4 when missing. */
  readonly random?: number;
  /** The same seed and the same calls keep the same samples; 0 when missing. */
  readonly seed?: number;
}

/** Why training should stop. As an object it is worded as the doctor's findings are. */
export type HaltReason =
  | string
  | {
      /** Of the doctor: "KL_BLOWUP". */
      readonly signatureId: string;
      readonly severity?: string;
      /** 0 to 1. */
      readonly confidence?: number;
      readonly explanation: string;
    };

export interface Halt {
  readonly step: number | bigint;
  readonly message: string;
  readonly signatureId: string | null;
}

/** Asked after each step until it gives a reason; then an `auto_halt` event is written. What it throws is recorded and stops nothing. */
export interface HaltPolicy {
  shouldHalt(step: number | bigint, metrics: StepMetrics): HaltReason | null | undefined | false;
  /** Told once, from within `logStep`; `recorder.halted` says the same from then on. */
  readonly onHalt?: (halt: Halt) => void;
}

export interface RecorderOptions {
  /** `run-<time>-<random>` when missing. */
  readonly runId?: string;
  /** "grpo", "ppo", …; "unknown" when missing. */
  readonly algorithm?: string;
  readonly modelName?: string | null;
  /** All of the trainer's configuration. What JSON cannot say is described in its place. */
  readonly trainerConfig?: object;
  /** Processes of the run, 1 when missing. */
  readonly worldSize?: number;
  readonly notes?: string | null;
  readonly extra?: object;
  /** Of this process, 0 when missing. Others than 0 record nothing unless `recordAllRanks`. */
  readonly rank?: number;
  /** Ranks other than 0 record too, each in `rank-NNN/` below the run. */
  readonly recordAllRanks?: boolean;
  readonly sampling?: SamplingOptions;
  /** Versions, platform, arguments and commit go into the manifest; true when missing. */
  readonly captureEnv?: boolean;
  /** In place of what would be captured: whoever records for another process knows better. */
  readonly environment?: object;
  /** What was logged is on the disk after so many seconds, 5 when missing, … */
  readonly flushIntervalSeconds?: number;
  /** … or after so many calls, 200 when missing. */
  readonly flushSteps?: number;
  /** Calls that may wait for the writer before further ones are dropped and counted, 8192 when missing. */
  readonly queueSize?: number;
  /** Close at the end of the process, however it comes, and say a crash or a signal as an event; true when missing. */
  readonly exitHandlers?: boolean;
  /** Continue a recording that is already there; without this it is refused. */
  readonly resume?: boolean;
  readonly haltPolicy?: HaltPolicy;
  /** ISO 8601; now when missing. */
  readonly createdAt?: string;
  /** Unix seconds, for replays. */
  readonly now?: () => number;
}

export interface StepOptions {
  /** Unix seconds; now when missing. Null leaves the step without a time, for replays. */
  readonly timestamp?: number | null;
}

export interface SamplesOptions {
  /** False keeps every sample of the call. */
  readonly select?: boolean;
}

export interface EventOptions {
  readonly step?: number | bigint | null;
  readonly message?: string;
  /** What JSON can say. */
  readonly data?: object;
  /** Unix seconds; now when missing. */
  readonly timestamp?: number;
}

/** The last thing that could not be written. It is tried again; null when all is well. */
export interface RecorderProblem {
  readonly code: "exists" | "no-space" | "permission-denied" | "not-found" | "io-error" | "writer-lost";
  /** Relative to the recording, "" where it is no file. */
  readonly file: string;
  /** Failures in a row. */
  readonly count: number;
}

/** A folder that holds a recording already, and `resume` was not asked for. */
export interface RecordingExists extends Error {
  readonly code: "recording-exists";
  readonly folder: string;
}
