import { describe, expect, it } from "vitest";
import {
  clampRange,
  type Domain,
  logDomain,
  type Plot,
  toDataX,
  toPixelX,
  xDomain,
  yDomain,
} from "../../../webview/charts/domain.ts";
import { keyIntent } from "../../../webview/charts/gestures.ts";
import { cellImage } from "../../../webview/charts/heat.ts";
import {
  chartTheme,
  contrast,
  DASHES,
  parseColor,
  ramp,
  readable,
  seriesStyle,
} from "../../../webview/charts/palette.ts";
import { dotPath, linePath, markPath, nearestPoint, nextX } from "../../../webview/charts/path.ts";
import {
  logTicks,
  numberTicks,
  spanTicks,
  stepTicks,
  type Ticks,
  timeTicks,
} from "../../../webview/charts/ticks.ts";

const domain = (lo: number, hi: number): Domain => ({ lo, hi, empty: false });
const plot: Plot = { x: domain(0, 100), y: domain(0, 10), width: 200, height: 100 };

describe("ranges", () => {
  it("gives a value without spread some room around it", () => {
    for (const value of [0, 0.5, -3, 1e14, 1e300, -1.7e308, 5e-324]) {
      const { lo, hi, empty } = yDomain([value, value]);
      expect(empty).toBe(false);
      expect(hi).toBeGreaterThan(lo);
      expect(Number.isFinite(hi - lo)).toBe(true);
    }
  });

  it("never makes a range wider than a number", () => {
    const { lo, hi } = yDomain([-Number.MAX_VALUE, Number.MAX_VALUE]);
    expect(Number.isFinite(hi - lo)).toBe(true);
    const x = xDomain([-Number.MAX_VALUE, Number.MAX_VALUE]);
    expect(Number.isFinite(x.hi - x.lo)).toBe(true);
  });

  it("holds what it is given, with a little room", () => {
    const { lo, hi } = yDomain([2, 4]);
    expect(lo).toBeLessThan(2);
    expect(hi).toBeGreaterThan(4);
    expect(hi - lo).toBeLessThan(2.5);
  });

  it("does not suggest negative values where there are none", () => {
    expect(yDomain([0, 10]).lo).toBeGreaterThan(-0.3);
    expect(yDomain([-1, 10]).lo).toBeLessThan(-1);
  });

  it("stands in for nothing", () => {
    expect(yDomain(null)).toEqual({ lo: 0, hi: 1, empty: true });
    expect(yDomain([Number.NaN, 1]).empty).toBe(true);
    expect(xDomain([Number.NaN, 1]).empty).toBe(true);
    expect(xDomain([7, 7])).toEqual({ lo: 6.5, hi: 7.5, empty: false });
  });

  it("turns pixels into places and back", () => {
    expect(toPixelX(plot, 25)).toBe(50);
    expect(toDataX(plot, 50)).toBe(25);
  });

  it("keeps a zoom inside the run and wide enough", () => {
    expect(clampRange([10, 20], [0, 100], 2)).toEqual([10, 20]);
    expect(clampRange([20, 10], [0, 100], 2)).toEqual([10, 20]);
    expect(clampRange([-50, 20], [0, 100], 2)).toEqual([0, 20]);
    expect(clampRange([50, 50], [0, 100], 2)).toEqual([49, 51]);
    expect(clampRange([-10, 200], [0, 100], 2)).toBeNull();
    expect(clampRange([200, 300], [0, 100], 2)).toBeNull();
  });
});

const sound = (ticks: Ticks, { lo, hi }: Domain): void => {
  expect(ticks.values.length).toBe(ticks.labels.length);
  expect(ticks.values.length).toBeLessThanOrEqual(12);
  expect(new Set(ticks.labels).size).toBe(ticks.labels.length);
  expect([...ticks.values].sort((a, b) => a - b)).toEqual(ticks.values);
  const slack = (hi - lo) * 1e-6;
  for (const value of ticks.values) {
    expect(value).toBeGreaterThanOrEqual(lo - slack);
    expect(value).toBeLessThanOrEqual(hi + slack);
  }
};

