/** A table of runs: which columns there are, what stands in them, and the order of the rows. */

import { ignorer } from "../core/compare/config.ts";
import { t } from "../protocol/l10n.ts";
import { stateWord } from "../protocol/names.ts";
import type { MetricFigures } from "../protocol/run-row.ts";
import {
  type ColumnRef,
  columnOf,
  type Figure,
  type FixedColumn,
  type TableCell,
  type TableColumn,
  type TableRow,
  type TableSort,
} from "../protocol/runs-page.ts";
import type { ListedRun } from "./listed-run.ts";
import { sortedRuns } from "./listed-run.ts";
import { cut } from "./text.ts";

/** What was read of a run's metrics. */
export interface KnownFigures {
  readonly available: readonly string[];
  /** By metric. */
  readonly figures: ReadonlyMap<string, MetricFigures>;
  /** SVG paths by metric. */
  readonly sparks: ReadonlyMap<string, string>;
}
export type FiguresOf = (run: ListedRun) => KnownFigures | null;

/** Columns of keys that differ which are shown unasked. */
const MOST_DIFFERING = 4;
const MAX_LABEL = 200;
const MAX_CELL = 300;
const MAX_FINDINGS = 12;

export interface DifferingKey {
  readonly key: string;
  /** 0 where the runs differ, 1 where they do in what says little (some lack it, machines, ignored keys), 2 where they do not. */
  readonly rank: 0 | 1 | 2;
  /** Different values, a missing one among them. */
  readonly values: number;
  /** Runs that have it. */
  readonly runs: number;
  readonly examples: readonly string[];
}

/** All keys of the configuration: those in which the runs differ first, of these what most runs have. @param ignore patterns of keys that say nothing */
export function configKeys(runs: readonly ListedRun[], ignore: readonly string[]): DifferingKey[] {
  const isIgnored = ignorer(ignore);
  const read = runs.filter(({ summary }) => summary?.hasRecording === true);
  const byKey = new Map<string, Map<string, number>>();
  for (const { summary } of read)
    for (const [key, value] of summary?.config ?? []) {
      const values = byKey.get(key) ?? new Map<string, number>();
      values.set(value, (values.get(value) ?? 0) + 1);
      byKey.set(key, values);
    }
  return [...byKey]
    .map(([key, values]): DifferingKey => {
      const count = [...values.values()].reduce((sum, n) => sum + n, 0);
      const all = values.size + (count < read.length ? 1 : 0);
      const [section = "", ...path] = key.split(".");
      const saysMuch = values.size > 1 && !isIgnored(section, path) && section !== "environment";
      const rank = all < 2 ? 2 : saysMuch ? 0 : 1;
      const unset = count < read.length ? [t("not set")] : [];
      return { key, rank, values: all, runs: count, examples: [...[...values.keys()].slice(0, 3), ...unset] };
    })
    .sort((a, b) => a.rank - b.rank || b.runs - a.runs || (a.key < b.key ? -1 : 1));
}

/** Those that are shown unasked. */
export function shownDiffering(keys: readonly DifferingKey[]): string[] {
  return keys
    .filter(({ rank }) => rank === 0)
    .slice(0, MOST_DIFFERING)
    .map(({ key }) => key);
}

const FIXED: Readonly<Record<FixedColumn, () => Omit<TableColumn, "id" | "kind">>> = {
  name: () => ({ label: t("Run"), title: "", isNumber: false }),
  state: () => ({ label: t("State"), title: "", isNumber: false }),
  findings: () => ({ label: t("Findings"), title: t("Worst first"), isNumber: false }),
  steps: () => ({ label: t("Steps"), title: t("Steps recorded"), isNumber: true }),
  started: () => ({ label: t("Started"), title: "", isNumber: true }),
  duration: () => ({ label: t("Duration"), title: t("From the first to the newest row"), isNumber: true }),
  algorithm: () => ({ label: t("Algorithm"), title: "", isNumber: false }),
  model: () => ({ label: t("Model"), title: "", isNumber: false }),
};

const FIGURE_TITLES: Readonly<Record<Figure, () => string>> = {
  last: () => t("The last value that is a number"),
  min: () => t("The lowest value that is a number"),
  max: () => t("The highest value that is a number"),
};

