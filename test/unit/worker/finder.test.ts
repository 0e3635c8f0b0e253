import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { memorySource } from "../../../src/core/io/memory.ts";
import { nodeSource } from "../../../src/core/io/node.ts";
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

test("where no link that leads out is followed, none is looked into; what was found so is not taken for all", async () => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "fd-finder-"));
  try {
    fs.mkdirSync(path.join(root, "workspace/run"), { recursive: true });
    fs.writeFileSync(path.join(root, "manifest.json"), '{"run_id": "elsewhere"}');
    fs.symlinkSync("../../manifest.json", path.join(root, "workspace/run/manifest.json"));
    const finder = new Finder((dir, isRestricted) =>
      nodeSource(dir, { links: isRestricted ? "inside" : "follow" }),
    );
    const find = (restricted: boolean) =>
      finder.find(
        { root: path.join(root, "workspace"), exclude: [], restricted },
        new AbortController().signal,
      );
    expect((await find(true)).runs).toEqual([]);
    expect((await find(false)).runs).toEqual([{ path: "run", kind: "recording" }]);
    expect((await find(true)).runs).toEqual([]);
  } finally {
    fs.rmSync(root, { recursive: true, force: true });
  }
});
