/** Bundles the extension, its worker, its page and the command line into dist/. `--dev` adds source maps, `--watch` rebuilds, `--strict` wants every entry. */
import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build, context } from "esbuild";
import { thirdPartyNotices } from "./lib/notices.mjs";
import { isMain, root } from "./lib/paths.mjs";
import { recorderTypes } from "./lib/recorder-types.mjs";

/** What VS Code runs at its start is a file of its own: what that asks for later is required from beside it. */
const asFiles = (files) => ({
  name: "late",
  setup(bundler) {
    bundler.onResolve({ filter: /^\.\// }, ({ path: asked, kind }) =>
      kind === "dynamic-import" && Object.hasOwn(files, asked)
        ? { path: files[asked], external: true }
        : undefined,
    );
  },
});

const dist = path.join(root, "dist");
const meta = path.join(root, ".cache/meta");

const node = { platform: "node", format: "cjs", target: "node20" };
const nodeModule = { ...node, format: "esm" };
const inEditor = { ...node, external: ["vscode"], supported: { "dynamic-import": false } };
/** VS Code in the browser alone takes one script in Node's form. */
const inBrowser = {
  platform: "browser",
  format: "cjs",
  target: "es2022",
  conditions: ["browser"],
  external: ["vscode"],
};
const browser = { platform: "browser", target: "es2022", conditions: ["browser"] };
/** Modules that the page loads late are files of their own; what they share with it is another one. */
export const inParts = { format: "esm", splitting: true, chunkNames: "page-[hash]" };
const late = { "./host/host.ts": "./host.cjs" };
/** The command line without what agents alone need: that is loaded with `mcp`. */
export const commandLine = {
  ...node,
  supported: { "dynamic-import": false },
  plugins: [asFiles({ "./mcp-server.ts": "./mcp.cjs" })],
};
const bundles = [
  { out: "extension.cjs", entry: "src/extension.ts", options: { ...inEditor, plugins: [asFiles(late)] } },
  { out: "host.cjs", entry: "src/host/host.ts", options: inEditor },
  { out: "worker.cjs", entry: "src/worker/main.ts", options: node },
  { out: "cli.cjs", entry: "src/cli/main.ts", options: commandLine },
  { out: "mcp.cjs", entry: "src/cli/mcp-server.ts", options: node },
  { out: "recorder.cjs", entry: "src/recorder/index.ts", options: node },
  { out: "recorder.mjs", entry: "src/recorder/index.ts", options: nodeModule },
  { out: "recorder-thread.cjs", entry: "src/recorder/thread.ts", options: node },
  { out: "web.js", entry: "src/web/extension.ts", options: { ...inBrowser } },
  { out: "page.js", entry: "webview/main.ts", options: { ...browser, ...inParts } },
  { out: "compare.js", entry: "webview/compare/main.ts", options: { ...browser, format: "iife" } },
  { out: "runs.js", entry: "webview/runs/main.ts", options: { ...browser, format: "iife" } },
  { out: "page.css", entry: "webview/page.css", options: browser, optional: true },
];

/** The recorder's types, for whoever imports and for whoever requires it. */
const typeFiles = ["recorder.d.mts", "recorder.d.cts"];

const shebang = "#!/usr/bin/env node";

/** What the page asks for late, and first of all its words: a part can keep words from the moment it is loaded. */
export const pageParts = {
  "page-words": "webview/language.ts",
  "page-body": "webview/panels/elements.ts",
  "page-charts": "webview/charts/vega-chart.ts",
};

const placeOf = ({ out, entry }, folder) =>
  out === "page.js"
    ? { entryPoints: { page: entry, ...pageParts }, outdir: folder }
    : { entryPoints: [entry], outfile: path.join(folder, out) };

async function optionsFor({ out, entry, options }, dev, folder = "dist") {
  const needsShebang =
    out === "cli.cjs" && !(await readFile(path.join(root, entry), "utf8")).startsWith("#!");
  return {
    absWorkingDir: root,
    ...placeOf({ out, entry }, folder),
    bundle: true,
    minify: !dev,
    sourcemap: dev ? "linked" : false,
    legalComments: "none",
    charset: "utf8",
    metafile: true,
    logLevel: "warning",
    // parquet-wasm's default place for its binary, which is never used: the reader is given the bytes.
    logOverride: { "empty-import-meta": "silent" },
    define: { "process.env.NODE_ENV": '"production"' },
    ...(needsShebang ? { banner: { js: shebang } } : {}),
    ...options,
  };
}

async function runGenerators() {
  const folder = path.join(root, "scripts/gen");
  const names = existsSync(folder)
    ? (await readdir(folder)).filter((name) => name.endsWith(".mjs")).sort()
    : [];
  for (const name of names) {
    const { generate } = await import(pathToFileURL(path.join(folder, name)).href);
    if (typeof generate === "function") await generate();
  }
  return names.length;
}

/** The parquet library's binary, once for worker, command line and recorder. */
async function copyWasm(folder) {
  const binary = path.join(root, "node_modules/parquet-wasm/esm/parquet_wasm_bg.wasm");
  await copyFile(binary, path.join(folder, "parquet_wasm_bg.wasm"));
}

async function writeTypes(folder) {
  const types = await recorderTypes();
  for (const name of typeFiles) await writeFile(path.join(folder, name), types);
}

/** Builds what works without VS Code. @returns {Promise<import("esbuild").Metafile[]>} what went into it */
async function buildWithoutEditor(folder, isWanted) {
  await mkdir(folder, { recursive: true });
  const metafiles = [];
  for (const bundle of bundles.filter(({ out }) => isWanted(out)))
    metafiles.push((await build(await optionsFor(bundle, false, folder))).metafile);
  await copyWasm(folder);
  await writeTypes(folder);
  return metafiles;
}

const isRecorder = (out) => out.startsWith("recorder");
const isCommand = (out) => out === "cli.cjs" || out === "mcp.cjs";

/**
 * Builds what a training loop needs of the package, and nothing else.
 * @param {string} folder where the package's dist/ would be
 */
export async function buildRecorder(folder) {
  await buildWithoutEditor(folder, isRecorder);
}

/**
 * Builds the dist/ of the package for Node: command line and recorder, with the licences of what is in them.
 * @param {string} folder
 */
export async function buildForNode(folder) {
  const metafiles = await buildWithoutEditor(folder, (out) => isRecorder(out) || isCommand(out));
  await writeFile(path.join(folder, "THIRD_PARTY_NOTICES.txt"), await thirdPartyNotices(metafiles));
}

/** Pictures of the signatures' pages in one file. */
async function packCharts() {
  const folder = path.join(root, "docs/signatures");
  const names = existsSync(folder) ? (await readdir(folder)).filter((n) => n.endsWith(".svg")).sort() : [];
  const entries = await Promise.all(
    names.map(async (name) => [name.slice(0, -4), await readFile(path.join(folder, name), "utf8")]),
  );
  await writeFile(path.join(dist, "signatures.json"), JSON.stringify(Object.fromEntries(entries)));
}

async function removeStale(keep) {
  for (const name of await readdir(dist)) {
    if (!keep.has(name)) await rm(path.join(dist, name), { recursive: true });
  }
}

/** Sizes of what was built, largest first. */
async function sizes(names) {
  const all = await Promise.all(
    names.map(async (name) => ({ name, kb: Math.ceil((await stat(path.join(dist, name))).size / 1024) })),
  );
  return all.sort((a, b) => b.kb - a.kb).map(({ name, kb }) => `${name} ${kb} KB`);
}

/**
 * Builds once.
 * @param {{ dev?: boolean, strict?: boolean, log?: (line: string) => void }} options
 * @throws when a bundle fails or, if strict, when an entry is missing
 */
export async function buildAll({ dev = false, strict = false, log = console.log } = {}) {
  await Promise.all([mkdir(dist, { recursive: true }), mkdir(meta, { recursive: true })]);
  await runGenerators();
  const present = bundles.filter(({ entry }) => existsSync(path.join(root, entry)));
  const missing = bundles.filter((bundle) => !present.includes(bundle) && bundle.optional !== true);
  if (missing.length > 0) {
    const line = `No entry for ${missing.map(({ out, entry }) => `${out} (${entry})`).join(", ")}.`;
    if (strict) throw new Error(line);
    log(line);
  }
  const metafiles = [];
  const files = [];
  for (const bundle of present) {
    const { metafile } = await build(await optionsFor(bundle, dev));
    metafiles.push(metafile);
    files.push(...Object.keys(metafile.outputs).map((file) => path.basename(file)));
    await writeFile(path.join(meta, `${bundle.out}.json`), JSON.stringify(metafile));
  }
  await copyWasm(dist);
  await packCharts();
  await writeTypes(dist);
  await writeFile(path.join(dist, "THIRD_PARTY_NOTICES.txt"), await thirdPartyNotices(metafiles));
  if (existsSync(path.join(dist, "cli.cjs"))) await chmod(path.join(dist, "cli.cjs"), 0o755);
  const built = [
    ...files.filter((name) => !name.endsWith(".map")),
    "parquet_wasm_bg.wasm",
    "signatures.json",
    ...typeFiles,
    "THIRD_PARTY_NOTICES.txt",
  ];
  await removeStale(new Set([...built, ...(dev ? built.map((name) => `${name}.map`) : [])]));
  log(`dist: ${(await sizes(built)).join(", ")}`);
}

async function watchAll(dev) {
  await buildAll({ dev });
  for (const bundle of bundles) {
    if (!existsSync(path.join(root, bundle.entry))) continue;
    const watching = await context({ ...(await optionsFor(bundle, dev)), logLevel: "info" });
    await watching.watch();
  }
}

if (isMain(import.meta.url)) {
  const flags = new Set(process.argv.slice(2));
  const dev = flags.has("--dev");
  try {
    if (flags.has("--watch")) await watchAll(dev);
    else await buildAll({ dev, strict: flags.has("--strict") });
  } catch (error) {
    // esbuild has printed its own messages already.
    if (!Array.isArray(error?.errors)) console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
