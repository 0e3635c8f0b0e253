import { describe, expect, test } from "vitest";
import { align } from "../../../src/core/compare/align.ts";
import type { Alignment } from "../../../src/core/compare/types.ts";
import type { Column, StepAxis } from "../../../src/core/run/model.ts";
import { column } from "../view/model.ts";

const axis = (step: Column, times: readonly (number | null)[] | null = null): StepAxis => ({
  rows: step.values.length,
  step,
  timestamp: times && column(times),
  sorted: false,
});
const at = (...steps: number[]) => axis(column(steps));
const met = (a: StepAxis, b: StepAxis, how: Alignment): number[][] => {
  const { a: x, b: y } = align(a, b, how);
  return [...x].map((row, i) => [row, y[i] as number]);
};

describe("by step", () => {
  test("rows meet where both have the step, in the order of the steps", () => {
    expect(met(at(3, 1, 2), at(2, 9, 3), "step")).toEqual([
      [2, 0],
      [0, 2],
    ]);
    expect(met(at(), at(1), "step")).toEqual([]);
    expect(met(at(1, 2), at(3, 4), "step")).toEqual([]);
  });

  test("of a step that repeats the first row counts", () => {
    expect(met(at(1, 2, 2, 3, 1), at(1, 2, 3, 3), "step")).toEqual([
      [0, 0],
      [1, 1],
      [3, 2],
    ]);
  });

  test("where both repeat a step, the first of each meet, and once", () => {
    expect(met(at(1, 1, 2, 2), at(1, 1, 2, 2), "step")).toEqual([
      [0, 0],
      [2, 2],
    ]);
  });

  test("steps beyond 2^53 are told apart", () => {
    const big = 2n ** 53n;
    const a = axis(column([Number(big), Number(big + 1n)], [big, big + 1n]));
    const b = axis(column([Number(big + 1n), Number(big + 2n)], [big + 1n, big + 2n]));
    expect(met(a, b, "step")).toEqual([[1, 0]]);
    expect(met(a, at(5), "step")).toEqual([]);
  });
});

describe("by relative step", () => {
  test("steps count from each run's first", () => {
    expect(met(at(1000, 1001, 1002), at(0, 2, 3), "relative")).toEqual([
      [0, 0],
      [2, 1],
    ]);
  });

  test("with every other step logged in one of them, those meet", () => {
    expect(met(at(10, 11, 12, 13, 14), at(0, 2, 4), "relative").length).toBe(3);
  });
});

describe("by time", () => {
  test("rows meet with the nearest in time since the start, each once at most", () => {
    const a = axis(column([0, 1, 2, 3]), [100, 110, 120, 130]);
    const b = axis(column([7, 8, 9]), [5000, 5012, 5021]);
    expect(met(a, b, "time")).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
    ]);
  });

  test("rows that are farther than half of the usual distance do not meet", () => {
    const a = axis(column([0, 1, 2]), [0, 10, 20]);
    const b = axis(column([0, 1, 2]), [0, 10, 100]);
    expect(met(a, b, "time")).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });

  test("a nearer row of A is not kept from its partner by an earlier one", () => {
    const a = axis(column([0, 1, 2, 3]), [0, 6, 9, 20]);
    const b = axis(column([0, 1, 2]), [0, 10, 20]);
    expect(met(a, b, "time")).toEqual([
      [0, 0],
      [2, 1],
      [3, 2],
    ]);
  });

  test("without time stamps nothing meets; rows without one have no place", () => {
    expect(met(at(1, 2), at(1, 2), "time")).toEqual([]);
    const a = axis(column([0, 1, 2]), [0, null, 20]);
    const b = axis(column([0, 1, 2]), [0, 10, 20]);
    expect(met(a, b, "time")).toEqual([
      [0, 0],
      [2, 2],
    ]);
  });
});
