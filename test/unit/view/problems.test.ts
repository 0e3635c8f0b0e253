import { describe, expect, it } from "vitest";
import { FlightDeckError, type Warning, type WarningCode } from "../../../src/core/format/problems.ts";
import { problemOfError, warningView, warningViews } from "../../../src/view/problems.ts";
import { REFUSAL_WORDS, WARNING_WORDS } from "../../../src/view/words.ts";

const warning = (more: Partial<Warning> = {}): Warning => ({
  code: "bad-line",
  file: "events.jsonl",
  detail: "",
  count: 1,
  level: "warning",
  ...more,
});

describe("words", () => {
  // That no code lacks them, the compiler sees to.
  it.each([...Object.entries(WARNING_WORDS), ...Object.entries(REFUSAL_WORDS)])(
    "of %s are sentences",
    (_code, words) => {
      expect(words.message).toMatch(/^[A-Z].{10,}[^.!?:]$/);
      if (words.remedy !== "") expect(words.remedy).toMatch(/^[A-Z].*\.$/);
      for (const text of [words.message, words.remedy]) expect(text).not.toMatch(/undefined|null|error/i);
    },
  );

  it("tell what to do wherever something was lost or refused", () => {
    const harmless = Object.entries(WARNING_WORDS).filter(([, words]) => words.remedy === "");
    for (const [code] of harmless) expect(code).not.toMatch(/unreadable|corrupt|truncated|permission|newer/);
    for (const [code, words] of Object.entries(REFUSAL_WORDS)) {
      if (code !== "aborted") expect(words.remedy, code).not.toBe("");
    }
  });
});

describe("warningView", () => {
  it("says what, where and how often", () => {
    const view = warningView(warning({ detail: "not JSON", line: 12, count: 3 }));
    expect(view).toEqual({
      code: "bad-line",
      file: "events.jsonl",
      message: "Some lines are no events and are left out (not JSON; first at line 12).",
      remedy: WARNING_WORDS["bad-line"].remedy,
      count: 3,
      level: "warning",
    });
    expect(warningView(warning()).message).toBe("Some lines are no events and are left out.");
  });

  it("says nothing twice", () => {
    const lfs = warning({ code: "lfs-pointer", detail: "it is a Git LFS pointer, not the file itself" });
    expect(warningView(lfs).message).toBe("This is a Git LFS pointer, not the file itself.");
    const empty = warning({ code: "empty-file", detail: "it has 0 bytes" });
    expect(warningView(empty).message).toBe("The file is empty (it has 0 bytes).");
  });

  it("names a column, but not at any length", () => {
    const { message } = warningView(warning({ code: "bad-cell", column: "x".repeat(5000), row: 0 }));
    expect(message).toContain("column “xxx");
    expect(message).toContain("row 0");
    expect(message.length).toBeLessThan(300);
  });

  it("puts the worst first and keeps the order otherwise", () => {
    const codes: [WarningCode, Warning["level"]][] = [
      ["bom", "info"],
      ["bad-line", "warning"],
      ["stray-file", "info"],
      ["part-gap", "warning"],
    ];
    const views = warningViews(codes.map(([code, level]) => warning({ code, level })));
    expect(views.map(({ code }) => code)).toEqual(["bad-line", "part-gap", "bom", "stray-file"]);
  });
});

describe("problemOfError", () => {
  it("names file and versions of a run that is too new", () => {
    const problem = problemOfError(
      new FlightDeckError("newer-schema", "manifest.json", { found: "2", supported: "1" }),
    );
    expect(problem).toMatchObject({
      code: "newer-schema",
      file: "manifest.json",
      remedy: "Update Flight Deck.",
    });
    expect(problem.message).toContain("found 2; this version reads up to 1");
  });

  it("tells nothing of errors that are not the core's", () => {
    const error = new TypeError("Cannot read properties of undefined (reading 'secret')");
    expect(JSON.stringify(problemOfError(error))).not.toMatch(/secret|undefined|TypeError/);
    expect(problemOfError(error).code).toBe("internal");
    expect(problemOfError("text")).toEqual(problemOfError(undefined));
  });

  it("does not repeat facts that could be anything", () => {
    const of = (found: string) => problemOfError(new FlightDeckError("io-error", "a", { found })).message;
    expect(of("EIO")).toContain("(EIO)");
    expect(of("/home/someone/secret")).not.toContain("secret");
  });
});
