import { describe, expect, test } from "vitest";
import { cell, digits, Figures, ratio, spread, table, targetRows, verdict } from "../../bench/report.ts";
import { targets } from "../../bench/targets.ts";

describe("spread", () => {
  test("minimum and median, of an odd and an even number of rounds", () => {
    expect(spread([5, 1, 3])).toEqual({ min: 1, median: 3, n: 3 });
    expect(spread([4, 1, 3, 2])).toEqual({ min: 1, median: 2.5, n: 4 });
  });
  test("rounds without a measurement do not count", () => {
    expect(spread([Number.NaN, 7, 9])).toEqual({ min: 7, median: 8, n: 2 });
    expect(spread([Number.NaN])).toBeNull();
    expect(spread(undefined)).toBeNull();
  });
});

describe("ratio", () => {
  test("of the minima, and the median of what each round says", () => {
    // The second round ran on a busy machine: both sides took ten times as long, and the ratio is still 2.
    expect(ratio([20, 200, 22], [10, 100, 11])).toEqual({ min: 2, median: 2, n: 3 });
    // The quotient of the medians would be 40 / 20.
    expect(ratio([10, 100, 40], [10, 20, 40])?.median).toBe(1);
  });
  test("only rounds in which both were measured are compared", () => {
    expect(ratio([10, Number.NaN, 30], [5, 5, Number.NaN])).toEqual({ min: 2, median: 2, n: 1 });
    expect(ratio([10], undefined)).toBeNull();
    expect(ratio([10, Number.NaN], [Number.NaN, 5])).toBeNull();
  });
});

describe("figures", () => {
  test("a figure that first appears in a later round keeps its place", () => {
    const figures = new Figures();
    figures.add(0, "r", "us", { a: 1 });
    figures.add(2, "r", "us", { a: 3, b: 9 });
    expect(figures.get("r", "us", "a")).toEqual([1, Number.NaN, 3]);
    expect(figures.get("r", "us", "b")).toEqual([Number.NaN, Number.NaN, 9]);
    expect(figures.get("r", "them", "a")).toBeUndefined();
  });
});

describe("printing", () => {
  test("three digits at most, thousands grouped", () => {
    expect([0.1234, 1.26, 12.6, 123.4, 12345].map(digits)).toEqual(["0.12", "1.3", "13", "123", "12,345"]);
    expect(digits(Number.NaN)).toBe("–");
    expect(cell(spread([2, 4]), "x")).toBe("2.0/3.0x");
    expect(cell(null)).toBe("–");
  });
  test("columns line up, a short row stays short", () => {
    expect(table([["what", "cold"], ["open", "1,234"], ["axis"]])).toBe(
      ["what   cold", "----  -----", "open  1,234", "axis"].join("\n"),
    );
  });
});

describe("targets", () => {
  const target = (value: number | null) => ({ what: "t", unit: " ms", must: 10, aim: 5, value });
  test("a value on a mark has reached it", () => {
    expect([5, 5.1, 10, 10.1, null, Number.NaN].map((v) => verdict(target(v)))).toEqual([
      "aim",
      "must",
      "must",
      "missed",
      "not measured",
      "not measured",
    ]);
  });
  test("rows say what was measured and what was wanted", () => {
    expect(targetRows([target(7.25)])[1]).toEqual(["t", "7.3 ms", "10 ms", "5.0 ms", "must"]);
  });
  test("the zstd target is our warm read over the floor of the same run", () => {
    const figures = new Figures();
    figures.add(0, "100000 steps", "flight-deck", { "read charts cpu": 60, "memory charts": 200 });
    figures.add(0, "100000 steps", "floor", { "read charts cpu": 20 });
    const all = targets(figures, [{ name: "dist/extension.cjs", bytes: 400 * 1024, gzip: 1 }]);
    const of = (part: string) => all.find((t) => t.what.includes(part));
    expect(of("zstd floor")?.value).toBe(3);
    expect(of("memory")?.value).toBe(200);
    expect(verdict(of("at its start") ?? target(null))).toBe("missed");
    expect(verdict(of("500 parts of 200") ?? target(0))).toBe("not measured");
  });
});
