import { describe, expect, it } from "vitest";
import { lifecycle } from "../../../src/core/run/lifecycle.ts";
import { stateReason } from "../../../src/view/state.ts";
import { cut, duration, jsonText } from "../../../src/view/text.ts";
import { event, NOW } from "./model.ts";

describe("cut", () => {
  it("keeps what fits, says how long the rest was, splits no character", () => {
    expect(cut("abc", 3)).toBe("abc");
    expect(cut("abcd", 3)).toBe("abc… (4 characters)");
    expect(cut("ab🙂c", 3)).toBe("ab… (5 characters)");
  });
});

describe("jsonText", () => {
  it("writes numbers as Python does and integers exactly", () => {
    const value = { a: [1, 2n ** 60n, Number.NaN, Number.NEGATIVE_INFINITY, null, true], b: {}, 'q"': "\n" };
    expect(jsonText(value, 1000)).toBe(
      '{"a": [1, 1152921504606846976, NaN, -Infinity, null, true], "b": {}, "q\\"": "\\n"}',
    );
  });
  it("stays within bounds, however deep or wide", () => {
    let deep: readonly unknown[] = [];
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(jsonText(deep as never, 500).length).toBeLessThan(200);
    expect(
      jsonText(
        Array.from({ length: 1e6 }, () => 1),
        100,
      ),
    ).toHaveLength(101);
    expect(jsonText("x".repeat(1e6), 100)).toHaveLength(101);
  });
});

describe("duration", () => {
  it.each([
    [0, "0 s"],
    [-5, "0 s"],
    [119, "119 s"],
    [150, "2 min"],
    [3600, "1 h"],
    [11_100, "3 h 05 min"],
    [200_000, "2 d 7 h"],
    [172_800, "2 d"],
  ])("%s s is %s", (seconds, text) => {
    expect(duration(seconds)).toBe(text);
  });
});

describe("stateReason", () => {
  const reason = (more: Partial<Parameters<typeof lifecycle>[0]>, stops?: string) =>
    stateReason(
      lifecycle({
        events: [],
        layout: "parts",
        lastWriteMs: NOW - 10_000,
        medianStepSeconds: 2.345,
        nowMs: NOW,
        ...more,
      }),
      { hasRecording: true, ...(stops === undefined ? {} : { stops }) },
    );
  it("says where a recording stops that was not closed", () => {
    const hours = (n: number) => NOW - n * 3_600_000;
    expect(reason({ lastWriteMs: hours(2) }, "419")).toBe(
      "Recording stops at step 419 and was not closed; nothing was written for 2 h.",
    );
    expect(reason({ lastWriteMs: NOW - 300_000 }, "9007199254740993")).toBe(
      "Recording stops at step 9007199254740993 and was not closed; nothing was written for 5 min; a row comes every 2.3 s.",
    );
    expect(reason({ lastStepTime: NOW / 1000 - 86_400 }, "419")).toMatch(
      /^Recording stops at step 419 and was not closed; the files are much newer .* copy/,
    );
    expect(reason({ lastWriteMs: NOW + 3_600_000 }, "419")).toMatch(
      /^Recording stops at step 419 .* clocks differ\.$/,
    );
    expect(reason({ lastWriteMs: null }, "419")).toMatch(/^Recording stops at step 419 .* file times/);
    // What goes on, or was ended, has not stopped.
    expect(reason({}, "419")).not.toContain("stops");
    expect(reason({ events: [event("train_end")] }, "419")).not.toContain("stops");
  });
  it("is a sentence with its facts", () => {
    expect(reason({})).toBe("Last written 10 s ago; a row comes every 2.3 s.");
    expect(reason({ lastWriteMs: NOW - 7_200_000 })).toBe(
      "No end was recorded, and nothing was written for 2 h.",
    );
    expect(reason({ events: [event("crash", { message: "signal 15" })] })).toBe(
      "The process was told to stop by signal 15.",
    );
    expect(reason({ events: [event("crash", { rank: 3 })] })).toBe(
      "Rank 3 crashed, and rank 0 recorded no end.",
    );
    const odd = { state: "unknown", reason: "constructor", facts: {} } as const;
    expect(stateReason(odd, { hasRecording: true })).toBe("");
  });
});
