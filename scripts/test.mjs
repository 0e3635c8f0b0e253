/**
 * All that CI runs, in one command: each part is named, none stops the others, and the last line counts them.
 * `--long` adds the long tests. Installs what is missing first; the second run installs nothing.
 */
import { mkdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { ensurePackages } from "./lib/install.mjs";
import { root } from "./lib/paths.mjs";
import { run, since } from "./lib/run.mjs";

const results = [];
/** Colours only on a terminal: the parts themselves write to a pipe. */
const colour = process.stdout.isTTY === true;
const reports = path.join(root, ".cache/test");
const cli = (name, file) => ["node", path.join(root, "node_modules", name, file)];
const biome = cli("@biomejs/biome", "bin/biome");
const depcruise = cli("dependency-cruiser", "bin/dependency-cruise.mjs");
const tsc = cli("typescript", "bin/tsc");
const vitest = cli("vitest", "vitest.mjs");

/** @param {string} name @param {() => Promise<{ passed: number, failed: number, note?: string, names?: string[] }>} work */
async function part(name, work) {
  const from = performance.now();
  console.log(`\n== ${name}`);
  let counts;
  try {
    counts = await work();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    counts = { passed: 0, failed: 1 };
  }
  results.push({ name, ...counts, took: since(from) });
}

function childEnvironment(more = {}) {
  return { ...process.env, ...(colour ? { FORCE_COLOR: "1" } : { NO_COLOR: "1" }), ...more };
}

/** A part that is one check: a program that has to end well. */
function check(name, [command, ...args]) {
  return part(name, async () => {
    const { code } = await run(command, args, { show: true, env: childEnvironment() });
    return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  });
}

/** A part that is one check: a function that has to return. */
function step(name, work) {
  return part(name, async () => {
    await work();
    return { passed: 1, failed: 0 };
  });
}

/** What vitest's report counts; a file that could not be loaded is a failure although none of its tests ran. */
function countReport(report) {
  const broken = report.testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.length === 0,
  );
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length };
}

