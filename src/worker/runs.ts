/** The open runs of a worker thread, by number, and what may be asked of them. */
import * as z from "zod/mini";
import { FlightDeckError } from "../core/format/problems.ts";
import type { CacheFile } from "../core/io/cacheFile.ts";
import { RunMemory } from "../core/reader/memory.ts";
import type { RunModel } from "../core/run/model.ts";
import { type CompareContract, compareContract } from "../protocol/compare.ts";
import { inEnglish, t } from "../protocol/l10n.ts";
import { type Handlers, ProblemError, problemOf } from "../protocol/rpc.ts";
import { type RunContract, runContract } from "../protocol/run.ts";
import type { FindParams, FoundRuns } from "../protocol/runs.ts";
import type { Problem } from "../protocol/wire.ts";
import type { OpenResult, WorkerContract } from "../protocol/worker.ts";
import { makeReport } from "../report/index.ts";
import { compareViews } from "../view/compare.ts";
import { problemOfError } from "../view/problems.ts";
import { type KeptViews, runViews } from "../view/run.ts";
import { pause } from "../view/slices.ts";
import { readAhead } from "./ahead.ts";

export interface HowToOpen {
  /** Step files without a manifest will do. */
  readonly loose: boolean;
  /** No link out of the run is followed. */
  readonly isRestricted: boolean;
  /** What an earlier opening of the folder knows; this one adds to it. */
  readonly memory: RunMemory;
}

export interface WorkerParts {
  /** @throws FlightDeckError when the run is refused */
  open(dir: string, how: HowToOpen): Promise<RunModel>;
  /** All runs below a folder. @throws FlightDeckError when it cannot be listed */
  find(params: FindParams, signal: AbortSignal): Promise<FoundRuns>;
  /** The folder's own name. */
  label(dir: string): string;
  /** Where the index of a run's samples is kept; `null` for nowhere. */
  cache(dir: string): CacheFile | null;
  /** Makes the decoder ready; costs nothing the second time. */
  warm(): void;
  /** Goes through a small run, so that the first that somebody opens is not the first; ends early when one comes. */
  rehearse(isWanted: () => boolean): Promise<void>;
  /** Does a piece of work once the answer is out; what goes wrong in it goes wrong again when it is asked for. */
  later(work: () => Promise<void>): void;
  /** Milliseconds since the epoch. */
  now(): number;
  /** For the log: an error that was worded as "internal". */
  onError(where: string, error: unknown): void;
  /** For the log: a question about a run that is not open, or that is none. */
  onRefused?(method: string, reason: "closed" | "bad-request"): void;
  /** Does the work of one question; for whoever wants to know that there is some. */
  answer<T>(work: () => Promise<T>): Promise<T>;
}

