import { describe, expect, test } from "vitest";
import { configDelta, configRows, ignorer, pathTexts, sameJson } from "../../../src/core/compare/config.ts";
import type { JsonObject, JsonValue } from "../../../src/core/format/json.ts";

const json = (text: string): JsonObject => JSON.parse(text) as JsonObject;

describe("equality of JSON values", () => {
  test.each([
    [1, 1.0, true],
    [1, true, false],
    [0, false, false],
    [0, "", false],
    [null, false, false],
    [Number.NaN, Number.NaN, true],
    [2n ** 60n, 2n ** 60n + 1n, false],
    [2n ** 60n, 2 ** 60, true],
    [3n, 3, true],
    [3n, 3.5, false],
    [3n, "3", false],
    [[1, [2]], [1, [2]], true],
    [[1, 2], [2, 1], false],
    [[1], [1, 2], false],
    [[], {}, false],
  ] as [JsonValue, JsonValue, boolean][])("%s and %s", (a, b, isSame) => {
    expect(sameJson(a, b)).toBe(isSame);
    expect(sameJson(b, a)).toBe(isSame);
  });

  test("the order of keys says nothing, a key more does", () => {
    expect(sameJson({ a: 1, b: { c: [] } }, { b: { c: [] }, a: 1 })).toBe(true);
    expect(sameJson({ a: 1 }, { a: 1, b: null })).toBe(false);
    expect(sameJson({ a: 1, c: 1 }, { a: 1, b: 1 })).toBe(false);
  });
});

describe("top-level keys", () => {
  test("added, removed, changed", () => {
    const delta = configDelta(
      { same: 0, gone: "", other: { a: 1 } },
      { same: 0, other: { a: 2 }, fresh: false },
    );
    expect(delta).toEqual({
      added: { fresh: false },
      removed: { gone: "" },
      changed: { other: [{ a: 1 }, { a: 2 }] },
    });
  });

  test("keys that objects have by nature are keys like any other", () => {
    const a = json('{"__proto__": 1, "constructor": 2}');
    const { added, removed } = configDelta(a, { toString: 3 } as never);
    expect(Object.keys(removed)).toEqual(["__proto__", "constructor"]);
    expect(Object.keys(added)).toEqual(["toString"]);
    expect(configDelta(a, a)).toEqual({ added: {}, removed: {}, changed: {} });
  });
});

describe("nested rows", () => {
  test("every value of every run, those of one parent together", () => {
    const rows = configRows([
      { optimizer: { lr: 1, betas: [0.9, 0.99] }, name: "a" },
      { name: "a", optimizer: { lr: 2, betas: [0.9, 0.95], eps: 0 } },
    ]);
    expect(rows).toEqual([
      { parts: ["optimizer", "lr"], values: [1, 2], differs: true },
      {
        parts: ["optimizer", "betas"],
        values: [
          [0.9, 0.99],
          [0.9, 0.95],
        ],
        differs: true,
      },
      { parts: ["optimizer", "eps"], values: [undefined, 0], differs: true },
      { parts: ["name"], values: ["a", "a"], differs: false },
    ]);
  });

  test("false, 0, empty text, null and empty objects are values; lists of objects are taken apart", () => {
    const rows = configRows([{ a: false, b: 0, c: "", d: null, e: {}, f: [], g: [{ h: 1 }] }]);
    expect(rows.map(({ parts, values }) => [parts.join("."), values[0]])).toEqual([
      ["a", false],
      ["b", 0],
      ["c", ""],
      ["d", null],
      ["e", {}],
      ["f", []],
      ["g.0.h", 1],
    ]);
  });

  test("a value here and an object there are two rows; a run without configuration has none", () => {
    const rows = configRows([{ a: 1 }, { a: { b: 2 } }, null]);
    expect(rows).toEqual([
      { parts: ["a"], values: [1, undefined, undefined], differs: true },
      { parts: ["a", "b"], values: [undefined, 2, undefined], differs: true },
    ]);
  });

  test("three runs differ when one does", () => {
    const [row] = configRows([{ a: 1 }, { a: 1 }, { a: 2 }]);
    expect(row?.differs).toBe(true);
  });

  test("depth is bounded", () => {
    let deep: JsonValue = 1;
    for (let i = 0; i < 500; i++) deep = { a: deep };
    expect(configRows([{ a: deep }])[0]?.parts.length).toBe(32);
  });
});

describe("ignored keys", () => {
  const covers = (pattern: string, part: string, ...path: string[]) => ignorer([pattern])(part, path);

  test("by path, with or without the part, and all below", () => {
    expect(covers("output_dir", "trainer_config", "output_dir")).toBe(true);
    expect(covers("output_dir", "trainer_config", "output_dirs")).toBe(false);
    expect(covers("environment.gpu", "environment", "gpu", "name")).toBe(true);
    expect(covers("environment.gpu", "trainer_config", "gpu")).toBe(false);
    expect(covers("packages.*", "environment", "packages", "torch")).toBe(true);
  });

  test("stars are any text", () => {
    expect(covers("*_dir", "trainer_config", "logging_dir")).toBe(true);
    expect(covers("*_dir", "trainer_config", "logging_dirs")).toBe(false);
    expect(covers("a*b*c", "run", "aXbYbZc")).toBe(true);
    expect(covers("a*b*bc", "run", "abc")).toBe(false);
    expect(covers("*", "run", "anything")).toBe(true);
    expect(covers("  ", "run", "anything")).toBe(false);
  });

  test("what a star stands for may be nothing, and is never used twice", () => {
    const isCovered = (pattern: string, path: string) => covers(pattern, "run", path);
    expect([isCovered("a*b", "ab"), isCovered("ab*b", "ab"), isCovered("a*b*b", "ab")]).toEqual([
      true,
      false,
      false,
    ]);
    expect([isCovered("*ab*ab*", "abab"), isCovered("*ab*ab*", "aab"), isCovered("*ab*ab", "xabab")]).toEqual(
      [...[true, false, true]],
    );
    expect([isCovered("a*", "ba"), isCovered("*a*", "xay"), isCovered("*b*", "xay")]).toEqual([
      false,
      true,
      false,
    ]);
    expect([isCovered(" lr ", "lr"), isCovered("lr", "lrs"), isCovered("lr", "l")]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test("a pattern covers what lies below it, however deep, and nothing beside it; one of several is enough", () => {
    const isCovered = ignorer(["x", "a.b", ""]);
    expect(isCovered("run", ["a", "b", "c", "d"])).toBe(true);
    expect(isCovered("run", ["a", "bc"])).toBe(false);
    expect(isCovered("run", ["a"])).toBe(false);
    expect(isCovered("a", ["b"])).toBe(true);
    expect(isCovered("run", ["y", "x"])).toBe(false);
    expect(ignorer([])("run", ["x"])).toBe(false);
  });

  test("a hostile pattern takes no time", () => {
    expect(covers(`${"a*".repeat(200)}b`, "run", "a".repeat(5000))).toBe(false);
  });

  test("keys that are ignored are in no list of differences", () => {
    expect(configDelta({ a: 1, b: 1 }, { a: 2, c: 1 }, (key) => key !== "b")).toEqual({
      added: {},
      removed: { b: 1 },
      changed: {},
    });
  });
});

test("paths that read alike are told from each other, all others are as they are", () => {
  const rows = configRows([json('{"a.b":1,"a":{"b":2,"c.d":3}}')]);
  expect(pathTexts(rows)).toEqual(['"a.b"', "a.b", "a.c.d"]);
  expect(pathTexts([])).toEqual([]);
});
