/** Where a file for others goes: where the user says, never unasked into a run; and what can be done with it then. */
import { homedir } from "node:os";
import nodePath from "node:path";
import * as vscode from "vscode";
import { isWithin } from "../../core/io/within.ts";
import { noticeText } from "../../view/native.ts";
import { confirm, tell } from "../say.ts";

export interface SaveChoice {
  readonly title: string;
  /** With its ending. */
  readonly name: string;
  /** Endings by what they are called. */
  readonly filters: Readonly<Record<string, readonly string[]>>;
  /** Folders of the runs that it is about. */
  readonly dirs: readonly string[];
}

/** @returns `null` when the user chose not to */
export async function chooseFile({ title, name, filters, dirs }: SaveChoice): Promise<vscode.Uri | null> {
  const target = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.file(nodePath.join(startFolder(dirs), name)),
    filters: Object.fromEntries(Object.entries(filters).map(([label, endings]) => [label, [...endings]])),
    title,
  });
  if (!target) return null;
  if (target.scheme !== "file" || !dirs.some((dir) => isWithin(dir, target.fsPath))) return target;
  const question = vscode.l10n.t(
    "This place is inside the run's folder, where Flight Deck writes nothing unless you say so.",
  );
  return (await confirm(question, vscode.l10n.t("Save There Anyway"))) ? target : null;
}

/** The workspace, unless that is a run itself. */
function startFolder(dirs: readonly string[]): string {
  const open = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === "file")?.uri.fsPath;
  return open !== undefined && !dirs.some((dir) => isWithin(dir, open)) ? open : homedir();
}

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
