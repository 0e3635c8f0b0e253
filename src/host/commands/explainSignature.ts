/** Explain a Signature: its page, rendered. Called with an id by findings, hovers and problems; it is no entry of the palette. */
import * as vscode from "vscode";
import { signatureOf } from "../../view/findings.ts";
import { signatureUri } from "../doctor/documents.ts";

export async function explainSignature(id: unknown): Promise<void> {
  if (typeof id !== "string" || !signatureOf(id)) return;
  try {
    await vscode.commands.executeCommand("markdown.showPreview", signatureUri(id, true));
  } catch {
    // The built-in Markdown extension can be switched off; the page reads well as text too.
    await vscode.window.showTextDocument(signatureUri(id), { preview: true });
  }
}
