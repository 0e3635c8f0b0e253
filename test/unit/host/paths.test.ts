import nodePath from "node:path";
import { describe, expect, it } from "vitest";
import { type Looker, runFolderOf, withoutTrailingSlash } from "../../../src/host/paths.ts";

describe("withoutTrailingSlash", () => {
  it.each([
    ["/runs/a/", "/runs/a"],
    ["/runs/a///", "/runs/a"],
    ["/runs/a", "/runs/a"],
    ["/", "/"],
    ["/c:/", "/c:/"],
    ["/c:/runs/", "/c:/runs"],
    ["/runs/ /", "/runs/ "],
  ])("%s is %s", (path, expected) => {
    expect(withoutTrailingSlash(path)).toBe(expected);
  });
});

/** A disk from a list of files; what is above a file is a folder. */
function disk(...files: string[]): Looker & { looked: string[] } {
  const folders = new Set<string>();
  for (const file of files) {
    const parts = file.split("/");
    for (let i = 1; i < parts.length; i++) folders.add(parts.slice(0, i).join("/") || "/");
  }
  const looked: string[] = [];
  return {
    looked,
    async kind(path) {
      looked.push(path);
      if (files.includes(path)) return "file";
      return folders.has(path) ? "directory" : null;
    },
  };
}

const run = disk(
  "/d/run/manifest.json",
  "/d/run/steps.parquet",
  "/d/run/steps/part-00000.parquet",
  "/d/run/samples/shard-00000.parquet",
  "/d/run/events.jsonl",
  "/d/run/observed.attempt1.json",
  "/d/run/rank-001/manifest.json",
  "/d/run/rank-001/events.jsonl",
  "/d/run/rank-001/samples/shard-00000.parquet",
  "/d/run/rank-002/events.jsonl",
  "/d/alone/rank-003/manifest.json",
  "/d/loose/steps/part-00000.parquet",
  "/d/other/samples/manifest.json",
  "/d/other/samples/steps.parquet",
  "/d/x.json",
);

describe("runFolderOf", () => {
  it.each([
    ["/d/run", "/d/run"],
    ["/d/run/manifest.json", "/d/run"],
    ["/d/run/steps.parquet", "/d/run"],
    ["/d/run/events.jsonl", "/d/run"],
    ["/d/run/observed.attempt1.json", "/d/run"],
    ["/d/run/steps/part-00000.parquet", "/d/run"],
    ["/d/run/samples/shard-00000.parquet", "/d/run"],
    ["/d/run/steps", "/d/run"],
    ["/d/run/samples", "/d/run"],
    // A rank's files belong to the run; its folder was chosen on purpose.
    ["/d/run/rank-001/manifest.json", "/d/run"],
    ["/d/run/rank-001/samples/shard-00000.parquet", "/d/run"],
    ["/d/run/rank-002/events.jsonl", "/d/run"],
    ["/d/run/rank-001", "/d/run/rank-001"],
    ["/d/alone/rank-003/manifest.json", "/d/alone/rank-003"],
    // Without a manifest the parts' folder is still not the run's.
    ["/d/loose/steps/part-00000.parquet", "/d/loose"],
    ["/d/loose/steps", "/d/loose/steps"],
    // A run can be called "samples".
    ["/d/other/samples", "/d/other/samples"],
    ["/d/other/samples/steps.parquet", "/d/other/samples"],
    ["/d/x.json", "/d"],
    ["/nowhere/manifest.json", "/nowhere"],
  ])("%s is of %s", async (path, expected) => {
    expect(await runFolderOf(path, run, nodePath)).toBe(expected);
  });

  it("looks at a handful of paths only", async () => {
    const looker = disk("/d/run/manifest.json", "/d/run/steps/part-00000.parquet");
    await runFolderOf("/d/run/steps/part-00000.parquet", looker, nodePath);
    expect(looker.looked.length).toBeLessThan(5);
  });
});
