import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { CHECKS } from "../../../src/core/doctor/checks/index.ts";
import { SIGNATURES } from "../../../src/core/doctor/signatures/index.ts";
import type { Warning } from "../../../src/core/format/problems.ts";
import type { RunModel } from "../../../src/core/run/model.ts";
import type { DiagnosisView } from "../../../src/protocol/diagnosis.ts";
import { runContract } from "../../../src/protocol/run.ts";
import type { Params } from "../../../src/protocol/wire.ts";
import { runViews } from "../../../src/view/run.ts";
import { Slices } from "../../../src/view/slices.ts";
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
    const ask = asking(clipped());
    const quick = await ask({ known: false });
    expect(quick.findings[0]).toMatchObject({ knownStep: null, knownStepText: "", knownIsOpen: true });
    expect((await ask()).findings[0]).toMatchObject({ knownStep: 1190, knownIsOpen: false });
    // What was found out once is in every answer, with other thresholds of another signature too.
    const again = await ask({ known: false, values: { KL_BLOWUP: { ratio: 9 } } });
    expect(again.findings[0]).toMatchObject({ knownStep: 1190, knownIsOpen: false });
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

describe("an all-clear", () => {
  const lost = (more: Partial<Warning>): Warning => ({
    ...{ code: "part-unreadable", file: "steps/part-00003.parquet", detail: "", count: 1, level: "warning" },
    ...more,
  });
  const all = [...SIGNATURES, ...CHECKS].flatMap(({ needs }) => needs).filter((name) => !name.includes("*"));
  /** Flat series of everything: nobody fires. */
  const quietColumns = Object.fromEntries(
    [...new Set(all)].map((name) => [name, column(rows(() => (name.endsWith("_count") ? 0 : 1e-3)))]),
  );
  const healthy = (warningList: readonly Warning[] = []) =>
    asking(fakeModel({ columns: { ...quietColumns, step }, warningList }))({ config: OFF });
  const OFF = "[fd_never_healthy]\nenabled = false\n";

  it("is given to a run of which everything could be looked at, whatever else is said of it", async () => {
    expect(await healthy()).toMatchObject({ verdict: { state: "clear", words: "No findings" }, unread: [] });
    const harmless = [
      lost({ code: "duplicate-steps" }),
      lost({ file: "samples/samples-00001.parquet", code: "shard-unreadable" }),
      lost({ code: "page-corrupt", column: "my_own_metric" }),
      lost({ code: "part-incomplete", level: "info" }),
    ];
    expect((await healthy(harmless)).verdict.state).toBe("clear");
  });

  it.each([
    lost({}),
    lost({ code: "page-corrupt", file: "steps.parquet", column: "kl_mean" }),
    lost({ code: "page-corrupt", file: "steps.parquet", column: "reward_component.format" }),
    lost({ code: "permission-denied", file: "steps" }),
    lost({ code: "part-gap", file: "steps" }),
  ])("is none for a run whose steps could not all be read: $code of $file", async (warning) => {
    const { verdict, unread, unreadCount } = await healthy([warning]);
    expect(verdict).toEqual({ state: "partly", words: "No findings in what could be read" });
    expect(unread).toMatchObject([{ file: warning.file }]);
    expect(unreadCount).toBe(1);
  });

  it.each([
    ["no step could be read", { warningList: [lost({ code: "steps-unreadable", file: "steps.parquet" })] }],
    ["no steps have been recorded", {}],
    ["the folder holds run records only, no steps", { hasRecording: false }],
    ["1 step is too few, it takes 30", { columns: { step: column([7]) } }],
    [
      "of what could be read, 2 steps are too few, it takes 30",
      { columns: { step: column([1, 2]) }, warningList: [lost({})] },
    ],
    ["the metrics that signatures look at are missing or have too few values", { columns: { step } }],
  ])("is none where nothing was looked at: %s", async (words, model) => {
    const { verdict } = await asking(fakeModel(model))();
    expect(verdict).toEqual({ state: "none", words: `Not diagnosed: ${words}` });
  });

  it("is none where signatures are switched off, or lack their metrics", async () => {
    const off = [...SIGNATURES, ...CHECKS]
      .map(({ id }) => `[${id.toLowerCase()}]\nenabled = false\n`)
      .join("");
    expect((await asking(clipped())({ config: off })).verdict).toEqual({
      state: "none",
      words: "Not diagnosed: every signature is switched off",
    });
    const few = fakeModel({ columns: { step, clip_fraction: column(rows(() => 0.09)) } });
    expect((await asking(few)()).verdict).toEqual({
      state: "partly",
      words: "No findings, but only 1 of 18 signatures could be looked for",
    });
  });

  it("does not call a metric that cannot be read one that was not recorded", async () => {
    const warningList = [lost({ code: "page-corrupt", file: "steps.parquet", column: "kl_mean" })];
    const { skipped } = await asking(fakeModel({ columns: { step }, warningList }))();
    const words = (id: string) => skipped.find(({ signature }) => signature === id)?.words;
    expect(words("KL_BLOWUP")).toBe("kl_mean could not be read");
    expect(words("ENTROPY_COLLAPSE")).toBe("no entropy_mean recorded");
  });

  it("is still a list of findings where something fires and something is unread", async () => {
    const columns = { step, clip_fraction: column(rows((i) => (i < 100 ? 0.1 : 0.6))) };
    const { verdict, unread, findings } = await asking(fakeModel({ columns, warningList: [lost({})] }))();
    expect(verdict).toEqual({ state: "findings", words: "" });
    expect([findings.length, unread.length]).toEqual([1, 1]);
  });
});

describe("long work", () => {
  it("lets others through, and ends with its question", async () => {
    const abort = new AbortController();
    let at = 0;
    let pauses = 0;
    const clock = {
      now: () => (at += 5),
      pause: async () => {
        if (++pauses === 3) abort.abort(new Error("taken back"));
      },
    };
    function* search(): Generator<undefined, string, undefined> {
      for (;;) yield;
    }
    await expect(new Slices(abort.signal, clock).through(search())).rejects.toThrow("taken back");
    expect(pauses).toBe(3);
  });
});
