/** The real thread with the real decoder: its memory is given back, and its board says where it was. */
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LIMITS, RunWorker, type WorkerRun } from "../../../src/host/worker/client.ts";
import { spawnWorker } from "../../../src/host/worker/spawn.ts";
import { Board } from "../../../src/protocol/board.ts";
import { double, int64, parquet } from "../helpers/parquet.ts";
import { manifest } from "../helpers/runs.ts";

const MB = 1024 * 1024;
const ROWS = 1_000_000;

let root = "";
let script = "";
const wasm = createRequire(import.meta.url).resolve("parquet-wasm/esm/parquet_wasm_bg.wasm");

beforeAll(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), "fd-worker-"));
  script = path.join(root, "worker.cjs");
  buildSync({
    entryPoints: [path.resolve(import.meta.dirname, "../../../src/worker/main.ts")],
    bundle: true,
    platform: "node",
    format: "cjs",
    outfile: script,
    logLevel: "error",
  });
  // A million steps make the decoder hold some 40 MB.
  const rows = Array.from({ length: ROWS }, (_, i) => i);
  const dir = path.join(root, "long");
  fs.mkdirSync(dir);
  fs.writeFileSync(path.join(dir, "manifest.json"), manifest({}));
  fs.writeFileSync(
    path.join(dir, "steps.parquet"),
    parquet({ step: int64(rows), loss: double(rows.map((i) => i / 7)) }),
  );
});
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

type Spawned = ReturnType<typeof spawnWorker>;

function start(memory = LIMITS.memory) {
  const threads: Spawned[] = [];
  const ended: Promise<unknown>[] = [];
  const lines: string[] = [];
  const worker = new RunWorker({
    spawn() {
      const thread = spawnWorker({ script, wasm }, (text) => lines.push(text));
      threads.push(thread);
      ended.push(new Promise((resolve) => thread.on("exit", resolve)));
      return thread;
    },
    limits: { ...LIMITS, memory },
    log: (level, line) => lines.push(`${level}: ${line}`),
  });
  const open = async (dir: string): Promise<WorkerRun> => {
    const opened = await worker.open(dir, false);
    return opened.state === "run" ? opened.run : expect.fail(JSON.stringify(opened));
  };
  return { worker, threads, ended, lines, open };
}

it("gives the decoder's memory back once nothing is asked, and answers on", async () => {
  const { worker, threads, ended, lines, open } = start({ ...LIMITS.memory, decoder: 16 * MB, idle: 1 });
  const told: string[] = [];
  try {
    const run = await open(path.join(root, "long"));
    run.onReopened((reason) => told.push(reason));
    const chart = { id: "loss", metrics: ["loss"], x: "step", range: null, width: 100 } as const;
    const first = await run.call("chart.series", { ...chart, metrics: ["loss"] });
    const grown = threads[0]?.board?.memory ?? expect.fail();
    expect(grown.decoder).toBeGreaterThan(16 * MB);
    expect(grown.total).toBeGreaterThan(grown.decoder);
    const before = process.memoryUsage.rss();
    await ended[0];
    // The process holds it for everybody else: nothing but the thread's end brings it down.
    await expect.poll(() => before - process.memoryUsage.rss()).toBeGreaterThan(grown.decoder);
    expect((await run.call("run.overview", {})).rowCount).toBe(ROWS);
    expect(threads).toHaveLength(2);
    expect(threads[1]?.board?.memory.decoder).toBeLessThan(8 * MB);
    expect(await run.call("chart.series", { ...chart, metrics: ["loss"] })).toEqual(first);
    expect(told).toEqual([]);
    expect(lines.filter((line) => !line.startsWith("info: worker replaced"))).toEqual([]);
  } finally {
    worker.dispose();
  }
});

it("is at no file between questions, and at one while it reads", async () => {
  const { worker, threads, open } = start();
  try {
    const run = await open(path.join(root, "long"));
    const board = threads[0]?.board ?? expect.fail();
    expect(board).toBeInstanceOf(Board);
    expect(board.whereabouts).toBeNull();
    const reading = run.call("run.axis", {});
    await expect
      .poll(() => board.whereabouts, { interval: 1 })
      .toEqual({ dir: path.join(root, "long"), file: "steps.parquet" });
    await reading;
    expect(board.whereabouts).toBeNull();
  } finally {
    worker.dispose();
  }
});
