/** The processes of one round: each story of each reader in a process of its own, one after another. */
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import zlib from "node:zlib";
import { pagePlan } from "./pages.ts";
import type { Figures } from "./report.ts";
import {
  type Answer,
  folderOf,
  PICKS,
  type Pick,
  pickColumns,
  type RunSpec,
  SAMPLE_INDEX,
} from "./stories.ts";

const start = promisify(execFile);

export interface Places {
  /** Bundled programs: measure.cjs, decoders.cjs, floor.cjs, activation.cjs. */
  readonly bin: string;
  /** The folder that holds measure.py. */
  readonly scripts: string;
  readonly cache: string;
  readonly wasm: string;
  readonly python: string | null;
}

/** A run with all that its children are told. */
export interface Subject {
  readonly spec: RunSpec;
  readonly folder: string;
  /** Page plans by story; only for a compacted run. */
  readonly plans: ReadonlyMap<Pick, string>;
  /** File and column lists for decoders.cjs by story. */
  readonly lists: ReadonlyMap<string, string>;
}

async function ask(command: string, args: readonly string[]): Promise<Answer["figures"]> {
  const { stdout } = await start(command, args, { maxBuffer: 1 << 24 });
  const line = stdout.trim().split("\n").at(-1) ?? "";
  return (JSON.parse(line) as Answer).figures;
}

/** @param scalars names of the run's numeric columns; `all` those of every column */
export async function prepare(
  spec: RunSpec,
  folder: string,
  columns: { readonly scalars: readonly string[]; readonly all: readonly string[] },
  places: Places,
): Promise<Subject> {
  const named = (pick: Pick) => (pick === "all" ? columns.all : pickColumns(pick, columns.scalars));
  const plans = new Map<Pick, string>();
  const lists = new Map<string, string>();
  const put = (name: string, value: unknown) => {
    const file = path.join(places.cache, `${folderOf(spec.name)}-${name}.json`);
    fs.writeFileSync(file, JSON.stringify(value));
    return file;
  };
  const filesIn = (dir: string) =>
    fs
      .readdirSync(path.join(folder, dir))
      .sort()
      .map((n) => `${dir}/${n}`);
  const files = spec.parts === 1 ? ["steps.parquet"] : filesIn("steps");
  for (const pick of PICKS) {
    if (spec.parts === 1) plans.set(pick, put(`pages-${pick}`, await pagePlan(folder, named(pick))));
    lists.set(`read ${pick}`, put(`list-${pick}`, { folder, files, columns: named(pick) }));
  }
  if (spec.shards > 0)
    lists.set(
      "sample index",
      put("list-samples", { folder, files: filesIn("samples"), columns: SAMPLE_INDEX }),
    );
  return { spec, folder, plans, lists };
}

/** Ways of decoding that `--decoders` compares. */
export const WAYS = ["excerpts", "ParquetFile.read"] as const;

interface Job {
  readonly who: string;
  run(): Promise<Answer["figures"]>;
}

function only(figures: Answer["figures"], name: string): Answer["figures"] {
  return Object.fromEntries(Object.entries(figures).filter(([key]) => key.startsWith(`${name} `)));
}

/** What a reader of charts waits for, all in: loading the decoder, opening, the axis, the columns. */
function withSums(figures: Answer["figures"], pick: Pick): Answer["figures"] {
  const of = (name: string) => figures[name] ?? Number.NaN;
  const read = `read ${pick}`;
  return {
    // Opening, axis and load are reported of one story only, so that each figure has one value a round.
    ...(pick === "charts" ? figures : only(figures, read)),
    [`memory ${pick}`]: of(`memory ${pick}`),
    [`ready ${pick} cold`]: of("load cold") + of("open cold") + of("axis cold") + of(`${read} cold`),
    [`ready ${pick} warm`]: of("open warm") + of("axis warm") + of(`${read} warm`),
  };
}

function jobs(subject: Subject, places: Places, decoders: boolean, round: number): Job[] {
  const { spec, folder, plans, lists } = subject;
  const node = process.execPath;
  const bin = (name: string) => path.join(places.bin, `${name}.cjs`);
  const script = path.join(places.scripts, "measure.py");
  const out: Job[] = [];
  if (spec.kind !== "shards")
    for (const pick of PICKS)
      out.push({
        who: "flight-deck",
        run: async () => withSums(await ask(node, [bin("measure"), pick, folder, places.wasm]), pick),
      });
  if (spec.shards > 0)
    out.push({ who: "flight-deck", run: () => ask(node, [bin("measure"), "samples", folder, places.wasm]) });
  const { python } = places;
  if (python && spec.kind !== "shards")
    out.push({ who: "rlprobe", run: () => ask(python, [script, "steps", folder]) });
  // Its reader takes minutes and gigabytes for tens of thousands of shards: once is enough to know.
  if (python && spec.shards > 0 && (spec.kind !== "shards" || round === 0))
    out.push({ who: "rlprobe", run: () => ask(python, [script, "samples", folder]) });
  for (const [pick, plan] of plans) {
    const file = path.join(folder, "steps.parquet");
    if (spec.kind === "shards") break;
    if ("zstdDecompressSync" in zlib)
      out.push({ who: "floor", run: () => ask(node, [bin("floor"), `read ${pick}`, plan, file]) });
    else if (python)
      out.push({ who: "floor", run: () => ask(python, [script, "floor", `read ${pick}`, plan, file]) });
  }
  if (decoders)
    for (const [story, list] of lists) {
      if (spec.kind === "shards" && story !== "sample index") continue;
      for (const who of WAYS)
        out.push({ who, run: () => ask(node, [bin("decoders"), who, story, list, places.wasm]) });
    }
  return out;
}

/** One round over all runs. Every other round goes backwards, so that no reader always comes after the same one. */
export async function round(
  number: number,
  subjects: readonly Subject[],
  places: Places,
  decoders: boolean,
  figures: Figures,
): Promise<void> {
  for (const subject of subjects) {
    const list = jobs(subject, places, decoders, number);
    if (number % 2 === 1) list.reverse();
    for (const job of list) figures.add(number, subject.spec.name, job.who, await job.run());
  }
}

/** Loading and activating the extension's bundle, in a fresh process. */
export function activation(places: Places, bundle: string): Promise<Answer["figures"]> {
  return ask(process.execPath, [path.join(places.bin, "activation.cjs"), bundle]);
}
