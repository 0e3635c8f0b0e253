/** A heat map as SVG: positions upwards, steps along; each level of colour is one path. */
import type { HeatmapView } from "../protocol/run.ts";
import { frameOf, nextId } from "./chart.ts";
import { figure, plural, stepFigure, ticks } from "./figures.ts";
import { type Child, el, type Markup, recorded } from "./markup.ts";
import { type Plot, toX } from "./plot.ts";

/** Shades that the style sheet has. */
const LEVELS = 8;
/** Rows of cells: more positions than this share them. */
const MAX_ROWS = 32;

export function heatmap(
  title: string,
  unit: string,
  view: HeatmapView,
  isWide: boolean,
  notes: readonly Child[] = [],
): Markup {
  const { valueDomain, xDomain, buckets, columns } = view;
  const plot = frameOf(isWide, xDomain, [0, Math.max(1, buckets)]);
  const id = nextId();
  const words =
    valueDomain === null
      ? "No values."
      : `Step ${stepFigure(xDomain[0])} to ${stepFigure(xDomain[1])}, ${plural(buckets, "position")}, from ${figure(valueDomain[0])} to ${figure(valueDomain[1])}.`;
  const [lo, hi] = valueDomain ?? [0, 0];
  return el(
    "figure",
    { class: isWide ? "chart wide" : "chart" },
    el(
      "figcaption",
      {},
      el("b", {}, recorded(title)),
      unit === "" ? null : el("span", { class: "unit" }, unit),
      valueDomain === null ? null : el("span", { class: "last" }, [figure(lo), scale(), figure(hi)]),
      notes,
    ),
    el(
      "svg",
      { viewBox: `0 0 ${plot.size.join(" ")}`, role: "img", "aria-labelledby": `${id}t ${id}d` },
      el("title", { id: `${id}t` }, title),
      el("desc", { id: `${id}d` }, words),
      valueDomain === null || columns === 0
        ? el(
            "text",
            { class: "none", x: plot.left + plot.width / 2, y: plot.top + plot.height / 2 },
            "no values",
          )
        : cells(plot, view, lo, hi),
      axes(plot, buckets),
    ),
  );
}

/** The shades from low to high. */
const scale = (): Markup =>
  el(
    "svg",
    { class: "scale", viewBox: `0 0 ${LEVELS * 9} 8`, "aria-hidden": "true" },
    Array.from({ length: LEVELS }, (_, level) =>
      el("path", { class: `h${level}`, d: `M${level * 9} 0h9v8h-9z` }),
    ),
  );

function cells(plot: Plot, { cells: values, columns, buckets }: HeatmapView, lo: number, hi: number): Child {
  const rows = Math.min(buckets, MAX_ROWS);
  const [width, height] = [plot.width / columns, plot.height / rows];
  const paths = Array.from({ length: LEVELS }, () => "");
  const at = (pixel: number): number => Math.round(pixel * 10) / 10;
  for (let row = 0; row < rows; row++) {
    const y = at(plot.top + plot.height - (row + 1) * height);
    for (let column = 0; column < columns; column++) {
      const value = largest(
        values,
        column * buckets,
        Math.floor((row * buckets) / rows),
        Math.floor(((row + 1) * buckets) / rows),
      );
      if (Number.isNaN(value)) continue;
      const level =
        hi > lo
          ? Math.min(LEVELS - 1, Math.max(0, Math.floor(((value - lo) / (hi - lo)) * LEVELS)))
          : LEVELS >> 1;
      const x = at(plot.left + column * width);
      paths[level] += `M${x} ${y}h${at(width + 0.4)}v${at(height + 0.4)}h-${at(width + 0.4)}z`;
    }
  }
  return paths.map((d, level) => (d === "" ? null : el("path", { class: `heat h${level}`, d })));
}

/** Of the positions that share a row, the one that stands out. */
function largest(values: Float64Array, start: number, from: number, to: number): number {
  let most = Number.NaN;
  for (let bucket = from; bucket < Math.max(to, from + 1); bucket++) {
    const value = values[start + bucket] ?? Number.NaN;
    if (!(value <= most) && !Number.isNaN(value)) most = value;
  }
  return most;
}

function axes(plot: Plot, buckets: number): Markup {
  const { left, top, width, height } = plot;
  const bottom = top + height;
  return el(
    "g",
    { class: "axes" },
    el("text", { class: "ty", x: left - 6, y: bottom }, "0"),
    el("text", { class: "ty", x: left - 6, y: top + 8 }, String(Math.max(0, buckets - 1))),
    ticks(plot.x[0], plot.x[1], Math.round(width / 90), true).map((at) => {
      const x = toX(plot, at);
      return [
        el("path", { class: "tick", d: `M${x} ${bottom}v4` }),
        el("text", { class: x > left + width - 14 ? "tx end" : "tx", x, y: bottom + 16 }, stepFigure(at)),
      ];
    }),
    el("path", { class: "base", d: `M${left} ${bottom}h${width}` }),
  );
}
