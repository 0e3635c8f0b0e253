/** `vscode.workspace.fs` below one folder. */
import * as vscode from "vscode";
import { type PathKind, type PathRules, runFolderOf, withoutTrailingSlash } from "../host/paths.ts";
import { kindOf, type Mounted } from "./source.ts";

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

const rules: PathRules = {
  dirname: (path) => path.slice(0, path.lastIndexOf("/")) || "/",
  basename: (path) => path.slice(path.lastIndexOf("/") + 1),
  join: (folder, name) => (folder.endsWith("/") ? folder + name : `${folder}/${name}`),
};

/** The run's folder, from a folder or a file in it. */
export async function runFolder(uri: vscode.Uri): Promise<vscode.Uri> {
  const kind = async (path: string): Promise<PathKind> => {
    try {
      return kindOf((await vscode.workspace.fs.stat(uri.with({ path }))).type);
    } catch {
      return null;
    }
  };
  return uri.with({ path: await runFolderOf(withoutTrailingSlash(uri.path), { kind }, rules) });
}
