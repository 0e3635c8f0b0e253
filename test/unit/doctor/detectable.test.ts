/** The row whose recording would have raised a finding, where the prefixes that fire are known. */
import { describe, expect, it } from "vitest";
import { detectableRow, searchDetectable, subjectOf } from "../../../src/core/doctor/detectable.ts";
import { diagnoseRun } from "../../../src/core/doctor/index.ts";
import { phrase } from "../../../src/core/doctor/phrase.ts";
import { defineSignature, type Report, type Signature } from "../../../src/core/doctor/types.ts";
import { column, fakeModel } from "../view/model.ts";
import { run } from "./made.ts";

/** Fires for prefixes of these lengths, and counts how often it was asked. */
function firing(fires: (rows: number) => boolean, metric = "loss") {
  const asked: number[] = [];
  const report: Report = {
    confidence: 1,
    onset: 0,
    evidence: [{ metric }],
    phrase: phrase(""),
    drawings: [],
  };
  const signature = defineSignature({
    id: "TEST",
    title: "Test",
    severity: "warn",
    needs: ["loss"],
    params: {},
    samples: { sort: "advantage", descending: true, why: "" },
    pages: { what: "", looks: "", tries: [""], falseAlarms: "" },
    inspect: ({ rows }) => {
      asked.push(rows);
      return { reports: fires(rows) ? [report] : [] };
    },
  }) as unknown as Signature;
  return { signature, asked };
}

const found = (rows: number, fires: (n: number) => boolean, subject = "loss") => {
  const { signature, asked } = firing(fires);
  const row = detectableRow(run(rows, { loss: () => 1 }), signature, { evidence: [{ metric: subject }] });
  return { row, asked };
};

describe("the first row at which a finding could have been known", () => {
  it.each([30, 31, 100, 157])("is exact in a run of 157 rows that fires from %i on", (first) => {
    expect(found(157, (n) => n >= first).row).toBe(first - 1);
  });

  it("tries each row of a short run once, from thirty on", () => {
    expect(found(157, () => false)).toEqual({
      row: null,
      asked: Array.from({ length: 128 }, (_, i) => 30 + i),
    });
    // One row more: strides of two, and between two of them the one that was left out; the last row is tried whatever the stride.
    expect(found(158, () => false).asked.slice(-3)).toEqual([154, 156, 158]);
    expect(found(159, () => false).asked.slice(-3)).toEqual([156, 158, 159]);
    expect(found(158, (n) => n >= 35)).toEqual({ row: 34, asked: [30, 32, 34, 36, 35] });
    expect(found(158, (n) => n >= 36)).toEqual({ row: 35, asked: [30, 32, 34, 36, 35] });
  });

  it("looks at every row between two strides, so that a firing that ends again is found", () => {
    // 30 + 64·k: 542 fires, 478 did not.
    const rows = 29 + 64 * 128;
    const { row, asked } = found(rows, (n) => n === 500 || n >= 542);
    expect(row).toBe(499);
    expect(asked.at(-1)).toBe(500);
  });

  it("halves what lies between wider strides", () => {
    const rows = 29 + 65 * 128;
    const { row, asked } = found(rows, (n) => n >= 1000);
    expect(row).toBe(999);
    // Strides of 65 up to 1005, then six halvings of 65 or 64 rows.
    expect(asked.length).toBeLessThanOrEqual(16 + 7);
    expect(asked).not.toContain(941);
  });

  it("is null where no prefix fires, and where what is needed never was enough", () => {
    expect(found(200, () => false).row).toBe(null);
    const { signature, asked } = firing(() => true);
    expect(detectableRow(run(60, {}), signature, { evidence: [{ metric: "loss" }] })).toBe(null);
    expect(asked).toEqual([]);
  });

  it("is about the same metric or component", () => {
    expect(found(60, () => true, "kl_mean").row).toBe(null);
    expect(found(60, () => true).row).toBe(29);
    expect(subjectOf({ evidence: [{ component: "a", metric: "m", signature: "s" }] })).toBe("a");
    expect(subjectOf({ evidence: [{ metric: "m", signature: "s" }] })).toBe("s");
    expect(subjectOf({ evidence: [{ metric: "m" }, { component: "a" }] })).toBe("m");
    expect(subjectOf({ evidence: [{ share: 1 }] })).toBe("");
    expect(subjectOf({ evidence: [] })).toBe("");
  });

  it("can be left at any prefix", () => {
    const { signature, asked } = firing(() => false);
    const search = searchDetectable(run(60, { loss: () => 1 }), signature, {
      evidence: [{ metric: "loss" }],
    });
    for (let i = 0; i < 3; i++) expect(search.next().done).toBe(false);
    expect(asked).toEqual([30, 31]);
  });
});

describe("a diagnosis", () => {
  const model = () =>
    fakeModel({
      columns: {
        step: column(Array.from({ length: 100 }, (_, i) => i * 10)),
        clip_fraction: column(Array.from({ length: 100 }, (_, i) => (i < 50 ? 0 : 0.9))),
        loss: column(Array.from({ length: 100 }, (_, i) => (i === 70 ? Number.NaN : 1))),
      },
    });
  const order = "merged";

  it("says the step since which each finding could be known, where that is asked for", async () => {
    const { findings, detectable } = await diagnoseRun(model(), { order, extra: true, detectable: true });
    expect(findings.map((f) => [f.signature, f.firstStep, detectable.get(f)])).toEqual([
      ["CLIP_SATURATION", 500, 690],
      ["FD_NON_FINITE", 700, 700],
    ]);
    const without = await diagnoseRun(model(), { order, extra: true });
    expect([without.findings.length, without.detectable.size, without.links.size]).toEqual([2, 0, 0]);
  });

  it("looks with the thresholds that are set, and without our checks unless they are asked for", async () => {
    const config = { CLIP_SATURATION: { values: { sustain: 30 } } };
    const { findings, detectable } = await diagnoseRun(model(), { order, config, detectable: true });
    expect(findings.map((f) => [f.signature, detectable.get(f)])).toEqual([["CLIP_SATURATION", 790]]);
  });
});
