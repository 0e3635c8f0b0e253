/** The disk as it can be: links, FIFOs, files that change or may not be read. Needs a disk, unlike the rest of the core's tests. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FlightDeckError } from "../../../src/core/format/problems.ts";
import { openRun } from "../../../src/core/index.ts";
import { nodeSource } from "../../../src/core/io/node.ts";
import "../helpers/parquet.ts";
import { manifest, shard, stepsFile } from "../helpers/runs.ts";

let root = "";
beforeAll(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), "flight-deck-io-"));
  const run = path.join(root, "run");
  fs.mkdirSync(path.join(run, "samples"), { recursive: true });
  fs.mkdirSync(path.join(root, "elsewhere"));
  fs.writeFileSync(path.join(run, "manifest.json"), manifest());
  fs.writeFileSync(path.join(run, "steps.parquet"), stepsFile(0, 10));
  fs.writeFileSync(path.join(root, "elsewhere", "secret.txt"), "secret");
  fs.symlinkSync(path.join(root, "elsewhere", "secret.txt"), path.join(run, "out"));
  fs.symlinkSync("steps.parquet", path.join(run, "in"));
  fs.symlinkSync("missing", path.join(run, "dangling"));
  fs.symlinkSync("self", path.join(run, "self"));
  fs.symlinkSync(".", path.join(run, "rank-003"));
  fs.symlinkSync(root, path.join(run, "above"));
  execFileSync("mkfifo", [path.join(run, "pipe")]);
});
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

const source = () => nodeSource(path.join(root, "run"));
const code = async (p: Promise<unknown>) => {
  try {
    await p;
    return "none";
  } catch (error) {
    return error instanceof FlightDeckError ? error.code : `uncoded ${error}`;
  }
};

describe("a folder on disk", () => {
  it("tells files, folders, links and other things apart", async () => {
    const kinds = new Map((await source().list("")).map((e) => [e.name, e.kind]));
    expect(Object.fromEntries(kinds)).toMatchObject({
      "steps.parquet": "file",
      samples: "directory",
      pipe: "other",
      out: "link",
    });
    expect(await source().stat("pipe")).toMatchObject({ kind: "other", size: 0 });
    expect(await source().stat("nothing/at/all")).toBe(null);
    expect(await source().stat("steps.parquet/inside")).toBe(null);
  });

  it("says where links lead", async () => {
    const target = async (p: string) => (await source().stat(p))?.link?.target;
    expect(await target("in")).toBe("inside");
    expect(await target("out")).toBe("outside");
    expect(await target("dangling")).toBe("dangling");
    expect(await target("self")).toBe("loop");
    expect(await target("rank-003")).toBe("loop");
    expect(await target("above")).toBe("loop");
    expect(await target("steps.parquet")).toBe(undefined);
  });

  it("reads ranges, never more than there is", async () => {
    const size = fs.statSync(path.join(root, "run", "steps.parquet")).size;
    const [head, tail, past] = await source().readRanges("steps.parquet", [
      { start: 0, length: 4 },
      { start: size - 4, length: 2 ** 40 },
      { start: size + 10, length: 10 },
    ]);
    expect(new TextDecoder().decode(head)).toBe("PAR1");
    expect(new TextDecoder().decode(tail)).toBe("PAR1");
    expect(past?.length).toBe(0);
  });

  it("never waits for a FIFO, even when asked to read it", async () => {
    expect(await code(source().read("pipe", 0, 10))).toBe("not-a-regular-file");
  });

  it("has codes for what fails", async () => {
    expect(await code(source().list("steps.parquet"))).toBe("not-a-directory");
    expect(await code(source().list("nothing"))).toBe("not-found");
    expect(await code(source().read("samples", 0, 1))).toBe("not-a-regular-file");
  });

  it("opens a run whose rank is a link back to itself", async () => {
    const run = await openRun(source());
    expect(run.ranks.length).toBe(1);
    expect(run.warnings()).toMatchObject([{ code: "link-loop", file: "rank-003" }]);
  });

  it("writes nothing into the run", async () => {
    const before = snapshot(path.join(root, "run"));
    const run = await openRun(source());
    await run.steps.axis("merged");
    await run.samples.counts();
    expect(snapshot(path.join(root, "run"))).toEqual(before);
  });
});

function snapshot(dir: string): string[] {
  return fs
    .readdirSync(dir)
    .map((n) => `${n} ${fs.lstatSync(path.join(dir, n)).mtimeMs} ${fs.lstatSync(path.join(dir, n)).size}`);
}

/** Root may read everything, so the reading is done in a process that gives up being root. */
const READER = `
  import fs from "node:fs";
  import { FlightDeckError, initParquet, nodeSource, openRun } from "./src/core/index.ts";
  initParquet(fs.readFileSync(process.argv[3] ?? ""));
  if (process.getuid?.() === 0) { process.setgroups?.([]); process.setgid?.(65534); process.setuid?.(65534); }
  openRun(nodeSource(process.argv[2] ?? "")).then(
    async (run) => {
      await run.steps.axis("merged");
      await run.samples.counts();
      console.log(JSON.stringify(run.warnings().map((w) => w.code + " " + w.file)));
    },
    (error) => console.log(JSON.stringify(error instanceof FlightDeckError ? error.code + " " + error.file : String(error))),
  );`;

describe("files that may not be read", () => {
  let script = "";
  let wasm = "";
  const open = (dir: string): unknown =>
    JSON.parse(execFileSync(process.execPath, [script, dir, wasm], { cwd: "/", encoding: "utf8" }));

  beforeAll(() => {
    fs.chmodSync(root, 0o755);
    script = path.join(root, "reader.cjs");
    wasm = path.join(root, "decoder.wasm");
    fs.copyFileSync(createRequire(import.meta.url).resolve("parquet-wasm/esm/parquet_wasm_bg.wasm"), wasm);
    fs.chmodSync(wasm, 0o644);
    buildSync({
      stdin: { contents: READER, resolveDir: process.cwd(), loader: "ts" },
      bundle: true,
      platform: "node",
      format: "cjs",
      outfile: script,
      logLevel: "silent",
    });
    const dir = path.join(root, "locked");
    fs.mkdirSync(path.join(dir, "samples"), { recursive: true });
    fs.writeFileSync(path.join(dir, "manifest.json"), manifest());
    fs.writeFileSync(path.join(dir, "events.jsonl"), `{"timestamp":1,"kind":"train_begin"}\n`);
    fs.writeFileSync(path.join(dir, "steps.parquet"), stepsFile(0, 3));
    fs.writeFileSync(path.join(dir, "samples", "shard-00000.parquet"), shard(0, 3));
  });

  const locked: [string, unknown][] = [
    ["manifest.json", ["permission-denied manifest.json"]],
    ["events.jsonl", ["permission-denied events.jsonl"]],
    ["steps.parquet", ["permission-denied steps.parquet"]],
    ["samples", ["permission-denied samples"]],
    ["", "permission-denied "],
  ];
  for (const [name, expected] of locked)
    it(`${name || "the folder itself"}: said as such, the rest is read`, () => {
      const file = path.join(root, "locked", name);
      const { mode } = fs.statSync(file);
      fs.chmodSync(file, 0);
      try {
        expect(open(path.join(root, "locked"))).toEqual(expected);
      } finally {
        fs.chmodSync(file, mode);
      }
    });
});
