/** `vscode.workspace.fs` below one folder. */
import * as vscode from "vscode";
import type { Mounted } from "./source.ts";

export function mountedAt(folder: vscode.Uri): Mounted {
  const at = (path: string): vscode.Uri =>
    path === "" ? folder : vscode.Uri.joinPath(folder, ...path.split("/"));
  const { fs } = vscode.workspace;
  return {
    list: async (path) => await fs.readDirectory(at(path)),
    stat: async (path) => await fs.stat(at(path)),
    read: async (path) => await fs.readFile(at(path)),
  };
}

export const nameOf = (uri: vscode.Uri): string => uri.path.replace(/\/+$/, "").split("/").pop() ?? "";

/** The folder that holds a run's manifest, from a folder or a file in it. */
export async function runFolder(uri: vscode.Uri): Promise<vscode.Uri> {
  const clean = uri.with({ path: uri.path.replace(/\/+$/, "") || "/" });
  const isFile = await vscode.workspace.fs.stat(clean).then(
    ({ type }) => (type & vscode.FileType.File) !== 0,
    () => false,
  );
  if (!isFile) return clean;
  const folder = vscode.Uri.joinPath(clean, "..");
  return ["steps", "samples"].includes(nameOf(folder)) ? vscode.Uri.joinPath(folder, "..") : folder;
}
