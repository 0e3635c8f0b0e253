/** The header and the list of charts: what is known from opening a run, without reading a column. */
import {
  type CatalogueChart,
  chartGroups,
  isOfFormat,
  REWARD_COMPONENTS_ID,
} from "../core/format/catalogue.ts";
import type { Pace, RunModel } from "../core/run/model.ts";
import { said, t } from "../protocol/l10n.ts";
import type { ChartGroup, Overview } from "../protocol/run.ts";
import { warningViews } from "./problems.ts";
import { stateReason } from "./state.ts";
import { cut } from "./text.ts";

const MAX_TEXT = 500;

/**
 * @param pace once the time stamps were read: tells a slow run from a silent one
 * @param stops once the steps were read: where a recording stops that was not closed
 */
export function overview(model: RunModel, nowMs: number, pace: Pace | undefined, stops = ""): Overview {
  const { manifest } = model;
  const lifecycle = model.lifecycle(nowMs, pace);
  const { witnesses, metrics } = model.records;
  return {
    label: cut(model.label, MAX_TEXT),
    runId: cut(manifest?.run_id ?? model.label, MAX_TEXT),
    hasRecording: model.hasRecording,
    hasRecords: witnesses.length > 0 || metrics.length > 0,
    algorithm: cut(manifest?.algorithm ?? "", MAX_TEXT),
    model: cut(manifest?.model_name ?? "", MAX_TEXT),
    createdAt: createdAt(manifest?.created_at ?? ""),
    worldSize: count(manifest?.world_size ?? 1),
    ranks: model.ranks.map(({ rank }) => rank),
    rowCount: count(model.steps.rowCount),
    shardCount: count(model.samples.shardCount),
    eventCount: model.events.length + model.eventsDropped,
    state: lifecycle.state,
    stateReason: stateReason(lifecycle, { stops, hasRecording: model.hasRecording }),
    warnings: warningViews(model.warnings()),
    groups: chartGroups(model.steps.columns).map(groupView),
  };
}

function groupView({ id, title, charts }: ReturnType<typeof chartGroups>[number]): ChartGroup {
  return { id, title: said(title), charts: charts.map(chartView) };
}

/** Components and what the format does not know are called as the recording calls them. */
function chartView({ id, title, series, ...chart }: CatalogueChart): ChartGroup["charts"][number] {
  const name = isOfFormat(id) ? said(title) : componentsTitle(id, title);
  const label = (metric: string, own: string): string => (isOfFormat(metric) ? said(own) : own);
  return {
    ...{ ...chart, id, title: name },
    series: series.map((one) => ({ metric: one.metric, label: label(one.metric, one.label) })),
  };
}

function componentsTitle(id: string, title: string): string {
  if (id === REWARD_COMPONENTS_ID) return t("Reward components");
  const [, number] = COMPONENTS_MORE.exec(id) ?? [];
  return number === undefined ? title : t("Reward components ({0})", number);
}

const COMPONENTS_MORE = /^reward_components\.(\d+)$/;

function createdAt(text: string): number | null {
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : time;
}

const count = (value: number): number => (Number.isSafeInteger(value) && value >= 0 ? value : 0);
