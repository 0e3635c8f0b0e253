/** Which doctor.toml a run is diagnosed with in a browser's host: the nearest from the run's folder up to the workspace's. */
import * as vscode from "vscode";
import { MAX_CONFIG } from "../protocol/diagnosis.ts";

const CONFIG_NAME = "doctor.toml";

/** @param dir the run's folder as a URI, "" for none */
export async function configFor(dir: string): Promise<{ text: string | null; name: string }> {
  if (dir === "") return { text: null, name: "" };
  const run = vscode.Uri.parse(dir, true);
  const top = vscode.workspace.getWorkspaceFolder(run)?.uri.path ?? run.path;
  for (let folder = run; ; folder = vscode.Uri.joinPath(folder, "..")) {
    const file = vscode.Uri.joinPath(folder, CONFIG_NAME);
    const text = await textOf(file);
    if (text !== null) return { text, name: vscode.workspace.asRelativePath(file) };
    if (folder.path === top || folder.path === "/" || folder.path === "") return { text: null, name: "" };
  }
}

async function textOf(file: vscode.Uri): Promise<string | null> {
  try {
    const { type, size } = await vscode.workspace.fs.stat(file);
    if (!(type & vscode.FileType.File) || size > MAX_CONFIG) return null;
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  } catch {
    return null;
  }
}