export function workerHandlers(parts: WorkerParts): Handlers<WorkerContract> {
  const runs = new Map<number, OpenRun>();
  const comparisons = new Comparisons();
  let lastRun = 0;
  let isWanted = false;
  let isRehearsed = false;
  const answer = <T>(english: boolean | undefined, work: () => Promise<T>): Promise<T> =>
    parts.answer(() => (english ? inEnglish(() => worded(work)) : work()));
  return {
    async warm() {
      parts.warm();
      if (isWanted || isRehearsed) return {};
      isRehearsed = true;
      // It is for speed alone: without it everything works.
      await parts.rehearse(() => isWanted).catch((error: unknown) => parts.onError("warm", error));
      return {};
    },
    open: ({ dir, loose, after, ahead, restricted = false, english }) =>
      answer(english, async () => {
        isWanted = true;
        const before = after === undefined ? undefined : runs.get(after);
        const memory = before?.memory ?? new RunMemory();
        const kept = before?.kept ?? { samples: null, times: null };
        try {
          const model = await parts.open(dir, { loose, isRestricted: restricted, memory });
          const closed = new AbortController();
          const more = { cache: parts.cache(dir), closed: closed.signal, kept };
          const views = runViews(model, parts.now, more);
          runs.set(++lastRun, { model, memory, kept, closed, views });
          if (ahead && !before) parts.later(() => readAhead(model, views, closed.signal));
          return { state: "run", run: lastRun };
        } catch (error) {
          if (!(error instanceof FlightDeckError)) parts.onError("open", error);
          return refused(parts.label(dir), error);
        }
      }),
    close({ run }) {
      runs.get(run)?.closed.abort();
      runs.delete(run);
      comparisons.close(run);
      return {};
    },
    find: (params, { signal }) => parts.answer(() => parts.find(params, signal)),
    async call({ run, method, params, english }, context) {
      const views = runs.get(run)?.views;
      if (!views) throw refusal(parts, method, CLOSED);
      if (!isRunMethod(method)) throw refusal(parts, method, BAD_CALL);
      const parsed = z.safeParse(runContract[method].params, params);
      if (!parsed.success) throw refusal(parts, method, BAD_CALL);
      parts.warm();
      // The contract ties method and parameters; across a union of methods the compiler cannot follow.
      return answer<unknown>(english, async () => views[method](parsed.data as never, context));
    },
    async compare({ runs: numbers, method, params, english }, context) {
      const models = numbers.map((run) => runs.get(run)?.model);
      if (!models.every((model) => model !== undefined)) throw refusal(parts, method, CLOSED);
      if (!isCompareMethod(method)) throw refusal(parts, method, BAD_CALL);
      const parsed = z.safeParse(compareContract[method].params, params);
      if (!parsed.success) throw refusal(parts, method, BAD_CALL);
      parts.warm();
      const views = comparisons.of(numbers, models);
      return answer<unknown>(english, async () => views[method](parsed.data as never, context));
    },
    async report({ runs: numbers, params }, { signal }) {
      const open = numbers.map((run) => runs.get(run));
      if (!open.every((run) => run !== undefined)) throw refusal(parts, "report", CLOSED);
      if (params.runs.length !== numbers.length) throw refusal(parts, "report", BAD_CALL);
      parts.warm();
      const models = open.map(({ model }) => model);
      const sources = {
        runs: open.map(({ views }) => views),
        compare: models.length > 1 ? comparisons.of(numbers, models) : null,
      };
      return answer(true, () => makeReport(sources, params, signal));
    },
  };
}

/** Whoever words what is thrown does not know in which language it was asked. */
async function worded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof FlightDeckError ? new ProblemError(problemOfError(error)) : error;
  }
}

interface OpenRun {
  readonly model: RunModel;
  readonly memory: RunMemory;
  readonly kept: KeptViews;
  /** Ends what is read in the background. */
  readonly closed: AbortController;
  readonly views: Handlers<RunContract>;
}

/** Comparisons that remember what they have read; each has a fixed room for columns. */
const MAX_COMPARISONS = 2;

class Comparisons {
  readonly #known = new Map<
    string,
    { readonly runs: readonly number[]; readonly views: Handlers<CompareContract> }
  >();

  of(runs: readonly number[], models: readonly RunModel[]): Handlers<CompareContract> {
    const key = runs.join(" ");
    const known = this.#known.get(key);
    const entry = known ?? { runs, views: compareViews(models, pause) };
    this.#known.delete(key);
    this.#known.set(key, entry);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_COMPARISONS && oldest !== undefined) this.#known.delete(oldest);
    return entry.views;
  }

  /** Numbers are never given again, but what was read of a closed run would stay. */
  close(run: number): void {
    for (const [key, { runs }] of this.#known) if (runs.includes(run)) this.#known.delete(key);
  }
}

function refused(label: string, error: unknown): OpenResult {
  const problem = problemOfError(error);
  if (error instanceof FlightDeckError && error.code === "not-a-run") {
    return { state: "empty", label, problem, loose: error.facts["loose"] === "yes" };
  }
  return { state: "refused", label, problem };
}

function isCompareMethod(method: string): method is keyof CompareContract & string {
  return Object.hasOwn(compareContract, method);
}

function isRunMethod(method: string): method is keyof RunContract & string {
  return Object.hasOwn(runContract, method);
}

function refusal(parts: WorkerParts, method: string, problem: () => Problem): ProblemError {
  parts.onRefused?.(method.slice(0, MAX_METHOD), problem === CLOSED ? "closed" : "bad-request");
  return new ProblemError(problem());
}

/** Characters of a name that goes to the log. */
const MAX_METHOD = 80;
const CLOSED = (): Problem =>
  problemOf("closed", t("The run is no longer open."), { remedy: t("Open it again.") });
const BAD_CALL = (): Problem =>
  problemOf("bad-request", t("The request could not be understood."), {
    remedy: t("Close the run and open it again."),
  });
