/** Keys of the configuration that differ between any two runs and say nothing: the setting, as patterns. */
import * as vscode from "vscode";
import * as z from "zod/mini";
import { IgnorePatterns } from "../../protocol/compare.ts";

export const IGNORE_SETTING = "flightDeck.compare.ignore";

/** What is not a list of patterns ignores nothing. */
export function ignorePatterns(): string[] {
  const parsed = z.safeParse(IgnorePatterns, vscode.workspace.getConfiguration().get(IGNORE_SETTING));
  return parsed.success ? [...parsed.data] : [];
}
