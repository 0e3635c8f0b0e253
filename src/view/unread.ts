/** What of the steps could not be read: without it a quiet diagnosis is no all-clear. */
import { REWARD_COMPONENT } from "../core/format/names.ts";
import type { Warning, WarningCode } from "../core/format/problems.ts";

/** Said of steps that were read, every one of them. */
const FACTS: ReadonlySet<WarningCode> = new Set<WarningCode>([
  "arrow-schema-ignored",
  "coerced-type",
  "column-limit",
  "compaction-interrupted",
  "duplicate-column",
  "duplicate-steps",
  "mixed-attempts",
  "negative-step",
  "non-finite",
  "stale-compacted",
  "stray-file",
  "timestamp-range",
  "timestamp-units",
  "unknown-column",
  "unsafe-integer",
  "unsorted-steps",
]);
const STEP_FILE = /^steps(\.parquet|\/|$)/;

/**
 * Warnings about files of steps of which something is left out.
 * @param looksAt whether a column is looked at; what is wrong with another one hides nothing
 */
export function unreadSteps(
  warnings: readonly Warning[],
  looksAt: (column: string) => boolean = () => true,
): Warning[] {
  return warnings.filter(
    ({ file, level, code, column }) =>
      STEP_FILE.test(file) &&
      level === "warning" &&
      !FACTS.has(code) &&
      (column === undefined || looksAt(column)),
  );
}

/** Whether a metric, or one of a kind ("reward_component.*"), is among the columns that could not be read whole. */
export function isUnread(metric: string, unread: readonly Pick<Warning, "column">[]): boolean {
  return unread.some(({ column }) => column !== undefined && covers(metric, column));
}

/** Whether a metric that a signature names is this column. */
export function covers(metric: string, column: string): boolean {
  return metric.endsWith(".*") ? column.startsWith(REWARD_COMPONENT) : metric === column;
}
