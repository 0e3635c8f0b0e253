/** The pages of a plan (pages.ts) through Node's own zstd, where this Node has it. `floor STORY PLAN FILE` */
import fs from "node:fs";
import zlib from "node:zlib";
import type { PageRange } from "./pages.ts";
import type { Answer } from "./stories.ts";

const WARM_CALLS = 5;
type Decompress = (bytes: Uint8Array) => Uint8Array;
const decompress = (zlib as unknown as { zstdDecompressSync?: Decompress }).zstdDecompressSync;

const [story = "", plan = "", file = ""] = process.argv.slice(2);

function once(ranges: readonly PageRange[]): { ms: number; cpu: number } {
  if (!decompress) throw new Error("this Node has no zstd");
  const before = process.cpuUsage();
  const from = performance.now();
  const descriptor = fs.openSync(file, "r");
  for (const { start, length, pages } of ranges) {
    const bytes = new Uint8Array(length);
    fs.readSync(descriptor, bytes, 0, length, start);
    for (const { at, compressed } of pages) decompress(bytes.subarray(at, at + compressed));
  }
  fs.closeSync(descriptor);
  const ms = performance.now() - from;
  const { user, system } = process.cpuUsage(before);
  return { ms, cpu: (user + system) / 1000 };
}

const ranges = JSON.parse(fs.readFileSync(plan, "utf8")) as readonly PageRange[];
const cold = once(ranges);
const warm = Array.from({ length: WARM_CALLS }, () => once(ranges));
const answer: Answer = {
  figures: {
    [`${story} cold`]: cold.ms,
    [`${story} warm`]: Math.min(...warm.map((w) => w.ms)),
    [`${story} cpu`]: Math.min(...warm.map((w) => w.cpu)),
  },
};
process.stdout.write(`${JSON.stringify(answer)}\n`);
