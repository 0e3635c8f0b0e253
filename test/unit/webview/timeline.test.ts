import { describe, expect, it } from "vitest";
import { type Drag, dragged, gripAt, keyed } from "../../../webview/timeline/brush.ts";
import { markWords } from "../../../webview/timeline/marks.ts";
import { barsIn, curvePath, densityPath, STRIP, stepScale } from "../../../webview/timeline/picture.ts";

const WIDTH = 1000;

describe("the pointer on the timeline", () => {
  it("takes hold of the ends, of what lies between, or begins anew", () => {
    expect(gripAt(203, [200, 400], WIDTH)).toBe("start");
    expect(gripAt(395, [200, 400], WIDTH)).toBe("end");
    expect(gripAt(300, [200, 400], WIDTH)).toBe("move");
    expect(gripAt(500, [200, 400], WIDTH)).toBe("new");
    expect(gripAt(500, null, WIDTH)).toBe("new");
    expect(gripAt(2, null, WIDTH)).toBe("start");
    expect(gripAt(999, null, WIDTH)).toBe("end");
    // So narrow that both ends are near: the nearer one.
    expect(gripAt(203, [200, 204], WIDTH)).toBe("end");
  });

  it("makes, moves and resizes a stretch inside the strip", () => {
    const drag = (grip: Drag["grip"], from: number): Drag => ({ grip, from, brush: [200, 400] });
    expect(dragged(drag("new", 700), 500, WIDTH)).toEqual([500, 700]);
    expect(dragged(drag("new", 700), 5000, WIDTH)).toEqual([700, 1000]);
    expect(dragged(drag("move", 300), 350, WIDTH)).toEqual([250, 450]);
    expect(dragged(drag("move", 300), -500, WIDTH)).toEqual([0, 200]);
    expect(dragged(drag("move", 300), 5000, WIDTH)).toEqual([800, 1000]);
    expect(dragged(drag("start", 202), 102, WIDTH)).toEqual([100, 400]);
    // Past the other end it goes on from there.
    expect(dragged(drag("start", 200), 600, WIDTH)).toEqual([400, 600]);
    expect(dragged(drag("end", 400), 450, WIDTH)).toEqual([200, 450]);
  });
});

describe("the timeline's curve", () => {
  const none = new Float64Array(0);
  const series = {
    ...{ metric: "reward_mean", dotsX: none, dotsY: none, markX: none, markKind: new Uint8Array(0) },
    ...{ finite: 5, missing: 0, nan: 0, posInf: 0, negInf: 0 },
    ...{ last: 1, lastX: 5, min: 0, minX: 1, max: 1000, maxX: 3 },
    x: Float64Array.of(1, 2, 3, 4, 5, 6),
    y: Float64Array.of(0, 1, 1000, Number.NaN, -1000, 1),
  };
  const view = {
    ...{ domain: [1, 6] as [number, number], metric: "reward_mean", title: "Reward", series },
    ...{ yRange: [0, 1] as [number, number], marks: [], unmarked: 0, problems: [] },
  };
  const heights = (path: string) => [...path.matchAll(/[ML][\d.-]+,([\d.-]+)/g)].map(([, y]) => Number(y));

  it("stays in the strip: what lies far outside the usual range touches its edge", () => {
    const [low, high, spike, drop, end] = heights(curvePath(view, 1000));
    expect([spike, drop]).toEqual([0, STRIP.curve - 3]);
    expect(low).toBeGreaterThan(20);
    expect(high).toBe(end);
    expect(high).toBeGreaterThan(0);
    const alone = { ...view, series: { ...series, dotsX: series.x, dotsY: series.y, x: none, y: none } };
    expect(Math.min(...heights(curvePath(alone, 1000)))).toBe(0);
    expect(heights(curvePath(alone, 1000))).toHaveLength(5);
  });
});

describe("keys on the timeline", () => {
  const press = (key: string, more: object = {}) => ({
    ...{ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false },
    ...more,
  });
  const full = [1, 1000] as [number, number];
  const range = [200, 400] as [number, number];

  it("move an end or all of it by steps, more with Shift, a tenth of the run with Page keys", () => {
    expect(keyed("start", press("ArrowRight"), range, full, 3)).toEqual([203, 400]);
    expect(keyed("start", press("ArrowLeft", { shiftKey: true }), range, full, 3)).toEqual([170, 400]);
    expect(keyed("end", press("PageUp"), range, full, 3)).toEqual([200, 499.9]);
    expect(keyed("move", press("ArrowLeft"), range, full, 3)).toEqual([197, 397]);
  });

  it("stop at the run's ends and before the other end", () => {
    expect(keyed("start", press("Home"), range, full, 3)).toEqual([1, 400]);
    expect(keyed("start", press("End"), range, full, 3)).toEqual([398, 400]);
    expect(keyed("end", press("Home"), range, full, 3)).toEqual([200, 202]);
    expect(keyed("end", press("End"), range, full, 3)).toEqual([200, 1000]);
    expect(keyed("move", press("End"), range, full, 3)).toEqual([800, 1000]);
    expect(keyed("move", press("Home"), range, full, 3)).toEqual([1, 201]);
    expect(keyed("start", press("End"), [1, 2], [1, 2], 1)).toEqual([1, 2]);
  });

  it("show everything again, and leave VS Code's shortcuts alone", () => {
    expect(keyed("move", press("Escape"), range, full, 3)).toBe("reset");
    expect(keyed("move", press("ArrowLeft", { ctrlKey: true }), range, full, 3)).toBeNull();
    expect(keyed("move", press("Tab"), range, full, 3)).toBeNull();
  });
});

describe("the timeline's picture", () => {
  it("says what a mark stands for", () => {
    const mark = { step: 1200, tone: "checkpoint" as const, count: 1, kinds: ["checkpoint"], message: "" };
    expect(markWords(mark)).toBe("checkpoint at step 1,200");
    expect(markWords({ ...mark, message: "saved\u202e" })).toBe("checkpoint at step 1,200: saved<U+202E>");
    expect(markWords({ ...mark, count: 12, kinds: ["eval", "checkpoint"] })).toBe(
      "12 events: eval, checkpoint, from step 1,200 on",
    );
  });

  it("draws a bar where there are samples, as long as there are many", () => {
    const path = densityPath({ counts: Float64Array.of(0, 10, 5, 0), tooMany: false }, 16, [1, 4]);
    expect(path).toBe("M4,49h3v11h-3ZM8,49h3v5.5h-3Z");
    expect(densityPath({ counts: new Float64Array(4), tooMany: false }, 16, [1, 4])).toBe("");
  });

  it("is even where every step has as many samples, however steps fall on bars", () => {
    for (const steps of [3, 250, 999, 12_345]) {
      const bars = barsIn(900, [1, steps]);
      const counts = new Float64Array(bars);
      for (let step = 1; step <= steps; step++) {
        const bar = Math.min(bars - 1, Math.floor(((step - 1) * bars) / (steps - 1)));
        counts[bar] = (counts[bar] ?? 0) + 8;
      }
      const heights = densityPath({ counts, tooMany: false }, 900, [1, steps]).match(/v[\d.]+/g) ?? [];
      expect(heights).toHaveLength(bars);
      expect(new Set(heights), `${steps}`).toEqual(new Set(["v11"]));
    }
  });

  it("turns pixels into steps and back, of one step too", () => {
    const scale = stepScale([1, 101], 200);
    expect(scale.toPixel(51)).toBe(100);
    expect(scale.toStep(100)).toBe(51);
    expect(stepScale([7, 7], 200).toPixel(7)).toBe(100);
  });
});
