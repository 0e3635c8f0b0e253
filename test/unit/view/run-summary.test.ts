import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { initParquet, nodeSource, openRun } from "../../../src/core/index.ts";
import { memorySource } from "../../../src/core/io/memory.ts";
import { RunSummary } from "../../../src/protocol/runs.ts";
import { RunAxes } from "../../../src/view/axes.ts";
import { runSummary } from "../../../src/view/run-summary.ts";
import { double, int64, parquet } from "../helpers/parquet.ts";
import { manifest } from "../helpers/runs.ts";

const root = path.resolve(import.meta.dirname, "../../..");
initParquet(readFileSync(path.join(root, "node_modules/parquet-wasm/esm/parquet_wasm_bg.wasm")));
const NOW = Date.parse("2026-11-01T00:00:00Z");

async function summaryOf(source: Parameters<typeof openRun>[0]): Promise<RunSummary> {
  const model = await openRun(source);
  return RunSummary.parse(await runSummary(model, new RunAxes(model), NOW));
}

test("a real run: state, steps, times, last reward and its configuration", async () => {
  const folder = path.join(root, "test/fixtures/oracle/trl/recordings/grpo-baseline");
  const summary = await summaryOf(nodeSource(folder));
  expect(summary).toMatchObject({
    algorithm: "grpo",
    state: "finished",
    steps: 250,
    lastStep: "250",
    events: 7,
    ranks: [0],
  });
  // rlprobe's own reading of it has the same.
  expect(summary.lastReward).toBeCloseTo(0.5029107332229614, 12);
  expect((summary.timeLast ?? 0) - (summary.timeFirst ?? 0)).toBeGreaterThan(60);
  expect(new Map(summary.config).get("trainer_config.learning_rate")).toBe("0.00005");
  expect(summary.config.length).toBeLessThanOrEqual(200);
});

test("the last reward is the last that is a number; text that misleads stays within bounds", async () => {
  const source = memorySource(
    new Map([
      [
        "manifest.json",
        manifest({
          run_id: "x".repeat(5000),
          trainer_config: { __proto__x: { constructor: 0 }, "a b": false },
        }),
      ],
      ["steps.parquet", parquet({ step: int64([1, 2, 3]), reward_mean: double([1, 2.5, Number.NaN]) })],
    ]),
  );
  const summary = await summaryOf(source);
  expect(summary).toMatchObject({ lastReward: 2.5, steps: 3, lastStep: "3", timeFirst: null });
  expect(summary.runId.length).toBeLessThan(300);
  expect(summary.config).toContainEqual(["trainer_config.__proto__x.constructor", "0"]);
  expect(summary.config).toContainEqual(["trainer_config.a b", "false"]);
});

test("a run that was killed says where it stops, which is the step written last", async () => {
  const part = (steps: readonly number[]) =>
    parquet({ step: int64(steps), timestamp: double(steps.map((step) => 1.7e9 + step)) });
  const source = memorySource(
    new Map([
      ["manifest.json", manifest()],
      ["steps/part-00000.parquet", part([1, 2, 3, 4, 5])],
      ["steps/part-00001.parquet", part([3, 4])],
    ]),
    "run",
    () => 1.7e12 + 5000,
  );
  const { state, stateReason, lastStep } = await summaryOf(source);
  expect([state, lastStep]).toEqual(["killed", "5"]);
  expect(stateReason).toMatch(/^Recording stops at step 4 and was not closed; nothing was written for /);
});

test("run records alone have no steps and no reward", async () => {
  const source = memorySource(
    new Map([
      ["observed.attempt1.json", new TextEncoder().encode('{"run_record_format":1,"attempt":1,"config":{}}')],
    ]),
  );
  expect(await summaryOf(source)).toMatchObject({
    hasRecording: false,
    steps: 0,
    lastReward: null,
    attempts: 1,
  });
});
