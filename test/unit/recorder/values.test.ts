import { describe, expect, it, test } from "vitest";
import { jsonText } from "../../../src/core/recorder/json-write.ts";
import { type SampleContext, sampleRow, stepRow } from "../../../src/core/recorder/rows.ts";
import type { Row } from "../../../src/core/recorder/table.ts";

const step = (metrics: unknown, more: object = {}): Row =>
  stepRow({ step: 3, metrics, timestamp: null, now: 1000, rank: 0, ...more });

const sample = (given: unknown, more: Partial<SampleContext> = {}): Row =>
  sampleRow(given, { step: 3, rank: 0, index: 7, ...more });

describe("metrics of a step", () => {
  it("become the columns of the format, and others extra columns behind reward components", () => {
    const { named, open } = step({
      "loss/a b": 2,
      reward_mean: 0.5,
      nan_count: 3,
      kl_positional: [1, 2],
      reward_components: { "a.b": 1 },
      extra: { other: 4 },
    });
    expect([...named]).toEqual([
      ["step", 3n],
      ["timestamp", 1000],
      ["rank", 0n],
      ["reward_mean", 0.5],
      ["nan_count", 3n],
      ["kl_positional", [1, 2]],
    ]);
    expect([...open]).toEqual([
      ["reward_component.a.b", 1],
      ["extra.loss/a b", 2],
      ["extra.other", 4],
    ]);
  });

  const taken: [what: string, value: unknown, written: number][] = [
    ["NaN", Number.NaN, Number.NaN],
    ["Infinity", Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    ["a BigInt", 2n ** 60n, 2 ** 60],
    ["true", true, 1],
    ["a number as text", " 1.5e-3 ", 0.0015],
    ["NaN as text", "NaN", Number.NaN],
    ["minus infinity as text", "-inf", Number.NEGATIVE_INFINITY],
  ];
  test.each(taken)("%s is a number", (_what, value, written) => {
    expect(step({ reward_mean: value }).named.get("reward_mean")).toBe(written);
    expect(step({ mine: value }).open.get("extra.mine")).toBe(written);
  });

  test.each([null, undefined])("%s is no measurement", (value) => {
    const { named, open } = step({ reward_mean: value, mine: value, reward_components: { a: value } });
    expect(named.has("reward_mean")).toBe(false);
    expect(open.size).toBe(0);
  });

  const refused: [what: string, metrics: unknown, reason: string][] = [
    ["text", { reward_mean: "high" }, "reward_mean is text, not a number"],
    ["an object", { mine: {} }, "mine is an object, not a number"],
    ["a list", { mine: [1] }, "mine is a list, not a number"],
    ["a date", { reward_mean: new Date(0) }, "reward_mean is an object, not a number"],
    ["a number that is no list", { kl_positional: 1 }, "kl_positional is a number, not a list"],
    ["a fraction of a count", { nan_count: 0.5 }, "nan_count is a fraction, not a whole number"],
    ["a count beyond 64 bits", { nan_count: 2n ** 63n }, "nan_count is beyond 64 bits"],
    ["a BigInt beyond doubles", { mine: 10n ** 400n }, "mine is too large"],
    ["a component that is text", { reward_components: { fmt: "x" } }, "reward_components.fmt is text"],
    ["no object at all", 5, "metrics is a number, not an object"],
    ["a name of thousands of characters", { ["n".repeat(5000)]: 1 }, "a name is longer than 4096"],
  ];
  test.each(refused)("%s drops the step", (_what, metrics, reason) => {
    expect(() => step(metrics)).toThrow(reason);
  });

  const steps: [given: unknown, written: bigint | string][] = [
    [5, 5n],
    ["12", 12n],
    [2n ** 63n - 1n, 2n ** 63n - 1n],
    [2 ** 60, 2n ** 60n],
    [2n ** 63n, "step is beyond 64 bits"],
    [1.5, "step is a fraction"],
    [Number.NaN, "step is not finite"],
    [null, "step is missing"],
  ];
  test.each(steps)("step %#", (given, written) => {
    const row = () => stepRow({ step: given, metrics: {}, timestamp: null, now: 0, rank: 0 });
    if (typeof written === "string") expect(row).toThrow(written);
    else expect(row().named.get("step")).toBe(written);
  });

  it("take names that plain objects do not survive", () => {
    const metrics = JSON.parse('{"__proto__": 1, "constructor": 2, "toString": 3}') as object;
    expect([...step(metrics).open.keys()]).toEqual([
      "extra.__proto__",
      "extra.constructor",
      "extra.toString",
    ]);
  });

  it("take a time of their own, from the call or among the metrics", () => {
    expect(step({ timestamp: 5 }).named.get("timestamp")).toBe(5);
    expect(step({ timestamp: 5 }, { timestamp: 7 }).named.get("timestamp")).toBe(7);
  });

  it("take half a character of a name as U+FFFD: a file with anything else cannot be read", () => {
    expect([...step({ "a\ud800": 1 }).open.keys()]).toEqual(["extra.a\ufffd"]);
  });
});

describe("a sample", () => {
  it("is given step, rank and id, and loses what the format does not know", () => {
    const { named, open } = sample({
      prompt_text: "p",
      group_id: 4,
      completion_token_ids: Int32Array.of(1, 2),
      truncated: false,
      reward_components: { exact: 1 },
      colour: "red",
    });
    expect(Object.fromEntries(named)).toEqual({
      step: 3n,
      rank: 0n,
      sample_id: "3_7",
      prompt_text: "p",
      group_id: "4",
      completion_token_ids: [1n, 2n],
      truncated: false,
    });
    expect([...open]).toEqual([["reward_component.exact", 1]]);
  });

  it("keeps its own step, rank and id", () => {
    const { named } = sample({ step: 9, rank: 2, sample_id: "mine" });
    expect(Object.fromEntries(named)).toEqual({ step: 9n, rank: 2n, sample_id: "mine" });
    expect(sample({ step: 9 }).named.get("sample_id")).toBe("9_7");
  });

  it("keeps text with half a character, which becomes U+FFFD", () => {
    expect(sample({ completion_text: "a\udc00b" }).named.get("completion_text")).toBe("a\ufffdb");
  });

  const refused: [given: unknown, reason: string][] = [
    ["text", "the sample is text, not an object"],
    [null, "the sample is missing, not an object"],
    [{ completion_text: ["a"] }, "completion_text is a list, not text"],
    [{ prompt_text: 5 }, "prompt_text is a number, not text"],
    [{ completion_token_ids: [1.5] }, "completion_token_ids is a fraction"],
    [{ truncated: "no" }, "truncated is text, not a boolean"],
    [{ reward_total: {} }, "reward_total is an object, not a number"],
  ];
  test.each(refused)("%j is none", (given, reason) => {
    expect(() => sample(given)).toThrow(reason);
  });
});

describe("JSON", () => {
  const same: [text: string, value: unknown][] = [
    ['{"a":[1,"x",null,true],"b":{}}', { a: [1, "x", null, true], b: {} }],
    ['{"nan":null,"inf":null,"zero":-0.0}', { nan: Number.NaN, inf: Number.NEGATIVE_INFINITY, zero: -0 }],
    ['{"big":12345678901234567890}', { big: 12345678901234567890n }],
    ['{"list":[null]}', { gone: undefined, list: [undefined] }],
    ['"\ufffd \u2028 \\u0000"', "\ud800 \u2028 \u0000"],
    ['{"__proto__":1}', JSON.parse('{"__proto__": 1}')],
    ['{"a":[1]}', new Map([["a", new Set([1])]])],
    ['"1970-01-01T00:00:00.000Z"', new Date(0)],
    ['{"name":"Error","message":"why"}', new Error("why")],
    ["[1,2]", Float32Array.of(1, 2)],
  ];
  test.each(same)("says %s", (text, value) => {
    expect(jsonText(value)).toBe(text);
  });

  const circle: { self?: unknown } = {};
  circle.self = circle;
  let deep: unknown = 1;
  for (let i = 0; i < 500; i++) deep = [deep];
  const thrower = {
    get a(): number {
      throw new Error("no");
    },
  };
  const odd: [what: string, value: unknown, reason: string, described: string][] = [
    ["a function", { f: () => 1 }, "it holds a function", '{"f":"[function]"}'],
    ["a symbol", [Symbol("s")], "it holds a symbol", '["[symbol]"]'],
    ["itself", circle, "it holds itself", '{"self":"[circular]"}'],
    ["nesting without end", deep, "it is nested deeper than 120", "[too deep]"],
    ["a getter that throws", thrower, "it cannot be read", '{"a":"[unreadable]"}'],
  ];
  test.each(odd)("%s is refused, or described where all else has to be kept", (_w, value, reason, text) => {
    expect(() => jsonText(value)).toThrow(reason);
    expect(jsonText(value, { lenient: true })).toContain(text);
  });

  it("says the same value twice where it is no cycle", () => {
    const shared = { a: 1 };
    expect(jsonText([shared, shared])).toBe('[{"a":1},{"a":1}]');
  });

  it("is laid out as rlprobe lays out a manifest", () => {
    expect(jsonText({ a: { b: [1] }, c: {}, d: [] }, { indent: 2 })).toBe(
      '{\n  "a": {\n    "b": [\n      1\n    ]\n  },\n  "c": {},\n  "d": []\n}',
    );
  });
});
