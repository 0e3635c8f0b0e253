import { expect, test } from "vitest";
import { readMetrics } from "../../../src/core/records/metrics.ts";
import { float } from "../../../src/core/records/python-values.ts";
import { MetricRowsError, metricsText } from "../../../src/core/records/write-metrics.ts";

const row = (more: object = {}) => ({
  benchmark: "gsm8k",
  metric: "accuracy",
  horizon: 128,
  seed: 0,
  value: 0.5,
  ...more,
});

function problemsOf(rows: unknown): MetricRowsError {
  try {
    metricsText(rows);
  } catch (error) {
    if (error instanceof MetricRowsError) return error;
    throw error;
  }
  throw new Error("nothing is wrong");
}

test("one row a line, as the reader reads it", () => {
  const rows = [
    row(),
    row({ benchmark: 'é"\ud800', seed: null, horizon: "long", value: -0 }),
    row({ seed: 2n ** 70n, horizon: 0.5, value: 1e21 }),
    { value: 1, seed: "a", horizon: null, metric: "m", benchmark: "b" },
  ];
  const text = metricsText(rows);
  expect(text).toBe(
    `[
{"benchmark": "gsm8k", "metric": "accuracy", "horizon": 128, "seed": 0, "value": 0.5},
{"benchmark": "\\u00e9\\"\\ud800", "metric": "accuracy", "horizon": "long", "seed": null, "value": -0.0},
{"benchmark": "gsm8k", "metric": "accuracy", "horizon": 0.5, "seed": 1180591620717411303424, "value": 1e+21},
{"benchmark": "b", "metric": "m", "horizon": null, "seed": "a", "value": 1.0}
]
`,
  );
  const warnings: unknown[] = [];
  const read = readMetrics(new TextEncoder().encode(text), "metrics.json", (code, _, __, more) => {
    if (more?.level !== "info") warnings.push(code);
  });
  expect([read, warnings]).toEqual([rows, []]);
  expect(metricsText([])).toBe("[]\n");
});

test("every bad row and field is named, and nothing is left to write", () => {
  const hostile = {
    get value(): number {
      throw new Error("secret");
    },
  };
  const error = problemsOf([
    row({ value: "0.5" }),
    row(),
    row({ value: Number.NaN, seed: Infinity, horizon: [] }),
    row({ benchmark: "", metric: 3 }),
    row({ value: undefined, note: "x" }),
    null,
    [1],
    hostile,
    row({ value: true }),
    row({ value: {} }),
    row({ value: float(1) }),
  ]);
  expect(error.problems.map(({ row: n, field, problem }) => [n, field, problem])).toEqual([
    [0, "value", "value is not a number"],
    [2, "horizon", "horizon is not a number or text"],
    [2, "seed", "seed is not finite"],
    [2, "value", "value is not finite"],
    [3, "benchmark", "benchmark is empty"],
    [3, "metric", "metric is not text"],
    [4, "value", "value is missing"],
    [4, "note", "a field that the format does not know"],
    [5, null, "the row is not an object"],
    [6, null, "the row is not an object"],
    [7, null, "the row cannot be read"],
    [8, "value", "value is not a number"],
    [9, "value", "value is not a number"],
    [10, "value", "value is not a number"],
  ]);
  expect(error.message).toContain("No row was written: value is not a number (rows 1, 9–11); ");
  expect(error.message).not.toContain("secret");
});

test("a field that is there but undefined is not there", () => {
  expect(metricsText([row({ note: undefined })])).toBe(metricsText([row()]));
});

test("a hole in the list is a bad row; no list is an error of its own", () => {
  const holed = [row(), row(), row()];
  delete holed[1];
  expect(problemsOf(holed).problems).toEqual([{ row: 1, field: null, problem: "the row is not an object" }]);
  for (const rows of [null, {}, "x", new Map()])
    expect(problemsOf(rows).message).toBe("No row was written: the rows are not a list");
});

test("keys of Object.prototype are keys", () => {
  const rows = JSON.parse(`[${JSON.stringify(row()).replace("{", '{"__proto__":{"value":1},')}]`);
  expect(problemsOf(rows).problems).toMatchObject([{ row: 0, field: "__proto__" }]);
});
