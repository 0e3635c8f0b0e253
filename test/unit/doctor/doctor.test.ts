import { describe, expect, it } from "vitest";
import { CHECKS } from "../../../src/core/doctor/checks/index.ts";
import { parseConfig } from "../../../src/core/doctor/config.ts";
import { detectableRow } from "../../../src/core/doctor/detectable.ts";
import { type DoctorConfig, diagnose } from "../../../src/core/doctor/engine.ts";
import type { DoctorRun } from "../../../src/core/doctor/run.ts";
import { SIGNATURES } from "../../../src/core/doctor/signatures/index.ts";
import { outcomeLines } from "../../../src/view/findings.ts";
import { run } from "./made.ts";

const N = Number.NaN;
const noise = (i: number) => ((i * 7919) % 101) / 1000;
const fired = (r: DoctorRun, config: DoctorConfig = {}) =>
  diagnose(r, config).findings.map((f) => f.signature);
const ours = (r: DoctorRun) => diagnose(r, {}, CHECKS).findings;

describe("a signature", () => {
  it("fires with its figures and its onset as a step number", () => {
    const kl = run(100, { kl_mean: (i) => (i < 50 ? 0.02 + noise(i) / 10 : 0.02 + (i - 50) * 0.1) });
    const [finding] = diagnose(kl).findings;
    expect(finding).toMatchObject({ signature: "KL_BLOWUP", severity: "critical", confidence: 0.99 });
    expect(finding?.firstStep).toBe(520);
    expect(finding?.drawings[0]).toMatchObject({
      metric: "kl_mean",
      early: { from: 0, to: 25 },
      late: { from: 80, to: 100 },
    });
  });

  it("says of a quiet run how far it is from firing, and of a missing metric which", () => {
    const { outcomes } = diagnose(
      run(100, { kl_mean: (i) => 0.05 + noise(i), adv_std: () => 1, clip_fraction: () => 0.09 }),
    );
    const of = (id: string) => outcomes.find((o) => o.signature === id);
    expect(of("CLIP_SATURATION")).toMatchObject({
      state: "passed",
      distance: { ratio: expect.closeTo(0.3, 9) },
    });
    expect(of("ENTROPY_COLLAPSE")).toEqual({
      signature: "ENTROPY_COLLAPSE",
      state: "skipped",
      reason: "missing",
      metrics: ["entropy_mean"],
    });
    expect(of("VALUE_DIVERGENCE")).toMatchObject({
      reason: "missing",
      metrics: ["value_explained_variance", "value_loss"],
    });
    expect(outcomes.length).toBe(SIGNATURES.length);
    expect(outcomeLines(outcomes)).toContain("Entropy collapse — no entropy_mean recorded");
  });

  it("is skipped where values are too thin, and in a run that is too short", () => {
    const thin = diagnose(run(100, { entropy_mean: (i) => (i % 20 === 0 ? 1 : null) }));
    expect(thin.outcomes.find((o) => o.signature === "ENTROPY_COLLAPSE")).toMatchObject({
      reason: "too-few",
      metrics: ["entropy_mean"],
    });
    expect(
      diagnose(run(29, { kl_mean: (i) => i })).outcomes.every(
        (o) => o.state === "skipped" && o.reason === "short-run",
      ),
    ).toBe(true);
  });

  it("can be switched off and given other thresholds", () => {
    const clip = run(100, { clip_fraction: () => 0.25 });
    expect(fired(clip)).toEqual([]);
    expect(fired(clip, { CLIP_SATURATION: { values: { threshold: 0.2 } } })).toEqual(["CLIP_SATURATION"]);
    expect(fired(clip, { CLIP_SATURATION: { enabled: false, values: { threshold: 0.2 } } })).toEqual([]);
  });

  it("has its own words: an id, a title, a page, ranges around its defaults", () => {
    for (const s of [...SIGNATURES, ...CHECKS]) {
      expect(s.id).toMatch(/^[A-Z_]+$/);
      expect(s.pages.tries.length).toBeGreaterThan(0);
      expect(s.pages.what.length).toBeGreaterThan(60);
      for (const p of Object.values(s.params)) {
        expect(p.default).toBeGreaterThanOrEqual(p.min);
        expect(p.default).toBeLessThanOrEqual(p.max);
      }
    }
  });
});

describe("findings", () => {
  it("are sorted by severity, then confidence, then the signatures' order", () => {
    const sick = run(100, {
      step_time_s: (i) => 1 + i,
      clip_fraction: () => 0.6,
      zero_variance_group_frac: () => 0.8,
      nan_count: (i) => (i === 40 ? 2 : 0),
    });
    expect(fired(sick)).toEqual(["GRAD_PATHOLOGY", "CLIP_SATURATION", "DEGENERATE_GROUPS", "THROUGHPUT_ROT"]);
  });

  it("name the part of the answer that drifts", () => {
    const [finding] = diagnose(run(60, {}, [0.5, 0.02, 0.03, 0.02])).findings;
    expect(finding?.evidence[0]).toMatchObject({ bucket: 0 });
    expect(finding?.words).toContain("part 1 of 4");
  });
});

