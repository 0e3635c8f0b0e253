import { describe, expect, test } from "vitest";
import type { RunModel } from "../../../src/core/run/model.ts";
import { type CompareContract, compareContract, DEFAULT_COMPARE } from "../../../src/protocol/compare.ts";
import type { Params, Result } from "../../../src/protocol/wire.ts";
import { compareViews } from "../../../src/view/compare.ts";
import { CompareColumns } from "../../../src/view/compare-columns.ts";
import { noise, series, steps } from "../compare/runs.ts";
import { fakeSamples } from "../samples/fake.ts";
import { column, type Fake, fakeModel, manifest } from "./model.ts";

const model = (columns: Fake["columns"], more: Fake = {}): RunModel =>
  fakeModel({ columns: columns ?? {}, ...more });

/** The steps of a run; what is read of them is noted. */
const noting = ({ steps: table }: RunModel, note: (names: readonly string[]) => void): RunModel["steps"] => ({
  ...table,
  read: (names, order) => {
    note(names);
    return table.read(names, order);
  },
});

/** Asks as the worker does; the answer has to fit the contract. */
function asking(models: readonly RunModel[]) {
  let pauses = 0;
  const views = compareViews(models, async () => {
    pauses++;
  });
  const ask = async <M extends keyof CompareContract & string>(
    method: M,
    params: Params<CompareContract, M>,
    signal = new AbortController().signal,
  ): Promise<Result<CompareContract, M>> => {
    const answer = await views[method](params as never, { signal });
    return compareContract[method].result.parse(answer) as Result<CompareContract, M>;
  };
  return { ask, pauses: () => pauses };
}

const next = noise(4);
const N = 100;
const level = (at: number, size: number, from = 0) =>
  series(N, (i) => from + 0.1 * next() + (i >= at ? size : 0));
const a = model({
  step: steps(N),
  timestamp: steps(N, 1000),
  kl_mean: level(N, 0),
  loss: level(N, 0, 5),
  "extra.x": level(N, 0),
});
const b = model({
  step: steps(N),
  timestamp: steps(N, 9000),
  kl_mean: level(60, -9),
  loss: level(N, 0),
  "extra.x": level(70, 9),
});
const c = model({ step: steps(N, 400), timestamp: steps(N, 50), kl_mean: level(N, 0) });

describe("overview", () => {
  test("runs, and the metrics that two have, in the format's groups; ours are marked", async () => {
    const { runs, groups } = await asking([a, b, c]).ask("compare.overview", {});
    expect(runs.map(({ rows }) => rows)).toEqual([N, N, N]);
    expect(groups.map(({ id, metrics }) => [id, metrics.map((m) => [m.metric, m.ours, m.runs])])).toEqual([
      ["kl", [["kl_mean", false, [0, 1, 2]]]],
      ["optimization", [["loss", false, [0, 1]]]],
      ["extra", [["extra.x", true, [0, 1]]]],
    ]);
  });
});

