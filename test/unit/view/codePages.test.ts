import { describe, expect, it } from "vitest";
import { type Code, codeIndex, codePage, isCode, SECTIONS } from "../../../src/view/codePages.ts";
import { REFUSAL_WORDS, WARNING_WORDS } from "../../../src/view/words.ts";

const CODES = [...new Set([...Object.keys(WARNING_WORDS), ...Object.keys(REFUSAL_WORDS)])] as Code[];

describe("codePage", () => {
  it.each(CODES)("explains %s", (code) => {
    const page = codePage(code);
    expect(page.startsWith(`# ${code}\n`)).toBe(true);
    const words = [
      ...(Object.hasOwn(WARNING_WORDS, code) ? [WARNING_WORDS[code as keyof typeof WARNING_WORDS]] : []),
      ...(Object.hasOwn(REFUSAL_WORDS, code) ? [REFUSAL_WORDS[code as keyof typeof REFUSAL_WORDS]] : []),
    ];
    for (const { message, remedy } of words) {
      expect(page).toContain(message);
      expect(page).toContain(remedy);
    }
    const titles = [...page.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
    expect(titles.slice(0, 4)).toEqual([
      "What it means",
      "What causes it",
      "What Flight Deck does",
      "What to do",
    ]);
    // Each section says something, in whole sentences.
    for (const section of page.split(/^## .+$/m).slice(1, 5))
      expect(section.trim().length).toBeGreaterThan(7);
    expect(page).not.toContain("undefined");
  });

  it("stands alone: no link, no markup beyond Markdown, no address", () => {
    for (const code of CODES)
      expect(codePage(code)).not.toMatch(/\]\(|https?:\/\/(?!git-lfs)|<script|command:/);
  });

  it("tells what a code says of a part from what it says of the run", () => {
    expect(codePage("newer-schema")).toContain(WARNING_WORDS["newer-schema"].message);
    expect(codePage("newer-schema")).toContain(
      `For the run as a whole: **${REFUSAL_WORDS["newer-schema"].message}.**`,
    );
    expect(codePage("permission-denied")).not.toContain("For the run as a whole");
  });
});

describe("codeIndex", () => {
  it("lists each code once", () => {
    expect(SECTIONS.flatMap(({ codes }) => codes).sort()).toEqual([...CODES].sort());
    for (const code of CODES) expect(codeIndex()).toContain(`- [${code}](${code}.md): `);
  });
});

describe("isCode", () => {
  it.each(["bom", "not-a-run"])("knows %s", (code) => expect(isCode(code)).toBe(true));
  it.each(["", "constructor", "__proto__", "../bom", "worker-lost"])("does not know %j", (code) =>
    expect(isCode(code)).toBe(false),
  );
});
