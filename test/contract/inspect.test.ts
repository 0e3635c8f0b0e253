import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { expectSameReading, inspectAsRecorded, recordingsIn } from "./oracle.ts";

const root = fileURLToPath(new URL("../fixtures/oracle", import.meta.url));
const sets = readdirSync(root)
  .map((name) => path.join(root, name))
  .filter((folder) => existsSync(path.join(folder, "recordings")));
const recordings = sets.flatMap(recordingsIn);

test("the sets are there", () => {
  expect(sets.map((folder) => path.basename(folder))).toEqual(["random", "synthetic", "trl"]);
  expect(recordings.length).toBeGreaterThanOrEqual(35);
});

describe("inspect --json --as-recorded says what rlprobe says", () => {
  test.each(recordings.flatMap((r) => (r.expected ? [[r.title, r.folder, r.expected] as const] : [])))(
    "%s",
    async (_, folder, expected) => {
      expectSameReading(await inspectAsRecorded(folder), expected);
    },
  );
});

test("of runs that rlprobe refuses, what can be read is read", async () => {
  const refused = recordings.filter(({ expected }) => !expected);
  expect(refused.map(({ title }) => title)).toEqual(["trl/grpo-live-copy"]);
  for (const { folder } of refused) {
    const reading = await inspectAsRecorded(folder);
    const warnings = reading["warnings"] as readonly { code: string; file: string; level: string }[];
    expect(warnings.filter(({ level }) => level === "warning")).toEqual([]);
    expect(warnings).toContainEqual(
      expect.objectContaining({ code: "part-incomplete", file: "steps/part-00005.parquet" }),
    );
    expect(reading).toMatchObject({ n_steps: 23, first_step: 1, n_samples: 184 });
  }
});