describe("metrics of a pair", () => {
  test("diverged first, then the rest; windows and places in units of the axis", async () => {
    const { ask, pauses } = asking([a, b]);
    const view = await ask("compare.metrics", { other: 1, options: DEFAULT_COMPARE });
    expect(view).toMatchObject({
      commonSteps: N,
      compared: 2,
      comparedOurs: 1,
      first: "kl_mean",
      suggestion: null,
    });
    expect(view.metrics.map(({ metric, divergence }) => [metric, divergence?.text ?? null])).toEqual([
      ["kl_mean", "60"],
      ["extra.x", "70"],
      ["loss", null],
    ]);
    const [kl, , loss] = view.metrics;
    expect(kl).toMatchObject({
      higherLate: "a",
      early: [0, 24],
      late: [80, 99],
      divergence: { step: 60, x: 60 },
    });
    // The other run minus the baseline, as people read it: rlprobe has it the other way round.
    expect(loss?.gapEarly).toBeCloseTo(-5, 0);
    expect(kl?.gapLate).toBeLessThan(0);
    expect(kl?.zLate).toBeLessThan(0);
    expect(pauses()).toBeGreaterThan(0);
  });

  test("a higher limit is answered from what was read", async () => {
    const read: (readonly string[])[] = [];
    const { ask } = asking([
      {
        ...a,
        steps: noting(a, (names) => read.push(names)),
      },
      b,
    ]);
    await ask("compare.metrics", { other: 1, options: DEFAULT_COMPARE });
    const once = read.length;
    const view = await ask("compare.metrics", { other: 1, options: { ...DEFAULT_COMPARE, z: 1e6 } });
    expect(view.first).toBeNull();
    expect(read.length).toBe(once);
  });

  test("steps that do not meet: another alignment is offered, and compares", async () => {
    const { ask } = asking([a, c]);
    const none = await ask("compare.metrics", { other: 1, options: DEFAULT_COMPARE });
    expect(none).toMatchObject({ commonSteps: 0, compared: 0, suggestion: "relative" });
    const relative = await ask("compare.metrics", {
      other: 1,
      options: { ...DEFAULT_COMPARE, align: "relative" },
    });
    expect(relative).toMatchObject({ commonSteps: N, compared: 1, suggestion: null });
    expect(relative.skipped.map(({ metric, reason }) => [metric, reason])).toEqual([
      ["loss", "only-a"],
      ["extra.x", "only-a"],
    ]);
    expect(
      (await ask("compare.metrics", { other: 1, options: { ...DEFAULT_COMPARE, align: "time" } }))
        .commonSteps,
    ).toBe(N);
  });

  test("a column that cannot be read costs itself only, and is said", async () => {
    const broken = model(
      { step: steps(N), kl_mean: level(N, 0), loss: level(N, 0) },
      { broken: new Map([["loss", new Error("damaged")]]) },
    );
    const view = await asking([a, broken]).ask("compare.metrics", { other: 1, options: DEFAULT_COMPARE });
    expect(view.metrics.map(({ metric }) => metric)).toEqual(["kl_mean"]);
    expect(view.problems.length).toBe(1);
  });

  test("a run that is not there, and a question that is not wanted any more", async () => {
    const { ask } = asking([a, b]);
    await expect(ask("compare.metrics", { other: 2, options: DEFAULT_COMPARE })).rejects.toThrow();
    const stopped = AbortSignal.abort();
    await expect(ask("compare.metrics", { other: 1, options: DEFAULT_COMPARE }, stopped)).rejects.toThrow();
  });
});

describe("curves", () => {
  const picture = { metric: "kl_mean", runs: null, align: "step", range: null, width: 50 } as const;

  test("one of each run that has the metric, over all of their steps", async () => {
    const { ask } = asking([a, b, c]);
    const view = await ask("compare.series", picture);
    expect(view.series.map(({ run, series: s }) => [run, s.finite])).toEqual([
      [0, N],
      [1, N],
      [2, N],
    ]);
    expect(view.xDomain).toEqual([0, 499]);
    const loss = await ask("compare.series", { ...picture, metric: "loss" });
    expect(loss.series.map(({ run }) => run)).toEqual([0, 1]);
  });

  test("those that are shown set the range of y", async () => {
    const { ask } = asking([a, b]);
    const both = await ask("compare.series", picture);
    const one = await ask("compare.series", { ...picture, runs: [0] });
    expect(one.series.map(({ run }) => run)).toEqual([0]);
    expect(both.yFull?.[0]).toBeLessThan(-8);
    expect(one.yFull?.[0]).toBeGreaterThan(-1);
  });

  test("by relative step and by time, runs begin at 0", async () => {
    const { ask } = asking([a, c]);
    for (const align of ["relative", "time"] as const) {
      const view = await ask("compare.series", { ...picture, align });
      expect(view.xDomain, align).toEqual([0, N - 1]);
    }
  });

  test("a spike is in every picture, however wide the run", async () => {
    const n = 20_000;
    const spiky = model({ step: steps(n), kl_mean: series(n, (i) => (i === 13_337 ? 1e6 : i % 7)) });
    const view = await asking([a, spiky]).ask("compare.series", { ...picture, width: 20 });
    expect(Math.max(...(view.series[1]?.series.y ?? []))).toBe(1e6);
    expect(view.series[1]?.series.y.length).toBeLessThan(200);
  });

  test("smoothed curves come along, answers share nothing with the model", async () => {
    const { ask } = asking([a, b]);
    const view = await ask("compare.series", { ...picture, smoothing: 0.9 });
    expect(view.series[0]?.series.smoothY?.length).toBeGreaterThan(0);
    view.series[0]?.series.y.fill(0);
    view.series[0]?.series.x.fill(0);
    expect((await ask("compare.series", picture)).yFull).toEqual(
      (await asking([a, b]).ask("compare.series", picture)).yFull,
    );
  });
});

