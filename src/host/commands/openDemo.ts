/** Open Demo Run: the recording that comes with the extension. */
import * as vscode from "vscode";
import { tellError } from "../say.ts";
import type { Services } from "../services.ts";
import { openFolder } from "./openRun.ts";

export async function openDemo({ extensionUri, log }: Services): Promise<void> {
  const demo = vscode.Uri.joinPath(extensionUri, "media", "demo");
  try {
    const entries = await vscode.workspace.fs.readDirectory(demo);
    const run = entries.find(([, type]) => type === vscode.FileType.Directory);
    if (run) {
      await openFolder(vscode.Uri.joinPath(demo, run[0]));
      return;
    }
  } catch (error) {
    log.error(`demo run: ${String(error)}`);
  }
  await tellError(vscode.l10n.t("The demo run is missing. Install Flight Deck again to get it back."));
}
