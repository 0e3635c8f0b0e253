/** What a chart shows as CSV: the points that are drawn, so that somebody else can draw the same picture. */
import { csvName } from "../../src/protocol/csv.ts";
import type { ChartSpec, ChartView, HeatmapView, SeriesView } from "../../src/protocol/run.ts";
import type { Answer } from "../panels/chart-data.ts";

const KINDS = ["NaN", "inf", "-inf", "not above 0"] as const;

/** One line a point: which series, what it is ("raw", "smoothed", or a mark without a value), x, value. */
export function chartCsv(spec: ChartSpec, answer: Answer): string {
  const head = ["series", "kind", answer.axis === "step" ? "step" : "seconds", "value"].join(",");
  const lines = answer.heat ? heatLines(answer.heat) : seriesLines(spec, answer.view);
  return `${[head, ...lines].join("\n")}\n`;
}

function seriesLines(spec: ChartSpec, view: ChartView | null): string[] {
  return (view?.series ?? []).flatMap((series) => {
    const label = spec.series.find(({ metric }) => metric === series.metric)?.label ?? series.metric;
    return pointLines(csvName(label), series);
  });
}

function pointLines(label: string, series: SeriesView): string[] {
  const lines: string[] = [];
  const add = (kind: string, x: ArrayLike<number>, y: ArrayLike<number>): void => {
    for (let i = 0; i < x.length; i++) {
      const value = y[i] ?? Number.NaN;
      if (!Number.isNaN(value)) lines.push(`${label},${kind},${x[i]},${value}`);
    }
  };
  add("raw", series.x, series.y);
  add("raw", series.dotsX, series.dotsY);
  if (series.smoothX && series.smoothY) add("smoothed", series.smoothX, series.smoothY);
  series.markX.forEach((x, i) => {
    lines.push(`${label},${KINDS[series.markKind[i] ?? 0] ?? "NaN"},${x},`);
  });
  return lines;
}

/** A cell's x is its middle; its series is the place in the list. */
function heatLines({ columns, buckets, cells, xDomain }: HeatmapView): string[] {
  const lines: string[] = [];
  const width = (xDomain[1] - xDomain[0]) / Math.max(1, columns);
  for (let column = 0; column < columns; column++) {
    for (let bucket = 0; bucket < buckets; bucket++) {
      const value = cells[column * buckets + bucket] ?? Number.NaN;
      if (!Number.isNaN(value)) lines.push(`${bucket},mean,${xDomain[0] + width * (column + 0.5)},${value}`);
    }
  }
  return lines;
}