describe("gaps", () => {
  const params = {
    metric: "kl_mean",
    other: 1,
    options: DEFAULT_COMPARE,
    align: "step",
    range: null,
    width: 50,
  } as const;

  test("B − A with the noise of the early window", async () => {
    const { ask } = asking([a, b]);
    const view = await ask("compare.gap", params);
    expect(view.gap?.divergence?.step).toBe(60);
    expect(view.series?.last).toBeLessThan(-8);
    expect(view.gap?.gapLate).toBeLessThan(-8);
    expect(view.gap?.noise).toBeGreaterThan(0.05);
    expect(view.gap?.noise).toBeLessThan(0.3);
  });

  test("missing on one side is missing in the gap, and no NaN that somebody wrote", async () => {
    const holes = model({ step: steps(N), kl_mean: series(N, (i) => (i % 2 ? null : i)) });
    const view = await asking([a, holes]).ask("compare.gap", params);
    expect(view.series).toMatchObject({ finite: N / 2, missing: N / 2, nan: 0 });
  });

  test("too few values: the gap without a band; none at all: nothing", async () => {
    const few = model({ step: steps(10), kl_mean: steps(10) });
    const view = await asking([a, few]).ask("compare.gap", params);
    expect(view.gap).toBeNull();
    expect(view.series?.finite).toBe(10);
    expect((await asking([a, c]).ask("compare.gap", params)).series).toBeNull();
    expect((await asking([a, model({ step: steps(N) })]).ask("compare.gap", params)).series).toBeNull();
  });
});

test("values at a place: of each run's nearest row", async () => {
  const one = model({ step: column([1, 2, 3]), kl_mean: column([10, null, 30]) });
  const two = model({ step: column([2, 4]), loss: column([5, Number.NaN]) });
  const at = await asking([one, two, model({})]).ask("compare.at", {
    align: "step",
    at: 2.2,
    metrics: ["kl_mean", "loss"],
  });
  expect(at).toEqual([
    { step: "2", x: 2, values: [null, null] },
    { step: "2", x: 2, values: [null, 5] },
    { step: "", x: null, values: [null, null] },
  ]);
});

describe("configuration", () => {
  const configured = (config: Record<string, unknown>, raw: Record<string, unknown> = {}): RunModel =>
    model({}, { manifest: manifest({ algorithm: "grpo", trainer_config: config, ...raw } as never) });

  test("parts of their own for algorithm and model, configuration, environment; false, 0 and empty text are shown", async () => {
    const one = configured(
      { lr: 0, flag: false, name: "", dir: "x" },
      { environment: { packages: { torch: "2.0" } } },
    );
    const two = configured(
      { lr: 1, flag: false, name: "", dir: "y" },
      { environment: { packages: { torch: "2.1" } } },
    );
    const sections = await asking([one, two]).ask("compare.config", { ignore: ["dir"] });
    expect(sections.map(({ id, differing }) => [id, differing])).toEqual([
      ["run", 0],
      ["trainer_config", 1],
      ["environment", 1],
    ]);
    expect(
      sections[1]?.rows.map(({ path, cells, differs, ignored }) => [
        path,
        cells.map(({ value }) => value),
        differs,
        ignored,
      ]),
    ).toEqual([
      ["lr", ["0", "1"], true, false],
      ["flag", ["false", "false"], false, false],
      ["name", ["", ""], false, false],
      ["dir", ["x", "y"], true, true],
    ]);
    expect(sections[1]?.rows[2]?.cells[0]).toEqual({ present: true, value: "", type: "string" });
  });

  test("a key that a run does not have is not there, which is no empty text", async () => {
    const sections = await asking([configured({ a: 1 }), configured({})]).ask("compare.config", {
      ignore: [],
    });
    expect(
      sections.find(({ id }) => id === "trainer_config")?.rows[0]?.cells.map(({ present }) => present),
    ).toEqual([true, false]);
  });

  test("documents have one order of keys, whatever the runs' own; keys that are ignored are left out", async () => {
    const { ask } = asking([
      configured({ b: [1, { z: 1, a: Number.NaN }], a: { y: 2n ** 60n, x: "" }, dir: 1 }),
      configured({ a: { x: "" } }),
    ]);
    const { text } = await ask("compare.document", { run: 0, ignore: ["dir"] });
    expect(text).toContain(
      '"trainer_config": {\n    "a": {\n      "x": "",\n      "y": 1152921504606846976\n    },\n    "b": [\n      1,\n      {\n        "a": NaN,\n        "z": 1\n      }\n    ]\n  }',
    );
    expect(text).not.toContain("dir");
    await expect(ask("compare.document", { run: 2, ignore: [] })).rejects.toThrow();
  });
});

