/** `replay-main WASM JOBS`: records every job's source anew, in a process that then ends without closing what it left open. */
import { readFileSync } from "node:fs";
import { initParquet } from "../../src/core/index.ts";
import { type ReplayOptions, replay } from "./replay.ts";

export interface Job extends ReplayOptions {
  readonly source: string;
  readonly target: string;
}

async function main(): Promise<void> {
  const [wasm = "", jobs = ""] = process.argv.slice(2);
  initParquet(readFileSync(wasm));
  for (const job of JSON.parse(readFileSync(jobs, "utf8")) as Job[])
    await replay(job.source, job.target, job);
  process.exit(0);
}

void main();
