/**
 * What is shown speaks VS Code's language, and what leaves VS Code speaks English, asked in one process at one time. The language is made
 * up: every sentence of the bundle stands in marks. It is known before anything else is loaded, as in the worker.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { collect } from "../../../scripts/l10n.mjs";

const l10n = await import("../../../src/protocol/l10n.ts");
const { bundle } = await collect();
l10n.speak(Object.fromEntries(Object.entries(bundle).map(([key, message]) => [key, `‹${message}›`])));
l10n.asideBy(new AsyncLocalStorage());

const { nodeSource, openRun } = await import("../../../src/core/index.ts");
const { createClient, createServer } = await import("../../../src/protocol/rpc.ts");
const { workerContract } = await import("../../../src/protocol/worker.ts");
const { workerHandlers } = await import("../../../src/worker/runs.ts");
const { problemOfError } = await import("../../../src/view/problems.ts");
const { cloneChannel } = await import("../protocol/channels.ts");
const { ask, ORACLE, sourceOver } = await import("../agents/source.ts");

afterAll(() => l10n.speak(undefined));

const MARKS = /[‹›]/;
/** What of a text is in the language: a whole report would be much to read where the test fails. */
const marked = (text: string): string[] => text.match(/‹[^‹›]*›?/g) ?? [];
const SYNTHETIC = path.join(ORACLE, "synthetic/recordings");
const TRL = path.join(ORACLE, "trl/recordings");

function worker() {
  const { near, far } = cloneChannel();
  const handlers = workerHandlers({
    open: (dir) => openRun(nodeSource(dir)),
    find: async () => ({ runs: [], folders: 0, cuts: [] }),
    label: (dir) => path.basename(dir),
    cache: () => null,
    later: (work) => void work(),
    rehearse: async () => {},
    warm: () => {},
    now: () => 1_800_000_000_000,
    onError: (_, error) => expect.fail(String(error)),
    answer: (work) => work(),
  });
  createServer(workerContract, handlers, far, { toProblem: problemOfError });
  const client = createClient(workerContract, near);
  return {
    client,
    async open(dir: string): Promise<number> {
      const opened = await client.call("open", { dir, loose: false });
      return opened.state === "run" ? opened.run : expect.fail(JSON.stringify(opened));
    },
    ask: (run: number, method: string, params: unknown = {}, more: { english?: true } = {}) =>
      client.call("call", { run, method, params, ...more }),
  };
}

const DIAGNOSE = { config: "[kl_blowup]\nratoi = 1\n", extra: true };

/** All texts under these names, wherever they stand. */
function texts(value: unknown, names: readonly string[]): string[] {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return [];
  return Object.entries(value).flatMap(([name, each]) => [
    ...(names.includes(name) && typeof each === "string" && each !== "" ? [each] : []),
    ...(name === "tries" && names.includes(name) ? (each as string[]) : texts(each, names)),
  ]);
}

describe("what is shown", () => {
  it("is said in VS Code's language: findings, thresholds, charts, warnings", async () => {
    const { open, ask } = worker();
    for (const dir of [
      path.join(SYNTHETIC, "mixed"),
      path.join(TRL, "grpo-length-hack"),
      path.join(TRL, "manual-reused-dir"),
    ]) {
      const run = await open(dir);
      const diagnosis = await ask(run, "run.diagnose", DIAGNOSE);
      const said = texts(diagnosis, ["words", "what", "why", "title", "doc", "message", "tries"]);
      expect(said.length).toBeGreaterThan(60);
      expect(said.filter((text) => !MARKS.test(text))).toEqual([]);
      const overview = (await ask(run, "run.overview")) as {
        readonly groups: readonly {
          readonly id: string;
          readonly title: string;
          readonly charts: readonly { readonly id: string; readonly title: string }[];
        }[];
        readonly warnings: readonly object[];
        readonly stateReason: string;
      };
      expect(overview.stateReason).toMatch(MARKS);
      for (const text of texts(overview.warnings, ["message", "remedy"])) expect(text).toMatch(MARKS);
      for (const { id, title, charts } of overview.groups) {
        expect(title).toMatch(MARKS);
        // Columns that the format does not name are called as they are recorded.
        if (id !== "extra") for (const chart of charts) expect(chart.title).toMatch(MARKS);
      }
    }
  });

  it("has names of metrics and signatures as they are", async () => {
    const { open, ask } = worker();
    const run = await open(path.join(SYNTHETIC, "mixed"));
    const { findings } = (await ask(run, "run.diagnose", DIAGNOSE)) as {
      readonly findings: readonly { readonly signature: string; readonly id: string }[];
    };
    for (const { signature, id } of findings) expect(`${signature} ${id}`).not.toMatch(MARKS);
    const rows = { metrics: ["kl_mean"], steps: null, offset: 0, limit: 10 };
    for (const method of ["chart.csv", "chart.json"])
      expect(JSON.stringify(await ask(run, method, rows))).not.toMatch(MARKS);
  });
});

describe("what leaves VS Code", () => {
  it("is in English beside what is shown", async () => {
    const { open, ask } = worker();
    const run = await open(path.join(SYNTHETIC, "mixed"));
    const [shown, told] = await Promise.all([
      ask(run, "run.diagnose", DIAGNOSE),
      ask(run, "run.diagnose", DIAGNOSE, { english: true }),
    ]);
    expect(JSON.stringify(shown)).toMatch(MARKS);
    expect(marked(JSON.stringify(told))).toEqual([]);
    for (const method of ["run.overview", "run.summary", "run.warnings", "run.config", "run.records"])
      expect(JSON.stringify(await ask(run, method, {}, { english: true })), method).not.toMatch(MARKS);
  });

  it.each(["html", "md", "sarif"] as const)("is in English in a report as %s", async (format) => {
    const { client, open } = worker();
    const runs = [await open(path.join(TRL, "grpo-length-hack")), await open(path.join(SYNTHETIC, "mixed"))];
    const of = { config: null, configName: "", address: "runs/a" };
    const made = { format, version: "1.2.3", madeAt: 1_800_000_000_000 };
    for (const numbers of [runs.slice(0, 1), ...(format === "sarif" ? [] : [runs])]) {
      const params = { ...made, runs: numbers.map(() => of) };
      const { text } = await client.call("report", { runs: numbers, params });
      expect(text.length).toBeGreaterThan(1000);
      expect(marked(text)).toEqual([]);
    }
  });

  it("is in English where it fails", async () => {
    const { client } = worker();
    const nowhere = { dir: path.join(TRL, "nowhere"), loose: false };
    expect(JSON.stringify(await client.call("open", nowhere))).toMatch(MARKS);
    expect(JSON.stringify(await client.call("open", { ...nowhere, english: true }))).not.toMatch(MARKS);
  });

  it.each([
    ["list_runs", { filter: "finding:any" }],
    ["diagnose_run", { run: "grpo-length-hack", events: "all", config: true }],
    ["get_metric_window", { run: "grpo-length-hack", metrics: ["reward_mean"] }],
    ["get_samples", { run: "grpo-length-hack", query: "sort:reward" }],
    ["compare_runs", { baseline: "grpo-baseline", other: "grpo-length-hack" }],
    ["get_samples", { run: "grpo-length-hack", query: "sort:nothing" }],
    ["diagnose_run", { run: "nowhere" }],
  ])("is in English in the answer of %s %j", async (tool, input) => {
    const answer = await l10n.inEnglish(() => ask(sourceOver(TRL), tool, input).catch(String));
    expect(answer).toMatch(/"(head|runs|error|run|rows|metrics|differing)"/);
    expect(marked(answer)).toEqual([]);
  });
});
