/** Runs that are watched, in the one line that the status bar has for them, and over it. */
import { t } from "../protocol/l10n.ts";
import { stateWord } from "../protocol/names.ts";
import type { RunSummary } from "../protocol/runs.ts";
import { rewardText } from "./run-line.ts";
import { visibleLabel } from "./visible.ts";

export interface WatchedRun {
  readonly dir: string;
  /** The folder's name. */
  readonly label: string;
  /** `null` while there is no run, or none that can be read. */
  readonly summary: RunSummary | null;
  /** A critical finding that nobody has looked at yet. */
  readonly hasNews: boolean;
  readonly isMuted: boolean;
  /** Milliseconds, never going back: when it was last seen to grow. */
  readonly grownAt: number;
}

const MAX_NAME = 32;
const MAX_LINE = 300;
const STATE_ICONS = {
  running: "pulse",
  stalled: "clock",
  finished: "pass",
  crashed: "error",
  halted: "debug-stop",
  killed: "error",
  unknown: "question",
} as const satisfies Record<RunSummary["state"], string>;

/** The run that the line is about: one with news, else the one that grew last. */
export function foremost(runs: readonly WatchedRun[]): WatchedRun | null {
  const rank = (run: WatchedRun): number => (run.hasNews ? 1 : 0);
  return [...runs].sort((a, b) => rank(b) - rank(a) || b.grownAt - a.grownAt)[0] ?? null;
}

/** "$(pulse) my-run: running · step 1,204 · reward 0.031 +1"; "" for none. What was recorded names no icon. */
export function statusText(runs: readonly WatchedRun[]): string {
  const run = foremost(runs);
  return run ? `$(${iconOf(run)}) ${lineOf(runs)}` : "";
}

/** The same without its icon. */
export function statusAloud(runs: readonly WatchedRun[]): string {
  return runs.length === 0 ? "" : t("Watched run {0}", lineOf(runs));
}

const iconOf = ({ hasNews, summary }: WatchedRun): string =>
  hasNews ? "bell-dot" : summary ? STATE_ICONS[summary.state] : "watch";

function lineOf(runs: readonly WatchedRun[]): string {
  const run = foremost(runs);
  if (!run) return "";
  const more = runs.length > 1 ? ` +${runs.length - 1}` : "";
  return `${plain(run.label, MAX_NAME)}: ${factsOf(run).join(" · ")}${more}`;
}

/** A line each, as plain text. */
export function statusTooltip(runs: readonly WatchedRun[]): string {
  const lines = runs.map((run) => {
    const words = run.summary ? run.summary.stateReason : t("No run can be read there yet.");
    const name = run.isMuted ? t("{0} (muted)", run.label) : run.label;
    const line = `${name}: ${factsOf(run).join(" · ")}. ${words}`;
    return visibleLabel(run.hasNews ? t("{0} New critical finding.", line) : line, MAX_LINE);
  });
  return [t("Watched runs"), ...lines].join("\n");
}

function factsOf({ summary }: WatchedRun): string[] {
  if (!summary) return [t("waiting")];
  const { state, lastStep, lastReward } = summary;
  return [
    stateWord(state),
    ...(lastStep === "" ? [] : [t("step {0}", lastStep.replace(/\B(?=(\d{3})+$)/g, ","))]),
    ...(lastReward === null ? [] : [t("reward {0}", rewardText(lastReward))]),
  ];
}

/** "$(" would begin an icon. */
const plain = (text: string, limit: number): string => visibleLabel(text, limit).replaceAll("$(", "$ (");
