/** How a run stands and how bad a finding is, in a word and in the language of VS Code. */
import type { SeverityView } from "./diagnosis.ts";
import { t } from "./l10n.ts";
import type { RunState } from "./runs.ts";

const STATES: Readonly<Record<RunState, () => string>> = {
  running: () => t("running"),
  stalled: () => t("stalled"),
  finished: () => t("finished"),
  crashed: () => t("crashed"),
  halted: () => t("halted"),
  killed: () => t("killed"),
  unknown: () => t("unknown"),
};
export const stateWord = (state: RunState): string => STATES[state]();

const SEVERITIES: Readonly<Record<SeverityView, () => string>> = {
  critical: () => t("critical"),
  warn: () => t("warning"),
  info: () => t("info"),
};
export const severityWord = (severity: SeverityView): string => SEVERITIES[severity]();
