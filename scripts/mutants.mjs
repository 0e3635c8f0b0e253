/**
 * `npm run mutants -- [PART …] [--only TEXT] [--survivors]`: changes the code of src/core in one place at a time, and looks whether a
 * test notices (docs/reliability.md). PART is a key of {@link PARTS}; all without one. `--only` takes the files whose path holds TEXT,
 * `--survivors` lists the changes that no test noticed.
 * File by file, one change at a time, at the lowest priority: it can be ended at any moment and goes on where it was, and what was
 * tried of code and tests that are as they were is not tried again. The tool is fetched with the first use, apart from the project's
 * own packages.
 */
import { createHash } from "node:crypto";
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { root } from "./lib/paths.mjs";
import { must, run, since } from "./lib/run.mjs";

/** What is changed, and the tests that should notice: those that take seconds. */
const PARTS = {
  doctor: {
    code: ["src/core/doctor", "src/core/stats"],
    tests: ["test/unit/doctor/**/*.test.ts", "test/unit/stats/**/*.test.ts"],
  },
  compare: {
    code: ["src/core/compare"],
    tests: ["test/unit/compare/**/*.test.ts"],
  },
  reader: {
    code: ["src/core/reader", "src/core/run"],
    tests: ["test/unit/reader/**/*.test.ts", "test/unit/run/**/*.test.ts"],
  },
};

/** Words and names; what is computed once while a module loads, where every test would have to run again. */
const LEFT_OUT = { mutator: { excludedMutations: ["StringLiteral"] }, ignoreStatic: true };

/** What a test of src/core never reads. */
const NOT_COPIED = [
  ...[".cache", ".workbench", ".ci", "docs", "dist", "media", "test-results", "*.vsix"],
  ...["test/workbench", "test/bench", "test/reliability"],
];

const home = path.join(root, ".cache/mutants");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: "string", default: "" }, survivors: { type: "boolean", default: false } },
});
const unknown = positionals.find((name) => !Object.hasOwn(PARTS, name));
if (unknown !== undefined)
  throw new Error(`There is no part “${unknown}”: ${Object.keys(PARTS).join(", ")}.`);

