/** A run in a list, and the orders that a list can have. */
import type { RunKind } from "../core/runs/signs.ts";
import type { VerdictView } from "../protocol/diagnosis.ts";
import type { FindingLine, RunState, RunSummary } from "../protocol/runs.ts";
import type { Problem } from "../protocol/wire.ts";

export interface ListedRun {
  /** The folder, absolute. */
  readonly dir: string;
  /** The folder's own name. */
  readonly label: string;
  /** From the root that was searched, "/" between its parts; "" where the root is the run. */
  readonly path: string;
  readonly kind: RunKind;
  /** `null` while it is not known. */
  readonly summary: RunSummary | null;
  /** Worst first; `null` while it was not diagnosed. */
  readonly findings: readonly FindingLine[] | null;
  /** What it comes to without findings; `null` while it was not diagnosed. */
  readonly verdict: VerdictView | null;
  /** Why it cannot be read. */
  readonly problem: Problem | null;
}

export const RUN_ORDERS = ["newest", "name", "severity", "reward", "steps", "state"] as const;
export type RunOrder = (typeof RUN_ORDERS)[number];

/** Ascending. */
type Compare = (a: ListedRun, b: ListedRun) => number;

const byName: Compare = (a, b) =>
  NAMES.compare(a.label, b.label) || (a.dir < b.dir ? -1 : a.dir > b.dir ? 1 : 0);
/** "run-9" stands before "run-10". */
const NAMES = new Intl.Collator("en", { numeric: true });

const STATES: readonly RunState[] = [
  "running",
  "stalled",
  "crashed",
  "killed",
  "halted",
  "unknown",
  "finished",
];
const SEVERITIES = ["critical", "warn", "info"];

/** Larger first; what is not known last. */
const descending =
  (key: (run: ListedRun) => number | null): Compare =>
  (a, b) => {
    const [x, y] = [key(a), key(b)];
    if (x === y) return 0;
    return x === null ? 1 : y === null ? -1 : y - x;
  };

const ORDERS: Readonly<Record<RunOrder, Compare>> = {
  newest: descending(newestOf),
  name: () => 0,
  severity: descending((run) => {
    const worst = run.findings?.[0];
    return worst ? SEVERITIES.length - SEVERITIES.indexOf(worst.severity) : run.findings ? 0 : null;
  }),
  reward: descending((run) => run.summary?.lastReward ?? null),
  steps: descending((run) => run.summary?.steps ?? null),
  state: descending((run) => (run.summary ? STATES.length - STATES.indexOf(run.summary.state) : null)),
};

/** Equal ones by name. */
export function sortedRuns(runs: readonly ListedRun[], order: RunOrder): ListedRun[] {
  const compare = ORDERS[order];
  return [...runs].sort((a, b) => compare(a, b) || byName(a, b));
}

/** Milliseconds since the epoch: a running one's newest row, otherwise when it was begun. A copy's file times say nothing. */
export function newestOf({ summary }: ListedRun): number | null {
  if (!summary) return null;
  if (summary.timeLast !== null) return summary.timeLast * 1000;
  return summary.createdAt ?? summary.lastWrite;
}

export function worstOf(run: ListedRun): FindingLine | null {
  return run.findings?.[0] ?? null;
}
