/**
 * Every kind of chart as a picture: from rows through the worker's view and the page's own drawing to SVG, in a form that
 * can be compared line by line. A picture that has changed is written beside the old one as <name>-changed.svg;
 * `npx vitest run test/unit/webview/snapshots.test.ts -u` takes the new ones.
 */
import { access, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { View } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { describe, expect, it } from "vitest";
import { chartRuntime } from "../../../scripts/gen/chart-spec.mjs";
import type { ListColumn } from "../../../src/core/run/model.ts";
import type { HeatmapView, XAxis } from "../../../src/protocol/run.ts";
import { RunAxes } from "../../../src/view/axes.ts";
import { chartView, heatmapView } from "../../../src/view/charts.ts";
import { MARGIN, plotHeight, plotWidth } from "../../../webview/charts/chart.ts";
import { logDomain, xDomain, yDomain } from "../../../webview/charts/domain.ts";
import { frameOf, plotOf } from "../../../webview/charts/frame.ts";
import { cellImage } from "../../../webview/charts/heat.ts";
import { chartTheme, ramp } from "../../../webview/charts/palette.ts";
import { seeded } from "../chart/rows.ts";
import { column, fakeModel } from "../view/model.ts";

// Local time is on the pictures by wall time.
process.env["TZ"] = "UTC";

const SIZE = { width: 320, height: 128 };
const COLORS: Readonly<Record<string, string>> = {
  "--fd-background": "#1f1f1f",
  "--fd-foreground": "#cccccc",
  "--fd-muted": "#9d9d9d",
  "--fd-series-1": "#59a4f9",
  "--fd-series-2": "#89d185",
  "--fd-series-3": "#b180d7",
};
const theme = chartTheme((name) => COLORS[name] ?? "");

interface Kind {
  readonly columns: Readonly<Record<string, readonly (number | null)[]>>;
  readonly step?: readonly number[];
  readonly timestamp?: readonly (number | null)[];
  readonly x?: XAxis;
  readonly steps?: [number, number];
  readonly smoothing?: number;
  readonly log?: boolean;
  readonly full?: boolean;
}

const N = 120;
const rows = (value: (i: number, noise: number) => number | null, seed = 1): (number | null)[] => {
  const random = seeded(seed);
  return Array.from({ length: N }, (_, i) => value(i, random() - 0.5));
};
const rise = rows((i, noise) => 1 - Math.exp(-i / 40) + noise * 0.2);
const at = (values: readonly (number | null)[], places: readonly number[], value: number | null) =>
  values.map((old, i) => (places.includes(i) ? value : old));
const times = Array.from({ length: N }, (_, i) => 1_764_440_000 + i * 31);

const KINDS: Readonly<Record<string, Kind>> = {
  line: { columns: { a: rise } },
  "line-of-100000": {
    step: Array.from({ length: 100_000 }, (_, i) => i),
    columns: {
      a: Array.from({ length: 100_000 }, (_, i) =>
        i === 61_803 ? 9 : Math.sin(i / 9000) + ((i * 7919) % 101) / 200,
      ),
    },
    full: true,
  },
  several: { columns: { a: rise, b: rows((i) => i / N, 2), c: rows((_, noise) => 0.4 + noise * 0.1, 3) } },
  smoothed: { columns: { a: at(rise, [50, 51], null) }, smoothing: 0.8 },
  "smoothed-now-and-then": { columns: { a: rows((i) => (i % 10 === 0 ? i : null)) }, smoothing: 0.8 },
  zoomed: { columns: { a: rise }, steps: [40, 46] },
  "between-rows": { step: [0, 100, 200], columns: { a: [1, 2, 1.5] }, steps: [120, 180] },
  "outside-usual": { columns: { a: at(rise, [70], 50) } },
  "outside-full": { columns: { a: at(rise, [70], 50) }, full: true },
  gaps: { columns: { a: at(rise, [20, 21, 22, 60, 61, 63, 64], null) } },
  "not-finite": {
    columns: {
      a: at(
        at(at(rise, [20, 21], Number.NaN), [60], Number.POSITIVE_INFINITY),
        [90],
        Number.NEGATIVE_INFINITY,
      ),
    },
  },
  "now-and-then": { columns: { a: rows((i) => (i % 10 === 0 ? i : null)) } },
  constant: { columns: { a: rows(() => 0.5) } },
  zero: { columns: { a: rows(() => 0) } },
  "flat-1e14": { columns: { a: rows((i) => 1e14 + (i % 3)) } },
  "huge-1e300": { columns: { a: rows((i) => 1e300 * (i / N)) } },
  "both-ends-of-numbers": { columns: { a: rows((i) => (i % 2 === 0 ? 1.7e308 : -1.7e308)) } },
  tiny: { columns: { a: rows((i) => 5e-324 * (i % 5)) } },
  "all-nan": { columns: { a: rows(() => Number.NaN) } },
  "all-null": { columns: { a: rows(() => null) } },
  "one-point": {
    columns: {
      a: at(
        rows(() => null),
        [60],
        42.5,
      ),
    },
  },
  "negative-steps": { step: Array.from({ length: N }, (_, i) => i - 60), columns: { a: rise } },
  "huge-steps": { step: Array.from({ length: N }, (_, i) => 2 ** 53 + i * 1024), columns: { a: rise } },
  log: { columns: { a: rows((i, noise) => 10 ** (i / 30 - 2 + noise)) }, log: true },
  "log-not-positive": {
    columns: { a: rows((i) => (i % 30 === 7 ? -1 : i % 40 === 11 ? 0 : 1 + i)) },
    log: true,
  },
  "log-both-ends": { columns: { a: rows((i) => [5e-324, 1, 1.7e308][i % 3] ?? 0) }, log: true },
  "log-short": { columns: { a: rows((_, noise) => 0.4 + noise * 0.1) }, log: true },
  "wall-time": { columns: { a: rise }, timestamp: times, x: "time" },
  "relative-time": { columns: { a: rise }, timestamp: times, x: "relative" },
  "time-backwards": {
    columns: { a: rise },
    timestamp: times.map((time, i) => (i > 80 ? time - 900 : time)),
    x: "time",
  },
};

const NEVER = new AbortController().signal;

async function picture(kind: Kind): Promise<string> {
  const { columns, step = Array.from({ length: N }, (_, i) => i + 1), timestamp, x = "step" } = kind;
  const all = Object.entries(columns).map(([name, values]) => [name, column(values)] as const);
  const model = fakeModel({
    columns: {
      step: column(step),
      ...(timestamp ? { timestamp: column(timestamp) } : {}),
      ...Object.fromEntries(all),
    },
  });
  const { smoothing = 0, log = false, steps = null } = kind;
  const width = plotWidth(SIZE.width);
  const params = { id: "a", metrics: Object.keys(columns), x, range: null, steps, smoothing, log, width };
  const view = await chartView(model, new RunAxes(model), params, NEVER);
  const range = kind.full === true ? view.yFull : view.yRobust;
  return svgOf({
    ...{ axis: x, x: xDomain(view.xDomain), y: (log ? logDomain : yDomain)(range), log },
    ...{ series: view.series, heat: null },
  });
}

async function svgOf(drawn: Parameters<typeof frameOf>[0]): Promise<string> {
  const plot = plotOf(drawn, plotWidth(SIZE.width), plotHeight(SIZE.height));
  const { signals, paths } = frameOf(drawn, plot, theme);
  const view = new View(chartRuntime(), { expr: expressionInterpreter, renderer: "none" });
  for (const [name, value] of Object.entries(signals)) view.signal(name, value);
  view.data("paths", [...paths]);
  return normal(await view.toSVG());
}

/** A tag a line; what is counted through a process is counted anew; curves a stroke a line. */
function normal(svg: string): string {
  const ids = new Map<string, string>();
  return `${svg
    .replace(/(clip|gradient)_?\d+/g, (id) => {
      ids.set(id, ids.get(id) ?? `id${ids.size}`);
      return ids.get(id) ?? id;
    })
    .replaceAll("><", ">\n<")
    .replace(/ d="([^"]{120,})"/g, (_, d: string) => ` d="${d.replaceAll(/(?=M)/g, "\n")}"`)}\n`;
}

async function heatPicture(): Promise<string> {
  const steps = 40;
  const buckets = 6;
  const values = Array.from({ length: steps * buckets }, (_, i) => Math.sin(i / 17) + i / 200);
  const list: ListColumn = {
    values: Float64Array.from(values),
    offsets: Int32Array.from({ length: steps + 1 }, (_, i) => i * buckets),
    valid: Uint8Array.from({ length: steps }, (_, i) => (i > 20 && i < 25 ? 0 : 1)),
  };
  const model = fakeModel({
    columns: { step: column(Array.from({ length: steps }, (_, i) => i + 1)) },
    lists: { kl_positional: list },
  });
  const params = {
    id: "kl_positional",
    metrics: ["kl_positional"],
    x: "step" as const,
    range: null,
    width: 40,
  };
  const heat = await heatmapView(model, new RunAxes(model), params, NEVER);
  const frame = await svgOf({
    ...{ axis: "step", x: xDomain(heat.xDomain), y: { lo: 0, hi: heat.buckets, empty: false } },
    ...{ log: false, series: [], heat },
  });
  return frame.replace("</svg>", `${cells(heat)}\n</svg>`);
}

/** The page's image of cells, a rectangle a cell. */
function cells(heat: HeatmapView): string {
  const { width, height, pixels } = cellImage(heat, ramp(theme.background, theme.series[0] ?? "", 256));
  const w = plotWidth(SIZE.width) / width;
  const h = plotHeight(SIZE.height) / height;
  const rects: string[] = [];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [r, g, b, a] = pixels.subarray((y * width + x) * 4, (y * width + x) * 4 + 4);
      if (a === 0) continue;
      const place = `x="${(MARGIN.left + x * w).toFixed(1)}" y="${(MARGIN.top + y * h).toFixed(1)}"`;
      rects.push(
        `<rect ${place} width="${w.toFixed(1)}" height="${h.toFixed(1)}" fill="rgb(${r},${g},${b})"/>`,
      );
    }
  }
  return rects.join("\n");
}

async function same(name: string, svg: string): Promise<void> {
  const file = path.join(import.meta.dirname, "snapshots", `${name}.svg`);
  const changed = file.replace(/\.svg$/, "-changed.svg");
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (isThere && (await readFile(file, "utf8")) !== svg) await writeFile(changed, svg);
  else await rm(changed, { force: true });
  await expect(svg, `see ${path.basename(changed)}`).toMatchFileSnapshot(file);
  await rm(changed, { force: true });
}

describe("pictures", () => {
  it.each(Object.entries(KINDS))("of a chart: %s", async (name, kind) => {
    await same(name, await picture(kind));
  });

  it("of a heat map", async () => {
    await same("heat-map", await heatPicture());
  });
});
