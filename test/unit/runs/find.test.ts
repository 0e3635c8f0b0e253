import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FlightDeckError } from "../../../src/core/format/problems.ts";
import { type MemoryEntry, memorySource } from "../../../src/core/io/memory.ts";
import { nodeSource } from "../../../src/core/io/node.ts";
import type { RunSource } from "../../../src/core/io/source.ts";
import { FolderMemory, findRuns } from "../../../src/core/runs/find.ts";
import { excluder } from "../../../src/core/runs/wildcard.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const MANIFEST = bytes('{"schema_version": 1, "run_id": "r"}');
const FULL = bytes("x");

const tree = (files: Readonly<Record<string, MemoryEntry>>): Map<string, MemoryEntry> =>
  new Map(Object.entries(files));
const paths = async (source: RunSource, options?: Parameters<typeof findRuns>[1]) =>
  (await findRuns(source, options)).runs.map((run) => run.path);

/** Counts what is asked of a source. */
function counting(source: RunSource) {
  const asked = { list: 0, stat: 0, read: 0 };
  const counted: RunSource = {
    ...source,
    list: (p) => {
      asked.list++;
      return source.list(p);
    },
    stat: (p) => {
      asked.stat++;
      return source.stat(p);
    },
    read: (p, start, length) => {
      asked.read++;
      return source.read(p, start, length);
    },
  };
  return { source: counted, asked };
}

describe("what a run is", () => {
  test("a manifest beside anything of a recording, step files alone, run records alone", async () => {
    const source = memorySource(
      tree({
        "a/manifest.json": MANIFEST,
        "a/steps.parquet": FULL,
        "b/c/d/e/manifest.json": MANIFEST,
        "b/c/d/e/events.jsonl": FULL,
        "loose/steps.parquet": FULL,
        "loose-parts/steps/part-00000.parquet": FULL,
        "records/observed.attempt1.json": FULL,
        "rows/metrics.json": bytes(
          '[{"benchmark": "b", "metric": "m", "horizon": 1, "seed": 0, "value": 1}]',
        ),
        "begun/manifest.json": MANIFEST,
      }),
    );
    expect((await findRuns(source)).runs).toEqual([
      { path: "a", kind: "recording" },
      { path: "begun", kind: "recording" },
      { path: "loose", kind: "loose" },
      { path: "records", kind: "records" },
      { path: "rows", kind: "records" },
      { path: "loose-parts", kind: "loose" },
      { path: "b/c/d/e", kind: "recording" },
    ]);
  });

  test("another's manifest.json or metrics.json is none", async () => {
    const source = memorySource(
      tree({
        "web/manifest.json": bytes('{"name": "app", "start_url": "/"}'),
        "dbt/manifest.json": bytes('{"metadata": {"dbt_schema_version": "v9"}}'),
        "train/metrics.json": bytes('{"loss": 0.1}'),
        "folder/manifest.json": "directory",
        "pipe/manifest.json": "other",
      }),
    );
    expect(await paths(source)).toEqual([]);
    expect(await paths(source, { trustedDepth: 1 })).toEqual(["dbt", "train", "web"]);
  });

  test("an empty manifest.json is nobody else's, however deep it lies", async () => {
    const source = memorySource(
      tree({ "a/manifest.json": bytes(""), "b/c/d/manifest.json": bytes(""), "e/metrics.json": bytes("") }),
    );
    for (const trustedDepth of [-1, 1])
      expect((await paths(source, { trustedDepth })).filter((found) => found !== "e")).toEqual([
        "a",
        "b/c/d",
      ]);
  });

  test("a run's own folders are no runs; runs inside a run's other folders are", async () => {
    const source = memorySource(
      tree({
        "r/manifest.json": MANIFEST,
        "r/steps/part-00000.parquet": FULL,
        "r/rank-001/manifest.json": MANIFEST,
        "r/rank-001/events.jsonl": FULL,
        "r/samples/manifest.json": MANIFEST,
        "r/again/manifest.json": MANIFEST,
      }),
    );
    expect(await paths(source)).toEqual(["r", "r/again"]);
  });

  test("the root itself can be one", async () => {
    const source = memorySource(tree({ "manifest.json": MANIFEST, "steps.parquet": FULL }));
    expect(await paths(source)).toEqual([""]);
  });
});