describe("when it could have been known", () => {
  it("is the first row at which the prefix fires", () => {
    const r = run(200, { clip_fraction: (i) => (i < 100 ? 0.1 : 0.6) });
    const [finding] = diagnose(r).findings;
    const signature = SIGNATURES.find((s) => s.id === "CLIP_SATURATION");
    if (!finding || !signature) throw new Error("it must fire");
    const row = detectableRow(r, signature, finding);
    expect(finding.onsetRow).toBe(100);
    expect(row).toBe(119);
    expect(fired(r.prefix((row ?? 0) + 1))).toEqual(["CLIP_SATURATION"]);
    expect(fired(r.prefix(row ?? 0))).toEqual([]);
  });

  it("is found in long runs with few looks", () => {
    const r = run(20_000, { clip_fraction: (i) => (i < 15_000 ? 0.1 : 0.6) });
    const [finding] = diagnose(r).findings;
    const signature = SIGNATURES.find((s) => s.id === "CLIP_SATURATION");
    if (!finding || !signature) throw new Error("it must fire");
    const row = detectableRow(r, signature, finding) ?? 0;
    expect(fired(r.prefix(row + 1))).toEqual(["CLIP_SATURATION"]);
    expect(fired(r.prefix(row))).toEqual([]);
  });
});

describe("checks of ours", () => {
  it("see a loss that is no number, and whether it stays so", () => {
    const once = ours(run(100, { loss: (i) => (i === 40 ? N : 1 + noise(i)) }));
    expect(once).toMatchObject([{ signature: "FD_NON_FINITE", severity: "warn", firstStep: 400 }]);
    const forGood = ours(run(100, { loss: (i) => (i >= 90 ? N : 1 + noise(i)) }));
    expect(forGood[0]).toMatchObject({ signature: "FD_NON_FINITE", severity: "critical", firstStep: 900 });
  });

  it("do not take a value that was not written for one that is no number", () => {
    expect(ours(run(100, { loss: (i) => (i % 2 === 0 ? null : 1 + noise(i)) }))).toEqual([]);
  });

  it("see a collapse behind a tail of NaN, which rlprobe's rule cannot", () => {
    const r = run(100, { entropy_mean: (i) => (i >= 75 ? N : i > 45 ? 0.01 : 2) });
    expect(fired(r)).toEqual([]);
    const hidden = ours(r).find((f) => f.signature === "FD_BEFORE_NAN");
    expect(hidden?.evidence[0]).toMatchObject({ signature: "ENTROPY_COLLAPSE", rows_before_tail: 75 });
    expect(hidden?.firstStep).toBe(460);
  });

  it("see a single spike of a thousand times, and no spike in noise", () => {
    const r = run(20_000, { grad_norm: (i) => (i === 12_345 ? 1000 : 1 + noise(i)) });
    expect(fired(r)).toEqual([]);
    expect(ours(r)).toMatchObject([{ signature: "FD_SPIKE", firstStep: 123_450 }]);
    expect(ours(run(20_000, { grad_norm: (i) => Math.exp(3 * Math.sin(i * i)) }))).toEqual([]);
  });

  it("see a run that was broken from its first step", () => {
    expect(ours(run(100, { entropy_mean: () => 0.001 }))).toMatchObject([
      { signature: "FD_NEVER_HEALTHY", firstStep: 0 },
    ]);
    expect(ours(run(100, { entropy_mean: (i) => (i < 50 ? 1 : 0.001) }))).toEqual([]);
  });
});

describe("doctor.toml", () => {
  const parse = (text: string) => parseConfig(text, [...SIGNATURES, ...CHECKS]);

  it("sets thresholds and switches signatures off", () => {
    const { config, problems } = parse(
      "[kl_blowup]\nratio = 12\nsustain = 5\n\n[fd_spike]\nenabled = false\n",
    );
    expect(problems).toEqual([]);
    expect(config["KL_BLOWUP"]).toEqual({ values: { ratio: 12, sustain: 5 } });
    expect(config["FD_SPIKE"]).toEqual({ enabled: false });
  });

  it("names what is wrong with its line and the nearest known name; the rest is used", () => {
    const { config, problems } = parse("[kl_blowup]\nratoi = 12\nabs_floor = 1\n\n[kl_blow_up]\nratio = 1\n");
    expect(problems.map((p) => [p.line, p.section, p.key])).toEqual([
      [2, "kl_blowup", "ratoi"],
      [5, "kl_blow_up", ""],
    ]);
    expect(problems[0]?.message).toContain("did you mean “ratio”?");
    expect(problems[0]?.message).toContain("ratio, abs_floor, sustain, enabled");
    expect(problems[1]?.message).toContain("“kl_blowup”");
    expect(config["KL_BLOWUP"]).toEqual({ values: { abs_floor: 1 } });
  });

  it("wants numbers where numbers are due, in a range that makes sense", () => {
    const { config, problems } = parse(
      '[kl_blowup]\nratio = "twelve"\nsustain = 2.5\nabs_floor = -1\nenabled = "no"\n',
    );
    expect(problems.map((p) => p.line)).toEqual([2, 3, 4, 5]);
    expect(problems[1]?.message).toContain("a whole number from 1 to 1000");
    expect(config["KL_BLOWUP"]).toEqual({});
  });

  it("says where a file is no TOML, and never treats odd names as known", () => {
    expect(parse("[kl_blowup\nratio = 1").problems[0]).toMatchObject({ line: 1, section: "" });
    expect(parse("[constructor]\na = 1\n[__proto__]\nb = 1\n").problems.length).toBe(2);
    expect(parse("[kl_blowup]\nconstructor = 1\ntoString = 2\n").problems.length).toBe(2);
  });
});
