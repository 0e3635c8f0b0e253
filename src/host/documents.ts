/** Read-only documents of the scheme `flightdeck:`. What a document shows follows from its address alone. */
import * as vscode from "vscode";
import { type Code, codePage, isCode } from "../view/codePages.ts";

export const SCHEME = "flightdeck";

const WARNING_PAGE = /^\/warnings\/([a-z0-9-]+)\.md$/;

export function warningPageUri(code: Code): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `/warnings/${code}.md` });
}

/** @returns `null` for an address that names no document */
export function documentText(uri: vscode.Uri): string | null {
  const code = WARNING_PAGE.exec(uri.path)?.[1];
  return code !== undefined && isCode(code) ? `${codePage(code)}\n` : null;
}
