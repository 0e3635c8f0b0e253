/** Which folder a path means, and whether an agent may look there. Nothing is opened. */
import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { isWithin } from "../core/io/within.ts";
import { ToolFault } from "./fault.ts";

export interface Places {
  /** Absolute folders that relative paths start at, and where runs are looked for. */
  roots(): readonly string[];
  /** Whether paths outside of the roots are refused. */
  readonly isConfined: boolean;
  /** Absolute folders outside of the roots that are allowed all the same: runs that the user has opened. */
  readonly more?: () => readonly string[];
}

const MAX_PATH = 4096;
const NEXT = "Pass a folder below one of the roots; flightdeck_list_runs without root lists the runs there.";

/**
 * The folder that a path names, links resolved.
 * @throws ToolFault when there is none, or it may not be looked at
 */
export async function folderAt(text: string, places: Places): Promise<string> {
  if (text === "" || text.includes("\0") || text.length > MAX_PATH)
    throw new ToolFault("bad-path", "The path is empty, too long or no path.", NEXT);
  const roots = places.roots();
  const tried = path.isAbsolute(text) ? [path.resolve(text)] : roots.map((root) => path.resolve(root, text));
  if (tried.length === 0)
    throw new ToolFault(
      "no-roots",
      "No folder is open that a relative path could start at.",
      "Pass an absolute path, or ask the user to open a folder.",
    );
  let isOutside = false;
  for (const wanted of tried) {
    const found = await realpath(wanted).catch(() => null);
    if (found === null) {
      isOutside ||= places.isConfined && !roots.some((root) => isWithin(root, wanted));
      continue;
    }
    if (!(await isAllowed(found, places))) {
      isOutside = true;
      continue;
    }
    return folderOf(found);
  }
  if (isOutside)
    throw new ToolFault("outside", "The path leads out of the folders that Flight Deck may read.", NEXT);
  throw new ToolFault("not-found", "There is nothing at this path.", NEXT);
}

/** A file of a run stands for the folder that it lies in. */
async function folderOf(found: string): Promise<string> {
  const kind = await stat(found).catch(() => null);
  return kind?.isDirectory() === false ? path.dirname(found) : found;
}

async function isAllowed(found: string, places: Places): Promise<boolean> {
  if (!places.isConfined) return true;
  for (const root of [...places.roots(), ...(places.more?.() ?? [])]) {
    const real = await realpath(root).catch(() => null);
    if (real !== null && isWithin(real, found)) return true;
  }
  return false;
}

/** A path as an agent can pass it again: relative where there is one root that it lies in. */
export function pathText(dir: string, places: Places): string {
  const [root, ...others] = places.roots();
  if (root === undefined || others.length > 0 || !isWithin(root, dir)) return dir;
  return path.relative(root, dir).split(path.sep).join("/") || ".";
}
