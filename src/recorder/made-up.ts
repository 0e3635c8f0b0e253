/** Writes a made-up run as a training loop would: for `flight-deck synth` and Create Demo Run…. */
import type { SynthRun, SynthTick } from "../core/synth/index.ts";
import type { Recorder } from "./index.ts";
import type { RecorderOptions } from "./types.ts";

/** What the recorder has to be told of a run that begins at a moment. @param startedMs Unix milliseconds */
export function madeUpOptions({ manifest }: SynthRun, startedMs: number): RecorderOptions {
  return {
    runId: manifest.run_id,
    algorithm: manifest.algorithm,
    modelName: manifest.model_name,
    worldSize: manifest.world_size,
    trainerConfig: manifest.trainer_config,
    notes: manifest.notes,
    extra: manifest.extra,
    createdAt: new Date(startedMs).toISOString().replace("Z", "+00:00"),
    // No process trained it: there is no environment to tell of.
    captureEnv: false,
    queueSize: 4 * BATCH,
    // Few files of many steps: nobody waits for the first of them, or the clock writes them.
    flushSteps: BATCH,
  };
}

/** Calls after which the disk is waited for. */
const BATCH = 2000;

export interface Pace {
  /** Unix milliseconds at which the run begins; null where each step is of the moment at which it is written. */
  readonly startedMs: number | null;
  /** Settles when the next step is due: true to write it, false to end the run before its time. */
  next(step: number): Promise<boolean> | boolean;
}

/**
 * Writes the run to its end, or until it is told to stop, and closes the recording. A disk that takes nothing ends it too; the recorder's
 * `problem` says why.
 * @returns steps that were written
 */
export async function recordMadeUp(run: SynthRun, recorder: Recorder, pace: Pace): Promise<number> {
  let calls = 0;
  let written = 0;
  for (const tick of run.ticks()) {
    const due = pace.next(tick.step);
    if (!(typeof due === "boolean" ? due : await due)) {
      recorder.logEvent("train_end", { step: Math.max(0, tick.step - 1), message: "Stopped before its end" });
      break;
    }
    const seconds = pace.startedMs === null ? null : pace.startedMs / 1000 + tick.seconds;
    calls += log(recorder, tick, seconds);
    written++;
    if (calls >= BATCH) {
      calls = 0;
      await recorder.flush();
    }
    if (recorder.problem) break;
  }
  await recorder.close();
  return written;
}

/** @returns calls of the recorder */
function log(
  recorder: Recorder,
  { step, metrics, samples, events }: SynthTick,
  seconds: number | null,
): number {
  const at = seconds === null ? {} : { timestamp: seconds };
  const [before, after] = [events.filter(isFirst), events.filter((event) => !isFirst(event))];
  for (const { kind, ...more } of before) recorder.logEvent(kind, { ...more, ...at });
  recorder.logStep(step, metrics, at);
  if (samples.length > 0) recorder.logSamples(step, samples);
  for (const { kind, ...more } of after) recorder.logEvent(kind, { ...more, ...at });
  return 2 + events.length;
}

const isFirst = ({ kind }: { readonly kind: string }): boolean => kind === "train_begin";
