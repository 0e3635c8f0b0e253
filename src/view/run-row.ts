/** One run in a table of runs: last, lowest and highest values, and metrics drawn small. */
import { chartGroups } from "../core/format/catalogue.ts";
import type { RunModel } from "../core/run/model.ts";
import type { SeriesView } from "../protocol/run.ts";
import type { RunRow, RunRowParams } from "../protocol/run-row.ts";
import type { RunAxes } from "./axes.ts";
import { chartView } from "./charts.ts";

const MAX_AVAILABLE = 500;
/** Pixels that a line keeps from the edge: it is drawn as wide as it is. */
const PAD = 1.5;

/** A metric that the run does not have, or that cannot be read, has no figures. */
export async function runRow(
  model: RunModel,
  axes: RunAxes,
  { metrics, sparks, width, height }: RunRowParams,
  signal: AbortSignal,
): Promise<RunRow> {
  const charts = chartGroups(model.steps.columns).flatMap((group) => group.charts);
  const available = charts.flatMap(({ kind, series }) =>
    kind === "lines" ? series.map(({ metric }) => metric) : [],
  );
  const names = new Set(available);
  const wanted = [...new Set([...metrics, ...sparks])].filter((metric) => names.has(metric));
  const picture = { id: "", x: "step" as const, range: null, width };
  const view = await chartView(model, axes, { ...picture, metrics: wanted }, signal);
  const byName = new Map(view.series.map((series) => [series.metric, series]));
  const place = { width, height, domain: view.xDomain };
  return {
    available: available.slice(0, MAX_AVAILABLE),
    figures: metrics.map((metric) => {
      const series = byName.get(metric);
      return { metric, last: series?.last ?? null, min: series?.min ?? null, max: series?.max ?? null };
    }),
    sparks: sparks.map((metric) => {
      const series = byName.get(metric);
      return { metric, path: series ? sparkPath(series, place) : "" };
    }),
  };
}

interface Place {
  readonly width: number;
  readonly height: number;
  readonly domain: readonly [number, number];
}

/** From the lowest to the highest value, gaps left open; what stands alone is a short stroke. */
export function sparkPath(
  {
    x,
    y,
    dotsX,
    dotsY,
    min,
    max,
  }: Pick<SeriesView, "x" | "y" | "dotsX" | "dotsY"> & Partial<Pick<SeriesView, "min" | "max">>,
  { width, height, domain: [from, to] }: Place,
): string {
  if (min === null || min === undefined || max === null || max === undefined) return "";
  // Halves: the difference of numbers near the largest there are would be none.
  const span = max / 2 - min / 2;
  const across = to > from ? (width - 2 * PAD) / (to - from) : 0;
  const px = (value: number): string =>
    round(across === 0 ? width / 2 : PAD + Math.min(to - from, Math.max(0, value - from)) * across);
  const py = (value: number): string =>
    round(span > 0 ? height - PAD - ((value / 2 - min / 2) / span) * (height - 2 * PAD) : height / 2);
  let path = "";
  let isDown = false;
  for (let i = 0; i < x.length; i++) {
    const value = y[i] ?? Number.NaN;
    if (Number.isNaN(value)) isDown = false;
    else {
      path += `${isDown ? "L" : "M"}${px(x[i] ?? 0)} ${py(value)}`;
      isDown = true;
    }
  }
  for (let i = 0; i < dotsX.length; i++) path += `M${px(dotsX[i] ?? 0)} ${py(dotsY[i] ?? 0)}h.1`;
  return path;
}

const round = (value: number): string => String(Math.round(value * 10) / 10);
