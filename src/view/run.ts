/** All that can be asked about one open run. */
import type { CacheFile } from "../core/io/cacheFile.ts";
import type { RunModel } from "../core/run/model.ts";
import { withIndex } from "../core/samples/indexed.ts";
import { SampleStore } from "../core/samples/store.ts";
import type { Handlers } from "../protocol/rpc.ts";
import type { RunContract } from "../protocol/run.ts";
import { type KeptTimes, RunAxes } from "./axes.ts";
import { atView, chartView, heatmapView } from "./charts.ts";
import { configSections } from "./config.ts";
import { RunDoctor } from "./diagnosis.ts";
import { eventsPage } from "./events.ts";
import { overview } from "./overview.ts";
import { warningViews } from "./problems.ts";
import { recordsView } from "./records.ts";
import { csvView, jsonView, rowsView } from "./rows.ts";
import { runRow } from "./run-row.ts";
import { runSummary } from "./run-summary.ts";
import { sampleAnswers } from "./sampleAnswers.ts";
import { sampleCounts } from "./sampleState.ts";
import { samplesPage } from "./samples.ts";
import { densityView, timelineView } from "./timeline.ts";

export interface RunViewOptions {
  /** Where the index of samples is kept; `null` for nowhere. */
  readonly cache?: CacheFile | null;
  /** Aborted when nobody will ask any more. */
  readonly closed?: AbortSignal;
  /** What the views of an earlier opening of the folder have in memory; these put theirs in its place. */
  readonly kept?: KeptViews;
}

/** Handed on from one opening of a folder to the next. */
export interface KeptViews extends KeptTimes {
  samples: SampleStore | null;
}

/**
 * Answers share no array with the model: whoever gets one may move it to another thread.
 * @param now milliseconds since the epoch
 */
export function runViews(
  model: RunModel,
  now: () => number,
  { cache = null, closed, kept }: RunViewOptions = {},
): Handlers<RunContract> {
  const axes = new RunAxes(model, kept);
  const store = new SampleStore(model, { cache, closed, before: kept?.samples ?? null });
  if (kept) kept.samples = store;
  const indexed = withIndex(model, store);
  const doctor = new RunDoctor(indexed);
  return {
    ...sampleAnswers(model, store, () => performance.now()),
    "run.overview": () => overview(model, now(), axes.pace(), axes.stops()),
    "run.axis": () => axes.view(now()),
    "run.summary": () => runSummary(model, axes, now()),
    "run.row": (params, { signal }) => runRow(model, axes, params, signal),
    "run.warnings": () => warningViews(model.warnings()),
    "run.counts": async () => ({
      ...(await sampleCounts(indexed)),
      warnings: warningViews(model.warnings()),
    }),
    "chart.series": (params, { signal }) => chartView(model, axes, params, signal),
    "chart.heatmap": (params, { signal }) => heatmapView(model, axes, params, signal),
    "chart.at": (params, { signal }) => atView(model, axes, params, signal),
    "chart.rows": (params, { signal }) => rowsView(model, axes, params, signal),
    "chart.csv": (params, { signal }) => csvView(model, axes, params, signal),
    "chart.json": (params, { signal }) => jsonView(model, axes, params, signal),
    "run.timeline": (params, { signal }) => timelineView(model, axes, params, signal),
    "run.density": (params, { signal }) => densityView(indexed, axes, params, signal),
    "events.page": (params) => eventsPage(model, axes, params),
    "samples.query": (params, { signal }) => samplesPage(store, params, signal),
    "run.config": () => configSections(model.manifest),
    "run.records": () => recordsView(model),
    "run.diagnose": (params, { signal }) => doctor.view(params, signal),
  };
}
