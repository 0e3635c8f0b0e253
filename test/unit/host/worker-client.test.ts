import { Worker } from "node:worker_threads";
import { afterEach, describe, expect, it } from "vitest";
import { type Limits, LIMITS as REAL, RunWorker, type WorkerRun } from "../../../src/host/worker/client.ts";
import { BOARD_BYTES, Board } from "../../../src/protocol/board.ts";
import { isAborted, ProblemError } from "../../../src/protocol/rpc.ts";
import type { Problem } from "../../../src/protocol/wire.ts";

/**
 * A thread that behaves as it is told: by the name of the folder when a run is opened, by the first metric when asked.
 * It counts what it was asked in an array shared with the test. A metric can begin with a file that is noted before:
 * "steps.parquet:hang".
 */
const SCRIPT = `
const { parentPort, workerData } = require("node:worker_threads");
const asked = new Int32Array(workerData.asked);
const { numbers, lengths, bytes } = views(workerData.board);
let runs = 0;
const dirs = new Map();
function views(board) {
  return { numbers: new Float64Array(board, 0, 3), lengths: new Int32Array(board, 24, 2), bytes: new Uint8Array(board) };
}
function note(index, at, text) {
  const encoded = new TextEncoder().encode(text);
  bytes.set(encoded, at);
  lengths[index] = encoded.length;
}
const behave = {
  hang() { for (;;) {} },
  exit() { process.exit(3); },
  oom() { const all = []; for (;;) all.push(new Array(100000).fill({})); },
  crash() { setTimeout(() => { throw new Error("boom"); }); },
  silent() {},
  wait(answer) { setTimeout(answer, 20); },
  grow() { numbers[0] = 2e9; for (;;) {} },
  decode(answer) { numbers[1] = 3e8; answer(); },
  trap(answer) { numbers[2] = 1; answer(); },
};
parentPort.on("message", (message) => {
  if (message.kind !== "request") return;
  const { id, method, params } = message;
  const ok = (result) => parentPort.postMessage({ v: 1, kind: "ok", id, result });
  if (method === "open") {
    Atomics.add(asked, 0, 1);
    if (params.ahead) Atomics.add(asked, 3, 1);
    if (params.restricted) Atomics.add(asked, 4, 1);
    if (params.after) Atomics.add(asked, 5, 1);
    const name = params.dir.slice(1);
    if (behave[name]) return behave[name](() => ok({ state: "run", run: ++runs }));
    if (name === "refused") return ok({ state: "refused", label: name, problem: { code: "c", message: "m", file: "", remedy: "" } });
    dirs.set(++runs, params.dir);
    return ok({ state: "run", run: runs });
  }
  if (method === "close") { Atomics.add(asked, 2, 1); return ok({}); }
  if (method === "warm") return ok({});
  Atomics.add(asked, 1, 1);
  const [, file, name] = /^(?:(.*):)?(.*)$/.exec(params.params.metrics?.[0] ?? "");
  if (file) { note(0, 32, dirs.get(params.run)); note(1, 32 + 4096, file); }
  const answer = () => ok(params.method === "chart.at"
    ? { step: params.run, stepText: "", x: null, time: null, values: [] }
    : []);
  parentPort.postMessage({ v: 1, kind: "notice", name: "failed", data: { where: "asked", error: String(name) } });
  if (name && behave[name]) return behave[name](answer);
  if (name === "bad") return ok({ nonsense: true });
  answer();
});
`;

const LIMITS: Limits = {
  call: 500,
  slow: 20_000,
  lossesPerMinute: 4,
  memory: { ...REAL.memory, every: 10, idle: 30 },
};
const workers: RunWorker[] = [];
const threads: Worker[] = [];
afterEach(async () => {
  for (const worker of workers.splice(0)) worker.dispose();
  await Promise.all(threads.splice(0).map((thread) => thread.terminate()));
});

