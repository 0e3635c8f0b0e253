/** What it costs to record, beside rlprobe's own recorder: of a step's time, and on the disk. `npm run bench -- --recorder`. */
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { makeRuns } from "./data.ts";
import { busy, cell, digits, Figures, spread, type Target, table, targetRows, verdict } from "./report.ts";
import { type Answer, LENGTHS, RUNS } from "./stories.ts";

export interface RecorderBenchOptions {
  readonly root: string;
  readonly rounds: number;
  /** An interpreter with rlprobe, or null. */
  readonly python: string | null;
  readonly makeRuns: string;
}

const LOOP = "a step of 20 ms, 50 metrics, 16 samples";
const STEP_MS = 20;
/** That are recorded, and as many that are not: twelve seconds, so that flushes by time fall into them. */
const STEPS = 300;
const LONG = `${LENGTHS[2]} steps`;
const WHO = ["flight-deck", "rlprobe"] as const;

const start = promisify(execFile);

/** @param command is given a folder for what it records; it is gone afterwards */
async function story(cache: string, command: string, args: readonly string[]): Promise<Answer["figures"]> {
  const scratch = fs.mkdtempSync(path.join(cache, "recorder-"));
  try {
    const { stdout } = await start(command, [...args, scratch, String(STEPS)], { maxBuffer: 1 << 26 });
    return (JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Answer).figures;
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}

async function rounds({ root, rounds: count, python }: RecorderBenchOptions): Promise<Figures> {
  const figures = new Figures();
  const cache = path.join(root, ".cache/bench");
  for (let number = 0; number < count; number++) {
    process.stderr.write(`recorder, round ${number + 1} of ${count}\n`);
    const jobs = [
      async () => {
        const ours = [path.join(cache, "bin/recorder-story.cjs")];
        figures.add(number, LOOP, "flight-deck", await story(cache, process.execPath, ours));
      },
      async () => {
        const theirs = ["-W", "ignore", path.join(root, "test/bench/recorder_story.py")];
        if (python) figures.add(number, LOOP, "rlprobe", await story(cache, python, theirs));
      },
    ];
    for (const job of number % 2 === 0 ? jobs : jobs.toReversed()) await job();
  }
  return figures;
}

interface Sizes {
  readonly steps: number;
  readonly all: number;
}

function sizesOf(folder: string): Sizes {
  const bytes = (name: string): number => fs.statSync(path.join(folder, name)).size;
  const names = (fs.readdirSync(folder, { recursive: true }) as string[]).filter((name) =>
    fs.statSync(path.join(folder, name)).isFile(),
  );
  return { steps: bytes("steps.parquet"), all: names.reduce((sum, name) => sum + bytes(name), 0) };
}

/** The same records, as rlprobe wrote them and as we do. `null` without rlprobe: then the run is our own. */
async function sizes(
  options: RecorderBenchOptions,
): Promise<{ readonly ours: Sizes; readonly theirs: Sizes } | null> {
  if (!options.python) return null;
  const cache = path.join(options.root, ".cache/bench");
  const specs = RUNS.filter(({ name }) => name === LONG);
  const source = makeRuns(specs, cache, options.python, options.makeRuns).get(LONG) ?? "";
  const scratch = fs.mkdtempSync(path.join(cache, "recorder-"));
  try {
    const target = path.join(scratch, "run");
    const jobs = path.join(scratch, "jobs.json");
    fs.writeFileSync(jobs, JSON.stringify([{ source, target, closes: true }]));
    const bin = path.join(cache, "bin");
    const args = [path.join(bin, "recorder-replay.cjs"), path.join(bin, "parquet_wasm_bg.wasm"), jobs];
    await start(process.execPath, args);
    return { ours: sizesOf(target), theirs: sizesOf(source) };
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}

const LINES = [
  ["the caller's two calls, mean / ms", "call mean"],
  ["their median / ms", "call median"],
  ["the slowest / ms", "call slowest"],
  ["what the loop takes longer / %", "loop added"],
] as const;

/** @returns false when a target is missed */
export async function recorderBench(options: RecorderBenchOptions): Promise<boolean> {
  const figures = await rounds(options);
  const size = await sizes(options);
  const of = (who: string, what: string) => spread(figures.get(LOOP, who, what));
  const rows = LINES.map(([title, what]) => [title, ...WHO.map((who) => cell(of(who, what)))]);
  const mb = (bytes: number | undefined): string => (bytes === undefined ? "–" : digits(bytes / 1024 / 1024));
  const sizeRows = (["steps", "all"] as const).map((what) => [
    `${LONG} on the disk, ${what === "all" ? "all files" : "steps.parquet"} / MB`,
    mb(size?.ours[what]),
    mb(size?.theirs[what]),
  ]);
  // Of the best round: what else runs on the machine interrupts a call that wakes the writing thread.
  const calls = of("flight-deck", "call median");
  const targets: Target[] = [
    {
      ...{ what: `the caller's share of a step of ${STEP_MS} ms`, unit: "%", must: 1, aim: 0.5 },
      value: calls && (calls.min / STEP_MS) * 100,
    },
    {
      ...{ what: `size of ${LONG} on the disk, times rlprobe's`, unit: "x", must: 1.1, aim: 1.02 },
      value: size && size.ours.all / size.theirs.all,
    },
  ];
  const head = [`recording: ${LOOP}`, ...WHO];
  console.log(
    [
      `min/median of ${options.rounds} rounds; every loop in a fresh process`,
      ...busy(),
      table([head, ...rows, ...sizeRows]),
      table(targetRows(targets)),
    ].join("\n\n"),
  );
  const reached = targets.map((target) => ({ ...target, reached: verdict(target) }));
  const results = { rounds: options.rounds, figures, size, targets: reached };
  const file = path.join(options.root, ".cache/bench/recorder.json");
  fs.writeFileSync(file, `${JSON.stringify(results, null, 1)}\n`);
  return reached.every((target) => target.reached !== "missed");
}
