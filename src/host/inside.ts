/** A file that a recording or a page names, as a place inside the run's folder. Nothing is opened. */
import { lstat, realpath } from "node:fs/promises";
import nodePath from "node:path";
import { isWithin } from "../core/io/within.ts";

/**
 * The path of a run's file; of what is not there, or lies outside behind a link, the nearest folder that does.
 * @param dir the run's folder, absolute
 * @param file relative to it, as warnings name it
 * @returns `null` when the name leads out of the run, or the run is gone
 */
export async function placeInside(dir: string, file: string): Promise<string | null> {
  if (file.includes("\0") || nodePath.isAbsolute(file)) return null;
  const wanted = nodePath.resolve(dir, file);
  if (!isWithin(nodePath.resolve(dir), wanted)) return null;
  const root = await quietly(realpath(dir));
  if (root === null) return null;
  for (let place = wanted; ; place = nodePath.dirname(place)) {
    if (place === nodePath.resolve(dir)) return place;
    // The link itself may be shown, what it leads to not: its own folder decides.
    const folder = await quietly(realpath(nodePath.dirname(place)));
    if (folder !== null && isWithin(root, folder) && (await quietly(lstat(place))) !== null) return place;
  }
}

const quietly = <T>(promise: Promise<T>): Promise<T | null> => promise.catch(() => null);
