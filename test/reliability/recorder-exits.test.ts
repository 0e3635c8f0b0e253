/** However a recording process ends: what it logged is there, the end is said, and it ends as it would have without a recorder. */
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Ended, eventsIn, filesIn, Project, stepsIn } from "./recorder.ts";

const project = new Project();
beforeAll(() => project.install());
afterAll(() => project.remove());

const TEN = Array.from({ length: 10 }, (_, i) => i);

/** The script's lines are the same with a recorder and without, so that its stack traces are. */
function script(dir: string, how: string, isRecording = true): string {
  return `import { Recorder } from "flight-deck/recorder";
const rec = ${isRecording ? `new Recorder(${JSON.stringify(dir)}, { captureEnv: false })` : "null"};
rec?.logEvent("train_begin");
for (let i = 0; i < 10; i++) rec?.logStep(i, { reward_mean: i });
const linger = () => setTimeout(() => {}, 600_000);
${how}
`;
}

const kinds = (dir: string) => eventsIn(dir).map(({ kind }) => kind);
const WHOLE = ["events.jsonl", "manifest.json", "steps.parquet"];

/** Runs the script with and without a recorder. @returns both ends, of the first what it recorded */
async function both(how: string): Promise<{ dir: string; ended: Ended; bare: Ended }> {
  const dir = project.run();
  const name = "the-script.mjs";
  const ended = await project.start(script(dir, how), { name }).ended;
  const bare = await project.start(script(dir, how, false), { name }).ended;
  return { dir, ended, bare };
}

async function isComplete(dir: string): Promise<void> {
  expect(filesIn(dir)).toEqual(WHOLE);
  expect(await stepsIn(dir)).toEqual(TEN);
}