describe("where it does not go", () => {
  test("into what is excluded, and beyond its limits, which it says", async () => {
    const files = tree({
      "node_modules/p/manifest.json": MANIFEST,
      "a/b/c/manifest.json": MANIFEST,
      "z/manifest.json": MANIFEST,
    });
    const source = memorySource(files);
    const exclude = excluder(["node_modules"]);
    expect(await findRuns(source, { exclude })).toMatchObject({
      runs: [{ path: "z" }, { path: "a/b/c" }],
      folders: 5,
      cuts: [],
    });
    const cut = async (limits: object) => {
      const found = await findRuns(source, { exclude, limits });
      return [found.runs.map((run) => run.path), found.cuts];
    };
    expect(await cut({ depth: 2 })).toEqual([["z"], ["depth"]]);
    expect(await cut({ folders: 2 })).toEqual([[], ["folders"]]);
    expect(await cut({ entries: 2 })).toEqual([[], ["entries"]]);
    expect(await cut({ runs: 1 })).toEqual([["z"], ["runs"]]);
    let clock = 0;
    const late = await findRuns(source, { exclude, limits: { time: 4 }, now: () => clock++ });
    expect(late.cuts).toEqual(["time"]);
  });

  test("on when it was cancelled", async () => {
    const { source, asked } = counting(memorySource(tree({ "a/b/c/manifest.json": MANIFEST })));
    const found = await findRuns(source, { isCancelled: () => asked.list >= 2 });
    expect(found).toMatchObject({ runs: [], cuts: ["cancelled"] });
    expect(asked.list).toBe(2);
  });

  test("into what it may not, which costs nothing else", async () => {
    const base = memorySource(tree({ "a/x/manifest.json": MANIFEST, "b/manifest.json": MANIFEST }));
    const closed: RunSource = {
      ...base,
      list: async (p) => {
        if (p === "a") throw new FlightDeckError("permission-denied", p);
        return base.list(p);
      },
    };
    expect(await findRuns(closed)).toMatchObject({ runs: [{ path: "b" }], closed: 1 });
  });

  test("anywhere when the root is not there", async () => {
    await expect(findRuns(memorySource(new Map(), "x"))).resolves.toMatchObject({ runs: [] });
    await expect(findRuns(nodeSource(path.join(tmpdir(), "fd-not-there")))).rejects.toMatchObject({
      code: "not-found",
    });
  });
});

describe("on a disk", () => {
  let root = "";
  beforeAll(async () => {
    root = await mkdtemp(path.join(tmpdir(), "fd-find-"));
    await mkdir(path.join(root, "runs/one/steps"), { recursive: true });
    await writeFile(path.join(root, "runs/one/manifest.json"), MANIFEST);
    await symlink(root, path.join(root, "runs/loop"));
    await symlink("one", path.join(root, "runs/same"));
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  test("links are not followed: no loop, and no run twice", async () => {
    expect(await findRuns(nodeSource(root))).toMatchObject({
      runs: [{ path: "runs/one" }],
      folders: 3,
      cuts: [],
    });
  });

  test("a folder that has not changed is not listed again; a new run is found all the same", async () => {
    const long = new Date(Date.now() - 3_600_000);
    for (const dir of ["runs/one", "runs", ""]) await utimes(path.join(root, dir), long, long);
    const memory = new FolderMemory();
    const first = counting(nodeSource(root));
    await findRuns(first.source, { memory });
    expect(first.asked.list).toBe(3);
    const again = counting(nodeSource(root));
    expect(await paths(again.source, { memory })).toEqual(["runs/one"]);
    expect(again.asked.list).toBe(0);

    await mkdir(path.join(root, "runs/two"));
    await writeFile(path.join(root, "runs/two/manifest.json"), MANIFEST);
    const later = counting(nodeSource(root));
    expect(await paths(later.source, { memory })).toEqual(["runs/one", "runs/two"]);
    expect(later.asked.list).toBe(2);
    // Just changed: in a coarse clock's same tick more could come.
    const soon = counting(nodeSource(root));
    await findRuns(soon.source, { memory });
    expect(soon.asked.list).toBe(2);
    await rm(path.join(root, "runs/two"), { recursive: true });
    expect(await paths(nodeSource(root), { memory })).toEqual(["runs/one"]);
    expect(memory.folders.has("runs/two")).toBe(false);
  });

  test("a manifest that was half written at first is looked at again", async () => {
    const memory = new FolderMemory();
    const file = path.join(root, "late/manifest.json");
    await mkdir(path.dirname(file));
    await writeFile(file, "{");
    const long = new Date(Date.now() - 3_600_000);
    await utimes(path.dirname(file), long, long);
    expect(await paths(nodeSource(root), { memory })).not.toContain("late");
    await writeFile(file, MANIFEST);
    expect(await paths(nodeSource(root), { memory })).toContain("late");
  });
});
