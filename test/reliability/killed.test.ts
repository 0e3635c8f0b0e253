/**
 * Processes that record are killed at random moments, also while they continue a recording or merge its parts: what is left is read by
 * us and by rlprobe, after each death. 30 of 300 runs by seed; all with `npm run test:long`. Set FLIGHT_DECK_RLPROBE_PYTHON to a Python
 * that has rlprobe 0.1.0.
 */
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { initParquet } from "../../src/core/index.ts";
import { bundleInto } from "../helpers/bundle.ts";
import { endsTorn, type Found, type Life, problemsOf, readByUs } from "./killed-found.ts";
import { type Attempt, type Plan, planOf, type Said } from "./killed-plan.ts";

const isLong = process.env["FLIGHT_DECK_LONG"] === "1";
const python = process.env["FLIGHT_DECK_RLPROBE_PYTHON"];
const seed = Number(process.env["FLIGHT_DECK_SEED"] ?? 20261);
const RUNS = 300;
const PLANS = Array.from({ length: RUNS }, (_, i) => planOf(seed * 1000 + i)).filter(
  (_, i) => isLong || i % 10 === 0,
);
const AT_ONCE = os.availableParallelism() + 1;

const root = fs.mkdtempSync(path.join(os.tmpdir(), "flight-deck-killed-"));
const wasm = createRequire(import.meta.url).resolve("parquet-wasm/esm/parquet_wasm_bg.wasm");
initParquet(fs.readFileSync(wasm));

beforeAll(async () => {
  const files = "test/reliability/killed-";
  const entries = { child: `${files}child.ts`, "recorder-thread": `${files}thread.ts` };
  await bundleInto(path.join(root, "bin"), entries);
});
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

interface Ended extends Life {
  readonly signal: NodeJS.Signals | null;
  /** What it said last. */
  readonly last: Said["said"] | "nothing";
}

/** One process to its end. */
function live(folder: string, plan: Plan, attempt: Attempt): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const args = [path.join(root, "bin/child.cjs"), folder, String(plan.seed), String(attempt.number)];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    const said: Said[] = [];
    let err = "";
    const { death } = attempt;
    child.stderr.on("data", (bytes) => {
      err += bytes;
    });
    readline.createInterface({ input: child.stdout }).on("line", (line) => {
      said.push(JSON.parse(line) as Said);
      if (death.by === "time" && said.length === death.said) kill(death.ms);
      // Those that were to die at a call that never came die when there is nothing left to do.
      else if (isDone(attempt, said) && death.by !== "nobody") kill(0);
    });
    if (death.by === "time" && death.said === 0) kill(death.ms * 10);
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (code === 0 || signal === "SIGKILL") resolve({ ...lifeOf(attempt, said), signal });
      else reject(new Error(`seed ${plan.seed}, process ${attempt.number}: ${code} ${signal} ${err}`));
    });
    function kill(ms: number): void {
      setTimeout(() => child.kill("SIGKILL"), ms);
    }
  });
}

function isDone({ records, flushEvery, closes }: Attempt, said: readonly Said[]): boolean {
  if (said.at(-1)?.said === "closed") return true;
  // "begun", and once a flush; the records after the last flush are on their way.
  return !closes && said.length === 1 + Math.floor(records / flushEvery);
}

function lifeOf(attempt: Attempt, said: readonly Said[]): Omit<Ended, "signal"> {
  const flushed = said.map((each) => (each.said === "flushed" ? each.records : 0));
  const last = said.at(-1)?.said ?? "nothing";
  const safe = last === "closed" ? attempt.records : Math.max(0, ...flushed);
  return { attempt, isBegun: said.length > 0, safe, last };
}

/** What lay there after a process had ended. */
interface Scene {
  readonly plan: Plan;
  readonly lives: readonly Ended[];
  readonly copy: string;
}

