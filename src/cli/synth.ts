/** `flight-deck synth OUT`: writes a made-up run, healthy or with one of the fourteen failures, at once or as if it were training. */
import { nodeSource } from "../core/index.ts";
import {
  type Algorithm,
  PATHOLOGIES,
  type Pathology,
  pathologyOf,
  type SynthRun,
  synthesize,
} from "../core/synth/index.ts";
import { madeUpOptions, recordMadeUp } from "../recorder/made-up.ts";
import { signatureOf } from "../view/findings.ts";
import { writingProblem } from "../view/recording.ts";
import { UsageError } from "./args.ts";
import { type Context, DONE, FAILED, recordingOf } from "./context.ts";
import { strictJson } from "./json.ts";
import { rest } from "./rest.ts";
import { oneLine } from "./terminal.ts";

export interface SynthCommandOptions {
  /** A failure's name, "list", or null for a healthy run. */
  readonly pathology: string | null;
  readonly algorithm: string | null;
  readonly steps: number;
  readonly seed: number;
  readonly live: boolean;
  /** Seconds a step, where it is live. */
  readonly pace: number;
  readonly json: boolean;
}

/** @throws UsageError */
export async function synth(context: Context, folder: string, options: SynthCommandOptions): Promise<number> {
  if (options.pathology === "list") return list(context, options.json);
  if (folder === "") throw new UsageError("OUT is missing");
  const run = runOf(options);
  if ((await nodeSource(folder).stat("")) !== null) {
    context.err(`flight-deck: ${oneLine(folder)}: it is there already, and nothing is written over`);
    return FAILED;
  }
  return write(context, folder, run, options);
}

async function write(
  context: Context,
  folder: string,
  run: SynthRun,
  { live, pace, seed, json }: SynthCommandOptions,
): Promise<number> {
  const { newRecorder, onSignals } = recordingOf(context);
  const stop = new AbortController();
  const forget = onSignals(["SIGINT", "SIGTERM"], () => stop.abort());
  // A run that is written at once was over a moment ago.
  const startedMs = live ? context.nowMs : context.nowMs - 1000 * run.duration();
  const recorder = newRecorder(folder, {
    ...madeUpOptions(run, startedMs),
    exitHandlers: false,
    ...(live ? { flushIntervalSeconds: LIVE_FLUSH_SECONDS } : {}),
  });
  if (live) context.err(`writing ${oneLine(folder)}, a step every ${pace} s; Ctrl+C ends it`);
  let written = 0;
  try {
    written = await recordMadeUp(run, recorder, {
      startedMs: live ? null : startedMs,
      next: (step) => (live && step > 0 ? rest(pace * 1000, stop.signal) : !stop.signal.aborted),
    });
  } finally {
    forget();
  }
  const { problem, dropped } = recorder;
  if (problem || dropped > 0) {
    const why = problem ? writingProblem(folder, problem) : `${folder}: not everything could be written`;
    context.err(oneLine(`flight-deck: ${why}`));
    return FAILED;
  }
  const { run_id, algorithm, extra } = run.manifest;
  const { pathology = null } = extra.synthetic;
  const facts = { folder, run_id, algorithm, pathology, onset: run.onset, seed, n_steps: written };
  context.out(json ? strictJson(facts) : oneLine(`${folder}: ${written} steps of ${run_id}${words(run)}`));
  return DONE;
}

/** Whoever looks on wants to see it grow. */
const LIVE_FLUSH_SECONDS = 1;

const words = ({ onset }: SynthRun): string =>
  onset === null ? ", which is healthy" : `, which fails from step ${onset} on`;

function runOf({ pathology: name, algorithm, steps, seed, live, pace }: SynthCommandOptions): SynthRun {
  const pathology = name === null ? null : named(name);
  if (algorithm !== null && algorithm !== "grpo" && algorithm !== "ppo")
    throw new UsageError("--algorithm wants grpo or ppo");
  const needed = pathology?.algorithm;
  if (needed && algorithm !== null && needed !== algorithm)
    throw new UsageError(`${pathology.name} is a failure of --algorithm ${needed}`);
  const chosen: { algorithm?: Algorithm } = algorithm === null ? {} : { algorithm };
  const stepSeconds = live && pace > 0 ? { stepSeconds: pace } : {};
  return synthesize({ pathology, steps, seed, ...chosen, ...stepSeconds });
}

function named(name: string): Pathology {
  const found = pathologyOf(name);
  if (!found) throw new UsageError(`there is no pathology ${name}; --pathology list names them`);
  return found;
}

function list({ out, style }: Context, json: boolean): number {
  const all = PATHOLOGIES.map(({ name, signature, algorithm }) => ({
    pathology: name,
    signature_id: signature,
    title: signatureOf(signature)?.title ?? signature,
    algorithm: algorithm ?? null,
  }));
  if (json) {
    out(strictJson(all));
    return DONE;
  }
  const width = Math.max(...all.map(({ pathology }) => pathology.length));
  for (const { pathology, title, algorithm } of all) {
    const only = algorithm ? ` (${algorithm.toUpperCase()} only)` : "";
    out(`${pathology.padEnd(width)}  ${style.dim(`${title}${only}`)}`);
  }
  return DONE;
}
