/** What a comparison says beyond rlprobe: the other metrics, separations, nested configuration. */

import { configRows, type IsIgnored } from "../core/compare/config.ts";
import type { RunComparison } from "../core/compare/index.ts";
import { diverged } from "../core/compare/pair.ts";
import { type Results, resultsRows, welch } from "../core/compare/results.ts";
import type { MetricComparison } from "../core/compare/types.ts";
import type { JsonObject, JsonValue } from "../core/format/json.ts";
import type { RunModel } from "../core/run/model.ts";
import { t } from "../protocol/l10n.ts";

/** Keys that rlprobe's JSON does not have; all of them begin with "extra". */
export function extraJson(
  comparison: RunComparison,
  isIgnored: IsIgnored,
): { readonly [key: string]: JsonValue } {
  const { pair, metrics, prompts, skipped } = comparison;
  return {
    extra_align: pair.settings.align,
    extra_metrics: diverged(metrics.filter(({ ours }) => ours)).map((metric) => ({
      metric: metric.metric,
      divergence_step: pair.stepAt(metric.at),
      gap_late: metric.gapLate,
      z_late: metric.zLate,
      higher_late: metric.higherLate,
    })),
    extra_separations: separated(metrics).map((metric) => separationJson(comparison, metric)),
    extra_tracking: metrics
      .filter(({ at, separation }) => at < 0 && !separation)
      .map(({ metric, gapEarly, noise, gapLate, zLate }) => ({
        metric,
        gap_early: gapEarly,
        noise,
        gap_late: gapLate,
        z_late: zLate,
      })),
    extra_skipped: skipped.map(({ metric, reason, n }) => ({ metric, reason, n })),
    extra_config: configJson(pair.a, pair.b, isIgnored),
    extra_results: resultsJson(pair.a, pair.b),
    extra_prompts_by: prompts.by,
  };
}

/** By the place at which they separate; in metric order where that is the same. */
export function separated(metrics: readonly MetricComparison[]): MetricComparison[] {
  return metrics
    .filter(({ separation }) => separation !== null)
    .sort((p, q) => (p.separation?.at ?? 0) - (q.separation?.at ?? 0));
}

function separationJson({ pair }: RunComparison, { metric, separation, at }: MetricComparison): JsonObject {
  return {
    metric,
    separation_step: separation ? pair.stepAt(separation.at) : null,
    gap_before: separation?.before ?? Number.NaN,
    gap_after: separation?.after ?? Number.NaN,
    score: separation?.score ?? Number.NaN,
    diverged: at >= 0,
  };
}

/** What differs, nested, by part of the manifest; a key that a run does not have is left out of the row. */
function configJson(a: RunModel, b: RunModel, isIgnored: IsIgnored): JsonValue {
  return configParts([a, b]).flatMap(({ id, configs }) =>
    configRows(configs)
      .filter(({ parts, differs }) => differs && !isIgnored(id, parts))
      .map(({ parts, values: [x, y] }) => ({
        part: id,
        path: [...parts],
        ...(x === undefined ? {} : { a: x }),
        ...(y === undefined ? {} : { b: y }),
      })),
  );
}

/** metrics.json of both: spread over seeds and the difference B − A by Welch's t-test. */
function resultsJson(a: RunModel, b: RunModel): JsonValue {
  const sideJson = (side: Results | null | undefined): JsonValue =>
    side ? { n: side.n, mean: side.mean, sd: side.sd, min: side.min, max: side.max } : null;
  return resultsRows([a.records.metrics, b.records.metrics]).map(
    ({ benchmark, metric, horizon, results: [x, y] }) => ({
      benchmark,
      metric,
      horizon,
      a: sideJson(x),
      b: sideJson(y),
      difference: x && y ? { ...welch(x, y) } : null,
    }),
  );
}

export interface ConfigPart {
  readonly id: "run" | "trainer_config" | "environment" | "extra";
  readonly title: string;
  /** One a run. */
  readonly configs: readonly (JsonObject | null)[];
}

const TITLES = {
  run: () => t("Algorithm and model"),
  trainer_config: () => t("Trainer configuration"),
  environment: () => t("Environment"),
  extra: () => t("Extra"),
} as const;
const OBJECTS = ["trainer_config", "environment", "extra"] as const;
/** What the first part shows first. */
const HEAD = ["algorithm", "model_name", "world_size"] as const;

/** The manifests in parts: what the run is, how it was configured, where it ran. */
export function configParts(models: readonly RunModel[]): ConfigPart[] {
  return [
    { id: "run", title: TITLES.run(), configs: models.map(headOf) },
    ...OBJECTS.map((id) => ({
      id,
      title: TITLES[id](),
      configs: models.map(({ manifest }) => manifest?.[id] ?? null),
    })),
  ];
}

/** Algorithm and model first, then whatever else the manifest holds outside of the other parts. */
function headOf({ manifest }: RunModel): JsonObject | null {
  if (!manifest) return null;
  const out: Record<string, JsonValue> = Object.create(null);
  for (const key of HEAD) if (Object.hasOwn(manifest.raw, key)) out[key] = manifest.raw[key] ?? null;
  const own = new Set<string>(OBJECTS);
  for (const [key, value] of Object.entries(manifest.raw)) {
    const isElsewhere = own.has(key) && typeof value === "object" && value !== null && !Array.isArray(value);
    if (!isElsewhere) out[key] = value;
  }
  return out;
}
