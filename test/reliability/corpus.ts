/** The packed corpus of damaged runs (test/fixtures/bad) laid out on disk as it was: base/<name>, runs/<name>. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { build } from "./build.ts";

type Entry =
  | { path: string; kind: "file"; blob: [number, number] }
  | { path: string; kind: "link"; target: string }
  | { path: string; kind: "fifo" | "dir" };

export interface BadCase {
  readonly id: string;
  readonly wrong: string;
  readonly verdict: "open" | "warn" | "refuse" | "any";
  readonly codes: readonly string[];
  readonly salvage: Partial<Record<"steps" | "samples" | "events", number | null>> | null;
  readonly base: string;
  readonly slow: boolean;
  readonly asUser: string | null;
  /** Name of its folder. */
  readonly name: string;
  readonly built?: boolean;
  readonly put?: readonly Entry[];
  readonly gone?: readonly string[];
}

interface Packed {
  bases: Record<string, Entry[]>;
  cases: BadCase[];
}

const fixtures = path.join(import.meta.dirname, "..", "fixtures", "bad");

export function readCases(): readonly BadCase[] {
  return packed().cases;
}

let known: Packed | null = null;
function packed(): Packed {
  known ??= JSON.parse(fs.readFileSync(path.join(fixtures, "cases.json"), "utf8")) as Packed;
  return known;
}

let blobs: Buffer | null = null;
function bytesOf([start, length]: [number, number]): Buffer {
  blobs ??= zlib.brotliDecompressSync(fs.readFileSync(path.join(fixtures, "blobs.br")));
  return blobs.subarray(start, start + length);
}

function put(dir: string, entry: Entry): void {
  const at = path.join(dir, entry.path);
  fs.mkdirSync(path.dirname(at), { recursive: true });
  fs.rmSync(at, { recursive: true, force: true });
  if (entry.kind === "dir") fs.mkdirSync(at);
  else if (entry.kind === "file") fs.writeFileSync(at, bytesOf(entry.blob));
  else if (entry.kind === "link") fs.symlinkSync(entry.target, at);
  else execFileSync("mkfifo", [at]);
}

/** Lays the bases out; cases are laid beside them one by one. */
export function layBases(root: string): void {
  for (const [name, entries] of Object.entries(packed().bases))
    for (const entry of entries) put(path.join(root, "base", name), entry);
  // What f-link-ok's samples folder is a link to.
  fs.cpSync(path.join(root, "base", "closed", "samples"), path.join(root, "runs", "f-link-ok-scratch"), {
    recursive: true,
  });
}

/** @returns the folder of the case, made afresh */
export function layCase(root: string, c: BadCase): string {
  const dir = path.join(root, "runs", c.name);
  fs.cpSync(path.join(root, "base", c.base), dir, { recursive: true, preserveTimestamps: true });
  if (c.built || c.asUser) return build(root, dir, c.id);
  for (const gone of c.gone ?? []) fs.rmSync(path.join(dir, gone), { recursive: true, force: true });
  removeEmpty(dir, c.gone ?? []);
  for (const entry of c.put ?? []) put(dir, entry);
  // A second use of the folder comes later than the first.
  if (c.id.startsWith("l-reused")) for (const e of c.put ?? []) touch(path.join(dir, e.path));
  return dir;
}

function touch(file: string): void {
  const later = Date.now() / 1000 + 3600;
  fs.utimesSync(file, later, later);
}

function removeEmpty(dir: string, gone: readonly string[]): void {
  for (const g of gone) {
    const above = path.join(dir, path.dirname(g));
    if (above !== dir && fs.existsSync(above) && fs.readdirSync(above).length === 0) fs.rmdirSync(above);
  }
}
