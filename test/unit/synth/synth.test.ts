import { describe, expect, test } from "vitest";
import { METRICS } from "../../../src/core/format/catalogue.ts";
import {
  type Algorithm,
  PATHOLOGIES,
  pathologyOf,
  type SynthOptions,
  type SynthTick,
  synthesize,
} from "../../../src/core/synth/index.ts";

const options = (more: Partial<SynthOptions> = {}): SynthOptions => ({
  pathology: null,
  steps: 60,
  seed: 4,
  ...more,
});
const all = (more: Partial<SynthOptions> = {}): SynthTick[] => [...synthesize(options(more)).ticks()];
const named = (name: string) => {
  const found = pathologyOf(name);
  if (!found) throw new Error(name);
  return found;
};

describe("a made-up run", () => {
  test("is the same for the same seed, each time it is asked for, and another for another", () => {
    const run = synthesize(options({ pathology: named("kl_blowup") }));
    expect([...run.ticks()]).toEqual([...run.ticks()]);
    expect(all({ seed: 5 })).not.toEqual(all({ seed: 4 }));
    expect(run.manifest).toEqual(synthesize(options({ pathology: named("kl_blowup") })).manifest);
  });

  test.each<[Algorithm, string]>([
    ["grpo", "value_loss value_explained_variance value_clip_fraction"],
    ["ppo", "group_reward_std_mean zero_variance_group_frac"],
  ])("of %s has every metric of the format but %s", (algorithm, without) => {
    const names = METRICS.map(({ name }) => name).filter((name) => !without.split(" ").includes(name));
    for (const { metrics } of all({ algorithm })) {
      expect(Object.keys(metrics).sort()).toEqual([...names, "reward_components", "tokens_seen"].sort());
      const numbers = Object.values(metrics).flatMap((v) => (typeof v === "object" ? Object.values(v) : [v]));
      expect(numbers.every(Number.isFinite)).toBe(true);
    }
  });

  test("has steps from 0 on, time that goes on, a beginning and an end", () => {
    const ticks = all();
    expect(ticks.map(({ step }) => step)).toEqual(Array.from({ length: 60 }, (_, i) => i));
    for (const [i, { seconds }] of ticks.entries())
      expect(seconds).toBeGreaterThan(ticks[i - 1]?.seconds ?? 0);
    expect(ticks.at(-1)?.seconds).toBeCloseTo(synthesize(options()).duration(), 6);
    expect(ticks.flatMap(({ events }) => events.map(({ kind }) => kind))).toEqual([
      "train_begin",
      ...Array(4).fill("checkpoint"),
      "train_end",
    ]);
  });

  test("can have one step, or a hundred thousand of which only the last is held", () => {
    expect(all({ steps: 1 }).length).toBe(1);
    let last: SynthTick | null = null;
    let captured = 0;
    for (const tick of synthesize(options({ steps: 100_000, pathology: named("throughput_rot") })).ticks()) {
      last = tick;
      captured += tick.samples.length;
    }
    expect(last?.step).toBe(99_999);
    expect(captured).toBeGreaterThan(5_000);
    expect(captured).toBeLessThan(10_000);
  });

  test("before its onset is to the last bit the healthy run of its seed", () => {
    for (const pathology of PATHOLOGIES) {
      const algorithm = pathology.algorithm ?? "grpo";
      const healthy = all({ algorithm });
      const sick = all({ algorithm, pathology });
      const { onset } = synthesize(options({ pathology }));
      expect(onset).toBe(30);
      const { lr: _, ...first } = sick[29]?.metrics ?? {};
      expect(healthy[29]?.metrics, pathology.name).toMatchObject(first);
      expect(healthy[29]?.samples, pathology.name).toEqual(sick[29]?.samples);
      expect(sick[40]?.metrics, pathology.name).not.toEqual(healthy[40]?.metrics);
    }
  });

  test("says in its manifest what it is", () => {
    const { manifest } = synthesize(options({ pathology: named("value_divergence") }));
    expect(manifest).toMatchObject({
      run_id: "synth-value_divergence-ppo-60-4",
      algorithm: "ppo",
      extra: { synthetic: { pathology: "value_divergence", onset: 30, seed: 4 } },
    });
    expect(manifest.notes).toMatch(/No model was trained/);
  });

  test("has no failure that its algorithm cannot have", () => {
    expect(() => all({ pathology: named("value_divergence"), algorithm: "grpo" })).toThrow(RangeError);
    expect(() => all({ pathology: named("degenerate_groups"), algorithm: "ppo" })).toThrow(RangeError);
  });
});

