/** Time stamps: their unit, what no calendar holds, and the step back that another run leaves. */
import { describe, expect, it } from "vitest";
import { firstOfOlderRun, toUnixSeconds } from "../../../src/core/reader/times.ts";
import { WarningList } from "../../../src/core/reader/warnings.ts";
import type { Column } from "../../../src/core/run/model.ts";

const [N, INF] = [Number.NaN, Number.POSITIVE_INFINITY];
const column = (values: readonly number[]): Column => ({
  values: Float64Array.from(values),
  valid: null,
  exact: null,
});

function seconds(values: readonly number[]) {
  const list = new WarningList();
  const given = column(values);
  const taken = toUnixSeconds(given, "f", list.warn);
  return {
    isSame: taken === given,
    values: [...taken.values],
    valid: taken.valid && [...taken.valid],
    said: list.list().map(({ code, column: name, count }) => [code, name, count].join(" ")),
  };
}

describe("times in seconds", () => {
  it("are handed on as they are, holes and infinities too", () => {
    for (const values of [[1.7e9, 1.7e9 + 1], [], [N, 1.7e9, INF], [-5, 0], [8.64e12, ...[0, 0, 0]]])
      expect(seconds(values), String(values)).toMatchObject({ isSame: true, said: [] });
  });

  it("are told from finer units by what most of them are", () => {
    const inUnit = (t: number) => seconds([0, t, t, t, N, INF]).said;
    expect(inUnit(1e11 - 1)).toEqual([]);
    for (const t of [1e11, 1e14 - 1, 1e14, 1e17 - 1e3, 1e17, 1e20 - 1e5])
      expect(inUnit(t), String(t)).toEqual(["timestamp-units timestamp 1"]);
    expect(seconds([1.7e12, 1.7e12 + 500]).values).toEqual([1.7e9, 1.7e9 + 0.5]);
    expect(seconds([1.7e15, -1.7e15, N])).toEqual({
      ...{ isSame: false, values: [1.7e9, -1.7e9, N], valid: [1, 1, 0] },
      said: ["timestamp-units timestamp 1"],
    });
    expect(seconds([1.7e18]).values).toEqual([1.7e9]);
    // Numbers, not words, are put in order to find the one in the middle.
    expect(seconds([9, 10, 1.7e12]).said).toEqual([]);
    expect(seconds([1e12, 9e9, 2e12, 1e10, 3e12]).said).toEqual(["timestamp-units timestamp 1"]);
  });

  it("are told in a long run, too, whose beginning is of no clock", () => {
    const long = Array.from({ length: 5000 }, (_, i) => (i < 500 ? 0 : 1.7e12 + i));
    expect(seconds(long).values.at(-1)).toBe(1.7e9 + 4.999);
  });

  it("are missing where no calendar holds them, and counted", () => {
    expect(seconds([1.7e9, 8.64e12, 8.65e12, -8.65e12, INF, N, 1, 2, 3])).toEqual({
      isSame: false,
      values: [1.7e9, 8.64e12, N, N, N, N, 1, 2, 3],
      valid: [1, 1, 0, 0, 0, 0, 1, 1, 1],
      said: ["timestamp-range timestamp 2"],
    });
    const milliseconds = seconds([1.7e12, 1.7e12, 1.7e12, 8.64e15, 8.65e15]);
    expect(milliseconds.values).toEqual([1.7e9, 1.7e9, 1.7e9, 8.64e12, N]);
    expect(milliseconds.said).toEqual(["timestamp-units timestamp 1", "timestamp-range timestamp 1"]);
    // Beyond every unit they are seconds that nothing holds.
    expect(seconds([1e20, 1e21]).said).toEqual(["timestamp-range timestamp 2"]);
  });
});

describe("the rows of an older run", () => {
  const from = (...values: number[]): number => firstOfOlderRun(column(values));

  it("begin where all times from there on lie before all above, by more than a clock wavers", () => {
    expect(from(100, 101, 50, 51)).toBe(2);
    expect(from(100, 101, 102, 50, 51, 52)).toBe(3);
    expect(from(100, 101, 99, 98.5)).toBe(-1);
    expect(from(100, 101, 98.9, 98.9)).toBe(2);
    expect(from(100, 101, 99, 99)).toBe(-1);
    expect(from(100, 101, 50, 102)).toBe(-1);
    expect(from(100, 101, 102, 103)).toBe(-1);
    expect(from()).toBe(-1);
  });

  it("are more than the last row, and stand behind two at least", () => {
    expect(from(100, 101, 102, 50)).toBe(-1);
    expect(from(100, 50, 51)).toBe(-1);
    expect(from(100, 50, 20, 10)).toBe(2);
    expect(from(100, 101, 50, 50)).toBe(2);
  });

  it("are found past holes and infinities, which are no times", () => {
    expect(from(100, N, 101, N, 50, 51)).toBe(3);
    expect(from(100, 101, INF, 102, 103)).toBe(-1);
    expect(from(100, 101, INF, 50, 51)).toBe(2);
    expect(from(N, N, N, 50)).toBe(-1);
    expect(from(INF, INF, 50, 40)).toBe(-1);
    expect(from(100, 101, -INF, -INF)).toBe(-1);
    expect(from(N, N, 100, 50, 40)).toBe(3);
  });
});
