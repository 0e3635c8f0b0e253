import { Worker } from "node:worker_threads";
import { afterEach, describe, expect, it } from "vitest";
import { type Limits, RunWorker, type WorkerRun } from "../../../src/host/worker/client.ts";
import { isAborted, ProblemError } from "../../../src/protocol/rpc.ts";

/**
 * A thread that behaves as it is told: by the name of the folder when a run is opened, by the first metric when asked.
 * It counts what it was asked in an array shared with the test.
 */
const SCRIPT = `
const { parentPort, workerData } = require("node:worker_threads");
const asked = new Int32Array(workerData);
let runs = 0;
const behave = {
  hang() { for (;;) {} },
  exit() { process.exit(3); },
  oom() { const all = []; for (;;) all.push(new Array(100000).fill({})); },
  crash() { setTimeout(() => { throw new Error("boom"); }); },
  silent() {},
  wait(answer) { setTimeout(answer, 20); },
};
parentPort.on("message", (message) => {
  if (message.kind !== "request") return;
  const { id, method, params } = message;
  const ok = (result) => parentPort.postMessage({ v: 1, kind: "ok", id, result });
  if (method === "open") {
    Atomics.add(asked, 0, 1);
    const name = params.dir.slice(1);
    if (behave[name]) return behave[name](() => ok({ state: "run", run: ++runs }));
    if (name === "refused") return ok({ state: "refused", label: name, problem: { code: "c", message: "m", file: "", remedy: "" } });
    return ok({ state: "run", run: ++runs });
  }
  if (method === "close") { Atomics.add(asked, 2, 1); return ok({}); }
  if (method === "warm") return ok({});
  Atomics.add(asked, 1, 1);
  const [name] = params.params.metrics ?? [];
  const answer = () => ok(params.method === "chart.at"
    ? { step: params.run, stepText: "", x: null, time: null, values: [] }
    : []);
  parentPort.postMessage({ v: 1, kind: "notice", name: "failed", data: { where: "asked", error: String(name) } });
  if (name && behave[name]) return behave[name](answer);
  if (name === "bad") return ok({ nonsense: true });
  answer();
});
`;

const LIMITS: Limits = { call: 500, slow: 20_000, lossesPerMinute: 4 };
const workers: RunWorker[] = [];
const threads: Worker[] = [];
afterEach(async () => {
  for (const worker of workers.splice(0)) worker.dispose();
  await Promise.all(threads.splice(0).map((thread) => thread.terminate()));
});

function start(limits: Partial<Limits> = {}, now?: () => number) {
  const shared = new SharedArrayBuffer(12);
  const asked = new Int32Array(shared);
  let spawned = 0;
  const lines: string[] = [];
  let onBegun: () => void = () => {};
  const begun = new Promise<void>((resolve) => {
    onBegun = resolve;
  });
  const worker = new RunWorker({
    spawn() {
      spawned++;
      const thread = new Worker(SCRIPT, {
        eval: true,
        workerData: shared,
        stderr: true,
        resourceLimits: { maxOldGenerationSizeMb: 16 },
      });
      threads.push(thread);
      return thread;
    },
    limits: { ...LIMITS, ...limits },
    ...(now ? { now } : {}),
    log(_level, line) {
      lines.push(line);
      if (line.startsWith("worker, asked")) onBegun();
    },
  });
  workers.push(worker);
  return {
    worker,
    lines,
    spawned: () => spawned,
    opens: () => asked[0],
    calls: () => asked[1],
    closes: () => asked[2],
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
});
