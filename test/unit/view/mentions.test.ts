/** What a text mentions of a run. */
import { describe, expect, it } from "vitest";
import { idAt, mentionsIn, mentionsInText } from "../../../src/view/mentions.ts";

const texts = (line: string): string[] => mentionsIn(line).map(({ from, to }) => line.slice(from, to));

describe("steps", () => {
  it("are found as logs, notes and JSON write them", () => {
    const found = (line: string) => mentionsIn(line).map((m) => (m.kind === "step" ? m.step : m.kind));
    expect(found('{"kind":"checkpoint","step":50,"rank":0}')).toEqual([50]);
    expect(found('{"step": 1234, "x": 1}')).toEqual([1234]);
    expect(found("at step 1234, then Step 7.")).toEqual([1234, 7]);
    expect(found("step=12 global_step: 13 step #14 [step 15/400]")).toEqual([12, 13, 14, 15]);
    expect(texts("see step 1234!")).toEqual(["step 1234"]);
    expect(texts('"step":50,')).toEqual(['step":50']);
  });

  it("are not taken from what is no step", () => {
    const line =
      "step_time 12 footstep 3 step 1.5 stepping 4 steps/s 5 step time 6 step 99999999999999999999 step 3x";
    expect(mentionsIn(line)).toEqual([]);
  });
});

describe("samples", () => {
  it("are found by rank, step and id", () => {
    expect(mentionsIn("worst: 0:120:120_3, then 3:7:s1/4.")).toMatchObject([
      { kind: "sample", rank: 0, step: 120, id: "120_3", from: 7, to: 18 },
      { kind: "sample", rank: 3, step: 7, id: "s1/4" },
    ]);
  });

  it("are not taken from times, addresses and places in files", () => {
    for (const line of ["12:34:56", "at 12:34:56.789 today", "10.0.0.1:80:x", "a/b.py:12:34", "::1:2:3"])
      expect(mentionsIn(line), line).toEqual([]);
  });

  it("may be named by a word that looks like an id", () => {
    const line = 'worst was "120_3", (s1/4). and 12.5 or plain words';
    const at = (part: string) => idAt(line, line.indexOf(part) + 1)?.id ?? null;
    expect(at("120_3")).toBe("120_3");
    expect(at("s1/4")).toBe("s1/4");
    expect(at("12.5")).toBeNull();
    expect(at("plain")).toBeNull();
    expect(idAt("", 0)).toBeNull();
    expect(idAt(`${"x9".repeat(500)}`, 400)).toBeNull();
  });
});

describe("long texts", () => {
  const bounds = { lines: 100_000, mentions: 5000, isOver: () => false };

  it("of 100,000 lines are searched to their bounds, reading each line once at most", () => {
    let read = 0;
    const lineAt = (line: number) => {
      read++;
      return line % 10 === 0 ? `{"step":${line}}` : "nothing of interest here: a long line of a log";
    };
    expect(mentionsInText(lineAt, 100_000, bounds)).toHaveLength(5000);
    expect(read).toBeLessThanOrEqual(50_001);
    read = 0;
    const nothing = () => (read++ < 0 ? "" : "nothing");
    expect(mentionsInText(nothing, 200_000, bounds)).toEqual([]);
    expect(read).toBe(100_000);
  });

  it("are left when time is up", () => {
    let read = 0;
    mentionsInText(() => `step ${read++}`, 100_000, { ...bounds, isOver: () => read > 1000 });
    expect(read).toBeLessThan(1500);
  });

  it("cost linear time on lines that are made to be slow", () => {
    for (const part of ["step ", "1:", "step\t", "0:0:", '"step" ', "step:"]) {
      const line = part.repeat(2_000_000 / part.length);
      expect(mentionsIn(line).length).toBeLessThan(20_000);
      idAt(line, 1_000_000);
    }
  });
});
