/**
 * Random runs with failures, diagnosed by the real rlprobe as this test runs, and by us. Set FLIGHT_DECK_RLPROBE_PYTHON to a Python
 * that has rlprobe 0.1.0. 40 runs of one seed; 300 of three with `npm run test:long`.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { differences, findingsOf } from "./findings.ts";
import { recordingsIn } from "./oracle.ts";

const python = process.env["FLIGHT_DECK_RLPROBE_PYTHON"];
const isLong = process.env["FLIGHT_DECK_LONG"] === "1";
const seeds = isLong ? [20261, 20262, 20263] : [Number(process.env["FLIGHT_DECK_SEED"] ?? 20261)];
const COUNT = isLong ? 100 : 40;

const temporary = mkdtempSync(path.join(tmpdir(), "flight-deck-sick-"));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

if (!python)
  console.warn(
    "FLIGHT_DECK_RLPROBE_PYTHON is not set: no random runs were diagnosed; the recorded findings of doctor.test.ts stand in.",
  );

describe("random runs", () => {
  test.each(seeds)(
    `seed %i: ${COUNT} runs, no difference`,
    async (seed) => {
      if (!python) return;
      const script = fileURLToPath(new URL("make_sick.py", import.meta.url));
      const folder = path.join(temporary, String(seed));
      execFileSync(
        python,
        ["-W", "ignore", script, folder, "--seed", String(seed), "--count", String(COUNT)],
        { stdio: "pipe" },
      );
      const recordings = recordingsIn(folder);
      expect(recordings.length).toBe(COUNT);
      let findings = 0;
      for (const { title, folder: run, expected } of recordings) {
        const theirs = expected?.["findings"] as unknown[];
        findings += theirs.length;
        expect(differences(theirs, await findingsOf(run)), title).toEqual([]);
      }
      expect(findings).toBeGreaterThan(COUNT / 4);
    },
    isLong ? 600_000 : 240_000,
  );
});
