/** What a page may ask the host to do: a fixed list, about its own run only. */
import nodePath from "node:path";
import * as vscode from "vscode";
import { MANIFEST_FILE } from "../../core/format/names.ts";
import type { PageAction } from "../../protocol/page.ts";
import { codeText, problemText, warningText } from "../../view/problems.ts";
import { disk } from "../disk.ts";
import { placeInside } from "../inside.ts";
import { tell } from "../say.ts";
import { copy } from "./copy.ts";
import type { RunSession } from "./session.ts";

interface Target {
  readonly uri: vscode.Uri;
  readonly session: RunSession;
}

export function actOn(target: Target): (action: PageAction) => Promise<void> {
  return async (asked) => {
    switch (asked.action) {
      case "openRun":
      case "openDemo":
      case "showLog":
        await vscode.commands.executeCommand(`flightDeck.${asked.action}`);
        return;
      case "openAsText":
        await openAsText(target);
        return;
      case "revealFolder":
        await reveal(folderOf(target));
        return;
      case "copyPath":
        await vscode.env.clipboard.writeText(pathOf(folderOf(target)));
        return;
      case "explainSignature":
        await vscode.commands.executeCommand("flightDeck.explainSignature", asked.signature);
        return;
      case "openFindings":
      case "showInProblems":
        await vscode.commands.executeCommand(`flightDeck.${asked.action}`, folderOf(target));
        return;
      case "explain":
        await vscode.commands.executeCommand("flightDeck.explainWarning", asked.code);
        return;
      case "revealFile":
        await revealFile(target, asked.file);
        return;
      case "openSample":
      case "diffSamples":
      case "openGroup":
      case "openPrompt":
        await aboutSamples(target, asked);
        return;
      case "copy":
        await copy(await textOf(target.session, asked.code, asked.file));
        return;
    }
  };
}

type AboutSamples = Extract<PageAction, { row: number } | { a: number }>;

/** The commands of the same name, told of this page's run. */
async function aboutSamples({ session }: Target, { action, ...what }: AboutSamples): Promise<void> {
  if (session.dir === null) return;
  await vscode.commands.executeCommand(`flightDeck.${action}`, { dir: session.dir, ...what });
}

/** The file that was opened, or the run's manifest, in VS Code's own editor. */
async function openAsText({ uri, session }: Target): Promise<void> {
  const isFile = uri.scheme !== "file" || (await disk.kind(uri.fsPath)) === "file";
  const file = isFile ? uri : vscode.Uri.joinPath(folderOf({ uri, session }), MANIFEST_FILE);
  await vscode.commands.executeCommand("vscode.openWith", file, "default");
}

/** In the Explorer where it is part of the workspace, in the system's file manager where not. Never opened. */
async function reveal(uri: vscode.Uri): Promise<void> {
  if (vscode.workspace.getWorkspaceFolder(uri) !== undefined) {
    await vscode.commands.executeCommand("revealInExplorer", uri);
    return;
  }
  try {
    await vscode.commands.executeCommand("revealFileInOS", uri);
  } catch {
    // A browser has no file manager.
    await tell(pathOf(uri));
  }
}

async function revealFile({ session }: Target, file: string): Promise<void> {
  const place = session.dir === null ? null : await placeInside(session.dir, file);
  if (place !== null) await reveal(vscode.Uri.file(place));
}

/** The run's own words for a warning, or for what it was refused for. */
async function textOf(session: RunSession, code: string, file: string): Promise<string> {
  const state = await session.open();
  if (state.state !== "run") {
    return state.problem.code === code ? problemText(state.problem) : codeText(code, file);
  }
  const warnings = await session.call("run.warnings", {}, new AbortController().signal);
  const found = warnings.filter((warning) => warning.code === code && warning.file === file);
  return found.length === 0 ? codeText(code, file) : found.map(warningText).join("\n\n");
}

function folderOf({ uri, session }: Target): vscode.Uri {
  return session.dir === null ? uri : vscode.Uri.file(session.dir);
}

const pathOf = (uri: vscode.Uri): string =>
  uri.scheme === "file" ? nodePath.normalize(uri.fsPath) : uri.toString();
