/** What a page may ask the host to do: a fixed list, about its own run only. */
import nodePath from "node:path";
import * as vscode from "vscode";
import { MANIFEST_FILE } from "../../core/format/names.ts";
import { disk } from "../disk.ts";
import type { PageAction } from "./panel.ts";
import type { RunSession } from "./session.ts";

interface Target {
  readonly uri: vscode.Uri;
  readonly session: RunSession;
}

export function actOn(target: Target): (action: PageAction) => Promise<void> {
  return async (action) => {
    switch (action) {
      case "openRun":
      case "openDemo":
      case "showLog":
        await vscode.commands.executeCommand(`flightDeck.${action}`);
        return;
      case "openAsText":
        await openAsText(target);
        return;
      case "revealFolder":
        await revealFolder(folderOf(target));
        return;
      case "copyPath":
        await vscode.env.clipboard.writeText(pathOf(folderOf(target)));
        return;
    }
  };
}

/** The file that was opened, or the run's manifest, in VS Code's own editor. */
async function openAsText({ uri, session }: Target): Promise<void> {
  const isFile = uri.scheme !== "file" || (await disk.kind(uri.fsPath)) === "file";
  const file = isFile ? uri : vscode.Uri.joinPath(folderOf({ uri, session }), MANIFEST_FILE);
  await vscode.commands.executeCommand("vscode.openWith", file, "default");
}

/** In the Explorer where the folder is part of the workspace, in the system's file manager where not. */
async function revealFolder(folder: vscode.Uri): Promise<void> {
  const isInWorkspace = vscode.workspace.getWorkspaceFolder(folder) !== undefined;
  await vscode.commands.executeCommand(isInWorkspace ? "revealInExplorer" : "revealFileInOS", folder);
}

function folderOf({ uri, session }: Target): vscode.Uri {
  return session.dir === null ? uri : vscode.Uri.file(session.dir);
}

const pathOf = (uri: vscode.Uri): string =>
  uri.scheme === "file" ? nodePath.normalize(uri.fsPath) : uri.toString();
