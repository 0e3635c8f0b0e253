/** Hovers: recorded text in them is code, and ends neither its block nor its span. */
import { describe, expect, it } from "vitest";
import type { SampleListRow } from "../../../src/protocol/samples.ts";
import { codeBlock, sampleHover, stepHover } from "../../../src/view/sample-hover.ts";
import { fileNamePart, sampleName } from "../../../src/view/sample-words.ts";

const sample = (more: Partial<SampleListRow>): SampleListRow => ({
  ...{ row: 0, step: "1", id: "1_0", rank: 0, group: "", promptId: "", reward: 1, advantage: null },
  ...{ kl: null, logprob: null, length: null, truncated: null, reason: "", prompt: "", completion: "" },
  ...more,
});

/** What is left of Markdown once its blocks and spans of code are taken out, as CommonMark finds them. */
function outsideCode(markdown: string): string {
  let outside = "";
  let fence = "";
  for (const line of markdown.split("\n")) {
    const bar = /^ {0,3}(`{3,})/.exec(line)?.[1] ?? "";
    if (fence === "" && bar !== "") fence = bar;
    else if (fence !== "" && bar.length >= fence.length && line.trim() === bar) fence = "";
    else if (fence === "") outside += `${line.replace(/(`+)(?!`).*?(?<!`)\1(?!`)/g, "")}\n`;
  }
  return outside;
}

describe("recorded text in a hover", () => {
  const hostile =
    "``` \n````\n[x](command:evil) <img src=x> https://evil.example ![](http://evil.example/p)\n~~~";

  it("stays inside its block of code", () => {
    for (const text of [hostile, "`".repeat(50), "```text", "\n\n```\n", hostile.repeat(50)])
      expect(outsideCode(codeBlock(text)).trim(), text).toBe("");
  });

  it("stays inside its spans of code", () => {
    for (const id of [hostile, "a`b", "``", "`", " ", "|x|", "a\n\n# heading"]) {
      const outside = outsideCode(sampleHover(sample({ id, completion: hostile }), id));
      expect(outside).not.toMatch(/evil|command|heading|<img/);
      const step = stepHover({
        ...{ run: id, step: "1", metrics: [{ name: id, value: 1 }], samples: 2, worst: 0, best: 1 },
      });
      expect(outsideCode(step)).not.toMatch(/evil|command|heading|<img/);
    }
  });

  it("is bounded, and says what does not show", () => {
    expect(codeBlock("x\n".repeat(10_000)).length).toBeLessThan(1000);
    expect(codeBlock("\u001b[2J\u202e")).toContain("<ESC>[2J<U+202E>");
  });
});

it("a step tells what was recorded there", () => {
  const facts = { run: "run", step: "50", metrics: [{ name: "reward_mean", value: 0.5 }] };
  expect(stepHover({ ...facts, samples: 8, worst: 0, best: 1 })).toBe(
    "Step 50 of `run`\n\n`reward_mean` 0.5\n\n8 captured samples, rewards 0 to 1.",
  );
  expect(stepHover({ ...facts, metrics: [], samples: 0, worst: null, best: null })).toContain("No samples");
});

describe("names of documents", () => {
  it("are readable", () => {
    expect(sampleName({ step: "120", reward: 0.25, id: "120_3" })).toBe("step 120 reward 0.25 120_3");
    expect(sampleName({ step: "120", reward: null, id: "s1/4" })).toBe("step 120 s1-4");
  });

  it("are safe, whatever is recorded", () => {
    for (const id of [
      "../../etc/passwd",
      "a\0b",
      "\u202egpj.exe",
      "C:\\x",
      "con\nx",
      "..",
      "😀".repeat(100),
      "\ud800",
      "",
    ]) {
      const part = fileNamePart(id);
      expect(part, id).not.toMatch(/[/\\:\0\n]|\p{Cs}|\p{Cf}|^\.+$/u);
      expect([...part].length).toBeLessThanOrEqual(40);
    }
  });
});
