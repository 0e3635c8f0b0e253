/**
 * Charts on the vega runtime: the frame (axes, scales, grid) is one spec, compiled ahead of time and shared by all;
 * a series is one path item. Expressions run in vega's interpreter: the page may not evaluate code.
 */
import type { View as VegaView } from "vega";
import { transforms } from "vega-dataflow";
import { axisticks, datajoin, encode, scale } from "vega-encode";
import { expressionInterpreter } from "vega-interpreter";
import { collect, proxy, relay, sieve } from "vega-transforms";
import { View } from "vega-view";
import { bound, mark, render, viewlayout } from "vega-view-transforms";
import { type Chart, type ChartFactory, type ChartPicture, MARGIN, plotHeight, plotWidth } from "./chart.ts";
import type { Plot } from "./domain.ts";
import { HeatLayer } from "./heat.ts";
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
import { CHART_RUNTIME_JSON } from "./spec.generated.ts";
import { logTicks, numberTicks, spanTicks, stepTicks, type Ticks, timeTicks } from "./ticks.ts";

Object.assign(transforms, {
  ...{ axisticks, datajoin, encode, scale },
  ...{ collect, proxy, relay, sieve },
  ...{ bound, mark, render, viewlayout },
});

const ERRORS_ONLY = 1;
const runtime: ConstructorParameters<typeof VegaView>[0] = JSON.parse(CHART_RUNTIME_JSON);

interface PathItem {
  readonly path: string;
  readonly stroke: string | null;
  readonly fill: string | null;
  readonly width: number;
  readonly dash: readonly number[] | null;
}

/** A smoothed curve is short: it may cost more a pixel. */
const SMOOTH_WIDTH = 1.5;
const ROOM_FOR_X_LABEL = { step: 46, time: 64, relative: 56 } as const;
const ROOM_FOR_Y_LABEL = 24;

const xTicks = (picture: ChartPicture, width: number): Ticks => {
  const count = Math.max(2, Math.floor(width / ROOM_FOR_X_LABEL[picture.axis]));
  if (picture.axis === "step") return stepTicks(picture.x, count);
  return picture.axis === "time" ? timeTicks(picture.x, count) : spanTicks(picture.x, count);
};

function pathItems(picture: ChartPicture, plot: Plot, theme: ChartTheme): PathItem[] {
  const items: PathItem[] = [];
  // In front of all raw curves.
  const smooth: PathItem[] = [];
  const add = (path: string, paint: Omit<PathItem, "path">): void => {
    if (path !== "") items.push({ path, ...paint });
  };
  for (const [index, series] of picture.series.entries()) {
    const { color, pale, dash } = seriesStyle(index, theme);
    const { smoothX, smoothY } = series;
    const line = { fill: null, dash: dash.length > 0 ? dash : null };
    const raw = smoothX ? pale : color;
    add(linePath(series.x, series.y, plot), { ...line, stroke: raw, width: 1 });
    add(dotPath(series.dotsX, series.dotsY, plot), { stroke: null, fill: raw, width: 0, dash: null });
    if (smoothX && smoothY)
      smooth.push({ ...line, path: linePath(smoothX, smoothY, plot), stroke: color, width: SMOOTH_WIDTH });
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

class VegaChart implements Chart {
  readonly #host: HTMLElement;
  readonly #view: VegaView;
  #heat: HeatLayer | null = null;
  #theme: ChartTheme;
  #picture: ChartPicture | null = null;
  #width: number;
  #height: number;
  #disposed = false;

  constructor(host: HTMLElement, width: number, height: number, theme: ChartTheme) {
    this.#host = host;
    this.#theme = theme;
    this.#width = plotWidth(width);
    this.#height = plotHeight(height);
    this.#view = new View(runtime, {
      expr: expressionInterpreter,
      renderer: "svg",
      hover: false,
      logLevel: ERRORS_ONLY,
    });
    this.#view.initialize(host);
  }

  async draw(picture: ChartPicture): Promise<void> {
    this.#picture = picture;
    await this.#run();
  }

  resize(width: number, height: number): void {
    this.#width = plotWidth(width);
    this.#height = plotHeight(height);
  }

  async paint(theme: ChartTheme): Promise<void> {
    this.#theme = theme;
    await this.#run();
  }

  dispose(): void {
    this.#disposed = true;
    this.#heat?.dispose();
    this.#view.finalize();
    this.#host.replaceChildren();
  }

  async #run(): Promise<void> {
    const picture = this.#picture;
    if (!picture || this.#disposed) return;
    const plot: Plot = {
      x: picture.x,
      y: picture.y,
      log: picture.log,
      width: this.#width,
      height: this.#height,
    };
    const theme = this.#theme;
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
    for (const [name, value] of Object.entries(signals)) this.#view.signal(name, value);
    this.#view.data("paths", pathItems(picture, plot, theme));
    this.#drawHeat(picture, plot);
    await this.#view.runAsync();
  }

  #drawHeat(picture: ChartPicture, plot: Plot): void {
    if (!picture.heat) {
      this.#heat?.dispose();
      this.#heat = null;
      return;
    }
    this.#heat ??= new HeatLayer(this.#host);
    this.#heat.draw(picture.heat, plot, this.#theme);
  }
}

export const vegaCharts: ChartFactory = {
  create: (host, width, height, theme) => new VegaChart(host, width, height, theme),
};
