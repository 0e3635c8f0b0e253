import { describe, expect, test } from "vitest";
import { strictJson } from "../../../src/cli/json.ts";
import { figure, lines, oneLine, shorten, styleFor, table, width } from "../../../src/cli/terminal.ts";

const HOSTILE =
  "\u001b[31mred\u001b]8;;http://x\u0007l \u009b2J \u202etxt.exe\u202c a\u200bb \ud800 \u2028 \u{e0041} \0";

test("nothing that a terminal would obey gets through", () => {
  for (const safe of [
    oneLine(HOSTILE),
    lines(HOSTILE),
    strictJson(HOSTILE),
    strictJson({ [HOSTILE]: 1 }).replaceAll("\n", ""),
  ]) {
    expect(safe).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  }
  expect(oneLine("\u001b[31m")).toBe("\\u001b[31m");
  expect(oneLine("a\nb\tc\rd")).toBe("a\\nb\\tc\\rd");
  expect(lines("a\r\nb\n\tc\rd")).toBe("a\nb\n\tc\\rd");
});

test("what misleads nobody stays as it is", () => {
  for (const text of ["é 漢字 ⚠", "👩‍🚀", "क्‍ष", "<script>&amp;"]) expect(oneLine(text)).toBe(text);
});

test("widths and cuts count columns", () => {
  expect([width("abc"), width("漢字"), width("e\u0301"), width("🐈")]).toEqual([3, 4, 1, 2]);
  expect([shorten("abcdef", 6), shorten("abcdef", 4), shorten("漢字漢字", 5)]).toEqual([
    "abcdef",
    "abc…",
    "漢字…",
  ]);
});

test("tables line up", () => {
  const text = table(
    [{ title: "name" }, { title: "n", align: "right" }],
    [
      ["漢", "1"],
      ["long name", "100"],
    ],
    styleFor(false),
  );
  expect(text.split("\n")).toEqual(["name         n", "漢           1", "long name  100"]);
});

test("colour only where it is wanted", () => {
  expect(styleFor(false).red("x")).toBe("x");
  expect(styleFor(true).red("x")).toBe("\u001b[31mx\u001b[39m");
});

test("figures have four digits", () => {
  const shown = [
    0.123456,
    1234.5678,
    12345678.9,
    1e-7,
    0,
    42,
    Number.NaN,
    Number.NEGATIVE_INFINITY,
    null,
    2n ** 63n,
  ].map(figure);
  expect(shown).toEqual([
    "0.1235",
    "1235",
    "1.235e+7",
    "1e-7",
    "0",
    "42",
    "NaN",
    "-Infinity",
    "-",
    "9223372036854775808",
  ]);
});

describe("JSON is strict", () => {
  test("numbers that are not finite are null, integers stay exact", () => {
    const text = strictJson({
      a: Number.NaN,
      b: [Number.POSITIVE_INFINITY, -0.5],
      c: 2n ** 64n,
      d: undefined,
      e: {},
      f: [],
    });
    expect(text).toContain('"c": 18446744073709551616');
    expect(JSON.parse(text)).toEqual({ a: null, b: [null, -0.5], c: 2 ** 64, e: {}, f: [] });
  });

  test("any text comes back as it was", () => {
    for (const text of [HOSTILE, "\\u001b", '"quoted"', "\u{e0041}"]) {
      const well = text.replace(/\ud800/g, "");
      expect(JSON.parse(strictJson(well))).toBe(well);
    }
  });

  test("keys of Object.prototype are keys", () => {
    const value = Object.fromEntries([["__proto__", 1]]);
    expect(strictJson(value)).toBe('{\n  "__proto__": 1\n}');
  });
});
