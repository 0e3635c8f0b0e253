import { describe, expect, it } from "vitest";
import {
  fullDomain,
  nearestPlace,
  type Placed,
  pixelColumns,
  placesIn,
  type SortedX,
  sortX,
} from "../../../src/core/chart/grid.ts";
import { heatmap, type Lists } from "../../../src/core/chart/heatmap.ts";
import { randomRows, seeded } from "./rows.ts";

describe("sortX", () => {
  it("keeps the order of rows with one x, whether time goes back never, now and then, or all the time", () => {
    const random = seeded(11);
    for (let round = 0; round < 300; round++) {
      const rows = 1 + Math.floor(random() * 300);
      const stretches = 1 + Math.floor(random() * (round % 2 === 0 ? 8 : 120));
      const x = Float64Array.from({ length: rows }, (_, i) =>
        random() < 0.02 ? Number.NaN : Math.floor((i % Math.ceil(rows / stretches)) / 2 + random()),
      );
      const wanted = [...x.keys()].filter((row) => Number.isFinite(x[row]));
      wanted.sort((a, b) => (x[a] ?? 0) - (x[b] ?? 0) || a - b);
      const sorted = sortX(x, null);
      expect([...(sorted.rows ?? x.keys())]).toEqual(wanted);
      expect([...sorted.x]).toEqual(wanted.map((row) => x[row]));
    }
  });

  it("uses rows as they lie when they are in order, and never changes its input", () => {
    const x = Float64Array.of(1, 2, 2, 5);
    expect(sortX(x, null)).toEqual({ x, rows: null });
    const mixed = Float64Array.of(3, 1, Number.NaN, 2, 1);
    const sorted = sortX(mixed, Uint8Array.of(1, 1, 1, 0, 1));
    expect([...sorted.x]).toEqual([1, 1, 3]);
    expect([...(sorted.rows ?? [])]).toEqual([1, 4, 0]);
    expect([...mixed]).toEqual([3, 1, Number.NaN, 2, 1]);
  });
});

describe("a run that grows", () => {
  it("is put in order as if it had been there at once, also when it is another run", () => {
    const random = seeded(5);
    for (let round = 0; round < 200; round++) {
      const x = Float64Array.from({ length: 200 }, (_, i) =>
        random() < 0.05 ? Number.NaN : Math.floor(i / 3 + random() * (round % 9)),
      );
      const valid = round % 2 === 0 ? null : Uint8Array.from(x, () => (random() < 0.9 ? 1 : 0));
      let before: Placed | null = null;
      for (let rows = 10; rows <= 200; rows += 1 + Math.floor(random() * 40)) {
        if (round % 10 === 9 && random() < 0.2) x[Math.floor(random() * rows)] = random() * 60;
        const [values, own] = [x.slice(0, rows), valid?.slice(0, rows) ?? null];
        const sorted: SortedX = sortX(values, own, before);
        expect(sorted).toEqual(sortX(values, own));
        before = { values, valid: own, sorted };
      }
    }
  });
});

describe("placesIn and nearestPlace", () => {
  it("agree with a search one by one", () => {
    for (let seed = 1; seed <= 200; seed++) {
      const random = seeded(seed);
      const { x } = sortX(randomRows(random, 60).x, null);
      const span = (x.at(-1) ?? 0) - (x[0] ?? 0);
      const a = (x[0] ?? 0) + (random() * 1.4 - 0.2) * span;
      const b = random() < 0.3 ? (x[Math.floor(random() * x.length)] ?? a) : a + random() * span;
      const [start, end] = placesIn(x, [a, b]);
      expect([...x.subarray(start, end)]).toEqual([...x].filter((value) => value >= a && value <= b));
      const best = Math.min(...[...x].map((value) => Math.abs(value - a)));
      const place = nearestPlace(x, a);
      if (x.length === 0) expect(place).toBe(-1);
      else expect(Math.abs((x[place] ?? Number.NaN) - a)).toBe(best);
    }
  });
});

describe("pixelColumns", () => {
  it("covers every column and stays inside", () => {
    const columnOf = pixelColumns([10, 20], 5);
    expect([10, 11.9, 12, 19.9, 20].map(columnOf)).toEqual([0, 0, 1, 4, 4]);
    expect(pixelColumns([3, 3], 5)(3)).toBe(0);
  });
});

function lists(rows: readonly (readonly number[] | null)[]): Lists {
  const offsets = new Int32Array(rows.length + 1);
  rows.forEach((row, i) => {
    offsets[i + 1] = (offsets[i] ?? 0) + (row?.length ?? 0);
  });
  return {
    values: Float64Array.from(rows.flatMap((row) => row ?? [])),
    offsets,
    valid: Uint8Array.from(rows, (row) => (row ? 1 : 0)),
  };
}

function picture(rows: readonly (readonly number[] | null)[], width: number) {
  const sorted = sortX(Float64Array.from(rows.keys()), null);
  return heatmap(sorted, lists(rows), fullDomain(sorted.x), width);
}

describe("heatmap", () => {
  it("gives each row its own column while there is room", () => {
    const { columns, buckets, cells, valueDomain } = picture([[1, 2], [3], null, [5, 6]], 100);
    expect([columns, buckets]).toEqual([4, 2]);
    expect([...cells]).toEqual([1, 2, 3, Number.NaN, Number.NaN, Number.NaN, 5, 6]);
    expect(valueDomain).toEqual([1, 6]);
  });

  it("takes the mean of the finite values of a column", () => {
    const { cells } = picture([[1], [3], [Number.NaN], [8], [Number.POSITIVE_INFINITY], [4]], 2);
    expect([...cells]).toEqual([2, 6]);
  });

  it("draws fewer columns where rows lie unevenly, so that no holes appear that are not there", () => {
    const random = seeded(5);
    const x = Float64Array.from({ length: 400 }, (_, i) => i + random() * 3);
    const sorted = sortX(x, null);
    const { columns, cells } = heatmap(sorted, lists([...x].map(() => [1])), fullDomain(sorted.x), 1000);
    expect(columns).toBeLessThan(400);
    expect([...cells].filter(Number.isNaN).length).toBeLessThan(columns * 0.1);
  });

  it("is empty without lists, and a constant has a domain", () => {
    expect(picture([null, []], 10)).toMatchObject({ columns: 0, buckets: 0, valueDomain: null });
    const { valueDomain } = picture([[0], [0]], 10);
    expect(valueDomain && valueDomain[1] > valueDomain[0]).toBe(true);
  });
});
