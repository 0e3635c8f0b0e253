/**
 * `npm run bench -- [--rounds N] [--large] [--decoders] [--doctor] [--diff] [--page] [--append] [--samples] [--recorder] [--no-build]`: what opening and reading cost, beside rlprobe and the
 * physical limit (test/bench/README.md). Ends with code 1 when a target is missed.
 */
import { copyFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { buildAll } from "./build.mjs";
import { bundlePage, bundleParts } from "./lib/fixture-page.mjs";
import { root } from "./lib/paths.mjs";
import { rlprobePython } from "./lib/rlprobe.mjs";
import { ensureChromium } from "./workbench.mjs";

const bin = path.join(root, ".cache/bench/bin");
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    large: { type: "boolean", default: false },
    decoders: { type: "boolean", default: false },
    doctor: { type: "boolean", default: false },
    diff: { type: "boolean", default: false },
    page: { type: "boolean", default: false },
    append: { type: "boolean", default: false },
    samples: { type: "boolean", default: false },
    recorder: { type: "boolean", default: false },
    "no-build": { type: "boolean", default: false },
  },
});
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error("--rounds wants a whole number above 0");

/** Children are bundled as the shipped worker is: loading is part of what is measured. */
async function bundle(names, format, extension) {
  await build({
    absWorkingDir: root,
    entryPoints: names.map((name) => `test/bench/${name}.ts`),
    outdir: bin,
    outExtension: { ".js": extension },
    bundle: true,
    minify: true,
    platform: "node",
    target: "node20",
    format,
    external: ["playwright-core"],
    logLevel: "warning",
    logOverride: { "empty-import-meta": "silent" },
  });
}

/** What is measured in Chromium, with the page's own code and the shipped worker. */
async function pageOptions() {
  const [scripts, style] = await Promise.all([
    bundleParts("test/bench/page-entry.ts"),
    bundlePage("webview/page.css"),
  ]);
  const [chromium, python] = await Promise.all([ensureChromium(), rlprobePython()]);
  const makeRuns = path.join(root, "test/bench/make_runs.py");
  return { root, rounds, chromium, scripts, style: style.text, python, makeRuns };
}

/** The page alone. */
async function benchPage() {
  await bundle(["page"], "esm", ".mjs");
  const { pageBench } = await import(pathToFileURL(path.join(bin, "page.mjs")).href);
  return pageBench(await pageOptions());
}

/** A run that grows, alone. */
async function benchAppend() {
  await bundle(["append-story"], "cjs", ".cjs");
  await bundle(["append"], "esm", ".mjs");
  const { appendBench } = await import(pathToFileURL(path.join(bin, "append.mjs")).href);
  return appendBench(await pageOptions());
}

/** Comparing two long runs, alone. */
async function benchDiff() {
  await bundle(["diff"], "esm", ".mjs");
  const { diffBench } = await import(pathToFileURL(path.join(bin, "diff.mjs")).href);
  const makeRuns = path.join(root, "test/bench/make_runs.py");
  return diffBench({ root, rounds, python: await rlprobePython(), makeRuns });
}

/** 800,000 samples, alone. */
async function benchSamples() {
  await bundle(["samples"], "cjs", ".cjs");
  await bundle(["sample-bench"], "esm", ".mjs");
  const { sampleBench } = await import(pathToFileURL(path.join(bin, "sample-bench.mjs")).href);
  return sampleBench({ root, rounds, python: await rlprobePython() });
}

/** Recording, alone. */
async function benchRecorder() {
  await bundle(["recorder-story", "recorder-replay", "recorder-thread"], "cjs", ".cjs");
  await bundle(["recorder"], "esm", ".mjs");
  const wasm = "parquet_wasm_bg.wasm";
  await copyFile(path.join(root, "node_modules/parquet-wasm/esm", wasm), path.join(bin, wasm));
  const { recorderBench } = await import(pathToFileURL(path.join(bin, "recorder.mjs")).href);
  const makeRuns = path.join(root, "test/bench/make_runs.py");
  return recorderBench({ root, rounds, python: await rlprobePython(), makeRuns });
}

if (!values["no-build"]) await buildAll();
if (values.diff) process.exit((await benchDiff()) ? 0 : 1);
if (values.samples) process.exit((await benchSamples()) ? 0 : 1);
if (values.append) process.exit((await benchAppend()) ? 0 : 1);
if (values.recorder) process.exit((await benchRecorder()) ? 0 : 1);
if (values.page) process.exit((await benchPage()) ? 0 : 1);
await bundle(["measure", "decoders", "floor", "activation"], "cjs", ".cjs");
await bundle(["main"], "esm", ".mjs");
const { bench } = await import(pathToFileURL(path.join(bin, "main.mjs")).href);
const { large, decoders, doctor } = values;
const python = await rlprobePython();
if (!(await bench({ root, rounds, large, decoders, doctor, python }))) process.exitCode = 1;
