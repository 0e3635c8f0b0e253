/** A chart as a picture that stands alone: title, legend, frame and curves, on the theme's background. */
import type { ChartSpec } from "../../src/protocol/run.ts";
import { MARGIN } from "../charts/chart.ts";
import { type ChartTheme, seriesStyle } from "../charts/palette.ts";
import { formatNumber } from "../text/numbers.ts";
import { visibleText } from "../text/visible.ts";

const SVG = "http://www.w3.org/2000/svg";
const TITLE_HEIGHT = 22;
const LEGEND_HEIGHT = 16;
const MOST_LABELS = 24;
/** Pixels of a PNG for each of the page: sharp on any screen. */
const SCALE = 2;

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly svg: string;
}

/**
 * @param plot the chart's drawn part
 * @param ends of a heat map's colours
 * @returns `null` when nothing is drawn
 */
export function chartPicture(
  spec: ChartSpec,
  note: string,
  plot: HTMLElement,
  theme: ChartTheme,
  ends: readonly [number, number] | null = null,
): Picture | null {
  const drawn = plot.querySelector(".canvas svg");
  if (!(drawn instanceof SVGSVGElement)) return null;
  const width = plot.clientWidth;
  const legend = spec.kind === "lines" && spec.series.length > 1 ? legendRows(spec, width) : [];
  const top = TITLE_HEIGHT + (legend.length + (ends ? 1 : 0)) * LEGEND_HEIGHT;
  const height = top + plot.clientHeight;
  const root = element("svg", { xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}` });
  const paper = parsePaper(theme.background);
  root.append(element("rect", { width, height, fill: paper }));
  root.append(
    text(
      `${spec.title}${note === "" ? "" : ` · ${note}`}`,
      { x: 6, y: 15, fill: theme.label, "font-size": 12 },
      theme,
    ),
  );
  legend.forEach((row, i) => {
    root.append(legendRow(row, TITLE_HEIGHT + i * LEGEND_HEIGHT, theme));
  });
  if (ends) root.append(...rampRow(ends, theme));
  const heat = plot.querySelector<HTMLCanvasElement>("canvas.heat");
  if (heat && !heat.hidden) root.append(heatImage(heat, top));
  const chart = drawn.cloneNode(true) as SVGSVGElement;
  chart.setAttribute("y", String(top));
  chart.removeAttribute("style");
  root.append(chart);
  return { width, height, svg: `${new XMLSerializer().serializeToString(root)}\n` };
}

/** What is clear in the page would be black or nothing elsewhere. */
const parsePaper = (background: string): string => (background === "transparent" ? "#ffffff" : background);

interface Label {
  readonly index: number;
  readonly words: string;
  readonly x: number;
}

/** Labels in rows as wide as the picture; a letter is about six pixels. */
function legendRows(spec: ChartSpec, width: number): Label[][] {
  const rows: Label[][] = [[]];
  let x = 6;
  spec.series.slice(0, MOST_LABELS).forEach(({ label }, index) => {
    const words = visibleText(label, 60);
    const room = 20 + words.length * 6 + 12;
    if (x + room > width && x > 6) {
      rows.push([]);
      x = 6;
    }
    rows.at(-1)?.push({ index, words, x });
    x += room;
  });
  return rows;
}

function legendRow(labels: readonly Label[], top: number, theme: ChartTheme): SVGElement {
  const row = element("g", { transform: `translate(0 ${top})` });
  for (const { index, words, x } of labels) {
    const { color, dash } = seriesStyle(index, theme);
    const line = { x1: x, y1: 6, x2: x + 14, y2: 6, stroke: color, "stroke-width": 1.5 };
    row.append(element("line", dash.length > 0 ? { ...line, "stroke-dasharray": dash.join(" ") } : line));
    row.append(text(words, { x: x + 20, y: 10, fill: theme.label, "font-size": 11 }, theme));
  }
  return row;
}

const RAMP = "ramp";

/** Which colour is how much. */
function rampRow([lo, hi]: readonly [number, number], theme: ChartTheme): SVGElement[] {
  const colors = element("linearGradient", { id: RAMP });
  const from = element("stop", { offset: 0, "stop-color": parsePaper(theme.background) });
  const to = element("stop", { offset: 1, "stop-color": theme.series[0] ?? theme.label });
  colors.append(from, to);
  const least = formatNumber(lo);
  const x = 6 + least.length * 6 + 6;
  const bar = { x, y: TITLE_HEIGHT + 1, width: 64, height: 8, fill: `url(#${RAMP})`, stroke: theme.axis };
  const words = { y: TITLE_HEIGHT + 9, fill: theme.label, "font-size": 11 };
  return [
    colors,
    element("rect", bar),
    text(least, { ...words, x: 6 }, theme),
    text(formatNumber(hi), { ...words, x: x + 64 + 6 }, theme),
  ];
}

function heatImage(canvas: HTMLCanvasElement, top: number): SVGElement {
  return element("image", {
    href: canvas.toDataURL("image/png"),
    x: Number.parseFloat(canvas.style.left),
    y: top + MARGIN.top,
    width: Number.parseFloat(canvas.style.width),
    height: Number.parseFloat(canvas.style.height),
    preserveAspectRatio: "none",
    "image-rendering": "pixelated",
  });
}

function element(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes))
    if (key !== "xmlns") made.setAttribute(key, String(value));
  return made;
}

function text(
  words: string,
  attributes: Readonly<Record<string, string | number>>,
  theme: ChartTheme,
): SVGElement {
  const made = element("text", { ...attributes, "font-family": theme.font });
  made.textContent = visibleText(words, 200);
  return made;
}

/** @throws when the browser cannot draw it */
export async function pngOf({ svg, width, height }: Picture): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width * SCALE;
  canvas.height = height * SCALE;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("no canvas");
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!blob) throw new Error("no picture");
  return blob;
}
