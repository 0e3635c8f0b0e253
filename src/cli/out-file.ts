/** A file that a command writes where the user says: never inside a run, and none is replaced unasked. */
import fs from "node:fs";
import path from "node:path";
import type { DirEntry } from "../core/io/source.ts";
import { isWithin } from "../core/io/within.ts";
import { isOwnFolder, kindOfFile, PEEK, signsOf } from "../core/runs/signs.ts";
import { UsageError } from "./args.ts";

/**
 * Looks before anything is computed.
 * @param runs folders that the command reads
 * @throws UsageError with the reason
 */
export function checkOut(file: string, runs: readonly string[], force: boolean): void {
  const folder = path.dirname(path.resolve(file));
  const found = quietly(() => fs.statSync(folder));
  if (!found?.isDirectory()) throw new UsageError(`there is no folder ${folder} to write to`);
  const place = path.join(fs.realpathSync(folder), path.basename(file));
  const run = runs.map(real).find((dir) => isWithin(dir, place)) ?? runAround(path.dirname(place));
  if (run !== null)
    throw new UsageError(
      `${file} would lie inside the run ${run}, where nothing is written: name another place with --out`,
    );
  const there = quietly(() => fs.lstatSync(place));
  if (!there) return;
  if (!force) throw new UsageError(`${file} is there already: --force replaces it`);
  if (!there.isFile() && !there.isSymbolicLink()) throw new UsageError(`${file} is no file`);
}

/** The whole file or none of it. @throws UsageError when it cannot be written */
export function writeOut(file: string, pieces: Iterable<string>, force: boolean): number {
  const full = path.resolve(file);
  const partial = path.join(
    path.dirname(full),
    `.${path.basename(full).slice(0, 100)}.${process.pid}.partial`,
  );
  let bytes = 0;
  try {
    const out = fs.openSync(partial, "wx");
    try {
      for (const piece of pieces) bytes += fs.writeSync(out, piece);
    } finally {
      fs.closeSync(out);
    }
    // A link is made only where nothing is, which a rename does not ask.
    if (force) fs.renameSync(partial, full);
    else fs.linkSync(partial, full);
  } catch (error) {
    throw new UsageError(`${file} cannot be written (${codeOf(error)})`);
  } finally {
    quietly(() => fs.unlinkSync(partial));
  }
  return bytes;
}

const codeOf = (error: unknown): string => {
  const code: unknown = error instanceof Error && "code" in error ? error.code : "";
  return typeof code === "string" ? code : "unknown";
};

function quietly<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

const real = (dir: string): string => quietly(() => fs.realpathSync(dir)) ?? path.resolve(dir);

/** The run that a folder is or lies in; `null` outside of any. */
function runAround(folder: string): string | null {
  for (let at = folder; ; at = path.dirname(at)) {
    if (isRun(at)) return at;
    if (path.dirname(at) === at) return null;
  }
}

function isRun(dir: string): boolean {
  const entries = quietly(() => fs.readdirSync(dir, { withFileTypes: true })) ?? [];
  const named = entries.map(
    (entry): DirEntry => ({
      name: entry.name,
      kind: entry.isFile() ? "file" : entry.isDirectory() ? "directory" : "other",
    }),
  );
  const { kind, file } = signsOf(named);
  if (kind !== "ask") return kind !== null && !isOwnFolder(path.basename(dir));
  return kindOfFile(file, headOf(path.join(dir, file))) !== null;
}

function headOf(file: string): Uint8Array {
  const bytes = new Uint8Array(PEEK);
  const read = quietly(() => {
    const at = fs.openSync(file, "r");
    try {
      return fs.readSync(at, bytes);
    } finally {
      fs.closeSync(at);
    }
  });
  return bytes.subarray(0, read ?? 0);
}
