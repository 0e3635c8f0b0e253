/** Explain a Warning: the page of a code, rendered. Called with a code by the run editor's page; it is no entry of the palette. */
import * as vscode from "vscode";
import { isCode } from "../../view/codePages.ts";
import { warningPageUri } from "../documents.ts";

export async function explainWarning(code: unknown): Promise<void> {
  if (typeof code !== "string" || !isCode(code)) return;
  const uri = warningPageUri(code);
  try {
    await vscode.commands.executeCommand("markdown.showPreview", uri);
  } catch {
    // The built-in Markdown extension can be switched off; the page reads well as text too.
    await vscode.window.showTextDocument(uri, { preview: true });
  }
}
