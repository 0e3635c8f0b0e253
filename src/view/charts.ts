/** Columns of a run as pictures of a given width. */
import { type Domain, nearestPlace, type SortedX } from "../core/chart/grid.ts";
import { heatmap } from "../core/chart/heatmap.ts";
import { decimate } from "../core/chart/m4.ts";
import { type YRanges, yRanges } from "../core/chart/range.ts";
import type { Column, RunModel } from "../core/run/model.ts";
import { t } from "../protocol/l10n.ts";
import type { AtView, ChartView, HeatmapView, SeriesView, XAxis } from "../protocol/run.ts";
import type { Problem } from "../protocol/wire.ts";
import { numberAt, type RunAxes, stepText } from "./axes.ts";
import { missing, readColumns } from "./columns.ts";
import { domainOf, type Range } from "./domain.ts";
import { problemOfError } from "./problems.ts";
import { smoothed } from "./smoothed.ts";

export interface ChartParams {
  readonly id: string;
  readonly metrics: readonly string[];
  readonly x: XAxis;
  /** In units of x, both ends included; `null` is everything. */
  readonly range: Range;
  /** In steps, both ends included; takes the place of `range` where given. */
  readonly steps?: Range | undefined;
  /** Weight of the smoothed curve; 0 is none. */
  readonly smoothing?: number | undefined;
  readonly log?: boolean | undefined;
  /** Pixel columns. */
  readonly width: number;
}

export async function chartView(
  model: RunModel,
  axes: RunAxes,
  params: ChartParams,
  signal: AbortSignal,
): Promise<ChartView> {
  const sorted = await axes.sorted(params.x);
  const problems = noTime(sorted, params.x);
  signal.throwIfAborted();
  const columns = await readColumns(model, params.metrics, problems);
  signal.throwIfAborted();
  const domain = await domainOf(axes, sorted, params);
  const found = params.metrics.flatMap((metric, i) => {
    const column = columns[i];
    return column ? [{ metric, column }] : [];
  });
  const ranges = yRanges(
    sorted,
    found.map(({ column }) => column),
    domain,
    params.log ? "log" : "linear",
  );
  const series = found.map(({ metric, column }) => seriesView(metric, sorted, column, domain, params));
  const { full, robust } = ranges.full ? ranges : passing(series);
  return {
    id: params.id,
    series,
    xDomain: [domain[0], domain[1]],
    yFull: full && [full[0], full[1]],
    yRobust: robust && [robust[0], robust[1]],
    outside: ranges.outside,
    problems,
  };
}

/** What lines pass through that come from before the domain and go on behind it, with no value inside. */
function passing(series: readonly SeriesView[]): Pick<YRanges, "full" | "robust"> {
  const values = series.flatMap(({ y }) => [...y]).filter((value) => !Number.isNaN(value));
  if (values.length === 0) return { full: null, robust: null };
  const places = { x: Float64Array.from(values.keys()), rows: null };
  const all = yRanges(places, [{ values: Float64Array.from(values), valid: null }], [0, values.length]);
  return { full: all.full, robust: all.full };
}

function seriesView(
  metric: string,
  sorted: SortedX,
  column: Column,
  domain: Domain,
  { width, smoothing = 0, log = false }: ChartParams,
): SeriesView {
  const options = { reach: true, positive: log };
  const raw = { metric, ...decimate(sorted, column, domain, width, options) };
  if (smoothing <= 0) return raw;
  const values = smoothed(sorted, column, smoothing);
  const { x, y } = decimate({ x: sorted.x, rows: null }, { values, valid: null }, domain, width, options);
  return { ...raw, smoothX: x, smoothY: y };
}

export async function heatmapView(
  model: RunModel,
  axes: RunAxes,
  params: ChartParams,
  signal: AbortSignal,
): Promise<HeatmapView> {
  const sorted = await axes.sorted(params.x);
  const problems = noTime(sorted, params.x);
  signal.throwIfAborted();
  const domain = await domainOf(axes, sorted, params);
  const [metric = params.id] = params.metrics;
  const empty = { columns: 0, buckets: 0, cells: new Float64Array(0), valueDomain: null };
  let picture: ReturnType<typeof heatmap> = empty;
  try {
    const lists = await model.steps.readList(metric, "merged");
    if (lists) picture = heatmap(sorted, lists, domain, params.width);
    else problems.push(missing(metric));
  } catch (error) {
    problems.push(problemOfError(error));
  }
  const { columns, buckets, cells, valueDomain } = picture;
  return {
    id: params.id,
    columns,
    buckets,
    cells,
    xDomain: [domain[0], domain[1]],
    valueDomain: valueDomain && [valueDomain[0], valueDomain[1]],
    problems,
  };
}

/** The row nearest to a place on the axis, with the values of any metrics there. */
export async function atView(
  model: RunModel,
  axes: RunAxes,
  { x, at, metrics }: { readonly x: XAxis; readonly at: number; readonly metrics: readonly string[] },
  signal: AbortSignal,
): Promise<AtView> {
  const sorted = await axes.sorted(x);
  const place = nearestPlace(sorted.x, at);
  if (place < 0) return { step: null, stepText: "", x: null, time: null, values: metrics.map(() => null) };
  const row = sorted.rows?.[place] ?? place;
  signal.throwIfAborted();
  const axis = await axes.rows();
  const columns = await readColumns(model, metrics, []);
  return {
    step: numberAt(axis.step, row),
    stepText: stepText(axis.step, row),
    x: sorted.x[place] ?? null,
    time: axis.timestamp && numberAt(axis.timestamp, row),
    values: columns.map((column) =>
      column && column.valid?.[row] !== 0 ? (column.values[row] ?? null) : null,
    ),
  };
}

function noTime(sorted: SortedX, x: XAxis): Problem[] {
  if (x === "step" || sorted.x.length > 0) return [];
  return [
    {
      code: "no-time",
      message: t("The recording has no time stamps."),
      file: "",
      remedy: t("Show the charts by step."),
    },
  ];
}
