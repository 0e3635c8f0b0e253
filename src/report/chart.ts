/** Charts of a report as SVG: every spike, gap and value that is none is in them, and what is drawn is said in words too. */
import type { SeriesView } from "../protocol/run.ts";
import { count, figure, plural, stepFigure, ticks } from "./figures.ts";
import { type Child, el, type Markup, recorded } from "./markup.ts";
import { apart, dotPath, linePath, type Pair, type Plot, toX, toY, xRange, yRange, yTicks } from "./plot.ts";

export interface ChartLine {
  /** Recorded text. */
  readonly label: string;
  /** Place among the colours and dashes. */
  readonly style: number;
  readonly series: SeriesView;
}

export interface Window {
  readonly name: "early" | "late";
  /** In units of x. */
  readonly x: Pair;
}

export interface Onset {
  readonly x: number;
  readonly severity: string;
}

export interface ChartParts {
  /** Recorded text. */
  readonly title: string;
  readonly unit: string;
  readonly lines: readonly ChartLine[];
  readonly xDomain: Pair;
  /** Without far outliers. */
  readonly y: Pair | null;
  /** Values outside of it. */
  readonly outside: number;
  readonly isWide: boolean;
  readonly thresholds?: readonly number[];
  readonly windows?: readonly Window[];
  readonly onsets?: readonly Onset[];
  /** A band of noise, in units of y. */
  readonly band?: Pair | null;
  /** What stands on x: "step" unless said. */
  readonly axis?: string;
  /** More for the head. */
  readonly notes?: readonly Child[];
  /** Drawn over all the rest. */
  readonly extra?: Child;
  /** What the picture has no room for. */
  readonly left?: number;
}

const WIDE = { width: 900, height: 210, left: 50, right: 10, top: 14, bottom: 22 };
const SMALL = { width: 440, height: 160, left: 50, right: 10, top: 12, bottom: 22 };
/** Colours and dashes that the style sheet has. */
export const STYLES = 8;
const MAX_CARETS = 60;

export const styleClass = (style: number): string => `s s${style % STYLES}`;

export function frameOf(isWide: boolean, xDomain: Pair, y: Pair): Plot & { readonly size: Pair } {
  const { width, height, left, right, top, bottom } = isWide ? WIDE : SMALL;
  return {
    left,
    top,
    width: width - left - right,
    height: height - top - bottom,
    x: xRange(xDomain),
    y,
    size: [width, height],
  };
}

let lastId = 0;
/** Names in a document start anew with each. */
export function restartIds(): void {
  lastId = 0;
}
export const nextId = (): string => `c${++lastId}`;

export function chart(parts: ChartParts): Markup {
  const { lines, isWide, thresholds = [], windows = [], onsets = [], band = null } = parts;
  const levels = [...thresholds, ...(band ?? [])];
  const plot = frameOf(isWide, parts.xDomain, yRange(parts.y, levels));
  const id = nextId();
  const isEmpty = lines.every(({ series }) => series.finite === 0);
  const clip = `url(#${id}p)`;
  return el(
    "figure",
    { class: isWide ? "chart wide" : "chart" },
    head(parts),
    el(
      "svg",
      {
        class: lines.length === 1 ? "solo" : null,
        viewBox: `0 0 ${plot.size.join(" ")}`,
        role: "img",
        "aria-labelledby": `${id}t ${id}d`,
      },
      el("title", { id: `${id}t` }, parts.title),
      el("desc", { id: `${id}d` }, summary(parts)),
      el("clipPath", { id: `${id}p` }, rect(plot, plot.left, plot.width, "")),
      axes(plot, parts.axis ?? "step"),
      windows.map((window) => windowBand(plot, window, false)),
      band
        ? el("rect", {
            class: "noise",
            x: plot.left,
            y: toY(plot, band[1]),
            width: plot.width,
            height: size(toY(plot, band[0]) - toY(plot, band[1])),
          })
        : null,
      onsets.map((onset) => onsetLine(plot, onset)),
      el(
        "g",
        { "clip-path": clip },
        lines.map((line) => curve(plot, line)),
      ),
      thresholds.map((level) => threshold(plot, level)),
      windows.map((window) => windowBand(plot, window, true)),
      marks(plot, lines),
      parts.extra ?? null,
      isEmpty
        ? el(
            "text",
            { class: "none", x: plot.left + plot.width / 2, y: plot.top + plot.height / 2 },
            "no values",
          )
        : null,
    ),
    legend(lines, parts.left ?? 0),
  );
}

const size = (pixels: number): number => Math.round(Math.max(0, pixels) * 10) / 10;
const rect = (plot: Plot, x: number, width: number, name: string): Markup =>
  el("rect", { class: name === "" ? null : name, x, y: plot.top, width: size(width), height: plot.height });