/** @param {string[]} files all of the projects' when none is named */
async function vitestRun(name, projects, env, files = []) {
  const output = path.join(reports, `${projects.join("-")}${files.length > 0 ? "-again" : ""}.json`);
  await rm(output, { force: true });
  const chosen = projects.flatMap((project) => ["--project", project]);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${output}`];
  const [command, ...args] = [...vitest, "run", ...chosen, ...reporters, ...files];
  const { code } = await run(command, args, { show: true, env: childEnvironment(env) });
  const text = await readFile(output, "utf8").catch(() => undefined);
  if (text === undefined) throw new Error(`${name}: vitest wrote no report (code ${code}).`);
  const report = JSON.parse(text);
  const counts = countReport(report);
  if (counts.passed + counts.failed === 0) throw new Error(`${name}: no test ran.`);
  const failed = report.testResults
    .filter((file) => file.status === "failed")
    .map((file) => ({ file: path.relative(root, file.name), ...sorted(file.assertionResults) }));
  return {
    counts: {
      passed: counts.passed,
      // For example an error outside of any test.
      failed: code !== 0 ? Math.max(1, counts.failed) : counts.failed,
      names: failed.flatMap(({ file, names }) =>
        (names.length > 0 ? names : [""]).map((name) => `${file} ${name}`),
      ),
    },
    failed,
  };
}

const sorted = (tests) => ({
  passed: tests.filter(({ status }) => status === "passed").length,
  names: tests.filter(({ status }) => status === "failed").map(({ fullName }) => fullName),
});

/** Tests that drive a browser: on a machine that is busy with something else, one of them can be late. */
const IN_BROWSER = /^test\/(workbench|unit\/webview)\//;
/** Files of those that may be tried again: more of them is no mishap. */
const MAX_AGAIN = 3;

/** Where only a few files failed, and all of them drive a browser, they run once more, whole and by themselves; the summary names them. */
function tests(name, projects, env = {}) {
  return part(name, async () => {
    const first = await vitestRun(name, projects, env);
    const files = first.failed.map(({ file }) => file);
    const isAgain =
      files.length > 0 && files.length <= MAX_AGAIN && files.every((file) => IN_BROWSER.test(file));
    if (!isAgain) return first.counts;
    console.log(`\n== ${name}, once more: ${files.join(", ")}`);
    const second = await vitestRun(name, projects, env, files);
    const rest = first.failed.reduce((sum, { passed }) => sum - passed, first.counts.passed);
    return {
      ...second.counts,
      passed: rest + second.counts.passed,
      note: `tried again: ${files.join(", ")}`,
    };
  });
}

async function contractEnvironment() {
  const { rlprobePython } = await import("./lib/rlprobe.mjs");
  const python = await rlprobePython();
  if (python === null) {
    console.log(
      "No Python 3.10 or newer with rlprobe: contract tests compare with recorded expectations only, killed runs are read by us only.",
    );
    return {};
  }
  return { FLIGHT_DECK_RLPROBE_PYTHON: python };
}

async function dependencies() {
  const { checkDependencies } = await import("./lib/licences.mjs");
  const { problems, packages } = await checkDependencies();
  console.log(`${packages} packages inside the bundles`);
  if (problems.length > 0) throw new Error(problems.join("\n"));
}

async function packageAndCheck() {
  const { checkPackage, packageExtension } = await import("./package.mjs");
  const { problems, files, bytes } = await checkPackage(await packageExtension());
  console.log(`${files} files, ${Math.ceil(bytes / 1024)} KB`);
  if (problems.length > 0) throw new Error(problems.join("\n"));
}

/** Runs beside the first parts; what goes wrong is told where the workbench is needed. */
async function prepareWorkbench() {
  const { CURRENT, ensureChromium, ensureWorkbench, FLOOR } = await import("./workbench.mjs");
  const all = [ensureWorkbench({ version: CURRENT }), ensureWorkbench({ version: FLOOR }), ensureChromium()];
  const outcomes = await Promise.allSettled(all);
  return outcomes.flatMap(({ reason }) => (reason === undefined ? [] : [reason.message]));
}

/** Failed tests that the summary names for each part. */
const MAX_NAMED = 20;

function summary(long) {
  console.log(`\n== Summary${long ? " (with the long tests)" : ""}`);
  for (const { name, passed, failed, took, note, names = [] } of results) {
    const all = [took, note].filter(Boolean).join("; ");
    console.log(`${failed > 0 ? "FAILED" : "ok    "} ${name}: ${passed} passed, ${failed} failed (${all})`);
    for (const test of names.slice(0, MAX_NAMED)) console.log(`         ${test}`);
    if (names.length > MAX_NAMED) console.log(`         and ${names.length - MAX_NAMED} more`);
  }
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
}

async function main() {
  const long = process.argv.includes("--long");
  if (long) process.env.FLIGHT_DECK_LONG = "1";
  await part("packages", async () => {
    await ensurePackages();
    return { passed: 0, failed: 0 };
  });
  // Nothing below can run without them.
  if (results.some(({ failed }) => failed > 0)) return summary(long);
  await mkdir(reports, { recursive: true });
  const workbench = prepareWorkbench();
  await check("lint and format", [...biome, "ci", `--colors=${colour ? "force" : "off"}`]);
  await check("import directions", [...depcruise, "src", "webview", "scripts"]);
  await check("types", [...tsc, "-b"]);
  const { buildAll } = await import("./build.mjs");
  await step("build", () => buildAll({ strict: true }));
  await step("dependencies: licences, versions, install scripts", dependencies);
  const environment = await contractEnvironment();
  await tests("unit and contract tests", ["unit", "contract"], environment);
  await tests(
    long
      ? "all damaged and killed runs"
      : "damaged runs, a third of them; killed ones, a tenth; mutants, 500",
    ["reliability"],
    environment,
  );
  await step("package and its files", packageAndCheck);
  const { vsixPath } = await import("./package.mjs");
  await step("workbench set-up", async () => {
    const problems = await workbench;
    if (problems.length > 0) throw new Error(problems.join("\n"));
  });
  await tests("workbench tests", ["workbench"], { FLIGHT_DECK_VSIX: await vsixPath() });
  summary(long);
}

await main();
