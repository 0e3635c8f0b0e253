/** Whatever is logged, and whatever the disk does: no call throws, the writer lives on, and what was lost is counted. */
import { once } from "node:events";
import fs from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventsIn, filesIn, openFolder, Project, stepsIn } from "./recorder.ts";

const project = new Project();
beforeAll(() => project.install());
afterAll(() => project.remove());

/** @returns what the script printed as JSON on its last line */
async function run(dir: string, body: string, options = "{}", spawn = {}): Promise<Record<string, unknown>> {
  const text = `import fs from "node:fs";
import { Recorder } from "flight-deck/recorder";
const dir = ${JSON.stringify(dir)};
const rec = new Recorder(dir, ${options});
const say = (more) => console.log(JSON.stringify({ dropped: rec.dropped, problem: rec.problem, ...more }));
${body}
`;
  const { code, out, err } = await project.start(text, spawn).ended;
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return JSON.parse(out.trim().split("\n").at(-1) ?? "{}") as Record<string, unknown>;
}

const messages = (dir: string, kind: string) =>
  eventsIn(dir).flatMap((event) => (event.kind === kind ? [event.message] : []));

describe("values", () => {
  it("that are none cost their record, and the next one is recorded", async () => {
    const dir = project.run();
    await run(
      dir,
      `const cyclic = {}; cyclic.self = cyclic;
const thrower = { get reward_mean() { throw new Error("no"); } };
const proxy = new Proxy({}, { ownKeys() { throw new Error("no"); } });
let step = 0;
for (const metrics of [{ f: () => 1 }, { s: Symbol("s") }, thrower, proxy, { o: cyclic }, { t: "text" },
  { n: Number.NaN }, { i: -Infinity }, { b: 2n ** 53n }, { "\\ud800": 1 }, { ["__proto__"]: 1 }, null, 5])
  rec.logStep(step++, metrics);
rec.logStep({}, {}); rec.logStep(); rec.logStep(Number.NaN, {}); rec.logStep(2n ** 70n, {});
rec.logSamples(1, [{ completion_text: "half \\udfff" }, { completion_text: 5 }, null, () => 1]);
rec.logSamples(2, [{ completion_text: "half \\udfff" }, { completion_text: 5 }, null]);
rec.logSamples(3, null); rec.logSamples(3, []); rec.logSamples(3, 7); rec.logSamples(3, thrower);
rec.logEvent("cyclic", { data: cyclic }); rec.logEvent("function", { data: { f() {} } });
rec.logEvent("big", { step: 5n, data: { n: 2n ** 80n, nan: NaN, text: "\\ud800" } });
rec.logEvent(); rec.logEvent("null", null); rec.logEvent("k", { step: "x" });
rec.logStep(step++, { reward_mean: 1 });
await rec.close(); say();`,
    );
    expect(await stepsIn(dir)).toEqual([6, 7, 8, 9, 10, 11, 13]);
    const model = await openFolder(dir);
    // Of the event.
    expect(model.warnings().map(({ code }) => code)).toEqual(["unsafe-integer"]);
    const names = model.steps.columns.map(({ name }) => name).filter((name) => name.startsWith("extra."));
    expect(names).toEqual(["extra.n", "extra.i", "extra.b", "extra.\ufffd", "extra.__proto__"]);
    const samples = await model.samples.inSteps(0, 100, 100);
    expect(samples.map((s) => s.completion_text)).toEqual(["half \ufffd"]);
    expect(eventsIn(dir).filter(({ kind }) => kind !== "bad_record")).toEqual([
      expect.objectContaining({ kind: "big", step: 5 }),
      expect.objectContaining({ kind: "null" }),
    ]);
    // Of the steps: function, symbol, getter, proxy, object, text, number; then four steps that are none.
    expect(messages(dir, "bad_record")).toHaveLength(7 + 4 + 1 + 2 + 2 + 4);
  });

  it("may be changed once they are logged, and may be large", async () => {
    const dir = project.run();
    await run(
      dir,
      `const metrics = { reward_mean: 1 };
for (let i = 0; i < 5; i++) { rec.logStep(i, metrics); metrics.reward_mean++; }
rec.logSamples(0, [{ completion_text: "x".repeat(5_000_000) }, { completion_text: "y".repeat(20_000_000) }]);
rec.logStep(5, Object.fromEntries(Array.from({ length: 2000 }, (_, i) => ["m" + i, i])));
rec.logStep(6, Object.fromEntries(Array.from({ length: 5000 }, (_, i) => ["m" + i, i])));
await rec.close(); say();`,
    );
    const model = await openFolder(dir);
    const [reward] = await model.steps.read(["reward_mean"], "recorded");
    expect([...(reward?.values ?? [])].slice(0, 5)).toEqual([1, 2, 3, 4, 5]);
    expect((await model.samples.counts()).total).toBe(1);
    expect(messages(dir, "bad_record")).toEqual([
      "sample 1 dropped: completion_text is longer than 16777216 characters",
      "step dropped: it has more than 4000 metrics",
    ]);
  });

  it("of a configuration that JSON cannot say are described in their place", async () => {
    const dir = project.run();
    await run(
      dir,
      "await rec.close(); say();",
      `{ captureEnv: false, runId: "r", trainerConfig: { lr: 1e-6, reward: (x) => x, big: 2n ** 70n, nan: NaN, gone: undefined,
         get bad() { throw new Error("no"); } } }`,
    );
    const manifest = fs.readFileSync(`${dir}/manifest.json`, "utf8");
    expect(manifest).toContain('"big": 1180591620717411303424');
    expect((JSON.parse(manifest) as { trainer_config: unknown }).trainer_config).toEqual({
      lr: 1e-6,
      reward: "[function]",
      big: 2 ** 70,
      nan: null,
      bad: "[unreadable]",
    });
  });
});

