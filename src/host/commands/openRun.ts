/** Open Run: from the Explorer, from a link or another command, or from a list of runs. */
import * as vscode from "vscode";
import { type Services, VIEW_TYPE } from "../services.ts";
import { pickRun } from "./pickRun.ts";
import { folderOf, MAX_AT_ONCE, targetsOf } from "./targets.ts";

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
