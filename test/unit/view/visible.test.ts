/** Text of a recording, written so that nothing of it hides or acts. */
import { describe, expect, it } from "vitest";
import { characterName, startOf, visibleLabel, visibleLine } from "../../../src/view/visible.ts";
import { textParts, visibleText } from "../../../webview/text/visible.ts";

describe("a line of text", () => {
  it("is written as the page writes it, whatever character it holds", () => {
    for (let code = 0; code <= 0x10ffff; code++) {
      // Planes without assigned characters are one like another.
      if (code > 0x30000 && code < 0xe0000 && code % 997 !== 0) continue;
      const text = `a${String.fromCodePoint(code)}b`;
      const expected = textParts(text, 100, true);
      const { text: written, named } = visibleLine(text);
      if (code === 0x0a) continue;
      if (written !== expected.map((part) => part.text).join(""))
        expect.fail(`U+${code.toString(16)}: ${written}`);
      const name = expected.find((part) => part.name !== "")?.name;
      if ((named[0] && characterName(named[0].code)) !== name) expect.fail(`U+${code.toString(16)}: ${name}`);
    }
  });

  it("says where the names stand", () => {
    const line = "\u001b[2J x \u202eevil\u202c \ud800 👩\u200d👩 a\u200db";
    const { text, named } = visibleLine(line);
    expect(text).toBe("<ESC>[2J x <U+202E>evil<U+202C> <U+D800> 👩\u200d👩 a<U+200D>b");
    expect(named.map(({ from, to }) => text.slice(from, to))).toEqual([
      "<ESC>",
      "<U+202E>",
      "<U+202C>",
      "<U+D800>",
      "<U+200D>",
    ]);
    expect(text).toBe(visibleText(line));
    expect(visibleLine("plain <ESC> text\t")).toEqual({ text: "plain <ESC> text\t", named: [] });
  });

  it("takes linear time for megabytes of what does not show", () => {
    const { text, named } = visibleLine("\u0000".repeat(1_000_000));
    expect(text.length).toBe(5_000_000);
    expect(named.length).toBe(1_000_000);
  });
});

describe("a label", () => {
  it("is one line of bounded length, and cuts no character in two", () => {
    expect(visibleLabel("a\r\nb\tc", 80)).toBe("a b c");
    expect(visibleLabel("\u0000".repeat(50), 20)).toHaveLength(20);
    for (let limit = 2; limit < 12; limit++) {
      const label = visibleLabel("😀😀😀😀😀😀", limit);
      expect(label.length).toBeLessThanOrEqual(limit);
      expect(label).not.toMatch(/\p{Cs}|</u);
    }
    expect(startOf("ab😀", 3)).toBe("ab");
    expect(startOf("ab😀", 4)).toBe("ab😀");
  });
});
