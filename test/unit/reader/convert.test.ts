/** Decoded vectors of any type as columns of numbers and of lists, put together from pieces in any order. */
import * as arrow from "apache-arrow";
import { describe, expect, it } from "vitest";
import { ColumnBuilder, ListBuilder } from "../../../src/core/reader/convert.ts";
import { random } from "../random.ts";

const N = Number.NaN;
const vector = (values: readonly unknown[], type: arrow.DataType): arrow.Vector =>
  arrow.vectorFromArray(values as never, type) as arrow.Vector;
const made = (type: arrow.DataType, data: object): arrow.Vector =>
  new arrow.Vector([arrow.makeData({ type, ...data } as never) as arrow.Data]);

function column(...vectors: readonly arrow.Vector[]) {
  const builder = new ColumnBuilder(vectors.reduce((n, v) => n + v.length, 0));
  let row = 0;
  for (const one of vectors) row += builder.append(one, row);
  const { values, valid, exact } = builder.finish();
  return {
    ...{ values: [...values], valid: valid && [...valid], exact: exact && [...exact] },
    ...{ builder, bad: [builder.badCells, builder.firstBadRow, builder.unsafe, builder.coerced] },
  };
}

describe("a column of numbers", () => {
  it("takes each type as the numbers that it holds", () => {
    const cases: [arrow.Vector, number[], unknown[]][] = [
      [vector([1.5, null, N], new arrow.Float64()), [1.5, N, N], [0, -1, 0, false]],
      [vector([1.5, null], new arrow.Float32()), [1.5, N], [0, -1, 0, false]],
      [vector([-1, null, 7], new arrow.Int32()), [-1, N, 7], [0, -1, 0, false]],
      [vector([255, null], new arrow.Uint8()), [255, N], [0, -1, 0, false]],
      [vector([-5n, null, 2n ** 40n], new arrow.Int64()), [-5, N, 2 ** 40], [0, -1, 0, false]],
      [vector([true, null, false], new arrow.Bool()), [1, N, 0], [0, -1, 0, false]],
      [vector([null, null], new arrow.Null()), [N, N], [0, -1, 0, false]],
      [vector(["1", null, " 2e1 ", "", " ", "x"], new arrow.Utf8()), [1, N, 20, N, N, N], [3, 3, 0, true]],
      [vector([new Date(1500), null], new arrow.TimestampMillisecond()), [1.5, N], [0, -1, 0, true]],
      [vector([new arrow.Utf8()], new arrow.Utf8()).slice(1), [], [0, -1, 0, true]],
    ];
    for (const [given, values, bad] of cases) {
      const found = column(given);
      expect(found.values, String(given.type)).toEqual(values);
      expect(found.bad, String(given.type)).toEqual(bad);
      const missing = values.some((v, i) => Number.isNaN(v) && given.get(i) === null);
      expect(found.valid?.includes(0) ?? false, String(given.type)).toBe(missing || (bad[0] as number) > 0);
    }
  });

  it("takes words of a dictionary, times in any unit, and nothing of what is no number", () => {
    const words = vector(
      ["5", null, "x", "5", "7"],
      new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32()),
    );
    expect(column(words)).toMatchObject({
      values: [5, N, N, 5, 7],
      valid: [1, 0, 0, 1, 1],
      bad: [1, 2, 0, true],
    });
    for (const [type, raw] of [
      [new arrow.TimestampSecond(), 3n],
      [new arrow.TimestampMicrosecond(), 3_000_000n],
      [new arrow.TimestampNanosecond(), 3_000_000_000n],
    ] as const)
      expect(column(made(type, { length: 1, data: BigInt64Array.of(raw) })).values).toEqual([3]);
    const odd = made(new arrow.Date_(arrow.DateUnit.DAY), { length: 2, data: Int32Array.of(1, 2) });
    expect(column(odd)).toMatchObject({ values: [N, N], valid: [0, 0], bad: [2, 0, 0, true] });
  });

  it("takes half floats as IEEE 754 has them", () => {
    const bits = [
      0x0000, 0x8000, 0x3c00, 0xc000, 0x3555, 0x7bff, 0x0400, 0x0001, 0x83ff, 0x7c00, 0xfc00, 0x7e00,
    ];
    const halves = made(new arrow.Float16(), { length: bits.length, data: Uint16Array.from(bits) });
    const { values, bad } = column(halves);
    expect(values).toEqual([
      ...[0, -0, 1, -2, 0.333251953125, 65504, 2 ** -14, 2 ** -24, -1023 * 2 ** -24],
      ...[Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, N],
    ]);
    expect(bad).toEqual([1, 11, 0, true]);
  });

  it("takes decimals of any width and scale, negative ones too", () => {
    const decimal = (words: number[], scale: number, bitWidth = 128) =>
      column(
        made(new arrow.Decimal(scale, 38, bitWidth), {
          length: words.length / (bitWidth / 32),
          data: Uint32Array.from(words),
        }),
      ).values;
    const minus = 0xffffffff;
    expect(decimal([150, 0, 0, 0, minus, minus, minus, minus], 2)).toEqual([1.5, -0.01]);
    expect(decimal([0, 1, 0, 0, 0, 0, 0, 0x80000000], 0)).toEqual([2 ** 32, -(2 ** 127)]);
    expect(decimal([7, 0, 0, 0, 0, 0, 0, 0], 1, 256)).toEqual([0.7]);
  });

  it("keeps what a bitmap says of a piece cut out of a larger one", () => {
    const draw = random(23);
    const pick = (n: number): number => Math.floor(draw() * n);
    const kinds: readonly [arrow.DataType, (n: number) => unknown, (n: number) => number][] = [
      [new arrow.Float64(), (n) => n / 2, (n) => n / 2],
      [new arrow.Int32(), (n) => n, (n) => n],
      [new arrow.Int64(), (n) => BigInt(n), (n) => n],
      [new arrow.Bool(), (n) => n % 2 === 1, (n) => n % 2],
      [new arrow.Utf8(), (n) => String(n), (n) => n],
    ];
    for (let round = 0; round < 300; round++) {
      const [type, write, read] = kinds[round % kinds.length] as (typeof kinds)[number];
      const cells = Array.from({ length: 1 + pick(30) }, () => (pick(4) === 0 ? null : pick(100)));
      const from = pick(cells.length);
      const to = from + pick(cells.length - from + 1);
      const whole = vector(
        cells.map((n) => (n === null ? null : write(n))),
        type,
      );
      const found = column(whole.slice(from, to));
      const own = cells.slice(from, to);
      expect(found.values, `${round} ${type}`).toEqual(own.map((n) => (n === null ? N : read(n))));
      expect(found.valid ?? own.map(() => 1), `${round} ${type}`).toEqual(
        own.map((n) => (n === null ? 0 : 1)),
      );
    }
  });

  it("is written in any order, with what is missing between", () => {
    const builder = new ColumnBuilder(6);
    expect(builder.append(vector([5, 6], new arrow.Int32()), 4)).toBe(2);
    const chunked = vector([1], new arrow.Float64()).concat(vector([2], new arrow.Float64()));
    expect(builder.append(chunked, 0)).toBe(2);
    builder.nulls(2, 4);
    builder.nulls(3, 3);
    builder.nulls(5, 4);
    const { values, valid } = builder.finish();
    expect([[...values], [...(valid ?? [])]]).toEqual([
      [1, 2, N, N, 5, 6],
      [1, 1, 0, 0, 1, 1],
    ]);
    expect(new ColumnBuilder(2).finish().valid).toBe(null);
  });

  it("grows, and what was finished stays what it was", () => {
    const builder = new ColumnBuilder(2);
    builder.append(vector([2n ** 60n, null], new arrow.Int64()), 0);
    const before = builder.finish();
    for (const rows of [3, 4, 50]) {
      const from = builder.rows;
      builder.grow(rows);
      expect(builder.rows).toBe(rows);
      builder.append(vector(new Array(rows - from).fill(7n), new arrow.Int64()), from);
    }
    const { values, valid, exact } = builder.finish();
    expect([values.length, values[2], values[49], exact?.[0], exact?.[49]]).toEqual([
      50,
      7,
      7,
      2n ** 60n,
      7n,
    ]);
    expect([...(valid ?? [])]).toEqual([1, 0, ...new Array(48).fill(1)]);
    expect([before.values.length, before.valid, before.exact?.length]).toEqual([2, Uint8Array.of(1, 0), 2]);
    // Values, which of them are there, and integers: room for as many rows or more.
    expect(builder.bytes).toBeGreaterThanOrEqual(50 * (8 + 1 + 8));
    expect(builder.bytes).toBeLessThan(2 * 50 * (8 + 1 + 8));
    expect(new ColumnBuilder(10).bytes).toBe(80);
  });

  it("has as many numbers that are none, and with a fraction, as there are from a row on", () => {
    const { builder } = column(
      vector([N, 1.5, Number.POSITIVE_INFINITY, null, 2, 0.5, Number.NEGATIVE_INFINITY], new arrow.Float64()),
    );
    expect([0, 1, 3, 7].map((row) => builder.nonFinite(row))).toEqual([3, 2, 1, 0]);
    expect([0, 2, 6].map((row) => builder.fractions(row))).toEqual([2, 1, 0]);
    const { builder: whole } = column(vector([1, null], new arrow.Int32()), vector([null], new arrow.Null()));
    expect([whole.nonFinite(0), whole.fractions(0)]).toEqual([0, 0]);
    const { builder: mixed } = column(vector([1], new arrow.Int32()), vector([N], new arrow.Float64()));
    expect(mixed.nonFinite(0)).toBe(1);
  });
});

