/**
 * Packs dist/ and media/ into flight-deck-<version>.vsix and checks it: the exact list of files (test/package-files.txt; `--update` writes it),
 * its size, and that nothing in it tells of the machine that built it.
 */
import { existsSync } from "node:fs";
import { cp, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { isMain, root } from "./lib/paths.mjs";
import { must } from "./lib/run.mjs";
import { readZip } from "./lib/zip.mjs";

const golden = path.join(root, "test/package-files.txt");
const maxBytes = 4 * 1024 * 1024;
const maxFiles = 60;

/** Where the packaged extension lies. @returns {Promise<string>} */
export async function vsixPath() {
  const { name, version } = JSON.parse(await readFile(path.join(root, "package.json"), "utf8"));
  return path.join(root, `${name}-${version}.vsix`);
}

/** What can ship; .vscodeignore chooses from it. */
const shippable = [
  "package.json",
  "README.md",
  "CHANGELOG.md",
  "LICENSE",
  ".vscodeignore",
  "dist",
  "language",
  "l10n",
  "package.nls.json",
  "package.nls.de.json",
  "media",
  "skills",
];

/** vsce walks all that lies around, the fetched workbench too, which takes half a minute: it is given a copy of what matters. */
async function stage() {
  const folder = path.join(root, ".cache/package");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const name of shippable) {
    const from = path.join(root, name);
    if (existsSync(from)) await cp(from, path.join(folder, name), { recursive: true });
  }
  return folder;
}

/** Packs what was built. @returns {Promise<string>} the file's path */
export async function packageExtension() {
  const packagePath = await vsixPath();
  const vsce = path.join(root, "node_modules/@vscode/vsce/vsce");
  const options = ["--no-dependencies", "--allow-missing-repository", "--no-rewrite-relative-links"];
  const cwd = await stage();
  await must(process.execPath, [vsce, "package", ...options, "--out", packagePath], { cwd });
  return packagePath;
}

/**
 * @param {readonly string[]} names what is in a package
 * @param {string} list the file that says what has to be
 */
export async function fileListProblems(names, list) {
  const expected = (await readFile(list, "utf8").catch(() => "")).split("\n").filter(Boolean);
  const told = path.relative(root, list);
  const wanted = new Set(expected);
  const present = new Set(names);
  return [
    ...names.filter((name) => !wanted.has(name)).map((name) => `not in ${told}: ${name}`),
    ...expected.filter((name) => !present.has(name)).map((name) => `missing from the package: ${name}`),
  ];
}

/** Places of the building machine that a bundle could have caught. The home folder of upstream's binaries is not ours. */
function machinePaths(name) {
  const home = homedir();
  const places = [root, ...(name.endsWith(".wasm") || home.length < 5 ? [] : [home])];
  return places.flatMap((place) => [`${place}/`, `${place.replaceAll("\\", "\\\\")}\\\\`]);
}

/** @param {{ name: string, bytes: Buffer }} file */
export function contentProblems({ name, bytes }) {
  const text = bytes.toString("latin1");
  const problems = machinePaths(name)
    .filter((place) => text.includes(place))
    .map((place) => `${name} holds a path of this machine (${place})`);
  if (name.endsWith(".map") || /\/[/*][#@] sourceMappingURL=/.test(text))
    problems.push(`${name}: a source map`);
  return problems;
}

/**
 * What is wrong with a packaged extension.
 * @param {string} vsix
 * @param {{ update?: boolean }} options `update` writes the list of files anew
 * @returns {Promise<{ problems: string[], files: number, bytes: number }>}
 */
export async function checkPackage(vsix, { update = false } = {}) {
  const { size } = await stat(vsix);
  const entries = readZip(await readFile(vsix));
  // Names of shared parts change with their contents.
  const names = entries.map(({ name }) => name.replace(/-[0-9A-Z]{8}\.js$/, "-*.js")).sort();
  if (update) await writeFile(golden, `${names.join("\n")}\n`);
  const problems = [...(await fileListProblems(names, golden)), ...entries.flatMap(contentProblems)];
  if (size > maxBytes) problems.push(`${size} bytes, more than ${maxBytes}`);
  // Two more are the archive's own.
  const own = names.filter((name) => name.startsWith("extension/")).length;
  if (own >= maxFiles) problems.push(`${own} files, not fewer than ${maxFiles}`);
  return { problems, files: names.length, bytes: size };
}

if (isMain(import.meta.url)) {
  const vsix = await packageExtension();
  const update = process.argv.includes("--update");
  const { problems, files, bytes } = await checkPackage(vsix, { update });
  for (const problem of problems) console.error(problem);
  console.log(`${path.basename(vsix)}: ${files} files, ${Math.ceil(bytes / 1024)} KB`);
  if (problems.length > 0) process.exitCode = 1;
}
