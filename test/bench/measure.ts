/**
 * One story in a process of its own: `measure STORY RUN WASM [ARGS]`. Prints one line of JSON. "cold" is the first call of
 * this process, "warm" the best of the calls after it, each on a run that was opened anew, and "cpu" the least processor time of
 * these (all threads).
 */
import fs from "node:fs";
import { initParquet, nodeSource, openRun, type RunModel } from "../../src/core/index.ts";
import { peakMb } from "./process-memory.ts";
import { type Answer, type Pick, pickColumns, SAMPLE_INDEX } from "./stories.ts";

const WARM_CALLS = 5;
/** Calls that take long are repeated fewer times, once at least. */
const WARM_BUDGET_MS = 8_000;
const figures: Record<string, number> = {};

function least(name: string, value: number): void {
  figures[name] = Math.min(value, figures[name] ?? Number.POSITIVE_INFINITY);
}

async function timed<T>(name: string, call: () => Promise<T> | T): Promise<T> {
  const before = process.cpuUsage();
  const from = performance.now();
  const result = await call();
  const ms = performance.now() - from;
  const { user, system } = process.cpuUsage(before);
  if (figures[`${name} cold`] === undefined) figures[`${name} cold`] = ms;
  else {
    least(`${name} warm`, ms);
    least(`${name} cpu`, (user + system) / 1000);
  }
  return result;
}

async function readPicked(run: RunModel, pick: Pick): Promise<void> {
  const scalars = run.steps.columns.filter((c) => c.kind === "scalar").map((c) => c.name);
  const names = pick === "all" ? run.steps.columns.map((c) => c.name) : pickColumns(pick, scalars);
  const columns = await run.steps.read(names, "merged");
  if (pick !== "all" && columns.some((c) => c === undefined)) throw new Error("a column is missing");
  if (pick !== "all") return;
  for (const { name, kind } of run.steps.columns)
    if (kind === "list") await run.steps.readList(name, "merged");
}

async function reading(folder: string, pick: Pick): Promise<void> {
  const run = await timed("open", () => openRun(nodeSource(folder)));
  await timed("axis", () => run.steps.axis("merged"));
  await timed(`read ${pick}`, () => readPicked(run, pick));
}

async function samples(folder: string): Promise<void> {
  const run = await timed("open", () => openRun(nodeSource(folder)));
  await timed("sample counts", () => run.samples.counts());
  await timed("sample index", () => run.samples.readNumbers(SAMPLE_INDEX));
}

async function main(): Promise<void> {
  const [story = "", folder = "", wasm = ""] = process.argv.slice(2);
  await timed("load", () => initParquet(fs.readFileSync(wasm)));
  const once = story === "samples" ? () => samples(folder) : () => reading(folder, story as Pick);
  await once();
  const peak = peakMb();
  const from = performance.now();
  for (let i = 0; i < WARM_CALLS && (i === 0 || performance.now() - from < WARM_BUDGET_MS); i++) await once();
  const answer: Answer = { figures: { ...figures, [`memory ${story}`]: peak } };
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

void main();