describe("integers beyond 2^53", () => {
  const big = 2n ** 60n + 1n;
  const int64 = (...values: (bigint | null)[]) => vector(values, new arrow.Int64());
  const uint64 = (...values: (bigint | null)[]) => vector(values, new arrow.Uint64());

  it("are exact, and counted; the others beside them are exact, too", () => {
    expect(column(int64(1n, -big, null, -3n, big))).toMatchObject({
      ...{ exact: [1n, -big, 0n, -3n, big], valid: [1, 1, 0, 1, 1], bad: [0, -1, 2, false] },
      values: [1, -(2 ** 60), N, -3, 2 ** 60],
    });
    expect(column(int64(2n ** 53n - 1n, -(2n ** 53n) + 1n)).exact).toBe(null);
    expect(column(int64(2n ** 53n)).exact).toEqual([2n ** 53n]);
    expect(column(uint64(2n ** 64n - 1n, 5n))).toMatchObject({
      exact: [2n ** 64n - 1n, 5n],
      values: [2 ** 64, 5],
    });
    expect(column(int64(1n, big), uint64(2n ** 64n - 1n)).exact).toEqual([1n, big, 2n ** 64n - 1n]);
    expect(column(uint64(2n ** 64n - 1n), int64(big)).exact).toEqual([2n ** 64n - 1n, big]);
  });

  it("leave rows of other types what they are, whichever came first", () => {
    const others: [arrow.Vector, bigint[]][] = [
      [vector([5, null, -6], new arrow.Int32()), [5n, 0n, -6n]],
      [vector([5, 1.5, N], new arrow.Float64()), [5n, 0n, 0n]],
      [vector(["5", "x", null], new arrow.Utf8()), [5n, 0n, 0n]],
      [vector([null, null], new arrow.Null()), [0n, 0n]],
      [int64(7n, null, 8n), [7n, 0n, 8n]],
    ];
    for (const [other, exact] of others) {
      expect(column(int64(big), other).exact, String(other.type)).toEqual([big, ...exact]);
      expect(column(other, int64(big)).exact, String(other.type)).toEqual([...exact, big]);
      const late = new ColumnBuilder(other.length + 1);
      late.append(other, 1);
      late.append(int64(big), 0);
      expect([...(late.finish().exact ?? [])], String(other.type)).toEqual([big, ...exact]);
    }
  });
});

