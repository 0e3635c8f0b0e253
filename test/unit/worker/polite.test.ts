import { expect, it } from "vitest";
import { memorySource } from "../../../src/core/io/memory.ts";
import { polite } from "../../../src/worker/polite.ts";

const FILES = new Map([["a", Uint8Array.of(1, 2, 3)]]);

it("passes everything on unchanged", async () => {
  const source = polite(memorySource(FILES, "run", 5));
  expect(source.label).toBe("run");
  expect(await source.list("")).toEqual([{ name: "a", kind: "file" }]);
  expect(await source.stat("a")).toMatchObject({ size: 3, mtimeMs: 5 });
  expect(await source.read("a", 1, 1)).toEqual(Uint8Array.of(2));
  expect(await source.readRanges("a", [{ start: 0, length: 1 }])).toEqual([Uint8Array.of(1)]);
  await expect(source.read("b", 0, 1)).rejects.toMatchObject({ code: "io-error" });
});

it("pauses after a while of work, and not before", async () => {
  let now = 0;
  let pauses = 0;
  const source = polite(memorySource(FILES), {
    now: () => now,
    pause: async () => {
      pauses++;
    },
  });
  for (let i = 0; i < 100; i++) {
    await source.read("a", 0, 1);
    now += 1;
  }
  // Every sixteenth read finds the budget of 15 spent.
  expect(pauses).toBe(6);
});

it("lets a message through in the middle of a long reading", async () => {
  const clock = {
    now: () => performance.now() + reads * 10,
    pause: () => new Promise<void>((r) => setImmediate(r)),
  };
  let reads = 0;
  let heardAfter = -1;
  setImmediate(() => {
    heardAfter = reads;
  });
  const source = polite(memorySource(FILES), clock);
  for (; reads < 50; reads++) await source.read("a", 0, 1);
  expect(heardAfter).toBeGreaterThanOrEqual(0);
  expect(heardAfter).toBeLessThan(10);
});
