import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import type { RunModel } from "../../../src/core/run/model.ts";
import { type RunContract, runContract } from "../../../src/protocol/run.ts";
import type { Params, Result } from "../../../src/protocol/wire.ts";
import { runViews } from "../../../src/view/run.ts";
import { eventTone } from "../../../src/view/timeline.ts";
import { column, event, fakeModel, NOW } from "./model.ts";

const NEVER = new AbortController().signal;

async function ask<M extends keyof RunContract & string>(
  model: RunModel,
  method: M,
  params: Params<RunContract, M>,
): Promise<Result<RunContract, M>> {
  const result = await runViews(model, () => NOW)[method](params as never, { signal: NEVER });
  return z.parse(runContract[method].result, result) as Result<RunContract, M>;
}

const HUNDRED = Array.from({ length: 100 }, (_, i) => i + 1);
const columns = {
  step: column(HUNDRED),
  timestamp: column(HUNDRED.map((step) => 1000 + step * 2)),
  reward_mean: column(HUNDRED.map((step) => step / 100)),
  loss: column(HUNDRED.map((step) => (step === 50 ? -1 : step))),
};

describe("run.timeline", () => {
  it("draws the reward over the whole run, and marks events by what they mean", async () => {
    const events = [
      event("train_begin", { step: 1 }),
      event("checkpoint", { step: 44, message: "saved" }),
      event("checkpoint", { step: 45 }),
      event("nan_detected", { step: 45 }),
      event("crash", { timestamp: 1000 + 90 * 2, message: "boom" }),
      event("my_own", { step: 500 }),
      event("lost", { timestamp: Number.NaN }),
    ];
    const view = await ask(fakeModel({ columns, events }), "run.timeline", { width: 70 });
    expect(view).toMatchObject({ domain: [1, 100], metric: "reward_mean", title: "Reward", unmarked: 1 });
    expect(view.series).toMatchObject({ finite: 100, max: 1 });
    expect(view.marks).toEqual([
      { step: 1, tone: "edge", count: 1, kinds: ["train_begin"], message: "" },
      { step: 44, tone: "checkpoint", count: 2, kinds: ["checkpoint"], message: "saved" },
      { step: 45, tone: "bad", count: 1, kinds: ["nan_detected"], message: "" },
      { step: 90, tone: "bad", count: 1, kinds: ["crash"], message: "boom" },
      // Beyond the last step it stands at the end.
      { step: 100, tone: "other", count: 1, kinds: ["my_own"], message: "" },
    ]);
  });

  it("has few marks however many events there are", async () => {
    const events = Array.from({ length: 20_000 }, (_, i) =>
      event(`kind_${i % 900}`, { step: 1 + (i % 100) }),
    );
    const view = await ask(fakeModel({ columns, events }), "run.timeline", { width: 1200 });
    expect(view.marks.length).toBeLessThanOrEqual((1200 / 7) * 5);
    expect(view.marks.reduce((sum, { count }) => sum + count, 0)).toBe(20_000);
    expect(Math.max(...view.marks.map(({ kinds }) => kinds.length))).toBeLessThanOrEqual(4);
  });

  it("takes another curve where there is no reward, and none where there is nothing", async () => {
    const { reward_mean: _, ...others } = columns;
    expect(await ask(fakeModel({ columns: others }), "run.timeline", { width: 50 })).toMatchObject({
      metric: "loss",
    });
    expect(await ask(fakeModel(), "run.timeline", { width: 50 })).toMatchObject({
      ...{ domain: null, metric: "", series: null, yRange: null, marks: [] },
    });
  });

  it("goes on without a curve that cannot be read", async () => {
    const broken = new Map([["reward_mean", new Error("broken")]]);
    const events = [event("checkpoint", { step: 40 })];
    const view = await ask(fakeModel({ columns, broken, events }), "run.timeline", { width: 50 });
    expect(view.series).toBeNull();
    expect(view.problems).toHaveLength(1);
    expect(view.marks).toHaveLength(1);
  });
});

