/** `flight-deck/recorder`: records a training run from Node. */
import type {
  EventOptions,
  Halt,
  RecorderOptions,
  RecorderProblem,
  SampleInput,
  SamplesOptions,
  StepMetrics,
  StepOptions,
} from "./types.ts";

export type * from "./types.ts";

/**
 * Writes a recording into a folder. `log*` only hand over: they cost microseconds, return nothing and never throw; a thread of its own checks,
 * chooses and writes.
 */
export class Recorder {
  /** Where it is written: the folder, or `rank-NNN` in it. */
  readonly dir: string;
  /** False on ranks that do not record: every call is allowed and does nothing. */
  readonly active: boolean;

  /** @throws TypeError, RangeError for a wrong call; {@link RecordingExists} */
  constructor(dir: string, options: RecorderOptions = {}) {
    this.dir = dir;
    this.active = (options.rank ?? 0) === 0 || options.recordAllRanks === true;
  }

  /** Calls that were dropped because the writer could not keep up. */
  get dropped(): number {
    return 0;
  }

  /** Set once the halt policy gave a reason. */
  get halted(): Halt | null {
    return null;
  }

  get problem(): RecorderProblem | null {
    return null;
  }

  /** Metrics of one optimizer step. A value that is no number drops the step and leaves a `bad_record` event. */
  logStep(_step: number | bigint, _metrics: StepMetrics, _options: StepOptions = {}): void {}

  /** Completions of one step, of which a few are kept. */
  logSamples(_step: number | bigint, _samples: readonly SampleInput[], _options: SamplesOptions = {}): void {}

  /** Something that happened; on the disk at once. */
  logEvent(_kind: string, _options: EventOptions = {}): void {}

  /** Resolves when all that was logged before is on the disk, or could not be written. Never rejects. */
  async flush(): Promise<void> {}

  /** Writes what is left, merges the parts into steps.parquet, and ends. Never rejects; further calls do nothing. */
  async close(): Promise<void> {}
}
