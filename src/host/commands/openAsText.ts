/** Open Run as Text: from the run editor back to the file behind it. */
import * as vscode from "vscode";
import { MANIFEST_FILE } from "../../core/format/names.ts";
import { disk } from "../disk.ts";
import { tell } from "../say.ts";
import { VIEW_TYPE } from "../services.ts";

/** @param target the editor's URI, which its title menu hands over; the active editor's from the palette */
export async function openAsText(target: unknown): Promise<void> {
  const uri = target instanceof vscode.Uri ? target : activeRun();
  if (!uri) {
    await tell(vscode.l10n.t("Open a run first."));
    return;
  }
  const isFolder = uri.scheme === "file" && (await disk.kind(uri.fsPath)) === "directory";
  const file = isFolder ? vscode.Uri.joinPath(uri, MANIFEST_FILE) : uri;
  await vscode.commands.executeCommand("vscode.openWith", file, "default");
}

function activeRun(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputCustom && input.viewType === VIEW_TYPE ? input.uri : undefined;
}
