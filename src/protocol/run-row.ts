/** One run in a table of runs: figures of some metrics, and one of them drawn small. */
import * as z from "zod/mini";

export const MAX_FIGURES = 64;

export const MetricFigures = z.object({
  metric: z.string(),
  /** Of the values that are numbers; `null` where there is none. */
  last: z.nullable(z.number()),
  min: z.nullable(z.number()),
  max: z.nullable(z.number()),
});
export type MetricFigures = z.infer<typeof MetricFigures>;

export const RunRowParams = z.object({
  metrics: z.array(z.string()).check(z.maxLength(MAX_FIGURES)),
  /** Metrics that are drawn. */
  sparks: z.array(z.string()).check(z.maxLength(8)),
  /** Pixel columns of the drawings. */
  width: z.int().check(z.gte(8), z.lte(1024)),
  height: z.int().check(z.gte(8), z.lte(1024)),
});
export type RunRowParams = z.infer<typeof RunRowParams>;

export const RunRow = z.object({
  /** Metrics of the recording that have values, in its order. */
  available: z.array(z.string()),
  figures: z.array(MetricFigures),
  /** Each as an SVG path of `width` × `height`: first, lowest, highest and last value of each pixel column. "" for nothing to draw. */
  sparks: z.array(z.object({ metric: z.string(), path: z.string() })),
});
export type RunRow = z.infer<typeof RunRow>;
