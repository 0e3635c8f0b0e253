/**
 * `npm run fuzz -- [--seed S] [--from N] [--count N] [--only N [--keep FOLDER]] [--jobs N]`: damaged copies of real recordings read as the product reads
 * them (docs/reliability.md). Ends with code 1 when one of them crashes, hangs, grows or is answered with an error of ours.
 * `--only N` reads one of them again, and says what was done to it and what came of it; `--keep` lays it in
 * a new folder.
 */
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { root } from "./lib/paths.mjs";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "20261" },
    from: { type: "string", default: "0" },
    count: { type: "string", default: "20000" },
    only: { type: "string" },
    jobs: { type: "string" },
    keep: { type: "string" },
  },
});

/** @param {"seed" | "from" | "count" | "only" | "jobs"} name @param {number} least */
function whole(name, least) {
  const text = values[name];
  if (text === undefined) return null;
  const number = Number(text);
  if (!Number.isInteger(number) || number < least)
    throw new Error(`--${name} wants a whole number from ${least} on`);
  return number;
}

const bundle = path.join(root, ".cache/fuzz/main.mjs");
await build({
  absWorkingDir: root,
  entryPoints: ["test/reliability/fuzz/main.ts"],
  outfile: bundle,
  bundle: true,
  platform: "node",
  target: "node20",
  format: "esm",
  external: ["esbuild"],
  logLevel: "warning",
});
const { main } = await import(pathToFileURL(bundle).href);
const isFine = await main({
  root,
  wasm: createRequire(import.meta.url).resolve("parquet-wasm/esm/parquet_wasm_bg.wasm"),
  seed: whole("seed", 0),
  from: whole("from", 0),
  count: whole("count", 1),
  only: whole("only", 0),
  jobs: whole("jobs", 1),
  keep: values.keep === undefined ? null : path.resolve(values.keep),
});
process.exitCode = isFine ? 0 : 1;
