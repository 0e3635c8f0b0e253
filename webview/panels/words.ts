/** What the panels say, and what they leave out: without a page, so that it can be tested without one. */
import { t } from "../../src/protocol/l10n.ts";
import type {
  AxisView,
  ChartSpec,
  ConfigSection,
  CountsView,
  EventView,
  Overview,
  WarningView,
  XAxis,
} from "../../src/protocol/run.ts";
import type { XRange } from "../state.ts";
import {
  formatClock,
  formatCount,
  formatDayClock,
  formatDuration,
  formatStep,
  plural,
  spansDays,
} from "../text/numbers.ts";

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

/** What is known against a part of the run and is not said elsewhere on the page. */
export const notSaid = (warnings: readonly WarningView[], said: readonly WarningView[]): WarningView[] =>
  warnings.filter(
    (one) =>
      !said.some(
        ({ code, file, message }) => code === one.code && file === one.file && message === one.message,
      ),
  );

/** How many events can be looked through, where a flood of them was thinned out; "" otherwise. */
export const heldWords = (held: number, all: number): string =>
  held < all ? t("{0} of {1} held", formatCount(held), formatCount(all)) : "";

/** "2 warnings · 1 note". */
export function warningsLabel(warnings: readonly { readonly level: string }[]): string {
  const serious = warnings.filter(({ level }) => level === "warning").length;
  const notes = warnings.length - serious;
  return [serious > 0 ? plural(serious, "warning") : "", notes > 0 ? plural(notes, "note") : ""]
    .filter(Boolean)
    .join(" · ");
}

const STEP_FILE = /^(rank-\d+\/)?steps(\.parquet|\/|$)/;

/** Why no steps could be read, where files of steps are there; `null` when nothing is known against them. */
export function unreadSteps(warnings: readonly WarningView[]): WarningView | null {
  const against = warnings.filter(
    ({ file, level, code }) => STEP_FILE.test(file) && level === "warning" && code !== "part-gap",
  );
  return against[0] ?? null;
}

/** What a chart is searched in, made once: a run can have thousands. */
const TEXTS = new WeakMap<ChartSpec, string>();

function textOf(chart: ChartSpec): string {
  const known = TEXTS.get(chart);
  if (known !== undefined) return known;
  const text = [chart.title, chart.id, ...chart.series.flatMap(({ metric, label }) => [metric, label])]
    .join(" ")
    .toLowerCase();
  TEXTS.set(chart, text);
  return text;
}

/** Finds charts whose title, id or a metric's name holds every word of the filter. */
export function searcher(filter: string): (chart: ChartSpec) => boolean {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return (chart) => words.every((word) => textOf(chart).includes(word));
}

export const matches = (chart: ChartSpec, filter: string): boolean => searcher(filter)(chart);

/** "steps 130–215 of 250". */
export function rangeWords([from, to]: XRange, last: string): string {
  const step = (value: number): string => formatStep(Math.round(value));
  return last === ""
    ? t("steps {0}–{1}", step(from), step(to))
    : t("steps {0}–{1} of {2}", step(from), step(to), last);
}

/**
 * The same of a run whose last step may not be known yet: "steps 130–215 of …". Where steps do not begin at 1 its last is not
 * how many there are: "steps 473–499 of 0–499".
 */
export function rangeOf(range: XRange, axis: AxisView | null): string {
  if (!axis) return rangeWords(range, "…");
  const [first, last] = [stepText(axis.firstText), stepText(axis.lastText)];
  return rangeWords(range, first === "1" ? last : `${first}–${last}`);
}

/** A step as it was written, in groups of three. */
export const stepText = (text: string): string =>
  /^-?\d+$/.test(text) ? text.replace("-", "−").replace(/\B(?=(\d{3})+$)/g, ",") : text;

/** A wall time in a run: with its day where the run goes over more than one. */
export function clockWords(seconds: number, axis: AxisView | null): string {
  const dated = spansDays(axis?.timeFirst ?? null, axis?.timeLast ?? null);
  return dated ? formatDayClock(seconds) : formatClock(seconds);
}

/** The time of a row for the readout: on the axis of relative time as that, otherwise as a wall time. */
export function readoutTime(time: number, x: XAxis, axis: AxisView | null): string {
  const first = axis?.timeFirst ?? null;
  return x === "relative" && first !== null
    ? t("{0} in", formatDuration(time - first))
    : clockWords(time, axis);
}

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
