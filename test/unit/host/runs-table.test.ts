import { describe, expect, test } from "vitest";
import { RunFigures } from "../../../src/host/runs-table/figures.ts";
import { keepTablePrefs, tablePrefs } from "../../../src/host/runs-table/prefs.ts";
import { RunsTable } from "../../../src/host/runs-table/table.ts";
import { ProblemError } from "../../../src/protocol/rpc.ts";
import type { RunRowParams } from "../../../src/protocol/run-row.ts";
import { DEFAULT_COLUMNS, type TableQuery } from "../../../src/protocol/runs-page.ts";
import type { ListedRun } from "../../../src/view/listed-run.ts";
import { findingOf, summaryOf } from "./run-lists.ts";

const run = (name: string, more: Partial<ListedRun> = {}): ListedRun => ({
  dir: `/w/${name}`,
  label: name,
  path: name,
  kind: "recording",
  summary: summaryOf(),
  findings: [],
  verdict: { state: "clear", words: "No findings" },
  problem: null,
  ...more,
});
const NEEDED = { metrics: ["reward_mean"], sparks: ["reward_mean"] };

/** A reader whose answers come when they are let through. */
class Reader {
  readonly asked: { readonly dir: string; readonly params: RunRowParams; readonly signal: AbortSignal }[] =
    [];
  readonly #waiting: (() => void)[] = [];
  readonly errors: unknown[] = [];
  changes = 0;
  failing: unknown = null;
  readonly figures = new RunFigures({
    read: async ({ dir }, params, signal) => {
      this.asked.push({ dir, params, signal });
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
      if (this.failing) throw this.failing;
      return {
        available: ["reward_mean"],
        figures: params.metrics.map((metric) => ({ metric, last: 1, min: 0, max: 2 })),
        sparks: params.sparks.map((metric) => ({ metric, path: "M0 0" })),
      };
    },
    onError: (_, error) => this.errors.push(error),
    changed: () => {
      this.changes++;
    },
  });
  get dirs(): string[] {
    return this.asked.map(({ dir }) => dir);
  }
  async answer(): Promise<void> {
    this.#waiting.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("figures", () => {
  test("are read one run at a time, what is wanted now before what was wanted before", async () => {
    const reader = new Reader();
    const runs = ["a", "b", "c"].map((name) => run(name));
    reader.figures.want(runs, NEEDED);
    expect(reader.dirs).toEqual(["/w/a"]);
    reader.figures.want(runs.toReversed(), NEEDED);
    await reader.answer();
    expect(reader.dirs).toEqual(["/w/a", "/w/c"]);
    await reader.answer();
    await reader.answer();
    expect(reader.dirs).toEqual(["/w/a", "/w/c", "/w/b"]);
    expect(runs.every((one) => reader.figures.isDone(one, NEEDED))).toBe(true);
    expect(reader.changes).toBe(3);
  });

  test("are not read again, unless the list has read the run again or more is needed", async () => {
    const reader = new Reader();
    const own = run("a");
    reader.figures.want([own], NEEDED);
    await reader.answer();
    reader.figures.want([own], NEEDED);
    expect(reader.dirs).toHaveLength(1);
    const more = { metrics: ["reward_mean", "kl_mean"], sparks: ["reward_mean"] };
    reader.figures.want([own], more);
    expect(reader.asked[1]?.params).toMatchObject({ metrics: ["kl_mean"], sparks: [] });
    await reader.answer();
    const changed = { ...own, summary: summaryOf() };
    expect(reader.figures.of(changed)).toBeNull();
    reader.figures.want([changed], more);
    expect(reader.asked[2]?.params.metrics).toEqual(["reward_mean", "kl_mean"]);
    await reader.answer();
  });

  test("are given up when nobody looks, and taken up again", async () => {
    const reader = new Reader();
    const runs = [run("a"), run("b")];
    reader.figures.want(runs, NEEDED);
    reader.figures.stop();
    expect(reader.asked[0]?.signal.aborted).toBe(true);
    reader.failing = new Error("given up");
    await reader.answer();
    expect(reader.dirs).toEqual(["/w/a"]);
    expect(reader.errors).toEqual([]);
    reader.failing = null;
    reader.figures.want(runs, NEEDED);
    expect(reader.dirs).toEqual(["/w/a", "/w/a"]);
    await reader.answer();
    await reader.answer();
    expect(reader.figures.isDone(runs[1] ?? run("x"), NEEDED)).toBe(true);
  });

  test("of what cannot be read are not asked for again and again", async () => {
    const reader = new Reader();
    const own = run("a");
    reader.failing = new ProblemError({ code: "x", message: "No.", file: "", remedy: "" });
    reader.figures.want([own, run("bad", { summary: null })], NEEDED);
    await reader.answer();
    reader.figures.want([own], NEEDED);
    expect(reader.dirs).toHaveLength(1);
    expect(reader.figures.isDone(own, NEEDED)).toBe(true);
  });
});

