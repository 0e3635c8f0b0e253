/** Entry of the worker thread: all reading and computing happens here, never on the extension host's loop. */
import "./language.ts";
import { readFileSync } from "node:fs";
import { getHeapStatistics } from "node:v8";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import * as z from "zod/mini";
import {
  decoderBroken,
  decoderMemory,
  FlightDeckError,
  initParquet,
  nodeSource,
  openRun,
} from "../core/index.ts";
import { cacheFileFor } from "../core/io/cacheFolder.ts";
import type { RunSource } from "../core/io/source.ts";
import { Board, type Memory } from "../protocol/board.ts";
import { createServer, type Transport } from "../protocol/rpc.ts";
import { WorkerData, workerContract, workerNotices } from "../protocol/worker.ts";
import { problemOfError } from "../view/problems.ts";
import { pause } from "../view/slices.ts";
import { Finder } from "./finder.ts";
import { polite } from "./polite.ts";
import { rehearse } from "./rehearsal.ts";
import { workerHandlers } from "./runs.ts";
import { Watch } from "./watched.ts";

if (parentPort) serve(parentPort, z.parse(WorkerData, workerData));

function serve(port: MessagePort, data: WorkerData): void {
  let isWarm = false;
  const onError = (where: string, error: unknown): void => {
    server.notify("failed", { where, error: describe(error) });
  };
  const watch = new Watch(new Board(data.board), { memory, now: () => performance.now() });
  const sourceOf = (dir: string, isRestricted: boolean): RunSource => {
    const links = isRestricted ? "inside" : "follow";
    return polite(watch.source(nodeSource(dir, { links }), dir));
  };
  const finder = new Finder(sourceOf);
  const handlers = workerHandlers({
    async open(dir, { loose, isRestricted, memory }) {
      const model = await openRun(sourceOf(dir, isRestricted), { loose, memory });
      // The header does not need the decoder; the first chart does, and finds it ready.
      setImmediate(warmQuietly);
      return model;
    },
    find: (params, signal) => finder.find(params, signal),
    label: (dir) => nodeSource(dir).label,
    cache: (dir) => (data.cache === undefined ? null : cacheFileFor(data.cache, dir)),
    warm,
    async rehearse(isWanted) {
      const { demo } = data;
      if (demo === undefined) return;
      const source = nodeSource(demo);
      await rehearse({ open: () => openRun(source), pause, isWanted });
    },
    later: (work) =>
      setImmediate(() => {
        warmQuietly();
        work().catch(() => {});
      }),
    now: () => Date.now(),
    onError,
    onRefused: (method, reason) => server.notify("failed", { where: method, error: `refused: ${reason}` }),
    answer: (work) => watch.answer(work),
  });
  const server = createServer(workerContract, handlers, transport(port), {
    notices: workerNotices,
    toProblem: problemOfError,
    onError(method, error) {
      if (!(error instanceof FlightDeckError)) onError(method, error);
    },
    onRefused: ({ reason, name }) => server.notify("failed", { where: name, error: `refused: ${reason}` }),
  });

  function warm(): void {
    if (isWarm) return;
    initParquet(readFileSync(data.wasm));
    isWarm = true;
  }

  function warmQuietly(): void {
    try {
      warm();
    } catch (error) {
      onError("warm", error);
    }
  }
}

/** V8 counts arrays and the decoder's memory as external. */
function memory(): Memory {
  const { used_heap_size, external_memory } = getHeapStatistics();
  return { total: used_heap_size + external_memory, decoder: decoderMemory(), isBroken: decoderBroken() };
}

/** Typed arrays are moved to the host, not copied: views never share them with the model. */
function transport(port: MessagePort): Transport {
  return {
    channel: "clone",
    post: (message, transfer) => port.postMessage(message, [...transfer]),
    listen(listener) {
      port.on("message", listener);
      return () => port.off("message", listener);
    },
  };
}

const MAX_STACK = 4000;

function describe(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return text.slice(0, MAX_STACK);
}
