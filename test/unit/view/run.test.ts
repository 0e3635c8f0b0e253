import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { FlightDeckError } from "../../../src/core/format/problems.ts";
import type { RunModel } from "../../../src/core/run/model.ts";
import { type RunContract, runContract } from "../../../src/protocol/run.ts";
import type { Params, Result } from "../../../src/protocol/wire.ts";
import { runViews } from "../../../src/view/run.ts";
import { column, event, fakeModel, manifest, NOW } from "./model.ts";

const NEVER = new AbortController().signal;

/** Asks as a page does: parameters and answer must fit the contract. */
async function ask<M extends keyof RunContract & string>(
  model: RunModel,
  method: M,
  params: Params<RunContract, M>,
  signal = NEVER,
): Promise<Result<RunContract, M>> {
  const views = runViews(model, () => NOW);
  const result = await views[method](params as never, { signal });
  return z.parse(runContract[method].result, result) as Result<RunContract, M>;
}

const series = (metrics: string[], more: Partial<Params<RunContract, "chart.series">> = {}) => ({
  id: metrics[0] ?? "",
  metrics,
  x: "step" as const,
  range: null,
  width: 100,
  ...more,
});

describe("run.overview", () => {
  it("says what the run is without reading a column", async () => {
    const reads: (readonly string[])[] = [];
    const model = fakeModel({
      manifest: manifest({}),
      columns: { step: column([1, 2]), reward_mean: column([0.5, 0.6]), "extra.x": column([1, 2]) },
      events: [event("train_begin"), event("train_end", { step: 2 })],
      eventsDropped: 3,
      onRead: (names) => reads.push(names),
    });
    const view = await ask(model, "run.overview", {});
    expect(view).toMatchObject({
      label: "folder",
      runId: "run-1",
      algorithm: "grpo",
      model: "",
      createdAt: Date.UTC(2026, 0, 2, 3, 4, 5),
      rowCount: 2,
      eventCount: 5,
      state: "finished",
      stateReason: "The training ended in order at step 2.",
    });
    expect(view.groups.map((group) => group.id)).toEqual(["reward", "extra"]);
    expect(reads).toEqual([]);
  });

  it("has an answer for a folder with records only", async () => {
    const view = await ask(fakeModel({ hasRecording: false, layout: "none" }), "run.overview", {});
    expect(view).toMatchObject({ runId: "folder", createdAt: null, hasRecording: false, state: "unknown" });
  });

  it("knows a copy once the time stamps were read", async () => {
    const day = NOW / 1000 - 86_400;
    const model = fakeModel({
      layout: "parts",
      columns: { step: column([1, 2]), timestamp: column([day, day + 2]) },
    });
    const views = runViews(model, () => NOW);
    const state = async () => (await views["run.overview"]({}, { signal: NEVER })).state;
    expect(await state()).toBe("running");
    const axis = await views["run.axis"]({}, { signal: NEVER });
    expect(axis).toMatchObject({ state: "unknown", stateReason: expect.stringContaining("copy") });
    expect(await state()).toBe("unknown");
  });

  it("says of a folder with run records that no training is recorded in it", async () => {
    const records = { ...fakeModel({ hasRecording: false, layout: "none" }), manifest: null };
    const views = runViews(records, () => NOW);
    const words = "The folder holds run records only: no training is recorded in it.";
    expect((await views["run.overview"]({}, { signal: NEVER })).stateReason).toBe(words);
    expect((await views["run.axis"]({}, { signal: NEVER })).stateReason).toBe(words);
  });

  it.each([
    ["parts", true],
    ["both", true],
    ["compacted", false],
  ] as const)("says of %s that were left behind where they stop: %s", async (layout, isOpen) => {
    const model = fakeModel({
      layout,
      lastWriteMs: NOW - 86_400_000,
      columns: { step: column([1, 2, 3]), timestamp: column([1, 2, 3]) },
    });
    const views = runViews(model, () => NOW);
    const stops = isOpen
      ? expect.stringMatching(/^Recording stops at step 3 and was not closed; /)
      : undefined;
    const { stateReason } = await views["run.overview"]({}, { signal: NEVER });
    expect(stateReason).not.toContain("stops");
    expect(await views["run.axis"]({}, { signal: NEVER })).toMatchObject(
      stops ? { stateReason: stops } : { stateReason: "The recording was closed in order." },
    );
    // The header says the same when it is asked for again.
    const again = await views["run.overview"]({}, { signal: NEVER });
    if (stops) expect(again.stateReason).toEqual(stops);
  });
});

