/**
 * Random pairs of runs, compared by the real rlprobe as this test runs, and by us; healthy pairs, in which our second measure finds nothing. Set FLIGHT_DECK_RLPROBE_PYTHON to a Python that has
 * rlprobe 0.1.0. 40 pairs of one seed; 150 of three, and 200 healthy ones, with `npm run test:long`.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { compareRuns } from "../../src/core/compare/index.ts";
import { DEFAULT_SETTINGS } from "../../src/core/compare/types.ts";
import { parseJson } from "../../src/core/format/json-parse.ts";
import { nodeSource, openRun } from "../../src/core/index.ts";
import { diffDifferences, diffOf } from "./diffs.ts";
import "./oracle.ts";

const python = process.env["FLIGHT_DECK_RLPROBE_PYTHON"];
const isLong = process.env["FLIGHT_DECK_LONG"] === "1";
const seeds = isLong ? [8101, 8102, 8103] : [Number(process.env["FLIGHT_DECK_SEED"] ?? 8101)];
const COUNT = isLong ? 50 : 40;

const temporary = mkdtempSync(path.join(tmpdir(), "flight-deck-pairs-"));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

if (!python)
  console.warn(
    "FLIGHT_DECK_RLPROBE_PYTHON is not set: no random pairs were compared; the recorded comparisons of compare.test.ts stand in.",
  );

interface Expected {
  readonly z: number;
  readonly sustain: number;
  readonly diff: Readonly<Record<string, unknown>> & { readonly metrics: readonly unknown[] };
}

/** Integers of any size as they are. */
function read(file: string): Expected {
  const parsed = parseJson(readFileSync(file, "utf8"));
  if (!parsed.ok) throw new Error(`${file} is no JSON`);
  return parsed.value as unknown as Expected;
}

describe("random pairs", () => {
  test.each(seeds)(
    `seed %i: ${COUNT} pairs, no difference`,
    async (seed) => {
      if (!python) return;
      const script = fileURLToPath(new URL("make_pairs.py", import.meta.url));
      const folder = path.join(temporary, String(seed));
      const args = ["-W", "ignore", script, folder, "--seed", String(seed), "--count", String(COUNT)];
      execFileSync(python, args, { stdio: "pipe" });
      const names = readdirSync(path.join(folder, "expected")).sort();
      expect(names.length).toBe(COUNT);
      let diverged = 0;
      for (const file of names) {
        const name = file.replace(/\.json$/, "");
        const { z, sustain, diff } = read(path.join(folder, "expected", file));
        diverged += diff.metrics.length;
        const [a = "", b = ""] = ["a", "b"].map((side) => path.join(folder, "recordings", `${name}-${side}`));
        expect(diffDifferences(diff, await diffOf(a, b, { z, sustain })), name).toEqual([]);
      }
      expect(diverged).toBeGreaterThan(COUNT / 4);
    },
    isLong ? 1_800_000 : 600_000,
  );
});

describe("healthy pairs", () => {
  const count = isLong ? 200 : 40;

  test(`${count} pairs of different seeds: nothing separates`, async () => {
    if (!python) return;
    const script = fileURLToPath(new URL("make_pairs.py", import.meta.url));
    const folder = path.join(temporary, "healthy");
    const args = ["-W", "ignore", script, folder, "--seed", "71", "--count", String(count), "--healthy"];
    execFileSync(python, args, { stdio: "pipe" });
    const home = path.join(folder, "recordings");
    let compared = 0;
    for (const file of readdirSync(path.join(folder, "expected"))) {
      const name = file.replace(/\.json$/, "");
      const [a, b] = [
        await openRun(nodeSource(path.join(home, `${name}-a`))),
        await openRun(nodeSource(path.join(home, `${name}-b`))),
      ];
      const { metrics } = await compareRuns(a, b, DEFAULT_SETTINGS, { extra: true });
      compared += metrics.length;
      const separate = metrics.filter(({ separation }) => separation !== null);
      expect(
        separate.map(({ metric }) => metric),
        name,
      ).toEqual([]);
    }
    expect(compared).toBeGreaterThan(30 * count);
  }, 1_800_000);
});
