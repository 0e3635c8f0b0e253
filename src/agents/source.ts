/** Where agents' answers come from: runs that are opened and asked, in this process or through the host's worker. */
import type { CompareContract } from "../protocol/compare.ts";
import type { RunContract } from "../protocol/run.ts";
import type { FoundRuns } from "../protocol/runs.ts";
import type { Params, Result } from "../protocol/wire.ts";
import type { Places } from "./places.ts";

/** One open run, as its files were when it was opened. */
export interface AgentRun {
  /** Absolute. */
  readonly dir: string;
  /** Step files without a manifest were taken for a run. */
  readonly isLoose: boolean;
  /** @throws ProblemError, FlightDeckError */
  call<M extends keyof RunContract & string>(
    method: M,
    params: Params<RunContract, M>,
    signal: AbortSignal,
  ): Promise<Result<RunContract, M>>;
  /** Once. */
  release(): void;
}

/** Which thresholds a run is diagnosed with. */
export interface Thresholds {
  /** The doctor.toml that was used, absolute; `null` for the defaults. */
  readonly file: string | null;
  readonly text: string | null;
  /** With Flight Deck's own checks. */
  readonly extra: boolean;
}

export interface AgentSource {
  readonly places: Places;
  /** @param root absolute @throws ProblemError, FlightDeckError when it cannot be listed */
  find(root: string, signal: AbortSignal): Promise<FoundRuns>;
  /** @param dir absolute @throws ProblemError, FlightDeckError when the run is refused */
  open(dir: string, signal: AbortSignal): Promise<AgentRun>;
  /** @param runs of this source, the baseline first @throws ProblemError, FlightDeckError */
  compare<M extends keyof CompareContract & string>(
    runs: readonly AgentRun[],
    method: M,
    params: Params<CompareContract, M>,
    signal: AbortSignal,
  ): Promise<Result<CompareContract, M>>;
  /** @throws ProblemError when a doctor.toml that counts cannot be read */
  thresholds(dir: string): Promise<Thresholds>;
  /** Configuration keys that may differ between runs, as patterns. */
  ignored(): readonly string[];
}

/** Opens one run for one question and gives it back. */
export function withRun<T>(
  source: AgentSource,
  dir: string,
  signal: AbortSignal,
  ask: (run: AgentRun) => Promise<T>,
): Promise<T> {
  return withRuns(source, [dir], signal, ([run]) => {
    if (!run) throw new Error("no run");
    return ask(run);
  });
}

/** Opens runs for one question and gives them back, whatever comes of it. */
export async function withRuns<T>(
  source: AgentSource,
  dirs: readonly string[],
  signal: AbortSignal,
  ask: (runs: readonly AgentRun[]) => Promise<T>,
): Promise<T> {
  const runs: AgentRun[] = [];
  try {
    for (const dir of dirs) runs.push(await source.open(dir, signal));
    return await ask(runs);
  } finally {
    for (const run of runs) run.release();
  }
}