describe("run.axis", () => {
  it("gives ends, times and exact text of huge steps", async () => {
    const model = fakeModel({
      columns: {
        step: column([1, 2 ** 60], [1n, 2n ** 60n + 1n]),
        timestamp: column([200, 100]),
      },
    });
    expect(await ask(model, "run.axis", {})).toMatchObject({
      steps: 2,
      first: 1,
      last: 2 ** 60,
      lastText: "1152921504606846977",
      hasTime: true,
      timeFirst: 100,
      timeLast: 200,
    });
  });

  it("is empty for a run without steps", async () => {
    expect(await ask(fakeModel(), "run.axis", {})).toMatchObject({
      steps: 0,
      first: null,
      lastText: "",
      hasTime: false,
      timeLast: null,
    });
  });
});

describe("chart.series", () => {
  const columns = {
    step: column([1, 2, 3, 4]),
    timestamp: column([100, 110, 105, null]),
    reward_mean: column([1, Number.NaN, 3, 4]),
    "reward_component.a": column([1, null, null, 2]),
  };

  it("draws the metrics asked for, in their order", async () => {
    const view = await ask(
      fakeModel({ columns }),
      "chart.series",
      series(["reward_component.a", "reward_mean"]),
    );
    expect(view.series.map((s) => s.metric)).toEqual(["reward_component.a", "reward_mean"]);
    expect(view).toMatchObject({ xDomain: [1, 4], yFull: [1, 4], problems: [] });
    expect(view.series[0]).toMatchObject({ finite: 2, missing: 2, nan: 0 });
    expect(view.series[1]).toMatchObject({ finite: 3, missing: 0, nan: 1 });
  });

  it("goes by time and by time since the first row", async () => {
    const model = fakeModel({ columns });
    const byTime = await ask(model, "chart.series", series(["reward_mean"], { x: "time" }));
    expect(byTime.xDomain).toEqual([100, 110]);
    expect(byTime.series[0]).toMatchObject({ lastX: 105, last: 3, finite: 2, nan: 1 });
    const relative = await ask(model, "chart.series", series(["reward_mean"], { x: "relative" }));
    expect(relative.xDomain).toEqual([0, 10]);
  });

  it("says that there is no time instead of drawing nothing", async () => {
    const { timestamp: _, ...without } = columns;
    const view = await ask(
      fakeModel({ columns: without }),
      "chart.series",
      series(["reward_mean"], { x: "time" }),
    );
    expect(view.problems.map((problem) => problem.code)).toEqual(["no-time"]);
  });

  it("loses to a damaged column that column only", async () => {
    const broken = new Map([
      ["reward_mean", new FlightDeckError("io-error", "steps.parquet", { found: "EIO" })],
    ]);
    const metrics = ["reward_component.a", "reward_mean", "gone"];
    const view = await ask(fakeModel({ columns, broken }), "chart.series", series(metrics));
    expect(view.series.map((s) => s.metric)).toEqual(["reward_component.a"]);
    expect(view.problems.map((problem) => problem.code)).toEqual(["io-error", "missing-column"]);
  });

  it("takes a range from either end and stops when nobody waits", async () => {
    const model = fakeModel({ columns });
    const view = await ask(model, "chart.series", series(["reward_mean"], { range: [3, 2] }));
    expect(view.xDomain).toEqual([2, 3]);
    expect(view.series[0]?.finite).toBe(1);
    await expect(ask(model, "chart.series", series(["reward_mean"]), AbortSignal.abort())).rejects.toThrow();
  });

  it("gives arrays away that the model does not need", async () => {
    const model = fakeModel({ columns });
    const view = await ask(model, "chart.series", series(["reward_mean"]));
    for (const one of view.series)
      for (const array of [one.x, one.y]) structuredClone(array, { transfer: [array.buffer] });
    const again = await ask(model, "chart.series", series(["reward_mean"]));
    expect(again.series[0]?.finite).toBe(3);
  });
});