describe("a process that records and", () => {
  it("comes to its end without closing leaves a whole recording, and is not kept alive", async () => {
    const { dir, ended, bare } = await both("");
    expect(ended).toEqual(bare);
    expect(ended.code).toBe(0);
    await isComplete(dir);
    expect(kinds(dir)).toEqual(["train_begin"]);
  });

  it("closes leaves the same", async () => {
    const { dir, ended } = await both("await rec?.close(); rec?.logStep(99, {}); await rec?.close();");
    expect(ended).toMatchObject({ code: 0, err: "" });
    await isComplete(dir);
  });

  it("calls process.exit leaves the same, with its code", async () => {
    const { dir, ended, bare } = await both("process.exit(7);");
    expect(ended).toEqual(bare);
    expect(ended.code).toBe(7);
    await isComplete(dir);
    expect(kinds(dir)).toEqual(["train_begin"]);
  });

  it("exits while it closes leaves the same", async () => {
    const { dir } = await both("rec?.close(); process.exit(0);");
    await isComplete(dir);
  });

  it("throws says the crash, and dies with the same words", async () => {
    const { dir, ended, bare } = await both('throw new RangeError("out of tokens");');
    expect(ended).toEqual(bare);
    expect(ended.code).toBe(1);
    expect(ended.err).toContain("RangeError: out of tokens");
    await isComplete(dir);
    expect(eventsIn(dir)[1]).toMatchObject({
      kind: "crash",
      step: null,
      message: "RangeError: out of tokens",
    });
    expect(String(eventsIn(dir)[1]?.data["stack"])).toContain("the-script.mjs:6");
  });

  it("rejects where nobody listens says the crash, and dies with the same words", async () => {
    const { dir, ended, bare } = await both('Promise.reject(new Error("lost the node")); linger();');
    expect(ended).toEqual(bare);
    expect(ended.code).toBe(1);
    await isComplete(dir);
    expect(eventsIn(dir)[1]).toMatchObject({ kind: "crash", message: "Error: lost the node" });
  });

  it("throws what is no error says so too", async () => {
    const { dir, ended, bare } = await both("throw { toString() { throw 1; } };");
    expect(ended.code).toBe(bare.code);
    await isComplete(dir);
    expect(kinds(dir)).toEqual(["train_begin", "crash"]);
  });

  it("catches what it throws and goes on says no crash", async () => {
    const { dir, ended } = await both(`process.on("uncaughtException", () => {});
setTimeout(() => { rec?.logEvent("train_end"); }, 10);
throw new Error("caught");`);
    expect(ended.code).toBe(0);
    expect(kinds(dir)).toEqual(["train_begin", "train_end"]);
  });

  it("catches what it throws and gives up says the crash", async () => {
    const { dir, ended } = await both(`process.on("uncaughtException", () => process.exit(4));
throw new Error("not survived");`);
    expect(ended.code).toBe(4);
    await isComplete(dir);
    expect(eventsIn(dir)[1]).toMatchObject({ kind: "crash", message: "Error: not survived" });
  });

  const signals: [signal: NodeJS.Signals, number: number][] = [
    ["SIGTERM", 15],
    ["SIGINT", 2],
    ["SIGHUP", 1],
  ];
  it.each(signals)("is told to stop by %s says so, and dies of it", async (signal, number) => {
    const dir = project.run();
    const { child, ended } = project.start(script(dir, 'console.log("ready"); linger();'));
    if (child.stdout) await once(child.stdout, "data");
    child.kill(signal);
    expect(await ended).toMatchObject({ code: null, signal });
    await isComplete(dir);
    expect(eventsIn(dir)[1]).toMatchObject({ kind: "crash", message: `signal ${number}` });
  });

  it("handles a signal itself has the last word", async () => {
    const dir = project.run();
    const how = `process.on("SIGTERM", () => { rec?.logStep(10, {}); rec?.logEvent("train_end"); process.exit(3); });
console.log("ready"); linger();`;
    const { child, ended } = project.start(script(dir, how));
    if (child.stdout) await once(child.stdout, "data");
    child.kill("SIGTERM");
    expect(await ended).toMatchObject({ code: 3 });
    expect(await stepsIn(dir)).toEqual([...TEN, 10]);
    expect(kinds(dir)).toEqual(["train_begin", "signal", "train_end"]);
  });

  it("leaves at once when it handles a signal has the signal said", async () => {
    const dir = project.run();
    const how = 'process.on("SIGTERM", () => process.exit(0)); console.log("ready"); linger();';
    const { child, ended } = project.start(script(dir, how));
    if (child.stdout) await once(child.stdout, "data");
    child.kill("SIGTERM");
    expect((await ended).code).toBe(0);
    expect(eventsIn(dir).slice(1)).toMatchObject([
      { kind: "signal", message: "signal 15" },
      { kind: "crash", message: "signal 15" },
    ]);
  });

  it("has a library that ends the process when nobody else listens is ended by it, and loses nothing", async () => {
    const dir = project.run();
    const how = `const own = () => {
  if (process.listeners("SIGTERM").length > 1) return;
  process.off("SIGTERM", own);
  process.kill(process.pid, "SIGTERM");
};
process.on("SIGTERM", own);
console.log("ready"); linger();`;
    const { child, ended } = project.start(script(dir, how));
    if (child.stdout) await once(child.stdout, "data");
    child.kill("SIGTERM");
    expect(await ended).toMatchObject({ code: null, signal: "SIGTERM" });
    expect(await stepsIn(dir)).toEqual(TEN);
    expect(eventsIn(dir)[1]).toMatchObject({ kind: "signal", message: "signal 15" });
  });

  it("ignores a signal goes on, and dies of the next one that nobody handles", async () => {
    const dir = project.run();
    const how = `process.once("SIGTERM", () => { rec?.logStep(10, {}); setImmediate(() => console.log("again")); });
console.log("ready"); linger();`;
    const { child, ended } = project.start(script(dir, how));
    if (child.stdout) await once(child.stdout, "data");
    child.kill("SIGTERM");
    if (child.stdout) await once(child.stdout, "data");
    child.kill("SIGTERM");
    expect(await ended).toMatchObject({ code: null, signal: "SIGTERM" });
    expect(await stepsIn(dir)).toEqual([...TEN, 10]);
    expect(kinds(dir)).toEqual(["train_begin", "signal", "crash"]);
  });

  it("loaded the package twice, as a module and in CommonJS, dies of a signal all the same", async () => {
    const dir = project.run();
    const how = `const { createRequire } = await import("node:module");
const other = createRequire(import.meta.url)("flight-deck/recorder");
const second = new other.Recorder(${JSON.stringify(`${dir}-b`)});
second.logStep(1, {});
console.log("ready"); linger();`;
    const { child, ended } = project.start(script(dir, how));
    if (child.stdout) await once(child.stdout, "data");
    child.kill("SIGTERM");
    expect(await ended).toMatchObject({ code: null, signal: "SIGTERM" });
    await isComplete(dir);
    expect(await stepsIn(`${dir}-b`)).toEqual([1]);
  });

  it("has several recorders closes them all", async () => {
    const dir = project.run();
    const other = `${dir}-b`;
    await project.start(
      script(dir, `const b = new Recorder(${JSON.stringify(other)}); b.logStep(0, {}); process.exit(0);`),
    ).ended;
    await isComplete(dir);
    expect(await stepsIn(other)).toEqual([0]);
  });

  it("asked for no handlers is left to itself", async () => {
    const dir = project.run();
    const { ended } = project.start(`import { Recorder } from "flight-deck/recorder";
const rec = new Recorder(${JSON.stringify(dir)}, { exitHandlers: false });
rec.logStep(0, {});
console.log(process.listenerCount("SIGTERM"));
await rec.flush();
process.exit(0);
`);
    expect((await ended).out).toBe("0\n");
    expect(filesIn(dir)).toEqual(["manifest.json", "steps/part-00000.parquet"]);
  });

  it("closes its last recorder has no handlers left", async () => {
    const { ended } = await both(`const say = () => console.log(process.listenerCount("SIGTERM"));
say(); await rec?.close(); say();`);
    expect(ended.out).toBe("1\n0\n");
  });

  it("runs under loaders and in CommonJS records all the same", async () => {
    const dir = project.run();
    // It would end the thread if it came with it.
    project.write("first.cjs", 'if (!require("node:worker_threads").isMainThread) throw new Error("here");');
    const text = `const { Recorder } = require("flight-deck/recorder");
const rec = new Recorder(${JSON.stringify(dir)});
for (let i = 0; i < 10; i++) rec.logStep(i, { reward_mean: i });
`;
    const env = { ...process.env, NODE_OPTIONS: "--require=./first.cjs" };
    expect(await project.start(text, { name: "old.cjs", env }).ended).toMatchObject({ code: 0, err: "" });
    expect(await stepsIn(dir)).toEqual(TEN);
    expect(eventsIn(dir)).toEqual([]);
  });
});

