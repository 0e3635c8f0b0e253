/** Curves of several runs in one picture, and the gap of two with its noise band. */
import { type Domain, fullDomain, nearestPlace, type SortedX } from "../core/chart/grid.ts";
import { type Decimated, decimate } from "../core/chart/m4.ts";
import { yRanges, yRangesOver } from "../core/chart/range.ts";
import type { Pair } from "../core/compare/pair.ts";

import type { Column, RunModel } from "../core/run/model.ts";
import type { CompareContract, GapView, OverlayView } from "../protocol/compare.ts";
import type { SeriesView } from "../protocol/run.ts";
import type { Params, Problem, Result } from "../protocol/wire.ts";
import { stepText } from "./axes.ts";
import type { CompareColumns } from "./compare-columns.ts";
import { smoothed } from "./smoothed.ts";

/** Lines run on to the edge. */
const POINTS = { reach: true } as const;

interface Curve {
  readonly run: number;
  readonly sorted: SortedX;
  readonly column: Column;
}

export async function overlayView(
  models: readonly RunModel[],
  columns: CompareColumns,
  params: Params<CompareContract, "compare.series">,
  signal: AbortSignal,
): Promise<OverlayView> {
  const problems: Problem[] = [];
  const curves: Curve[] = [];
  const wanted = params.runs ? new Set(params.runs) : null;
  for (const [run, model] of models.entries()) {
    signal.throwIfAborted();
    if ((wanted && !wanted.has(run)) || !hasScalar(model, params.metric)) continue;
    const sorted = await columns.sorted(model, params.align);
    const [column] = await columns.read(model, [params.metric], problems);
    if (column) curves.push({ run, sorted, column });
  }
  signal.throwIfAborted();
  const domain = params.range ? ordered(params.range) : union(curves.map(({ sorted }) => sorted));
  const ranges = yRangesOver(curves, domain, params.log ? "log" : "linear");
  return {
    metric: params.metric,
    series: curves.map((curve) => ({ run: curve.run, series: curveView(curve, domain, params) })),
    xDomain: [domain[0], domain[1]],
    ...rangesView(ranges),
    problems,
  };
}

function curveView(
  { sorted, column }: Curve,
  domain: Domain,
  { metric, width, smoothing = 0, log = false }: Params<CompareContract, "compare.series">,
): SeriesView {
  const options = { ...POINTS, positive: log };
  const raw = { metric, ...decimate(sorted, column, domain, width, options) };
  if (smoothing <= 0) return raw;
  const values = smoothed(sorted, column, smoothing);
  const { x, y } = decimate({ x: sorted.x, rows: null }, { values, valid: null }, domain, width, options);
  return { ...raw, smoothX: x, smoothY: y };
}

const ordered = ([a, b]: readonly [number, number]): Domain => (a <= b ? [a, b] : [b, a]);

/** From the first to the last x of any run. */
function union(all: readonly SortedX[]): Domain {
  const domains = all.filter(({ x }) => x.length > 0).map(({ x }) => fullDomain(x));
  if (domains.length === 0) return [0, 0];
  return [Math.min(...domains.map(([from]) => from)), Math.max(...domains.map(([, to]) => to))];
}

function rangesView({ full, robust, outside }: ReturnType<typeof yRanges>) {
  return {
    yFull: full && ([full[0], full[1]] as [number, number]),
    yRobust: robust && ([robust[0], robust[1]] as [number, number]),
    outside,
  };
}

export function hasScalar(model: RunModel, metric: string): boolean {
  return model.steps.columns.some(({ name, kind }) => name === metric && kind === "scalar");
}

/** Where rows of a pair meet, in units of the axis. */
export function placesX(pair: Pair): Float64Array {
  const { a } = pair.meeting;
  const { step, timestamp } = pair.axisA;
  const from = pair.settings.align === "time" && timestamp ? timestamp : step;
  const first = pair.settings.align === "step" ? 0 : firstOf(from.values, from.valid);
  return Float64Array.from(a, (row) => (from.values[row] as number) - first);
}

function firstOf(values: Float64Array, valid: Uint8Array | null): number {
  let first = Number.POSITIVE_INFINITY;
  for (let i = 0; i < values.length; i++)
    if (valid?.[i] !== 0 && (values[i] as number) < first) first = values[i] as number;
  return Number.isFinite(first) ? first : 0;
}

export function gapView(
  params: Params<CompareContract, "compare.gap">,
  x: Float64Array,
  found: {
    readonly gap: Float64Array | null;
    readonly view: GapView["gap"];
    readonly problems: Problem[];
  },
): GapView {
  const domain = params.range ? ordered(params.range) : fullDomain(x);
  const { gap, view, problems } = found;
  const base = {
    metric: params.metric,
    other: params.other,
    gap: view,
    xDomain: [domain[0], domain[1]] as [number, number],
    problems,
  };
  if (!gap || gap.every(Number.isNaN))
    return { ...base, series: null, yFull: null, yRobust: null, outside: 0 };
  const sorted = { x, rows: null };
  // A gap that is missing on one side is missing, not a NaN that somebody wrote.
  const column = { values: gap, valid: Uint8Array.from(gap, (value) => (Number.isNaN(value) ? 0 : 1)) };
  const picture: Decimated = decimate(sorted, column, domain, params.width, POINTS);
  return {
    ...base,
    series: { metric: params.metric, ...picture },
    ...rangesView(yRanges(sorted, [column], domain)),
  };
}

/** Values of every run in its row nearest to a place. */
export async function compareAt(
  models: readonly RunModel[],
  columns: CompareColumns,
  { align, at, metrics }: Params<CompareContract, "compare.at">,
  signal: AbortSignal,
): Promise<Result<CompareContract, "compare.at">> {
  const out: Result<CompareContract, "compare.at"> = [];
  for (const model of models) {
    signal.throwIfAborted();
    const sorted = await columns.sorted(model, align);
    const place = nearestPlace(sorted.x, at);
    if (place < 0) {
      out.push({ step: "", x: null, values: metrics.map(() => null) });
      continue;
    }
    const row = sorted.rows?.[place] ?? place;
    const { step } = await columns.axes(model).rows();
    const known = metrics.filter((metric) => hasScalar(model, metric));
    const read = await columns.read(model, known, []);
    const byName = new Map(known.map((metric, i) => [metric, read[i]]));
    out.push({
      step: stepText(step, row),
      x: sorted.x[place] ?? null,
      values: metrics.map((metric) => {
        const column = byName.get(metric);
        return column && column.valid?.[row] !== 0 ? (column.values[row] ?? null) : null;
      }),
    });
  }
  return out;
}
