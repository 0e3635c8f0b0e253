/**
 * A run's folder, and the folder for what is kept, in which nothing can be written: folders of another user, and (where this may mount) a
 * file system that is mounted read-only. All that reads works as ever and says nothing of it; what writes says what it could not write.
 */
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleCommand, bundleInto } from "../helpers/bundle.ts";
import type { LeaksAnswer } from "./leaks-child.ts";

const recordings = path.resolve(import.meta.dirname, "../fixtures/oracle/trl/recordings");
const RUNS = ["grpo-baseline", "grpo-length-hack"];

let root = "";
/** What nobody can write to: runs, and a cache. */
const shelf = () => path.join(root, "shelf");
const run = (name = RUNS[0] ?? "") => path.join(shelf(), "runs", name);
const program = (name: string) => path.join(root, "bin", name);

beforeAll(async () => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), "flight-deck-readonly-"));
  fs.mkdirSync(program("dist"), { recursive: true });
  fs.mkdirSync(path.join(shelf(), "cache"), { recursive: true });
  for (const name of RUNS) fs.cpSync(path.join(recordings, name), run(name), { recursive: true });
  fs.writeFileSync(path.join(root, "config.json"), '{"lr":1}');
  await bundleCommand(program("."), { "recorder-thread": "src/recorder/thread.ts" });
  await bundleInto(program("."), {
    child: "test/reliability/leaks-child.ts",
    thread: "test/reliability/leaks-thread.ts",
  });
  // To be read by another user, whatever the umask; written to by its owner alone, if at all.
  spawnSync("chmod", ["-R", "a+rX,go-w", root]);
  spawnSync("chmod", ["-R", "a-w", shelf()]);
});
afterAll(() => {
  spawnSync("chmod", ["-R", "u+w", root]);
  fs.rmSync(root, { recursive: true, force: true });
});

type Way = (args: readonly string[]) => SpawnSyncReturns<string>;

const INPUT = '{"type":"run","run_id":"new"}\n{"type":"step","step":0,"loss":1}\n';

const settings = () => ({
  encoding: "utf8" as const,
  maxBuffer: 1 << 26,
  cwd: "/",
  input: INPUT,
  env: {
    PATH: process.env["PATH"],
    HOME: path.join(shelf(), "home"),
    XDG_CACHE_HOME: path.join(shelf(), "cache"),
  },
});
const isRoot = process.getuid?.() === 0;
const nobody = isRoot ? { uid: 65_534, gid: 65_534 } : {};
const asOther: Way = (args) => spawnSync(process.execPath, args, { ...settings(), ...nobody });
const MOUNT = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"';
const inMount = (folder: string, args: readonly string[]) =>
  spawnSync("unshare", ["-m", "sh", "-c", MOUNT, folder, process.execPath, ...args], settings());
const mounted: Way = (args) => inMount(shelf(), args);

const canMount = isRoot && inMount(os.tmpdir(), ["--version"]).status === 0;
const ways: [string, Way][] = [
  ["another user's folders", asOther],
  ...(canMount ? ([["a file system mounted read-only", mounted]] as [string, Way][]) : []),
];

const snapshot = () =>
  spawnSync("find", [shelf(), "-printf", "%P %y %s %T@ %m\n"], { encoding: "utf8" }).stdout;

describe.each(ways)("%s", (_, start) => {
  const say = (...args: string[]) => start([program("dist/cli.cjs"), ...args]);

  test.each([
    ["ls", () => [path.join(shelf(), "runs")], 0],
    ["inspect", () => [run()], 0],
    ["doctor", () => [run("grpo-length-hack")], null],
    ["samples", () => [run()], 0],
    ["show", () => [run(), "--step", "3"], 0],
    ["diff", () => RUNS.map(run), 0],
  ] as const)("%s reads", (command, args, code) => {
    const before = snapshot();
    const { status, stdout, stderr } = say(command, ...args());
    expect({ status, stderr }).toEqual({ status: code ?? expect.any(Number), stderr: "" });
    expect(stdout.length).toBeGreaterThan(200);
    expect(snapshot()).toBe(before);
  });

  test.each([
    ["record", () => [path.join(shelf(), "runs/new")]],
    ["synth", () => [path.join(shelf(), "runs/new")]],
    ["witness", () => [run(), "--write", "--config", path.join(root, "config.json"), "--run-id", "1"]],
  ] as const)("%s says what it cannot write, in its first line", (command, args) => {
    const before = snapshot();
    const { status, stderr } = say(command, ...args());
    expect(status).toBe(2);
    expect(stderr).toMatch(/^flight-deck[^\n]*(permission|written)[^\n]*\n/i);
    expect(stderr).not.toMatch(/undefined|EROFS|EACCES| {4}at |is recorded/);
    expect(snapshot()).toBe(before);
  });

  test("the thread opens, draws, diagnoses and compares runs, and does without what it would keep", () => {
    const before = snapshot();
    const wasm = program("dist/parquet_wasm_bg.wasm");
    const kept = path.join(shelf(), "cache");
    const args = [program("child.cjs"), program("thread.cjs"), wasm, kept, "2", ...RUNS.map(run)];
    const { stdout, stderr } = start(args);
    expect(stderr).toBe("");
    const { rounds, log, spawned } = JSON.parse(stdout) as LeaksAnswer;
    expect({ rounds: rounds.length, log, spawned }).toEqual({ rounds: 2, log: [], spawned: 1 });
    expect(snapshot()).toBe(before);
  });
});
