/** Columns of a run as pictures of a given width. */
import { type Domain, fullDomain, nearestPlace, type SortedX } from "../core/chart/grid.ts";
import { heatmap } from "../core/chart/heatmap.ts";
import { decimate } from "../core/chart/m4.ts";
import { yRanges } from "../core/chart/range.ts";
import type { Column, RunModel } from "../core/run/model.ts";
import type { AtView, ChartView, HeatmapView, XAxis } from "../protocol/run.ts";
import type { Problem } from "../protocol/wire.ts";
import { numberAt, type RunAxes, stepText } from "./axes.ts";
import { problemOfError } from "./problems.ts";
import { cut } from "./text.ts";

export interface ChartParams {
  readonly id: string;
  readonly metrics: readonly string[];
  readonly x: XAxis;
  /** In units of x, both ends included; `null` is everything. */
  readonly range: readonly [number, number] | null;
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
  const domain = domainOf(sorted, params.range);
  const found = params.metrics.flatMap((metric, i) => {
    const column = columns[i];
    return column ? [{ metric, column }] : [];
  });
  const ranges = yRanges(
    sorted,
    found.map(({ column }) => column),
    domain,
  );
  return {
    id: params.id,
    series: found.map(({ metric, column }) => ({
      metric,
      ...decimate(sorted, column, domain, params.width),
    })),
    xDomain: [domain[0], domain[1]],
    yFull: ranges.full && [ranges.full[0], ranges.full[1]],
    yRobust: ranges.robust && [ranges.robust[0], ranges.robust[1]],
    outside: ranges.outside,
    problems,
  };
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
  const domain = domainOf(sorted, params.range);
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

/** One pass for all; where that fails, one by one, so that a damaged column costs itself only. */
async function readColumns(
  model: RunModel,
  metrics: readonly string[],
  problems: Problem[],
): Promise<readonly (Column | undefined)[]> {
  let columns: readonly (Column | undefined)[];
  try {
    columns = await model.steps.read(metrics, "merged");
  } catch (error) {
    if (metrics.length <= 1) {
      problems.push(problemOfError(error));
      return metrics.map(() => undefined);
    }
    const singles: (Column | undefined)[] = [];
    for (const metric of metrics) singles.push(...(await readColumns(model, [metric], problems)));
    return singles;
  }
  metrics.forEach((metric, i) => {
    if (!columns[i]) problems.push(missing(metric));
  });
  return columns;
}

function domainOf(sorted: SortedX, range: readonly [number, number] | null): Domain {
  if (!range) return fullDomain(sorted.x);
  return range[0] <= range[1] ? range : [range[1], range[0]];
}

function noTime(sorted: SortedX, x: XAxis): Problem[] {
  if (x === "step" || sorted.x.length > 0) return [];
  return [
    {
      code: "no-time",
      message: "The recording has no time stamps.",
      file: "",
      remedy: "Show the charts by step.",
    },
  ];
}

const missing = (metric: string): Problem => ({
  code: "missing-column",
  message: `There is no readable column “${cut(metric, 80)}”.`,
  file: "",
  remedy: "The warnings about the recording say what could not be read.",
});
