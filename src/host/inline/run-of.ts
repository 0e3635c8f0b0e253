/** Which run a file belongs to, or may be about. Folders are looked at, nothing is opened. */
import nodePath from "node:path";
import * as vscode from "vscode";
import { EVENTS_FILE, MANIFEST_FILE, PARTS_DIR, RANK_NUMBER, STEPS_FILE } from "../../core/format/names.ts";
import { disk } from "../disk.ts";
import { runFolderOf } from "../paths.ts";

/** A note may lie in a folder of its own inside a run. */
const MAX_UP = 4;
/** Milliseconds that an answer about a folder is kept: a file is asked about at every edit. */
const KEPT_MS = 5000;
const MAX_KEPT = 200;
const RUN_EDITOR = "flightDeck.run";

const kept = new Map<string, { readonly at: number; readonly isRun: Promise<boolean> }>();

/** The run that a file lies in; `null` when it lies in none. */
export async function runAround(path: string): Promise<string | null> {
  let folder = nodePath.dirname(path);
  for (let up = 0; up <= MAX_UP; up++) {
    const above = nodePath.dirname(folder);
    if (await isRun(folder)) {
      const isRank = RANK_NUMBER.test(nodePath.basename(folder)) && (await isRun(above));
      return isRank ? above : folder;
    }
    if (above === folder) return null;
    folder = above;
  }
  return null;
}

/** Told from the names in it, and kept for a while. */
export const isRunFolder = (folder: string): Promise<boolean> => isRun(folder);

function isRun(folder: string): Promise<boolean> {
  const now = Date.now();
  const known = kept.get(folder);
  if (known && now - known.at < KEPT_MS) return known.isRun;
  const isThere = looksLikeRun(folder);
  kept.delete(folder);
  kept.set(folder, { at: now, isRun: isThere });
  for (const oldest of kept.keys()) {
    if (kept.size <= MAX_KEPT) break;
    kept.delete(oldest);
  }
  return isThere;
}

/** A manifest alone could be anybody's. */
async function looksLikeRun(folder: string): Promise<boolean> {
  const kind = (name: string) => disk.kind(nodePath.join(folder, name));
  if ((await kind(MANIFEST_FILE)) !== "file") return false;
  const beside = await Promise.all([STEPS_FILE, PARTS_DIR, EVENTS_FILE].map(kind));
  return beside.some((found) => found !== null);
}

/** Runs that are open in editors, the one in front first. */
export async function openRuns(): Promise<readonly string[]> {
  const groups = vscode.window.tabGroups;
  const front = groups.activeTabGroup.activeTab;
  const tabs = groups.all.flatMap((group) => group.tabs);
  const ordered = front ? [front, ...tabs] : tabs;
  const dirs = new Set<string>();
  for (const { input } of ordered) {
    if (!(input instanceof vscode.TabInputCustom) || input.viewType !== RUN_EDITOR) continue;
    if (input.uri.scheme === "file") dirs.add(await runFolderOf(input.uri.fsPath, disk, nodePath));
  }
  return [...dirs];
}
