/**
 * Random runs, written and read by the real rlprobe as this test runs. Set FLIGHT_DECK_RLPROBE_PYTHON to a Python that has rlprobe
 * 0.1.0; FLIGHT_DECK_SEED draws other runs. Without it the runs recorded earlier take their place.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { expectSameReading, inspectAsRecorded, type Recording, recordingsIn } from "./oracle.ts";

const python = process.env["FLIGHT_DECK_RLPROBE_PYTHON"];
const seed = process.env["FLIGHT_DECK_SEED"] ?? "2";
const COUNT = 20;

const temporary = mkdtempSync(path.join(tmpdir(), "flight-deck-live-"));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

function drawn(interpreter: string): Recording[] {
  const script = fileURLToPath(new URL("make_random.py", import.meta.url));
  const folder = path.join(temporary, "live");
  execFileSync(interpreter, [script, folder, "--seed", seed, "--count", String(COUNT)], { stdio: "pipe" });
  return recordingsIn(folder);
}

function recorded(): Recording[] {
  console.warn(
    "FLIGHT_DECK_RLPROBE_PYTHON is not set: rlprobe itself was not run, the random runs that it recorded earlier were read.",
  );
  return recordingsIn(fileURLToPath(new URL("../fixtures/oracle/random", import.meta.url)));
}

const recordings = python ? drawn(python) : recorded();

describe(python ? `rlprobe, run now (seed ${seed})` : "rlprobe, as recorded earlier", () => {
  test("every run that was drawn is compared", () => {
    expect(recordings.length).toBe(python ? COUNT : 6);
    expect(recordings.every(({ expected }) => expected !== null)).toBe(true);
  });

  test.each(recordings.map((r) => [r.title, r] as const))("%s", async (_, { folder, expected }) => {
    expectSameReading(await inspectAsRecorded(folder), expected ?? {});
  });
});
