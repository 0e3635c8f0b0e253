/** Entry of the recorder's thread: all checking, choosing and writing happens here. It needs nothing of the thread that it records for. */
import { readFileSync } from "node:fs";
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { nodeSink } from "../core/io/node-sink.ts";
import { initParquet } from "../core/reader/decode.ts";
import { warmEncoder } from "../core/recorder/encode.ts";
import { type Problem, RunWriter } from "../core/recorder/writer.ts";
import {
  BEAT,
  CLOSED,
  DROPPED,
  FLUSHED,
  type FromThread,
  PENDING,
  type ThreadData,
  type ToThread,
} from "./shared.ts";

/** Messages that are taken together, before events are synced and the clock is asked. */
const BATCH = 256;

if (parentPort) serve(parentPort, workerData as ThreadData);

function serve(port: MessagePort, data: ThreadData): void {
  const { counters } = data;
  let isReady = false;
  function ready(): void {
    if (isReady) return;
    initParquet(readFileSync(data.wasm));
    warmEncoder();
    isReady = true;
  }
  const beat = () => Atomics.add(counters, BEAT, 1);
  const writer = new RunWriter(nodeSink(data.folder), {
    ...data,
    keep: Math.max(data.queueSize, 2 * data.flushSteps),
    now: () => Date.now() / 1000,
    clock: () => performance.now() / 1000,
    beat,
    ready,
    drops: {
      count: () => Atomics.load(counters, DROPPED),
      add: (calls) => Atomics.add(counters, DROPPED, calls),
    },
  });
  let timer: NodeJS.Timeout | undefined;
  let said: Problem | null = null;

  function tell(flushed: number | null): void {
    said = writer.problem;
    if (flushed !== null) {
      Atomics.store(counters, FLUSHED, flushed);
      Atomics.notify(counters, FLUSHED);
    }
    port.postMessage({ flushed, problem: said } satisfies FromThread);
  }

  function settle(): void {
    writer.settle();
    if (writer.problem !== said) tell(null);
    clearTimeout(timer);
    const due = writer.dueIn;
    if (due !== null) timer = setTimeout(settle, Math.ceil(due * 1000));
  }

  function close(): void {
    clearTimeout(timer);
    try {
      writer.close();
    } finally {
      tell(null);
      Atomics.store(counters, CLOSED, 1);
      Atomics.notify(counters, CLOSED);
      port.close();
    }
  }

  port.on("message", (first: ToThread) => {
    let message: ToThread | undefined = first;
    for (let n = 0; message !== undefined; n++) {
      if (message[0] === "close") return close();
      take(writer, message, counters, tell);
      beat();
      message = n < BATCH ? (receiveMessageOnPort(port)?.message as ToThread | undefined) : undefined;
    }
    settle();
  });
  // Events that came while the thread started are written first; then the library is made ready, before a flush needs it.
  setImmediate(ready);
}

function take(
  writer: RunWriter,
  message: ToThread,
  counters: Int32Array,
  tell: (flushed: number) => void,
): void {
  switch (message[0]) {
    case "step":
      writer.step(message[1], message[2], message[3], message[4]);
      break;
    case "samples":
      writer.samples(message[1], message[2], message[3], message[4]);
      break;
    case "event":
      writer.event(message[1], message[2]);
      break;
    case "bad":
      writer.bad(message[1], message[2], message[3], message[4]);
      break;
    case "flush":
      writer.flush();
      tell(message[1]);
      return;
    case "close":
      return;
  }
  Atomics.sub(counters, PENDING, 1);
}
