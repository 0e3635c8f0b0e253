/** The runs that a command is about: what was clicked or selected, else what is in front, else what the user chooses. */
import nodePath from "node:path";
import * as vscode from "vscode";
import { disk } from "../disk.ts";
import { findingsDir } from "../doctor/documents.ts";
import { NOT_LOCAL } from "../editor/place.ts";
import { runFolderOf, withoutTrailingSlash } from "../paths.ts";
import { addressOf } from "../samples/address.ts";
import { warn } from "../say.ts";
import { type Services, VIEW_TYPE } from "../services.ts";
import { pickRun } from "./pickRun.ts";

/** A selection in the Explorer can be large by mistake. */
export const MAX_AT_ONCE = 8;
const MAX_SELECTED = 200;

/** @returns run folders; none when the user thought better of it */
export async function runTargets(
  services: Services,
  title: string,
  target: unknown,
  selection: unknown,
): Promise<readonly vscode.Uri[]> {
  const named = targetsOf(target, selection);
  if (named.length > 0) return atOnce(await foldersOf(named.slice(0, MAX_SELECTED)), named.length);
  const front = frontRun();
  if (front) return foldersOf([front]);
  const picked = await pickRun(services, title);
  return picked ? foldersOf([picked]) : [];
}

/** What is left out is said: nobody shall take silence about a run for an answer. */
function atOnce(folders: readonly vscode.Uri[], selected: number): readonly vscode.Uri[] {
  if (folders.length <= MAX_AT_ONCE && selected <= MAX_SELECTED) return folders;
  void warn(
    vscode.l10n.t(
      "Only the first {0} of the selected runs are taken; choose fewer for the others.",
      Math.min(folders.length, MAX_AT_ONCE),
    ),
  );
  return folders.slice(0, MAX_AT_ONCE);
}

/**
 * Each run once, however many of its files were selected. What lies on no disk is left out, and said: its path could be that of
 * another folder here.
 */
export async function foldersOf(uris: readonly vscode.Uri[]): Promise<readonly vscode.Uri[]> {
  const folders = new Map<string, vscode.Uri>();
  let isElsewhere = false;
  for (const uri of uris) {
    const folder = await folderOf(uri);
    if (folder.scheme === "file") folders.set(folder.toString(), folder);
    else isElsewhere = true;
  }
  if (isElsewhere) void warn(`${NOT_LOCAL.message} ${NOT_LOCAL.remedy}`);
  return [...folders.values()];
}

export function targetsOf(target: unknown, selection: unknown): vscode.Uri[] {
  const selected = Array.isArray(selection) ? selection.flatMap(uriOf) : [];
  const [own] = uriOf(target);
  if (!own) return [];
  const isPart = selected.some((uri) => uri.toString() === own.toString());
  return isPart ? selected : [own];
}

function uriOf(value: unknown): vscode.Uri[] {
  if (value instanceof vscode.Uri) return [value];
  // An entry of the Runs view.
  if (typeof value === "object" && value !== null && "runUri" in value) return uriOf(value.runUri);
  if (typeof value !== "string" || value === "") return [];
  return [/^[a-z][a-z0-9+.-]+:\/\//i.test(value) ? vscode.Uri.parse(value, true) : vscode.Uri.file(value)];
}

/** One run, one document: the folder without slashes at its end, and a file's run instead of the file. */
export async function folderOf(uri: vscode.Uri): Promise<vscode.Uri> {
  const folder = uri.with({ path: withoutTrailingSlash(uri.path), query: "", fragment: "" });
  return folder.scheme === "file"
    ? vscode.Uri.file(await runFolderOf(folder.fsPath, disk, nodePath))
    : folder;
}

/** The run whose editor, or document of findings or samples, has the focus. */
export function frontRun(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputCustom && input.viewType === VIEW_TYPE) return input.uri;
  const uri = input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
  const shown = input instanceof vscode.TabInputText ? input.uri : uri;
  if (!shown) return undefined;
  const dir = findingsDir(shown) ?? addressOf(shown)?.dir ?? null;
  return dir === null ? undefined : vscode.Uri.file(dir);
}