/** Puts the versions of scripts/mutants/package-lock.json beside what is kept; a second time nothing is done. */
async function ensureTool() {
  const lock = path.join(root, "scripts/mutants/package-lock.json");
  const there = await readFile(path.join(home, "package-lock.json"), "utf8").catch(() => "");
  if (there === (await readFile(lock, "utf8"))) return;
  console.log("Installing the tool (npm ci) …");
  await mkdir(home, { recursive: true });
  await copyFile(path.join(root, "scripts/mutants/package.json"), path.join(home, "package.json"));
  await rm(path.join(home, "package-lock.json"), { force: true });
  await copyFile(lock, path.join(home, "package-lock.json"));
  // The project's own vitest is the one that runs: found in the folder above.
  const flags = ["--legacy-peer-deps", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  await must("npm", ["ci", ...flags], { cwd: home }).catch(async (error) => {
    await rm(path.join(home, "package-lock.json"), { force: true });
    throw error;
  });
}

/** Files below a folder whose names end so, with "/" between parts, from the root on. */
async function filesBelow(folder, end) {
  const names = await readdir(path.join(root, folder), { recursive: true });
  return names
    .filter((name) => name.endsWith(end))
    .map((name) => `${folder}/${name.split(path.sep).join("/")}`)
    .sort();
}

/** Changes with any file of src/core and with any test of the part. */
async function stampOf(part) {
  const tests = PARTS[part].tests.map((pattern) => pattern.replace(/\/\*\*\/.*$/, ""));
  const hash = createHash("sha256");
  const files = await Promise.all(
    ["src/core", ...tests].map((place) => (place.endsWith(".ts") ? [place] : filesBelow(place, ".ts"))),
  );
  for (const file of files.flat()) hash.update(file).update(await readFile(path.join(root, file)));
  return hash.digest("hex");
}

/** @returns the tool's report of one file, `null` when it has no place to be changed */
async function tryFile(part, file, stamp) {
  const kept = path.join(home, "kept", part, file.replaceAll("/", "+"));
  const known = await readFile(`${kept}.json`, "utf8").catch(() => null);
  if (known !== null && JSON.parse(known).stamp === stamp) return JSON.parse(known).report;
  await mkdir(path.dirname(kept), { recursive: true });
  const config = {
    ...LEFT_OUT,
    mutate: [file],
    testRunner: "vitest",
    plugins: [path.join(home, "node_modules/@stryker-mutator/vitest-runner/dist/src/index.js")],
    vitest: { configFile: "scripts/mutants/vitest.config.mjs", related: false },
    ignorePatterns: NOT_COPIED,
    tempDirName: ".cache/mutants/sandbox",
    tsconfigFile: "none",
    coverageAnalysis: "perTest",
    concurrency: 1,
    timeoutMS: 20_000,
    timeoutFactor: 4,
    incremental: true,
    incrementalFile: `${kept}.incremental.json`,
    reporters: ["json"],
    jsonReporter: { fileName: `${kept}.report.json` },
  };
  await writeFile(`${kept}.config.json`, JSON.stringify(config));
  const tool = path.join(home, "node_modules/@stryker-mutator/core/bin/stryker.js");
  const env = { ...process.env, FLIGHT_DECK_MUTANT_TESTS: JSON.stringify(PARTS[part].tests), NO_COLOR: "1" };
  await rm(`${kept}.report.json`, { force: true });
  const { output } = await run(process.execPath, [tool, "run", `${kept}.config.json`], { env });
  const written = await readFile(`${kept}.report.json`, "utf8").catch(() => null);
  const isEmpty = /with 0 mutant/.test(output);
  if (written === null && !isEmpty) throw new Error(`${file}: no report\n${output.slice(-3000)}`);
  const report = isEmpty ? null : JSON.parse(written).files[file];
  await writeFile(`${kept}.json`, JSON.stringify({ stamp, report }));
  return report;
}

const NOTICED = new Set(["Killed", "Timeout"]);
const MISSED = new Set(["Survived", "NoCoverage"]);

/** How many changes were noticed, ran without an end, were missed, or are in code that no test runs. */
function count(reports) {
  const all = reports.flatMap((report) => report?.mutants ?? []);
  const of = (status) => all.filter((mutant) => mutant.status === status).length;
  const noticed = all.filter(({ status }) => NOTICED.has(status)).length;
  const missed = all.filter(({ status }) => MISSED.has(status)).length;
  const score = noticed + missed === 0 ? "" : `${((100 * noticed) / (noticed + missed)).toFixed(1)} %`;
  return {
    mutants: noticed + missed,
    noticed,
    endless: of("Timeout"),
    survived: of("Survived"),
    unrun: of("NoCoverage"),
    score,
  };
}

function line(name, { mutants, noticed, survived, unrun, score }) {
  const cells = [mutants, noticed, survived, unrun].map((cell) => String(cell).padStart(6));
  return `${name.padEnd(46)}${cells.join("")}  ${score.padStart(7)}`;
}

function tellSurvivors(report) {
  const lines = report.source.split("\n");
  for (const { status, location, replacement, mutatorName } of report.mutants) {
    if (!MISSED.has(status)) continue;
    const { start, end } = location;
    const to = end.line === start.line ? end.column - 1 : undefined;
    const was = lines[start.line - 1].slice(start.column - 1, to);
    const mark = status === "Survived" ? "survived" : "not run";
    console.log(
      `  ${start.line}:${start.column} ${mark} ${mutatorName}: ${was}${to === undefined ? " …" : ""} → ${replacement.split("\n")[0]}`,
    );
  }
}

os.setPriority(os.constants.priority.PRIORITY_LOW);
const from = performance.now();
await ensureTool();
console.log(`${"".padEnd(46)}   all noticed survived not run  score`);
for (const part of positionals.length > 0 ? positionals : Object.keys(PARTS)) {
  const stamp = await stampOf(part);
  const files = (await Promise.all(PARTS[part].code.map((folder) => filesBelow(folder, ".ts")))).flat();
  const reports = [];
  for (const file of files.filter((name) => name.includes(values.only))) {
    const report = await tryFile(part, file, stamp);
    reports.push(report);
    console.log(line(file, count([report])));
    if (report && values.survivors) tellSurvivors(report);
  }
  console.log(line(part, count(reports)));
}
await rm(path.join(home, "sandbox"), { recursive: true, force: true });
console.log(since(from));
