/** What can be done with a file that was written. */
import nodePath from "node:path";
import * as vscode from "vscode";
import { noticeText } from "../../view/native.ts";
import { tell } from "../say.ts";

/** Says that the file is there, and offers to open it or to show where it is. */
export async function offer(target: vscode.Uri): Promise<void> {
  const open = vscode.l10n.t("Open");
  const reveal = vscode.l10n.t("Reveal");
  const words = vscode.l10n.t("{0} is written.", nodePath.basename(target.fsPath));
  const chosen = await tell(noticeText(words), open, reveal);
  if (chosen === open) await openFile(target);
  else if (chosen === reveal) await revealFile(target);
}

/** A page in the browser, where that can see the file; anything else as text. */
async function openFile(target: vscode.Uri): Promise<void> {
  const { remoteName, uiKind, openExternal } = vscode.env;
  const isNear = remoteName === undefined && uiKind === vscode.UIKind.Desktop && target.scheme === "file";
  if (isNear && target.path.endsWith(".html") && (await openExternal(target))) return;
  await vscode.commands.executeCommand("vscode.open", target);
}

async function revealFile(target: vscode.Uri): Promise<void> {
  const isInside = vscode.workspace.getWorkspaceFolder(target) !== undefined;
  const isFar = vscode.env.remoteName !== undefined || vscode.env.uiKind === vscode.UIKind.Web;
  const command = isInside || isFar ? "revealInExplorer" : "revealFileInOS";
  await vscode.commands.executeCommand(command, target);
}
