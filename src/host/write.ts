/** Writes what the user saves, and says in words why it could not be written. */
import nodePath from "node:path";
import * as vscode from "vscode";
import { ProblemError, problemOf } from "../protocol/rpc.ts";

/** @throws ProblemError for what the user can do something about; otherwise what VS Code says */
export async function writeFile(target: vscode.Uri, bytes: Uint8Array): Promise<void> {
  try {
    await vscode.workspace.fs.writeFile(target, bytes);
  } catch (error) {
    const words =
      error instanceof vscode.FileSystemError ? wordsFor(nodePath.basename(target.fsPath), error) : null;
    throw words === null ? error : new ProblemError(problemOf("not-written", words));
  }
}

/** VS Code has codes for some reasons; others are in its message alone, by the system's name. */
function wordsFor(name: string, { code, message }: vscode.FileSystemError): string | null {
  if (code === "NoPermissions") return vscode.l10n.t("{0} cannot be written: you may not write there.", name);
  if (code === "FileNotFound") return vscode.l10n.t("{0} cannot be written: its folder is not there.", name);
  if (message.includes("EROFS"))
    return vscode.l10n.t("{0} cannot be written: that disk is mounted read-only.", name);
  if (/ENOSPC|EDQUOT/.test(message)) return vscode.l10n.t("{0} cannot be written: that disk is full.", name);
  return null;
}
