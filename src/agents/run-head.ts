/** What every answer about one run says first. */
import type { JsonRecord } from "./json.ts";
import { pathText } from "./places.ts";
import type { AgentRun, AgentSource } from "./source.ts";

export function runHead({ places }: AgentSource, run: AgentRun): JsonRecord {
  return { untrusted: { run: pathText(run.dir, places) } };
}

export const LOOSE =
  "The folder has no manifest.json: its step files were taken for a run, and what a manifest says is not known.";

export const notesOf = (run: AgentRun): string[] => (run.isLoose ? [LOOSE] : []);