describe("more than the writer can take", () => {
  it("is dropped, counted and said; what is recorded is in order", async () => {
    const dir = project.run();
    const { dropped } = await run(
      dir,
      "for (let i = 0; i < 5000; i++) rec.logStep(i, { reward_mean: i }); await rec.close(); say();",
      "{ queueSize: 100 }",
    );
    const steps = await stepsIn(dir);
    expect(dropped).toBeGreaterThan(0);
    expect(steps.length + Number(dropped)).toBe(5000);
    expect(steps.slice(0, 100)).toEqual(Array.from({ length: 100 }, (_, i) => i));
    expect(steps).toEqual([...steps].sort((a, b) => a - b));
    const said = eventsIn(dir).filter(({ kind }) => kind === "recorder_drops");
    expect(said.reduce((sum, { data }) => sum + Number(data["count"]), 0)).toBe(dropped);
  });
});

describe("a disk", () => {
  it("that takes no more keeps what it has, is said, and lets the process end in order", async () => {
    const dir = project.run();
    // Files of at most 32 KB: a part of 200 such steps is larger, manifest and events are not.
    const body = `const wide = (i) => Object.fromEntries(Array.from({ length: 60 }, (_, k) => ["m" + k, Math.sin(i * k)]));
for (let i = 0; i < 5; i++) rec.logStep(i, wide(i));
await rec.flush(); say();
for (let i = 5; i < 300; i++) rec.logStep(i, wide(i));
await rec.flush(); say(); rec.logEvent("still here"); await rec.close(); say();`;
    const text = `import { Recorder } from "flight-deck/recorder";
const rec = new Recorder(${JSON.stringify(dir)}, { captureEnv: false });
const say = () => console.log(JSON.stringify([rec.dropped, rec.problem?.code ?? null, rec.problem?.file ?? null]));
${body}`;
    project.write("full.mjs", text);
    const { child, ended } = project.shell(`ulimit -f 64; exec "${process.execPath}" full.mjs`);
    expect(child.pid).toBeGreaterThan(0);
    const { code, out, err } = await ended;
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const said = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown[]);
    expect(said[0]).toEqual([0, null, null]);
    expect(said[1]?.slice(1)).toEqual(["io-error", "steps/part-00001.parquet"]);
    expect(said[2]).toEqual([295, "io-error", "steps/part-00001.parquet"]);
    expect(await stepsIn(dir)).toEqual([0, 1, 2, 3, 4]);
    expect(filesIn(dir)).toEqual(["events.jsonl", "manifest.json", "steps/part-00000.parquet"]);
    expect(eventsIn(dir).map(({ kind }) => kind)).toEqual([
      "recorder_failure",
      "still here",
      "recorder_drops",
    ]);
  });

  it("that may not be written to costs the recording, not the training", async () => {
    const parent = project.run();
    fs.mkdirSync(parent);
    fs.chmodSync(parent, 0o555);
    // Root may write everywhere: the script runs as somebody else then.
    const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const said = await run(
      `${parent}/run`,
      "for (let i = 0; i < 10; i++) rec.logStep(i, {}); rec.logEvent('x'); await rec.flush(); await rec.close(); say();",
      "{}",
      nobody,
    );
    expect(said).toMatchObject({ dropped: 10, problem: { code: "permission-denied", file: "" } });
    expect(filesIn(parent)).toEqual([]);
  });

  it("from which the folder is removed gets it back, with what came afterwards", async () => {
    const dir = project.run();
    await run(
      dir,
      `for (let i = 0; i < 5; i++) rec.logStep(i, {});
await rec.flush(); fs.rmSync(dir, { recursive: true });
for (let i = 5; i < 10; i++) rec.logStep(i, {});
await rec.flush(); rec.logEvent("x"); await rec.close(); say();`,
    );
    expect(await stepsIn(dir)).toEqual([5, 6, 7, 8, 9]);
    expect(filesIn(dir)).toEqual(["events.jsonl", "manifest.json", "steps.parquet"]);
  });
});

