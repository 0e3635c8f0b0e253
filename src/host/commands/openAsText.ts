/** Open Run as Text: from the run editor back to the file behind it. */
import * as vscode from "vscode";
import { MANIFEST_FILE } from "../../core/format/names.ts";
import { disk } from "../disk.ts";
import { VIEW_TYPE } from "../services.ts";

export async function openAsText(): Promise<void> {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (!(input instanceof vscode.TabInputCustom) || input.viewType !== VIEW_TYPE) return;
  const { uri } = input;
  const isFolder = uri.scheme === "file" && (await disk.kind(uri.fsPath)) === "directory";
  const file = isFolder ? vscode.Uri.joinPath(uri, MANIFEST_FILE) : uri;
  await vscode.commands.executeCommand("vscode.openWith", file, "default");
}
