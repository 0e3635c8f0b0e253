/** Diagnosis against rlprobe's own: signatures, severities, onset, confidence, evidence, linked samples, order. */
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { differences, findingsOf } from "./findings.ts";
import { recordingsIn } from "./oracle.ts";

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
