/**
 * What can lie where a file or a folder of a run should be: each is named under its code, the rest of the run is read, and
 * nothing is waited for, quoted or followed without a word. Names of every kind through reader, discovery and command.
 */
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodeSource, openRun, RunMemory } from "../../src/core/index.ts";
import { findRuns } from "../../src/core/runs/find.ts";
import { bundleCommand } from "../helpers/bundle.ts";
import { manifest, shard, stepsFile } from "../unit/helpers/runs.ts";
import { ReaderProcess } from "./reader-process.ts";

const SECRET = "do-not-quote-me";

let root = "";
let cli = "";
let reader: ReaderProcess;
let other: ReaderProcess;

beforeAll(async () => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), "flight-deck-paths-"));
  fs.chmodSync(root, 0o755);
  const bin = path.join(root, "bin/dist");
  await bundleCommand(path.join(root, "bin"), { reader: "test/reliability/reader.ts" });
  cli = path.join(bin, "cli.cjs");
  const wasm = path.join(bin, "parquet_wasm_bg.wasm");
  fs.chmodSync(wasm, 0o644);
  fs.writeFileSync(path.join(root, "secret.txt"), `${SECRET}\n`);
  layRun(path.join(root, "outside"));
  reader = new ReaderProcess(path.join(bin, "reader.cjs"), wasm);
  other = new ReaderProcess(path.join(bin, "reader.cjs"), wasm, "nobody");
});
afterAll(() => {
  reader.stop();
  other.stop();
  execFileSync("chmod", ["-R", "u+rwX", root]);
  fs.rmSync(root, { recursive: true, force: true });
});

const EVENT = '{"timestamp":1,"kind":"note","step":1,"rank":0,"message":"m","data":{}}\n';

/** Two ranks, ten steps in parts of five, five samples a rank, an event a rank, and records. */
function layRun(dir: string): void {
  const files: Record<string, string | Uint8Array> = {
    "manifest.json": manifest({ world_size: 2 }),
    "events.jsonl": EVENT,
    "steps/part-00000.parquet": stepsFile(0, 5),
    "steps/part-00001.parquet": stepsFile(5, 10),
    "samples/shard-00000.parquet": shard(0, 5),
    "rank-001/manifest.json": manifest({ world_size: 2, extra: { rank: 1 } }),
    "rank-001/events.jsonl": EVENT,
    "rank-001/samples/shard-00000.parquet": shard(0, 5, "t", 1),
    "metrics.json": '[{"benchmark":"b","metric":"m","horizon":1,"seed":0,"value":1}]',
    "observed.attempt1.json": '{"run_record_format":1,"attempt":1,"config":{}}',
  };
  for (const [name, content] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    fs.writeFileSync(path.join(dir, name), content);
  }
}

/** What is left where one of these cannot be read: steps, samples, events. */
const WITHOUT: Readonly<Record<string, readonly [number, number, number] | "refused">> = {
  "manifest.json": "refused",
  "events.jsonl": [10, 10, 1],
  steps: [0, 10, 2],
  "steps/part-00000.parquet": [5, 10, 2],
  "steps/part-00001.parquet": [5, 10, 2],
  samples: [10, 5, 2],
  "samples/shard-00000.parquet": [10, 5, 2],
  "rank-001": [10, 5, 1],
  "rank-001/manifest.json": [10, 5, 1],
  "rank-001/events.jsonl": [10, 10, 1],
  "rank-001/samples": [10, 5, 2],
  "rank-001/samples/shard-00000.parquet": [10, 5, 2],
  "metrics.json": [10, 10, 2],
  "observed.attempt1.json": [10, 10, 2],
};
const WHOLE = [10, 10, 2] as const;
const isFolder = (name: string): boolean => !name.includes(".");

