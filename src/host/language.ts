/** Before all else of the host: what it shares with the worker is worded in VS Code's language too. */
import * as vscode from "vscode";
import { type Bundle, speak } from "../protocol/l10n.ts";

/** The display language as a tag, and its words where there are any: not for English. */
export interface Language {
  readonly tag: string;
  readonly words?: Bundle;
}

export function language(): Language {
  const words = vscode.l10n.bundle;
  return words ? { tag: vscode.env.language, words } : { tag: "en" };
}

speak(vscode.l10n.bundle);