describe("the writing thread", () => {
  const caught = `import threads from "node:worker_threads";
import { syncBuiltinESMExports } from "node:module";
const { Worker } = threads;
let last = null;
threads.Worker = class extends Worker { constructor(...args) { super(...args); last = this; } };
syncBuiltinESMExports();
/** Ends the thread and waits for the next one, if there is one. */
const end = async () => { const dead = last; await dead.terminate(); await new Promise(setImmediate); };`;
  const start = (dir: string, body: string) =>
    project.start(`import { Recorder } from "flight-deck/recorder";
${caught}
const rec = new Recorder(${JSON.stringify(dir)});
${body}
console.log(JSON.stringify([rec.dropped, rec.problem?.code ?? null]));
`).ended;

  it("that dies is replaced, behind what it had written", async () => {
    const dir = project.run();
    const { code, out, err } = await start(
      dir,
      `for (let i = 0; i < 10; i++) rec.logStep(i, {});
await rec.flush(); await end();
for (let i = 10; i < 20; i++) rec.logStep(i, {});
await rec.close();`,
    );
    expect({ code, out, err }).toEqual({ code: 0, out: "[0,null]\n", err: "" });
    expect(await stepsIn(dir)).toEqual(Array.from({ length: 20 }, (_, i) => i));
    expect(eventsIn(dir).map(({ kind }) => kind)).toEqual(["recorder_resumed", "recorder_failure"]);
  });

  it("that dies again and again is given up, which ends nothing else", async () => {
    const dir = project.run();
    const { code, out, err } = await start(
      dir,
      `rec.logStep(0, {}); await rec.flush();
for (let i = 0; i < 4; i++) await end();
for (let i = 0; i < 5; i++) rec.logStep(i, {});
await rec.flush(); await rec.close();`,
    );
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(JSON.parse(out)).toEqual([expect.any(Number), "writer-lost"]);
    expect((JSON.parse(out) as number[])[0]).toBeGreaterThanOrEqual(5);
    expect(await stepsIn(dir)).toEqual([0]);
  });
});

describe("a folder that holds a recording", () => {
  const again = (dir: string, options: string) =>
    project.start(`import { Recorder } from "flight-deck/recorder";
try {
  const rec = new Recorder(${JSON.stringify(dir)}, ${options});
  rec.logStep(3, {}); await rec.close(); console.log("recorded");
} catch (error) { console.log(error.code, error instanceof Error, error.folder === ${JSON.stringify(dir)}); }
`).ended;

  it("is refused and left as it is, or continued when that is asked for", async () => {
    const dir = project.run();
    await run(dir, "for (let i = 0; i < 3; i++) rec.logStep(i, {}); await rec.close(); say();");
    const before = filesIn(dir).map((name) => [name, fs.statSync(`${dir}/${name}`).mtimeMs]);
    expect((await again(dir, "{}")).out).toBe("recording-exists true true\n");
    expect(filesIn(dir).map((name) => [name, fs.statSync(`${dir}/${name}`).mtimeMs])).toEqual(before);
    expect((await again(dir, "{ resume: true }")).out).toBe("recorded\n");
    expect(await stepsIn(dir)).toEqual([0, 1, 2, 3]);
  });

  it("and that two processes want at once is given to one", async () => {
    const dir = project.run();
    const all = Array.from({ length: 6 }, () =>
      project.start(`import { once } from "node:events";
import { Recorder } from "flight-deck/recorder";
console.log("ready"); await once(process.stdin, "data"); process.stdin.destroy();
try {
  const rec = new Recorder(${JSON.stringify(dir)}, { captureEnv: false });
  rec.logStep(3, {}); await rec.close(); console.log("recorded");
} catch (error) { console.log(error.code); }
`),
    );
    await Promise.all(all.map(({ child }) => child.stdout && once(child.stdout, "data")));
    for (const { child } of all) child.stdin?.end("go");
    const said = await Promise.all(all.map(async ({ ended }) => (await ended).out.split("\n")[1]));
    expect(said.sort()).toEqual(["recorded", ...new Array<string>(5).fill("recording-exists")].sort());
    expect(await stepsIn(dir)).toEqual([3]);
  });
});