describe("chart.heatmap", () => {
  const list = { values: Float64Array.of(1, 2, 3, 4), offsets: Int32Array.of(0, 2, 4), valid: null };
  it("draws a list column", async () => {
    const model = fakeModel({ columns: { step: column([1, 2]) }, lists: { kl_positional: list } });
    const view = await ask(model, "chart.heatmap", series(["kl_positional"]));
    expect(view).toMatchObject({
      columns: 2,
      buckets: 2,
      valueDomain: [1, 4],
      xDomain: [1, 2],
      problems: [],
    });
  });
  it("is empty and says why when the column cannot be read", async () => {
    const broken = new Map([["kl_positional", new Error("boom")]]);
    const model = fakeModel({ columns: { step: column([1, 2]) }, lists: { kl_positional: list }, broken });
    const view = await ask(model, "chart.heatmap", series(["kl_positional"]));
    expect(view).toMatchObject({ columns: 0, problems: [{ code: "internal" }] });
  });
});

describe("chart.at", () => {
  const columns = {
    step: column([10, 20, 2 ** 60], [10n, 20n, 2n ** 60n + 1n]),
    timestamp: column([100, null, 300]),
    loss: column([1, Number.NaN, Number.POSITIVE_INFINITY]),
    lr: column([null, 2, 3]),
  };
  it("finds the nearest row, tells NaN from nothing and shows a step exactly", async () => {
    const model = fakeModel({ columns });
    const at = (value: number) =>
      ask(model, "chart.at", { x: "step", at: value, metrics: ["loss", "lr", "gone"] });
    expect(await at(-5)).toEqual({ step: 10, stepText: "10", x: 10, time: 100, values: [1, null, null] });
    expect(await at(19)).toEqual({
      step: 20,
      stepText: "20",
      x: 20,
      time: null,
      values: [Number.NaN, 2, null],
    });
    expect(await at(1e18)).toMatchObject({
      stepText: "1152921504606846977",
      values: [Number.POSITIVE_INFINITY, 3, null],
    });
  });
  it("finds rows by time", async () => {
    const model = fakeModel({ columns });
    expect(await ask(model, "chart.at", { x: "time", at: 250, metrics: ["lr"] })).toMatchObject({
      x: 300,
      values: [3],
    });
    expect(await ask(model, "chart.at", { x: "relative", at: 10, metrics: ["lr"] })).toMatchObject({
      x: 0,
      step: 10,
    });
  });
  it("has an answer for a run without rows", async () => {
    expect(await ask(fakeModel(), "chart.at", { x: "step", at: 1, metrics: ["loss"] })).toMatchObject({
      step: null,
      values: [null],
    });
  });
});

describe("events.page", () => {
  const events = [
    event("checkpoint", { step: 10, timestamp: 100 }),
    event("eval", { step: 2n ** 60n, timestamp: 110, data: { a: [1n, Number.NaN, "x"], __proto__: null } }),
    event("crash", { timestamp: 121, message: "m".repeat(10_000) }),
    event("checkpoint", { step: 30, timestamp: Number.NaN, rank: 2 }),
  ];
  const model = fakeModel({
    events,
    columns: { step: column([10, 20, 30]), timestamp: column([100, 120, 140]) },
  });
  const page = (more: Partial<Params<RunContract, "events.page">>) =>
    ask(model, "events.page", { offset: 0, limit: 100, kind: null, range: null, ...more });

  it("pages, counts kinds and keeps indexes", async () => {
    const view = await page({ offset: 1, limit: 2 });
    expect(view.total).toBe(4);
    expect(view.kinds).toEqual([
      { kind: "checkpoint", count: 2 },
      { kind: "eval", count: 1 },
      { kind: "crash", count: 1 },
    ]);
    expect(view.rows.map((row) => row.index)).toEqual([1, 2]);
    expect(view.rows[0]).toMatchObject({ step: "1152921504606846976", data: '{"a": [1, NaN, "x"]}' });
    expect(view.rows[1]?.message.length).toBeLessThan(4100);
    expect((await page({ kind: "checkpoint" })).rows.map((row) => [row.index, row.time])).toEqual([
      [0, 100],
      [3, null],
    ]);
  });

  it("places an event without a step by its time", async () => {
    expect((await page({ range: [15, 25] })).rows.map((row) => row.kind)).toEqual(["crash"]);
    expect((await page({ range: [0, 1e30] })).total).toBe(4);
  });
});

