/** Asks about several open runs together: all have to be open in one thread. */
import * as z from "zod/mini";
import { type CompareContract, compareContract } from "../../protocol/compare.ts";
import type { ReportParams, ReportResult } from "../../protocol/report.ts";
import { ABORTED, ProblemError } from "../../protocol/rpc.ts";
import type { Params, Result } from "../../protocol/wire.ts";
import { type RunWorker, type WorkerRun, wordsFor } from "./client.ts";
import type { AskOptions, Thread } from "./thread.ts";
import { BAD_ANSWER, FAILING } from "./words.ts";

type Method = keyof CompareContract & string;

/** Threads can be replaced while runs are opened again in them; so often it is tried. */
const MAX_TRIES = 5;

/** @param runs the baseline first @throws ProblemError, with code "aborted" after `signal` */
export async function askTogether<M extends Method>(
  worker: RunWorker,
  runs: readonly WorkerRun[],
  method: M,
  params: Params<CompareContract, M>,
  signal?: AbortSignal,
): Promise<Result<CompareContract, M>> {
  const [baseline, ...others] = runs;
  if (!baseline) throw new ProblemError(ABORTED);
  const english = wordsFor();
  const send = async (more: AskOptions): Promise<unknown> => {
    const { thread, numbers } = await inOneThread(runs);
    if (signal?.aborted) throw new ProblemError(ABORTED);
    return thread.ask("compare", { runs: [...numbers], method, params, ...english }, more);
  };
  const answer = await worker.ask(baseline.dir, questionOf(method, params, others), send, signal);
  const parsed = z.safeParse(compareContract[method].result, answer);
  if (!parsed.success) throw new ProblemError(BAD_ANSWER);
  return parsed.data as Result<CompareContract, M>;
}

/** @param runs the baseline first @throws ProblemError, with code "aborted" after `signal` */
export async function reportTogether(
  worker: RunWorker,
  runs: readonly WorkerRun[],
  params: ReportParams,
  signal: AbortSignal,
): Promise<ReportResult> {
  const [baseline] = runs;
  if (!baseline) throw new ProblemError(ABORTED);
  const send = async (more: AskOptions): Promise<ReportResult> => {
    const { thread, numbers } = await inOneThread(runs);
    if (signal.aborted) throw new ProblemError(ABORTED);
    return thread.ask("report", { runs: [...numbers], params }, more);
  };
  return worker.ask(baseline.dir, "report", send, signal);
}

async function inOneThread(
  runs: readonly WorkerRun[],
): Promise<{ readonly thread: Thread; readonly numbers: readonly number[] }> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const homes = await Promise.all(runs.map((run) => run.attach()));
    const [first] = homes;
    if (!first || homes.some(({ thread }) => thread !== first.thread || thread.isOver)) continue;
    const numbers = homes.map(({ opened }) => {
      if (opened.state !== "run") throw new ProblemError(opened.problem);
      return opened.run;
    });
    return { thread: first.thread, numbers };
  }
  throw new ProblemError(FAILING);
}

/** The same work has the same name; what one comparison died of is not held against another. */
function questionOf(method: Method, params: unknown, others: readonly WorkerRun[]): string {
  const of = (name: string): unknown =>
    typeof params === "object" && params !== null ? Reflect.get(params, name) : undefined;
  const metric = of("metric");
  const metrics = of("metrics") ?? (typeof metric === "string" ? [metric] : null);
  const other = of("other");
  const whom = typeof other === "number" ? (others[other - 1]?.dir ?? "") : `${others.length} others`;
  return Array.isArray(metrics) ? `${method} ${JSON.stringify(metrics)}` : `${method}\t${whom}`;
}