async function play(plan: Plan): Promise<Scene[]> {
  const folder = path.join(root, "runs", String(plan.seed));
  const lives: Ended[] = [];
  const scenes: Scene[] = [];
  for (const attempt of plan.attempts) {
    lives.push(await live(folder, plan, attempt));
    const copy = path.join(root, "copies", `${plan.seed}-${attempt.number}`);
    fs.mkdirSync(copy, { recursive: true });
    if (fs.existsSync(folder)) fs.cpSync(folder, copy, { recursive: true });
    scenes.push({ plan, lives: [...lives], copy });
  }
  return scenes;
}

async function playAll(plans: readonly Plan[]): Promise<Scene[]> {
  const left = [...plans];
  const scenes: Scene[] = [];
  const worker = async () => {
    for (let plan = left.shift(); plan; plan = left.shift()) scenes.push(...(await play(plan)));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return scenes;
}

/** Each rank's own folder. */
const ranksOf = ({ plan, copy }: Scene): [folder: string, rank: number][] =>
  Array.from({ length: plan.ranks }, (_, rank) => [
    rank === 0 ? copy : path.join(copy, `rank-${String(rank).padStart(3, "0")}`),
    rank,
  ]);

type Reader = (folders: readonly [folder: string, rank: number][]) => Promise<(Found | null)[]>;

const byUs: Reader = (folders) => Promise.all(folders.map(([folder, rank]) => readByUs(folder, rank)));

const byRlprobe: Reader = (folders) => {
  const script = path.join(import.meta.dirname, "killed_read.py");
  const options = { input: JSON.stringify(folders), encoding: "utf8", maxBuffer: 1 << 28 } as const;
  return Promise.resolve(JSON.parse(execFileSync(python ?? "", ["-W", "ignore", script], options)));
};

async function judged(scenes: readonly Scene[], reader: Reader): Promise<string[]> {
  const folders = scenes.flatMap((scene) =>
    ranksOf(scene).map(([folder, rank]) => ({ scene, folder, rank })),
  );
  const found = await reader(folders.map(({ folder, rank }) => [folder, rank]));
  const byFolder = new Map(folders.map(({ folder }, i) => [folder, found[i] ?? null]));
  return folders.flatMap(({ scene: { plan, lives }, folder, rank }) => {
    const { number } = lives.at(-1)?.attempt ?? { number: 0 };
    const earlier = folder.replace(`${plan.seed}-${number}`, `${plan.seed}-${number - 1}`);
    const before = number === 0 ? null : (byFolder.get(earlier) ?? null);
    const isTorn = lives.at(-1)?.attempt.death.by === "call" && endsTorn(folder);
    const problems = problemsOf(plan, rank, lives, before, byFolder.get(folder) ?? null, isTorn);
    return problems.map((problem) => `seed ${plan.seed}, process ${number}, rank ${rank}: ${problem}`);
  });
}

if (!python)
  console.warn(
    "FLIGHT_DECK_RLPROBE_PYTHON is not set: recordings of killed processes are read by our reader only.",
  );

describe(`${PLANS.length} of ${RUNS} runs whose processes are killed (seed ${seed})`, () => {
  let scenes: readonly Scene[] = [];
  beforeAll(async () => {
    scenes = await playAll(PLANS);
  }, 3_600_000);

  it("each ended by SIGKILL, at all stages of its life", () => {
    const last = (scene: Scene) => scene.lives.at(-1);
    const killed = scenes.filter((scene) => last(scene)?.signal === "SIGKILL");
    expect(new Set(killed.map(({ plan }) => plan.seed)).size).toBe(PLANS.length);
    const stages = new Set(killed.map((scene) => last(scene)?.last));
    expect([...stages].sort()).toEqual(["begun", "closed", "closing", "flushed", "nothing"]);
    const resumed = killed.filter(({ lives }) => lives.length > 1);
    expect(resumed.length).toBeGreaterThan(PLANS.length / 4);
  });

  it("are read by us: nothing that was safe is lost, nothing is there twice", async () => {
    expect(await judged(scenes, byUs)).toEqual([]);
  }, 300_000);

  it("are read by rlprobe: the same", async () => {
    if (python) expect(await judged(scenes, byRlprobe)).toEqual([]);
  }, 300_000);
});
