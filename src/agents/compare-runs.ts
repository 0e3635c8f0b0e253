/** Two runs side by side: where they part, what is configured differently, which prompts earn more. */
import path from "node:path";
import * as z from "zod/mini";
import type { BestSample, ComparePlace, MetricGap, PairView, PromptGap } from "../protocol/compare.ts";
import { Alignment, DEFAULT_COMPARE } from "../protocol/compare.ts";
import { type Part, paged, parseCursor } from "./answer.ts";
import { ToolFault } from "./fault.ts";
import { brief, figures, type JsonRecord, stepJson } from "./json.ts";
import { folderAt, pathText } from "./places.ts";
import { notesOf } from "./run-head.ts";
import { CursorText, PathText } from "./schema.ts";
import { type AgentRun, type AgentSource, withRuns } from "./source.ts";
import { citation, metricJson } from "./untrusted.ts";

const Section = z.enum(["metrics", "config", "prompts"]);

export const CompareRunsInput = z.strictObject({
  baseline: PathText,
  other: PathText,
  align: z.optional(
    Alignment.check(
      z.describe(
        "How rows meet: by step (default), relative (steps since each run's first) or time (seconds since its first row).",
      ),
    ),
  ),
  z: z.optional(
    z.number().check(z.gt(0), z.lte(1e9), z.describe("Noise units beyond which a gap counts (default 4).")),
  ),
  sustain: z.optional(
    z.int().check(z.gte(1), z.lte(1e6), z.describe("Rows that it has to last (default 5).")),
  ),
  sections: z.optional(
    z.array(Section).check(z.minLength(1), z.maxLength(3), z.describe("Which parts (default: all three).")),
  ),
  limit: z.optional(z.int().check(z.gte(1), z.lte(50), z.describe("Rows a page of each part (default 12)."))),
  cursor: z.optional(CursorText),
});
export type CompareRunsInput = z.infer<typeof CompareRunsInput>;

export async function compareRuns(
  source: AgentSource,
  input: CompareRunsInput,
  signal: AbortSignal,
): Promise<string> {
  const { cursor: given, ...asked } = input;
  const cursor = parseCursor(given, asked);
  const dirs = [
    await folderAt(input.baseline, source.places),
    await folderAt(input.other, source.places),
  ] as const;
  if (dirs[0] === dirs[1])
    throw new ToolFault(
      "same-run",
      "baseline and other are the same run.",
      "Pass two runs; flightdeck_list_runs lists them.",
    );
  return withRuns(source, dirs, signal, async (runs) => {
    const wanted = new Set(input.sections ?? Section.options);
    const asking = { source, runs, input, signal };
    const parts: Part[] = [];
    let once: JsonRecord = {};
    if (wanted.has("metrics") && (!cursor || cursor.part === "metrics")) {
      const pair = await pairOf(asking);
      once = summaryJson(pair);
      parts.push(metricsPart(pair, input.limit ?? 12));
    }
    if (wanted.has("config")) parts.push(await configPart(asking));
    if (wanted.has("prompts") && (!cursor || cursor.part === "prompts"))
      parts.push(await promptsPart(asking));
    const head = {
      untrusted: { baseline: pathText(dirs[0], source.places), other: pathText(dirs[1], source.places) },
    };
    return paged({ asked, cursor, head, once, parts, notes: [...new Set(runs.flatMap(notesOf))] });
  });
}

interface Asking {
  readonly source: AgentSource;
  readonly runs: readonly AgentRun[];
  readonly input: CompareRunsInput;
  readonly signal: AbortSignal;
}

function pairOf({ source, runs, input, signal }: Asking): Promise<PairView> {
  const {
    z: limit = DEFAULT_COMPARE.z,
    sustain = DEFAULT_COMPARE.sustain,
    align = DEFAULT_COMPARE.align,
  } = input;
  return source.compare(runs, "compare.metrics", { other: 1, options: { z: limit, sustain, align } }, signal);
}

function summaryJson({
  align,
  commonSteps,
  compared,
  comparedOurs,
  metrics,
  first,
  skipped,
  suggestion,
  problems,
}: PairView): JsonRecord {
  const parted = metrics.find(({ metric }) => metric === first);
  const of = (reason: "only-a" | "only-b" | "too-few") => skipped.filter((s) => s.reason === reason).length;
  return {
    align,
    common_steps: commonSteps,
    compared_metrics: compared + comparedOurs,
    compared_by_flight_deck_only: comparedOurs,
    first_divergence: parted?.divergence
      ? { ...metricJson(parted.metric), ...placeJson(parted.divergence) }
      : null,
    not_compared: {
      only_in_baseline: of("only-a"),
      only_in_other: of("only-b"),
      too_few_common_values: of("too-few"),
    },
    ...(problems.length > 0 ? { columns_not_read: problems.length } : {}),
    ...(suggestion ? { hint: `Too few rows meet: call again with align ${suggestion}.` } : {}),
  };
}

