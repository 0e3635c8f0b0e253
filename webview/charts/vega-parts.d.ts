/** The parts of vega that the page is built from; they come without types of their own. */
declare module "vega-view" {
  export { View } from "vega";
}
declare module "vega-dataflow" {
  export const transforms: Record<string, unknown>;
}
declare module "vega-transforms" {
  export const collect: unknown;
  export const proxy: unknown;
  export const relay: unknown;
  export const sieve: unknown;
}
declare module "vega-view-transforms" {
  export const bound: unknown;
  export const mark: unknown;
  export const render: unknown;
  export const viewlayout: unknown;
}
declare module "vega-encode" {
  export const axisticks: unknown;
  export const datajoin: unknown;
  export const encode: unknown;
  export const scale: unknown;
}
declare module "vega-interpreter" {
  export const expressionInterpreter: unknown;
}
