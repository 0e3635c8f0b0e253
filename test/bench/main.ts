/** Measures in rounds, prints tables, writes results.json. Started by scripts/bench.mjs. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { nodeSource, openRun } from "../../src/core/index.ts";
import { activation, type Places, prepare, round, type Subject } from "./children.ts";
import { makeRuns } from "./data.ts";
import { doctorRound, quality } from "./doctor.ts";
import { type FileSize, shippedSizes } from "./package-size.ts";
import { busy, Figures, table, targetRows, verdict } from "./report.ts";
import { RUNS, type RunSpec } from "./stories.ts";
import {
  decodersTable,
  doctorTable,
  memoryTable,
  packageTable,
  readingTable,
  samplesTable,
} from "./tables.ts";
import { LONG, targets } from "./targets.ts";

export interface BenchOptions {
  readonly root: string;
  readonly rounds: number;
  /** Thousands of parts, tens of thousands of shards too. */
  readonly large: boolean;
  /** Also against parquet-wasm's own projection. */
  readonly decoders: boolean;
  /** How good the doctor's verdicts are, too. */
  readonly doctor: boolean;
  /** An interpreter with rlprobe, or null. */
  readonly python: string | null;
}

async function subjectsOf(
  specs: readonly RunSpec[],
  folders: ReadonlyMap<string, string>,
  places: Places,
): Promise<Subject[]> {
  const subjects: Subject[] = [];
  for (const spec of specs) {
    const folder = folders.get(spec.name) ?? "";
    const { columns } = (await openRun(nodeSource(folder))).steps;
    const scalars = columns.filter((c) => c.kind === "scalar").map((c) => c.name);
    subjects.push(await prepare(spec, folder, { scalars, all: columns.map((c) => c.name) }, places));
  }
  return subjects;
}

async function measure(
  options: BenchOptions,
  places: Places,
  subjects: readonly Subject[],
): Promise<Figures> {
  const figures = new Figures();
  const bundle = path.join(options.root, "dist/extension.cjs");
  for (let number = 0; number < options.rounds; number++) {
    process.stderr.write(`round ${number + 1} of ${options.rounds}\n`);
    await round(number, subjects, places, options.decoders, figures);
    if (fs.existsSync(bundle))
      figures.add(number, "package", "flight-deck", await activation(places, bundle));
    const long = subjects.find(({ spec }) => spec.name === LONG);
    if (long)
      await doctorRound(
        number,
        { name: LONG, folder: long.folder },
        { root: options.root, python: options.python },
        figures,
      );
  }
  return figures;
}

function print(
  options: BenchOptions,
  specs: readonly RunSpec[],
  figures: Figures,
  sizes: readonly FileSize[],
): void {
  const blocks = [
    `min/median of ${options.rounds} rounds; every reading in a fresh process; "x" compares within a round`,
    ...busy(),
    ...(options.python
      ? []
      : [
          "No Python 3.10 or newer with rlprobe was found: its columns are left out, and the data is our own.",
        ]),
    readingTable(figures, specs),
    samplesTable(figures, specs),
    memoryTable(figures, specs),
    ...(options.decoders ? [decodersTable(figures, specs)] : []),
    doctorTable(figures, LONG),
    packageTable(figures, sizes),
    table(targetRows(targets(figures, sizes))),
  ];
  console.log(blocks.join("\n\n"));
}

/** @returns false when a target is missed */
export async function bench(options: BenchOptions): Promise<boolean> {
  const cache = path.join(options.root, ".cache/bench");
  const scripts = path.join(options.root, "test/bench");
  const places: Places = {
    bin: path.join(cache, "bin"),
    scripts,
    cache,
    wasm: path.join(options.root, "node_modules/parquet-wasm/esm/parquet_wasm_bg.wasm"),
    python: options.python,
  };
  const specs = RUNS.filter((r) => options.large || !r.large);
  const folders = makeRuns(specs, cache, options.python, path.join(scripts, "make_runs.py"));
  const figures = await measure(options, places, await subjectsOf(specs, folders, places));
  const sizes = shippedSizes(options.root);
  print(options, specs, figures, sizes);
  if (options.doctor) console.log(`\n${await quality(options.root, cache, options.python)}`);
  const reached = targets(figures, sizes).map((t) => ({ ...t, reached: verdict(t) }));
  const machine = { node: process.version, cpu: os.cpus()[0]?.model ?? "", cpus: os.cpus().length };
  const results = { rounds: options.rounds, machine, figures, sizes, targets: reached };
  fs.writeFileSync(path.join(cache, "results.json"), `${JSON.stringify(results, null, 1)}\n`);
  return reached.every((t) => t.reached !== "missed");
}