const OTHERS: Readonly<Record<string, { put(at: string, name: string): unknown; codes: readonly string[] }>> =
  {
    "a folder": { put: (at) => fs.mkdirSync(at), codes: ["not-a-regular-file"] },
    "a file": { put: (at) => fs.writeFileSync(at, SECRET), codes: ["not-a-directory", "stray-file"] },
    "a pipe": {
      put: (at) => execFileSync("mkfifo", [at]),
      codes: ["not-a-regular-file", "not-a-directory", "stray-file"],
    },
    "a socket": { put: listen, codes: ["not-a-regular-file", "not-a-directory", "stray-file"] },
    "a link to nothing": { put: (at) => fs.symlinkSync("nothing here", at), codes: ["dangling-link"] },
    "a link to itself": { put: (at) => fs.symlinkSync(path.basename(at), at), codes: ["link-loop"] },
    "a link to the folder above": {
      put: (at) => fs.symlinkSync("..", at),
      codes: ["link-loop", "not-a-regular-file"],
    },
    "a link to an endless device": {
      put: (at) => fs.symlinkSync("/dev/zero", at),
      codes: ["not-a-regular-file", "not-a-directory", "link-outside"],
    },
  };

/** A socket stays where it was bound when its process is gone. */
function listen(at: string): void {
  const script = "import socket,sys;s=socket.socket(socket.AF_UNIX);s.bind(sys.argv[1])";
  if (spawnSync("python3", ["-c", script, at]).status === 0) return;
  net.createServer().listen(at).unref();
}

async function readWith(
  name: string,
  put: (at: string) => unknown,
  by = reader,
  links: "follow" | "inside" = "follow",
) {
  const dir = path.join(root, "run");
  layRun(dir);
  const at = path.join(dir, name);
  put(at);
  try {
    const got = await by.read(dir, links);
    if (typeof got === "string") throw new Error(`the reader ended with a ${got}`);
    expect(JSON.stringify(got)).not.toContain(SECRET);
    expect(got.refused ?? "").not.toContain("uncoded");
    const warned = got.warnings.filter(({ level }) => level === "warning");
    return { refused: got.refused, left: [got.steps, got.samples, got.events], warned };
  } finally {
    execFileSync("chmod", ["-R", "u+rwX", dir]);
    fs.rmSync(dir, { recursive: true, force: true });
  }
}

describe("in the place of a file or a folder", () => {
  for (const [what, { put, codes }] of Object.entries(OTHERS))
    for (const [name, left] of Object.entries(WITHOUT)) {
      if (isFolder(name) ? what === "a folder" : what === "a file") continue;
      it(`${what}: ${name}`, async () => {
        const got = await readWith(name, (at) => {
          fs.rmSync(at, { recursive: true });
          put(at, name);
        });
        if (left === "refused" && got.refused !== null) {
          expect(got.refused).toBe("not-a-regular-file");
          return;
        }
        expect(got).toMatchObject({ refused: null, left: left === "refused" ? WHOLE : left });
        const named = got.warned.filter(({ file }) => file === name).map(({ code }) => code);
        expect(codes, JSON.stringify(got.warned)).toEqual(expect.arrayContaining(named));
        expect(named).toHaveLength(1);
      });
    }
});

describe("behind a link out of the run", () => {
  for (const name of Object.keys(WITHOUT))
    it(`${name}: said`, async () => {
      const got = await readWith(name, (at) => {
        fs.rmSync(at, { recursive: true });
        fs.symlinkSync(path.join(root, "outside", name), at);
      });
      // A folder of another run is no rank of this one.
      const left = name === "rank-001" ? [10, 5, 1] : WHOLE;
      expect(got).toMatchObject({ refused: null, left });
      expect(got.warned).toMatchObject([{ code: "link-outside", file: name }]);
    });

  it("said again when the run is opened again, of step files that are known", async () => {
    const dir = path.join(root, "again");
    layRun(dir);
    const [part, whole] = ["steps/part-00000.parquet", "steps.parquet"];
    fs.rmSync(path.join(dir, part));
    fs.symlinkSync(path.join(root, "outside", part), path.join(dir, part));
    fs.symlinkSync(path.join(root, "outside", part), path.join(dir, whole));
    const memory = new RunMemory();
    for (const _time of [1, 2]) {
      const run = await openRun(nodeSource(dir), { memory });
      expect(run.warnings().flatMap(({ code, file }) => (code === "link-outside" ? file : []))).toEqual([
        part,
        whole,
      ]);
    }
  });

  it("a file that is none of a run's is not quoted", async () => {
    for (const name of Object.keys(WITHOUT).filter((each) => !isFolder(each))) {
      const got = await readWith(name, (at) => {
        fs.rmSync(at);
        fs.symlinkSync(path.join(root, "secret.txt"), at);
      });
      expect(got.refused).toBe(null);
      expect(got.warned.length, name).toBeGreaterThan(0);
    }
  });
});

