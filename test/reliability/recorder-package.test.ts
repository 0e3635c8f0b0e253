/** What a project sees that installs the package: types that need nothing else, and the example of the readme. */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventsIn, openFolder, Project, stepsIn } from "./recorder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const project = new Project();
beforeAll(() => project.install());
afterAll(() => project.remove());

/** What the compiler says of a file of the project. */
function problems(name: string, text: string, options: ts.CompilerOptions): readonly string[] {
  project.write(name, text);
  const program = ts.createProgram([path.join(project.folder, name)], {
    strict: true,
    noEmit: true,
    // Nothing that happens to lie around: neither Node's types nor VS Code's.
    types: [],
    lib: ["lib.es2023.d.ts"],
    target: ts.ScriptTarget.ES2023,
    exactOptionalPropertyTypes: true,
    ...options,
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

const NODE: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
};
const BUNDLER: ts.CompilerOptions = {
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
};

const good = `import { type RecorderOptions, Recorder, type SampleInput, type Halt } from "flight-deck/recorder";
const options: RecorderOptions = { algorithm: "grpo", haltPolicy: { shouldHalt: (step, { kl_mean }) => Number(kl_mean) > 9 && \`at \${step}\` } };
const rec = new Recorder("run", options);
const samples: SampleInput[] = [{ prompt_text: "p", reward_total: 1, completion_token_ids: [1] }];
rec.logStep(1, { reward_mean: 0.5, kl_positional: [1, 2], reward_components: { a: 1 }, mine: 2n, none: null });
rec.logSamples(1n, samples, { select: false });
rec.logEvent("checkpoint", { step: 1, data: { path: "x" } });
export const halted: Halt | null = rec.halted;
export const all: Promise<void> = rec.close();
`;

it("its types are known to whoever imports or requires it, with nothing else installed", () => {
  expect(problems("good.mts", good, NODE)).toEqual([]);
  expect(problems("good.cts", good.replace(/export const/g, "const"), NODE)).toEqual([]);
  expect(problems("bundled.ts", good, BUNDLER)).toEqual([]);
});

it("its types object to what would be a bad record", () => {
  const bad = `import { Recorder } from "flight-deck/recorder";
const rec = new Recorder("run", { rank: "0" });
rec.logStep(1, { reward_mean: "high" });
rec.logStep("1", {});
rec.logSamples(1, [{ prompt_text: 5 }]);
rec.log();
`;
  expect(problems("bad.mts", bad, NODE)).toHaveLength(5);
});

it("the readme's example runs and records", async () => {
  const readme = fs.readFileSync(path.join(root, "README.md"), "utf8");
  const section = readme.split(/^## /m).find((text) => text.startsWith("Record a run")) ?? "";
  const example = /```js\n(.*?)```/s.exec(section)?.[1] ?? "";
  expect(example).toContain("flight-deck/recorder");
  const dir = path.join(project.folder, "runs/my-run");
  const { code, err } = await project.start(example, { name: "example.mjs" }).ended;
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect((await stepsIn(dir)).length).toBeGreaterThanOrEqual(100);
  const model = await openFolder(dir);
  expect(model.warnings()).toEqual([]);
  expect((await model.samples.counts()).total).toBeGreaterThan(0);
  expect(eventsIn(dir).map(({ kind }) => kind)).toContain("train_end");
  expect(model.lifecycle(Date.now()).state).toBe("finished");
});
