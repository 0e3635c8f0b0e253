/** What is said of watched runs in notifications: on one line, and without links, which VS Code would make of brackets. */
import type { FindingView } from "../protocol/diagnosis.ts";
import { t } from "../protocol/l10n.ts";
import { stateWord } from "../protocol/names.ts";
import type { RunSummary } from "../protocol/runs.ts";
import { withoutLinks } from "./native.ts";
import { visibleLabel } from "./visible.ts";

const MAX_NAME = 60;
const MAX_WORDS = 260;

/** @param findings critical ones, worst first; at least one */
export function newsText(run: string, findings: readonly FindingView[]): string {
  const [worst] = findings;
  if (!worst) return "";
  const { title, firstStepText: step } = worst;
  const [name, words] = [visibleLabel(run, MAX_NAME), visibleLabel(worst.words, MAX_WORDS)];
  const text =
    step === "" ? `${name}: ${title}. ${words}` : t("{0}: {1} from step {2}. {3}", name, title, step, words);
  return withoutLinks(findings.length === 1 ? text : t("{0} And {1} more.", text, findings.length - 1));
}

export function endedText(run: string, { state, stateReason }: RunSummary): string {
  return withoutLinks(
    `${visibleLabel(run, MAX_NAME)}: ${stateWord(state)}. ${visibleLabel(stateReason, MAX_WORDS)}`,
  );
}
