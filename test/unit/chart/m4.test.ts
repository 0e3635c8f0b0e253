import { describe, expect, it } from "vitest";
import { type Domain, fullDomain, pixelColumns, sortX } from "../../../src/core/chart/grid.ts";
import { type Decimated, decimate } from "../../../src/core/chart/m4.ts";
import { type Rows, randomRows, seeded } from "./rows.ts";

/** The rows one by one, without any cleverness: what a chart of the full data would show. */
function naive({ x, y, valid }: Rows, domain: Domain, width: number) {
  const columnOf = pixelColumns(domain, width);
  const rows = [...x.keys()]
    .filter((i) => Number.isFinite(x[i]) && at(x, i) >= domain[0] && at(x, i) <= domain[1])
    .sort((a, b) => at(x, a) - at(x, b) || a - b);
  const extremes = new Map<number, { min: number; max: number; first: number; last: number }>();
  /** Lines that lead from one pixel column to another: their two ends. */
  const joints = new Set<string>();
  const alone: number[] = [];
  let finite = 0;
  let previous: number | null = null;
  const hasValue = (i: number | undefined) => i !== undefined && valid?.[i] !== 0 && Number.isFinite(y[i]);
  rows.forEach((row, place) => {
    if (!hasValue(row)) {
      previous = null;
      return;
    }
    finite++;
    const value = at(y, row);
    const column = columnOf(at(x, row));
    const entry = extremes.get(column) ?? { min: value, max: value, first: value, last: value };
    extremes.set(column, {
      ...entry,
      min: Math.min(entry.min, value),
      max: Math.max(entry.max, value),
      last: value,
    });
    if (previous !== null && columnOf(at(x, previous)) !== column) {
      joints.add(`${x[previous]},${y[previous]} ${x[row]},${value}`);
    }
    if (!hasValue(rows[place - 1]) && !hasValue(rows[place + 1])) alone.push(row);
    previous = row;
  });
  return { extremes, joints, finite, alone };
}

const at = (array: Float64Array, i: number): number => array[i] ?? Number.NaN;

function drawn(view: Decimated, domain: Domain, width: number) {
  const columnOf = pixelColumns(domain, width);
  const extremes = new Map<number, { min: number; max: number; first: number; last: number }>();
  const joints = new Set<string>();
  const take = (x: number, y: number) => {
    const column = columnOf(x);
    const entry = extremes.get(column) ?? { min: y, max: y, first: y, last: y };
    extremes.set(column, { ...entry, min: Math.min(entry.min, y), max: Math.max(entry.max, y), last: y });
  };
  for (let i = 0; i < view.x.length; i++) {
    const y = at(view.y, i);
    if (Number.isNaN(y)) continue;
    take(at(view.x, i), y);
    const before = at(view.y, i - 1);
    if (!Number.isNaN(before) && columnOf(at(view.x, i - 1)) !== columnOf(at(view.x, i))) {
      joints.add(`${view.x[i - 1]},${before} ${view.x[i]},${y}`);
    }
  }
  for (let i = 0; i < view.dotsX.length; i++) take(at(view.dotsX, i), at(view.dotsY, i));
  return { extremes, joints };
}

function show(rows: Rows, domain: Domain | null, width: number) {
  const sorted = sortX(rows.x, null);
  const shown = domain ?? fullDomain(sorted.x);
  return { view: decimate(sorted, { values: rows.y, valid: rows.valid }, shown, width), shown };
}

const rowsOf = (y: readonly number[], valid: readonly number[] | null = null): Rows => ({
  x: Float64Array.from(y.keys()),
  y: Float64Array.from(y),
  valid: valid && Uint8Array.from(valid),
});

