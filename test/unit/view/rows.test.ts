import { describe, expect, it } from "vitest";
import { RunAxes } from "../../../src/view/axes.ts";
import { csvView, rowsView } from "../../../src/view/rows.ts";
import { type Rows, randomRows, seeded } from "../chart/rows.ts";
import { column, fakeModel } from "./model.ts";

const NEVER = new AbortController().signal;

/** As a run would hold them: what has no value is null. */
const cells = (values: Float64Array, valid: Uint8Array | null): (number | null)[] =>
  [...values].map((value, i) => (valid?.[i] === 0 ? null : value));

function modelOf({ x, y, valid }: Rows) {
  return fakeModel({ columns: { step: column([...x]), loss: column(cells(y, valid)) } });
}

/** The rows of a range, found one by one. */
function naive({ x, y, valid }: Rows, [from, to]: readonly [number, number]): string[] {
  const text = (value: number): string =>
    value === Number.POSITIVE_INFINITY ? "inf" : value === Number.NEGATIVE_INFINITY ? "-inf" : String(value);
  return [...x.keys()]
    .filter((i) => Number.isFinite(x[i]) && (x[i] ?? 0) >= from && (x[i] ?? 0) <= to)
    .sort((a, b) => (x[a] ?? 0) - (x[b] ?? 0) || a - b)
    .map((i) => `${x[i]},,${valid?.[i] === 0 ? "" : text(y[i] ?? 0)}`);
}

describe("rows as CSV", () => {
  it("are all rows of the range by step, in pieces of any size, over 200 random recordings", async () => {
    for (let seed = 1; seed <= 200; seed++) {
      const random = seeded(seed);
      const rows = randomRows(random, 60);
      const model = modelOf(rows);
      const axes = new RunAxes(model);
      const low = Math.min(...rows.x.filter(Number.isFinite));
      const steps = random() < 0.3 ? null : ([low + random() * 20, low + 20 + random() * 60] as const);
      const expected = naive(rows, steps ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]);
      let text = "";
      let offset = 0;
      for (;;) {
        const limit = 1 + Math.floor(random() * 20);
        const piece = await csvView(model, axes, { metrics: ["loss"], steps, offset, limit }, NEVER);
        expect(piece.total, `seed ${seed}`).toBe(expected.length);
        expect(piece.rows, `seed ${seed}`).toBe(Math.min(limit, expected.length - offset));
        text += piece.text;
        offset += piece.rows;
        if (offset >= piece.total) break;
      }
      expect(text, `seed ${seed}`).toBe(["step,timestamp,loss", ...expected, ""].join("\n"));
    }
  });

  it.each(["=1+1", "+1", "-1", "@x", "\tx", "\rx"])("have no formula for a name: %j", async (name) => {
    const model = fakeModel({ columns: { step: column([1]), [name]: column([2]) } });
    const asked = { metrics: [name], steps: null, offset: 0, limit: 9 };
    const { text } = await csvView(model, new RunAxes(model), asked, NEVER);
    expect(text).toMatch(/^step,timestamp,"?'/);
  });
});

describe("rows of a table", () => {
  it("go by step however they were written, and end with the range", async () => {
    const model = fakeModel({
      columns: { step: column([30, 10, 20, 40]), loss: column([3, 1, null, 4]) },
    });
    const page = async (steps: readonly [number, number] | null, offset: number, limit: number) => {
      const asked = { metrics: ["loss"], steps, offset, limit };
      const { rows, total } = await rowsView(model, new RunAxes(model), asked, NEVER);
      return [total, ...rows.map(({ step, values }) => `${step}: ${values.join()}`)];
    };
    expect(await page(null, 0, 9)).toEqual([4, "10: 1", "20: ", "30: 3", "40: 4"]);
    expect(await page([15, 30], 0, 9)).toEqual([2, "20: ", "30: 3"]);
    expect(await page([15, 30], 1, 9)).toEqual([2, "30: 3"]);
    expect(await page([15, 30], 7, 9)).toEqual([2]);
    expect(await page([11, 12], 0, 9)).toEqual([0]);
  });

  it("of a column that cannot be read are there without it", async () => {
    const model = fakeModel({
      columns: { step: column([1, 2]), loss: column([3, 4]), kl: column([5, 6]) },
      broken: new Map([["kl", new Error("no")]]),
    });
    const asked = { metrics: ["kl", "loss"], steps: null, offset: 0, limit: 9 };
    const { rows, problems } = await rowsView(model, new RunAxes(model), asked, NEVER);
    expect(rows.map(({ values }) => values)).toEqual([
      [null, 3],
      [null, 4],
    ]);
    expect(problems).toHaveLength(1);
  });
});
