/** Our findings of a recording, and how they are held against rlprobe's. */
import { diagnoseRun } from "../../src/core/doctor/index.ts";
import { nodeSource, openRun } from "../../src/core/index.ts";
import { findingsJson } from "../../src/view/findings.ts";

/** Findings in the keys that an expectation has: rlprobe's prose and ours differ and are left out. */
export async function findingsOf(folder: string): Promise<unknown> {
  const diagnosis = await diagnoseRun(await openRun(nodeSource(folder)), { order: "recorded" });
  return findingsJson(diagnosis).map(({ explanation: _, suggested_actions: __, ...figures }) => figures);
}

/** Where two values differ: keys and order exactly, numbers to 1e-9 relative; NaN and infinities are text in the expectation. */
export function differences(expected: unknown, actual: unknown, at = ""): string[] {
  if (typeof expected === "number" && typeof actual === "number")
    return Math.abs(expected - actual) <= 1e-9 * Math.max(Math.abs(expected), Math.abs(actual))
      ? []
      : [`${at}: ${expected} became ${actual}`];
  if (typeof actual === "number" && !Number.isFinite(actual))
    return differences(expected, String(actual), at);
  if (typeof expected !== "object" || expected === null || typeof actual !== "object" || actual === null)
    return expected === actual ? [] : [`${at}: ${String(expected)} became ${String(actual)}`];
  const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  return [...keys].flatMap((key) =>
    differences(
      (expected as Record<string, unknown>)[key],
      (actual as Record<string, unknown>)[key],
      `${at}/${key}`,
    ),
  );
}
