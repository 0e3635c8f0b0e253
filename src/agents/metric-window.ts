/** Metrics over some steps: the shape of each curve without losing a spike, or the rows as they are. */
import path from "node:path";
import * as z from "zod/mini";
import { nearest } from "../core/doctor/nearest.ts";
import type { ChartView, Overview, SeriesView } from "../protocol/run.ts";
import { MAX_ANSWER, type Part, paged, parseCursor } from "./answer.ts";
import { ToolFault } from "./fault.ts";
import {
  brief,
  compactJson,
  figures,
  type Json,
  type JsonRecord,
  notFinite,
  rounded,
  stepJson,
} from "./json.ts";
import { folderAt } from "./places.ts";
import { notesOf, runHead } from "./run-head.ts";
import { CursorText, PathText, Step } from "./schema.ts";
import { type AgentRun, type AgentSource, withRun } from "./source.ts";
import { citation, isFormatMetric, metricJson } from "./untrusted.ts";

const MAX_METRICS = 8;

export const MetricWindowInput = z.strictObject({
  run: PathText,
  metrics: z.optional(
    z
      .array(z.string().check(z.minLength(1), z.maxLength(1000)))
      .check(
        z.minLength(1),
        z.maxLength(MAX_METRICS),
        z.describe(
          "Names of metrics, as in reward_mean, kl_mean. Leave it out to get the names that the run has.",
        ),
      ),
  ),
  from: z.optional(Step.check(z.describe("First step (default: the run's first)."))),
  to: z.optional(Step.check(z.describe("Last step, included (default: the run's last)."))),
  detail: z.optional(
    z
      .enum(["shape", "rows"])
      .check(
        z.describe(
          "shape (default): first, lowest, highest and last value of each stretch, so that no spike is lost. rows: every recorded row, a page at a time.",
        ),
      ),
  ),
  limit: z.optional(
    z
      .int()
      .check(
        z.gte(1),
        z.lte(400),
        z.describe(
          "Of shape: points a metric, about (default 60). Of rows and names: rows a page (default 50).",
        ),
      ),
  ),
  cursor: z.optional(CursorText),
});
export type MetricWindowInput = z.infer<typeof MetricWindowInput>;

export async function metricWindow(
  source: AgentSource,
  input: MetricWindowInput,
  signal: AbortSignal,
): Promise<string> {
  const { cursor: given, ...asked } = input;
  const cursor = parseCursor(given, asked);
  const dir = await folderAt(input.run, source.places);
  return withRun(source, dir, signal, async (run) => {
    const known = await metricsOf(run, signal);
    const notes = notesOf(run);
    const base = { asked, cursor, head: runHead(source, run), notes };
    if (!input.metrics) return paged({ ...base, parts: [namesPart(known, input.limit ?? 50)] });
    const names = [...new Set(input.metrics)];
    expectKnown(names, known);
    const chart = await shapeOf(run, names, input, 1, signal);
    const once = { window: await windowJson(run, names, chart, signal) };
    if (input.detail === "rows") {
      const rows = await rowsPart(run, names, input, signal);
      return paged({ ...base, once, parts: [rows] });
    }
    const points = Math.min(input.limit ?? 60, Math.floor(MAX_POINTS / names.length));
    const curves = await curvesPart(run, names, input, points, signal);
    return paged({ ...base, once, parts: [curves] });
  });
}

interface Known {
  readonly group: string;
  readonly metric: string;
  readonly title: string;
  readonly unit: string;
}

/** Lists have no curve and are left out. */
async function metricsOf(run: AgentRun, signal: AbortSignal): Promise<readonly Known[]> {
  const { groups }: Overview = await run.call("run.overview", {}, signal);
  return groups.flatMap(({ title: group, charts }) =>
    charts
      .filter(({ kind }) => kind === "lines")
      .flatMap(({ series, title, unit }) => series.map(({ metric }) => ({ group, metric, title, unit }))),
  );
}

function namesPart(known: readonly Known[], limit: number): Part {
  return {
    name: "metrics",
    total: known.length,
    limit,
    room: MAX_ANSWER,
    rows: (offset, count) =>
      known
        .slice(offset, offset + count)
        .map(({ group, metric, title, unit }) =>
          isFormatMetric(metric)
            ? { metric, title, ...(unit === "" ? {} : { unit }), group }
            : { untrusted: { metric: brief(metric, 1000) }, group },
        ),
  };
}

function expectKnown(names: readonly string[], known: readonly Known[]): void {
  const all = known.map(({ metric }) => metric);
  const missing = names.filter((name) => !all.includes(name));
  if (missing.length === 0) return;
  const near = missing.flatMap((name) => nearest(name, all) ?? []);
  throw new ToolFault(
    "no-such-metric",
    `The run has not recorded ${missing.length === 1 ? "one of the metrics" : `${missing.length} of the metrics`}.`,
    "Call flightdeck_get_metric_window without metrics for the names that the run has.",
    { missing: missing.map((name) => brief(name, 200)), nearest: near.map((name) => brief(name, 200)) },
  );
}

const MAX_POINTS = 640;

