/** The tools for language models in a real VS Code: offered, and answered through the worker. */
import { cp, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TOOLS } from "../../src/agents/tools.ts";
import { type Answered, ASK, askingExtension, type Question } from "./asking-extension.ts";
import { CURRENT, FLOOR, Workbench } from "./harness.ts";
import { until } from "./until.ts";

const recordings = path.resolve(import.meta.dirname, "../fixtures/oracle/trl/recordings");

const hack = { run: "grpo-length-hack" };
const QUESTIONS: readonly Question[] = [
  { name: "flightdeck_list_runs", input: {} },
  { name: "flightdeck_diagnose_run", input: hack },
  {
    name: "flightdeck_get_metric_window",
    input: { ...hack, metrics: ["reward_mean"], detail: "rows", limit: 3 },
  },
  { name: "flightdeck_get_samples", input: { ...hack, query: "step:1..50 sort:-reward", limit: 2 } },
  { name: "flightdeck_compare_runs", input: { baseline: "grpo-baseline", other: "grpo-length-hack" } },
  { name: "flightdeck_diagnose_run", input: { run: "/etc" } },
  { name: "flightdeck_diagnose_run", input: { ...hack, nothing: 1 } },
];

let root = "";
let folder = "";
let answers = "";
let vsix = "";

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), "fd-agents-"));
  folder = path.join(root, "runs");
  await mkdir(folder);
  for (const name of ["grpo-baseline", "grpo-length-hack"])
    await cp(path.join(recordings, name), path.join(folder, name), { recursive: true });
  answers = path.join(root, "answers.json");
  vsix = await askingExtension(QUESTIONS, answers, path.join(root, "asking"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function asked(version: string): Promise<Answered> {
  await rm(answers, { force: true });
  const workbench = await Workbench.open({ folder, version, beside: [vsix] });
  try {
    await workbench.runCommand(ASK);
    return await until(
      "the answers",
      async () => {
        const text = await readFile(answers, "utf8").catch(() => null);
        return text !== null && (JSON.parse(text) as Answered);
      },
      120,
    );
  } finally {
    await workbench.close();
  }
}

// biome-ignore lint/suspicious/noExplicitAny: an answer is data of many shapes
const said = (answer: Answered["answers"][number] | undefined): any => {
  if (!answer || "error" in answer) throw new Error(answer?.error ?? "no answer");
  return JSON.parse(answer.text);
};
const refused = (answer: Answered["answers"][number] | undefined): string =>
  answer && "error" in answer ? answer.error : "";

test.each([CURRENT, FLOOR])("%s: each tool is offered and answers", async (version) => {
  const { tools, answers: all, server } = await asked(version);
  const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
  expect([...tools].sort(byName)).toEqual(
    TOOLS.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })).sort(byName),
  );
  const [list, diagnosis, window, samples, comparison, outside, bad] = all;
  expect(said(list).runs.map((run: { untrusted: { path: string } }) => run.untrusted.path)).toEqual([
    "grpo-baseline",
    "grpo-length-hack",
  ]);
  const { findings, thresholds } = said(diagnosis);
  expect(findings.rows[0]).toMatchObject({
    signature_id: "REWARD_HACK_LENGTH",
    first_step: 25,
    knowable_from_step: 58,
  });
  expect(thresholds).toEqual({ from: "defaults" });
  expect(said(window).rows.rows.map(([step]: number[]) => step)).toEqual([1, 2, 3]);
  expect(said(samples).samples.rows[0].cite).toMatch(/^grpo-length-hack\/\d+\/0\/\w+$/);
  expect(said(comparison).first_divergence).toMatchObject({ metric: "kl_mean", baseline_step: 76 });
  expect(server).toEqual({ tools: TOOLS.map(({ name }) => name), code: 0, stderr: "" });
  expect(refused(outside)).toContain('"code":"outside"');
  expect(refused(bad)).toContain('Unrecognized key: \\"nothing\\"');
});
