/** What ships inside the package, under which licences, and whether a user has to trust more than what is in the package. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { packageFolder } from "./notices.mjs";
import { root } from "./paths.mjs";

/** Each lets us ship under Apache-2.0 with a notice alone. Another one is a decision, not a line here. */
const ALLOWED = new Set([
  "0BSD",
  "Apache-2.0",
  "Apache-2.0 AND BSL-1.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
  "MIT OR Apache-2.0",
]);

const EXACT = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/;
/** Run by npm when a package is installed. */
const AT_INSTALL = ["preinstall", "install", "postinstall", "prepare"];

const json = async (file) => JSON.parse(await readFile(path.join(root, file), "utf8"));

/** What the last build put into the bundles. */
async function shippedFolders() {
  const meta = path.join(root, ".cache/meta");
  const files = (await readdir(meta)).filter((name) => name.endsWith(".json"));
  const all = await Promise.all(files.map((name) => json(path.join(".cache/meta", name))));
  const folders = new Set(all.flatMap(({ inputs }) => Object.keys(inputs).map(packageFolder)));
  folders.delete(undefined);
  return [...folders].sort();
}

/**
 * @param {{ name: string, version: string, license?: unknown }} manifest
 * @param {string} notices text of THIRD_PARTY_NOTICES.txt
 * @returns {string[]} what is wrong with a package that ships
 */
export function licenceProblems({ name, version, license }, notices) {
  const problems = [];
  if (!ALLOWED.has(license))
    problems.push(`${name} ${version}: licence ${license} is not among those allowed`);
  if (!notices.split("\n").includes(`${name} ${version} (${license})`))
    problems.push(`${name} ${version} is not in the notices`);
  return problems;
}

/** @returns {string[]} versions that are not exact, or not those of the lock file; packages that run something when they are installed */
export function pinProblems(manifest, lock) {
  const problems = [];
  for (const kind of ["dependencies", "devDependencies"])
    for (const [name, version] of Object.entries(manifest[kind] ?? {})) {
      const locked = lock.packages[`node_modules/${name}`]?.version;
      if (!EXACT.test(version)) problems.push(`${name}: ${version} is no exact version`);
      else if (locked !== version) problems.push(`${name}: ${version}, but ${locked} in package-lock.json`);
    }
  for (const name of AT_INSTALL)
    if (manifest.scripts?.[name]) problems.push(`package.json runs ${name} where it is installed`);
  for (const [place, entry] of Object.entries(lock.packages)) {
    if (place === "") continue;
    if (!entry.integrity && !entry.link) problems.push(`${place} has no hash in package-lock.json`);
    if (entry.hasInstallScript && !entry.dev) problems.push(`${place} runs something when it is installed`);
  }
  return problems;
}

/** After a build. @returns {Promise<{ problems: string[], packages: number }>} */
export async function checkDependencies() {
  const notices = await readFile(path.join(root, "dist/THIRD_PARTY_NOTICES.txt"), "utf8");
  const folders = await shippedFolders();
  const shipped = await Promise.all(folders.map((folder) => json(path.join(folder, "package.json"))));
  const problems = pinProblems(await json("package.json"), await json("package-lock.json"));
  for (const manifest of shipped) problems.push(...licenceProblems(manifest, notices));
  return { problems, packages: shipped.length };
}
