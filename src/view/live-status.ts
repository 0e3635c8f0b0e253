/** Runs that are watched, in the one line that the status bar has for them, and over it. */
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
  if (!run) return "";
  const more = runs.length > 1 ? ` +${runs.length - 1}` : "";
  const icon = run.hasNews ? "bell-dot" : run.summary ? STATE_ICONS[run.summary.state] : "watch";
  return `$(${icon}) ${plain(run.label, MAX_NAME)}: ${factsOf(run).join(" · ")}${more}`;
}

/** A line each, as plain text. */
export function statusTooltip(runs: readonly WatchedRun[]): string {
  const lines = runs.map((run) => {
    const words = run.summary ? run.summary.stateReason : "No run can be read there yet.";
    const muted = run.isMuted ? " (muted)" : "";
    const news = run.hasNews ? " New critical finding." : "";
    return visibleLabel(`${run.label}${muted}: ${factsOf(run).join(" · ")}. ${words}${news}`, MAX_LINE);
  });
  return ["Watched runs", ...lines].join("\n");
}

function factsOf({ summary }: WatchedRun): string[] {
  if (!summary) return ["waiting"];
  const { state, lastStep, lastReward } = summary;
  return [
    state,
    ...(lastStep === "" ? [] : [`step ${lastStep.replace(/\B(?=(\d{3})+$)/g, ",")}`]),
    ...(lastReward === null ? [] : [`reward ${rewardText(lastReward)}`]),
  ];
}

/** "$(" would begin an icon. */
const plain = (text: string, limit: number): string => visibleLabel(text, limit).replaceAll("$(", "$ (");