function shapeOf(
  run: AgentRun,
  metrics: readonly string[],
  { from, to }: MetricWindowInput,
  width: number,
  signal: AbortSignal,
): Promise<ChartView> {
  const steps = rangeOf(from, to);
  return run.call(
    "chart.series",
    { id: "", metrics: [...metrics], x: "step", range: null, ...(steps ? { steps } : {}), width },
    signal,
  );
}

function rangeOf(from: number | undefined, to: number | undefined): [number, number] | null {
  if (from === undefined && to === undefined) return null;
  const range: [number, number] = [from ?? -Number.MAX_SAFE_INTEGER, to ?? Number.MAX_SAFE_INTEGER];
  if (range[0] <= range[1]) return range;
  throw new ToolFault("bad-window", "from lies behind to.", "Give the lower step as from.");
}

/** What all recorded rows of the window come to, whatever of them is shown. */
async function windowJson(
  run: AgentRun,
  names: readonly string[],
  chart: ChartView,
  signal: AbortSignal,
): Promise<JsonRecord> {
  const { firstText, lastText, steps } = await run.call("run.axis", {}, signal);
  return {
    run_first_step: stepJson(firstText),
    run_last_step: stepJson(lastText),
    run_steps: steps,
    cite_as: `${citation(path.basename(run.dir))}/STEP`,
    metrics: names.map((name) => {
      const series = chart.series.find(({ metric }) => metric === name);
      return {
        ...metricJson(name),
        ...(series ? totals(series) : { error: "This column could not be read." }),
      };
    }),
  };
}

function totals(s: SeriesView): JsonRecord {
  return {
    finite: s.finite,
    not_recorded: s.missing,
    nan: s.nan,
    positive_infinity: s.posInf,
    negative_infinity: s.negInf,
    ...figures({
      min: s.min,
      min_step: s.minX,
      max: s.max,
      max_step: s.maxX,
      last: s.last,
      last_step: s.lastX,
    }),
  };
}

/** As many points as there is room for: fewer where they are long. */
async function curvesPart(
  run: AgentRun,
  names: readonly string[],
  input: MetricWindowInput,
  points: number,
  signal: AbortSignal,
): Promise<Part> {
  const room = MAX_ANSWER - 6000;
  for (let count = points; ; count = Math.floor(count / 2)) {
    const width = Math.max(1, Math.floor(count / 4));
    const chart = await shapeOf(run, names, input, width, signal);
    const rows = names.flatMap((name) => {
      const series = chart.series.find(({ metric }) => metric === name);
      return series ? [curveJson(series, chart.xDomain)] : [];
    });
    if (compactJson(rows).length <= room || width === 1)
      return {
        name: "curves",
        total: rows.length,
        limit: names.length,
        room,
        rows: (offset) => rows.slice(offset),
      };
  }
}

const MARKS = ["NaN", "Infinity", "-Infinity"];
const MAX_MARKS = 40;

/** Points as [step, value], seven digits; what is not finite as [step, which], the first of a kind in each stretch. */
function curveJson(series: SeriesView, [low, high]: readonly [number, number]): JsonRecord {
  const { x, y, dotsX, dotsY, markX, markKind, metric } = series;
  const points: [number, number][] = [];
  const add = (xs: Float64Array, ys: Float64Array): void => {
    for (const [i, step] of xs.entries()) {
      const value = ys[i] ?? Number.NaN;
      if (!Number.isNaN(value) && step >= low && step <= high) points.push([step, rounded(value)]);
    }
  };
  add(x, y);
  add(dotsX, dotsY);
  points.sort(([a], [b]) => a - b);
  const marks = [...markX].map((step, i) => [step, MARKS[markKind[i] ?? 0] ?? "NaN"]);
  return {
    ...metricJson(metric),
    points,
    ...(marks.length > 0 ? { not_finite: marks.slice(0, MAX_MARKS) } : {}),
    ...(marks.length > MAX_MARKS ? { not_finite_left_out: marks.length - MAX_MARKS } : {}),
  };
}

/** Rows as [step, value, …]; a last element that is an object says which nulls were not finite. A null alone was not recorded. */
async function rowsPart(
  run: AgentRun,
  names: readonly string[],
  { from, to, limit = 50 }: MetricWindowInput,
  signal: AbortSignal,
): Promise<Part> {
  const ask = (offset: number, count: number) =>
    run.call("chart.rows", { metrics: [...names], steps: rangeOf(from, to), offset, limit: count }, signal);
  const { total } = await ask(0, 1);
  return {
    name: "rows",
    total,
    limit,
    room: MAX_ANSWER,
    head: { columns: [{ metric: "step" }, ...names.map(metricJson)] },
    rows: async (offset, count) => {
      const { rows } = await ask(offset, count);
      return rows.map(({ step, values }) => rowJson(step, values));
    },
  };
}

function rowJson(step: string, values: readonly (number | null)[]): Json {
  const odd = values.flatMap((value, i) => {
    const mark = notFinite(value);
    return mark === null ? [] : [[String(i + 1), mark] as const];
  });
  const cells = values.map((value) => (value !== null && Number.isFinite(value) ? value : null));
  return [stepJson(step), ...cells, ...(odd.length > 0 ? [Object.fromEntries(odd)] : [])];
}