function axes(plot: Plot, axis: string): Markup {
  const { left, top, width, height } = plot;
  const bottom = top + height;
  const across = yTicks(plot).map(({ at, label }) => {
    const y = toY(plot, at);
    return [
      el("path", { class: "grid", d: `M${left} ${y}h${width}` }),
      el("text", { class: "ty", x: left - 6, y: y + 3.5 }, label),
    ];
  });
  const steps = ticks(plot.x[0], plot.x[1], Math.round(width / 90), axis !== "time");
  const along = steps.map((at) => {
    const x = toX(plot, at);
    const side = x > left + width - 14 ? " end" : x < left + 14 ? " start" : "";
    return [
      el("path", { class: "tick", d: `M${x} ${bottom}v4` }),
      el("text", { class: `tx${side}`, x, y: bottom + 16 }, stepFigure(at)),
    ];
  });
  return el(
    "g",
    { class: "axes" },
    across,
    along,
    el("path", { class: "base", d: `M${left} ${bottom}h${width}` }),
  );
}

function curve(plot: Plot, { series, style }: ChartLine): Child {
  const line = linePath(series.x, series.y, plot);
  const dots = dotPath(series.dotsX, series.dotsY, plot);
  return [
    line === "" ? null : el("path", { class: styleClass(style), d: line }),
    dots === "" ? null : el("path", { class: `dot s${style % STYLES}`, d: dots }),
  ];
}

/** The band lies below the curves; its name stands above the picture, where no curve strikes it out. */
function windowBand(plot: Plot, { name, x }: Window, isName: boolean): Child {
  const from = Math.max(plot.left, toX(plot, x[0]));
  const to = Math.min(plot.left + plot.width, toX(plot, x[1]));
  if (to < plot.left || from > plot.left + plot.width) return null;
  if (!isName) return rect(plot, from, Math.max(1, to - from), `win ${name}`);
  return to - from > 30 ? el("text", { class: `label ${name}`, x: from + 4, y: plot.top - 3 }, name) : null;
}

function onsetLine(plot: Plot, { x, severity }: Onset): Child {
  const at = toX(plot, x);
  if (at < plot.left - 0.5 || at > plot.left + plot.width + 0.5) return null;
  return el("path", { class: `onset ${severity}`, d: `M${at} ${plot.top - 6}v${plot.height + 6}` });
}

function threshold(plot: Plot, level: number): Child {
  const y = toY(plot, level);
  if (!(y >= plot.top - 0.5 && y <= plot.top + plot.height + 0.5)) return null;
  const { left, width, top } = plot;
  return [
    el("path", { class: "limit", d: `M${left} ${y}h${width}` }),
    el(
      "text",
      { class: "label limit-label", x: left + width - 4, y: y < top + 14 ? y + 11 : y - 4 },
      `threshold ${figure(level)}`,
    ),
  ];
}

/** Crosses for NaN on the floor, triangles for what left the picture: filled for ±Inf, hollow for values outside of the range. */
function marks(plot: Plot, lines: readonly ChartLine[]): Child {
  const floor = plot.top + plot.height;
  const at = (kind: number): number[] =>
    apart(
      lines
        .flatMap(({ series }) => [...series.markX].filter((_, i) => series.markKind[i] === kind))
        .map((x) => toX(plot, x))
        .sort(byValue),
    );
  const path = (name: string, d: string): Child => (d === "" ? null : el("path", { class: name, d }));
  return [
    path(
      "nan",
      at(0)
        .map((x) => `M${x - 2.5} ${floor - 7}l5 5m0-5l-5 5`)
        .join(""),
    ),
    path(
      "inf",
      at(1)
        .map((x) => `M${x - 4} ${plot.top + 6}l4-6l4 6z`)
        .join("") +
        at(2)
          .map((x) => `M${x - 4} ${floor - 6}l4 6l4-6z`)
          .join(""),
    ),
    path(
      "out",
      clipped(plot, lines, 1)
        .map((x) => `M${x - 3.5} ${plot.top + 1}l3.5-5l3.5 5z`)
        .join("") +
        clipped(plot, lines, -1)
          .map((x) => `M${x - 3.5} ${floor - 1}l3.5 5l3.5-5z`)
          .join(""),
    ),
  ];
}

const byValue = (a: number, b: number): number => a - b;

/** Where curves leave the picture above or below. */
function clipped(plot: Plot, lines: readonly ChartLine[], side: 1 | -1): number[] {
  const isOut = (y: number): boolean => (side > 0 ? y > plot.y[1] : y < plot.y[0]);
  const places = lines.flatMap(({ series: { x, y, dotsX, dotsY } }) => [
    ...[...x].filter((_, i) => isOut(y[i] ?? Number.NaN)),
    ...[...dotsX].filter((_, i) => isOut(dotsY[i] ?? Number.NaN)),
  ]);
  return apart(places.map((x) => toX(plot, x)).sort(byValue)).slice(0, MAX_CARETS);
}

