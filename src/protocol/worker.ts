/** Host ↔ worker. The worker holds the open runs by number; what is asked of a run is checked by {@link runContract}. */
import * as z from "zod/mini";
import { MAX_RUNS } from "./compare.ts";
import { MAX_REPORT_RUNS, ReportParams, ReportResult } from "./report.ts";
import { FindParams, FoundRuns } from "./runs.ts";
import { type Contract, Problem } from "./wire.ts";

const RunNumber = z.int().check(z.gte(1));

/** What is said goes out of VS Code: in English, whatever its language is. */
const English = z.optional(z.boolean());

/** How an opening ended. A refusal is an answer, not an error: the editor shows it as a state of its own. */
export const OpenResult = z.discriminatedUnion("state", [
  z.object({ state: z.literal("run"), run: RunNumber }),
  z.object({ state: z.literal("refused"), label: z.string(), problem: Problem }),
  z.object({
    state: z.literal("empty"),
    label: z.string(),
    problem: Problem,
    /** Step files without a manifest lie here. */
    loose: z.boolean(),
  }),
]);
export type OpenResult = z.infer<typeof OpenResult>;

export const workerContract = {
  /** Loads the decoder, so that the first run need not wait for it. */
  warm: { params: z.object({}), result: z.object({}) },
  open: {
    params: z.object({
      /** Absolute path of the run folder on this machine. */
      dir: z.string(),
      /** Take step files without a manifest for a run. */
      loose: z.boolean(),
      /** An opening of the same folder, still open: what it knows is not read again. Close it afterwards. */
      after: z.optional(RunNumber),
      /** The workspace is not trusted: no link out of the run is followed. */
      restricted: z.optional(z.boolean()),
      /** A page is on its way: what it asks first is read before it asks. */
      ahead: z.optional(z.boolean()),
      english: English,
    }),
    result: OpenResult,
  },
  close: { params: z.object({ run: RunNumber }), result: z.object({}) },
  /** All runs below a folder. Aborted, it answers nothing. */
  find: { params: FindParams, result: FoundRuns },
  /** A method of the run contract with its parameters; both are checked in the worker, the result by the host. */
  call: {
    params: z.object({ run: RunNumber, method: z.string(), params: z.unknown(), english: English }),
    result: z.unknown(),
  },
  /** A method of the compare contract over runs that are open here, the baseline first; checked as those of `call` are. */
  compare: {
    params: z.object({
      runs: z.array(RunNumber).check(z.minLength(2), z.maxLength(MAX_RUNS)),
      method: z.string(),
      params: z.unknown(),
      english: English,
    }),
    result: z.unknown(),
  },
  /** A report of one open run, or of a comparison, the baseline first; in English. */
  report: {
    params: z.object({
      runs: z.array(RunNumber).check(z.minLength(1), z.maxLength(MAX_REPORT_RUNS)),
      params: ReportParams,
    }),
    result: ReportResult,
  },
} as const satisfies Contract;
export type WorkerContract = typeof workerContract;

/** Notices from the worker to the host. */
export const workerNotices = {
  /** For the log: what a person sees of it is a problem with words. */
  failed: z.object({ where: z.string(), error: z.string() }),
} as const;

/** What the thread is started with. */
export const WorkerData = z.object({
  /** Absolute path of the decoder's wasm file. */
  wasm: z.string(),
  /** Absolute path of a folder for what was computed of runs; without one nothing is kept. */
  cache: z.optional(z.string()),
  /** Absolute path of a small run of ours, for going through what is asked of a run before the first one comes. */
  demo: z.optional(z.string()),
  /** Its words, unless it speaks English. */
  words: z.optional(z.record(z.string(), z.string())),
  /** The memory of its {@link Board}. */
  board: z.instanceof(SharedArrayBuffer),
});
export type WorkerData = z.infer<typeof WorkerData>;