describe("its samples", () => {
  const captured = (more: Partial<SynthOptions> = {}) =>
    all({ steps: 300, ...more }).filter(({ samples }) => samples.length > 0);

  test("have unique ids, whole groups, and rewards that are the sum of their parts", () => {
    for (const { step, samples } of captured()) {
      expect(samples.map(({ sample_id }) => sample_id)).toEqual(samples.map((_, i) => `${step}_${i}`));
      expect(new Set(samples.map(({ group_id }) => group_id)).size).toBe(2);
      for (const s of samples) {
        const sum = Object.values(s.reward_components).reduce((a, b) => a + b, 0);
        expect(s.reward_total).toBeCloseTo(sum, 12);
      }
      for (const group of [samples.slice(0, 4), samples.slice(4)]) {
        expect(new Set(group.map(({ prompt_text }) => prompt_text)).size).toBe(1);
        expect(group.reduce((sum, { advantage }) => sum + advantage, 0)).toBeCloseTo(0, 9);
      }
    }
  });

  test("ask the same questions in every run, again and again", () => {
    const questions = (seed: number) =>
      captured({ seed }).flatMap(({ samples }) => samples.map((s) => `${s.prompt_id} ${s.prompt_text}`));
    expect(questions(1)).toEqual(questions(2));
    expect(new Set(questions(1)).size).toBe(24);
    expect(questions(1).length).toBeGreaterThan(24 * 4);
  });

  test("are right in their texts where they are right in their rewards", () => {
    const seen = captured().flatMap(({ samples }) => samples);
    for (const s of seen.filter(({ truncated }) => !truncated)) {
      const isTagged = /<answer>-?\d+<\/answer>$/.test(s.completion_text);
      expect(isTagged).toBe((s.reward_components["format"] ?? 0) > 0);
      expect(s.completion_text).toMatch(/(<answer>|The answer is )-?\d+/);
    }
    const answers = new Map<string, Set<string>>();
    for (const s of seen.filter(({ reward_components }) => (reward_components["correctness"] ?? 0) > 0)) {
      const answer = /(?:<answer>|The answer is )(-?\d+)/.exec(s.completion_text)?.[1] ?? "";
      answers.set(s.prompt_id, (answers.get(s.prompt_id) ?? new Set()).add(answer));
    }
    expect([...answers.values()].every(({ size }) => size === 1)).toBe(true);
  });

  test("read as the failure has them once it has come", () => {
    const late = (name: string) =>
      captured({ pathology: named(name) })
        .filter(({ step }) => step > 200)
        .flatMap(({ samples }) => samples);
    const texts = (name: string) => late(name).map(({ completion_text }) => completion_text);
    expect(texts("truncation_starve").filter((t) => !t.includes("answer>")).length).toBeGreaterThan(80);
    expect(late("truncation_starve").filter(({ truncated }) => truncated).length).toBeGreaterThan(80);
    expect(new Set(texts("reward_std_death")).size).toBe(1);
    expect(new Set(texts("entropy_collapse")).size).toBeLessThan(2 * 24 + 1);
    expect(texts("format_gaming").every((t) => t.startsWith("<think>\nDone."))).toBe(true);
    expect(texts("repetition_spiral").every((t) => /(\nSo [^\n]+)\1\1/.test(t))).toBe(true);
    const nan = all({ steps: 300, pathology: named("grad_pathology") })[150];
    expect(nan?.metrics["loss"]).toBeNaN();
    expect(nan?.events).toMatchObject([{ kind: "nan_detected", step: 150 }]);
  });
});

describe("a failure's name", () => {
  test.each(["kl_blowup", "KL_BLOWUP", " kl-blowup"])("%s is understood", (name) => {
    expect(pathologyOf(name)?.signature).toBe("KL_BLOWUP");
  });
  test("of rlprobe's and of the signature are the same", () => {
    expect(pathologyOf("ref_drift_asymmetry")).toBe(pathologyOf("REF_POLICY_DRIFT_ASYMMETRY"));
    expect(pathologyOf("healthy")).toBe(null);
    expect(PATHOLOGIES.length).toBe(14);
  });
});
