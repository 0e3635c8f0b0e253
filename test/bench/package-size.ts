/** What ships, by size. */
import fs from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";

export interface FileSize {
  readonly name: string;
  readonly bytes: number;
  readonly gzip: number;
}

/** Files of dist/ (source maps are not shipped) and the packages beside it, largest first. */
export function shippedSizes(root: string): readonly FileSize[] {
  const dist = path.join(root, "dist");
  const built = fs.existsSync(dist) ? fs.readdirSync(dist).map((n) => path.join("dist", n)) : [];
  const packed = fs.readdirSync(root).filter((n) => n.endsWith(".vsix"));
  return [...built, ...packed]
    .filter((n) => !n.endsWith(".map") && fs.statSync(path.join(root, n)).isFile())
    .map((name) => {
      const bytes = fs.readFileSync(path.join(root, name));
      return { name, bytes: bytes.length, gzip: gzipSync(bytes).length };
    })
    .sort((a, b) => b.bytes - a.bytes);
}