describe("run.density", () => {
  const samples = (shardCount: number, steps: readonly (number | null)[]) => ({
    ...fakeModel().samples,
    shardCount,
    readNumbers: async () => [column(steps)],
  });

  it("counts samples by pixel column", async () => {
    const model = fakeModel({ columns, samples: samples(3, [1, 1, 2, 100, null, 500]) });
    const { counts, tooMany } = await ask(model, "run.density", { width: 10 });
    expect([...counts]).toEqual([3, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    expect(tooMany).toBe(false);
  });

  it("does not open tens of thousands of files for it", async () => {
    const model = fakeModel({
      columns,
      samples: {
        ...samples(40_000, []),
        readNumbers: () => {
          throw new Error("read");
        },
      },
    });
    expect(await ask(model, "run.density", { width: 10 })).toMatchObject({ tooMany: true });
  });
});

describe("tones of events", () => {
  it.each([
    ["crash", "bad"],
    ["nan_detected", "bad"],
    ["auto_halt", "bad"],
    ["recorder_drops", "warn"],
    ["bad_record", "warn"],
    ["checkpoint", "checkpoint"],
    ["train_begin", "edge"],
    ["evaluation", "other"],
  ] as const)("%s is %s", (kind, tone) => {
    expect(eventTone(kind)).toBe(tone);
  });
});

const chart = (metric: string, more: Partial<Params<RunContract, "chart.series">> = {}) => ({
  ...{ id: metric, metrics: [metric], x: "step" as const, range: null, width: 200 },
  ...more,
});

describe("a part of the run in steps", () => {
  const model = fakeModel({ columns });

  it("is the same part whatever stands on x", async () => {
    const steps: [number, number] = [20, 30];
    expect((await ask(model, "chart.series", chart("loss", { steps }))).xDomain).toEqual([20, 30]);
    const byTime = await ask(model, "chart.series", chart("loss", { steps, x: "time" }));
    expect(byTime.xDomain).toEqual([1040, 1060]);
    expect(byTime.series[0]).toMatchObject({ finite: 11, min: 20, max: 30 });
    const relative = await ask(model, "chart.series", chart("loss", { steps, x: "relative" }));
    expect(relative.xDomain).toEqual([38, 58]);
  });

  it("between two rows is where the nearest row with a time is", async () => {
    const sparse = fakeModel({
      columns: { step: column([1, 50, 100]), timestamp: column([10, null, 30]), loss: column([1, 2, 3]) },
    });
    const view = await ask(sparse, "chart.series", chart("loss", { steps: [40, 60], x: "time" }));
    expect(view.xDomain).toEqual([10, 10]);
  });

  it("has lines that run on to the edge", async () => {
    const [line] = (await ask(model, "chart.series", chart("reward_mean", { steps: [20, 30] }))).series;
    expect(line?.x[0]).toBe(19);
    const between = fakeModel({ columns: { step: column([0, 100]), loss: column([3, 5]) } });
    const passing = await ask(between, "chart.series", chart("loss", { steps: [40, 60] }));
    expect(passing).toMatchObject({ yFull: [3, 5], yRobust: [3, 5], outside: 0 });
    expect(passing.series[0]).toMatchObject({ finite: 0, last: null });
    expect(line?.x.at(-1)).toBe(31);
  });
});

describe("smoothing and the logarithmic axis", () => {
  const model = fakeModel({ columns });

  it("a smoothed curve comes beside the raw one, over the full data whatever part is shown", async () => {
    const whole = await ask(model, "chart.series", chart("loss", { smoothing: 0.9 }));
    const part = await ask(model, "chart.series", chart("loss", { smoothing: 0.9, steps: [60, 70] }));
    const at = (view: typeof whole, step: number) => {
      const { smoothX, smoothY } = view.series[0] ?? {};
      return smoothY?.[smoothX?.indexOf(step) ?? -1];
    };
    expect(at(part, 65)).toBeTypeOf("number");
    expect(at(part, 65)).toBe(at(whole, 65));
    expect(at(whole, 65)).not.toBe(65);
    expect((await ask(model, "chart.series", chart("loss"))).series[0]?.smoothX).toBeUndefined();
  });

  it("says how many values a logarithmic axis cannot show", async () => {
    const view = await ask(model, "chart.series", chart("loss", { log: true }));
    expect(view.series[0]).toMatchObject({ nonPositive: 1, finite: 100, min: -1 });
    expect([...(view.series[0]?.markKind ?? [])]).toEqual([3]);
    expect(view.yFull?.[0]).toBeCloseTo(1);
  });
});

describe("rows", () => {
  const model = fakeModel({
    columns: {
      step: column([1, 2, 3], [1n, 2n, 2n ** 60n + 1n]),
      timestamp: column([10, null, 30.5]),
      loss: column([0.1, null, Number.NEGATIVE_INFINITY]),
      '=a,"b"': column([1, Number.NaN, 3]),
    },
  });
  const all = { steps: null, offset: 0, limit: 100 };

  it("come as they are, a page at a time", async () => {
    const view = await ask(model, "chart.rows", { metrics: ["loss"], ...all });
    expect(view.rows).toEqual([
      { step: "1", time: 10, values: [0.1] },
      { step: "2", time: null, values: [null] },
      { step: "1152921504606846977", time: 30.5, values: [Number.NEGATIVE_INFINITY] },
    ]);
    const page = await ask(model, "chart.rows", { metrics: ["loss"], steps: [1, 2], offset: 1, limit: 5 });
    expect(page).toMatchObject({ total: 2, rows: [{ step: "2" }] });
  });

  it("as CSV keep every digit, tell missing from NaN, and hold no formula", async () => {
    const { text, total, rows } = await ask(model, "chart.csv", { metrics: ["loss", '=a,"b"'], ...all });
    expect(text).toBe(
      [
        `step,timestamp,loss,"'=a,""b"""`,
        "1,10,0.1,1",
        "2,,,NaN",
        "1152921504606846977,30.5,-inf,3",
        "",
      ].join("\n"),
    );
    expect({ total, rows }).toEqual({ total: 3, rows: 3 });
    const rest = await ask(model, "chart.csv", { metrics: ["loss"], steps: null, offset: 2, limit: 5 });
    expect(rest).toEqual({ text: "1152921504606846977,30.5,-inf\n", total: 3, rows: 1 });
  });
});

describe("events", () => {
  const events = [
    event("checkpoint", { step: 10 }),
    event("eval", { step: 40 }),
    event("crash", { timestamp: 1000 + 90 * 2 }),
  ];
  const model = fakeModel({ columns, events });
  const asked = { offset: 0, limit: 1, kind: null, range: null };

  it("of some steps hold those whose time lies there too", async () => {
    const page = await ask(model, "events.page", { ...asked, limit: 9, range: [30, 95] });
    expect(page.rows.map(({ kind }) => kind)).toEqual(["eval", "crash"]);
    expect(page).toMatchObject({ total: 2, nearest: null });
  });

  it("near a step come with the page that holds it", async () => {
    const page = await ask(model, "events.page", { ...asked, near: 85 });
    expect(page).toMatchObject({ offset: 2, nearest: 2, rows: [{ kind: "crash" }] });
    expect(await ask(model, "events.page", { ...asked, near: 25 })).toMatchObject({ nearest: 0, offset: 0 });
  });
});
