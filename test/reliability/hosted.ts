/** The extension host's part in a process of its own, without VS Code: the real thread, and what it does to its process. */
import fs from "node:fs";
import { RunWorker, type WorkerRun } from "../../src/host/worker/client.ts";
import { RunPool } from "../../src/host/worker/pool.ts";
import { spawnWorker } from "../../src/host/worker/spawn.ts";

export interface Hosted {
  readonly worker: RunWorker;
  readonly pool: RunPool;
  /** What was logged: nothing, unless a thread was lost or replaced, or something failed. */
  readonly lines: string[];
  readonly spawned: () => number;
  /** Threads that have not ended. */
  readonly living: () => number;
}

export function host(script: string, wasm: string, cache?: string): Hosted {
  const lines: string[] = [];
  let spawned = 0;
  let living = 0;
  const worker = new RunWorker({
    spawn() {
      spawned++;
      living++;
      const paths = { script, wasm, ...(cache === undefined ? {} : { cache }) };
      const thread = spawnWorker(paths, (text) => lines.push(text));
      thread.on("exit", () => living--);
      return thread;
    },
    log: (level, line) => lines.push(`${level}: ${line}`),
  });
  return { worker, pool: new RunPool(worker), lines, spawned: () => spawned, living: () => living };
}

/** @throws when it is refused */
export async function opened(pool: RunPool, dir: string): Promise<{ run: WorkerRun; release(): void }> {
  const leased = await pool.acquire(dir, false, { ahead: true });
  if (leased.state !== "run") throw new Error(`${dir}: ${JSON.stringify(leased)}`);
  return { run: leased.lease.run, release: leased.lease.release };
}

/** Most resident memory that this process ever had, MB. */
export const peakMb = (): number =>
  Math.round(Number(/VmHWM:\s+(\d+)/.exec(fs.readFileSync("/proc/self/status", "utf8"))?.[1] ?? 0) / 1024);