/** What the ids say, the name always first; what is no column, or there twice, is left out. */
export function tableColumns(ids: readonly string[], differing: readonly string[]): TableColumn[] {
  const wanted = ["name", ...ids].flatMap((id) => {
    const ref = columnOf(id);
    return ref?.kind === "differing" ? differing.map((key) => `config:${key}`) : [id];
  });
  return [...new Set(wanted)].flatMap((id) => {
    const ref = columnOf(id);
    return ref ? columnView(id, ref) : [];
  });
}

function columnView(id: string, ref: ColumnRef): TableColumn[] {
  switch (ref.kind) {
    case "fixed":
      return [{ id, kind: "fixed", ...FIXED[ref.name]() }];
    case "figure": {
      const label = `${cut(ref.metric, MAX_LABEL)} ${ref.figure}`;
      return [{ id, kind: "figure", label, title: FIGURE_TITLES[ref.figure](), isNumber: true }];
    }
    case "spark": {
      const title = t("The whole run, from its lowest to its highest value; sorted by the last");
      return [{ id, kind: "spark", label: cut(ref.metric, MAX_LABEL), title, isNumber: false }];
    }
    case "config": {
      const label = cut(ref.key.slice(ref.key.indexOf(".") + 1), MAX_LABEL);
      return [{ id, kind: "config", label, title: cut(ref.key, MAX_LABEL), isNumber: false }];
    }
    case "differing":
      return [];
  }
}

/** Metrics that columns need: figures, and drawings. */
export function neededMetrics(columns: readonly { readonly id: string }[]): {
  readonly metrics: readonly string[];
  readonly sparks: readonly string[];
} {
  const metrics = new Set<string>();
  const sparks = new Set<string>();
  for (const { id } of columns) {
    const ref = columnOf(id);
    if (ref?.kind === "figure") metrics.add(ref.metric);
    if (ref?.kind !== "spark") continue;
    sparks.add(ref.metric);
    metrics.add(ref.metric);
  }
  return { metrics: [...metrics], sparks: [...sparks] };
}

/** What a row is sorted by; `null` where there is nothing, which stands last both ways. */
export type SortKey = number | string | null;

const STATES = ["running", "stalled", "crashed", "killed", "halted", "unknown", "finished"];
const SEVERITIES = ["info", "warn", "critical"];

export function sortKey(id: string, run: ListedRun, figures: KnownFigures | null): SortKey {
  const ref = columnOf(id);
  const { summary } = run;
  switch (ref?.kind) {
    case "figure":
      return figures?.figures.get(ref.metric)?.[ref.figure] ?? null;
    case "spark":
      return figures?.figures.get(ref.metric)?.last ?? null;
    case "config": {
      const value = summary?.config.find(([key]) => key === ref.key)?.[1];
      if (value === undefined) return null;
      return isNumeric(value) ? Number(value) : value;
    }
    case "fixed":
      return ref.name === "name" ? run.label : fixedKey(ref.name, run);
    default:
      return null;
  }
}

const isNumeric = (text: string): boolean => /^[+-]?(\d|\.\d)/.test(text) && !Number.isNaN(Number(text));

function fixedKey(name: Exclude<FixedColumn, "name">, run: ListedRun): SortKey {
  const { summary, findings } = run;
  if (name === "findings") {
    if (!findings) return null;
    const worst = findings[0];
    // More of the worst severity is worse; the others decide after them.
    const count = findings.filter(({ severity }) => severity === worst?.severity).length;
    return worst ? (SEVERITIES.indexOf(worst.severity) + 1) * 1e6 + count * 1e3 + findings.length : 0;
  }
  if (!summary) return null;
  switch (name) {
    case "state":
      return STATES.length - STATES.indexOf(summary.state);
    case "steps":
      return summary.steps;
    case "started":
      return startedOf(run);
    case "duration":
      return durationOf(run);
    case "algorithm":
    case "model":
      return summary[name] === "" ? null : summary[name];
  }
}

/** Milliseconds since the epoch. */
export function startedOf({ summary }: ListedRun): number | null {
  if (!summary) return null;
  return summary.timeFirst === null ? summary.createdAt : summary.timeFirst * 1000;
}

