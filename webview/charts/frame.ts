/** What a chart's frame is set to and which paths it draws: a picture, without the library that draws it. */
import { type ChartPicture, type ChartSeries, MARGIN } from "./chart.ts";
import type { Plot } from "./domain.ts";
import { type ChartTheme, seriesStyle } from "./palette.ts";
import {
  dotPath,
  linePath,
  markPath,
  NAN_MARK,
  NEGATIVE_MARK,
  NOT_POSITIVE_MARK,
  POSITIVE_MARK,
} from "./path.ts";
import { logTicks, numberTicks, spanTicks, stepTicks, type Ticks, timeTicks } from "./ticks.ts";

export interface PathItem {
  readonly path: string;
  /** What Vega takes for its own reading of the path: without commands, as if it had no extent. */
  readonly read: readonly never[] & { readonly path: string };
  readonly stroke: string | null;
  readonly fill: string | null;
  readonly width: number;
  readonly dash: readonly number[] | null;
}

/** A smoothed curve is short: it may cost more a pixel. */
const SMOOTH_WIDTH = 1.5;
/** There is one such curve in a chart. */
const LEAD_WIDTH = 2;
const ROOM_FOR_X_LABEL = { step: 46, time: 64, relative: 56 } as const;
const ROOM_FOR_Y_LABEL = 24;

const xTicks = (picture: ChartPicture, width: number): Ticks => {
  const count = Math.max(2, Math.floor(width / ROOM_FOR_X_LABEL[picture.axis]));
  if (picture.axis === "step") return stepTicks(picture.x, count);
  return picture.axis === "time" ? timeTicks(picture.x, count) : spanTicks(picture.x, count);
};

type Paint = Omit<PathItem, "path" | "read">;

const itemOf = (path: string): Pick<PathItem, "path" | "read"> => ({
  path,
  read: Object.assign([] as never[], { path }),
});

function pathItems(picture: ChartPicture, plot: Plot, theme: ChartTheme): PathItem[] {
  const items: PathItem[] = [];
  // In front of all raw curves.
  const smooth: PathItem[] = [];
  const add = (path: string, paint: Paint): void => {
    if (path !== "") items.push({ ...itemOf(path), ...paint });
  };
  const lead = (series: ChartSeries): boolean => series.lead === true;
  const order = [...picture.series.entries()].sort(([, a], [, b]) => Number(lead(a)) - Number(lead(b)));
  for (const [index, series] of order) {
    const { color, pale, dash } = seriesStyle(index, theme);
    const { smoothX, smoothY } = series;
    const line = { fill: null, dash: dash.length > 0 ? dash : null };
    const raw = smoothX ? pale : color;
    const width = lead(series) && !smoothX ? LEAD_WIDTH : 1;
    add(linePath(series.x, series.y, plot), { ...line, stroke: raw, width });
    // What stands alone has nothing to be averaged with: no curve is in front of it.
    add(dotPath(series.dotsX, series.dotsY, plot), { stroke: null, fill: color, width: 0, dash: null });
    if (smoothX && smoothY)
      smooth.push({
        ...itemOf(linePath(smoothX, smoothY, plot)),
        ...line,
        stroke: color,
        width: SMOOTH_WIDTH,
      });
  }
  items.push(...smooth.filter(({ path }) => path !== ""));
  const whole = { stroke: theme.mark, width: 1, dash: null };
  for (const { markX, markKind } of picture.series) {
    if (markX.length === 0) continue;
    add(markPath(markX, markKind, NAN_MARK, plot), { ...whole, fill: null });
    add(markPath(markX, markKind, NOT_POSITIVE_MARK, plot), { ...whole, fill: null });
    add(markPath(markX, markKind, POSITIVE_MARK, plot), { ...whole, fill: theme.mark });
    add(markPath(markX, markKind, NEGATIVE_MARK, plot), { ...whole, fill: theme.background });
  }
  return items;
}

export interface Frame {
  /** By the names that scripts/gen/chart-spec.mjs gives them. */
  readonly signals: Readonly<Record<string, unknown>>;
  readonly paths: readonly PathItem[];
}

/** @param width of the plot, as `height`, in CSS pixels */
export const plotOf = ({ x, y, log }: ChartPicture, width: number, height: number): Plot => ({
  ...{ x, y, log, width, height },
});

export function frameOf(picture: ChartPicture, plot: Plot, theme: ChartTheme): Frame {
  const bottom = xTicks(picture, plot.width);
  const rows = Math.max(2, Math.floor(plot.height / ROOM_FOR_Y_LABEL));
  const ticks = picture.heat ? stepTicks : picture.log ? logTicks : numberTicks;
  const left = ticks(picture.y, rows);
  const signals: Record<string, unknown> = {
    width: plot.width,
    height: plot.height,
    ...MARGIN,
    xMin: plot.x.lo,
    xMax: plot.x.hi,
    yMin: plot.y.lo,
    yMax: plot.y.hi,
    xTicks: bottom.values,
    xLabels: bottom.labels,
    yTicks: left.values,
    yLabels: left.labels,
    labelColor: theme.label,
    gridColor: picture.heat ? "transparent" : theme.grid,
    axisColor: theme.axis,
    labelFont: theme.font,
  };
  return { signals, paths: pathItems(picture, plot, theme) };
}
