/** Runs opened in this process, for a program of its own: the command line. */

import { FlightDeckError, nodeSource, openRun, RunMemory, type RunModel } from "../core/index.ts";
import type { CacheFile } from "../core/io/cacheFile.ts";
import { findRuns } from "../core/runs/find.ts";
import { excluder } from "../core/runs/wildcard.ts";
import { type CompareContract, compareContract } from "../protocol/compare.ts";
import type { Handlers } from "../protocol/rpc.ts";
import type { RunContract } from "../protocol/run.ts";
import type { FoundRuns } from "../protocol/runs.ts";
import type { Params, Result } from "../protocol/wire.ts";
import { compareViews } from "../view/compare.ts";
import { type KeptViews, runViews } from "../view/run.ts";
import { pause } from "../view/slices.ts";
import type { Places } from "./places.ts";
import type { AgentRun, AgentSource, Thresholds } from "./source.ts";

export interface LocalParts {
  readonly places: Places;
  /** Patterns of folders that are not searched. */
  readonly exclude: readonly string[];
  readonly thresholds: Thresholds;
  /** Where the index of a run's samples is kept; `null` for nowhere. */
  cache(dir: string): CacheFile | null;
  /** Makes the decoder ready; costs nothing the second time. */
  warm(): void;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** What is remembered of a run from one question to the next: its files are looked at anew, what has not changed is not read again. */
interface Known {
  readonly memory: RunMemory;
  readonly kept: KeptViews;
  isBusy: boolean;
}

const MAX_KNOWN = 4;

export class LocalRuns implements AgentSource {
  readonly places: Places;
  readonly #parts: LocalParts;
  readonly #known = new Map<string, Known>();

  constructor(parts: LocalParts) {
    this.#parts = parts;
    this.places = parts.places;
  }

  async find(root: string, signal: AbortSignal): Promise<FoundRuns> {
    const { runs, folders, cuts } = await findRuns(nodeSource(root), {
      exclude: excluder(this.#parts.exclude),
      // As rlprobe does: directly below the root a manifest's name is enough.
      trustedDepth: 1,
      isCancelled: () => signal.aborted,
    });
    return { runs: [...runs], folders, cuts: [...cuts] };
  }

  async open(dir: string): Promise<LocalRun> {
    this.#parts.warm();
    const known = this.#remembered(dir);
    known.isBusy = true;
    try {
      const { model, isLoose } = await opened(dir, known.memory);
      return new LocalRun(dir, isLoose, model, this.#parts, known);
    } catch (error) {
      known.isBusy = false;
      throw error;
    }
  }

  async compare<M extends keyof CompareContract & string>(
    runs: readonly AgentRun[],
    method: M,
    params: Params<CompareContract, M>,
    signal: AbortSignal,
  ): Promise<Result<CompareContract, M>> {
    const models = runs.flatMap((run) => (run instanceof LocalRun ? [run.model] : []));
    if (!Object.hasOwn(compareContract, method) || models.length < 2) throw new Error("no comparison");
    const [first] = runs;
    const views = first instanceof LocalRun ? first.comparison(models) : compareViews(models, pause);
    return await (views[method] as Handlers<CompareContract>[M])(params, { signal });
  }

  async thresholds(): Promise<Thresholds> {
    return this.#parts.thresholds;
  }

  ignored(): readonly string[] {
    return [];
  }

  /** Two questions at once about one run share no memory. */
  #remembered(dir: string): Known {
    const known = this.#known.get(dir);
    if (known && !known.isBusy) return known;
    const fresh: Known = { memory: new RunMemory(), kept: { samples: null, times: null }, isBusy: false };
    if (known) return fresh;
    this.#known.set(dir, fresh);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
    return fresh;
  }
}

async function opened(
  dir: string,
  memory: RunMemory,
): Promise<{ readonly model: RunModel; readonly isLoose: boolean }> {
  const source = nodeSource(dir);
  try {
    return { model: await openRun(source, { memory }), isLoose: false };
  } catch (error) {
    if (!(error instanceof FlightDeckError) || error.code !== "not-a-run" || error.facts["loose"] !== "yes")
      throw error;
    return { model: await openRun(source, { loose: true, memory }), isLoose: true };
  }
}

class LocalRun implements AgentRun {
  readonly dir: string;
  readonly isLoose: boolean;
  readonly model: RunModel;
  readonly #known: Known;
  readonly #closed = new AbortController();
  readonly #views: Handlers<RunContract>;
  #comparison: Handlers<CompareContract> | null = null;

  constructor(dir: string, isLoose: boolean, model: RunModel, { now, cache }: LocalParts, known: Known) {
    this.dir = dir;
    this.isLoose = isLoose;
    this.model = model;
    this.#known = known;
    this.#views = runViews(model, now, { cache: cache(dir), closed: this.#closed.signal, kept: known.kept });
  }

  async call<M extends keyof RunContract & string>(
    method: M,
    params: Params<RunContract, M>,
    signal: AbortSignal,
  ): Promise<Result<RunContract, M>> {
    signal.throwIfAborted();
    return await (this.#views[method] as Handlers<RunContract>[M])(params, { signal });
  }

  /** One comparison a question: its parts share what was read. */
  comparison(models: readonly RunModel[]): Handlers<CompareContract> {
    this.#comparison ??= compareViews(models, pause);
    return this.#comparison;
  }

  release(): void {
    this.#closed.abort();
    this.#known.isBusy = false;
  }
}