describe("run.config", () => {
  it("flattens what is nested and shows false, 0, empty text and empty objects", async () => {
    const raw = JSON.parse(
      '{"run_id":"r","odd":[1],"trainer_config":{"a.b":{"c":false},"n":0,"t":"","o":{},"l":[true,null],"__proto__":{"x":1}}}',
    );
    raw.trainer_config.big = 2n ** 60n;
    raw.trainer_config.lr = 1e-6;
    const sections = await ask(fakeModel({ manifest: manifest(raw) }), "run.config", {});
    expect(sections.map((section) => section.title)).toEqual(["Run", "Trainer configuration"]);
    expect(sections[0]?.rows.map((row) => [row.path, row.value])).toEqual([
      ["run_id", "r"],
      ["odd.0", "1"],
    ]);
    expect(sections[1]?.rows.map((row) => [row.parts, row.value, row.type])).toEqual([
      [["a.b", "c"], "false", "boolean"],
      [["n"], "0", "number"],
      [["t"], "", "string"],
      [["o"], "{}", "empty"],
      [["l", "0"], "true", "boolean"],
      [["l", "1"], "null", "null"],
      [["__proto__", "x"], "1", "number"],
      [["big"], "1152921504606846976", "number"],
      [["lr"], "0.000001", "number"],
    ]);
    expect(sections[1]?.rows[0]?.path).toBe("a.b.c");
  });

  it("stays within bounds", async () => {
    const deep = JSON.parse(`${'{"k":'.repeat(200)}1${"}".repeat(200)}`);
    const wide = Object.fromEntries(Array.from({ length: 6000 }, (_, i) => [`k${i}`, i]));
    const long = "x".repeat(1_000_000);
    const raw = { trainer_config: { deep, wide, long } };
    const [section] = await ask(fakeModel({ manifest: manifest(raw) }), "run.config", {});
    expect(section?.rows.length).toBe(5000);
    expect(section?.dropped).toBe(1002);
    expect(Math.max(...(section?.rows.map((row) => row.parts.length) ?? []))).toBeLessThanOrEqual(33);
    expect(section?.rows[0]?.value.length).toBeLessThan(4100);
  });
});

describe("run.records", () => {
  const witness = (attempt: number, hashes: [string | null, string | null]) => ({
    file: `observed.attempt${attempt}.json`,
    attempt,
    fields: { device: "cuda", config: { lr: 1 }, new_key: null },
    config: { lr: 1 },
    statedHash: hashes[0],
    computedHash: hashes[1],
  });
  const row = (seed: number, value: number, horizon: string | number | null = 10) => ({
    benchmark: "gsm8k",
    metric: "acc",
    horizon,
    seed,
    value,
  });

  it("compares hashes and summarises metrics over seeds", async () => {
    const records = {
      witnesses: [witness(1, ["aa", "aa"]), witness(2, ["aa", "bb"]), witness(3, [null, "aa"])],
      metrics: [row(1, 1), row(2, 3), row(1, 5, "10"), row(3, 2, null)],
      manifestConfigHash: "aa",
    };
    const view = await ask(fakeModel({ records }), "run.records", {});
    expect(view.attempts.map(({ hash, manifest: m }) => [hash, m])).toEqual([
      ["match", "match"],
      ["mismatch", "differs"],
      ["unknown", "match"],
    ]);
    expect(view.attempts[0]?.fields).toEqual([
      { key: "device", value: "cuda" },
      { key: "config.lr", value: "1" },
      { key: "new_key", value: "null" },
    ]);
    expect(
      view.metrics.map(({ horizon, n, seeds, mean, min, max }) => [horizon, n, seeds, mean, min, max]),
    ).toEqual([
      ["10", 2, "1, 2", 2, 1, 3],
      ["10", 1, "1", 5, 5, 5],
      ["", 1, "3", 2, 2, 2],
    ]);
    expect(view.metrics[0]?.sd).toBeCloseTo(Math.SQRT2);
    expect(view.metrics[1]?.sd).toBeNaN();
  });

  it("shows the warnings that are about the records", async () => {
    const list = ["observed.attempt1.json", "metrics.json", "events.jsonl"].map((file) => ({
      code: "record-shape" as const,
      file,
      detail: "",
      count: 1,
      level: "warning" as const,
    }));
    const view = await ask(fakeModel({ warningList: list }), "run.records", {});
    expect(view.warnings.map((w) => w.file)).toEqual(["observed.attempt1.json", "metrics.json"]);
  });
});

it("counts samples by rank", async () => {
  expect(await ask(fakeModel(), "run.counts", {})).toMatchObject({
    samples: 5,
    byRank: [
      { rank: 0, samples: 3 },
      { rank: 2, samples: 2 },
    ],
  });
});
