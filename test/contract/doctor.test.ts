/** Diagnosis against rlprobe's own: signatures, severities, onset, confidence, evidence, linked samples, order. */
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { diagnoseRun } from "../../src/core/doctor/index.ts";
import { nodeSource, openRun } from "../../src/core/index.ts";
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

describe("a signature that passed", () => {
  const recordings = ["synthetic", "trl"].flatMap((set) =>
    recordingsIn(fileURLToPath(new URL(`../fixtures/oracle/${set}`, import.meta.url))),
  );
  const SHAPES: Readonly<Record<string, (value: number, limit: number) => boolean>> = {
    "{0} of {1}": (value, limit) => value <= limit,
    "{0}, limit {1}": (value, limit) => value >= limit,
  };

  test.each(
    recordings.filter(({ expected }) => expected).map(({ title, folder }) => [title, folder] as const),
  )("was measured within its limit: %s", async (_, folder) => {
    const { outcomes } = await diagnoseRun(await openRun(nodeSource(folder)), {
      order: "recorded",
      extra: true,
    });
    for (const outcome of outcomes) {
      if (outcome.state !== "passed" || !outcome.distance) continue;
      const { ratio, words, phrase } = outcome.distance;
      const [value = Number.NaN, limit = Number.NaN] = phrase.args.map(Number);
      expect([value, limit].every(Number.isFinite), `${outcome.signature}: ${words}`).toBe(true);
      expect(SHAPES[phrase.message]?.(value, limit), `${outcome.signature}: ${words}`).toBe(true);
      expect(ratio >= 0 && ratio <= 1, `${outcome.signature}: ${words}`).toBe(true);
    }
  });
});

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
