/** All that can be asked about several open runs together: the first is the baseline. */
import { METRIC_GROUPS, METRICS, metricInfo } from "../core/format/catalogue.ts";
import type { RunModel } from "../core/run/model.ts";
import type { CompareContract, CompareMetric, CompareOverview, CompareRun } from "../protocol/compare.ts";
import { said } from "../protocol/l10n.ts";
import type { Handlers } from "../protocol/rpc.ts";
import { compareAt, overlayView } from "./compare-charts.ts";
import { CompareColumns, modelAt } from "./compare-columns.ts";
import { compareConfig, configDocument } from "./compare-config.ts";
import { ComparePairs } from "./compare-pairs.ts";
import { ComparePrompts } from "./compare-prompts.ts";
import { compareRecords } from "./compare-records.ts";
import { cut } from "./text.ts";
import { metricTitle } from "./titles.ts";

const MAX_NAME = 200;
const MAX_METRICS = 4096;
/** What places a row and is no measurement; a list has no curve. */
const NOT_METRICS: ReadonlySet<string> = new Set(["step", "timestamp", "rank", "kl_positional"]);

const FORMAT: ReadonlyMap<string, number> = new Map(METRICS.map(({ name }, i) => [name, i]));

/**
 * Answers share no array with the models.
 * @param models at least two
 * @param pause lets waiting messages be handled
 */
export function compareViews(
  models: readonly RunModel[],
  pause: () => Promise<void>,
): Handlers<CompareContract> {
  const columns = new CompareColumns();
  const pairs = new ComparePairs(models, columns, pause);
  const prompts = new ComparePrompts(models);
  return {
    "compare.overview": () => overview(models),
    "compare.metrics": (params, { signal }) => pairs.metrics(params, signal),
    "compare.series": (params, { signal }) => overlayView(models, columns, params, signal),
    "compare.gap": (params, { signal }) => pairs.gap(params, signal),
    "compare.at": (params, { signal }) => compareAt(models, columns, params, signal),
    "compare.config": ({ ignore }) => compareConfig(models, ignore),
    "compare.document": ({ run, ignore }) => ({ text: configDocument(modelAt(models, run), ignore) }),
    "compare.prompts": (params, { signal }) => prompts.view(params, signal),
    "compare.records": () => compareRecords(models),
  };
}

function overview(models: readonly RunModel[]): CompareOverview {
  const runs = new Map<string, number[]>();
  for (const [run, { steps }] of models.entries())
    for (const { name, kind } of steps.columns) {
      if (kind !== "scalar" || NOT_METRICS.has(name)) continue;
      const known = runs.get(name);
      if (known) known.push(run);
      else runs.set(name, [run]);
    }
  const shared = [...runs].filter(([, of]) => of.length > 1).slice(0, MAX_METRICS);
  const order = new Map(METRIC_GROUPS.map(({ id }) => [id, [] as CompareMetric[]]));
  for (const [metric, of] of inFormatOrder(shared)) {
    const { unit, group } = metricInfo(metric);
    const title = metricTitle(metric);
    order.get(group)?.push({ metric, title: cut(title, MAX_NAME), unit, ours: group === "extra", runs: of });
  }
  return {
    runs: models.map(runView),
    groups: METRIC_GROUPS.map(({ id, title }) => ({
      id,
      title: said(title),
      metrics: order.get(id) ?? [],
    })).filter(({ metrics }) => metrics.length > 0),
  };
}

function runView(model: RunModel): CompareRun {
  const { manifest } = model;
  return {
    label: cut(model.label, MAX_NAME),
    runId: cut(manifest?.run_id ?? "", MAX_NAME),
    algorithm: cut(manifest?.algorithm ?? "", MAX_NAME),
    model: cut(manifest?.model_name ?? "", MAX_NAME),
    rows: model.steps.rowCount,
    hasRecording: model.hasRecording,
    hasRecords: model.records.witnesses.length > 0 || model.records.metrics.length > 0,
  };
}

/** The format's metrics in its order, the others by name. */
function inFormatOrder<T>(metrics: readonly (readonly [string, T])[]): (readonly [string, T])[] {
  const rank = (name: string): number => FORMAT.get(name) ?? FORMAT.size;
  return [...metrics].sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1));
}