describe("other ranks", () => {
  it("record nothing, install nothing and take every call", async () => {
    const dir = project.run();
    const { ended } = project.start(`import { Recorder } from "flight-deck/recorder";
const rec = new Recorder(${JSON.stringify(dir)}, { rank: 3, worldSize: 4 });
rec.logStep(0, {}); rec.logSamples(0, [{}]); rec.logEvent("x");
await rec.flush();
console.log(rec.active, rec.dropped, process.listenerCount("SIGTERM"));
await rec.close();
`);
    expect((await ended).out).toBe("false 0 0\n");
    expect(() => filesIn(dir)).toThrow("ENOENT");
  });

  it("record into folders of their own where all ranks are to", async () => {
    const dir = project.run();
    const { ended } = project.start(`import { Recorder } from "flight-deck/recorder";
for (const rank of [1, 0]) {
  const rec = new Recorder(${JSON.stringify(dir)}, { rank, worldSize: 2, recordAllRanks: true });
  rec.logStep(0, { reward_mean: rank });
  rec.logSamples(0, [{ completion_text: "of rank " + rank }]);
  rec.logEvent("checkpoint");
  await rec.close();
}
`);
    expect(await ended).toMatchObject({ code: 0, err: "" });
    expect(filesIn(dir)).toContain("rank-001/steps.parquet");
    expect(eventsIn(`${dir}/rank-001`)[0]?.rank).toBe(1);
  });
});
