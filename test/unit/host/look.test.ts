import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { lookingAt } from "../../../src/host/disk.ts";
import { glance, look } from "../../../src/host/editor/look.ts";
import { Folder } from "./folder.ts";

const RUN = [
  "manifest.json",
  "events.jsonl",
  "steps/part-00000.parquet",
  "steps/part-00001.parquet",
  "samples/shard-00000.parquet",
  "rank-001/manifest.json",
  "rank-001/events.jsonl",
  "rank-001/samples/shard-00000.parquet",
  "observed.attempt1.json",
];

async function digestAfter(change: (folder: Folder) => void): Promise<[string, string]> {
  const folder = new Folder(...RUN);
  const { digest } = await look(folder);
  change(folder);
  return [digest, (await look(folder)).digest];
}

describe("look", () => {
  it("finds the same where nothing changed", async () => {
    const [before, after] = await digestAfter(() => {});
    expect(after).toBe(before);
  });

  it.each([...RUN, "steps.parquet", "metrics.json", "rank-002/manifest.json", "steps/part-00002.parquet"])(
    "notices that %s was written",
    async (file) => {
      const [before, after] = await digestAfter((folder) => folder.write(file));
      expect(after).not.toBe(before);
    },
  );

  it.each(RUN)("notices that %s is gone", async (file) => {
    const [before, after] = await digestAfter((folder) => folder.remove(file));
    expect(after).not.toBe(before);
  });

  it("notices that a file may be read now", async () => {
    const folder = new Folder(...RUN);
    const file = folder.files.get("events.jsonl") ?? expect.fail();
    const { digest } = await look(folder);
    folder.files.set("events.jsonl", { ...file, mode: "000" });
    expect((await look(folder)).digest).not.toBe(digest);
  });

  it.each([
    "note.txt",
    "steps/.part-00002.parquet.swp",
    "rank-001/checkpoint.bin",
    "checkpoints/1.pt",
    "rank-001/steps.lock",
  ])("does not mind %s", async (file) => {
    const [before, after] = await digestAfter((folder) => folder.write(file));
    expect(after).toBe(before);
  });

  it("knows its folders, and looks at the newest of many files only", async () => {
    const folder = new Folder("manifest.json");
    for (let i = 0; i < 5000; i++) folder.write(`samples/shard-${String(i).padStart(5, "0")}.parquet`);
    const seen = await look(folder);
    expect(seen.folders).toEqual(["", "samples"]);
    expect(folder.looked.length).toBeLessThan(300);
    expect(seen.marks).toEqual(["", "manifest.json", "samples", "samples/shard-04999.parquet"]);
    // All count by their names.
    folder.remove("samples/shard-00000.parquet");
    expect((await look(folder)).digest).not.toBe(seen.digest);
  });

  it("does not drown in ranks", async () => {
    const folder = new Folder("manifest.json");
    for (let i = 0; i < 300; i++)
      for (let j = 0; j < 100; j++) folder.write(`rank-${i}/samples/shard-${10000 + j}.parquet`);
    await look(folder);
    expect(folder.looked.length).toBeLessThan(2000);
  });
});

describe("glance", () => {
  it.each([
    "events.jsonl",
    "steps/part-00002.parquet",
    "steps/part-00001.parquet",
    "steps.parquet",
    "note.txt",
  ])("is a few looks, and notices %s", async (file) => {
    const folder = new Folder(...RUN);
    const seen = await look(folder);
    folder.looked.length = 0;
    const before = await glance(folder, seen);
    expect(folder.looked.length).toBeLessThan(RUN.length + 4);
    expect(await glance(folder, seen)).toBe(before);
    folder.write(file);
    expect(await glance(folder, seen)).not.toBe(before);
  });
});

describe("a real folder", () => {
  let dir = "";
  afterEach(() => fs.rmSync(dir, { recursive: true, force: true }));

  it("is looked at without opening anything, and missing things are no error", async () => {
    dir = fs.mkdtempSync(path.join(os.tmpdir(), "fd-look-"));
    fs.writeFileSync(path.join(dir, "manifest.json"), "{}");
    fs.symlinkSync("nowhere", path.join(dir, "events.jsonl"));
    fs.mkdirSync(path.join(dir, "steps"));
    const looking = lookingAt(dir);
    const seen = await look(looking);
    expect(seen.folders).toEqual(["", "steps"]);
    expect((await look(looking)).digest).toBe(seen.digest);
    const quick = await glance(looking, seen);
    fs.writeFileSync(path.join(dir, "steps", "part-00000.parquet"), "x");
    expect(await glance(looking, seen)).not.toBe(quick);
    const next = await look(looking);
    expect(next.digest).not.toBe(seen.digest);
    fs.chmodSync(path.join(dir, "manifest.json"), 0o600);
    expect((await look(looking)).digest).not.toBe(next.digest);
    fs.rmSync(dir, { recursive: true });
    expect((await look(looking)).folders).toEqual([""]);
    expect(await looking.stamp("")).toBeNull();
  });
});