describe("behind a link out of the run, where none is followed (Restricted Mode)", () => {
  const barred = (name: string, target: string) =>
    readWith(
      name,
      (at) => {
        fs.rmSync(at, { recursive: true });
        fs.symlinkSync(target, at);
      },
      reader,
      "inside",
    );

  for (const [name, left] of Object.entries(WITHOUT))
    it(`${name}: said, the rest is read`, async () => {
      const got = await barred(name, path.join(root, "outside", name));
      // Without its manifest a run is shown under its folder's name.
      expect(got).toMatchObject({ refused: null, left: left === "refused" ? WHOLE : left });
      const code = name === "rank-001" ? "link-outside" : "link-restricted";
      expect(got.warned).toMatchObject([{ code, file: name }]);
    });

  it("over two links: the one inside leads to one that leads out", async () => {
    const dir = path.join(root, "two");
    layRun(dir);
    fs.rmSync(path.join(dir, "samples"), { recursive: true });
    fs.symlinkSync(path.join(root, "outside/samples"), path.join(dir, "kept"));
    fs.symlinkSync("kept", path.join(dir, "samples"));
    expect(await reader.read(dir, "inside")).toMatchObject({
      samples: 5,
      warnings: [{ code: "link-restricted", file: "samples" }],
    });
  });

  it("of a merged table beside parts: the parts are the run, and the link is named", async () => {
    const dir = path.join(root, "merged");
    layRun(dir);
    fs.symlinkSync(path.join(root, "outside/steps/part-00000.parquet"), path.join(dir, "steps.parquet"));
    expect(await reader.read(dir, "inside")).toMatchObject({
      steps: 10,
      warnings: [{ code: "link-restricted", file: "steps.parquet" }],
    });
  });

  it("links that stay inside are followed, and so is one to the run itself", async () => {
    const dir = path.join(root, "moved");
    layRun(dir);
    fs.renameSync(path.join(dir, "samples"), path.join(dir, "disk2"));
    fs.symlinkSync("disk2", path.join(dir, "samples"));
    fs.symlinkSync(path.join(dir), path.join(root, "by-link"));
    fs.mkdirSync(path.join(root, "deep"));
    fs.symlinkSync("../by-link", path.join(root, "deep/by-two"));
    for (const at of [dir, path.join(root, "by-link"), path.join(root, "deep/by-two")])
      expect(await reader.read(at, "inside")).toMatchObject({
        ...{ refused: null, steps: 10, samples: 10, events: 2, warnings: [] },
      });
  });

  it("what takes the place of a file that was looked at is not read", async () => {
    const dir = path.join(root, "swapped");
    layRun(dir);
    const source = nodeSource(dir, { links: "inside" });
    for (const [name, target] of [
      ["events.jsonl", path.join(root, "secret.txt")],
      ["samples", path.join(root, "outside/samples")],
      ["steps", ".."],
    ] as const) {
      expect((await source.stat(name))?.link).toBe(undefined);
      fs.rmSync(path.join(dir, name), { recursive: true });
      fs.symlinkSync(target, path.join(dir, name));
    }
    const denied = { code: "permission-denied" };
    await expect(source.read("events.jsonl", 0, 100)).rejects.toMatchObject(denied);
    await expect(source.list("samples")).rejects.toMatchObject(denied);
    await expect(source.list("steps")).rejects.toMatchObject(denied);
    await expect(source.read("samples/shard-00000.parquet", 0, 4)).rejects.toMatchObject(denied);
    expect(await source.stat("samples/shard-00000.parquet")).toEqual({
      ...{ kind: "other", size: 0, mtimeMs: 0, link: { target: "outside", barred: true } },
    });
  });
});

describe("what may not be read", () => {
  for (const [name, left] of Object.entries(WITHOUT))
    it(`${name}: said, the rest is read`, async () => {
      const got = await readWith(name, (at) => fs.chmodSync(at, 0), other);
      expect(got).toMatchObject({ refused: null, left: left === "refused" ? WHOLE : left });
      expect(got.warned).toMatchObject([{ code: "permission-denied", file: name }]);
    });

  it("what a link leads to: said as such, not as missing", async () => {
    const locked = path.join(root, "locked");
    layRun(locked);
    fs.chmodSync(locked, 0);
    for (const name of ["events.jsonl", "samples", "steps", "metrics.json", "rank-001/events.jsonl"]) {
      const replaced = (at: string): void => {
        fs.rmSync(at, { recursive: true });
        fs.symlinkSync(path.join(locked, name), at);
      };
      const got = await readWith(name, replaced, other);
      expect(got).toMatchObject({ refused: null, warned: [{ code: "permission-denied", file: name }] });
    }
  });
});

