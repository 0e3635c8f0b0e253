/** Bundles as they are shipped, for tests that run them as processes and threads. */
import { copyFileSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { build } from "esbuild";
import { commandLine } from "../../scripts/build.mjs";

const root = path.resolve(import.meta.dirname, "../..");
const WASM = "parquet_wasm_bg.wasm";

/**
 * @param folder made when missing; the decoder's binary is put beside the bundles
 * @param entries files of the repository by the name of their bundle, which ends in `.cjs`
 */
export async function bundleInto(folder: string, entries: Readonly<Record<string, string>>): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: { ...entries },
    outdir: folder,
    outExtension: { ".js": ".cjs" },
    bundle: true,
    ...commandLine,
    logLevel: "error",
    logOverride: { "empty-import-meta": "silent" },
  });
  mkdirSync(folder, { recursive: true });
  const wasm = createRequire(import.meta.url).resolve(`parquet-wasm/esm/${WASM}`);
  copyFileSync(wasm, path.join(folder, WASM));
}

/** The command line: `dist/cli.cjs` in the folder, with the package.json above it that names its version. */
export async function bundleCommand(
  folder: string,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  await bundleInto(path.join(folder, "dist"), { cli: "src/cli/main.ts", ...more });
  copyFileSync(path.join(root, "package.json"), path.join(folder, "package.json"));
}
