import { expect, test } from "vitest";
import { memorySource } from "../../../src/core/io/memory.ts";
import { Finder } from "../../../src/worker/finder.ts";

const text = (value: string) => new TextEncoder().encode(value);
const files = new Map([
  ["a/manifest.json", text('{"run_id": "a"}')],
  ["old/b/manifest.json", text('{"run_id": "b"}')],
]);

test("folders that have not changed are listed once; an aborted search says that it is not complete", async () => {
  const listed: string[] = [];
  const finder = new Finder(() => {
    const source = memorySource(files);
    const list = (folder: string) => {
      listed.push(folder);
      return source.list(folder);
    };
    return { ...source, list };
  });
  const find = (signal = new AbortController().signal, exclude: string[] = []) =>
    finder.find({ root: "/r", exclude }, signal);
  expect(await find()).toEqual({
    runs: [
      { path: "a", kind: "recording" },
      { path: "old/b", kind: "recording" },
    ],
    folders: 4,
    cuts: [],
  });
  expect(listed).toEqual(["", "a", "old", "old/b"]);
  expect((await find(undefined, ["old"])).runs).toEqual([{ path: "a", kind: "recording" }]);
  expect(listed.length).toBe(4);
  expect(await find(AbortSignal.abort())).toMatchObject({ runs: [], cuts: ["cancelled"] });
});
