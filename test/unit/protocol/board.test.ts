import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import { Board } from "../../../src/protocol/board.ts";

it("says where the thread is and how large it has grown, to whoever shares its memory", () => {
  const thread = new Board();
  const host = new Board(thread.buffer);
  expect(host.whereabouts).toBeNull();
  expect(host.memory).toEqual({ total: 0, decoder: 0, isBroken: false });
  thread.enter({ dir: "/runs/größe", file: "steps/part-00000.parquet" });
  thread.memory = { total: 5e9, decoder: 2 ** 31, isBroken: true };
  expect(host.whereabouts).toEqual({ dir: "/runs/größe", file: "steps/part-00000.parquet" });
  expect(host.memory).toEqual({ total: 5e9, decoder: 2 ** 31, isBroken: true });
  thread.enter({ dir: "/runs/größe", file: "" });
  expect(host.whereabouts).toEqual({ dir: "/runs/größe", file: "" });
  thread.leave();
  expect(host.whereabouts).toBeNull();
  thread.enter({ dir: "/runs/größe", file: "a" });
  expect(host.whereabouts?.dir).toBe("/runs/größe");
});

it("leaves out paths that are too long", () => {
  const board = new Board();
  board.enter({ dir: "/run", file: "é".repeat(2049) });
  expect(board.whereabouts).toEqual({ dir: "/run", file: "" });
  board.enter({ dir: `/${"r".repeat(5000)}`, file: "a" });
  expect(board.whereabouts).toBeNull();
});

it("is readable while the thread never answers again", async () => {
  const board = new Board();
  const worker = new Worker(
    `const { workerData } = require("node:worker_threads");
     const bytes = new TextEncoder().encode("/run");
     new Uint8Array(workerData).set(bytes, 32);
     new Float64Array(workerData, 0, 1)[0] = 7;
     Atomics.store(new Int32Array(workerData, 24, 2), 0, bytes.length);
     for (;;) {}`,
    { eval: true, workerData: board.buffer },
  );
  await expect.poll(() => board.whereabouts).toEqual({ dir: "/run", file: "" });
  expect(board.memory.total).toBe(7);
  await worker.terminate();
});
