/**
 * The real VS Code for running and testing: npm's `code-server` (the same workbench and extension host, in a browser)
 * with the Node it needs, installed once into `.workbench/`.
 */
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { root } from "./paths.mjs";
import { must, run, since } from "./run.mjs";
import { ensureTools } from "./tools.mjs";

/** Raised when the steps below change: what an older recipe installed is then made anew. */
const RECIPE = 1;

/** VS Code 1.139: what users have. */
export const CURRENT = "4.139.1";
/** VS Code 1.100: the oldest that package.json's `engines.vscode` admits. */
export const FLOOR = "4.100.3";

/**
 * node: the Node that runs it. natives: modules without a prebuilt binary whose absence the extension host or its log would notice;
 * left out are sqlite3 (only the AI agents' host opens it), fs-copyfile (macOS only) and the terminal's node-pty on the floor version.
 */
const recipes = {
  [CURRENT]: { node: "24", natives: ["@vscode/spdlog", "@vscode/native-watchdog"], extras: [] },
  [FLOOR]: {
    node: "20",
    natives: ["@vscode/spdlog", "native-watchdog"],
    extras: [`@vscode/ripgrep-${process.platform}-${process.arch}@1.18.0`],
  },
};

export const home = path.join(root, ".workbench");
const npmQuiet = ["--no-audit", "--no-fund", "--loglevel=error"];
const install = (...packages) => ["install", "--ignore-scripts", ...npmQuiet, ...packages];

async function exists(file) {
  return stat(file).then(
    () => true,
    () => false,
  );
}

async function complete(folder) {
  try {
    return JSON.parse(await readFile(path.join(folder, "complete.json"), "utf8")).recipe === RECIPE;
  } catch {
    return false;
  }
}

/** A package manager that outlived its caller may still write there for a moment. */
const remove = (folder) => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });

/** What an install that never ended left behind. The name holds the pid of who made it. */
async function removeLeftovers() {
  for (const name of await readdir(home)) {
    const pid = /\.partial-(\d+)-/.exec(name)?.[1];
    if (pid === undefined) continue;
    try {
      process.kill(Number(pid), 0);
    } catch {
      await remove(path.join(home, name));
    }
  }
}

/**
 * Fills a folder beside the final one and renames it when it is whole: a broken install is never taken for one,
 * and two callers at once do not meet.
 */
async function once(name, fill) {
  const folder = path.join(home, name);
  if (await complete(folder)) return { folder, fresh: false };
  await mkdir(home, { recursive: true });
  await removeLeftovers();
  const from = performance.now();
  const partial = await mkdtemp(path.join(home, `${name}.partial-${process.pid}-`));
  try {
    await writeFile(path.join(partial, "package.json"), '{ "private": true }\n');
    await fill(partial);
    await writeFile(path.join(partial, "complete.json"), `${JSON.stringify({ recipe: RECIPE, name })}\n`);
    if (!(await complete(folder))) {
      await remove(folder);
      await rename(partial, folder);
    }
  } finally {
    await remove(partial);
  }
  const size = await megabytes(folder);
  console.log(`Workbench: ${name} installed in ${since(from)}${size === "" ? "" : `, ${size} MB`}.`);
  return { folder, fresh: true };
}

async function megabytes(folder) {
  const { code, output } = await run("du", ["-sk", folder]);
  return code === 0 ? Math.round(Number.parseInt(output, 10) / 1024).toString() : "";
}

/** A Node of this major version with its headers: this one if it fits, else npm's. @returns {{ bin: string, headers: string }} */
async function ensureNode(major) {
  const own = path.dirname(path.dirname(process.execPath));
  const version = `v${major}.`;
  if (process.version.startsWith(version) && (await exists(path.join(own, "include/node/node_api.h")))) {
    return { bin: process.execPath, headers: own };
  }
  const platform = process.platform === "win32" ? "win" : process.platform;
  const name = `node-${platform}-${process.arch}`;
  const { folder } = await once(`node-${major}`, (into) =>
    must("npm", install(`${name}@${major}`), { cwd: into }),
  );
  const headers = path.join(folder, "node_modules", name);
  return { bin: path.join(headers, "bin/node"), headers };
}

async function buildNatives(vscode, natives, node) {
  const env = {
    ...process.env,
    PATH: `${path.dirname(node.bin)}${path.delimiter}${process.env.PATH}`,
    JOBS: "max",
    // A log writer for tests need not be fast; it builds in a third of the time.
    CXXFLAGS: "-O0",
  };
  await must("npm", ["rebuild", ...natives, `--nodedir=${node.headers}`, ...npmQuiet], { cwd: vscode, env });
  for (const name of natives) {
    const release = path.join(vscode, "node_modules", name, "build/Release");
    if (!(await exists(release))) throw new Error(`${name} was not built: no ${release}`);
  }
}

/** What the floor's packages would have fetched from elsewhere: ripgrep's binary, and argon2 (for passwords; none are used). */
async function mendFloor(into, codeServer) {
  const binary = process.platform === "win32" ? "rg.exe" : "rg";
  const ripgrep = `node_modules/@vscode/ripgrep-${process.platform}-${process.arch}`;
  await cp(
    path.join(into, ripgrep, "bin", binary),
    path.join(codeServer, "lib/vscode/node_modules/@vscode/ripgrep/bin", binary),
  );
  for (const modules of [path.join(into, "node_modules"), path.join(codeServer, "node_modules")]) {
    const argon2 = path.join(modules, "argon2/argon2.js");
    if (await exists(argon2)) await writeFile(argon2, "module.exports = {};\n");
  }
}

async function fillWorkbench(into, version, node) {
  const { natives, extras } = recipes[version];
  await must("npm", install(`code-server@${version}`, ...extras), { cwd: into });
  const codeServer = path.join(into, "node_modules/code-server");
  const vscode = path.join(codeServer, "lib/vscode");
  await must("npm", install("--omit=dev"), { cwd: vscode });
  await buildNatives(vscode, natives, await node);
  if (version === FLOOR) await mendFloor(into, codeServer);
}

/**
 * Installs a workbench unless it is there already.
 * @param {{ version?: string }} options `CURRENT` unless given
 * @returns {Promise<{ version: string, node: string, entry: string }>} the program, and the Node that runs it
 */
export async function ensureWorkbench({ version = CURRENT } = {}) {
  const recipe = recipes[version];
  if (recipe === undefined) throw new Error(`No recipe for code-server ${version}.`);
  const node = ensureNode(recipe.node);
  const name = `code-server-${version}`;
  const [{ folder }, { bin }] = await Promise.all([
    once(name, async (into) => {
      console.log(`Workbench: installing code-server ${version} into .workbench/ (about a minute, once) …`);
      await ensureTools("g++", "make", "python3");
      await fillWorkbench(into, version, node);
    }),
    node,
  ]);
  return { version, node: bin, entry: path.join(folder, "node_modules/code-server/out/node/entry.js") };
}
