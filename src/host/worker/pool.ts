/** Runs shared by all that show them: a folder is opened once, and closed when nobody shows it any more. */
import type { CompareContract } from "../../protocol/compare.ts";
import type { ReportParams, ReportResult } from "../../protocol/report.ts";
import type { FindParams, FoundRuns } from "../../protocol/runs.ts";
import type { Params, Result } from "../../protocol/wire.ts";
import type { Opened, OpenOptions, RunWorker, WorkerRun } from "./client.ts";
import { askTogether, reportTogether } from "./together.ts";

export interface Lease {
  readonly run: WorkerRun;
  /** Once. */
  release(): void;
}

export type Leased =
  | { readonly state: "run"; readonly lease: Lease }
  | Exclude<Opened, { readonly state: "run" }>;

interface Shared {
  readonly opening: Promise<Opened>;
  holders: number;
}

export class RunPool {
  readonly #worker: RunWorker;
  readonly #shared = new Map<string, Shared>();

  constructor(worker: RunWorker) {
    this.#worker = worker;
  }

  /** A refused folder is not kept: the next one looks again. @throws ProblemError */
  async acquire(dir: string, loose: boolean, options: OpenOptions = {}): Promise<Leased> {
    const key = `${loose ? "loose" : "run"}\0${dir}`;
    let shared = this.#shared.get(key);
    if (!shared) {
      shared = { opening: this.#worker.open(dir, loose, options), holders: 0 };
      this.#shared.set(key, shared);
    }
    const entry = shared;
    entry.holders++;
    let isHeld = true;
    const release = (): void => {
      if (!isHeld) return;
      isHeld = false;
      this.#release(key, entry);
    };
    try {
      const opened = await entry.opening;
      if (opened.state !== "run") {
        release();
        return opened;
      }
      const { run } = opened;
      // Others still hold what was refused meanwhile: it may be there again.
      const again = run.isRefused ? await run.reload() : null;
      if (!again || again.state === "run") return { state: "run", lease: { run, release } };
      release();
      return again;
    } catch (error) {
      release();
      throw error;
    }
  }

  /** A handle of one's own, on the files as they are now. Shared by nobody. @throws ProblemError */
  async fresh(dir: string, loose: boolean): Promise<Leased> {
    const opened = await this.#worker.open(dir, loose);
    if (opened.state !== "run") return opened;
    return { state: "run", lease: { run: opened.run, release: () => opened.run.close() } };
  }

  /** All runs below a folder. @throws ProblemError, "aborted" after `signal` */
  find(params: FindParams, signal: AbortSignal): Promise<FoundRuns> {
    return this.#worker.find(params, signal);
  }

  /** A question about several open runs, the baseline first. @throws ProblemError */
  compare<M extends keyof CompareContract & string>(
    runs: readonly WorkerRun[],
    method: M,
    params: Params<CompareContract, M>,
    signal?: AbortSignal,
  ): Promise<Result<CompareContract, M>> {
    return askTogether(this.#worker, runs, method, params, signal);
  }

  /** A report of one open run, or of a comparison, the baseline first. @throws ProblemError, "aborted" after `signal` */
  report(runs: readonly WorkerRun[], params: ReportParams, signal: AbortSignal): Promise<ReportResult> {
    return reportTogether(this.#worker, runs, params, signal);
  }

  /** Lets questions be asked again that a thread died of. */
  forgive(dir: string): void {
    this.#worker.forgive(dir);
  }

  #release(key: string, entry: Shared): void {
    if (--entry.holders > 0) return;
    if (this.#shared.get(key) === entry) this.#shared.delete(key);
    entry.opening.then(
      (opened) => {
        if (opened.state === "run") opened.run.close();
      },
      () => {},
    );
  }
}
