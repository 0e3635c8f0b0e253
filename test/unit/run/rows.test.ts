import { describe, expect, it } from "vitest";
import type { Column } from "../../../src/core/run/model.ts";
import { arrange, arrangeList, planRows } from "../../../src/core/run/rows.ts";

const column = (values: (number | null)[]): Column => ({
  values: Float64Array.from(values, (v) => v ?? Number.NaN),
  valid: values.includes(null) ? Uint8Array.from(values, (v) => (v === null ? 0 : 1)) : null,
  exact: null,
});
const values = (c: Column) => [...c.values];

describe("rows as recorded", () => {
  it("keeps order and repeats, drops rows without a usable step", () => {
    const plan = planRows(column([3, 1, 1, null, 1.5, Number.NaN, 2]), "recorded");
    expect(plan.rows).toBe(4);
    expect(values(arrange(plan, column([30, 10, 11, 99, 99, 99, 20])))).toEqual([30, 10, 11, 20]);
    expect(plan.facts).toMatchObject({
      badRows: 3,
      firstBadRow: 3,
      repeats: 1,
      additions: 1,
      backwards: 3,
      resumedAt: 1,
    });
  });

  it("hands the very same column on when nothing changes", () => {
    const same = column([5, 6, 7]);
    expect(arrange(planRows(column([1, 2, 3]), "recorded"), same)).toBe(same);
    expect(arrange(planRows(column([1, 2, 3]), "merged"), same)).toBe(same);
  });
});

describe("rows merged", () => {
  it("merges a closing summary field by field: what it lacks stays", () => {
    const plan = planRows(column([1, 2, 3, 3]), "merged");
    expect(plan.rows).toBe(3);
    expect(values(arrange(plan, column([10, 20, 30, null])))).toEqual([10, 20, 30]);
    expect(values(arrange(plan, column([null, null, null, 7])))).toEqual([Number.NaN, Number.NaN, 7]);
    expect(plan.facts).toMatchObject({ repeats: 1, additions: 1, backwards: 0 });
  });

  it("takes the value written last of a resumed run, NaN included: it was written", () => {
    const plan = planRows(column([1, 2, 3, 4, 3, 4, 5]), "merged");
    expect(values(arrange(plan, column([10, 20, 30, 40, 31, Number.NaN, 50])))).toEqual([
      10,
      20,
      31,
      Number.NaN,
      50,
    ]);
    expect(plan.facts).toMatchObject({ repeats: 2, additions: 0, backwards: 1, resumedAt: 3 });
  });

  it("sorts steps that lie shuffled", () => {
    const plan = planRows(column([4, 1, 3, 2]), "merged");
    expect(values(arrange(plan, column([40, 10, 30, 20])))).toEqual([10, 20, 30, 40]);
  });

  it("tells neighbours beyond 2^53 apart", () => {
    const exact = new BigInt64Array([2n ** 53n + 1n, 2n ** 53n, 2n ** 53n + 1n]);
    const step: Column = { values: Float64Array.from(exact, Number), valid: null, exact };
    const plan = planRows(step, "merged");
    expect(plan.rows).toBe(2);
    expect([...(arrange(plan, step).exact ?? [])]).toEqual([2n ** 53n, 2n ** 53n + 1n]);
  });

  it("has no rows for no steps", () => {
    expect(planRows(column([]), "merged").rows).toBe(0);
    expect(planRows(column([null, null]), "merged").rows).toBe(0);
    expect(values(arrange(planRows(column([null, null]), "merged"), column([1, 2])))).toEqual([]);
  });

  it("equals a naive model on random rows", () => {
    let seed = 12345;
    const random = (n: number) => {
      seed = (seed * 1103515245 + 12345) & 0x7fffffff;
      return seed % n;
    };
    for (let round = 0; round < 200; round++) {
      const n = random(40);
      const steps = Array.from({ length: n }, () => (random(8) === 0 ? null : random(12)));
      const cells = Array.from({ length: n }, () => (random(3) === 0 ? null : random(1000)));
      const naive = new Map<number, number>();
      for (const [i, s] of steps.entries()) {
        if (s === null) continue;
        const c = cells[i];
        if (c !== null && c !== undefined) naive.set(s, c);
        else if (!naive.has(s)) naive.set(s, Number.NaN);
      }
      const expected = [...naive].sort((a, b) => a[0] - b[0]).map(([, v]) => v);
      const plan = planRows(column(steps), "merged");
      expect(values(arrange(plan, column(cells)))).toEqual(expected);
    }
  });

  it("merges lists the same way", () => {
    const plan = planRows(column([2, 1, 2]), "merged");
    const lists = {
      values: Float64Array.of(1, 2, 3),
      offsets: Int32Array.of(0, 2, 3, 3),
      valid: Uint8Array.of(1, 1, 0),
    };
    const out = arrangeList(plan, lists);
    expect([...out.values]).toEqual([3, 1, 2]);
    expect([...out.offsets]).toEqual([0, 1, 3]);
    expect([...(out.valid ?? [])]).toEqual([1, 1]);
  });
});

