/** Diagnosis against rlprobe's own: signatures, severities, onset, confidence, evidence, linked samples, order. */
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { diagnoseRun } from "../../src/core/doctor/index.ts";
import { nodeSource, openRun } from "../../src/core/index.ts";
import { findingsJson } from "../../src/view/findings.ts";
import { recordingsIn } from "./oracle.ts";

/** Findings in the keys that an expectation has: rlprobe's prose and ours differ and are left out. */
async function findingsOf(folder: string): Promise<unknown> {
  const diagnosis = await diagnoseRun(await openRun(nodeSource(folder)), "recorded");
  return findingsJson(diagnosis).map(({ explanation: _, suggested_actions: __, ...figures }) => figures);
}

/** Where two values differ: keys and order exactly, numbers to 1e-9 relative; NaN and infinities are text in the expectation. */
function differences(expected: unknown, actual: unknown, at = ""): string[] {
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

for (const set of ["synthetic", "trl"]) {
  const recordings = recordingsIn(fileURLToPath(new URL(`../fixtures/oracle/${set}`, import.meta.url)));
  describe(`${set}: findings as rlprobe has them`, () => {
    test.each(recordings.filter((r) => r.expected).map((r) => [r.title, r] as const))(
      "%s",
      async (_, { folder, expected }) => {
        expect(differences(expected?.["findings"], await findingsOf(folder))).toEqual([]);
      },
    );
  });
}

describe("the comparison itself", () => {
  test("sees a changed figure, a missing finding and another order", async () => {
    const a = { signature_id: "A", confidence: 0.5 };
    const b = { signature_id: "B", confidence: 0.5 };
    expect(differences([a, b], [a, b])).toEqual([]);
    expect(differences([a], [{ ...a, confidence: 0.5 + 1e-7 }])).not.toEqual([]);
    expect(differences([a, b], [a])).not.toEqual([]);
    expect(differences([a, b], [b, a])).not.toEqual([]);
  });
});
