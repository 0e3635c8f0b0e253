/** Where a file that somebody asks for goes: where the user says, and never unasked into a run. */
import { homedir } from "node:os";
import nodePath from "node:path";
import * as vscode from "vscode";
import { isWithin } from "../core/io/within.ts";
import { confirm } from "./say.ts";

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
