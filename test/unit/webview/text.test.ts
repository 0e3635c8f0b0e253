import { describe, expect, it } from "vitest";
import {
  formatClock,
  formatCount,
  formatDuration,
  formatExact,
  formatNumber,
  formatStep,
  plural,
} from "../../../webview/text/numbers.ts";
import { MAX_SHOWN, textParts, visibleText } from "../../../webview/text/visible.ts";
import { random } from "../random.ts";

describe("text of a recording", () => {
  it("leaves ordinary text alone, whatever the script", () => {
    for (const text of ["", "reward_mean", "日本語", "مكافأة", "a/b.c d", "👩‍🚀 and 👍🏽", "naïve"]) {
      expect(visibleText(text)).toBe(text);
    }
  });

  it("names control characters and what turns the reading direction", () => {
    expect(visibleText("a\u0000b\u001b[31mc\u007f")).toBe("a<NUL>b<ESC>[31mc<DEL>");
    expect(visibleText("abc\u202edef\u202c")).toBe("abc<U+202E>def<U+202C>");
    expect(textParts("\u202e")).toEqual([{ text: "<U+202E>", name: "U+202E right-to-left override" }]);
  });

  it.each([0xad, 0x200b, 0x200e, 0x2060, 0xfeff, 0x61c, 0x2066, 0x3164, 0xe0041, 0x85, 0xfff9])(
    "names U+%s, which nobody would see",
    (code) => {
      const hex = code.toString(16).toUpperCase().padStart(4, "0");
      expect(visibleText(`x${String.fromCodePoint(code)}y`)).toBe(`x<U+${hex}>y`);
    },
  );

  it("names half a character", () => {
    expect(visibleText("x\ud800y")).toBe("x<U+D800>y");
  });

  it("names a joiner that joins nothing", () => {
    expect(visibleText("a\u200db")).toBe("a<U+200D>b");
  });

  it("keeps line feeds and tabs where the text has a place of its own", () => {
    expect(textParts("a\n\tb", undefined, true)).toEqual([{ text: "a\n\tb", name: "" }]);
    expect(visibleText("a\nb")).toBe("a<LF>b");
  });

  it("cuts what is too long and says how much is left out", () => {
    const parts = textParts("x".repeat(MAX_SHOWN + 12_345));
    expect(parts).toHaveLength(2);
    expect(parts[0]?.text).toHaveLength(MAX_SHOWN);
    expect(parts[1]).toEqual({ text: "…", name: "12,345 more characters" });
  });
});

describe("numbers", () => {
  it.each([
    [1.1400001, "1.14"],
    [0.05251, "0.0525"],
    [28.123, "28.1"],
    [182.44, "182.4"],
    [1234.56, "1,234.6"],
    [12_345.6, "12,346"],
    [1.234e6, "1.23e6"],
    [1e14, "1e14"],
    [1e300, "1e300"],
    [3.14e-5, "3.14e−5"],
    [-0.5, "−0.5"],
    [0, "0"],
    [-0, "0"],
    [Number.NaN, "NaN"],
    [Number.POSITIVE_INFINITY, "∞"],
    [Number.NEGATIVE_INFINITY, "−∞"],
    [999_999.6, "1,000,000"],
  ])("%s is %s", (value, text) => {
    expect(formatNumber(value)).toBe(text);
  });

  it("groups digits as Intl does, of any size and sign", () => {
    const next = random(11);
    const intl = (digits: number) => new Intl.NumberFormat("en-US", { maximumFractionDigits: digits });
    const minus = (text: string) => text.replace("-", "−");
    for (let i = 0; i < 2000; i++) {
      const value = (next() - 0.5) * 10 ** Math.floor(next() * 24);
      const whole = Math.trunc(value);
      if (Math.abs(whole) < 2 ** 53)
        expect(formatCount(value)).toBe(minus(intl(0).format(whole)).replace(/^−0$/, "0"));
      if (Math.abs(whole) < 1e21) expect(formatStep(whole)).toBe(minus(intl(0).format(BigInt(whole))));
      const size = Math.abs(value);
      if (size >= 1000 && size < 10_000)
        expect(formatNumber(value)).toBe(minus(intl(1).format(Number(value.toFixed(1)))));
    }
  });

  it("keeps all digits where asked for", () => {
    expect(formatExact(0.1 + 0.2)).toBe("0.30000000000000004");
    expect(formatNumber(0.731234, 6)).toBe("0.731234");
  });

  it("counts", () => {
    expect(formatCount(100_000)).toBe("100,000");
    expect(formatCount(-1234)).toBe("−1,234");
    expect(plural(1, "step")).toBe("1 step");
    expect(plural(2008, "sample")).toBe("2,008 samples");
  });

  it.each([
    [0.84, "0.84 s"],
    [34, "34 s"],
    [94, "1 m 34 s"],
    [59.7, "1 m 00 s"],
    [7500, "2 h 05 m"],
    [273_600, "3 d 4 h"],
    [-94, "−1 m 34 s"],
    [Number.NaN, ""],
  ])("%s seconds are %s", (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  });

  it("a time beyond what a date holds is a number, not “Invalid Date”", () => {
    expect(formatClock(1e300)).toBe("1e300");
    expect(formatClock(Number.NaN)).toBe("NaN");
    expect(formatClock(0)).toMatch(/^\d\d:\d\d:\d\d$/);
  });
});
