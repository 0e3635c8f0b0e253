/** What the panels say, and what they leave out: without a page, so that it can be tested without one. */
import type {
  AxisView,
  ChartGroup,
  ChartSpec,
  ConfigSection,
  CountsView,
  EventView,
  Overview,
  XAxis,
} from "../../src/protocol/run.ts";
import type { XRange } from "../state.ts";
import { formatClock, formatCount, formatDuration, formatNumber, plural } from "../text/numbers.ts";

/** Seconds between the first and the last row; `null` when the recording has no times. */
export function durationOf(axis: AxisView | null): number | null {
  const { timeFirst = null, timeLast = null } = axis ?? {};
  return timeFirst === null || timeLast === null ? null : timeLast - timeFirst;
}

/** What the header says about a run beside its name, most telling first. */
export function headerFacts(overview: Overview, axis: AxisView | null, counts: CountsView | null): string[] {
  const facts: string[] = [];
  if (overview.runId !== overview.label && overview.runId !== "") facts.push(overview.runId);
  if (overview.algorithm !== "") facts.push(overview.algorithm);
  if (overview.model !== "") facts.push(overview.model);
  if (overview.hasRecording) facts.push(plural(axis?.steps ?? overview.rowCount, "step"));
  const seconds = durationOf(axis);
  if (seconds !== null && seconds > 0) facts.push(formatDuration(seconds));
  if (counts && counts.samples > 0) facts.push(plural(counts.samples, "sample"));
  if (overview.ranks.length > 1) facts.push(plural(overview.ranks.length, "rank"));
  return facts;
}

export function warningsLabel(warnings: readonly { readonly level: string }[]): string {
  const serious = warnings.filter(({ level }) => level === "warning").length;
  return serious > 0 ? plural(serious, "warning") : plural(warnings.length, "note");
}

/** Charts whose title, id or a metric's name holds every word of the filter. */
export function matches(chart: ChartSpec, filter: string): boolean {
  const text = [chart.title, chart.id, ...chart.series.flatMap(({ metric, label }) => [metric, label])]
    .join(" ")
    .toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

export function filterGroups(groups: readonly ChartGroup[], filter: string): ChartGroup[] {
  return groups
    .map((group) => ({ ...group, charts: group.charts.filter((chart) => matches(chart, filter)) }))
    .filter((group) => group.charts.length > 0);
}

/** "steps 130–215 of 250", "18:21:04–18:25:10", "2 m 10 s–4 m 00 s". */
export function rangeWords(range: XRange, axis: XAxis, last: string): string {
  const [from, to] = range;
  if (axis === "time") return `${formatClock(from)}–${formatClock(to)}`;
  if (axis === "relative") return `${formatDuration(from)}–${formatDuration(to)}`;
  const step = (value: number): string =>
    Number.isSafeInteger(Math.round(value)) ? formatCount(Math.round(value)) : formatNumber(value);
  return `steps ${step(from)}–${step(to)}${last === "" ? "" : ` of ${last}`}`;
}

/** A step as it was written, in groups of three where it is long. */
export const stepText = (text: string): string => (/^\d{5,}$/.test(text) ? formatCount(Number(text)) : text);

/** The step an event names, when the charts can go there. */
export function eventStep(event: EventView): number | null {
  const step = event.step.trim() === "" ? Number.NaN : Number(event.step);
  return Number.isFinite(step) ? step : null;
}

type Row = ConfigSection["rows"][number];

/** Rows whose path or value holds every word of the filter. */
export function filterRows(rows: readonly Row[], filter: string): Row[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter(({ path, value }) => {
    const text = `${path} ${value}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** How a value is written: text that could be taken for something else is quoted. */
export function valueWords({ value, type }: Pick<Row, "value" | "type">): string {
  if (type !== "string") return value;
  const alike = /^(true|false|null|none|nan)$/i.test(value) || Number.isFinite(Number(value));
  return alike || value.trim() !== value ? `"${value}"` : value;
}

/** Least width of a chart and the space between two, in CSS pixels. */
const CHART_WIDTH = 270;
const CHART_SPACE = 8;
/** The style sheet knows this many columns. */
const MOST_COLUMNS = 6;
/** More series than this want twice the width, where there is room. */
const NARROW_SERIES = 3;

/** How many charts stand side by side in a width. */
export const columnsFor = (width: number): number =>
  Math.min(MOST_COLUMNS, Math.max(1, Math.floor((width + CHART_SPACE) / (CHART_WIDTH + CHART_SPACE))));

export const isWide = (chart: ChartSpec): boolean => chart.series.length > NARROW_SERIES;

/** Columns that a group takes: what its charts need, so that small groups share a row. */
export const groupSpan = (group: ChartGroup, columns: number): number =>
  Math.min(
    columns,
    group.charts.reduce((sum, chart) => sum + (isWide(chart) ? 2 : 1), 0),
  );
