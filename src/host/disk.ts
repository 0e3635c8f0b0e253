/** Looking at local paths from the extension host: `stat` only, asynchronous, nothing is opened. */
import { readdir, stat } from "node:fs/promises";
import nodePath from "node:path";
import type { Looking } from "./editor/look.ts";
import type { Looker, PathKind } from "./paths.ts";

export const disk: Looker = {
  async kind(path): Promise<PathKind> {
    try {
      const found = await stat(path);
      if (found.isDirectory()) return "directory";
      return found.isFile() ? "file" : "other";
    } catch {
      return null;
    }
  },
};

/** @param folder absolute */
export function lookingAt(folder: string): Looking {
  const at = (path: string): string => nodePath.join(folder, ...path.split("/"));
  return {
    async stamp(path) {
      try {
        const found = await stat(at(path));
        const kind = found.isDirectory() ? "folder" : found.isFile() ? "file" : "other";
        return {
          kind: `${kind} ${found.mode.toString(8)}`,
          version: `${found.size} ${found.mtimeMs} ${found.ino}`,
        };
      } catch {
        return null;
      }
    },
    names: (path) => readdir(at(path)).catch(() => []),
  };
}
