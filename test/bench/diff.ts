/** `flight-deck diff` beside `rlprobe diff`: whole processes on two runs of 100,000 steps, from files to JSON. */
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { makeRuns } from "./data.ts";
import { cell, Figures, ratio, spread, table, targetRows, verdict } from "./report.ts";
import { LENGTHS, type RunSpec } from "./stories.ts";

export interface DiffOptions {
  readonly root: string;
  readonly rounds: number;
  readonly python: string | null;
  readonly makeRuns: string;
}

const STEPS = LENGTHS[2];
const spec = (name: string): RunSpec => ({
  name,
  kind: "compacted",
  steps: STEPS,
  parts: 1,
  shards: 0,
  rowsPerShard: 0,
  large: false,
});
const A = spec(`${STEPS} steps`);
const B: RunSpec = { ...spec(`${STEPS} steps, other seed`), seed: 4 };
const PAIR = "two runs";

interface Measured {
  readonly ms: number;
  /** Most resident memory, MB; NaN where the system does not tell. */
  readonly mb: number;
}

/** A whole process, its output thrown away. @throws when it fails */
function measure(command: string, args: readonly string[]): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const from = performance.now();
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
    child.stdout.resume();
    let mb = Number.NaN;
    const timer = setInterval(() => {
      mb = highWater(child.pid) ?? mb;
    }, 5);
    child.on("error", reject);
    child.on("close", (code) => {
      clearInterval(timer);
      if (code === 0) resolve({ ms: performance.now() - from, mb });
      else reject(new Error(`${path.basename(command)} ended with ${code}`));
    });
  });
}

/** It only ever grows: the last look before the end is the highest. */
function highWater(pid: number | undefined): number | null {
  try {
    const found = /VmHWM:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"));
    return found ? Number(found[1]) / 1024 : null;
  } catch {
    return null;
  }
}

const RLPROBE = "from rlprobe.cli import main; main()";

/** @returns false when a target is missed */
export async function diffBench(options: DiffOptions): Promise<boolean> {
  const { root, python } = options;
  const folders = makeRuns([A, B], path.join(root, ".cache/bench"), python, options.makeRuns);
  const runs = [A, B].map(({ name }) => folders.get(name) ?? "");
  const figures = new Figures();
  for (let number = 0; number < options.rounds; number++) {
    process.stderr.write(`round ${number + 1} of ${options.rounds}\n`);
    const jobs = [
      async () => note(number, "flight-deck", await ours(root, runs)),
      async () => {
        if (python !== null) note(number, "rlprobe", await theirs(python, runs));
      },
    ];
    if (number % 2 === 1) jobs.reverse();
    for (const job of jobs) await job();
  }
  return report(figures, options);

  function note(number: number, who: string, { ms, mb }: Measured): void {
    figures.add(number, PAIR, who, { process: ms, memory: mb });
  }
}

function ours(root: string, runs: readonly string[]): Promise<Measured> {
  return measure(process.execPath, [
    path.join(root, "dist/cli.cjs"),
    "diff",
    ...runs,
    "--json",
    "--as-recorded",
  ]);
}

function theirs(python: string, runs: readonly string[]): Promise<Measured> {
  const script = path.join(path.dirname(python), "rlprobe");
  const [command = python, ...first] = fs.existsSync(script) ? [script] : [python, "-c", RLPROBE];
  return measure(command, [...first, "diff", ...runs, "--json"]);
}

function report(figures: Figures, { rounds }: DiffOptions): boolean {
  const of = (who: string, what: string) => figures.get(PAIR, who, what);
  const speed = ratio(of("flight-deck", "process"), of("rlprobe", "process"));
  const memory = spread(of("flight-deck", "memory"));
  const targets = [
    {
      what: `diff of two runs of ${STEPS} steps, whole process, times rlprobe's`,
      unit: "x",
      must: 1 / 8,
      aim: 1 / 20,
      value: speed?.min ?? null,
    },
    { what: "memory of that process", unit: " MB", must: 800, aim: 400, value: memory?.median ?? null },
  ];
  const rows = ["flight-deck", "rlprobe"].map((who) => [
    who,
    cell(spread(of(who, "process"))),
    cell(spread(of(who, "memory"))),
  ]);
  console.log(
    [
      `min/median of ${rounds} rounds; every reading in a fresh process`,
      table([["diff --json, two runs", "whole process, ms", "memory, MB"], ...rows]),
      `rlprobe / flight-deck: ${cell(ratio(of("rlprobe", "process"), of("flight-deck", "process")), "x")}`,
      table(targetRows(targets)),
    ].join("\n\n"),
  );
  return targets.every((target) => verdict(target) !== "missed");
}
