import { describe, expect, it } from "vitest";
import { sortX } from "../../../src/core/chart/grid.ts";
import { RunAxes, stepText } from "../../../src/view/axes.ts";
import { smoothed } from "../../../src/view/smoothed.ts";
import { column, fakeModel, NOW } from "./model.ts";

describe("the axes of a run", () => {
  it("are read once, and again after a failure", async () => {
    let reads = 0;
    const model = fakeModel({ columns: { step: column([1, 2]) } });
    const axes = new RunAxes({
      ...model,
      steps: {
        ...model.steps,
        axis: async (rows) => {
          reads++;
          if (reads === 1) throw new Error("not yet");
          return model.steps.axis(rows);
        },
      },
    });
    await expect(axes.rows()).rejects.toThrow("not yet");
    expect((await axes.rows()).rows).toBe(2);
    await axes.sorted("step");
    expect(await axes.sorted("step")).toBe(await axes.sorted("step"));
    expect(reads).toBe(2);
  });

  it("of time hold rows with a time only; relative time begins with the first row that has one", async () => {
    const axes = new RunAxes(
      fakeModel({
        columns: { step: column([1, 2, 3, 4]), timestamp: column([null, 100, Number.NaN, 90]) },
      }),
    );
    expect([...(await axes.sorted("time")).x]).toEqual([90, 100]);
    const relative = await axes.sorted("relative");
    expect([...relative.x]).toEqual([-10, 0]);
    expect([...(relative.rows ?? [])]).toEqual([3, 1]);
    expect([...(await new RunAxes(fakeModel({ columns: { step: column([1]) } })).sorted("time")).x]).toEqual(
      [],
    );
  });

  it("give the pace of the newest rows, whatever the clock did meanwhile", async () => {
    const pace = async (times: (number | null)[]) => {
      const axes = new RunAxes(
        fakeModel({ columns: { step: column([...times.keys()]), timestamp: column(times) } }),
      );
      expect(axes.pace()).toBeUndefined();
      await axes.rows();
      return axes.pace();
    };
    expect(await pace([0, 2, 4, 6])).toEqual({ medianStepSeconds: 2, lastStepTime: 6 });
    expect(await pace([0, 2, 10, 4, 6, 8])).toEqual({ medianStepSeconds: 2, lastStepTime: 10 });
    expect(await pace([0, null, 3, 5])).toEqual({ medianStepSeconds: 2, lastStepTime: 5 });
    expect(await pace([10, 8, 6, 8])).toEqual({ medianStepSeconds: 2, lastStepTime: 10 });
    expect(await pace([7])).toEqual({ medianStepSeconds: null, lastStepTime: 7 });
    const slower = [
      ...Array.from({ length: 1000 }, (_, i) => i),
      ...Array.from({ length: 500 }, (_, i) => 1000 + i * 9),
    ];
    expect((await pace(slower))?.medianStepSeconds).toBe(9);
  });

  it("say where a recording stops that nobody closed", async () => {
    for (const [layout, stops] of [
      ["parts", "2"],
      ["both", "2"],
      ["compacted", ""],
    ] as const) {
      const axes = new RunAxes(fakeModel({ columns: { step: column([1, 2]) }, layout }));
      expect(axes.stops()).toBe("");
      await axes.view(NOW);
      expect(axes.stops(), layout).toBe(stops);
    }
  });

  it("write steps with all their digits", () => {
    expect(stepText(column([2 ** 60], [2n ** 60n + 1n]), 0)).toBe("1152921504606846977");
    expect(stepText(column([null]), 0)).toBe("");
    expect(stepText(column([Number.NaN]), 0)).toBe("");
    expect(stepText(column([3]), 1)).toBe("");
  });
});

describe("a smoothed curve", () => {
  const steps = sortX(Float64Array.of(1, 2, 3), null);
  const times = sortX(Float64Array.of(0, 50, 51), null);

  it("is kept for its column, axis and weight, and made anew for any other", () => {
    const loss = column([1, 5, 2]);
    const first = smoothed(steps, loss, 0.9);
    expect(smoothed(steps, loss, 0.9)).toBe(first);
    const weaker = smoothed(steps, loss, 0.1);
    expect([...weaker]).not.toEqual([...first]);
    const byTime = smoothed(times, loss, 0.1);
    expect([...byTime]).not.toEqual([...weaker]);
    expect([...smoothed(steps, loss, 0.9)]).toEqual([...first]);
    expect([...smoothed(steps, column([7, 7, 7]), 0.9)]).toEqual([7, 7, 7]);
  });
});
