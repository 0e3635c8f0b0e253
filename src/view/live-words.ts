/** What is said of watched runs in notifications: on one line, and without links, which VS Code would make of brackets. */
import type { FindingView } from "../protocol/diagnosis.ts";
import type { RunSummary } from "../protocol/runs.ts";
import { withoutLinks } from "./native.ts";
import { visibleLabel } from "./visible.ts";

const MAX_NAME = 60;
const MAX_WORDS = 260;

/** @param findings critical ones, worst first; at least one */
export function newsText(run: string, findings: readonly FindingView[]): string {
  const [worst] = findings;
  if (!worst) return "";
  const since = worst.firstStepText === "" ? "" : ` from step ${worst.firstStepText}`;
  const more = findings.length === 1 ? "" : ` And ${findings.length - 1} more.`;
  return withoutLinks(
    `${visibleLabel(run, MAX_NAME)}: ${worst.title}${since}. ${visibleLabel(worst.words, MAX_WORDS)}${more}`,
  );
}

export function endedText(run: string, { state, stateReason }: RunSummary): string {
  return withoutLinks(`${visibleLabel(run, MAX_NAME)}: ${state}. ${visibleLabel(stateReason, MAX_WORDS)}`);
}
