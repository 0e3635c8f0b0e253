/** The recordings that are measured: made once, kept in the cache folder. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { writePlain } from "./plain.ts";
import { folderOf, type RunSpec } from "./stories.ts";

/**
 * @param python an interpreter that has rlprobe, or null
 * @param script path of make_runs.py
 * @returns the run's folder by its name
 * @throws when the generator fails
 */
export function makeRuns(
  specs: readonly RunSpec[],
  cache: string,
  python: string | null,
  script: string,
): ReadonlyMap<string, string> {
  // The two kinds of data are not to be mixed up: each has a folder.
  const home = path.join(cache, python ? "rlprobe" : "plain");
  fs.mkdirSync(home, { recursive: true });
  const folders = new Map(specs.map((s) => [s.name, path.join(home, folderOf(s.name))]));
  const missing = specs.filter((s) => !fs.existsSync(folders.get(s.name) ?? ""));
  if (missing.length === 0) return folders;
  process.stderr.write(`Writing ${missing.length} recordings to ${path.relative(process.cwd(), home)} …\n`);
  if (python) {
    const named = missing.map((s) => ({ ...s, folder: folderOf(s.name) }));
    const { status } = spawnSync(python, [script, JSON.stringify(named), home], { stdio: "inherit" });
    if (status !== 0) throw new Error("rlprobe's generator failed");
  } else
    for (const spec of missing) {
      const folder = folders.get(spec.name) ?? "";
      fs.rmSync(`${folder}.partial`, { recursive: true, force: true });
      writePlain(spec, `${folder}.partial`);
      fs.renameSync(`${folder}.partial`, folder);
    }
  return folders;
}
