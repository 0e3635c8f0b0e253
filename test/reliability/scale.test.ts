/**
 * Runs of a size that nobody should meet: what the editors ask of them is answered, in memory that is bounded, by one thread that is
 * not lost, without holding up the host; what is left out is said. Small ones, and with `npm run test:long` the sizes of
 * docs/reliability.md. Longer runs, more parts and more samples are in test/bench.
 */
import { execFile } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MAX_EVENTS } from "../../src/core/reader/event-buffer.ts";
import { bundleInto } from "../helpers/bundle.ts";
import type { ScaleAnswer } from "./scale-child.ts";
import { partsAt, type RunSize, writeRun } from "./scale-runs.ts";

const isLong = process.env["FLIGHT_DECK_LONG"] === "1";
const size = (small: RunSize, large: Partial<RunSize>): RunSize => (isLong ? { ...small, ...large } : small);
const LITTLE: RunSize = { steps: 400, parts: 1, metrics: 30, ranks: 1, events: 200, samples: 50 };

const RUNS = {
  "2,000 metrics": size({ ...LITTLE, metrics: 2000, steps: 60 }, { steps: 10_000, parts: 10 }),
  "64 ranks": size({ ...LITTLE, ranks: 64, events: 4000 }, { steps: 2000, events: 15_625, samples: 1000 }),
  "an events file without end": size({ ...LITTLE, events: MAX_EVENTS + 20_000 }, { events: 1_000_000 }),
};
/** The limit of the thread is 768 MB above its rest, of the decoder 512; a host's own share is small. */
const MEMORY_MB = 1024;

let root = "";
const wasm = createRequire(import.meta.url).resolve("parquet-wasm/esm/parquet_wasm_bg.wasm");

beforeAll(async () => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), "flight-deck-scale-"));
  await bundleInto(root, { worker: "src/worker/main.ts", child: "test/reliability/scale-child.ts" });
});
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

async function ask(dirs: readonly string[]): Promise<ScaleAnswer> {
  const args = [path.join(root, "child.cjs"), path.join(root, "worker.cjs"), wasm, ...dirs];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 26 });
  return JSON.parse(stdout) as ScaleAnswer;
}

describe.each(Object.entries(RUNS))("%s", (name, made) => {
  test("is read, drawn, scrolled, diagnosed and compared", { timeout: 900_000 }, async () => {
    const dirs = [2, 3].map((seed) => path.join(root, `${name.replaceAll(/\W/g, "-")}-${seed}`));
    for (const [i, dir] of dirs.entries()) writeRun(dir, made, i + 2);
    const { facts, warnings, warningSize, log, threads, ms, held, peakMb } = await ask(dirs);
    if (isLong) process.stdout.write(`${name}: ${JSON.stringify({ ms, held, peakMb })}\n`);
    const events = made.events * made.ranks;
    expect(facts).toMatchObject({
      steps: made.steps,
      ranks: made.ranks,
      metrics: made.metrics,
      drawn: made.metrics,
      values: made.metrics,
      samples: made.samples * made.ranks,
      ...{ events, eventsHeld: Math.min(events, MAX_EVENTS) },
      compared: made.metrics,
      ...{ first: "reward_mean", firstAt: partsAt(made) },
    });
    expect(facts.pages.every((rows) => rows > 0 && rows <= 200)).toBe(true);
    // First, lowest, highest and last of each of 800 columns of pixels.
    expect(facts.points).toBeLessThanOrEqual(4 * 800);
    expect(facts.timeline).toBeLessThanOrEqual(4 * 800);
    // What is left out is said, in few words.
    const left = warnings.filter(({ code }) => code === "size-limit");
    expect(left.reduce((sum, { count }) => sum + count, 0)).toBe(events - facts.eventsHeld);
    expect(left.length).toBeLessThanOrEqual(1);
    expect(warningSize).toBeLessThan(10_000);
    expect({ log, threads }).toEqual({ log: [], threads: 1 });
    expect(peakMb).toBeLessThan(MEMORY_MB);
  });
});