const placeJson = ({ text, x, step }: ComparePlace): JsonRecord => ({
  baseline_step: stepJson(text),
  ...(x === step ? {} : figures({ x })),
});

/** Diverged first, then what separates only, then the rest. */
function metricsPart({ metrics }: PairView, limit: number): Part {
  const diverged = metrics.filter(({ divergence }) => divergence).length;
  const separated = metrics.filter(({ divergence, separation }) => !divergence && separation).length;
  return {
    name: "metrics",
    total: metrics.length,
    limit,
    room: 7000,
    head: { gaps: "other - baseline", diverged, only_separated: separated },
    rows: (offset, count) => metrics.slice(offset, offset + count).map(gapJson),
  };
}

function gapJson(gap: MetricGap): JsonRecord {
  const { metric, n, divergence, separation, higherLate } = gap;
  return {
    ...metricJson(metric),
    common_values: n,
    divergence: divergence && placeJson(divergence),
    ...(separation
      ? {
          separation: {
            ...placeJson(separation.at),
            ...figures({
              gap_before: separation.before,
              gap_after: separation.after,
              score: separation.score,
            }),
          },
        }
      : {}),
    ...figures({ gap_early: gap.gapEarly, noise: gap.noise, gap_late: gap.gapLate, z_late: gap.zLate }),
    higher_late: higherLate === "a" ? "baseline" : "other",
  };
}

async function configPart({ source, runs, input, signal }: Asking): Promise<Part> {
  const sections = await source.compare(runs, "compare.config", { ignore: [...source.ignored()] }, signal);
  const rows = sections.flatMap(({ id, rows: own }) =>
    own
      .filter(({ differs, ignored }) => differs && !ignored)
      .map(({ path: key, cells: [a, b] }) => ({
        section: id,
        in_baseline: a?.present === true,
        in_other: b?.present === true,
        untrusted: {
          key: brief(key, 200),
          ...(a?.present ? { baseline: brief(a.value, 300) } : {}),
          ...(b?.present ? { other: brief(b.value, 300) } : {}),
        },
      })),
  );
  const dropped = sections.reduce((sum, section) => sum + section.dropped, 0);
  return {
    name: "config",
    total: rows.length,
    limit: input.limit ?? 12,
    room: 4500,
    head: { about: "keys whose values differ", ...(dropped > 0 ? { left_out: dropped } : {}) },
    rows: (offset, count) => rows.slice(offset, offset + count),
  };
}

async function promptsPart({ source, runs, input, signal }: Asking): Promise<Part> {
  const ask = (offset: number, limit: number) =>
    source.compare(runs, "compare.prompts", { other: 1, offset, limit }, signal);
  const { total, by } = await ask(0, 1);
  const labels = runs.map(({ dir }) => path.basename(dir));
  return {
    name: "prompts",
    total,
    limit: input.limit ?? 12,
    room: 5500,
    head: { about: "prompts in both, largest difference of mean rewards first", matched_by: by },
    rows: async (offset, limit) =>
      (await ask(offset, limit)).prompts.map((prompt) => promptJson(prompt, labels)),
  };
}

const EXCERPT = 160;

function promptJson(
  { text, nA, nB, rewardA, rewardB, gap, bestA, bestB }: PromptGap,
  labels: readonly string[],
): JsonRecord {
  return {
    samples: [nA, nB],
    ...figures({ reward_baseline: rewardA, reward_other: rewardB, other_minus_baseline: gap }),
    best_baseline: bestJson(bestA, labels[0] ?? ""),
    best_other: bestJson(bestB, labels[1] ?? ""),
    untrusted: {
      prompt: brief(text, EXCERPT),
      best_baseline: brief(bestA.completion, EXCERPT),
      best_other: brief(bestB.completion, EXCERPT),
    },
  };
}

const bestJson = ({ step, rank, id, reward }: BestSample, label: string): JsonRecord => ({
  cite: citation(label, step, rank, id),
  ...figures({ reward }),
});
