/** The project's own packages: installed when they are missing or not those of package-lock.json. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { root } from "./paths.mjs";
import { must, since } from "./run.mjs";

async function packagesOf(file) {
  try {
    return JSON.parse(await readFile(path.join(root, file), "utf8")).packages ?? {};
  } catch {
    return undefined;
  }
}

/** Whether node_modules holds what package-lock.json names. A package for another system may be absent. */
export async function packagesAreCurrent() {
  const wanted = await packagesOf("package-lock.json");
  const present = await packagesOf("node_modules/.package-lock.json");
  if (wanted === undefined || present === undefined) return false;
  return Object.entries(wanted).every(([where, entry]) => {
    if (where === "" || entry.link === true) return true;
    const there = present[where];
    return there === undefined ? entry.optional === true : there.version === entry.version;
  });
}

/** Runs `npm ci` if it is needed. */
export async function ensurePackages() {
  if (await packagesAreCurrent()) return;
  const from = performance.now();
  console.log("Installing packages (npm ci) …");
  await must("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
  console.log(`Packages installed in ${since(from)}.`);
}