describe("ticks", () => {
  it("stand at round numbers", () => {
    expect(numberTicks(domain(0.4, 1.3), 4)).toEqual({
      values: [0.5, 0.75, 1, 1.25],
      labels: ["0.5", "0.75", "1", "1.25"],
    });
    expect(numberTicks(domain(0.004, 0.158), 3).labels).toEqual(["0.05", "0.1", "0.15"]);
    expect(numberTicks(domain(-0.55, 0.25), 4).labels).toEqual(["−0.4", "−0.2", "0", "0.2"]);
  });

  it("tell values apart that differ far behind the point", () => {
    expect(numberTicks(domain(1e14, 1e14 + 2), 3).labels).toEqual(["1e14", "+1", "+2"]);
  });

  it.each([
    [0, 1e300],
    [-8e307, 8e307],
    [0, 5e-324],
    [1e-323, 5e-323],
    [1e14, 1e14 + 0.0625],
    [1, 1 + Number.EPSILON * 4],
    [-5e15, -4.9e15],
    [0.1, 0.30000000000000004],
    [999.9, 1000.1],
  ])("are few, distinct and in order from %s to %s", (lo, hi) => {
    for (const count of [2, 3, 4, 8]) {
      sound(numberTicks(domain(lo, hi), count), domain(lo, hi));
      sound(stepTicks(domain(lo, hi), count), domain(lo, hi));
      sound(spanTicks(domain(lo, hi), count), domain(lo, hi));
      sound(timeTicks(domain(lo, hi), count), domain(lo, hi));
    }
  });

  it("fit beside the axis", () => {
    for (const [lo, hi] of [
      [1e-323, 5e-323],
      [-1.7e307, 1.7e307],
      [123_456.789, 123_456.79],
      [-123_456, -123_400],
    ] as const) {
      for (const label of numberTicks(domain(lo, hi), 4).labels) expect(label.length).toBeLessThanOrEqual(8);
    }
  });

  it("of steps are whole and short", () => {
    expect(stepTicks(domain(1, 100_000), 5).labels).toEqual(["20k", "40k", "60k", "80k", "100k"]);
    expect(stepTicks(domain(1, 250), 5).labels).toEqual(["50", "100", "150", "200", "250"]);
    expect(stepTicks(domain(50_120, 50_180), 4).labels).toEqual(["50,120", "50,140", "50,160", "50,180"]);
    for (const value of stepTicks(domain(3, 6), 5).values) expect(Number.isInteger(value)).toBe(true);
    expect(stepTicks(domain(6.5, 7.5), 5)).toEqual({ values: [7], labels: ["7"] });
    expect(stepTicks(domain(2.2, 4.9), 1)).toEqual({ values: [3, 4], labels: ["3", "4"] });
    expect(stepTicks(domain(2.2, 2.4), 5).labels).toEqual(["2.2", "2.4"]);
    expect(stepTicks(domain(2 ** 53, 2 ** 53 + 200_000), 4).labels).toEqual([
      "9.01e15",
      "+50k",
      "+100k",
      "+150k",
    ]);
    expect(stepTicks(domain(-100, 100), 4).labels).toEqual(["−100", "0", "100"]);
  });

  it("of durations count in seconds, minutes, hours and days", () => {
    expect(spanTicks(domain(0, 94), 4).labels).toEqual(["0", "30s", "1:00m", "1:30m"]);
    expect(spanTicks(domain(0, 7200), 4).labels).toEqual(["0", "30m", "1:00h", "1:30h", "2:00h"]);
    expect(spanTicks(domain(0, 4 * 86_400), 4).labels).toEqual(["0", "1d", "2d", "3d", "4d"]);
  });

  it("of wall time stand at round moments of local time", () => {
    const noon = new Date(2026, 2, 9, 12, 0, 0).getTime() / 1000;
    expect(timeTicks(domain(noon - 10, noon + 110), 4).labels).toEqual([
      "12:00:00",
      "12:00:30",
      "12:01:00",
      "12:01:30",
    ]);
    const midnight = new Date(2026, 2, 10).getTime() / 1000;
    expect(timeTicks(domain(midnight - 7200, midnight + 7200), 4).labels).toContain("03-10");
  });

  it("of a time that is none are numbers", () => {
    sound(timeTicks(domain(1e200, 2e200), 4), domain(1e200, 2e200));
  });

  it("of nothing are none", () => {
    const nothing = { lo: 0, hi: 1, empty: true };
    for (const ticks of [numberTicks, stepTicks, timeTicks, spanTicks])
      expect(ticks(nothing, 4).values).toEqual([]);
  });
});

