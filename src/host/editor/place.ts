/** Where a run is, and who tells of its files. */
import nodePath from "node:path";
import * as vscode from "vscode";
import { problemOf } from "../../protocol/rpc.ts";
import { disk, lookingAt } from "../disk.ts";
import { runFolderOf, withoutTrailingSlash } from "../paths.ts";
import type { Place } from "./session.ts";
import { RunWatch } from "./watch.ts";

/** Of one folder only, not of those below: a workspace's own watcher is recursive, and a run may lie outside any. */
function watchFiles(dir: string, folder: string, onEvent: () => void): () => void {
  const live = vscode.workspace.getConfiguration("flightDeck.live", vscode.Uri.file(dir));
  if (!live.get("fileEvents", true)) return () => {};
  const base = vscode.Uri.file(nodePath.join(dir, folder));
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(base, "*"));
  watcher.onDidCreate(onEvent);
  watcher.onDidChange(onEvent);
  watcher.onDidDelete(onEvent);
  return () => watcher.dispose();
}

/** @param onChanged settles when whoever shows the run has taken note; never rejects */
export const watchRun = (dir: string, onChanged: () => Promise<void>): RunWatch =>
  new RunWatch({ looking: lookingAt(dir), watch: (f, on) => watchFiles(dir, f, on), onChanged });

export async function locate(uri: vscode.Uri): Promise<Place> {
  const path = withoutTrailingSlash(uri.path);
  if (uri.scheme !== "file") return { label: nodePath.posix.basename(path), problem: NOT_LOCAL };
  const dir = await runFolderOf(uri.with({ path }).fsPath, disk, nodePath);
  return { dir, label: nodePath.basename(dir) || dir };
}

/** Said of a run that lies on no disk. */
export const NOT_LOCAL = problemOf(
  "not-local",
  vscode.l10n.t(
    "Runs open from local folders and from folders of a remote workspace (SSH, WSL, containers); this one is on another kind of file system.",
  ),
  { remedy: vscode.l10n.t("Copy the run to a disk, then open it there.") },
);
