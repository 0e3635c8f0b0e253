import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import type { RunModel } from "../../../src/core/run/model.ts";
import type { DiagnosisView } from "../../../src/protocol/diagnosis.ts";
import { runContract } from "../../../src/protocol/run.ts";
import type { Params } from "../../../src/protocol/wire.ts";
import { runViews } from "../../../src/view/run.ts";
import { column, fakeModel, NOW } from "./model.ts";

const NEVER = new AbortController().signal;
const ROWS = 200;
const rows = <T>(value: (i: number) => T): T[] => Array.from({ length: ROWS }, (_, i) => value(i));
const step = column(rows((i) => i * 10));

function asking(model: RunModel) {
  const views = runViews(model, () => NOW);
  return async (more: Partial<Params<typeof runContract, "run.diagnose">> = {}): Promise<DiagnosisView> => {
    const { params, result } = runContract["run.diagnose"];
    const asked = z.parse(params, { config: null, extra: true, ...more });
    return z.parse(result, await views["run.diagnose"](asked, { signal: NEVER }));
  };
}

const clipped = () =>
  fakeModel({ columns: { step, clip_fraction: column(rows((i) => (i < 100 ? 0.1 : 0.6))) } });

describe("run.diagnose", () => {
  it("says what fired, with steps instead of rows and all that can be drawn", async () => {
    const { steps, findings } = await asking(clipped())();
    expect(steps).toBe(ROWS);
    expect(findings).toMatchObject([
      {
        id: "CLIP_SATURATION clip_fraction",
        severity: "warn",
        ours: false,
        firstStep: 1000,
        firstStepText: "1000",
        knownStep: 1190,
        drawings: [{ metric: "clip_fraction", threshold: 0.3, late: [1600, 1990] }],
        samples: { from: 750, to: 1250, k: 10 },
      },
    ]);
    expect(findings[0]?.tries.length).toBeGreaterThan(0);
    expect(findings[0]?.evidence[0]?.figures).toContainEqual({ label: "late mean", value: "0.6" });
  });

  it("says of the rest how far it is from firing, or why it was skipped", async () => {
    const model = fakeModel({ columns: { step, clip_fraction: column(rows(() => 0.09)) } });
    const { passed, skipped } = await asking(model)();
    const clip = passed.find(({ signature }) => signature === "CLIP_SATURATION");
    expect(clip).toMatchObject({ title: "Clip saturation", words: "0.09 of 0.3" });
    expect(clip?.ratio).toBeCloseTo(0.3);
    expect(skipped).toContainEqual({
      signature: "KL_BLOWUP",
      title: "KL blow-up",
      words: "no kl_mean recorded",
    });
  });

  it("follows doctor.toml, says what is wrong with it, and lets sliders win", async () => {
    const ask = asking(clipped());
    const config = "[clip_saturation]\nthreshold = 0.7\nthresold = 1\n";
    const configured = await ask({ config });
    expect(configured.findings).toEqual([]);
    expect(configured.configProblems).toMatchObject([
      { line: 3, message: expect.stringContaining("“threshold”") },
    ]);
    const slid = await ask({ config, values: { CLIP_SATURATION: { threshold: 0.5, nothing: 1 } } });
    expect(slid.findings.map(({ signature }) => signature)).toEqual(["CLIP_SATURATION"]);
    const clip = slid.signatures.find(({ id }) => id === "CLIP_SATURATION");
    expect(clip).toMatchObject({ section: "clip_saturation", enabled: true });
    expect(clip?.params.find(({ name }) => name === "threshold")).toMatchObject({ default: 0.3, value: 0.5 });
  });

  it("keeps sliders within what makes sense, and names of objects out", async () => {
    const ask = asking(clipped());
    const { signatures } = await ask({
      values: { CLIP_SATURATION: { threshold: 99, sustain: 2.4, constructor: 1 }, constructor: { name: 1 } },
    });
    const clip = signatures.find(({ id }) => id === "CLIP_SATURATION");
    expect(clip?.params.map(({ name, value }) => [name, value])).toEqual([
      ["threshold", 1],
      ["sustain", 2],
    ]);
  });

  it("reads the columns once, however often it is asked", async () => {
    let reads = 0;
    const model = fakeModel({
      columns: { step, clip_fraction: column(rows(() => 0.6)) },
      onRead: () => reads++,
    });
    const ask = asking(model);
    await ask();
    const once = reads;
    await ask({ values: { CLIP_SATURATION: { threshold: 0.5 } } });
    expect(reads).toBe(once);
  });

  it("leaves our checks out where they are not wanted, and the known step where it is not asked for", async () => {
    const model = fakeModel({ columns: { step, entropy_mean: column(rows(() => 0.001)) } });
    expect((await asking(model)()).findings).toMatchObject([{ signature: "FD_NEVER_HEALTHY", ours: true }]);
    const without = await asking(model)({ extra: false });
    expect(without.findings).toEqual([]);
    expect(without.signatures.some(({ ours }) => ours)).toBe(false);
    const quick = await asking(clipped())({ known: false });
    expect(quick.findings[0]).toMatchObject({ knownStep: null, knownStepText: "" });
  });

  it("bounds names that the recording chose, and keeps findings apart", async () => {
    const name = (end: string) => `reward_component.${"n".repeat(5000)}${end}`;
    const model = fakeModel({
      columns: {
        step,
        [name("a")]: column(rows((i) => Math.min(1, i / 60))),
        [name("b")]: column(rows((i) => Math.min(1, i / 50))),
      },
    });
    const { findings } = await asking(model)();
    expect(new Set(findings.map(({ id }) => id)).size).toBe(2);
    for (const { id, words } of findings) {
      expect(id.length).toBeLessThan(200);
      expect(words.length).toBeLessThan(700);
    }
  });

  it("says nothing of a run without steps", async () => {
    const { findings, skipped } = await asking(fakeModel({ columns: {} }))();
    expect(findings).toEqual([]);
    expect(skipped.every(({ words }) => words === "fewer than 30 steps")).toBe(true);
  });

  it("gives steps beyond 2^53 with all digits", async () => {
    const start = 2n ** 60n + 1n;
    const exact = rows((i) => start + BigInt(i));
    const model = fakeModel({
      columns: {
        step: column(exact.map(Number), exact),
        clip_fraction: column(rows((i) => (i < 100 ? 0.1 : 0.6))),
      },
    });
    const [finding] = (await asking(model)()).findings;
    expect(finding?.firstStepText).toBe(String(start + 100n));
  });
});
