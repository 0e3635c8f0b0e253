/**
 * The drawing library, begun when it is first needed: the header need not wait for it. It is in the page's one file; only
 * its start is put off.
 */
import type { ChartFactory } from "./chart.ts";

let loading: Promise<ChartFactory> | null = null;

export function chartLibrary(): Promise<ChartFactory> {
  loading ??= import("./vega-chart.ts").then(({ vegaCharts }) => vegaCharts);
  return loading;
}
