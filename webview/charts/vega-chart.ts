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
import { type Chart, type ChartFactory, type ChartPicture, plotHeight, plotWidth } from "./chart.ts";
import type { Plot } from "./domain.ts";
import { frameOf, plotOf } from "./frame.ts";
import { HeatLayer } from "./heat.ts";
import type { ChartTheme } from "./palette.ts";
import { CHART_RUNTIME_JSON } from "./spec.generated.ts";

Object.assign(transforms, {
  ...{ axisticks, datajoin, encode, scale },
  ...{ collect, proxy, relay, sieve },
  ...{ bound, mark, render, viewlayout },
});

const ERRORS_ONLY = 1;
const runtime: ConstructorParameters<typeof VegaView>[0] = JSON.parse(CHART_RUNTIME_JSON);

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
    const plot = plotOf(picture, this.#width, this.#height);
    const { signals, paths } = frameOf(picture, plot, this.#theme);
    for (const [name, value] of Object.entries(signals)) this.#view.signal(name, value);
    this.#view.data("paths", [...paths]);
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
