import { expect, it } from "vitest";
import { MAX_RECENTS, type Memory, Recents } from "../../../src/host/commands/recents.ts";

function memory(start?: unknown): Memory {
  let value = start;
  return {
    get: <T>() => value as T | undefined,
    update: async (_key, next) => {
      value = next;
    },
  };
}

it("keeps the newest first, once each, and not too many", async () => {
  const recents = new Recents(memory());
  for (let i = 0; i < 30; i++) await recents.add(`file:///${i}`);
  await recents.add("file:///20");
  expect(recents.list()).toHaveLength(MAX_RECENTS);
  expect(recents.list().slice(0, 3)).toEqual(["file:///20", "file:///29", "file:///28"]);
});

it("forgets what it is told to", async () => {
  const recents = new Recents(memory(["a", "b", "c"]));
  await recents.remove(["b", "x"]);
  expect(recents.list()).toEqual(["a", "c"]);
});

it("survives whatever was stored", () => {
  for (const stored of [undefined, null, "a", 1, { 0: "a" }])
    expect(new Recents(memory(stored)).list()).toEqual([]);
  expect(new Recents(memory([1, "a", null])).list()).toEqual(["a"]);
});
