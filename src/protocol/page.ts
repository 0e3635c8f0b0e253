/** Page ↔ host: the run's questions, and what only the host can do. */
import * as z from "zod/mini";
import { runContract } from "./run.ts";
import { type Contract, Problem } from "./wire.ts";

/** How the opening ended. The page shows "refused" and "empty" as states of their own, with a next step. */
export const OpenState = z.discriminatedUnion("state", [
  z.object({ state: z.literal("run") }),
  /** There is a run, but it cannot be read (newer schema, no permission, …). */
  z.object({ state: z.literal("refused"), label: z.string(), problem: Problem }),
  /** There is no run here. `loose`: step files without a manifest lie here and can be opened all the same. */
  z.object({ state: z.literal("empty"), label: z.string(), problem: Problem, loose: z.boolean() }),
]);
export type OpenState = z.infer<typeof OpenState>;

export const pageContract = {
  ...runContract,
  /** First call of a page; answered when the run is open or could not be opened. */
  "page.open": { params: z.object({}), result: OpenState },
  /** Try again after a refusal. */
  "page.retry": { params: z.object({}), result: OpenState },
  /** Open step files without a manifest. */
  "page.openLoose": { params: z.object({}), result: OpenState },
  /** Run one of our own commands by a fixed name. */
  "page.action": {
    params: z.object({
      action: z.enum(["openRun", "openDemo", "showLog", "openAsText", "revealFolder", "copyPath"]),
    }),
    result: z.object({}),
  },
  /** An error in the page, for the log. */
  "page.report": { params: z.object({ message: z.string() }), result: z.object({}) },
} as const satisfies Contract;
export type PageContract = typeof pageContract;

/** Notices from the host to the page. */
export const pageNotices = {
  /** The panel was shown or hidden. */
  visible: z.object({ visible: z.boolean() }),
  /** The worker was lost and replaced: ask for everything again. */
  reopened: z.object({ reason: z.string() }),
} as const;
