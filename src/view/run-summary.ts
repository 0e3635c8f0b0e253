/** One run in a line of a list: what is cheap to know, and the last of its rewards. */
import type { Manifest } from "../core/format/manifest.ts";
import type { Column, RunModel } from "../core/run/model.ts";
import type { FindingView } from "../protocol/diagnosis.ts";
import type { WarningView } from "../protocol/run.ts";
import type { FindingLine, RunSummary } from "../protocol/runs.ts";
import { numberAt, type RunAxes, stepText } from "./axes.ts";
import { flatRows } from "./config.ts";
import { warningView } from "./problems.ts";
import { stateReason } from "./state.ts";
import { cut } from "./text.ts";

const MAX_TEXT = 200;
const MAX_WORDS = 300;
/** A thousand runs lie in memory at once. */
const MAX_CONFIG = 200;
const MAX_VALUE = 80;
const REWARD = "reward_mean";

/** @param nowMs milliseconds since the epoch */
export async function runSummary(model: RunModel, axes: RunAxes, nowMs: number): Promise<RunSummary> {
  const { manifest, records } = model;
  const axis = await axes.rows();
  await axes.written();
  const time = (await axes.sorted("time")).x;
  const [reward] = await model.steps.read([REWARD], "merged", { keep: false });
  const lifecycle = model.lifecycle(nowMs, axes.pace());
  const created = Date.parse(manifest?.created_at ?? "");
  return {
    runId: cut(manifest?.run_id ?? model.label, MAX_TEXT),
    algorithm: cut(manifest?.algorithm ?? "", MAX_TEXT),
    model: cut(manifest?.model_name ?? "", MAX_TEXT),
    notes: cut(manifest?.notes ?? "", MAX_WORDS),
    createdAt: Number.isNaN(created) ? null : created,
    state: lifecycle.state,
    stateReason: [
      stateReason(lifecycle, { stops: axes.stops(), hasRecording: model.hasRecording }),
      ...manifestProblem(model),
    ].join(" "),
    steps: axis.rows,
    lastStep: stepText(axis.step, axis.rows - 1),
    timeFirst: time[0] ?? null,
    timeLast: time[time.length - 1] ?? null,
    lastWrite: model.lastWriteMs,
    lastReward: lastNumber(reward),
    hasRecording: model.hasRecording,
    warnings: model.warnings().filter(({ level }) => level === "warning").length,
    events: model.events.length + model.eventsDropped,
    ranks: model.ranks.map(({ rank }) => rank),
    attempts: records.witnesses.length,
    metricRows: records.metrics.length,
    shards: model.samples.shardCount,
    config: configOf(manifest),
  };
}

/** A list shows no warnings, and a run without its manifest is not what its line says. */
function manifestProblem(model: RunModel): string[] {
  const warning = manifestWarning(model);
  return warning ? [cut(warning.message, MAX_WORDS)] : [];
}

/** What is wrong with the manifest; `null` for nothing. */
export function manifestWarning(model: RunModel): WarningView | null {
  const warning = model.warnings().find(({ code }) => code === "manifest-unreadable");
  return warning ? warningView(warning) : null;
}

/** `null` without any that is a number. */
function lastNumber(column: Column | undefined): number | null {
  if (!column) return null;
  for (let row = column.values.length - 1; row >= 0; row--) {
    const value = numberAt(column, row);
    if (value !== null) return value;
  }
  return null;
}

function configOf(manifest: Manifest | null): [string, string][] {
  if (!manifest) return [];
  const sections = [
    ["trainer_config", manifest.trainer_config],
    ["extra", manifest.extra],
    ["environment", manifest.environment],
  ] as const;
  const all: [string, string][] = [["world_size", String(manifest.world_size)]];
  for (const [name, object] of sections) {
    if (Object.keys(object).length === 0) continue;
    for (const { path, value } of flatRows(object, MAX_CONFIG - all.length).rows)
      all.push([`${name}.${cut(path, MAX_TEXT)}`, cut(value, MAX_VALUE)]);
  }
  return all;
}

/** Worst first, as a diagnosis has them. */
export function findingLines(findings: readonly FindingView[]): FindingLine[] {
  return findings.map(({ id, signature, title, severity, firstStepText, words }) => ({
    id,
    signature,
    title,
    severity,
    firstStep: firstStepText,
    words: cut(words, MAX_WORDS),
  }));
}
