/** 800,000 samples, in 196 full shards and in 40,000 of 20 rows: `npm run bench -- --samples`. */
import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { makeRuns } from "./data.ts";
import { cell, Figures, ratio, spread, type Target, table, targetRows, verdict } from "./report.ts";
import type { Answer, RunSpec } from "./stories.ts";

export interface SampleBenchOptions {
  readonly root: string;
  readonly rounds: number;
  /** An interpreter with rlprobe, or null. */
  readonly python: string | null;
}

const FULL = "196 shards x 4096";
const SMALL = "40000 shards x 20 steps";
const spec = (name: string, shards: number, rowsPerShard: number, steps: number): RunSpec => ({
  ...{ name, kind: "samples", steps, parts: 1, shards, rowsPerShard, large: true },
});
const SPECS = [spec(FULL, 196, 4096, 50_000), spec(SMALL, 40_000, 20, 40_000)];
const STORIES = [
  ...["open", "first rows", "index", "best 200", "sort", "filter", "screenful", "next screenful"],
  ...["screenful sorted", "one completion", "groups", "prompts", "find", "search"],
];

const start = promisify(execFile);

async function child(command: string, args: readonly string[]): Promise<Answer["figures"]> {
  const { stdout } = await start(command, args, { maxBuffer: 1 << 26 });
  return (JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Answer).figures;
}

/** Wall time of a whole process. */
async function wall(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const from = performance.now();
  await start(command, args, { maxBuffer: 1 << 26, env });
  return performance.now() - from;
}

async function round(
  number: number,
  folder: string,
  name: string,
  options: SampleBenchOptions,
  figures: Figures,
) {
  const cache = path.join(options.root, ".cache/bench");
  const wasm = path.join(options.root, "node_modules/parquet-wasm/esm/parquet_wasm_bg.wasm");
  const kept = fs.mkdtempSync(path.join(os.tmpdir(), "flight-deck-bench-"));
  try {
    for (const story of ["cold", "kept"]) {
      const args = [path.join(cache, "bin/samples.cjs"), story, folder, wasm, kept];
      figures.add(number, name, story, await child(process.execPath, args));
    }
  } finally {
    fs.rmSync(kept, { recursive: true, force: true });
  }
  if (name !== FULL) return;
  const args = [path.join(options.root, "dist/cli.cjs"), "samples", folder, "--json", "--no-cache"];
  figures.add(number, name, "process", { query: await wall(process.execPath, args, process.env) });
  // Half a minute and gigabytes: once is enough to know.
  if (options.python && number === 0) {
    const script = path.join(options.root, "test/bench/measure.py");
    const from = performance.now();
    const theirs = await child(options.python, [script, "query", folder]);
    figures.add(number, name, "rlprobe", { ...theirs, query: performance.now() - from });
  }
}

function targets(figures: Figures): Target[] {
  const median = (run: string, who: string, what: string) =>
    spread(figures.get(run, who, what))?.median ?? null;
  const ms = (run: string, who: string, what: string, title: string, must: number, aim: number): Target => ({
    ...{ what: `${run}: ${title}`, unit: " ms", must, aim, value: median(run, who, what) },
  });
  const query = ratio(figures.get(FULL, "process", "query"), figures.get(FULL, "rlprobe", "query"));
  return [
    ms(FULL, "cold", "index", "index, cold", 1_500, 750),
    ms(FULL, "kept", "index", "index, kept", 400, 200),
    ms(SMALL, "cold", "first rows", "first rows, cold", 1_000, 500),
    ms(SMALL, "cold", "index", "index, cold", 60_000, 30_000),
    ms(SMALL, "kept", "index", "index, kept", 2_000, 500),
    ms(FULL, "kept", "best 200", "best 200 by a column", 50, 15),
    ms(FULL, "kept", "sort", "full sort", 300, 100),
    ms(FULL, "kept", "one completion", "one completion", 150, 30),
    {
      ...{ what: `${FULL}: memory with the index`, unit: " MB", must: 300, aim: 220 },
      value: median(FULL, "cold", "memory index"),
    },
    {
      ...{
        what: "samples --json, whole process, times rlprobe's query",
        unit: "x",
        must: 1 / 8,
        aim: 1 / 20,
      },
      value: query?.min ?? null,
    },
  ];
}

/** @returns false when a must is missed */
export async function sampleBench(options: SampleBenchOptions): Promise<boolean> {
  const cache = path.join(options.root, ".cache/bench");
  const folders = makeRuns(SPECS, cache, options.python, path.join(options.root, "test/bench/make_runs.py"));
  const figures = new Figures();
  for (let number = 0; number < options.rounds; number++) {
    process.stderr.write(`samples, round ${number + 1} of ${options.rounds}\n`);
    for (const { name } of SPECS) await round(number, folders.get(name) ?? "", name, options, figures);
  }
  const column = (what: string) =>
    SPECS.flatMap(({ name }) => ["cold", "kept"].map((who) => cell(spread(figures.get(name, who, what)))));
  const head = SPECS.flatMap(({ name }) => [`${name}, cold`, "kept"]);
  const rows = [
    ["800,000 samples, ms", ...head],
    ...STORIES.flatMap((what) => [
      [what, ...column(what)],
      [`${what}, CPU`, ...column(`${what} cpu`)],
    ]),
    ["MB with the index", ...column("memory index")],
    ["MB after all of this", ...column("memory")],
    ["samples --json, process", cell(spread(figures.get(FULL, "process", "query")))],
    ["rlprobe's query, process", cell(spread(figures.get(FULL, "rlprobe", "query")))],
    ["rlprobe's query, MB", cell(spread(figures.get(FULL, "rlprobe", "memory query")))],
  ];
  const reached = targets(figures).map((target) => ({ ...target, reached: verdict(target) }));
  process.stdout.write(`${table(rows)}\n\n${table(targetRows(targets(figures)))}\n`);
  const file = path.join(cache, "samples.json");
  fs.writeFileSync(
    file,
    `${JSON.stringify({ rounds: options.rounds, figures, targets: reached }, null, 1)}\n`,
  );
  return reached.every((target) => target.reached !== "missed");
}
