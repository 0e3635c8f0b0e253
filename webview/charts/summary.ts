/** A chart in words: what a label, a tooltip and a reader of the screen get. */
import { t } from "../../src/protocol/l10n.ts";
import type { ChartView, HeatmapView, SeriesView, XAxis } from "../../src/protocol/run.ts";
import {
  formatClock,
  formatCount,
  formatDayClock,
  formatDuration,
  formatNumber,
  formatStep,
  plural,
  spansDays,
} from "../text/numbers.ts";
import { extremes } from "./heat.ts";

/**
 * A place on the x axis in words: "step 1,204", "18:21:04", "2 h 05 m in".
 * @param dated wall times with their day: "Nov 27 18:21:04"
 */
export function placeWords(x: number, axis: XAxis, dated = false): string {
  if (axis === "step") return t("step {0}", formatStep(x));
  if (axis === "time") return dated ? formatDayClock(x) : formatClock(x);
  return t("{0} in", formatDuration(x));
}

function seriesWords(series: SeriesView, axis: XAxis, dated: boolean): string[] {
  const words: string[] = [];
  if (series.last !== null) words.push(t("last {0}", formatNumber(series.last)));
  if (series.min !== null && series.minX !== null && series.max !== null && series.maxX !== null) {
    words.push(t("lowest {0} at {1}", formatNumber(series.min), placeWords(series.minX, axis, dated)));
    words.push(t("highest {0} at {1}", formatNumber(series.max), placeWords(series.maxX, axis, dated)));
  }
  if (series.finite === 0) words.push(t("no values"));
  if (series.missing > 0 && series.finite > 0)
    words.push(t("{0} without a value", plural(series.missing, "row")));
  words.push(...oddities(series).map(({ text }) => text));
  return words;
}

export interface Oddity {
  readonly text: string;
  readonly hint: string;
}

/** Counts of what no line can show. */
export function oddities(series: Pick<SeriesView, "nan" | "posInf" | "negInf" | "nonPositive">): Oddity[] {
  const all: Oddity[] = [];
  const add = (count: number, name: string, how: string): void => {
    if (count > 0)
      all.push({ text: `${formatCount(count)} ${name}`, hint: `${plural(count, "value")} ${how}` });
  };
  add(series.nan, "NaN", t("not a number, marked ✕ on the floor"));
  add(series.posInf, "+Inf", t("positive infinity, marked ▲ at the top"));
  add(series.negInf, "−Inf", t("negative infinity, marked ▽ on the floor"));
  add(
    series.nonPositive ?? 0,
    "≤ 0",
    t("at or below 0, which a logarithmic axis cannot show; marked – on the floor"),
  );
  return all;
}

/** Sums over all series of a chart. */
export function totalOddities(series: readonly SeriesView[]): Oddity[] {
  const sum = { nan: 0, posInf: 0, negInf: 0, nonPositive: 0 };
  for (const one of series) {
    sum.nan += one.nan;
    sum.posInf += one.posInf;
    sum.negInf += one.negInf;
    sum.nonPositive += one.nonPositive ?? 0;
  }
  return oddities(sum);
}

export function chartSummary(
  title: string,
  labels: readonly string[],
  view: ChartView | null,
  axis: XAxis,
): string {
  if (!view) return t("{0}, loading", title);
  const [from, to] = view.xDomain;
  const dated = spansDays(from, to);
  const range = t("{0} to {1}", placeWords(from, axis, dated), placeWords(to, axis, dated));
  const parts = view.series.map((series, i) => {
    const words = seriesWords(series, axis, dated).join(", ");
    return view.series.length > 1 ? `${labels[i] ?? series.metric}: ${words}` : words;
  });
  const outside = view.outside > 0 ? [t("{0} outside the usual range", plural(view.outside, "point"))] : [];
  return [`${title}, ${range}`, ...parts, ...outside].join(". ");
}

export function heatmapSummary(title: string, view: HeatmapView | null, axis: XAxis): string {
  if (!view) return t("{0}, loading", title);
  const { xDomain, buckets, columns, cells } = view;
  const [from, to] = xDomain;
  const dated = spansDays(from, to);
  const range = t("{0}, {1} to {2}", title, placeWords(from, axis, dated), placeWords(to, axis, dated));
  const ends = extremes(cells);
  if (!ends) return t("{0}. no values", range);
  const cell = (place: number): string => {
    const at = from + ((to - from) * (Math.floor(place / buckets) + 0.5)) / columns;
    const x = axis === "step" ? Math.round(at) : at;
    return t(
      "{0} at position {1}, {2}",
      formatNumber(cells[place] ?? Number.NaN),
      place % buckets,
      placeWords(x, axis, dated),
    );
  };
  let empty = 0;
  for (let column = 0; column < columns; column++)
    if (!extremes(cells.subarray(column * buckets, (column + 1) * buckets))) empty++;
  const words = [
    plural(buckets, "position"),
    t("lowest {0}", cell(ends.low)),
    t("highest {0}", cell(ends.high)),
  ];
  if (empty > 0) words.push(t("{0} of {1} without a value", formatCount(empty), plural(columns, "column")));
  return `${range}. ${words.join(", ")}`;
}

/** "2 outside ↑": how many, and on which side of what is shown. */
export function outsideWords(view: ChartView): string {
  const [lo, hi] = view.yRobust ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const above = view.series.some((series) => (series.max ?? lo) > hi);
  const below = view.series.some((series) => (series.min ?? hi) < lo);
  return t("{0} outside {1}", formatCount(view.outside), above && below ? "↕" : below ? "↓" : "↑");
}
