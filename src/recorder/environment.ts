/** What a run was made with: enough to attribute it and to do it again. Read from files; no program is started. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const MAX_PACKAGES = 100;

/** Never throws; what cannot be found out is left out. */
export function captureEnvironment(): object {
  const sha = tried(() => gitSha(process.cwd()));
  return {
    node: process.versions.node,
    platform: `${os.type()}-${os.release()}-${process.arch}`,
    argv: process.argv,
    packages: tried(packages) ?? {},
    ...(sha ? { git_sha: sha } : {}),
  };
}

function tried<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

function text(file: string): string {
  return fs.readFileSync(file, "utf8");
}

/** The nearest folder at or above one that has an entry of this name. */
function nearest(from: string, name: string): string | null {
  for (let folder = from; ; folder = path.dirname(folder)) {
    if (fs.existsSync(path.join(folder, name))) return folder;
    if (folder === path.dirname(folder)) return null;
  }
}

/** Installed versions of what the project asks for. */
function packages(): Record<string, string> {
  const project = nearest(process.cwd(), "package.json");
  const out: Record<string, string> = {};
  if (project === null) return out;
  const { dependencies } = JSON.parse(text(path.join(project, "package.json"))) as { dependencies?: object };
  for (const name of Object.keys(dependencies ?? {}).slice(0, MAX_PACKAGES)) {
    const version = tried(() => {
      const home = nearest(project, path.join("node_modules", name));
      const file = path.join(home ?? project, "node_modules", name, "package.json");
      return (JSON.parse(text(file)) as { version?: unknown }).version;
    });
    if (typeof version === "string") out[name] = version;
  }
  return out;
}

const SHA = /^[0-9a-f]{40,64}$/;

function gitSha(from: string): string | null {
  const root = nearest(from, ".git");
  if (root === null) return null;
  const folder = gitFolder(path.join(root, ".git"));
  const head = text(path.join(folder, "HEAD")).trim();
  const ref = /^ref: (refs\/[^\0]+)$/.exec(head)?.[1];
  if (ref === undefined) return SHA.test(head) ? head : null;
  // A worktree has its own HEAD and shares the branches.
  const common = tried(() => path.resolve(folder, text(path.join(folder, "commondir")).trim())) ?? folder;
  const loose = tried(() => text(path.join(common, ref)).trim());
  if (loose !== null) return SHA.test(loose) ? loose : null;
  const packed = text(path.join(common, "packed-refs")).split("\n");
  return packed.find((line) => line.endsWith(` ${ref}`))?.slice(0, -ref.length - 1) ?? null;
}

/** In a worktree or submodule `.git` is a file that says where. */
function gitFolder(entry: string): string {
  if (fs.statSync(entry).isDirectory()) return entry;
  const said = /^gitdir: (.+)$/m.exec(text(entry))?.[1] ?? "";
  return path.resolve(path.dirname(entry), said);
}
