/** Runs for agents, asked through the worker. One stays open for a while after a question, and its files are looked at anew for the next. */
import type * as vscode from "vscode";
import type { Places } from "../../agents/places.ts";
import type { AgentRun, AgentSource, Thresholds } from "../../agents/source.ts";
import type { CompareContract } from "../../protocol/compare.ts";
import { ProblemError } from "../../protocol/rpc.ts";
import type { RunContract } from "../../protocol/run.ts";
import type { FoundRuns } from "../../protocol/runs.ts";
import type { Params, Result } from "../../protocol/wire.ts";
import type { WorkerRun } from "../worker/client.ts";
import type { Lease, RunPool } from "../worker/pool.ts";

/** Milliseconds that a run stays open after a question, and how many do. */
const IDLE_MS = 20_000;
const MAX_IDLE = 4;

export interface HostParts {
  readonly places: Places;
  pool(): RunPool;
  /** Patterns of folders that are not searched. */
  excluded(): readonly string[];
  thresholds(dir: string): Promise<Thresholds>;
  ignored(): readonly string[];
}

interface Idle {
  readonly lease: Lease;
  readonly isLoose: boolean;
  readonly timer: NodeJS.Timeout;
}

export class HostRuns implements AgentSource, vscode.Disposable {
  readonly places: Places;
  readonly #parts: HostParts;
  readonly #idle = new Map<string, Idle>();
  #isDisposed = false;

  constructor(parts: HostParts) {
    this.#parts = parts;
    this.places = parts.places;
  }

  find(root: string, signal: AbortSignal): Promise<FoundRuns> {
    return this.#parts.pool().find({ root, exclude: [...this.#parts.excluded()] }, signal);
  }

  async open(dir: string): Promise<AgentRun> {
    const known = this.#take(dir);
    const { lease, isLoose } = known ? await again(known) : await this.#fresh(dir);
    return new HostRun(dir, isLoose, lease.run, () => this.#put(dir, lease, isLoose));
  }

  async compare<M extends keyof CompareContract & string>(
    runs: readonly AgentRun[],
    method: M,
    params: Params<CompareContract, M>,
    signal: AbortSignal,
  ): Promise<Result<CompareContract, M>> {
    const own = runs.flatMap((run) => (run instanceof HostRun ? [run.run] : []));
    return this.#parts.pool().compare(own, method, params, signal);
  }

  thresholds(dir: string): Promise<Thresholds> {
    return this.#parts.thresholds(dir);
  }

  ignored(): readonly string[] {
    return this.#parts.ignored();
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const dir of [...this.#idle.keys()]) this.#take(dir)?.lease.release();
  }

  async #fresh(dir: string): Promise<Pick<Idle, "lease" | "isLoose">> {
    const pool = this.#parts.pool();
    const opened = await pool.fresh(dir, false);
    if (opened.state === "run") return { lease: opened.lease, isLoose: false };
    const loose = opened.state === "empty" && opened.loose ? await pool.fresh(dir, true) : opened;
    if (loose.state !== "run") throw new ProblemError(loose.problem);
    return { lease: loose.lease, isLoose: true };
  }

  /** Two questions at once about one run have a handle each. */
  #take(dir: string): Idle | undefined {
    const idle = this.#idle.get(dir);
    if (idle) clearTimeout(idle.timer);
    this.#idle.delete(dir);
    return idle;
  }

  #put(dir: string, lease: Lease, isLoose: boolean): void {
    this.#take(dir)?.lease.release();
    if (this.#isDisposed) {
      lease.release();
      return;
    }
    const timer = setTimeout(() => this.#take(dir)?.lease.release(), IDLE_MS);
    timer.unref();
    this.#idle.set(dir, { lease, isLoose, timer });
    const [oldest] = this.#idle.keys();
    if (this.#idle.size > MAX_IDLE && oldest !== undefined) this.#take(oldest)?.lease.release();
  }
}

/** @throws ProblemError when it cannot be opened any more */
async function again({ lease, isLoose }: Idle): Promise<Pick<Idle, "lease" | "isLoose">> {
  try {
    const opened = await lease.run.reload();
    if (opened.state === "run") return { lease, isLoose };
    throw new ProblemError(opened.problem);
  } catch (error) {
    lease.release();
    throw error;
  }
}

class HostRun implements AgentRun {
  readonly dir: string;
  readonly isLoose: boolean;
  readonly run: WorkerRun;
  readonly release: () => void;

  constructor(dir: string, isLoose: boolean, run: WorkerRun, release: () => void) {
    this.dir = dir;
    this.isLoose = isLoose;
    this.run = run;
    this.release = release;
  }

  call<M extends keyof RunContract & string>(
    method: M,
    params: Params<RunContract, M>,
    signal: AbortSignal,
  ): Promise<Result<RunContract, M>> {
    return this.run.call(method, params, signal);
  }
}
