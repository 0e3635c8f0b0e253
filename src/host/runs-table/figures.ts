/**
 * Figures of runs, read one run at a time while somebody looks: those that are seen first. What was read counts until the
 * list has read the run again, which it does when other files lie there.
 */
import { isAborted, ProblemError } from "../../protocol/rpc.ts";
import type { MetricFigures, RunRow, RunRowParams } from "../../protocol/run-row.ts";
import type { RunSummary } from "../../protocol/runs.ts";
import type { ListedRun } from "../../view/listed-run.ts";
import type { KnownFigures } from "../../view/runs-table.ts";

export interface FiguresParts {
  /** @throws ProblemError */
  read(run: ListedRun, params: RunRowParams, signal: AbortSignal): Promise<RunRow>;
  onError(what: string, error: unknown): void;
  /** Told after each run. */
  changed(): void;
}

export interface Needed {
  readonly metrics: readonly string[];
  readonly sparks: readonly string[];
}

export const SPARK = { width: 100, height: 20 } as const;
/** In one question; more are asked one after another. */
const METRICS_AT_ONCE = 64;
const SPARKS_AT_ONCE = 8;

interface Known extends KnownFigures {
  available: readonly string[];
  readonly figures: Map<string, MetricFigures>;
  readonly sparks: Map<string, string>;
  hasFailed: boolean;
}

export class RunFigures {
  readonly #parts: FiguresParts;
  /** By what the list has read of a run: another reading, another key. */
  readonly #known = new WeakMap<RunSummary, Known>();
  #wanted: readonly ListedRun[] = [];
  #needed: Needed = { metrics: [], sparks: [] };
  #work: AbortController | null = null;
  #isOver = false;

  constructor(parts: FiguresParts) {
    this.#parts = parts;
  }

  of({ summary }: ListedRun): KnownFigures | null {
    return (summary && this.#known.get(summary)) ?? null;
  }

  /** Whether all that is needed of a run is known, or will never be. */
  isDone(run: ListedRun, needed: Needed): boolean {
    if (run.problem || run.kind === "records") return true;
    return run.summary !== null && lackOf(this.#known.get(run.summary), needed) === null;
  }

  /** Reads what is not known yet, in this order, in place of what was wanted before. */
  want(runs: readonly ListedRun[], needed: Needed): void {
    this.#wanted = runs;
    this.#needed = needed;
    if (!this.#work && !this.#isOver && this.#next()) void this.#read();
  }

  /** Nobody looks any more. */
  stop(): void {
    this.#wanted = [];
    this.#work?.abort();
  }

  dispose(): void {
    this.#isOver = true;
    this.stop();
  }

  #next(): { readonly run: ListedRun; readonly lack: RunRowParams } | null {
    for (const run of this.#wanted) {
      if (run.summary === null || run.problem || run.kind === "records") continue;
      const lack = lackOf(this.#known.get(run.summary), this.#needed);
      if (lack) return { run, lack };
    }
    return null;
  }

  async #read(): Promise<void> {
    const work = new AbortController();
    this.#work = work;
    for (let next = this.#next(); next && !work.signal.aborted; next = this.#next())
      await this.#readOne(next.run, next.lack, work.signal);
    this.#work = null;
    // Somebody came to look while the last one was given up.
    if (work.signal.aborted && !this.#isOver && this.#next()) void this.#read();
  }

  async #readOne(run: ListedRun, lack: RunRowParams, signal: AbortSignal): Promise<void> {
    const { summary, dir } = run;
    if (!summary) return;
    const known: Known = this.#known.get(summary) ?? {
      available: [],
      figures: new Map(),
      sparks: new Map(),
      hasFailed: false,
    };
    try {
      const { available, figures, sparks } = await this.#parts.read(run, lack, signal);
      known.available = available;
      for (const one of figures) known.figures.set(one.metric, one);
      for (const { metric, path } of sparks) known.sparks.set(metric, path);
    } catch (error) {
      // What nobody waited for any more is asked again when somebody does.
      if (signal.aborted || isAborted(error)) return;
      known.hasFailed = true;
      if (!(error instanceof ProblemError)) this.#parts.onError(dir, error);
    }
    this.#known.set(summary, known);
    this.#parts.changed();
  }
}

/** `null` when nothing is missing. */
function lackOf(known: Known | undefined, { metrics, sparks }: Needed): RunRowParams | null {
  if (known?.hasFailed) return null;
  const figures = metrics.filter((metric) => !known?.figures.has(metric)).slice(0, METRICS_AT_ONCE);
  const drawn = sparks.filter((metric) => !known?.sparks.has(metric)).slice(0, SPARKS_AT_ONCE);
  // Which metrics a run has is wanted in any case.
  if (known && figures.length === 0 && drawn.length === 0) return null;
  return { metrics: figures, sparks: drawn, ...SPARK };
}
