import path from "node:path";
import { buildSync } from "esbuild";

/** A program of a test, bundled as what ships is. @param entry beside this file */
export function bundle(entry: string, outfile: string): void {
  buildSync({
    entryPoints: [path.resolve(import.meta.dirname, entry)],
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    logLevel: "error",
  });
}