function start(limits: Partial<Limits> = {}, now?: () => number, isRestricted?: () => boolean) {
  const shared = new SharedArrayBuffer(24);
  const asked = new Int32Array(shared);
  let spawned = 0;
  const lines: string[] = [];
  const ended: Promise<unknown>[] = [];
  let onBegun: () => void = () => {};
  const begun = new Promise<void>((resolve) => {
    onBegun = resolve;
  });
  const worker = new RunWorker({
    spawn() {
      spawned++;
      const board = new Board(new SharedArrayBuffer(BOARD_BYTES));
      const thread = new Worker(SCRIPT, {
        eval: true,
        workerData: { asked: shared, board: board.buffer },
        stderr: true,
        resourceLimits: { maxOldGenerationSizeMb: 16 },
      });
      threads.push(thread);
      ended.push(new Promise((resolve) => thread.once("exit", resolve)));
      return Object.assign(thread, { board });
    },
    limits: { ...LIMITS, ...limits },
    ...(now ? { now } : {}),
    ...(isRestricted ? { isRestricted } : {}),
    log(_level, line) {
      lines.push(line);
      if (line.startsWith("worker, asked")) onBegun();
    },
  });
  workers.push(worker);
  return {
    worker,
    lines,
    /** Settle when the threads end, in the order of their start. */
    ended,
    spawned: () => spawned,
    opens: () => asked[0],
    calls: () => asked[1],
    closes: () => asked[2],
    aheads: () => asked[3],
    restricted: () => asked[4],
    /** Openings that go on from an earlier one. */
    continued: () => asked[5],
    /** Settles when the thread has begun its first question. */
    firstCall: begun,
  };
}

async function open(worker: RunWorker, dir = "/run"): Promise<WorkerRun> {
  const opened = await worker.open(dir, false);
  return opened.state === "run" ? opened.run : expect.fail(opened.state);
}

const ask = (run: WorkerRun, metric: string, signal?: AbortSignal) =>
  run.call("chart.at", { x: "step", at: 0, metrics: [metric] }, signal);
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => "ok",
    (error: unknown) => (error instanceof ProblemError ? error.problem.code : error),
  );
const stopped = (run: WorkerRun) => new Promise<Problem>((resolve) => run.onStopped(resolve));
const reopened = (run: WorkerRun) => new Promise<string>((resolve) => run.onReopened(resolve));

