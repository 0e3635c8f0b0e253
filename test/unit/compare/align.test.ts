import { describe, expect, test } from "vitest";
import { align, taker } from "../../../src/core/compare/align.ts";
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

  test("steps of either kind meet those of the other, whichever run has them", () => {
    const big = 2n ** 53n;
    const exact = axis(column([Number(big), Number(big + 1n)], [big, big + 1n]));
    const plain = at(7, 2 ** 53);
    expect(met(exact, plain, "step")).toEqual([[0, 1]]);
    expect(met(plain, exact, "step")).toEqual([[1, 0]]);
  });

  test("a step beyond 2^53 is not the one that it is rounded to, whichever run writes it so", () => {
    const exact = axis(column([2 ** 53], [2n ** 53n + 1n]));
    expect(met(exact, at(2 ** 53), "step")).toEqual([]);
    expect(met(at(2 ** 53), exact, "step")).toEqual([]);
  });

  test("steps that are no whole numbers meet too", () => {
    expect(met(at(0.5, 1.5, 2), at(1.5, 2), "step")).toEqual([
      [1, 0],
      [2, 1],
    ]);
  });

  test("steps beyond 2^53 in any order, of those that repeat the first row", () => {
    const big = 2n ** 53n;
    const of = (...more: bigint[]) =>
      axis(
        column(
          more.map((n) => Number(big + n)),
          more.map((n) => big + n),
        ),
      );
    expect(met(of(3n, 1n, 3n, 2n, 1n), of(1n, 2n, 3n), "step")).toEqual([
      [1, 0],
      [3, 1],
      [0, 2],
    ]);
  });
});

describe("by relative step", () => {
  test("whole numbers of 64 bits count from the first too", () => {
    const exact = axis(column([10, 11, 13], [10n, 11n, 13n]));
    expect(met(exact, at(0, 1, 3), "relative").length).toBe(3);
    expect(met(at(0, 1, 3), exact, "relative").length).toBe(3);
  });

  test("the first is the lowest, whatever its row and whichever run began later", () => {
    expect(met(at(12, 10, 11), at(102, 100), "relative")).toEqual([
      [1, 1],
      [0, 0],
    ]);
    expect(met(at(102, 100), at(12, 10, 11), "relative")).toEqual([
      [1, 1],
      [0, 0],
    ]);
    expect(met(at(), at(5), "relative")).toEqual([]);
    expect(met(at(5), at(), "relative")).toEqual([]);
  });

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

describe("by time, at the limits", () => {
  const clocked = (...times: number[]) => axis(column(times.map((_, i) => i)), times);
  const byTime = (a: readonly number[], b: readonly number[]) => met(clocked(...a), clocked(...b), "time");

  test("half of the usual distance is near enough, more is not", () => {
    expect(byTime([0, 10, 20, 30], [0, 10, 20, 35])).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
    expect(byTime([0, 10, 20, 30], [0, 10, 20, 35.5]).length).toBe(3);
    expect(byTime([0, 10, 20, 35], [0, 10, 20, 30]).length).toBe(4);
    expect(byTime([0, 10, 20, 35.5], [0, 10, 20, 30]).length).toBe(3);
  });

  test("the usual distance is the wider of both, and the one in the middle", () => {
    expect(byTime([0, 10, 20, 42, 52, 62], [0, 30, 60])).toEqual([
      [0, 0],
      [2, 1],
      [5, 2],
    ]);
    expect(byTime([0, 30, 60], [0, 10, 20, 42, 52, 62])).toEqual([
      [0, 0],
      [1, 2],
      [2, 5],
    ]);
    // Distances of 10, 30, 21: 21 is in the middle, and 11 more than its half.
    expect(byTime([0, 10, 40, 50], [0, 10, 40, 61])).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
    ]);
  });

  test("of two rows that are equally near the earlier is taken", () => {
    expect(byTime([0, 5, 15], [0, 10])).toEqual([
      [0, 0],
      [1, 1],
    ]);
    expect(byTime([0, 15], [0, 10, 20])).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });

  test("rows of one second, on a clock of whole seconds, meet one by one", () => {
    const clock = [0, 0, 1, 1, 1, 2];
    expect(byTime(clock, clock)).toEqual(clock.map((_, row) => [row, row]));
    // What is nearer lies behind several that are equally far.
    expect(byTime([0, 20], [0, 10, 10, 10, 20])).toEqual([
      [0, 0],
      [1, 4],
    ]);
    expect(byTime([0, 0, 0, 10], [0, 10, 10])).toEqual([
      [0, 0],
      [3, 1],
    ]);
  });

  test("time stamps in any order; one alone, and those that are no numbers, place nothing", () => {
    expect(byTime([120, 100, 110], [5, 25, 15])).toEqual([
      [1, 0],
      [2, 2],
      [0, 1],
    ]);
    expect(byTime([0, Number.POSITIVE_INFINITY, 10], [0, 10])).toEqual([
      [0, 0],
      [2, 1],
    ]);
    expect(byTime([0, Number.POSITIVE_INFINITY, 10], [0, 10, 90])).toEqual([
      [0, 0],
      [2, 1],
    ]);
    // What lies under a cell that was not written is no time.
    const hollow = { ...column([0, 10, 20]), valid: Uint8Array.of(1, 0, 1) };
    expect(met({ ...clocked(0, 10, 20), timestamp: hollow }, clocked(0, 10, 20), "time")).toEqual([
      [0, 0],
      [2, 2],
    ]);
    expect(byTime([0], [0])).toEqual([]);
    expect(byTime([0, 10], [0])).toEqual([]);
    expect(byTime([0], [0, 10])).toEqual([]);
    expect(byTime([0, 10], [0, 10]).length).toBe(2);
  });
});

describe("values of rows that meet", () => {
  const values = Float64Array.of(0, 10, 20, 30, 40);
  const take = (...rows: number[]) => taker(Int32Array.from(rows))(values);

  test("are those of the rows, in their order", () => {
    expect([...take(1, 2, 3)]).toEqual([10, 20, 30]);
    expect([...take(1, 2, 4)]).toEqual([10, 20, 40]);
    expect([...take(0, 2)]).toEqual([0, 20]);
    expect([...take(3, 1)]).toEqual([30, 10]);
    expect([...take()]).toEqual([]);
    expect([...take(4)]).toEqual([40]);
  });

  test("of rows that follow one another nothing is copied", () => {
    expect(take(1, 2, 3).buffer).toBe(values.buffer);
    expect(take(1, 3).buffer).not.toBe(values.buffer);
  });
});
