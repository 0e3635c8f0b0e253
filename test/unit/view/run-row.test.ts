import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { initParquet, openRun } from "../../../src/core/index.ts";
import { memorySource } from "../../../src/core/io/memory.ts";
import { RunRow } from "../../../src/protocol/run-row.ts";
import { RunAxes } from "../../../src/view/axes.ts";
import { runRow, sparkPath } from "../../../src/view/run-row.ts";
import { double, int64, parquet } from "../helpers/parquet.ts";
import { manifest } from "../helpers/runs.ts";

const root = path.resolve(import.meta.dirname, "../../..");
initParquet(readFileSync(path.join(root, "node_modules/parquet-wasm/esm/parquet_wasm_bg.wasm")));
const NEVER = new AbortController().signal;
const SIZE = { width: 100, height: 20 };

async function rowOf(columns: Parameters<typeof parquet>[0], metrics: string[], sparks: string[]) {
  const files = new Map([
    ["manifest.json", manifest({})],
    ["steps.parquet", parquet(columns)],
  ]);
  const model = await openRun(memorySource(files));
  return RunRow.parse(await runRow(model, new RunAxes(model), { metrics, sparks, ...SIZE }, NEVER));
}

test("last, lowest and highest of what is a number; what a run does not have has none", async () => {
  const columns = {
    step: int64([1, 2, 3, 4]),
    reward_mean: double([1, 9, -2, Number.NaN]),
    constructor: double([0, 0, 5, 4]),
  };
  const row = await rowOf(
    columns,
    ["reward_mean", "constructor", "kl_mean", "__proto__"],
    ["reward_mean", "kl_mean"],
  );
  expect(row.available).toEqual(expect.arrayContaining(["reward_mean", "constructor"]));
  expect(row.figures).toEqual([
    { metric: "reward_mean", last: -2, min: -2, max: 9 },
    { metric: "constructor", last: 4, min: 0, max: 5 },
    { metric: "kl_mean", last: null, min: null, max: null },
    { metric: "__proto__", last: null, min: null, max: null },
  ]);
  expect(row.sparks).toEqual([
    { metric: "reward_mean", path: "M1.5 13.9L33.8 1.5L66.2 18.5" },
    { metric: "kl_mean", path: "" },
  ]);
});

test("no spike among a hundred thousand steps is lost, and the drawing stays small", async () => {
  const n = 100_000;
  const steps = Array.from({ length: n }, (_, i) => i);
  const row = await rowOf(
    { step: int64(steps), reward_mean: double(steps.map((i) => (i === 61_803 ? 1000 : Math.sin(i / 50)))) },
    [],
    ["reward_mean"],
  );
  const drawn = row.sparks[0]?.path ?? "";
  expect(drawn).toContain(" 1.5L");
  expect(drawn.length).toBeLessThan(6000);
});

test("gaps stay open, single values are dots, and no number breaks it", () => {
  const of = (x: number[], y: number[], dots: [number, number][] = []) => {
    const finite = [...y.filter((v) => !Number.isNaN(v)), ...dots.map(([, v]) => v)];
    const f = (v: number[]) => Float64Array.from(v);
    return sparkPath(
      {
        ...{ x: f(x), y: f(y), dotsX: f(dots.map(([at]) => at)), dotsY: f(dots.map(([, v]) => v)) },
        ...{ min: Math.min(...finite), max: Math.max(...finite) },
      },
      { ...SIZE, domain: [0, 10] },
    );
  };
  expect(of([0, 1, 1, 5, 6], [0, 1, Number.NaN, 1, 0]).match(/M/g)).toHaveLength(2);
  expect(of([], [], [[5, 3]])).toBe("M50 10h.1");
  expect(of([0, 10], [7, 7])).toBe("M1.5 10L98.5 10");
  const most = Number.MAX_VALUE;
  expect(of([0, 5, 10], [-most, most, 0])).toBe("M1.5 18.5L50 1.5L98.5 10");
  expect(of([0, 5, 10], [-5e-324, 5e-324, 0])).toBe("M1.5 10L50 10L98.5 10");
});