describe("RunWorker", () => {
  it("starts a thread when it is first needed, once", async () => {
    const { worker, spawned, opens } = start();
    expect(spawned()).toBe(0);
    const [one, two] = await Promise.all([open(worker, "/a"), open(worker, "/b")]);
    expect(await ask(one, "x")).toMatchObject({ step: 1 });
    expect(await ask(two, "x")).toMatchObject({ step: 2 });
    expect([spawned(), opens()]).toEqual([1, 2]);
  });

  it("has a run read ahead once: not again in the thread that takes a lost one's place", async () => {
    const { worker, spawned, aheads } = start();
    const opened = await worker.open("/run", false, { ahead: true });
    const run = opened.state === "run" ? opened.run : expect.fail(opened.state);
    expect(aheads()).toBe(1);
    const again = reopened(run);
    await code(ask(run, "exit"));
    await again;
    expect(await code(ask(run, "loss"))).toBe("ok");
    expect([spawned(), aheads()]).toEqual([2, 1]);
  });

  it("opens runs without their links as long as the workspace is not trusted, and afresh once it is", async () => {
    let isRestricted = true;
    const { worker, opens, closes, restricted, continued, spawned } = start(
      {},
      undefined,
      () => isRestricted,
    );
    const run = await open(worker);
    await run.reload();
    expect([opens(), restricted(), continued()]).toEqual([2, 2, 1]);
    isRestricted = false;
    const told = reopened(run);
    expect(await worker.trusted()).toEqual(["/run"]);
    expect(await told).toContain("trusted");
    expect([opens(), restricted(), continued(), spawned()]).toEqual([3, 2, 1, 1]);
    expect(await ask(run, "x")).toMatchObject({ step: 3 });
    await expect.poll(closes).toBe(2);
  });

  it("passes a refusal on as a state", async () => {
    const { worker } = start();
    expect(await worker.open("/refused", false)).toMatchObject({ state: "refused", problem: { code: "c" } });
  });

  it("refuses an answer that the contract does not know", async () => {
    const { worker } = start();
    expect(await code(ask(await open(worker), "bad"))).toBe("bad-answer");
  });

  it("closes a run in the thread and answers nothing afterwards", async () => {
    const { worker, closes } = start();
    const run = await open(worker);
    const other = await open(worker, "/other");
    run.close();
    expect(await code(ask(run, "x"))).toBe("aborted");
    await ask(other, "x");
    expect(closes()).toBe(1);
  });

  it("rejects what is pending when it is disposed, and everything afterwards", async () => {
    const { worker } = start({ call: 60_000 });
    const run = await open(worker);
    const pending = code(ask(run, "silent"));
    worker.dispose();
    expect(await pending).toBe("aborted");
    expect(await code(worker.open("/run", false))).toBe("aborted");
  });

  it.each([
    ["hang", "hung"],
    ["exit", "stopped unexpectedly"],
    ["crash", "stopped unexpectedly"],
    ["oom", "ran out of memory"],
  ])(
    "survives a thread that dies of %s: says so, starts another, opens the run there",
    async (how, words) => {
      const { worker, spawned, opens, lines } = start(how === "oom" ? { call: 20_000 } : {});
      const run = await open(worker);
      const told = reopened(run);
      expect(await code(ask(run, how))).toBe("worker-refused");
      expect(await told).toBe(`The reader ${words} and was started again.`);
      expect(await ask(run, "x")).toMatchObject({ step: 1 });
      expect([spawned(), opens()]).toEqual([2, 2]);
      expect(lines.join()).toContain("worker lost");
    },
  );

  it("does not ask again what killed a thread, until it is told to", async () => {
    const { worker, spawned } = start();
    const run = await open(worker);
    await code(ask(run, "exit"));
    expect(await code(ask(run, "exit"))).toBe("worker-refused");
    expect(spawned()).toBe(1);
    worker.forgive("/other");
    expect(await code(ask(run, "exit"))).toBe("worker-refused");
    expect(spawned()).toBe(1);
    worker.forgive("/run");
    expect(await code(ask(run, "exit"))).toBe("worker-refused");
    expect(spawned()).toBe(2);
  });

  it("finds the one that kills among many asked at once, and answers all others", async () => {
    const { worker, spawned } = start();
    const run = await open(worker);
    const metrics = ["a", "b", "exit", "c", "silent", "d"];
    const round = () => Promise.all(metrics.filter((m) => m !== "silent").map((m) => code(ask(run, m))));
    // Nothing tells the first time which of those at work it was.
    const first = Promise.all(["wait", "exit", "wait"].map((m) => code(ask(run, m))));
    expect(new Set(await first)).toEqual(new Set(["worker-lost"]));
    const second = await Promise.all(["wait", "exit"].map((m) => code(ask(run, m))));
    expect(second).toEqual(["ok", "worker-refused"]);
    expect(await round()).toEqual(["ok", "ok", "worker-refused", "ok", "ok"]);
    expect(spawned()).toBe(3);
  });

  it("ends a question that is never answered while others are", async () => {
    const { worker } = start({ call: 250 });
    const run = await open(worker);
    let isOver = false;
    const silent = code(ask(run, "silent")).finally(() => {
      isOver = true;
    });
    while (!isOver) await code(ask(run, "wait"));
    expect(await silent).toBe("worker-refused");
    expect(await code(ask(run, "wait"))).toBe("ok");
  });

  it("waits longer for questions that read every file, and for those behind them", async () => {
    const { worker, spawned } = start({ call: 1 });
    const opened = await worker.open("/wait", false);
    expect(opened.state).toBe("run");
    expect(spawned()).toBe(1);
  });

  it("blames a question that was taken back when the thread is stuck in it", async () => {
    const { worker, firstCall } = start();
    const run = await open(worker);
    const controller = new AbortController();
    const hanging = ask(run, "hang", controller.signal).catch((error: unknown) => error);
    await firstCall;
    controller.abort();
    expect(isAborted(await hanging)).toBe(true);
    expect(await code(ask(run, "x"))).toBe("worker-lost");
    expect(await code(ask(run, "x"))).toBe("ok");
    expect(await code(ask(run, "hang"))).toBe("worker-refused");
    expect(await code(ask(run, "x"))).toBe("ok");
  });

  it("gives up after too many losses in a minute, and says so, and starts again later", async () => {
    let now = 0;
    const { worker, spawned } = start({ lossesPerMinute: 2, call: 60_000 }, () => now);
    const run = await open(worker);
    await code(ask(run, "exit"));
    await code(ask(run, "crash"));
    expect(await code(ask(run, "x"))).toBe("worker-failing");
    expect(spawned()).toBe(2);
    now = 61_000;
    expect(await code(ask(run, "x"))).toBe("ok");
    expect(spawned()).toBe(3);
  });

  it("keeps a folder that kills the thread from taking others with it for good", async () => {
    const { worker } = start();
    const good = await open(worker, "/good");
    expect(await code(worker.open("/exit", false))).toBe("worker-refused");
    expect(await code(worker.open("/exit", false))).toBe("worker-refused");
    expect(await code(ask(good, "x"))).toBe("ok");
  });

  it("opens a run once for all that ask at the same time after a loss", async () => {
    const { worker, opens } = start();
    const run = await open(worker);
    await code(ask(run, "exit"));
    expect(await Promise.all(["a", "b", "c"].map((m) => code(ask(run, m))))).toEqual(["ok", "ok", "ok"]);
    expect(opens()).toBe(2);
  });

  it("names the file that the thread was in, to the pages of that run only", async () => {
    const { worker, lines } = start();
    const run = await open(worker, "/bad");
    const other = await open(worker, "/good");
    const told = stopped(run);
    let isOtherTold = false;
    void stopped(other).then(() => {
      isOtherTold = true;
    });
    // Both are at work, but only one of them can be in this file.
    const waiting = code(ask(other, "silent"));
    const problem = await ask(run, "steps/part-00003.parquet:hang").catch(
      (error: ProblemError) => error.problem,
    );
    expect(problem).toMatchObject({
      code: "worker-refused",
      file: "steps/part-00003.parquet",
      message: expect.stringContaining("Reading steps/part-00003.parquet took longer than"),
    });
    expect(await told).toEqual({
      code: "worker-stopped",
      file: "steps/part-00003.parquet",
      message: "The reader hung while reading steps/part-00003.parquet; the rest of the run is open.",
      remedy: expect.stringContaining("Retry"),
    });
    expect(await waiting).toBe("worker-lost");
    expect(await code(ask(other, "x"))).toBe("ok");
    expect(isOtherTold).toBe(false);
    expect(lines.join()).toContain("in /bad: steps/part-00003.parquet");
  });

  it("names the chart where no file is known", async () => {
    const { worker } = start();
    const run = await open(worker);
    const told = stopped(run);
    await code(run.call("chart.series", { id: "c", metrics: ["exit"], x: "step", range: null, width: 10 }));
    expect((await told).message).toBe(
      "The reader stopped unexpectedly while reading the chart of “exit”; the rest of the run is open.",
    );
  });

  it("ends a thread that grows beyond its limit, though it answers nothing", async () => {
    const { worker, spawned } = start({ call: 60_000 });
    const run = await open(worker);
    const told = stopped(run);
    expect(await code(ask(run, "samples/shard-00000.parquet:grow"))).toBe("worker-refused");
    expect((await told).message).toBe(
      "The reader ran out of memory while reading samples/shard-00000.parquet; the rest of the run is open.",
    );
    expect(await code(ask(run, "x"))).toBe("ok");
    expect(spawned()).toBe(2);
  });

  it.each(["decode", "trap"])(
    "replaces a thread after %s when nothing is asked, and says nothing",
    async (how) => {
      const { worker, spawned, opens, ended, lines } = start();
      const run = await open(worker);
      const told: string[] = [];
      run.onReopened((reason) => told.push(reason));
      run.onStopped(({ message }) => told.push(message));
      await ask(run, how);
      await ended[0];
      expect(spawned()).toBe(1);
      expect(await ask(run, "x")).toMatchObject({ step: 1 });
      expect([spawned(), opens()]).toEqual([2, 2]);
      expect(told).toEqual([]);
      expect(lines.filter((line) => line.startsWith("worker replaced"))).toHaveLength(1);
    },
  );

  it("keeps a grown thread as long as it is asked", async () => {
    const { worker, spawned } = start();
    const run = await open(worker);
    await ask(run, "decode");
    // Each takes most of the time that the thread would have to be idle for.
    for (let i = 0; i < 5; i++) await ask(run, "wait");
    expect(spawned()).toBe(1);
    expect(await ask(run, "x")).toMatchObject({ step: 1 });
    expect(spawned()).toBe(1);
  });

  it("opens a folder again whose files have changed, and closes what was open", async () => {
    const { worker, spawned, opens, closes } = start();
    const run = await open(worker);
    expect(await ask(run, "x")).toMatchObject({ step: 1 });
    const reloading = run.reload();
    expect(await ask(run, "x")).toMatchObject({ step: 2 });
    expect(await reloading).toEqual({ state: "run", run: 2 });
    await ask(run, "x");
    expect([spawned(), opens(), closes()]).toEqual([1, 2, 1]);
  });
});
