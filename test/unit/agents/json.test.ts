import { describe, expect, test } from "vitest";
import { brief, compactJson, figures, rounded, stepJson } from "../../../src/agents/json.ts";

describe("compact JSON", () => {
  test("is what JSON.parse gives back, integers with all their digits", () => {
    const value = { a: [1, "x", null, true], b: { c: 2 ** 53, d: undefined }, e: 12345678901234567890n };
    expect(compactJson(value)).toBe(
      '{"a":[1,"x",null,true],"b":{"c":9007199254740992},"e":12345678901234567890}',
    );
  });

  test("hides nothing: what does not show is escaped, and read again it is the same", () => {
    const odd = "a\u202eb\u200bc\u{e0041}\ud800\u0000\u2028\ufe0f\u3164é漢\n";
    const text = compactJson(odd);
    expect(text).toBe('"a\\u202eb\\u200bc\\udb40\\udc41\\ud800\\u0000\\u2028\\ufe0f\\u3164é漢\\n"');
    expect(JSON.parse(text)).toBe(odd);
  });
});

test("figures: what was not recorded is left out, what is not finite is null and said", () => {
  expect(figures({ a: 1.5, b: null, c: Number.NaN, d: undefined, e: -Infinity })).toEqual({
    a: 1.5,
    c: null,
    e: null,
    not_finite: { c: "NaN", e: "-Infinity" },
  });
  expect(figures({ a: 0 })).toEqual({ a: 0 });
});

test("brief: the beginning that takes so many characters once it is escaped", () => {
  expect(brief("hello", 10)).toBe("hello");
  expect(brief("hello", 4)).toBe("hell");
  const tags = "\u{e0041}".repeat(100);
  expect(compactJson(brief(tags, 50)).length).toBeLessThanOrEqual(52);
  expect(brief("😀😀", 3)).toBe("😀");
});

test("a step has all its digits", () => {
  const read = ["", "12", "-3", "9007199254740993", "0.5", "x"].map(stepJson);
  expect(read).toEqual([null, 12, -3, 9007199254740993n, 0.5, null]);
});

test("a curve has seven digits", () => expect(rounded(0.123456789)).toBe(0.1234568));
