/**
 * Packs the command line and the recorder into flight-deck-<version>.tgz, which npm installs without fetching anything, and checks it: the exact
 * list of files (test/npm-files.txt; `--update` writes it), its size, and that nothing in it tells of the machine that built it.
 */
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { buildForNode } from "./build.mjs";
import { isMain, root } from "./lib/paths.mjs";
import { must } from "./lib/run.mjs";
import { contentProblems, fileListProblems } from "./package.mjs";

const golden = path.join(root, "test/npm-files.txt");
const maxBytes = 2.5 * 1024 * 1024;

/** What is the same in both packages. */
const shared = ["name", "version", "license", "private", "keywords", "bin"];

/**
 * A manifest without the extension's half: nothing to fetch, since the bundles hold their libraries, and no entry that needs VS Code.
 * @returns {Promise<object>}
 */
async function manifest() {
  const all = JSON.parse(await readFile(path.join(root, "package.json"), "utf8"));
  const { ".": _extension, ...exports } = all.exports;
  return {
    ...Object.fromEntries(shared.map((key) => [key, all[key]])),
    description:
      "Records reinforcement-learning training runs and inspects the recordings: a command line and a recorder, without dependencies.",
    engines: { node: all.engines.node },
    exports,
  };
}

async function stage(folder) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await buildForNode(path.join(folder, "dist"));
  await writeFile(path.join(folder, "package.json"), `${JSON.stringify(await manifest(), null, 2)}\n`);
  for (const name of ["LICENSE", "CHANGELOG.md"])
    await copyFile(path.join(root, name), path.join(folder, name));
  await copyFile(path.join(root, "docs/npm.md"), path.join(folder, "README.md"));
}

/**
 * Builds and packs.
 * @param {{ to?: string, staged?: string, update?: boolean }} options folders for the package and for what goes into it; `update` writes the list of
 * files anew
 * @returns {Promise<{ file: string, names: string[], bytes: number, problems: string[] }>} `bytes` as packed
 */
export async function packForNode({
  to = root,
  staged = path.join(root, ".cache/npm"),
  update = false,
} = {}) {
  await stage(staged);
  const options = ["--json", "--ignore-scripts", "--loglevel", "error", "--pack-destination", to];
  const [packed] = JSON.parse(await must("npm", ["pack", ...options], { cwd: staged }));
  const names = packed.files.map((file) => file.path).sort();
  if (update) await writeFile(golden, `${names.join("\n")}\n`);
  const problems = await fileListProblems(names, golden);
  for (const name of names)
    problems.push(...contentProblems({ name, bytes: await readFile(path.join(staged, name)) }));
  if (packed.size > maxBytes) problems.push(`${packed.size} bytes, more than ${maxBytes}`);
  return { file: path.join(to, packed.filename), names, bytes: packed.size, problems };
}

if (isMain(import.meta.url)) {
  const update = process.argv.includes("--update");
  const { file, names, bytes, problems } = await packForNode({ update });
  for (const problem of problems) console.error(problem);
  console.log(`${path.basename(file)}: ${names.length} files, ${Math.ceil(bytes / 1024)} KB`);
  if (problems.length > 0) process.exitCode = 1;
}
