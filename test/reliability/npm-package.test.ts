/** The package for Node as somebody gets it who has its file and nothing else: installed without a network, and everything tried from there. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import ts from "typescript";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packForNode } from "../../scripts/package-npm.mjs";
import { Command } from "../contract/command.ts";
import { eventsIn, openFolder, stepsIn } from "./recorder.ts";

const RUN = path.resolve(import.meta.dirname, "../fixtures/oracle/trl/recordings/grpo-length-hack");

const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "fd-npm-")));
const project = path.join(folder, "project");
const installed = path.join(project, "node_modules/flight-deck");

/** Nothing of the shell that runs the tests: neither its npm settings nor its home. */
const env: NodeJS.ProcessEnv = {
  PATH: process.env["PATH"] ?? "",
  HOME: path.join(folder, "home"),
  npm_config_cache: path.join(folder, "cache"),
  npm_config_offline: "true",
  npm_config_update_notifier: "false",
};

interface Ended {
  readonly code: number | string;
  readonly out: string;
  readonly err: string;
}

function run(program: string, args: readonly string[], given = env): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(program, [...args], { cwd: project, env: given, maxBuffer: 1 << 26 }, (error, out, err) =>
      resolve({ code: error === null ? 0 : (error.code ?? "killed"), out, err }),
    );
  });
}

const npx = (...args: readonly string[]): Promise<Ended> =>
  run("npx", ["--no", "flight-deck", "--", ...args]);

/** Runs a script of the project. */
function script(name: string, text: string): Promise<Ended> {
  fs.writeFileSync(path.join(project, name), text);
  return run(process.execPath, [name]);
}

let packed: Awaited<ReturnType<typeof packForNode>>;
let ours: Command;
beforeAll(async () => {
  fs.mkdirSync(project);
  fs.mkdirSync(path.join(folder, "home"));
  packed = await packForNode({ to: folder, staged: path.join(folder, "staged") });
  const { code, err } = await run("npm", ["install", "--offline", "--ignore-scripts", packed.file]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  ours = await Command.make();
}, 300_000);
afterAll(() => {
  ours?.remove();
  fs.rmSync(folder, { recursive: true, force: true });
});

test("it holds the files that test/npm-files.txt names, within its size, and nothing of this machine", () => {
  expect(packed.problems).toEqual([]);
});

test("nothing else is installed with it, and nothing of it would run at the installation", () => {
  const others = fs.readdirSync(path.join(project, "node_modules")).filter((name) => !name.startsWith("."));
  expect(others).toEqual(["flight-deck"]);
  const manifest = JSON.parse(fs.readFileSync(path.join(installed, "package.json"), "utf8"));
  expect(Object.keys(manifest).filter((key) => /scripts|dependencies/i.test(key))).toEqual([]);
  const named = [
    ...Object.values(manifest.bin),
    ...JSON.stringify(manifest.exports).matchAll(/\.\/dist[^"]+/g),
  ];
  const missing = named.filter((file) => !fs.existsSync(path.join(installed, String(file))));
  expect(missing).toEqual([]);
});

test("the command says its version and its help", async () => {
  const { version } = JSON.parse(fs.readFileSync(path.join(installed, "package.json"), "utf8"));
  expect(await npx("--version")).toMatchObject({ code: 0, err: "", out: expect.stringContaining(version) });
  expect((await npx("--help")).out).toMatch(/doctor +Diagnose a run/);
});

test("it needs Node alone: no npm, and no other program on the PATH", async () => {
  const bin = path.join(folder, "bin");
  fs.mkdirSync(bin);
  fs.symlinkSync(process.execPath, path.join(bin, "node"));
  const { code, out, err } = await run(
    path.join(bin, "node"),
    [path.join(installed, "dist/cli.cjs"), "doctor", RUN, "--json"],
    { PATH: bin },
  );
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain("REWARD_HACK_LENGTH");
});

test("doctor, inspect and diff say what the repository's own command says", async () => {
  const baseline = path.join(path.dirname(RUN), "grpo-baseline");
  const calls = [
    ["doctor", RUN, "--json"],
    ["inspect", RUN, "--json"],
    ["diff", baseline, RUN, "--json"],
  ];
  for (const call of calls) {
    const theirs = await npx(...call);
    const { code, stdout, stderr } = await ours.run(call);
    expect(theirs.err).toBe(stderr);
    expect(theirs.code).toBe(code);
    expect(JSON.parse(theirs.out)).toEqual(JSON.parse(stdout));
  }
});

test("a report is written", async () => {
  const { code, err } = await npx("report", RUN, "--out", "report.html");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const html = fs.readFileSync(path.join(project, "report.html"), "utf8");
  expect(html).toMatch(/^<!doctype html>/i);
  expect(html).toContain("REWARD_HACK_LENGTH");
  expect(html).not.toContain("<script");
});

test("the server for agents answers over standard input and output, and ends with its input", async () => {
  const child = spawn(
    "npx",
    ["--no", "flight-deck", "--", "mcp", "--no-cache", "--root", path.dirname(RUN)],
    {
      cwd: project,
      env,
      stdio: ["pipe", "pipe", "inherit"],
    },
  );
  const ended = once(child, "close");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (id: number, method: string, params: object) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return JSON.parse((await lines.next()).value ?? "null");
  };
  const hello = await ask(1, "initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  });
  expect(hello).toMatchObject({ id: 1, result: { serverInfo: { name: "flight-deck" } } });
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
  const call = { name: "flightdeck_diagnose_run", arguments: { run: path.basename(RUN) } };
  const { result } = await ask(2, "tools/call", call);
  expect(result.content[0].text).toContain("REWARD_HACK_LENGTH");
  child.stdin.end();
  expect((await ended)[0]).toBe(0);
});

const RECORDING = `
const recorder = new Recorder(process.argv[1] + ".run", { algorithm: "grpo" });
for (let step = 0; step < 10; step++) {
  recorder.logStep(step, { reward_mean: step / 10 });
  recorder.logSamples(step, [{ prompt_text: "6 × 7 =", completion_text: "42", reward_total: 1 }]);
}
recorder.logEvent("train_end");
recorder.close().then(() => { if (recorder.problem !== null) throw recorder.problem; });
`;

test.each([
  ["imported", "record.mjs", 'import { Recorder } from "flight-deck/recorder";'],
  ["required", "record.cjs", 'const { Recorder } = require("flight-deck/recorder");'],
])("the recorder, %s by its name, records what is read back", async (_how, name, first) => {
  expect(await script(name, `${first}${RECORDING}`)).toEqual({ code: 0, out: "", err: "" });
  const dir = path.join(project, `${name}.run`);
  expect(await stepsIn(dir)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(eventsIn(dir).map(({ kind }) => kind)).toEqual(["train_end"]);
  const model = await openFolder(dir);
  expect(model.warnings()).toEqual([]);
  expect((await model.samples.counts()).total).toBe(10);
  const { out } = await npx("inspect", dir, "--json");
  expect(JSON.parse(out)).toEqual(await ours.inspect(dir));
});

test("its types are found by its name, and nothing of the extension can be", () => {
  const from = path.join(project, "any.mts");
  const options = { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext };
  const { resolvedModule } = ts.resolveModuleName(
    "flight-deck/recorder",
    from,
    options,
    ts.sys,
    undefined,
    undefined,
    ts.ModuleKind.ESNext,
  );
  expect(resolvedModule?.resolvedFileName).toBe(path.join(installed, "dist/recorder.d.mts"));
  expect(() => createRequire(from).resolve("flight-deck")).toThrow(/exports/);
});