describe("what is noticed about steps", () => {
  const facts = (values: (number | null)[]) => planRows(column(values), "merged").facts;
  const NONE = {
    ...{ badRows: 0, firstBadRow: -1, repeats: 0, additions: 0, backwards: 0 },
    ...{ resumedAt: Number.NaN, negative: 0, unsafe: 0 },
  };

  it("is nothing where each step is higher than the one before, negative ones aside", () => {
    expect(facts([])).toEqual(NONE);
    expect(facts([0, 1, 5])).toEqual(NONE);
    expect(facts([-3, -1, 0, 2])).toEqual({ ...NONE, negative: 2 });
    expect(facts([-3, -1])).toEqual({ ...NONE, negative: 2 });
  });

  it("is counted where it is not so, the first row and the last among all", () => {
    expect(facts([null, -1, -1, 0.5])).toEqual({
      ...{ ...NONE, badRows: 2, firstBadRow: 0, repeats: 1, additions: 1, negative: 2 },
    });
    expect(facts([0, 0])).toEqual({ ...NONE, repeats: 1, additions: 1 });
    expect(facts([1, 0])).toEqual({ ...NONE, backwards: 1, resumedAt: 0 });
    expect(facts([5, 3, 4, 5, 6, 2])).toEqual({ ...NONE, repeats: 1, backwards: 3, resumedAt: 3 });
    expect(facts([3, 1, 1])).toEqual({ ...NONE, repeats: 1, additions: 1, backwards: 2, resumedAt: 1 });
    expect(facts([1, 2 ** 53, 2 ** 53 + 2])).toEqual({ ...NONE, unsafe: 2 });
    expect(facts([2 ** 53 - 1])).toEqual(NONE);
  });

  it("holds for a row that is marked as missing, whatever number stands there", () => {
    const step: Column = { values: Float64Array.of(1, 2, 3), valid: Uint8Array.of(1, 0, 1), exact: null };
    const plan = planRows(step, "merged");
    expect(plan.facts).toEqual({ ...NONE, badRows: 1, firstBadRow: 1 });
    expect(values(arrange(plan, column([10, 20, 30])))).toEqual([10, 30]);
    const all: Column = { ...step, valid: Uint8Array.of(1, 1, 1) };
    const same = column([10, 20, 30]);
    expect(arrange(planRows(all, "merged"), same)).toBe(same);
    expect(arrange(planRows(all, "recorded"), same)).toBe(same);
  });

  it("tells steps beyond 2^53 by their integers, up and down", () => {
    const of = (...steps: bigint[]): Column => {
      const exact = BigUint64Array.from(steps);
      return { values: Float64Array.from(exact, Number), valid: null, exact };
    };
    const big = 2n ** 60n;
    expect(planRows(of(big, big + 1n), "merged")).toMatchObject({
      ...{ rows: 2, map: null, facts: { ...NONE, unsafe: 2 } },
    });
    expect(planRows(of(big + 1n, big), "merged")).toMatchObject({
      ...{ rows: 2, facts: { ...NONE, unsafe: 2, backwards: 1, resumedAt: 2 ** 60 } },
    });
    expect(planRows(of(big, big), "merged").facts).toEqual({ ...NONE, unsafe: 2, repeats: 1, additions: 1 });
    const steps = of(big + 2n, big, big + 1n, big);
    const sorted = arrange(planRows(steps, "merged"), steps).exact;
    expect(sorted).toEqual(BigUint64Array.of(big, big + 1n, big + 2n));
  });
});

describe("columns that are arranged", () => {
  const plan = planRows(column([2, 1, 2]), "merged");

  it("say what is missing where something is, and nothing where all is there", () => {
    expect(arrange(plan, column([20, null, 21]))).toMatchObject({ valid: Uint8Array.of(0, 1) });
    expect(arrange(plan, column([null, 10, 21])).valid).toBe(null);
    expect(arrange(plan, column([20, 10, 21])).valid).toBe(null);
    expect(arrange(plan, column([null, 10, null])).valid).toEqual(Uint8Array.of(1, 0));
  });

  it("keep exact integers, signed or not", () => {
    const signed: Column = { ...column([20, 10, 21]), exact: BigInt64Array.of(-20n, -10n, -21n) };
    expect(arrange(plan, signed).exact).toEqual(BigInt64Array.of(-10n, -21n));
    expect(arrange(plan, column([20, 10, 21])).exact).toBe(null);
  });

  it("of lists are handed on where nothing changes, and have no gaps where they have none", () => {
    const lists = { values: Float64Array.of(1, 2, 3), offsets: Int32Array.of(0, 1, 1, 3), valid: null };
    expect(arrangeList(planRows(column([1, 2, 3]), "merged"), lists)).toBe(lists);
    expect(arrangeList(plan, lists)).toEqual({
      ...{ values: Float64Array.of(2, 3), offsets: Int32Array.of(0, 0, 2), valid: null },
    });
  });
});
