import { describe, expect, it } from "vitest";
import { hoverAt, suggestionsAt } from "../../../src/view/doctor-toml.ts";

/** The text with | where the cursor is: its lines, and the place. */
function at(text: string): [lines: string[], line: number, character: number] {
  const before = text.slice(0, text.indexOf("|")).split("\n");
  return [text.replace("|", "").split("\n"), before.length - 1, before.at(-1)?.length ?? 0];
}

/** What the line reads once the suggestion of this label is taken. */
function taken(text: string, label: string): string | undefined {
  const [lines, line, character] = at(text);
  const found = suggestionsAt(lines, line, character).find((s) => s.label === label);
  const own = lines[line] ?? "";
  return found && own.slice(0, found.from) + found.insert + own.slice(found.to);
}

const labels = (text: string): string[] => suggestionsAt(...at(text)).map(({ label }) => label);

describe("completion of doctor.toml", () => {
  it("offers sections that are not there yet, over what is typed of one", () => {
    expect(labels("[kl_blowup]\n\n[|")).toContain("[entropy_collapse]");
    expect(labels("[kl_blowup]\n\n[|")).not.toContain("[kl_blowup]");
    expect(taken("[entr|]", "[entropy_collapse]")).toBe("[entropy_collapse]");
    expect(labels("|").length).toBe(18);
  });

  it("offers a section's keys with their defaults, those that are set left out", () => {
    expect(labels("[kl_blowup]\nratio = 9\n|").slice(0, 3)).toEqual(["abs_floor", "sustain", "enabled"]);
    expect(taken("[kl_blowup]\nsus|", "sustain")).toBe("sustain = 3");
    expect(taken("[kl_blowup]\n  rat| = 12", "ratio")).toBe("  ratio = 12");
    expect(labels("[nothing]\nx|")).not.toContain("ratio");
  });

  it("offers values where one is due, and nothing in a comment", () => {
    expect(labels("[kl_blowup]\nenabled = |")).toEqual(["true", "false"]);
    expect(taken("[kl_blowup]\nratio = 9|9", "8")).toBe("ratio = 8");
    expect(labels("[kl_blowup]\n# rat|")).toEqual([]);
    expect(labels("ratio = |")).toEqual([]);
    expect(labels("[kl_blowup]\nconstructor = |")).toEqual([]);
  });
});

describe("hovers in doctor.toml", () => {
  it("say what a section and a key mean, and which signature they belong to", () => {
    expect(hoverAt(...at("[kl_b|lowup]"))).toMatchObject({ signature: "KL_BLOWUP", from: 1, to: 10 });
    const key = hoverAt(...at("[kl_blowup]\n\nsust|ain = 3"));
    expect(key?.doc).toContain("Default 3; from 1 to 1000, whole.");
    expect(hoverAt(...at("[kl_blowup]\nenab|led = false"))?.doc).toContain("Default true");
  });

  it("say nothing of values, of unknown names and of names of objects", () => {
    expect(hoverAt(...at("[kl_blowup]\nratio = 1|2"))).toBeNull();
    expect(hoverAt(...at("[kl_blowup]\nrati|oo = 12"))).toBeNull();
    expect(hoverAt(...at("[kl_blowup]\nconstr|uctor = 12"))).toBeNull();
    expect(hoverAt(...at("[kl_blo]\nra|tio = 12"))).toBeNull();
  });
});
