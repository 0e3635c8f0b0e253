/** Where a run is, told from a path that somebody clicked on. No file is read here, only looked at. */
import { MANIFEST_FILE, PARTS_DIR, RANK_NUMBER, SAMPLES_DIR } from "../core/format/names.ts";

export type PathKind = "file" | "directory" | "other" | null;

/** How paths are written where the run lies: Node's `path` for a disk. */
export interface PathRules {
  dirname(path: string): string;
  basename(path: string): string;
  join(folder: string, name: string): string;
}

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
 * @param path absolute
 */
export async function runFolderOf(path: string, looker: Looker, rules: PathRules): Promise<string> {
  const isFolder = (await looker.kind(path)) === "directory";
  const folder = isFolder ? path : rules.dirname(path);
  const isInner = isInnerFolder(folder, rules) && !(await hasManifest(folder, looker, rules));
  if (isFolder) {
    const above = rules.dirname(folder);
    return isInner && (await hasManifest(above, looker, rules)) ? above : folder;
  }
  const run = isInner ? rules.dirname(folder) : folder;
  const above = rules.dirname(run);
  return RANK_NUMBER.test(rules.basename(run)) && (await hasManifest(above, looker, rules)) ? above : run;
}

const isInnerFolder = (folder: string, rules: PathRules): boolean =>
  [PARTS_DIR, SAMPLES_DIR].includes(rules.basename(folder));

async function hasManifest(folder: string, looker: Looker, rules: PathRules): Promise<boolean> {
  return (await looker.kind(rules.join(folder, MANIFEST_FILE))) === "file";
}