describe("decimate", () => {
  it("draws of every pixel column what the full data would, over 600 random recordings", () => {
    for (let seed = 1; seed <= 600; seed++) {
      const random = seeded(seed);
      const rows = randomRows(random, seed % 10 === 0 ? 5000 : 200);
      const width = 1 + Math.floor(random() * 150);
      const all = fullDomain(sortX(rows.x, null).x);
      const a = all[0] + random() * (all[1] - all[0]);
      const b = all[0] + random() * (all[1] - all[0]);
      const domain: Domain = random() < 0.5 ? all : [Math.min(a, b), Math.max(a, b)];
      const { view } = show(rows, domain, width);
      const expected = naive(rows, domain, width);
      const actual = drawn(view, domain, width);
      expect(actual.extremes, `seed ${seed}`).toEqual(expected.extremes);
      expect(actual.joints, `seed ${seed}`).toEqual(expected.joints);
      expect(view.finite, `seed ${seed}`).toBe(expected.finite);
      expect(view.x.length, `seed ${seed}`).toBeLessThanOrEqual(5 * width);
    }
  });

  it("keeps x in order and as long as y, whatever the rows do", () => {
    for (let seed = 1; seed <= 200; seed++) {
      const { view } = show(randomRows(seeded(seed), 400), null, 60);
      expect(view.x.length).toBe(view.y.length);
      for (let i = 1; i < view.x.length; i++) expect(at(view.x, i)).toBeGreaterThanOrEqual(at(view.x, i - 1));
      expect(view.x.every(Number.isFinite)).toBe(true);
    }
  });

  it("never loses a single 1000× spike in 100,000 rows", () => {
    const random = seeded(7);
    const y = Float64Array.from({ length: 100_000 }, () => random());
    for (const row of [0, 1, 49_999, 50_000, 99_998, 99_999]) {
      const spiked = y.slice();
      spiked[row] = 1000;
      const { view } = show({ x: Float64Array.from(spiked.keys()), y: spiked, valid: null }, null, 300);
      expect(view.max).toBe(1000);
      expect(view.maxX).toBe(row);
      const place = view.y.indexOf(1000);
      expect(view.x[place]).toBe(row);
      expect(view.x.length).toBeLessThanOrEqual(1500);
    }
  });

  it("lifts the pen at a gap and shows a lone value as a dot", () => {
    const { view } = show(rowsOf([1, 2, Number.NaN, 4, 5, 6, 7], [1, 1, 1, 1, 0, 1, 1]), null, 100);
    expect([...view.x]).toEqual([0, 1, 1, 5, 6]);
    expect([...view.y]).toEqual([1, 2, Number.NaN, 6, 7]);
    expect([...view.dotsX]).toEqual([3]);
    expect([...view.dotsY]).toEqual([4]);
    expect(view).toMatchObject({ finite: 5, missing: 1, nan: 1, posInf: 0, negInf: 0, last: 7, lastX: 6 });
  });

  it("shows a metric that is written now and then as dots, not as strokes", () => {
    const y = Array.from({ length: 4000 }, (_, i) => (i % 2 === 0 ? i % 10 : Number.NaN));
    const { view } = show(rowsOf(y), null, 50);
    expect(view.x.length).toBe(0);
    expect(view.dotsX.length).toBeGreaterThan(90);
  });

  it("marks each kind of non-finite value once a pixel column and counts them all", () => {
    const y = Array.from({ length: 1000 }, (_, i) =>
      i % 3 === 0 ? Number.NaN : i % 3 === 1 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY,
    );
    const { view } = show(rowsOf(y), null, 10);
    expect(view).toMatchObject({
      finite: 0,
      nan: 334,
      posInf: 333,
      negInf: 333,
      last: null,
      min: null,
      maxX: null,
    });
    expect(view.markX.length).toBe(30);
    expect([...view.markKind.slice(0, 3)]).toEqual([0, 1, 2]);
  });

  it("a row that was written as NaN is not a row where nothing was written", () => {
    const { view } = show(rowsOf([Number.NaN, Number.NaN], [1, 0]), null, 10);
    expect(view).toMatchObject({ nan: 1, missing: 1 });
  });

  it("sorts time that goes backwards", () => {
    const rows: Rows = {
      x: Float64Array.of(10, 30, 20, Number.NaN),
      y: Float64Array.of(1, 3, 2, 9),
      valid: null,
    };
    const { view } = show(rows, null, 100);
    expect([...view.x]).toEqual([10, 20, 30]);
    expect([...view.y]).toEqual([1, 2, 3]);
  });

  it("takes both ends of the range and nothing else", () => {
    const { view } = show(rowsOf([0, 10, 20, 30, 40]), [1, 3], 100);
    expect([...view.y]).toEqual([10, 20, 30]);
    expect(view.finite).toBe(3);
  });

  it("handles steps beyond 2^53, a single row, no row, and a domain beyond what a number spans", () => {
    const huge: Rows = {
      x: Float64Array.of(2 ** 53, 2 ** 53 + 2, 2 ** 63),
      y: Float64Array.of(1, 2, 3),
      valid: null,
    };
    expect([...show(huge, null, 10).view.y]).toEqual([1, 2, 3]);
    expect([...show(rowsOf([5]), null, 10).view.dotsY]).toEqual([5]);
    expect(show(rowsOf([]), null, 10).view).toMatchObject({ finite: 0, last: null });
    const wide: Rows = { x: Float64Array.of(-1.5e308, 0, 1.5e308), y: Float64Array.of(1, 2, 3), valid: null };
    expect([...show(wide, null, 3).view.y]).toEqual([1, 2, 3]);
  });

  it("shares no memory with the column it was made from", () => {
    const rows = rowsOf([1, 2, 3]);
    const { view } = show(rows, null, 3);
    view.y.fill(0);
    expect([...rows.y]).toEqual([1, 2, 3]);
    for (const array of [view.x, view.y, view.dotsX, view.dotsY, view.markX]) {
      expect(array.byteLength).toBe(array.buffer.byteLength);
    }
  });

  describe("that reaches beyond its domain", () => {
    const reaching = (rows: Rows, domain: Domain, width = 100) =>
      decimate(sortX(rows.x, null), { values: rows.y, valid: rows.valid }, domain, width, { reach: true });

    it("has the neighbours on both sides, so that lines run on to the edge", () => {
      const view = reaching(rowsOf([0, 10, 20, 30, 40]), [1, 3]);
      expect([...view.x]).toEqual([0, 1, 2, 3, 4]);
      expect([...view.y]).toEqual([0, 10, 20, 30, 40]);
      expect(view).toMatchObject({ finite: 3, min: 10, max: 30, last: 30 });
    });

    it("crosses a stretch without rows, and counts nothing there", () => {
      const rows: Rows = { x: Float64Array.of(0, 100), y: Float64Array.of(1, 2), valid: null };
      const view = reaching(rows, [40, 60]);
      expect([...view.x]).toEqual([0, 100]);
      expect(view).toMatchObject({ finite: 0, last: null });
    });

    it("does not bridge a gap, nor show a neighbour alone", () => {
      const hole = Number.NaN;
      const view = reaching(rowsOf([0, hole, 20, hole, 40]), [1, 3]);
      expect([...view.x]).toEqual([]);
      expect([...view.dotsX]).toEqual([2]);
      const before = reaching(rowsOf([0, 10, hole, 30]), [1, 2]);
      expect([...before.x]).toEqual([0, 1]);
      expect([...before.dotsX]).toEqual([]);
    });

    it("is otherwise what it is without, over 300 random recordings", () => {
      for (let seed = 1; seed <= 300; seed++) {
        const random = seeded(seed);
        const rows = randomRows(random, 300);
        const sorted = sortX(rows.x, null);
        const [from, to] = fullDomain(sorted.x);
        const a = from + random() * (to - from);
        const b = from + random() * (to - from);
        const domain: Domain = [Math.min(a, b), Math.max(a, b)];
        const column = { values: rows.y, valid: rows.valid };
        const plain = decimate(sorted, column, domain, 60);
        const view = decimate(sorted, column, domain, 60, { reach: true });
        const inside = (all: Decimated, xs: "x" | "dotsX", ys: "y" | "dotsY") =>
          [...all[xs]]
            .map((x, i) => [x, all[ys][i]] as const)
            .filter(([x, y]) => x >= domain[0] && x <= domain[1] && !Number.isNaN(y));
        const points = (all: Decimated) =>
          [...inside(all, "x", "y"), ...inside(all, "dotsX", "dotsY")].map(String).sort();
        expect(points(view), `seed ${seed}`).toEqual(points(plain));
        const { finite, missing, nan, min, max, last, lastX } = plain;
        expect(view, `seed ${seed}`).toMatchObject({ finite, missing, nan, min, max, last, lastX });
        const outside = [...view.x].filter((x) => x < domain[0] || x > domain[1]);
        expect(new Set(outside).size, `seed ${seed}`).toBeLessThanOrEqual(2);
      }
    });
  });

  describe("for a logarithmic axis", () => {
    const positive = (y: readonly number[]) =>
      decimate(
        sortX(rowsOf(y).x, null),
        { values: Float64Array.from(y), valid: null },
        [0, y.length - 1],
        100,
        {
          positive: true,
        },
      );

    it("marks and counts what it cannot show, and keeps it in the totals", () => {
      const view = positive([1, 10, 0, 100, 1000, -5]);
      expect([...view.x]).toEqual([0, 1, 1, 3, 4]);
      expect([...view.markKind]).toEqual([3, 3]);
      expect([...view.markX]).toEqual([2, 5]);
      expect(view).toMatchObject({ finite: 6, nonPositive: 2, nan: 0, min: -5, minX: 5, last: -5, lastX: 5 });
    });

    it("counts nothing of the kind otherwise", () => {
      expect(show(rowsOf([1, 0, -1]), null, 10).view).toMatchObject({ nonPositive: 0, finite: 3 });
    });
  });
});
