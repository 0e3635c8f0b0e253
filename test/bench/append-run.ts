/** A copy of a recording that may be added to: its files are those of the original, no byte is copied. */
import fs from "node:fs";
import path from "node:path";
import { PARTS_DIR } from "../../src/core/format/names.ts";

/** Appends before those that count: until then the engine learns the code. */
export const WARM_APPENDS = 12;
/** Parts that come to a run. */
export const APPENDS = 48;

/** Paths of a run's parts, oldest first. */
export function partsIn(run: string): string[] {
  const folder = path.join(run, PARTS_DIR);
  return fs
    .readdirSync(folder)
    .sort()
    .map((name) => path.join(folder, name));
}

/** @param copy must not exist, and lie on the same disk */
export function linkRun(run: string, copy: string): void {
  fs.mkdirSync(copy, { recursive: true });
  for (const entry of fs.readdirSync(run, { withFileTypes: true })) {
    const [from, to] = [path.join(run, entry.name), path.join(copy, entry.name)];
    if (entry.isDirectory()) linkRun(from, to);
    else fs.linkSync(from, to);
  }
}

/** Puts a part behind those that are there, whole and at once, as the recorder does. */
export function addPart(run: string, part: string): void {
  const folder = path.join(run, PARTS_DIR);
  fs.mkdirSync(folder, { recursive: true });
  const number = fs.readdirSync(folder).length;
  fs.linkSync(part, path.join(folder, `part-${String(number).padStart(5, "0")}.parquet`));
}
