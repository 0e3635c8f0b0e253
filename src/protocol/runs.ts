/** Many runs at once: finding them below a folder, and what a list says of each. */
import * as z from "zod/mini";
import { SeverityView } from "./diagnosis.ts";

export const RunState = z.enum(["running", "stalled", "finished", "crashed", "halted", "killed", "unknown"]);
export type RunState = z.infer<typeof RunState>;

/** Whether more may come of a run: it goes on, or is silent for longer than it should be. */
export const isLive = (state: RunState): boolean => state === "running" || state === "stalled";

export const FindParams = z.object({
  /** Absolute path of the folder that is searched. */
  root: z.string(),
  /** Patterns of folders that are left out, see `src/core/runs/wildcard.ts`. */
  exclude: z.array(z.string().check(z.maxLength(500))).check(z.maxLength(500)),
  /** The workspace is not trusted: no link out of the folder is followed. */
  restricted: z.optional(z.boolean()),
});
export type FindParams = z.infer<typeof FindParams>;

export const FoundRuns = z.object({
  runs: z.array(z.object({ path: z.string(), kind: z.enum(["recording", "loose", "records"]) })),
  folders: z.int(),
  /** What kept the search out of some folders; empty when everything was looked at. */
  cuts: z.array(z.enum(["folders", "entries", "depth", "time", "runs", "cancelled"])),
});
export type FoundRuns = z.infer<typeof FoundRuns>;

/** One line of a list of runs. */
export const RunSummary = z.object({
  runId: z.string(),
  algorithm: z.string(),
  model: z.string(),
  notes: z.string(),
  /** Milliseconds since the epoch. */
  createdAt: z.nullable(z.number()),
  state: RunState,
  stateReason: z.string(),
  /** Distinct steps. */
  steps: z.int(),
  /** With all digits, "" without steps. */
  lastStep: z.string(),
  /** Unix seconds of the first and the newest row. */
  timeFirst: z.nullable(z.number()),
  timeLast: z.nullable(z.number()),
  /** Milliseconds since the epoch at which its files were last written. */
  lastWrite: z.nullable(z.number()),
  /** The last `reward_mean` that is a number. */
  lastReward: z.nullable(z.number()),
  hasRecording: z.boolean(),
  warnings: z.int(),
  events: z.int(),
  ranks: z.array(z.int()),
  attempts: z.int(),
  metricRows: z.int(),
  shards: z.int(),
  /** Values of the configuration by dotted path, `trainer_config.` and the like in front; not more than a list needs. */
  config: z.array(z.tuple([z.string(), z.string()])),
});
export type RunSummary = z.infer<typeof RunSummary>;

/** A finding in a list of runs. */
export const FindingLine = z.object({
  id: z.string(),
  signature: z.string(),
  title: z.string(),
  severity: SeverityView,
  /** "" when it has none. */
  firstStep: z.string(),
  words: z.string(),
});
export type FindingLine = z.infer<typeof FindingLine>;
