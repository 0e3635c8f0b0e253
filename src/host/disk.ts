/** Looking at local paths from the extension host: `stat` only, asynchronous, nothing is opened. */
import { stat } from "node:fs/promises";
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