describe("prompts", () => {
  const prompting = (...rewards: readonly number[]): RunModel =>
    model(
      {},
      {
        samples: fakeSamples([
          {
            samples: rewards.map((reward_total, i) => ({
              step: i,
              sample_id: `s${i}`,
              prompt_text: `prompt ${i % 2}`,
              completion_text: `said ${i}`,
              reward_total,
            })),
          },
        ]),
      },
    );

  test("by text where there is no id; the rows lead to the best completions", async () => {
    const { ask } = asking([prompting(1, 2, 3, 0), prompting(5, 5, 9, 5)]);
    const view = await ask("compare.prompts", { other: 1, offset: 0, limit: 10 });
    expect(view).toMatchObject({ by: "text", total: 2 });
    expect(
      view.prompts.map(({ text, gap, bestA, bestB }) => [text, gap, bestA.row, bestB.row, bestB.completion]),
    ).toEqual([
      ["prompt 0", 5, 2, 2, "said 2"],
      ["prompt 1", 4, 1, 1, "said 1"],
    ]);
    const second = await ask("compare.prompts", { other: 1, offset: 1, limit: 1 });
    expect(second.prompts.map(({ text }) => text)).toEqual(["prompt 1"]);
  });
});

test("results over seeds: the difference from the baseline, none for the baseline itself", async () => {
  const resulting = (values: readonly number[]): RunModel => {
    const metrics = values.map((value, seed) => ({
      benchmark: "gsm8k",
      metric: "acc",
      horizon: null,
      seed,
      value,
    }));
    return model({}, { records: { witnesses: [], metrics, manifestConfigHash: null } });
  };
  const { rows, method } = await asking([resulting([1, 2, 3]), resulting([11, 12, 13]), resulting([])]).ask(
    "compare.records",
    {},
  );
  expect(method).toContain("Welch");
  expect(rows[0]?.cells.map((cell) => cell?.mean ?? null)).toEqual([2, 12, null]);
  const [base, difference, none] = rows[0]?.differences ?? [];
  expect([base, none]).toEqual([null, null]);
  expect(difference).toMatchObject({ value: 10, df: 4 });
  expect(difference?.low).toBeCloseTo(10 - 2.7764 * Math.sqrt(2 / 3), 3);
});

test("columns are kept within a fixed room, those asked for last the longest", async () => {
  const read: string[] = [];
  const n = 1000;
  const many = model({ step: steps(n), a: steps(n), b: steps(n), c: steps(n) });
  const watched: RunModel = {
    ...many,
    steps: noting(many, (names) => read.push(...names)),
  };
  const columns = new CompareColumns(2 * 8 * n);
  for (const name of ["a", "b", "a", "c", "a", "b"]) await columns.read(watched, [name], []);
  expect(read).toEqual(["a", "b", "c", "b"]);
});
