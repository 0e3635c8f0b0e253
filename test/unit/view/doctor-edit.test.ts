import { describe, expect, it } from "vitest";
import { sectionText, withThresholds } from "../../../src/view/doctor-edit.ts";

const set = (text: string, values: Readonly<Record<string, number>> = { threshold: 0.7 }) =>
  withThresholds(text, "TRUNCATION_STARVE", values);

describe("thresholds that are written into doctor.toml", () => {
  it("become a section of their own", () => {
    expect(sectionText("TRUNCATION_STARVE", { threshold: 0.7, growth_ratio: 3 })).toBe(
      "[truncation_starve]\nthreshold = 0.7\ngrowth_ratio = 3\n",
    );
    expect(set("")).toBe("[truncation_starve]\nthreshold = 0.7\n");
    expect(set("[kl_blowup]\nratio = 9\n\n\n")).toBe(
      "[kl_blowup]\nratio = 9\n\n[truncation_starve]\nthreshold = 0.7\n",
    );
  });

  it("take the place of what is there; everything else stays as it was written", () => {
    const text =
      "# mine\n[truncation_starve]\n  threshold=0.5 # a half\nenabled = true\n\n[kl_blowup]\nratio = 9\n";
    expect(set(text)).toBe(text.replace("=0.5", "= 0.7"));
    expect(set(text, { growth_ratio: 4 })).toBe(
      text.replace("enabled = true\n", "enabled = true\ngrowth_ratio = 4\n"),
    );
    expect(set("[truncation_starve]\r\nthreshold = 0.5\r\n")).toBe(
      "[truncation_starve]\r\nthreshold = 0.7\r\n",
    );
  });

  it("are refused where a line cannot say it", () => {
    expect(set("truncation_starve = { threshold = 0.5 }\n")).toBeNull();
    expect(set("truncation_starve.threshold = 0.5\n")).toBeNull();
    expect(set("[truncation_starve\n")).toBeNull();
  });

  it("are those of the signature, in their range", () => {
    expect(sectionText("TRUNCATION_STARVE", { nope: 1, __proto__: 1 } as never)).toBe("");
    expect(sectionText("NO_SUCH", { threshold: 0.5 })).toBe("");
    expect(sectionText("TRUNCATION_STARVE", { threshold: 7 })).toContain("threshold = 1\n");
    expect(sectionText("KL_BLOWUP", { sustain: 3.6 })).toContain("sustain = 4\n");
  });
});
