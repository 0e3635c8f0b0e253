/** Questions about several runs: all open in one thread, whatever happened to the last one. */
import { Worker } from "node:worker_threads";
import { afterEach, describe, expect, it } from "vitest";
import { LIMITS, RunWorker, type WorkerRun } from "../../../src/host/worker/client.ts";
import { RunPool } from "../../../src/host/worker/pool.ts";
import { BOARD_BYTES, Board } from "../../../src/protocol/board.ts";
import { isAborted, ProblemError } from "../../../src/protocol/rpc.ts";

/** Numbers runs in each thread anew; a comparison tells their numbers and folders. The metric "exit" ends the thread. */
const SCRIPT = `
const { parentPort, threadId } = require("node:worker_threads");
let last = 0;
const dirs = new Map();
const opens = new Map();
parentPort.on("message", ({ kind, id, method, params }) => {
  if (kind !== "request") return;
  const ok = (result) => parentPort.postMessage({ v: 1, kind: "ok", id, result });
  if (method === "open") {
    if (params.dir === "/gone") return ok({ state: "refused", label: "gone", problem: { code: "c", message: "gone", file: "", remedy: "" } });
    opens.set(params.dir, (opens.get(params.dir) ?? 0) + 1);
    if (params.dir === "/flickers" && opens.get(params.dir) % 3 !== 1) return ok({ state: "refused", label: "flickers", problem: { code: "c", message: "not now", file: "", remedy: "" } });
    dirs.set(++last, params.dir);
    return ok({ state: "run", run: last });
  }
  if (method !== "compare") return ok({});
  const [metric] = params.params.metrics;
  if (metric === "exit") process.exit(3);
  if (metric === "bad") return ok({ nonsense: true });
  ok(params.runs.map((run) => ({ step: threadId + " " + (dirs.get(run) ?? "closed"), x: null, values: [] })));
});
`;

const threads: Worker[] = [];
const workers: RunWorker[] = [];
afterEach(async () => {
  for (const worker of workers.splice(0)) worker.dispose();
  await Promise.all(threads.splice(0).map((thread) => thread.terminate()));
});

function start(): { pool: RunPool; worker: RunWorker } {
  const worker = new RunWorker({
    spawn() {
      const board = new Board(new SharedArrayBuffer(BOARD_BYTES));
      const thread = new Worker(SCRIPT, { eval: true });
      threads.push(thread);
      return Object.assign(thread, { board });
    },
    limits: LIMITS,
    log() {},
  });
  workers.push(worker);
  return { pool: new RunPool(worker), worker };
}

async function open(worker: RunWorker, dir: string): Promise<WorkerRun> {
  const opened = await worker.open(dir, false);
  if (opened.state !== "run") throw new Error(opened.problem.message);
  return opened.run;
}

const ask = async (pool: RunPool, runs: readonly WorkerRun[], metric = "kl", signal?: AbortSignal) => {
  const rows = await pool.compare(runs, "compare.at", { align: "step", at: 1, metrics: [metric] }, signal);
  return rows.map(({ step }) => step.split(" ") as [thread: string, dir: string]);
};

describe("a question about several runs", () => {
  it("names them as their thread does, the baseline first", async () => {
    const { pool, worker } = start();
    const [a, b] = [await open(worker, "/a"), await open(worker, "/b")];
    expect((await ask(pool, [b, a])).map(([, dir]) => dir)).toEqual(["/b", "/a"]);
  });

  it("opens all of them again in the thread that takes a lost one's place", async () => {
    const { pool, worker } = start();
    const runs = [await open(worker, "/a"), await open(worker, "/b"), await open(worker, "/c")];
    const [[before = ""] = []] = await ask(pool, runs);
    await expect(ask(pool, runs, "exit")).rejects.toThrow("made the reader stop");
    const after = await ask(pool, runs);
    expect(after.map(([, dir]) => dir)).toEqual(["/a", "/b", "/c"]);
    expect(new Set(after.map(([thread]) => thread)).size).toBe(1);
    expect(after[0]?.[0]).not.toBe(before);
    // What the thread died of is not asked again, and the rest is.
    await expect(ask(pool, runs, "exit")).rejects.toThrow("made the reader stop");
    expect(await ask(pool, runs)).toEqual(after);
  });

  it("takes a run's new files, once it was opened again", async () => {
    const { pool, worker } = start();
    const [a, b] = [await open(worker, "/a"), await open(worker, "/b")];
    await b.reload();
    expect((await ask(pool, [a, b])).map(([, dir]) => dir)).toEqual(["/a", "/b"]);
  });

  it("is refused with words when its answer cannot be understood, and quietly when it is taken back", async () => {
    const { pool, worker } = start();
    const runs = [await open(worker, "/a"), await open(worker, "/b")];
    await expect(ask(pool, runs, "bad")).rejects.toBeInstanceOf(ProblemError);
    const abort = new AbortController();
    abort.abort();
    const taken = ask(pool, runs, "kl", abort.signal);
    await expect(taken).rejects.toSatisfy(isAborted);
  });
});

describe("a run that several hold", () => {
  it("is opened again for the next one when it was refused meanwhile", async () => {
    const { pool } = start();
    const first = await pool.acquire("/flickers", false);
    if (first.state !== "run") throw new Error(first.problem.message);
    const { lease } = first;
    expect((await lease.run.reload()).state).toBe("refused");
    // It is still refused: the next one is told so, and holds nothing.
    expect((await pool.acquire("/flickers", false)).state).toBe("refused");
    const third = await pool.acquire("/flickers", false);
    if (third.state !== "run") throw new Error(third.problem.message);
    expect(third.lease.run).toBe(lease.run);
    expect(await ask(pool, [third.lease.run])).toHaveLength(1);
    // Who had it all along is answered too.
    lease.release();
    expect(await ask(pool, [third.lease.run])).toHaveLength(1);
    third.lease.release();
  });
});
