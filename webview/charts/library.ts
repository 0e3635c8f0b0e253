/**
 * The drawing library, begun when it is first needed: the header need not wait for it. It is a
 * file of its own, on its way already.
 */
import type { ChartFactory, ChartPicture } from "./chart.ts";
import type { ChartTheme } from "./palette.ts";

let loading: Promise<ChartFactory> | null = null;

export function chartLibrary(): Promise<ChartFactory> {
  loading ??= import("./vega-chart.ts").then(({ vegaCharts }) => vegaCharts);
  return loading;
}

const NONE = new Float64Array();
const RAMP = Float64Array.of(0, 1, 2, 3);
const DOMAIN = { lo: 0, hi: 3, empty: false };
const MADE_UP: ChartPicture = {
  ...{ axis: "step", x: DOMAIN, y: DOMAIN, log: false, heat: null },
  series: [{ x: RAMP, y: RAMP, dotsX: NONE, dotsY: NONE, markX: NONE, markKind: new Uint8Array() }],
};

/** Draws a chart that nobody sees: the first one takes several times as long as those after it. */
export async function rehearseChart(theme: ChartTheme): Promise<void> {
  const library = await chartLibrary();
  const chart = library.create(document.createElement("div"), 320, 160, theme);
  await chart.draw(MADE_UP);
  chart.dispose();
}
