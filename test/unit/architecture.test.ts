/** A deliberate wrong import fails the lint: the real rules, run over a small tree of the same shape. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { cruise, type ICruiseOptions, type ICruiseResult, type IFlattenedRuleSet } from "dependency-cruiser";
import { afterAll, beforeAll, expect, test } from "vitest";

const repository = path.resolve(import.meta.dirname, "../..");
const config = createRequire(import.meta.url)("../../.dependency-cruiser.cjs") as {
  readonly forbidden: NonNullable<IFlattenedRuleSet["forbidden"]>;
  readonly options: ICruiseOptions;
};

/** [rule that must object, the file, what it imports] */
const wrong: readonly (readonly [rule: string, file: string, imported: string])[] = [
  ["core", "src/core/chart/to-host.ts", "../../host/target.ts"],
  ["core", "src/core/doctor/to-view.ts", "../../view/target.ts"],
  ["core-format", "src/core/format/to-reader.ts", "../reader/target.ts"],
  ["core-stats", "src/core/stats/to-run.ts", "../run/target.ts"],
  ["core-run", "src/core/run/to-reader.ts", "../reader/target.ts"],
  ["protocol", "src/protocol/to-core.ts", "../core/run/target.ts"],
  ["view", "src/view/to-host.ts", "../host/target.ts"],
  ["recorder", "src/recorder/to-view.ts", "../view/target.ts"],
  ["core-recorder", "src/core/recorder/to-synth.ts", "../synth/target.ts"],
  ["core-without-node", "src/core/recorder/to-node.ts", "node:fs"],
  ["cli", "src/cli/to-host.ts", "../host/target.ts"],
  ["worker", "src/worker/to-host.ts", "../host/target.ts"],
  ["host", "src/host/to-worker.ts", "../worker/target.ts"],
  ["webview", "webview/to-core.ts", "../src/core/run/target.ts"],
  ["nothing-imports-tests", "src/view/to-test.ts", "../../test/target.ts"],
  ["no-circular", "src/view/round-a.ts", "./round-b.ts"],
  ["vscode-in-host", "src/core/io/to-vscode.ts", "vscode"],
  ["vscode-in-host", "src/worker/to-vscode.ts", "vscode"],
  ["parquet-in-reader", "src/host/to-parquet.ts", "parquet-wasm"],
  ["parquet-in-reader", "src/core/recorder/to-arrow.ts", "apache-arrow"],
  ["parquet-in-reader", "webview/to-arrow.ts", "apache-arrow"],
  ["toolkit-in-seam", "webview/panels/to-toolkit.ts", "@vscode/webview-ui-toolkit"],
  ["toolkit-in-seam", "webview/panels/to-elements.ts", "@vscode-elements/elements"],
  ["vega-in-charts", "webview/panels/to-vega.ts", "vega"],
  ["core-without-node", "src/core/reader/to-node.ts", "node:fs"],
  ["page-without-node", "webview/to-node.ts", "node:path"],
  ["core-libraries", "src/core/run/to-library.ts", "lit"],
];

/** Imports that are right: the rules must leave them alone. */
const right: readonly (readonly [file: string, imported: string])[] = [
  ["src/core/reader/fine.ts", "../format/target.ts"],
  ["src/core/reader/fine-parquet.ts", "parquet-wasm"],
  ["src/core/recorder/encode.ts", "parquet-wasm"],
  ["src/recorder/fine.ts", "../core/run/target.ts"],
  ["src/view/fine.ts", "../core/run/target.ts"],
  ["src/host/fine.ts", "../protocol/target.ts"],
  ["src/host/fine-vscode.ts", "vscode"],
  ["src/host/fine-node.ts", "node:fs"],
  ["webview/fine.ts", "../src/protocol/target.ts"],
  ["webview/ui/fine.ts", "@vscode/webview-ui-toolkit"],
  ["webview/charts/fine.ts", "vega"],
];

let tree: string;
let found: readonly string[];

async function write(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(tree, file)), { recursive: true });
  await writeFile(path.join(tree, file), text);
}

const importing = (imported: string): string =>
  `import * as it from ${JSON.stringify(imported)};\nexport const used = it;\n`;

async function plant(): Promise<void> {
  const targets = [
    "src/core/reader",
    "src/core/run",
    "src/core/format",
    "src/core/synth",
    "src/host",
    "src/view",
    "src/worker",
  ];
  for (const folder of [...targets, "src/protocol", "test"]) {
    await write(`${folder}/target.ts`, "export const value = 1;\n");
  }
  for (const [, file, imported] of wrong) await write(file, importing(imported));
  for (const [file, imported] of right) await write(file, importing(imported));
  await write("src/view/round-b.ts", importing("./round-a.ts"));
  await symlink(path.join(repository, "node_modules"), path.join(tree, "node_modules"));
}

beforeAll(async () => {
  tree = await mkdtemp(path.join(tmpdir(), "fd-imports-"));
  await plant();
  const { tsConfig: _, ...options } = config.options;
  const { output } = await cruise(["src", "webview"], {
    ...options,
    baseDir: tree,
    ruleSet: { forbidden: config.forbidden },
    validate: true,
  });
  found = (output as ICruiseResult).summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`);
});
afterAll(() => rm(tree, { recursive: true, force: true }));

test.each(wrong)("%s objects to %s importing %s", (rule, file) => {
  expect(found).toContain(`${rule}: ${file}`);
});

test.each(right)("%s may import %s", (file) => {
  expect(found.filter((violation) => violation.endsWith(`: ${file}`))).toEqual([]);
});
