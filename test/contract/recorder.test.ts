/**
 * Recordings of rlprobe's, recorded anew by our recorder, closed and not: rlprobe's reader, doctor, comparison and queries say of them
 * what they say of the originals. Set FLIGHT_DECK_RLPROBE_PYTHON to a Python that has rlprobe 0.1.0; our reader is held against the
 * recorded expectations of the originals always.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleInto } from "../helpers/bundle.ts";
import { diffDifferences, diffOf } from "./diffs.ts";
import { differences, findingsOf } from "./findings.ts";
import { expectSameReading, inspectAsRecorded, recordingsIn } from "./oracle.ts";
import { expectSameQueries } from "./queries.ts";
import type { Job } from "./replay-main.ts";

const python = process.env["FLIGHT_DECK_RLPROBE_PYTHON"];
const root = fileURLToPath(new URL("../..", import.meta.url));
const oracle = path.join(root, "test/fixtures/oracle");
const SETS = ["random", "synthetic", "trl"];
const LAYOUTS = ["closed", "open"] as const;
const temporary = mkdtempSync(path.join(tmpdir(), "flight-deck-replay-"));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

const recordings = SETS.flatMap((set) => recordingsIn(path.join(oracle, set)));
const pairs = SETS.flatMap((set) => {
  const folder = path.join(oracle, set, "expected/diff");
  return (existsSync(folder) ? readdirSync(folder) : []).map((file) => {
    const [a = "", b = ""] = file.replace(/\.json$/, "").split("--");
    return { file: path.join(folder, file), a: `${set}/${a}`, b: `${set}/${b}` };
  });
});

const original = (title: string): string => title.replace("/", "/recordings/");
const replayed = (layout: string, title: string): string => path.join(temporary, layout, title);

beforeAll(async () => {
  const entries = { replay: "test/contract/replay-main.ts", "recorder-thread": "src/recorder/thread.ts" };
  const bin = path.join(temporary, "bin");
  await bundleInto(bin, entries);
  const jobs = LAYOUTS.flatMap((layout) =>
    recordings.map(({ title, folder }): Job => {
      const target = replayed(layout, title);
      return {
        source: folder,
        target,
        closes: layout === "closed",
        flushSteps: layout === "closed" ? 200 : 17,
      };
    }),
  );
  writeFileSync(path.join(temporary, "jobs.json"), JSON.stringify(jobs));
  const files = [path.join(bin, "replay.cjs"), path.join(bin, "parquet_wasm_bg.wasm")];
  const args = [...files, path.join(temporary, "jobs.json")];
  execFileSync(process.execPath, args, { stdio: "pipe" });
}, 600_000);

describe.each(LAYOUTS)("recorded anew and left %s", (layout) => {
  const expectations = recordings.flatMap((r) => (r.expected ? [[r.title, r.expected] as const] : []));

  test.each(expectations)("%s is read as the original is", async (title, expected) => {
    const folder = replayed(layout, title);
    const hasSteps = Number(expected["n_steps"]) > 0;
    expect(existsSync(path.join(folder, "steps.parquet"))).toBe(hasSteps && layout === "closed");
    expect(existsSync(path.join(folder, "steps/part-00000.parquet"))).toBe(hasSteps && layout === "open");
    expectSameReading(await inspectAsRecorded(folder), expected);
    if (expected["findings"]) expect(differences(expected["findings"], await findingsOf(folder))).toEqual([]);
    if (expected["queries"]) await expectSameQueries(folder, expected);
  });

  test.each(pairs.map((pair) => [path.basename(pair.file, ".json"), pair] as const))(
    "%s are compared as the originals are",
    async (_, { file, a, b }) => {
      const expected = JSON.parse(readFileSync(file, "utf8"));
      expect(diffDifferences(expected, await diffOf(replayed(layout, a), replayed(layout, b)))).toEqual([]);
    },
  );
});

if (!python)
  console.warn(
    "FLIGHT_DECK_RLPROBE_PYTHON is not set: rlprobe did not read what our recorder wrote; the recorded expectations of the originals stand in.",
  );

test("rlprobe says of all of them what it says of the originals", async () => {
  if (!python) return;
  const both = (title: string, layout: string) => [
    path.join(oracle, original(title)),
    replayed(layout, title),
  ];
  const asked = LAYOUTS.map((layout) => ({
    runs: recordings.map(({ title }) => both(title, layout)),
    pairs: pairs.map(({ a, b }) => {
      const [originalA, replayA] = both(a, layout);
      const [originalB, replayB] = both(b, layout);
      return [originalA, originalB, replayA, replayB];
    }),
  }));
  const script = path.join(root, "test/contract/say_replayed.py");
  for (const [i, each] of asked.entries()) {
    const options = { input: JSON.stringify(each), encoding: "utf8", maxBuffer: 1 << 28 } as const;
    const said = JSON.parse(execFileSync(python, ["-W", "ignore", script], options)) as {
      readonly differences: Readonly<Record<string, readonly string[]>>;
      readonly refused: Readonly<Record<string, readonly number[]>>;
    };
    expect(Object.entries(said.differences).filter(([, found]) => found.length > 0)).toEqual([]);
    expect(Object.keys(said.differences)).toHaveLength(recordings.length - 1 + pairs.length);
    // A part of the original is torn: rlprobe reads none of it, and of the replay what we read of the original.
    const torn = replayed(LAYOUTS[i] ?? "", "trl/grpo-live-copy");
    expect(said.refused).toEqual({ [torn]: [23, 184] });
  }
}, 240_000);
