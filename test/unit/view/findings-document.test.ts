import { describe, expect, it } from "vitest";
import type { DiagnosisView, FindingView } from "../../../src/protocol/diagnosis.ts";
import { findingsDocument } from "../../../src/view/findings-document.ts";
import { asCode, inCell, inMarkdown } from "../../../src/view/markdown.ts";

const finding: FindingView = {
  id: "KL_BLOWUP kl_mean",
  signature: "KL_BLOWUP",
  title: "KL blow-up",
  severity: "critical",
  ours: false,
  firstStep: 600,
  firstStepText: "600",
  knownStep: 640,
  knownStepText: "640",
  knownIsOpen: false,
  confidence: 0.876,
  words: "KL rose.",
  what: "It leaves the reference.",
  tries: ["Raise beta.", "Go back."],
  evidence: [{ figures: [{ label: "late mean", value: "3.2" }] }],
  drawings: [],
  samples: { from: 500, to: 700, sort: "kl_contribution", descending: true, k: 10, why: "the farthest" },
};
const view: DiagnosisView = {
  steps: 1200,
  verdict: { state: "findings", words: "" },
  unread: [],
  unreadCount: 0,
  findings: [finding],
  passed: [{ signature: "CLIP_SATURATION", title: "Clip saturation", words: "0.09 of 0.3", ratio: 0.3 }],
  skipped: [{ signature: "ADV_COLLAPSE", title: "Advantage collapse", words: "no adv_std recorded" }],
  signatures: [],
  configProblems: [],
};
const page = (id: string) => `../signatures/${id}.md`;
const written = (more: Partial<DiagnosisView> = {}, config: string | null = null, label = "run") =>
  findingsDocument({ label, dir: `/runs/${label}`, config, view: { ...view, ...more } }, page);

describe("the document of findings", () => {
  it("has every finding with its figures, and what passed and was skipped", () => {
    const text = written();
    expect(text).toContain("1 critical finding over 1,200 steps. Default thresholds.");
    expect(text).toContain(
      "[KL\\_BLOWUP](../signatures/KL_BLOWUP.md) · critical · onset step 600 · could have been known at step 640 · 88 % sure",
    );
    expect(text).toContain("| late mean | `3.2` |");
    expect(text).toContain("1. Raise beta.\n2. Go back.");
    expect(text).toContain("steps 500 to 700, by `kl_contribution`, largest first");
    expect(text).toContain("- Clip saturation \\(0.09 of 0.3\\)");
    expect(text).toContain("- Advantage collapse: no adv\\_std recorded");
  });

  it("says so when there is nothing, and what of doctor.toml was not used", () => {
    const text = written(
      {
        findings: [],
        verdict: { state: "clear", words: "No findings" },
        configProblems: [{ line: 3, message: "KL_BLOWUP has no key “ratoi”." }],
      },
      "/runs/doctor.toml",
    );
    expect(text).toContain("No findings over 1,200 steps. Thresholds of `/runs/doctor.toml`.");
    expect(text).toContain("- Line 3: KL\\_BLOWUP has no key “ratoi”.");
  });

  it("makes no markup of what the recording says", () => {
    const hostile = "<img src=x onerror=alert(1)>\n# [x](command:evil) | `a`";
    const text = written(
      {
        findings: [
          { ...finding, words: hostile, evidence: [{ figures: [{ label: "component", value: hostile }] }] },
        ],
      },
      null,
      "](javascript:x)\n# run",
    );
    expect(text).toContain("# Findings of \\]\\(javascript:x\\) \\# run");
    expect(text).not.toMatch(/^# \[x\]/m);
    expect(text).not.toMatch(/^<img/m);
    expect(text).toContain("| component | `` <img src=x onerror=alert(1)> # [x](command:evil) \\| `a` `` |");
  });
});

describe("text in Markdown", () => {
  it("stays on its line and shows what it is", () => {
    expect(inMarkdown("a*b_c`d\r\n\u202ee")).toBe("a\\*b\\_c\\`d \\<U\\+202E\\>e");
    expect(inMarkdown("http://x //x www.x mailto:a a@b")).toBe(
      "http\\:\\/\\/x \\/\\/x www\\.x mailto\\:a a\\@b",
    );
    expect(asCode("a`b")).toBe("`` a`b ``");
    expect(asCode("")).toBe("`  `");
    expect(inCell("a|b")).toBe("a\\|b");
  });
});