describe("a logarithmic axis", () => {
  it("has a range in exponents, around a single value too", () => {
    const { lo, hi } = logDomain([1e-3, 1e3]);
    expect(lo).toBeCloseTo(-3.3);
    expect(hi).toBeCloseTo(3.3);
    expect(logDomain([5, 5]).hi - logDomain([5, 5]).lo).toBeCloseTo(1);
    expect(logDomain(null).empty).toBe(true);
    expect(logDomain([0, 1]).empty).toBe(true);
  });

  it("say nothing of 0 or infinity on a logarithmic axis", () => {
    for (const ends of [
      [5e-324, 1.7e308],
      [5e-324, 5e-324],
      [Number.MAX_VALUE, Number.MAX_VALUE],
      [1e-3, Number.MAX_VALUE],
    ] as const) {
      const { labels } = logTicks(logDomain(ends), 4);
      expect(labels.filter((label) => /^[0∞]$/.test(label))).toEqual([]);
      expect(labels.length).toBeGreaterThan(1);
    }
  });

  it("has ticks at powers of ten, at parts of them where there is room, at the ends where nothing else fits", () => {
    const labels = (lo: number, hi: number, count = 4) => logTicks(domain(lo, hi), count).labels;
    expect(labels(-3.2, 0.2)).toEqual(["0.001", "0.01", "0.1", "1"]);
    expect(labels(-12, 4, 4).length).toBeLessThanOrEqual(5);
    expect(labels(-0.1, 1.1)).toEqual(["1", "2", "5", "10"]);
    expect(labels(0.05, 0.4)).toEqual(
      ["1.25", "1.5", "1.75", "2", "2.25", "2.5"].filter((_, i) => i % 2 === 1),
    );
    expect(labels(-0.46, -0.28)).toEqual(["0.35", "0.4", "0.45", "0.5"]);
    for (const [lo, hi] of [
      [-323, 308],
      [-0.5, 0.5],
      [7, 7.3],
      [2, 9],
    ] as const)
      sound(logTicks(domain(lo, hi), 4), domain(lo, hi));
  });

  it("places values by their exponents, and has no place for what is not above 0", () => {
    const log: Plot = { ...plot, y: domain(0, 2), log: true };
    expect(linePath([0, 50, 100], [1, 10, 100], log)).toBe("M0,100L100,50L200,0");
    expect(linePath([0, 50, 100], [1, 0, 100], log)).toBe("M0,100M200,0");
    expect(dotPath([50], [-1], log)).toBe("");
    expect(markPath([50], [3], 3, log)).toBe("M97,98L103,98");
  });
});

describe("paths", () => {
  it("join points and lift the pen at gaps", () => {
    const x = [0, 10, 10, 20, 30];
    const y = [0, 10, Number.NaN, 5, 5];
    expect(linePath(x, y, plot)).toBe("M0,100L20,0M40,50L60,50");
  });

  it("leave out points that fall on the same tenth of a pixel", () => {
    expect(linePath([0, 0.001, 50], [5, 5.0001, 5], plot)).toBe("M0,50L100,50");
  });

  it("stay within numbers a drawing library can take", () => {
    const path = linePath([0, 1, 2], [1e300, -1e300, Number.MAX_VALUE], plot);
    for (const number of path.match(/-?[\d.]+/g) ?? [])
      expect(Math.abs(Number(number))).toBeLessThanOrEqual(20_000);
    expect(path).not.toContain("e");
  });

  it("draw a dot for each lonely point", () => {
    expect(dotPath([50, 60], [5, Number.NaN], plot)).toMatch(/^M98\.5,50a[^M]+Z$/);
  });

  it("mark NaN on the floor, +Inf at the top, −Inf on the floor, each once a few pixels", () => {
    const x = [10, 10.1, 50, 90];
    const kinds = [0, 0, 1, 2];
    expect(markPath(x, kinds, 0, plot).match(/M/g)).toHaveLength(2);
    expect(markPath(x, kinds, 0, plot)).toContain("93.5");
    expect(markPath(x, kinds, 1, plot)).toBe("M96,7L100,1L104,7Z");
    expect(markPath(x, kinds, 2, plot)).toBe("M176,93L180,99L184,93Z");
  });

  it("find the nearest point that has a value", () => {
    const x = [0, 10, 20, 30];
    expect(nearestPoint(x, [1, 2, 3, 4], 14)).toBe(1);
    expect(nearestPoint(x, [1, 2, 3, 4], 16)).toBe(2);
    expect(nearestPoint(x, [1, Number.NaN, Number.NaN, 4], 14)).toBe(0);
    expect(nearestPoint(x, [1, 2, 3, 4], -5)).toBe(0);
    expect(nearestPoint(x, [1, 2, 3, 4], 99)).toBe(3);
    expect(nearestPoint([], [], 1)).toBe(-1);
    expect(nearestPoint([1], [Number.NaN], 1)).toBe(-1);
  });

  it("step to the next recorded place", () => {
    const x = [0, 1, 2, 10, 30];
    expect(nextX(x, 2, 1, 1)).toBe(10);
    expect(nextX(x, 0, 1, 2)).toBe(2);
    expect(nextX(x, 10, -1, 1)).toBe(2);
    expect(nextX(x, 30, 1, 1)).toBe(30);
    expect(nextX(x, 0, -1, 1)).toBe(0);
  });
});

