/**
 * What the reader does with parts that come to a run one by one, in a process of its own: `append-story RUN LATER WASM`. RUN is a folder
 * that may be added to, LATER one with the parts that come. Prints one line of JSON: of each append the median, and of opening the
 * whole run the first time ("cold"), anew ("warm") and with what was kept in memory ("kept").
 */
import fs from "node:fs";
import path from "node:path";
import { PARTS_DIR } from "../../src/core/format/names.ts";
import { initParquet, nodeSource, openRun } from "../../src/core/index.ts";
import type { RunSource } from "../../src/core/io/source.ts";
import { RunMemory } from "../../src/core/reader/memory.ts";
import { addPart, partsIn, WARM_APPENDS } from "./append-run.ts";
import { spread } from "./report.ts";
import { type Answer, pickColumns } from "./stories.ts";

interface Cost {
  readonly ms: number;
  readonly cpu: number;
  readonly bytes: number;
}

/** The same source, and how many bytes were read of it. */
function counting(dir: string): { readonly source: RunSource; bytes(): number } {
  const source = nodeSource(dir);
  let bytes = 0;
  const counted = (read: Uint8Array): void => {
    bytes += read.byteLength;
  };
  return {
    bytes: () => bytes,
    source: {
      label: source.label,
      list: (at) => source.list(at),
      stat: (at) => source.stat(at),
      async read(at, start, length) {
        const read = await source.read(at, start, length);
        counted(read);
        return read;
      },
      async readRanges(at, ranges) {
        const read = await source.readRanges(at, ranges);
        for (const each of read) counted(each);
        return read;
      },
    },
  };
}

/** What every chart needs and the columns of 14 of them. @param rows that are expected */
async function read(dir: string, memory: RunMemory): Promise<Cost & { readonly rows: number }> {
  const { source, bytes } = counting(dir);
  const before = process.cpuUsage();
  const from = performance.now();
  const { steps } = await openRun(source, { memory });
  const { rows } = await steps.axis("merged");
  const scalars = steps.columns.filter((c) => c.kind === "scalar").map((c) => c.name);
  const columns = await steps.read(pickColumns("charts", scalars), "merged");
  const ms = performance.now() - from;
  const { user, system } = process.cpuUsage(before);
  if (columns.some((column) => column?.values.length !== rows)) throw new Error("a column is missing");
  return { ms, cpu: (user + system) / 1000, bytes: bytes(), rows };
}

async function main(): Promise<void> {
  const [run = "", later = "", wasm = ""] = process.argv.slice(2);
  const figures: Record<string, number> = {};
  const begun = performance.now();
  initParquet(fs.readFileSync(wasm));
  const memory = new RunMemory();
  const first = await read(run, memory);
  figures["cold"] = performance.now() - begun;
  for (let i = 0; i < 3; i++)
    figures["warm"] = Math.min(
      figures["warm"] ?? Number.POSITIVE_INFINITY,
      (await read(run, new RunMemory())).ms,
    );
  figures["kept"] = (await read(run, memory)).ms;
  const costs: Cost[] = [];
  let { rows } = first;
  for (const part of partsIn(later)) {
    addPart(run, part);
    const cost = await read(run, memory);
    if (cost.rows <= rows) throw new Error("the part was not seen");
    rows = cost.rows;
    costs.push(cost);
  }
  for (const what of ["ms", "cpu", "bytes"] as const)
    figures[what] = spread(costs.slice(WARM_APPENDS).map((cost) => cost[what]))?.median ?? Number.NaN;
  figures["slowest"] = Math.max(...costs.slice(WARM_APPENDS).map(({ ms }) => ms));
  figures["parts"] = fs.existsSync(path.join(run, PARTS_DIR)) ? partsIn(run).length : 0;
  process.stdout.write(`${JSON.stringify({ figures } satisfies Answer)}\n`);
}

void main();