/** Names of folders and files that a shell, an address, a table or an eye can stumble over. */
const NAMES: readonly string[] = [
  "with  spaces ",
  "new\nline",
  "tab\tand\rreturn",
  "100%",
  "%2e%2e%2f",
  "#1?x=1&y=2",
  "quotes'\"`$(id)",
  "back\\slash",
  "--help",
  "\u001b[31mred\u0007",
  "right\u202eleft",
  "zero\u200bwidth",
  "e\u0301 and \u00e9",
  "<b>bold",
  "[link](command:x)",
  "~",
  "COM1",
  "n".repeat(255),
  "\u{1f642}".repeat(63),
];

/** Nothing that moves a cursor, turns text or hides: what a terminal may print. */
const printable = (text: string): boolean => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text.replaceAll("\n", ""));

function deck(...args: readonly string[]) {
  return spawnSync(process.execPath, [cli, ...args], { encoding: "utf8", cwd: path.join(root, "names") });
}

describe("names", () => {
  beforeAll(() => {
    for (const name of NAMES) layRun(path.join(root, "names", name));
    const odd = Buffer.concat([Buffer.from(`${path.join(root, "names")}/latin`), Buffer.from([0xe9])]);
    layRun(path.join(root, "names", "latin"));
    fs.renameSync(path.join(root, "names", "latin"), odd);
  });

  it("of folders: found, once each, and opened", async () => {
    const found = await findRuns(nodeSource(path.join(root, "names")));
    expect(found.runs.map((run) => run.path).sort()).toEqual([...NAMES].sort());
    expect(found.odd).toEqual(["latin\ufffd"]);
    for (const name of [...NAMES, "latin\ufffd"])
      expect(await reader.read(path.join(root, "names", name)), name).toMatchObject({
        ...{ refused: null, steps: 10, samples: 10, events: 2 },
      });
  });

  it("of folders, in what the command prints: a line each, nothing hidden", () => {
    const { status, stdout, stderr } = deck("ls", ".", "--no-findings");
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout.trimEnd().split("\n")).toHaveLength(1 + NAMES.length + 1);
    expect(printable(stdout)).toBe(true);
    const listed = JSON.parse(deck("ls", ".", "--no-findings", "--json").stdout) as { path: string }[];
    expect(listed.map((run) => run.path).sort()).toEqual([...NAMES, "latin\ufffd"].sort());
  });

  it("of folders, given to the command", () => {
    for (const name of NAMES) {
      const { status, stdout, stderr } = deck("inspect", `./${name}`);
      expect([status, stderr], name).toEqual([0, ""]);
      expect(printable(stdout), name).toBe(true);
    }
  });

  it("of folders that are not there: one line", () => {
    for (const name of NAMES.filter((each) => !printable(each) || each.length > 200)) {
      const missing = deck("inspect", `./${name.slice(0, -1)}!`);
      expect([missing.status, missing.stdout], name).toEqual([2, ""]);
      expect(missing.stderr.trimEnd().split("\n"), name).toHaveLength(1);
      expect(printable(missing.stderr), name).toBe(true);
    }
  });

  it("of files inside a run, in what is said of them", async () => {
    const dir = path.join(root, "strays");
    layRun(dir);
    for (const name of NAMES)
      for (const folder of ["steps", "samples"]) fs.writeFileSync(path.join(dir, folder, name), "");
    for (const name of ["new\nline", "\u001b[31m", "right\u202e"]) {
      fs.mkdirSync(path.join(dir, `rank-${name}`));
      fs.writeFileSync(path.join(dir, `observed.attempt${name}.json`), "{}");
    }
    const got = await reader.read(dir);
    expect(got).toMatchObject({ refused: null, steps: 10, samples: 10, events: 2 });
    const { status, stdout, stderr } = deck("inspect", dir);
    expect([status, stderr]).toEqual([0, ""]);
    expect(printable(stdout)).toBe(true);
  });
});