/** Seconds. */
export function durationOf({ summary }: ListedRun): number | null {
  if (summary?.timeFirst == null || summary.timeLast === null) return null;
  return summary.timeLast - summary.timeFirst;
}

const NAMES = new Intl.Collator("en", { numeric: true });

function compareKeys(a: number | string, b: number | string): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  // Numbers stand before words.
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
  return NAMES.compare(String(a), String(b));
}

/** Equal ones by name; the newest first without a column to sort by. */
export function sortedTable(
  runs: readonly ListedRun[],
  sort: TableSort | null,
  figuresOf: FiguresOf,
): ListedRun[] {
  if (!sort) return sortedRuns(runs, "newest");
  const sign = sort.descending ? -1 : 1;
  const keyed = sortedRuns(runs, "name").map((run) => ({
    run,
    key: sortKey(sort.column, run, figuresOf(run)),
  }));
  return keyed
    .sort((a, b) => {
      if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null);
      return sign * compareKeys(a.key, b.key);
    })
    .map(({ run }) => run);
}

/** Four significant digits. */
const short = (value: number): string => String(Number(value.toPrecision(4)));
const two = (value: number): string => String(value).padStart(2, "0");

/** "2026-01-31 09:05" on the clock of this machine. */
export function momentText(ms: number): string {
  const at = new Date(ms);
  if (Number.isNaN(at.getTime())) return "";
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join("-");
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** "1 h 05 min", "4 min 10 s", "12 s". */
export function durationText(seconds: number): string {
  const all = Math.max(0, Math.round(seconds));
  const [hours, minutes] = [Math.floor(all / 3600), Math.floor(all / 60) % 60];
  if (hours >= 48) return `${Math.floor(hours / 24)} d ${hours % 24} h`;
  if (hours > 0) return `${hours} h ${two(minutes)} min`;
  return minutes > 0 ? `${minutes} min ${two(all % 60)} s` : `${all} s`;
}

const plain = (text: string): TableCell => ({ text, path: "" });

function cellOf({ id }: TableColumn, run: ListedRun, known: KnownFigures | null): TableCell {
  const ref = columnOf(id);
  switch (ref?.kind) {
    case "figure": {
      const value = known?.figures.get(ref.metric)?.[ref.figure];
      return plain(value === null || value === undefined ? "" : short(value));
    }
    case "spark": {
      const path = known?.sparks.get(ref.metric) ?? "";
      const own = known?.figures.get(ref.metric);
      if (path === "" || own?.last == null || own.min === null || own.max === null) return plain("");
      const words = t("last {0}, lowest {1}, highest {2}", short(own.last), short(own.min), short(own.max));
      return { text: words, path };
    }
    case "config":
      return plain(cut(run.summary?.config.find(([key]) => key === ref.key)?.[1] ?? "", MAX_CELL));
    case "fixed":
      return plain(fixedText(ref.name, run));
    default:
      return plain("");
  }
}

function fixedText(name: FixedColumn, run: ListedRun): string {
  const { summary, label, kind } = run;
  if (name === "name") return label;
  if (!summary) return "";
  if (kind === "records" && name === "state") return t("run records");
  const number = (value: number | null, text: (value: number) => string): string =>
    value === null ? "" : text(value);
  switch (name) {
    case "state":
      return stateWord(summary.state);
    case "steps":
      return kind === "records" ? "" : summary.steps.toLocaleString("en-US");
    case "started":
      return number(startedOf(run), momentText);
    case "duration":
      return number(durationOf(run), durationText);
    case "algorithm":
    case "model":
      return summary[name];
    case "findings":
      return "";
  }
}

export function tableRow(
  columns: readonly TableColumn[],
  run: ListedRun,
  known: KnownFigures | null,
  place: string,
): TableRow {
  const { summary, findings, verdict, problem } = run;
  return {
    dir: run.dir,
    label: run.label,
    place,
    state: run.kind === "records" ? null : (summary?.state ?? null),
    stateReason: summary?.stateReason ?? "",
    findings:
      findings
        ?.slice(0, MAX_FINDINGS)
        .map(({ id, title, severity, firstStep }) => ({ id, title, severity, firstStep })) ?? null,
    verdict: verdict?.words ?? "",
    problem: problem?.message ?? "",
    cells: columns.map((column) => cellOf(column, run, known)),
  };
}
