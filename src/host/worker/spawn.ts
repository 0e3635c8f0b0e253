/** Starts the worker thread from the extension's own files. */
import { Worker } from "node:worker_threads";
import { Board } from "../../protocol/board.ts";
import type { Bundle } from "../../protocol/l10n.ts";
import type { WorkerData } from "../../protocol/worker.ts";
import type { WorkerThread } from "./thread.ts";

/**
 * Bounds the JavaScript heap of the thread, not the memory of its arrays nor the decoder's: the decoder has a limit of its
 * own, and the board tells of all together.
 */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 };

/** @param onOutput what the thread prints, which is nothing unless something is wrong */
export function spawnWorker(
  paths: {
    readonly script: string;
    readonly wasm: string;
    readonly cache?: string;
    readonly demo?: string;
    readonly words?: Bundle;
  },
  onOutput: (text: string) => void,
): WorkerThread {
  const board = new Board();
  const { wasm, cache, demo, words } = paths;
  const data: WorkerData = {
    ...{ wasm, board: board.buffer },
    ...(cache === undefined ? {} : { cache }),
    ...(demo === undefined ? {} : { demo }),
    ...(words === undefined ? {} : { words }),
  };
  const worker = new Worker(paths.script, {
    workerData: data,
    resourceLimits: RESOURCE_LIMITS,
    stdout: true,
    stderr: true,
    name: "flight-deck",
  });
  for (const stream of [worker.stdout, worker.stderr]) {
    stream.on("data", (chunk: unknown) => onOutput(String(chunk).trimEnd()));
  }
  return Object.assign(worker, { board });
}