describe("a wrong call", () => {
  const wrong: [what: string, call: string, error: string][] = [
    ["no folder", "new Recorder()", "TypeError"],
    ["a file for a folder", 'new Recorder("package.json")', "TypeError"],
    ["half a rank", 'new Recorder("r", { rank: 0.5 })', "RangeError"],
    ["a configuration that is none", 'new Recorder("r", { trainerConfig: "lr" })', "TypeError"],
    ["an id that is no text", 'new Recorder("r", { runId: 5 })', "TypeError"],
    ["no time between flushes", 'new Recorder("r", { flushIntervalSeconds: 0 })', "RangeError"],
    ["fewer samples than none", 'new Recorder("r", { sampling: { topK: -1 } })', "RangeError"],
  ];
  it("throws where it is made, and leaves nothing", async () => {
    project.write("package.json", "{}");
    const calls = wrong.map(([, call]) => `() => ${call}`).join(",\n");
    const { out, code } = await project.start(`import { Recorder } from "flight-deck/recorder";
for (const call of [${calls}])
  try { call(); console.log("none"); } catch (error) { console.log(error.name); }
`).ended;
    expect(code).toBe(0);
    expect(out.trim().split("\n")).toEqual(wrong.map(([, , error]) => error));
    expect(fs.existsSync(`${project.folder}/r`)).toBe(false);
  });
});

describe("a halt policy", () => {
  const policy = (answer: string) => `(globalThis.asked = [], globalThis.told = [], { haltPolicy: {
  shouldHalt(step, metrics) { asked.push(step); ${answer} },
  onHalt(halt) { told.push(halt.step); } } })`;
  const body =
    "for (let i = 0; i < 5; i++) rec.logStep(i, { kl_mean: i }); await rec.close(); say({ asked, told, halted: rec.halted });";

  it("is asked after each step until it has a reason, which is recorded and told", async () => {
    const dir = project.run();
    const finding =
      '{ signatureId: "KL_BLOWUP", severity: "critical", confidence: 0.987, explanation: "KL left" }';
    const said = await run(dir, body, policy(`return metrics.kl_mean > 2 ? ${finding} : null;`));
    const message = "halted by KL_BLOWUP (critical, confidence 99%): KL left";
    expect(said).toMatchObject({ asked: [0, 1, 2, 3], told: [3], halted: { step: 3, message } });
    expect(eventsIn(dir)).toMatchObject([
      { kind: "auto_halt", step: 3, message, data: { signature_id: "KL_BLOWUP" } },
    ]);
    expect(await stepsIn(dir)).toEqual([0, 1, 2, 3, 4]);
    expect((await openFolder(dir)).lifecycle(Date.now())).toMatchObject({ state: "halted" });
  });

  it("may say it in words, and may fail", async () => {
    const dir = project.run();
    const answer = 'if (step === 1) throw new TypeError("no"); if (step === 3) return "enough";';
    const said = await run(dir, body, policy(answer));
    expect(said).toMatchObject({
      asked: [0, 1, 2, 3],
      halted: { message: "halted: enough", signatureId: null },
    });
    expect(eventsIn(dir).map(({ kind, message }) => [kind, message])).toEqual([
      ["bad_record", "the halt policy's answer dropped: it threw TypeError"],
      ["auto_halt", "halted: enough"],
    ]);
  });
});
