/** Open Run: from the Explorer, from a link or another command, or from a list of runs. */
import * as vscode from "vscode";
import { disk } from "../disk.ts";
import { runFolderOf, withoutTrailingSlash } from "../paths.ts";
import { type Services, VIEW_TYPE } from "../services.ts";
import { pickRun } from "./pickRun.ts";

/** A selection in the Explorer can be large by mistake. */
const MAX_AT_ONCE = 8;

/** @param target a folder or a file inside a run, as URI or path; without it the user is asked */
export async function openRun(services: Services, target: unknown, selection: unknown): Promise<void> {
  const targets = targetsOf(target, selection);
  if (targets.length > 0) {
    for (const uri of targets.slice(0, MAX_AT_ONCE)) await openFolder(await folderOf(uri));
    return;
  }
  const picked = await pickRun(services);
  if (picked) await openFolder(await folderOf(picked));
}

/** Every way to open a run ends here. */
export async function openFolder(folder: vscode.Uri): Promise<void> {
  await vscode.commands.executeCommand("vscode.openWith", folder, VIEW_TYPE, { preview: false });
}

function targetsOf(target: unknown, selection: unknown): vscode.Uri[] {
  const selected = Array.isArray(selection) ? selection.flatMap(uriOf) : [];
  const [own] = uriOf(target);
  if (!own) return [];
  const isPart = selected.some((uri) => uri.toString() === own.toString());
  return isPart ? selected : [own];
}

function uriOf(value: unknown): vscode.Uri[] {
  if (value instanceof vscode.Uri) return [value];
  if (typeof value !== "string" || value === "") return [];
  return [/^[a-z][a-z0-9+.-]+:\/\//i.test(value) ? vscode.Uri.parse(value, true) : vscode.Uri.file(value)];
}

/** One run, one document: the folder without slashes at its end, and a file's run instead of the file. */
async function folderOf(uri: vscode.Uri): Promise<vscode.Uri> {
  const folder = uri.with({ path: withoutTrailingSlash(uri.path), query: "", fragment: "" });
  return folder.scheme === "file" ? vscode.Uri.file(await runFolderOf(folder.fsPath, disk)) : folder;
}
