import { describe, expect, test } from "vitest";
import { said } from "../../../src/cli/record-input.ts";
import { BadRecord } from "../../../src/core/recorder/bad.ts";

const reason = (line: string): string => {
  try {
    said(line);
  } catch (error) {
    if (error instanceof BadRecord) return error.message;
    throw error;
  }
  return "";
};

describe("a step", () => {
  test("is its number and everything else as metrics", () => {
    expect(said('{"type":"step","step":12,"reward_mean":0.5,"my metric":1e-6}')).toEqual({
      type: "step",
      step: 12,
      metrics: { reward_mean: 0.5, "my metric": 1e-6 },
      options: {},
    });
  });

  test("takes numbers as Python writes them", () => {
    const { metrics } = said('{"type":"step","step":0,"loss":NaN,"kl_max":Infinity,"x":-Infinity}') as {
      metrics: unknown;
    };
    expect(metrics).toEqual({
      loss: Number.NaN,
      kl_max: Number.POSITIVE_INFINITY,
      x: Number.NEGATIVE_INFINITY,
    });
  });

  test("may say when it was, and what it is beyond 2^53", () => {
    const line = '{"type":"step","step":9007199254740993,"timestamp":1700000000.5,"a":1}';
    expect(said(line)).toMatchObject({ step: 9007199254740993n, options: { timestamp: 1700000000.5 } });
    expect(said('{"type":"step","step":1,"timestamp":null}')).toMatchObject({ options: {} });
  });

  test("can have metrics of any name", () => {
    const what = said('{"type":"step","step":1,"__proto__":1,"constructor":2,"toString":3}') as {
      metrics: object;
    };
    expect(Object.entries(what.metrics)).toEqual([
      ["__proto__", 1],
      ["constructor", 2],
      ["toString", 3],
    ]);
    expect(Object.getPrototypeOf(what.metrics)).toBe(null);
  });

  test.each([
    ["", '{"type":"step"}', /step is missing/],
    ["", '{"type":"step","step":1.5}', /step/],
    ["", '{"type":"step","step":"first"}', /step/],
    ["", '{"type":"step","step":1,"reward_mean":"high"}', /reward_mean/],
    ["", '{"type":"step","step":1,"reward_mean":[1]}', /reward_mean/],
    ["", '{"type":"step","step":1,"kl_positional":3}', /kl_positional/],
    ["", '{"type":"step","step":1,"reward_components":{"a":"secret"}}', /reward_components\.a/],
  ])("%sthat cannot be: %s", (_, line, why) => {
    expect(reason(line)).toMatch(why);
    expect(reason(line)).not.toContain("secret");
  });
});

describe("samples", () => {
  test("are chosen from unless they say otherwise; a bad one leaves the others alone", () => {
    const good = { sample_id: "a", completion_text: "x", reward_total: 1 };
    const line = (more: object) =>
      JSON.stringify({ type: "samples", step: 3, samples: [good, { reward_total: [] }, 7, {}], ...more });
    expect(said(line({}))).toEqual({
      type: "samples",
      step: 3,
      samples: [good, {}],
      select: true,
      bad: [expect.stringMatching(/^sample 2: reward_total/), expect.stringMatching(/^sample 3: /)],
    });
    expect(said(line({ select: false }))).toMatchObject({ select: false });
    expect(reason(line({ select: "no" }))).toMatch(/select/);
    expect(reason('{"type":"samples","step":3}')).toBe("samples is no list");
    expect(reason('{"type":"samples","samples":[]}')).toBe("step is missing");
  });
});

describe("an event", () => {
  test("has a kind and what else there is", () => {
    expect(
      said('{"type":"event","kind":"checkpoint","step":5,"message":"m","data":{"a":1},"where":"here"}'),
    ).toEqual({
      type: "event",
      kind: "checkpoint",
      options: { step: 5, message: "m", data: { a: 1, where: "here" } },
    });
    expect(said('{"type":"event","kind":"x","step":null,"message":null,"data":null}')).toEqual({
      type: "event",
      kind: "x",
      options: { step: null },
    });
    expect(said('{"type":"event","kind":"x","timestamp":5}')).toMatchObject({ options: { timestamp: 5 } });
  });

  test.each([
    ['{"type":"event"}', /kind/],
    ['{"type":"event","kind":3}', /kind/],
    ['{"type":"event","kind":"x","step":"y"}', /step/],
    ['{"type":"event","kind":"x","message":1}', /message/],
    ['{"type":"event","kind":"x","data":[1]}', /data/],
    ['{"type":"event","kind":"x","timestamp":"now"}', /timestamp/],
  ])("that cannot be: %s", (line, why) => {
    expect(reason(line)).toMatch(why);
  });
});

describe("what describes the run", () => {
  test("becomes what a recorder is told; what the format does not name goes into extra", () => {
    const line = JSON.stringify({
      type: "run",
      schema_version: 1,
      run_id: "r1",
      created_at: "2026-01-02T03:04:05+00:00",
      algorithm: "grpo",
      model_name: null,
      world_size: 4,
      notes: "n",
      trainer_config: { lr: 1e-6 },
      environment: { python: "3.11" },
      extra: { a: 1 },
      cluster: "east",
    });
    expect(said(line)).toEqual({
      type: "run",
      options: {
        runId: "r1",
        createdAt: "2026-01-02T03:04:05+00:00",
        algorithm: "grpo",
        worldSize: 4,
        notes: "n",
        trainerConfig: { lr: 1e-6 },
        environment: { python: "3.11" },
        extra: { cluster: "east", a: 1 },
      },
      bad: [],
    });
  });

  test("keeps its good fields when others are bad", () => {
    const what = said(
      '{"type":"run","run_id":"r","world_size":0,"created_at":"yesterday","trainer_config":[],"schema_version":2,"algorithm":7}',
    );
    expect(what).toMatchObject({ options: { runId: "r" } });
    expect((what as unknown as { bad: string[] }).bad.map((b) => b.split(" ")[0]).sort()).toEqual(
      ["algorithm", "created_at", "schema_version", "trainer_config", "world_size"].sort(),
    );
  });
});

describe("a line that says nothing", () => {
  test.each([
    ["Loading weights… 100%", "it is no JSON (character 1)"],
    ['{"type":"step","step":1', "it is no JSON: it ends too early"],
    ['{"type":"step"} {"type":"step"}', "it is no JSON (character 17)"],
    ["[1,2]", "it is a list, not an object"],
    ["17", "it is a number, not an object"],
    ["{}", "it has no type"],
    ['{"type":"steps"}', "its type is none of run, step, samples and event"],
  ])("%s", (line, why) => {
    expect(reason(line)).toBe(why);
  });
});
