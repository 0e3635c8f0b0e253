/** What goes to the clipboard for a page. */
import * as vscode from "vscode";
import { ProblemError, problemOf } from "../../protocol/rpc.ts";

export async function copy(text: string): Promise<void> {
  if (text !== "") await vscode.env.clipboard.writeText(text);
}

/** What a page has made of what it shows. @throws ProblemError when it is not in front: nobody can have asked for it there */
export async function copyShown(panel: { readonly active: boolean }, text: string): Promise<void> {
  if (!panel.active) throw new ProblemError(BEHIND);
  await copy(text);
}

const BEHIND = problemOf("not-in-front", vscode.l10n.t("Only the editor in front can copy."), {
  remedy: vscode.l10n.t("Click into it, then copy again."),
});
