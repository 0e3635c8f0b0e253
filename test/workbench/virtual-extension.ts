/** An extension that brings a file system of its own, `fdtest:`: what lies in a folder is there under a scheme that is no disk. */
import { packTestExtension } from "./test-extension.ts";

const MAIN = `
const vscode = require("vscode");
const { readFile, readdir, stat } = require("node:fs/promises");
const at = (uri) => require("node:path").join(__dirname, "files", uri.path);
const refuse = (uri) => { throw vscode.FileSystemError.NoPermissions(uri); };
const missing = (uri) => () => { throw vscode.FileSystemError.FileNotFound(uri); };
const kind = (entry) => (entry.isDirectory() ? vscode.FileType.Directory : vscode.FileType.File);
exports.activate = ({ subscriptions }) => {
  const changed = new vscode.EventEmitter();
  const provider = {
    onDidChangeFile: changed.event,
    watch: () => new vscode.Disposable(() => {}),
    async stat(uri) {
      const found = await stat(at(uri)).catch(missing(uri));
      return { type: kind(found), ctime: 0, mtime: found.mtimeMs, size: found.size };
    },
    async readDirectory(uri) {
      const entries = await readdir(at(uri), { withFileTypes: true }).catch(missing(uri));
      return entries.map((entry) => [entry.name, kind(entry)]);
    },
    readFile: (uri) => readFile(at(uri)).catch(missing(uri)),
    createDirectory: refuse, writeFile: refuse, delete: refuse, rename: refuse,
  };
  subscriptions.push(vscode.workspace.registerFileSystemProvider("fdtest", provider, { isReadonly: true }));
};
`;

/** @param files a folder whose content is at `fdtest:/` @param scratch an empty folder @returns the packaged extension */
export function virtualExtension(files: string, scratch: string): Promise<string> {
  const extension = {
    name: "fd-virtual",
    displayName: "A virtual file system",
    activationEvents: ["onFileSystem:fdtest"],
    capabilities: { virtualWorkspaces: true },
  };
  return packTestExtension({ ...extension, main: MAIN, files }, scratch);
}
