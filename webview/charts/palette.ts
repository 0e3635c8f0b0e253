/** Colours and dashes: a series is told from its neighbours by both, and keeps them while its chart lives. */

export interface ChartTheme {
  readonly series: readonly string[];
  readonly label: string;
  readonly grid: string;
  readonly axis: string;
  /** Values that are no numbers. */
  readonly mark: string;
  /** Levels that were crossed, and what is critical. */
  readonly threshold: string;
  /** The windows that a finding compares; what is a warning has the late one's colour. */
  readonly early: string;
  readonly late: string;
  readonly info: string;
  readonly font: string;
  readonly background: string;
}

export interface SeriesStyle {
  readonly color: string;
  /** The same, stepped back: what stands behind a smoothed curve. */
  readonly pale: string;
  /** Lengths of dash and gap in pixels; empty for a whole line. */
  readonly dash: readonly number[];
}

export const DASHES: readonly (readonly number[])[] = [[], [6, 2], [2, 2], [8, 2, 2, 2], [4, 4]];

/** Hue changes with every series, the dash with it; both come round only after hues × dashes. */
export function seriesStyle(index: number, theme: ChartTheme): SeriesStyle {
  const hues = Math.max(1, theme.series.length);
  const turn = Math.floor(index / hues);
  const color = theme.series[index % hues] ?? theme.label;
  return {
    color,
    pale: faded(color, theme.background),
    dash: DASHES[(index + turn) % DASHES.length] ?? [],
  };
}

type Look = (name: string) => string;

const HUES = [
  "--fd-series-1",
  "--fd-series-2",
  "--fd-series-3",
  "--fd-series-4",
  "--fd-series-5",
  "--fd-series-6",
];

/** The theme's colours as they are now; `look` reads a custom property of the page. */
export function chartTheme(look: Look): ChartTheme {
  const or = (name: string, fallback: string): string => look(name) || fallback;
  const background = or("--fd-background", "transparent");
  const foreground = or("--fd-foreground", "#888888");
  return {
    series: HUES.map(look)
      .filter((color) => color !== "")
      .map((color) => readable(color, background, foreground)),
    label: or("--fd-muted", "#888888"),
    grid: or("--fd-grid", "#88888833"),
    axis: or("--fd-axis", "#88888866"),
    mark: readable(or("--fd-mark", "#cca700"), background, foreground),
    threshold: readable(or("--fd-bad", "#f14c4c"), background, foreground),
    early: readable(or("--fd-ok", "#73c991"), background, foreground),
    late: readable(or("--fd-warn", "#cca700"), background, foreground),
    info: readable(or("--fd-series-1", "#3794ff"), background, foreground),
    font: or("--fd-font", "sans-serif"),
    background,
  };
}

/** What a line needs to be seen (WCAG 1.4.11). */
const ENOUGH_CONTRAST = 3;

/**
 * The colour, mixed with the foreground as far as it takes to stand out from the background: themes borrow some chart
 * colours from highlights that are half transparent. What cannot be understood is taken as it is.
 */
export function readable(color: string, background: string, foreground: string): string {
  const [own, behind, front] = [parseColor(color), parseColor(background), parseColor(foreground)];
  if (!own || !behind || !front) return color;
  const opaque: Rgb = [own[0], own[1], own[2]];
  for (let share = 0; share <= 1; share += 0.125) {
    const mixed = mix(opaque, front, share);
    if (contrast(mixed, behind) >= ENOUGH_CONTRAST) return hex(mixed);
  }
  return hex(mix(opaque, front, 1));
}

/** How much of the background is in what steps back. */
const FADED = 0.58;

function faded(color: string, background: string): string {
  const [own, behind] = [parseColor(color), parseColor(background)];
  return own && behind ? hex(mix([own[0], own[1], own[2]], behind, FADED)) : color;
}

type Rgb = readonly [number, number, number];

const mix = (a: Rgb, b: readonly number[], share: number): Rgb => [
  a[0] + ((b[0] ?? 0) - a[0]) * share,
  a[1] + ((b[1] ?? 0) - a[1]) * share,
  a[2] + ((b[2] ?? 0) - a[2]) * share,
];

const hex = (color: Rgb): string =>
  `#${color.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;

/** From 1 to 21, as WCAG reckons it. */
export function contrast(a: readonly number[], b: readonly number[]): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: readonly number[]): number {
  const linear = (part: number): number => {
    const share = part / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(color[0] ?? 0) + 0.7152 * linear(color[1] ?? 0) + 0.0722 * linear(color[2] ?? 0);
}

/** Red, green, blue and opacity of "#rgb[a]", "#rrggbb[aa]", "rgb(…)", "rgba(…)"; `null` for anything else. */
export function parseColor(text: string): [number, number, number, number] | null {
  const hex = /^#([0-9a-f]{3,8})$/i.exec(text.trim())?.[1];
  if (hex && hex.length !== 5 && hex.length !== 7) {
    const wide = hex.length < 6 ? [...hex].map((digit) => digit + digit).join("") : hex;
    const part = (i: number): number => Number.parseInt(wide.slice(i, i + 2), 16);
    return [part(0), part(2), part(4), wide.length === 8 ? part(6) / 255 : 1];
  }
  const numbers = /^rgba?\(([^)]+)\)$/i
    .exec(text.trim())?.[1]
    ?.split(/[\s,/]+/)
    .map(Number);
  if (!numbers || numbers.length < 3 || numbers.some(Number.isNaN)) return null;
  const [r = 0, g = 0, b = 0, a = 1] = numbers;
  return [r, g, b, a];
}

/** A colour for each share from 0 to 1 between two colours, packed for image data. */
export function ramp(from: string, to: string, steps: number): Uint8ClampedArray {
  const a = parseColor(from) ?? [30, 30, 30, 1];
  const b = parseColor(to) ?? [55, 148, 255, 1];
  const colors = new Uint8ClampedArray(steps * 4);
  for (let i = 0; i < steps; i++) {
    const share = steps > 1 ? i / (steps - 1) : 1;
    for (let c = 0; c < 3; c++) colors[i * 4 + c] = (a[c] ?? 0) + ((b[c] ?? 0) - (a[c] ?? 0)) * share;
    colors[i * 4 + 3] = 255;
  }
  return colors;
}