describe("a column of lists", () => {
  const type = new arrow.List(new arrow.Field("element", new arrow.Float64(), true));
  type Row = readonly (number | null)[] | null;
  const lists = (rows: readonly Row[]) => vector(rows, type);
  const shown = (builder: ListBuilder): Row[] => {
    const { values, offsets, valid } = builder.finish();
    return Array.from({ length: builder.rows }, (_, i) =>
      valid?.[i] === 0 ? null : [...values.subarray(offsets[i], offsets[i + 1])],
    );
  };

  it("is put together from pieces in any order, cut out of larger ones, grown between", () => {
    const draw = random(29);
    const pick = (n: number): number => Math.floor(draw() * n);
    for (let round = 0; round < 300; round++) {
      const rows = 1 + pick(12);
      const limit = 1 + pick(5);
      const pieces: { row: number; own: Row[] }[] = [];
      for (let row = 0; row < rows; ) {
        const own = Array.from(
          { length: 1 + pick(rows - row) },
          (): Row =>
            pick(5) === 0
              ? null
              : Array.from({ length: pick(6) }, () =>
                  pick(round % 3 === 0 ? 5 : 99) === 0 ? null : pick(99),
                ),
        );
        pieces.push({ row, own });
        row += own.length;
      }
      const isGrowing = pick(2) === 0;
      if (!isGrowing && pick(2) === 0) pieces.reverse();
      const builder = new ListBuilder(isGrowing ? 0 : rows, limit);
      let [cut, nullElements] = [0, 0];
      for (const { row, own } of pieces) {
        if (isGrowing) builder.grow(row + own.length);
        const before = pick(3);
        const around = lists([...Array.from({ length: before }, (): Row => [1, 2]), ...own, [3]]);
        if (own.every((one) => one === null) && pick(2) === 0) builder.nulls(row, row + own.length);
        else expect(builder.append(around.slice(before, before + own.length), row)).toBe(own.length);
        for (const one of own) {
          if ((one?.length ?? 0) > limit) cut++;
          nullElements += one?.slice(0, limit).filter((n) => n === null).length ?? 0;
        }
      }
      const expected = pieces
        .toSorted((a, b) => a.row - b.row)
        .flatMap(({ own }) =>
          own.map((one) => (one === null ? null : one.slice(0, limit).map((n) => n ?? N))),
        );
      expect(shown(builder), `round ${round}`).toEqual(expected);
      expect([builder.cut, builder.nullElements], `round ${round}`).toEqual([cut, nullElements]);
    }
  });

  it("has room for as many values as come, and keeps what was finished", () => {
    const builder = new ListBuilder(1, 5000);
    builder.append(lists([Array.from({ length: 1000 }, (_, i) => i)]), 0);
    const before = builder.finish();
    for (const [row, length] of [24, 1, 5000, 3].entries()) {
      builder.grow(row + 2);
      builder.append(lists([Array.from({ length }, () => row)]), row + 1);
    }
    expect(shown(builder).map((row) => row?.length)).toEqual([1000, 24, 1, 5000, 3]);
    expect(
      shown(builder)
        .slice(1)
        .map((row) => row?.at(-1)),
    ).toEqual([0, 1, 2, 3]);
    expect([before.values.length, before.values[999], before.offsets.length]).toEqual([1000, 999, 2]);
  });

  it("says where the first null element is", () => {
    const builder = new ListBuilder(3, 9);
    builder.append(lists([[1], [null, null], [null]]), 0);
    expect([builder.nullElements, builder.firstNullRow]).toEqual([3, 1]);
    const first = new ListBuilder(2, 9);
    first.append(lists([[null], [null]]), 0);
    expect(first.firstNullRow).toBe(0);
  });
});
