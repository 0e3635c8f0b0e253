import { describe, expect, it } from "vitest";
import { isWithin } from "../../../src/core/io/within.ts";
import type { Memory } from "../../../src/host/commands/recents.ts";
import { fileName } from "../../../src/host/editor/file-name.ts";
import { Prefs } from "../../../src/host/editor/prefs.ts";
import { DEFAULT_PREFS } from "../../../src/protocol/prefs.ts";

function memory(start?: unknown): Memory {
  let value = start;
  return {
    get: <T>() => value as T | undefined,
    update: async (_key, next) => {
      value = next;
    },
  };
}

describe("chart preferences", () => {
  it("come back as they were kept", async () => {
    const prefs = new Prefs(memory());
    expect(prefs.get()).toBeNull();
    const liked = { ...DEFAULT_PREFS, pinned: ["__proto__"], smoothing: 0.6 };
    await prefs.set(liked);
    expect(prefs.get()).toEqual(liked);
  });

  it.each([7, {}, { ...DEFAULT_PREFS, v: 2 }, { ...DEFAULT_PREFS, smoothing: 1 }])(
    "are none from %j",
    (stored) => {
      expect(new Prefs(memory(stored)).get()).toBeNull();
    },
  );
});

describe("names of saved files", () => {
  it.each([
    ["KL to reference", "KL-to-reference.png"],
    ["../../etc/passwd", "etc-passwd.png"],
    ["a\u0000b\u202ec", "a-b-c.png"],
    ["", "chart.png"],
    ["...", "chart.png"],
    ["CON", "_CON.png"],
    ["日本語", "日本語.png"],
    ["x".repeat(300), `${"x".repeat(80)}.png`],
  ])("%j is %s", (title, name) => {
    expect(fileName(title, "png")).toBe(name);
  });

  it("know what lies in a run's folder", () => {
    expect(isWithin("/runs/a", "/runs/a/chart.png")).toBe(true);
    expect(isWithin("/runs/a", "/runs/a")).toBe(true);
    expect(isWithin("/runs/a", "/runs/a/..chart.png")).toBe(true);
    expect(isWithin("/runs/a", "/runs/ab/chart.png")).toBe(false);
    expect(isWithin("/runs/a", "/runs/chart.png")).toBe(false);
  });
});
