/** What `npm run fuzz` runs once it is bundled. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { loadBases } from "./bases.ts";
import { fuzz, report } from "./fuzz.ts";
import { type Change, mutantOf } from "./mutant.ts";

export interface MainOptions {
  readonly root: string;
  readonly wasm: string;
  readonly seed: number;
  /** The first of them. */
  readonly from: number;
  readonly count: number;
  readonly only: number | null;
  readonly jobs: number | null;
  /** A folder that does not exist yet: the mutant is laid there. */
  readonly keep: string | null;
}

function lay(folder: string, root: string, wasm: string, seed: number, n: number): void {
  const bases = loadBases(path.join(root, "test/fixtures"), fs.readFileSync(wasm));
  const { base, changes } = mutantOf(bases, seed, n);
  const files = new Map<string, Change>(bases.find(({ name }) => name === base)?.files);
  for (const [file, change] of changes) files.set(file, change);
  fs.mkdirSync(folder);
  for (const [file, content] of files) {
    const at = path.join(folder, file);
    if (content === null) continue;
    fs.mkdirSync(content === "folder" ? at : path.dirname(at), { recursive: true });
    if (content !== "folder") fs.writeFileSync(at, content);
  }
}

/** @returns false when there was a fault */
export async function main({
  root,
  wasm,
  seed,
  from,
  count,
  only,
  jobs,
  keep,
}: MainOptions): Promise<boolean> {
  const numbers = only === null ? Array.from({ length: count }, (_, i) => from + i) : [only];
  if (keep !== null && only !== null) lay(keep, root, wasm, seed, only);
  let done = 0;
  const result = await fuzz({
    ...{ root, wasm, seed, numbers },
    jobs: Math.min(jobs ?? os.availableParallelism(), numbers.length),
    onOutcome(outcome) {
      done++;
      for (const fault of outcome.faults) console.log(`${outcome.n}: ${fault}`);
      if (done % 500 === 0)
        console.log(`${done} of ${numbers.length}`, new Date().toISOString().slice(11, 19));
      if (only !== null) console.log(JSON.stringify(outcome, null, 2));
    },
  });
  console.log(`seed ${seed}\n${report(result)}`);
  return result.faulty.length === 0;
}