describe("rows", () => {
  const query = (more: Partial<TableQuery> = {}): TableQuery => ({
    ...{ filter: "", sort: null, columns: [...DEFAULT_COLUMNS] },
    ...more,
  });
  function tableOf(runs: readonly ListedRun[]) {
    const first: string[] = [];
    const wanted: string[][] = [];
    const table = new RunsTable({
      catalogue: {
        ...{
          list: () => runs,
          get: (dir) => runs.find((one) => one.dir === dir),
          cuts: [],
          isSearching: false,
        },
        first: (dir) => first.push(dir),
      },
      figures: {
        of: () => null,
        isDone: ({ label }) => label !== "unread",
        want: (all) => wanted.push(all.map(({ label }) => label)),
      },
      ignored: () => [],
    });
    return { table, first, wanted };
  }
  const many = Array.from({ length: 1000 }, (_, i) =>
    run(`run-${i}`, { summary: summaryOf({ steps: i, createdAt: i }) }),
  );

  test("a window of them; what is in it is read first", () => {
    const { table, wanted } = tableOf(many);
    const view = table.view(query({ sort: { column: "steps", descending: true } }), 500, 20, "/w/run-3");
    expect(view).toMatchObject({ total: 1000, of: 1000, offset: 500, found: 996, problem: null });
    expect(view.rows.map(({ label }) => label).slice(0, 2)).toEqual(["run-499", "run-498"]);
    expect(view.rows).toHaveLength(20);
    expect(wanted[0]?.slice(0, 2)).toEqual(["run-499", "run-498"]);
    expect(table.view(query(), 5000, 20, null)).toMatchObject({ offset: 999, found: null });
  });

  test("those that fit the filter; what is wrong with it is said with its place", () => {
    const { table } = tableOf([run("a"), run("b", { findings: [findingOf("KL_BLOWUP")] }), run("unread")]);
    expect(table.view(query({ filter: "finding:any" }), 0, 9, null)).toMatchObject({
      total: 1,
      of: 3,
      pending: 0,
    });
    const { problem, total, pending } = table.view(query({ filter: "a algoritm:x" }), 0, 9, null);
    expect(problem).toMatchObject({ from: 2, to: 10 });
    expect([total, pending]).toEqual([2, 1]);
  });

  test("a diagnosis of what is seen is asked for once", () => {
    const { table, first } = tableOf([run("a", { findings: null }), run("b"), run("c", { summary: null })]);
    table.view(query(), 0, 9, null);
    table.view(query(), 0, 9, null);
    expect(first.toSorted()).toEqual(["/w/a", "/w/c"]);
  });

  test("runs that differ in a key have a column of it", () => {
    const { table } = tableOf(
      ["1", "2"].map((v) => run(v, { summary: summaryOf({ config: [["trainer_config.lr", v]] }) })),
    );
    expect(table.view(query(), 0, 9, null).columns.map(({ id }) => id)).toContain("config:trainer_config.lr");
    expect(table.choices("").keys).toEqual([{ key: "trainer_config.lr", values: 2, examples: "1, 2" }]);
  });

  test("a key that a run lacks has that among its values", () => {
    const of = (config: [string, string][]) => ({ summary: summaryOf({ config }) });
    const { table } = tableOf([run("a", of([["trainer_config.fast", "true"]])), run("b", of([]))]);
    expect(table.choices("").keys).toEqual([
      { key: "trainer_config.fast", values: 2, examples: "true, not set" },
    ]);
  });
});

test("columns are kept for the workspace; what another version kept is left aside", async () => {
  const kept = new Map<string, unknown>();
  const memory = {
    get: <T>(key: string) => kept.get(key) as T | undefined,
    update: async (key: string, value: unknown) => void kept.set(key, value),
  };
  expect(tablePrefs(memory)).toBeNull();
  await keepTablePrefs(memory, { v: 1, columns: ["name", "last:loss"] });
  expect(tablePrefs(memory)?.columns).toEqual(["name", "last:loss"]);
  for (const key of kept.keys()) kept.set(key, { v: 9 });
  expect(tablePrefs(memory)).toBeNull();
});
