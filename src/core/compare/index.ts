/** Comparison of two runs: rlprobe's rule, and what only we look at. */
import { EMPTY_OBJECT } from "../format/json.ts";
import type { RunModel } from "../run/model.ts";
import { type ConfigDelta, configDelta, type IsIgnored } from "./config.ts";
import { diverged, Pair } from "./pair.ts";
import { type PromptPair, promptPairs, promptsOf, type RunPrompts } from "./prompts.ts";
import type { CompareSettings, MetricComparison, SkippedMetric } from "./types.ts";

export interface PairPrompts {
  readonly by: "id" | "text" | "none";
  readonly pairs: readonly PromptPair[];
  readonly a: RunPrompts;
  readonly b: RunPrompts;
}

export interface RunComparison {
  readonly pair: Pair;
  readonly metrics: readonly MetricComparison[];
  /** rlprobe's metrics that diverged, the first first. */
  readonly diverged: readonly MetricComparison[];
  readonly skipped: readonly SkippedMetric[];
  readonly config: ConfigDelta;
  readonly prompts: PairPrompts;
}

export async function compareRuns(
  a: RunModel,
  b: RunModel,
  settings: CompareSettings,
  options: {
    /** With the metrics that only we compare. */
    readonly extra: boolean;
    /** With the second measure; unless false. */
    readonly separate?: boolean;
    readonly isIgnored?: IsIgnored;
    readonly signal?: AbortSignal;
  },
): Promise<RunComparison> {
  const pair = await Pair.of(a, b, settings);
  const found = await pair.compare({
    signal: options.signal,
    separate: options.separate,
    select: options.extra ? undefined : ({ ours }) => !ours,
  });
  return {
    pair,
    ...found,
    diverged: diverged(found.metrics.filter(({ ours }) => !ours)),
    config: configDelta(
      a.manifest?.trainer_config ?? EMPTY_OBJECT,
      b.manifest?.trainer_config ?? EMPTY_OBJECT,
      (key) => options.isIgnored?.("trainer_config", [key]) ?? false,
    ),
    prompts: await pairPrompts(a, b, settings.order === "recorded", options.signal),
  };
}

/** By prompt_id; by exact text where the runs have no id in common, which rlprobe does not do. */
export async function pairPrompts(
  a: RunModel,
  b: RunModel,
  isRecorded: boolean,
  signal?: AbortSignal,
  read: typeof promptsOf = promptsOf,
): Promise<PairPrompts> {
  const ids = [
    await read(a, "prompt_id", isRecorded, signal),
    await read(b, "prompt_id", isRecorded, signal),
  ] as const;
  const byId = paired("id", ...ids);
  if (isRecorded || byId.pairs.length > 0) return byId;
  const texts = [
    await read(a, "prompt_text", isRecorded, signal),
    await read(b, "prompt_text", isRecorded, signal),
  ] as const;
  return paired("text", ...texts);
}

function paired(by: "id" | "text", a: RunPrompts, b: RunPrompts): PairPrompts {
  const pairs = promptPairs(a, b);
  return { by: pairs.length === 0 ? "none" : by, pairs, a, b };
}
