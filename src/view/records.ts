/** Run records: what each attempt really ran, and the results by benchmark. */
import { resultsRows } from "../core/compare/results.ts";
import type { MetricRow } from "../core/format/records.ts";
import type { RunModel } from "../core/run/model.ts";
import type { RecordsView, WarningView } from "../protocol/run.ts";
import { attemptConfigs, attemptViews } from "./attempts.ts";
import { seedsText } from "./compare-records.ts";
import { warningViews } from "./problems.ts";
import { cut } from "./text.ts";

type MetricView = RecordsView["metrics"][number];

const MAX_NAME = 200;
const MAX_METRICS = 5000;

/** Warnings that are about the records' own files. */
const RECORD_FILE = /^(observed\.attempt.*\.json|metrics\.json)$/;

export function recordsView(model: RunModel): RecordsView {
  const metrics = metricViews(model.records.metrics);
  return {
    attempts: attemptViews(model),
    configs: attemptConfigs(model),
    metrics: metrics.slice(0, MAX_METRICS),
    droppedMetrics: Math.max(0, metrics.length - MAX_METRICS),
    warnings: recordWarnings(model),
  };
}

export function recordWarnings(model: RunModel): WarningView[] {
  return warningViews(model.warnings().filter(({ file }) => RECORD_FILE.test(file)));
}

/** Rows of one benchmark, metric and horizon are repeats over seeds. */
function metricViews(rows: readonly MetricRow[]): MetricView[] {
  return resultsRows([rows]).flatMap(({ benchmark, metric, horizon, results: [results] }) => {
    if (!results) return [];
    const { seeds, ...figures } = results;
    return [
      {
        benchmark: cut(benchmark, MAX_NAME),
        metric: cut(metric, MAX_NAME),
        horizon: cut(horizon === null ? "" : String(horizon), MAX_NAME),
        ...figures,
        seeds: seedsText(seeds),
      },
    ];
  });
}