describe("colours", () => {
  const theme = chartTheme((name) => (name.startsWith("--fd-series-") ? `#00000${name.at(-1)}` : ""));

  it("of neighbours differ in hue and in dash, and no two of thirty are alike", () => {
    const styles = Array.from({ length: 30 }, (_, i) => seriesStyle(i, theme));
    expect(new Set(styles.map((style) => JSON.stringify(style))).size).toBe(30);
    for (let i = 1; i < styles.length; i++) {
      expect(styles[i]?.color).not.toBe(styles[i - 1]?.color);
      expect(styles[i]?.dash).not.toEqual(styles[i - 1]?.dash);
    }
    expect(seriesStyle(0, theme).dash).toEqual(DASHES[0]);
  });

  it("come from the theme and have something to fall back on", () => {
    const bare = chartTheme(() => "");
    expect(bare.series).toEqual([]);
    expect(seriesStyle(3, bare).color).toBe(bare.label);
  });

  it("stand out from the background, whatever the theme lends them", () => {
    // A find highlight of the default dark theme, half transparent.
    for (const [color, background, foreground] of [
      ["#d1861680", "#1f1f1f", "#cccccc"],
      ["#3a1d00", "#1f1f1f", "#cccccc"],
      ["#ffd7b0", "#ffffff", "#3b3b3b"],
      ["#ffffff", "#ffffff", "#292929"],
    ] as const) {
      const seen = parseColor(readable(color, background, foreground)) ?? [];
      expect(contrast(seen, parseColor(background) ?? []), color).toBeGreaterThanOrEqual(3);
      expect(seen[3]).toBe(1);
    }
    expect(readable("#59a4f9", "#1f1f1f", "#cccccc")).toBe("#59a4f9");
    expect(readable("var(--x)", "#1f1f1f", "#cccccc")).toBe("var(--x)");
    expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21, 5);
  });

  it("are read in the ways themes write them", () => {
    expect(parseColor("#3794ff")).toEqual([55, 148, 255, 1]);
    expect(parseColor("#fff8")).toEqual([255, 255, 255, 136 / 255]);
    expect(parseColor("rgba(1, 2, 3, 0.5)")).toEqual([1, 2, 3, 0.5]);
    expect(parseColor("rgb(1 2 3 / 0.5)")).toEqual([1, 2, 3, 0.5]);
    for (const bad of ["", "red", "#12345", "rgb(a, b, c)"]) expect(parseColor(bad)).toBeNull();
  });

  it("of a heat map run from the one to the other, and empty cells are clear", () => {
    const colors = ramp("#000000", "#ffffff", 3);
    expect([...colors]).toEqual([0, 0, 0, 255, 128, 128, 128, 255, 255, 255, 255, 255]);
    const heat = {
      id: "kl_positional",
      columns: 2,
      buckets: 2,
      cells: Float64Array.from([0, 1, Number.NaN, 0.5]),
      xDomain: [0, 1] as [number, number],
      valueDomain: [0, 1] as [number, number],
      problems: [],
    };
    const { pixels } = cellImage(heat, colors);
    const alpha = [...pixels].filter((_, i) => i % 4 === 3);
    // The last bucket is on top: column 0 then column 1.
    expect(alpha).toEqual([255, 255, 255, 0]);
    expect(pixels[0]).toBe(255);
    expect(pixels[8]).toBe(0);
  });
});

describe("keys", () => {
  const press = (key: string, more: object = {}) => ({
    key,
    shiftKey: false,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    ...more,
  });

  it("move, mark, zoom and let go", () => {
    expect(keyIntent(press("ArrowRight"), 200)).toEqual({ type: "move", pixels: 1, extend: false });
    expect(keyIntent(press("ArrowLeft", { shiftKey: true }), 200)).toEqual({
      type: "move",
      pixels: -1,
      extend: true,
    });
    expect(keyIntent(press("PageDown"), 200)).toEqual({ type: "move", pixels: 20, extend: false });
    expect(keyIntent(press("End"), 200)).toEqual({ type: "edge", end: true, extend: false });
    expect(keyIntent(press("+"), 200)).toEqual({ type: "scale", factor: 0.5 });
    expect(keyIntent(press("-"), 200)).toEqual({ type: "scale", factor: 2 });
    expect(keyIntent(press("Enter"), 200)).toEqual({ type: "zoom" });
    expect(keyIntent(press("Escape"), 200)).toEqual({ type: "cancel" });
    expect(keyIntent(press("0"), 200)).toEqual({ type: "reset" });
  });

  it("leave VS Code's shortcuts alone", () => {
    expect(keyIntent(press("0", { ctrlKey: true }), 200)).toBeNull();
    expect(keyIntent(press("+", { metaKey: true }), 200)).toBeNull();
    expect(keyIntent(press("Tab"), 200)).toBeNull();
    expect(keyIntent(press("f"), 200)).toBeNull();
  });
});
