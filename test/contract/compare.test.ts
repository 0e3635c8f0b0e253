/** Comparisons against rlprobe's own: divergence steps, gaps, configuration, prompts. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { compareRuns } from "../../src/core/compare/index.ts";
import { DEFAULT_SETTINGS } from "../../src/core/compare/types.ts";
import { nodeSource, openRun } from "../../src/core/index.ts";
import { diffDifferences, diffOf } from "./diffs.ts";
import "./oracle.ts";

for (const set of ["synthetic", "trl"]) {
  const home = fileURLToPath(new URL(`../fixtures/oracle/${set}`, import.meta.url));
  const pairs = readdirSync(path.join(home, "expected/diff")).sort();
  describe(`${set}: comparisons as rlprobe has them`, () => {
    test.each(pairs.map((file) => file.replace(/\.json$/, "")))("%s", async (pair) => {
      const [a = "", b = ""] = pair.split("--").map((name) => path.join(home, "recordings", name));
      const expected = JSON.parse(readFileSync(path.join(home, "expected/diff", `${pair}.json`), "utf8"));
      expect(diffDifferences(expected, await diffOf(a, b))).toEqual([]);
    });
  });
}

describe("the second measure", () => {
  const home = fileURLToPath(new URL("../fixtures/oracle", import.meta.url));
  const between = async (a: string, b: string) => {
    const [runA, runB] = [
      await openRun(nodeSource(path.join(home, a))),
      await openRun(nodeSource(path.join(home, b))),
    ];
    return compareRuns(runA, runB, DEFAULT_SETTINGS, { extra: false });
  };

  test("policy entropy of grpo-baseline and grpo-length-hack parts before step 63, which rlprobe calls tracking", async () => {
    const { pair, metrics } = await between(
      "trl/recordings/grpo-baseline",
      "trl/recordings/grpo-length-hack",
    );
    const entropy = metrics.find(({ metric }) => metric === "entropy_mean");
    expect(entropy?.at).toBe(-1);
    expect(Number(pair.stepAt(entropy?.separation?.at ?? 0))).toBe(52);
    expect(entropy?.separation?.before).toBeGreaterThan(-0.15);
    expect(entropy?.separation?.after).toBeLessThan(-0.35);
  });

  test("nothing separates where nothing differs", async () => {
    const { metrics } = await between(
      "synthetic/recordings/healthy-grpo",
      "synthetic/recordings/healthy-grpo",
    );
    expect(metrics.length).toBeGreaterThan(30);
    expect(metrics.filter(({ separation }) => separation !== null)).toEqual([]);
  });
});

describe("the comparison itself", () => {
  const metric = (name: string, step: number, z: number | string = 5) => ({
    metric: name,
    divergence_step: step,
    z_late: z,
  });
  const prompt = (id: string, gap: number) => ({ prompt_id: id, gap, n_a: 2 });
  const diff = (more: Record<string, unknown> = {}) => ({
    n_common_steps: 40,
    metrics: [metric("a", 31), metric("b", 33)],
    first_divergence: metric("a", 31),
    prompts: [prompt("p", -2), prompt("q", 1)],
    ...more,
  });

  test("sees another step, a missing metric, another order, another gap, another count", () => {
    expect(diffDifferences(diff(), diff())).toEqual([]);
    for (const more of [
      { n_common_steps: 41 },
      { metrics: [metric("a", 32), metric("b", 33)] },
      { metrics: [metric("a", 31)] },
      { metrics: [metric("b", 33), metric("a", 31)] },
      { first_divergence: null },
      { prompts: [prompt("p", -2), prompt("q", 1 + 1e-6)] },
      { prompts: [prompt("q", 1), prompt("p", -2)] },
      { prompts: [prompt("p", -2), { ...prompt("q", 1), n_a: 3 }] },
      { prompts: [prompt("p", -2)] },
    ])
      expect(diffDifferences(diff(), diff(more)), JSON.stringify(more)).not.toEqual([]);
  });

  test("takes ties in any order", () => {
    const tied = [prompt("p", 1), prompt("q", 1)];
    expect(diffDifferences(diff({ prompts: tied }), diff({ prompts: tied.toReversed() }))).toEqual([]);
  });
});
