/** Where a run is, told from a path that somebody clicked on. No file is read here, only looked at. */
import nodePath from "node:path";
import { MANIFEST_FILE, PARTS_DIR, RANK_NUMBER, SAMPLES_DIR } from "../core/format/names.ts";

export type PathKind = "file" | "directory" | "other" | null;

export interface Looker {
  /** Follows links; `null` when nothing is there or it cannot be looked at. Never opens anything. */
  kind(path: string): Promise<PathKind>;
}

/** The same folder has one name: without slashes at its end. A root keeps its own. */
export function withoutTrailingSlash(uriPath: string): string {
  const trimmed = uriPath.replace(/\/+$/, "");
  return trimmed === "" || /^\/?[A-Za-z]:$/.test(trimmed) ? `${trimmed}/` : trimmed;
}

/**
 * The run folder that a path belongs to. A file's folder, or the one above it where the file is a part or a shard; of a
 * rank's file the run that the rank is in. A folder is taken as it is, except a run's own steps and samples.
 * @param path absolute, of this machine
 */
export async function runFolderOf(path: string, looker: Looker): Promise<string> {
  const isFolder = (await looker.kind(path)) === "directory";
  const folder = isFolder ? path : nodePath.dirname(path);
  const isInner = isInnerFolder(folder) && !(await hasManifest(folder, looker));
  if (isFolder) {
    const above = nodePath.dirname(folder);
    return isInner && (await hasManifest(above, looker)) ? above : folder;
  }
  const run = isInner ? nodePath.dirname(folder) : folder;
  const above = nodePath.dirname(run);
  return RANK_NUMBER.test(nodePath.basename(run)) && (await hasManifest(above, looker)) ? above : run;
}

const isInnerFolder = (folder: string): boolean =>
  [PARTS_DIR, SAMPLES_DIR].includes(nodePath.basename(folder));

async function hasManifest(folder: string, looker: Looker): Promise<boolean> {
  return (await looker.kind(nodePath.join(folder, MANIFEST_FILE))) === "file";
}
