/** An extension that brings a file system of its own, `fdtest:`: what lies in a folder is there under a scheme that is no disk. */
import { execFile } from "node:child_process";
import { cp, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const MANIFEST = {
  name: "fd-virtual",
  displayName: "A virtual file system",
  publisher: "flight-deck-test",
  version: "1.0.0",
  engines: { vscode: "^1.100.0" },
  main: "./main.js",
  extensionKind: ["workspace"],
  activationEvents: ["onFileSystem:fdtest"],
  capabilities: { virtualWorkspaces: true, untrustedWorkspaces: { supported: true } },
};

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
export async function virtualExtension(files: string, scratch: string): Promise<string> {
  const folder = path.join(scratch, "extension");
  await mkdir(folder, { recursive: true });
  await cp(files, path.join(folder, "files"), { recursive: true });
  await writeFile(path.join(folder, "package.json"), JSON.stringify(MANIFEST));
  await writeFile(path.join(folder, "README.md"), "For a test.\n");
  await writeFile(path.join(folder, "main.js"), MAIN);
  const vsce = path.resolve(import.meta.dirname, "../../node_modules/@vscode/vsce/vsce");
  const vsix = path.join(scratch, "virtual.vsix");
  const options = ["--no-dependencies", "--allow-missing-repository", "--skip-license"];
  await promisify(execFile)(process.execPath, [vsce, "package", ...options, "--out", vsix], { cwd: folder });
  return vsix;
}