function head({ title, unit, lines, outside, y, notes = [] }: ChartParts): Markup {
  const total = (pick: (series: SeriesView) => number): number =>
    lines.reduce((sum, { series }) => sum + pick(series), 0);
  const badge = (n: number, name: string): Child =>
    n === 0 ? null : el("span", { class: "badge odd" }, `${count(n)} ${name}`);
  const [only] = lines.length === 1 ? lines : [];
  return el(
    "figcaption",
    {},
    el("b", {}, recorded(title)),
    unit === "" ? null : el("span", { class: "unit" }, unit),
    only && only.series.last !== null
      ? el("span", { class: "last" }, `last ${figure(only.series.last)}`)
      : null,
    badge(
      total(({ nan }) => nan),
      "NaN",
    ),
    badge(
      total(({ posInf }) => posInf),
      "+Inf",
    ),
    badge(
      total(({ negInf }) => negInf),
      "−Inf",
    ),
    outside === 0 ? null : el("span", { class: "badge" }, `${count(outside)} outside ${sides(lines, y)}`),
    extremes(lines, y).map((words) => el("span", { class: "badge" }, words)),
    notes,
  );
}

/** What leaves the picture farthest, which nobody could read off it. */
function extremes(lines: readonly ChartLine[], y: Pair | null): string[] {
  if (!y) return [];
  const all = lines.map(({ series }) => series);
  const high = all.reduce((a, b) => ((b.max ?? -Infinity) > (a.max ?? -Infinity) ? b : a));
  const low = all.reduce((a, b) => ((b.min ?? Infinity) < (a.min ?? Infinity) ? b : a));
  return [
    ...(high.max !== null && high.maxX !== null && high.max > y[1]
      ? [`highest ${figure(high.max)} at ${stepFigure(high.maxX)}`]
      : []),
    ...(low.min !== null && low.minX !== null && low.min < y[0]
      ? [`lowest ${figure(low.min)} at ${stepFigure(low.minX)}`]
      : []),
  ];
}

function sides(lines: readonly ChartLine[], y: Pair | null): string {
  const [lo, hi] = y ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const above = lines.some(({ series }) => (series.max ?? lo) > hi);
  const below = lines.some(({ series }) => (series.min ?? hi) < lo);
  return above && below ? "↕" : below ? "↓" : "↑";
}

function legend(lines: readonly ChartLine[], left: number): Child {
  if (lines.length < 2) return null;
  return el(
    "ul",
    { class: "legend" },
    lines.map(({ label, style }) => el("li", {}, sample(style), recorded(label))),
    left > 0 ? el("li", {}, `and ${plural(left, "more line")} left out`) : null,
  );
}

/** The colour and dash of a line. */
export const sample = (style: number): Markup =>
  el(
    "svg",
    { class: "key", viewBox: "0 0 24 8", "aria-hidden": "true" },
    el("path", { class: styleClass(style), d: "M0 4h24" }),
  );

/** What the picture shows, for who cannot see it. */
function summary({
  lines,
  xDomain,
  outside,
  thresholds = [],
  windows = [],
  onsets = [],
  axis = "step",
}: ChartParts): string {
  const place = (x: number): string => `${axis} ${stepFigure(x)}`;
  const sentences = [
    `${place(xDomain[0])} to ${stepFigure(xDomain[1])}`,
    ...lines.map(
      ({ label, series }) => `${lines.length > 1 ? `${label}: ` : ""}${seriesWords(series, place)}`,
    ),
    ...(outside > 0 ? [`${plural(outside, "value")} outside the usual range`] : []),
    ...thresholds.map((level) => `threshold ${figure(level)}`),
    ...windows.map(({ name, x }) => `${name} window ${place(x[0])} to ${stepFigure(x[1])}`),
    ...onsets.map(
      ({ x, severity }) => `a ${severity === "warn" ? "warning" : severity} finding begins at ${place(x)}`,
    ),
  ];
  return `${sentences.join(". ")}.`;
}

function seriesWords(series: SeriesView, place: (x: number) => string): string {
  const { min, minX, max, maxX, last, finite, missing, nan, posInf, negInf } = series;
  return [
    finite === 0 ? "no values" : `${plural(finite, "value")}, last ${figure(last)}`,
    ...(min === null || minX === null ? [] : [`lowest ${figure(min)} at ${place(minX)}`]),
    ...(max === null || maxX === null ? [] : [`highest ${figure(max)} at ${place(maxX)}`]),
    ...(missing > 0 && finite > 0 ? [`${plural(missing, "row")} without a value`] : []),
    ...(nan > 0 ? [`${count(nan)} NaN`] : []),
    ...(posInf > 0 ? [`${count(posInf)} +Inf`] : []),
    ...(negInf > 0 ? [`${count(negInf)} −Inf`] : []),
  ].join(", ");
}
