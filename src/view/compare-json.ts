/** A comparison of two runs in rlprobe's keys, and what `--extra` adds to them. */
import { IGNORE_NOTHING, type IsIgnored } from "../core/compare/config.ts";
import type { PairPrompts, RunComparison } from "../core/compare/index.ts";
import type { PromptPair } from "../core/compare/prompts.ts";
import type { MetricComparison } from "../core/compare/types.ts";
import type { JsonObject, JsonValue } from "../core/format/json.ts";
import type { Sample } from "../core/format/sample.ts";
import type { RunModel } from "../core/run/model.ts";
import { extraJson } from "./compare-extra.ts";

/** Prompts that rlprobe lists. */
export const PROMPTS = 10;

export interface DiffJsonOptions {
  /** With what rlprobe does not have. */
  readonly extra: boolean;
  readonly isIgnored?: IsIgnored;
  /** Prompts listed at most. */
  readonly prompts?: number;
}

/** Numbers can be NaN or infinite: whoever writes it decides how these are spelled. */
export async function diffJson(
  comparison: RunComparison,
  { extra, isIgnored = IGNORE_NOTHING, prompts = PROMPTS }: DiffJsonOptions,
): Promise<{ readonly [key: string]: JsonValue }> {
  const { pair, metrics, diverged, config } = comparison;
  const [first] = diverged;
  const listed = diverged.map((metric) => metricJson(comparison, metric));
  return {
    run_a: pair.a.manifest?.run_id ?? pair.a.label,
    run_b: pair.b.manifest?.run_id ?? pair.b.label,
    n_common_steps: pair.common,
    n_metrics_compared: metrics.filter(({ ours }) => !ours).length,
    metrics: listed,
    first_divergence: first ? metricJson(comparison, first) : null,
    config_delta: { added: config.added, removed: config.removed, changed: config.changed },
    prompts: await promptsJson(comparison, prompts),
    ...(extra ? extraJson(comparison, isIgnored) : {}),
  };
}

export function metricJson({ pair }: Pick<RunComparison, "pair">, metric: MetricComparison): JsonObject {
  return {
    metric: metric.metric,
    divergence_step: metric.at < 0 ? null : pair.stepAt(metric.at),
    gap_late: metric.gapLate,
    z_late: metric.zLate,
    higher_late: metric.higherLate,
  };
}

async function promptsJson({ pair, prompts }: RunComparison, limit: number): Promise<JsonObject[]> {
  const shown = prompts.pairs.slice(0, limit);
  const best = await bestSamples(pair.a, pair.b, prompts, shown);
  return shown.map((entry, i) => {
    const { codeA, codeB, gap } = entry;
    const { a, b } = best[i] ?? { a: null, b: null };
    const key = prompts.a.keys.text(codeA);
    return {
      prompt_id: prompts.by === "id" ? key : null,
      // Python's `or`: an empty text gives way to the other run's.
      prompt_text: a?.prompt_text || (b?.prompt_text ?? null),
      n_a: prompts.a.n[codeA] ?? 0,
      n_b: prompts.b.n[codeB] ?? 0,
      reward_a: prompts.a.mean[codeA] ?? Number.NaN,
      reward_b: prompts.b.mean[codeB] ?? Number.NaN,
      gap,
      best_completion_a: a?.completion_text ?? null,
      best_completion_b: b?.completion_text ?? null,
    };
  });
}

export interface BestPair {
  readonly a: Sample | null;
  readonly b: Sample | null;
}

/** The best completions of some prompts, read in the order of the files. */
export async function bestSamples(
  a: RunModel,
  b: RunModel,
  prompts: PairPrompts,
  pairs: readonly PromptPair[],
): Promise<BestPair[]> {
  const rowsA = pairs.map(({ codeA }) => prompts.a.best[codeA] ?? -1);
  const rowsB = pairs.map(({ codeB }) => prompts.b.best[codeB] ?? -1);
  const [samplesA, samplesB] = [await samplesAt(a, rowsA), await samplesAt(b, rowsB)];
  return pairs.map((_, i) => ({
    a: samplesA.get(rowsA[i] ?? -1) ?? null,
    b: samplesB.get(rowsB[i] ?? -1) ?? null,
  }));
}

async function samplesAt(model: RunModel, rows: readonly number[]): Promise<ReadonlyMap<number, Sample>> {
  const sorted = [...new Set(rows)].sort((p, q) => p - q);
  const samples = await model.samples.atRows(sorted);
  // A row that cannot be read is left out of the answer: without the count there is no telling which.
  if (samples.length !== sorted.length) return oneByOne(model, sorted);
  return new Map(sorted.map((row, i) => [row, samples[i] as Sample]));
}

async function oneByOne(model: RunModel, rows: readonly number[]): Promise<ReadonlyMap<number, Sample>> {
  const found = new Map<number, Sample>();
  for (const row of rows) {
    const [sample] = await model.samples.atRows([row]);
    if (sample) found.set(row, sample);
  }
  return found;
}
