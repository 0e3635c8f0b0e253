/**
 * What a training loop pays for being recorded, in a process of its own: `recorder-story FOLDER STEPS`. Each step works for some 20 ms,
 * then logs 50 metrics and 16 samples. recorder_story.py does the same with rlprobe's recorder. Prints one line of JSON.
 */
import path from "node:path";
import { Recorder, type SampleInput, type StepMetrics } from "../../src/recorder/index.ts";
import { spread } from "./report.ts";
import type { Answer } from "./stories.ts";

const STEP_MS = 20;
const SAMPLES = 16;
const NAMED =
  "reward_mean reward_std reward_min reward_max kl_mean kl_max entropy_mean logprob_mean ratio_mean ratio_p95 clip_fraction " +
  "adv_mean adv_std adv_zero_frac group_reward_std_mean zero_variance_group_frac value_loss value_explained_variance " +
  "value_clip_fraction loss lr grad_norm grad_norm_post_clip nan_count inf_count weight_update_ratio completion_len_mean " +
  "completion_len_p95 completion_len_max max_len_hit_frac eos_rate repetition_rate truncation_rate step_time_s " +
  "generation_time_s optimization_time_s";
const COUNTS = new Set(["nan_count", "inf_count"]);
const names = NAMED.split(" ");
const METRICS = [...names, ...Array.from({ length: 50 - names.length }, (_, i) => `custom_${i}`)];

function metricsOf(step: number): StepMetrics {
  const value = (i: number): number => Math.sin(step * 0.7 + i);
  return Object.fromEntries(METRICS.map((name, i) => [name, COUNTS.has(name) ? step % 3 : value(i)]));
}

/** 200 and 1,000 characters of text each. */
function samplesOf(step: number): SampleInput[] {
  return Array.from({ length: SAMPLES }, (_, i) => ({
    ...{ group_id: `${step}_g${i >> 2}`, prompt_id: `p${(step + i) % 500}` },
    ...{ prompt_text: `question ${step} ${i} `.padEnd(200, "what is it "), truncated: i % 5 === 0 },
    ...{ completion_text: `answer ${step} ${i} `.padEnd(1000, "it is so because "), completion_len: 200 + i },
    ...{ reward_total: Math.sin(step + i), reward_components: { format: i % 2, exact: Math.cos(step + i) } },
    ...{ advantage: Math.sin(i), logprob_mean: -Math.abs(Math.cos(i)), kl_contribution: Math.sin(step) / 10 },
  }));
}

let sink = 0;
function work(rounds: number): void {
  for (let i = 0; i < rounds; i++) sink += Math.sqrt(i) * Math.sin(i);
}

/** Rounds of {@link work} that take one step's time. */
function calibrated(): number {
  const rounds = 200_000;
  work(rounds);
  const best = Math.min(...Array.from({ length: 10 }, () => timed(() => work(rounds))));
  return Math.round((rounds * STEP_MS) / best);
}

function timed(job: () => void): number {
  const from = performance.now();
  job();
  return performance.now() - from;
}

/** Steps of a block. Blocks with the recorder and without take turns, so that what else the machine does falls on both. */
const BLOCK = 25;

/** @param recorder null for a block as it is without one. @returns milliseconds of the calls by step, and of the whole block */
async function block(first: number, rounds: number, recorder: Recorder | null) {
  const calls: number[] = [];
  const from = performance.now();
  for (let step = first; step < first + BLOCK; step++) {
    work(rounds);
    const metrics = metricsOf(step);
    const samples = samplesOf(step);
    const call = timed(() => {
      recorder?.logStep(step, metrics);
      recorder?.logSamples(step, samples);
    });
    calls.push(call);
    // Loops that generate or wait for a device let others run.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { calls, ms: performance.now() - from };
}

async function main(): Promise<void> {
  const [folder = "", count = ""] = process.argv.slice(2);
  const steps = Number(count);
  const rounds = calibrated();
  const recorder = new Recorder(path.join(folder, "run"), { captureEnv: false });
  const plain: number[] = [];
  const recorded: number[] = [];
  const calls: number[] = [];
  for (let step = 0; step < steps; step += BLOCK) {
    plain.push((await block(step, rounds, null)).ms);
    const { calls: own, ms } = await block(step, rounds, recorder);
    recorded.push(ms);
    calls.push(...own);
  }
  await recorder.close();
  if (recorder.dropped > 0 || recorder.problem) throw new Error("something was not recorded");
  const middle = (values: readonly number[]): number => spread(values)?.median ?? Number.NaN;
  const figures = {
    "call mean": calls.reduce((sum, call) => sum + call, 0) / steps,
    "call median": middle(calls),
    "call slowest": Math.max(...calls),
    "loop added": (middle(recorded) / middle(plain) - 1) * 100,
  };
  if (!Number.isFinite(sink)) throw new Error("no work was done");
  process.stdout.write(`${JSON.stringify({ figures } satisfies Answer)}\n`);
}

void main();
