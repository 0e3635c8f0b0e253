/** Timeline, rows and smoothing of the made-up run: enough to look at, not what ships. */
import type {
  DensityView,
  EventTone,
  EventView,
  RowsView,
  SeriesView,
  TimelineMark,
  TimelineView,
} from "../../src/protocol/run.ts";
import type { FakeColumn } from "./fake-run.ts";
import { fakeRanges, fakeSeries } from "./fake-series.ts";

const TONES = new Map<string, EventTone>([
  ["crash", "bad"],
  ["nan_detected", "bad"],
  ["recorder_drops", "warn"],
  ["checkpoint", "checkpoint"],
  ["train_start", "edge"],
  ["train_end", "edge"],
]);

export function fakeTimeline(
  metric: string,
  title: string,
  x: Float64Array,
  column: FakeColumn | null,
  events: readonly EventView[],
  width: number,
): TimelineView {
  const domain: [number, number] | null = x.length > 0 ? [x[0] ?? 0, x.at(-1) ?? 0] : null;
  const marks = new Map<string, TimelineMark>();
  for (const { step, kind, message } of events) {
    const at = Number(step);
    if (step === "" || !domain) continue;
    const place = Math.floor(((at - domain[0]) / (domain[1] - domain[0] || 1)) * (width / 7));
    const tone = TONES.get(kind) ?? "other";
    const known = marks.get(`${place} ${tone}`);
    const count = (known?.count ?? 0) + 1;
    marks.set(
      `${place} ${tone}`,
      known ? { ...known, count } : { step: at, tone, count, kinds: [kind], message },
    );
  }
  return {
    domain,
    metric: column ? metric : "",
    title,
    series: column && domain ? fakeSeries(metric, x, column, domain, width) : null,
    yRange: column && domain ? fakeRanges([column], x, domain).robust : null,
    marks: [...marks.values()].sort((a, b) => a.step - b.step),
    unmarked: 0,
    problems: [],
  };
}

export function fakeDensity(rows: number, width: number): DensityView {
  const counts = Float64Array.from({ length: width }, (_, i) =>
    i % 17 === 3 ? 0 : Math.ceil((rows / width) * 8 * (0.6 + 0.4 * Math.sin(i / 30))),
  );
  return { counts, tooMany: false };
}

export function fakeRows(
  x: Float64Array,
  time: (i: number) => number,
  columns: readonly FakeColumn[],
  steps: readonly [number, number] | null,
  { offset, limit }: { offset: number; limit: number },
): RowsView {
  const inside = [...x.keys()].filter((i) => {
    const step = x[i] ?? 0;
    return !steps || (step >= steps[0] && step <= steps[1]);
  });
  return {
    total: inside.length,
    rows: inside.slice(offset, offset + limit).map((i) => ({
      step: String(x[i]),
      time: time(i),
      values: columns.map(({ values, valid }) => (valid?.[i] === 0 ? null : (values[i] ?? null))),
    })),
    problems: [],
  };
}

/** What cannot stand on a logarithmic axis, counted; the column without it. */
export function positive(column: FakeColumn): FakeColumn & { readonly hidden: number } {
  const valid = column.valid?.slice() ?? new Uint8Array(column.values.length).fill(1);
  let hidden = 0;
  column.values.forEach((value, i) => {
    if (valid[i] === 0 || !(value <= 0) || !Number.isFinite(value)) return;
    hidden++;
    valid[i] = 0;
  });
  return { values: column.values, valid, hidden };
}

/** A plain average over a share of the run, begun anew after a gap. */
export function smoothed(column: FakeColumn, weight: number): FakeColumn {
  const keep = Math.sqrt(weight) ** (1000 / Math.max(1, column.values.length));
  let average = Number.NaN;
  const values = column.values.map((value, i) => {
    const known = Number.isFinite(value) && column.valid?.[i] !== 0;
    average = !known ? Number.NaN : Number.isNaN(average) ? value : average + (value - average) * (1 - keep);
    return average;
  });
  return { values, valid: null };
}

export const withSmooth = (series: SeriesView, smooth: SeriesView): SeriesView => ({
  ...series,
  smoothX: smooth.x,
  smoothY: smooth.y,
});
