import { describe, expect, test } from "vitest";
import { csvText } from "../../../src/protocol/csv.ts";
import { columnOf, DEFAULT_COLUMNS, DIFFERING, FIXED_COLUMNS } from "../../../src/protocol/runs-page.ts";
import type { ListedRun } from "../../../src/view/listed-run.ts";
import { runsCsv } from "../../../src/view/runs-csv.ts";
import {
  configKeys,
  durationText,
  type KnownFigures,
  neededMetrics,
  shownDiffering,
  sortedTable,
  tableColumns,
  tableRow,
} from "../../../src/view/runs-table.ts";
import { findingOf, summaryOf } from "../host/run-lists.ts";

const run = (label: string, more: Partial<ListedRun> = {}): ListedRun => ({
  dir: `/w/${label}`,
  label,
  path: label,
  kind: "recording",
  summary: summaryOf(),
  findings: [],
  verdict: { state: "clear", words: "No findings" },
  problem: null,
  ...more,
});
const figures = (reward: number | null): KnownFigures => ({
  available: ["reward_mean"],
  figures: new Map([["reward_mean", { metric: "reward_mean", last: reward, min: -1, max: 2 }]]),
  sparks: new Map([["reward_mean", "M0 0L1 1"]]),
});
const labels = (runs: readonly ListedRun[]): string[] => runs.map(({ label }) => label);
const nothing = (): null => null;

describe("columns", () => {
  test("are named by ids that say what they are, whatever a metric or a key is called", () => {
    for (const id of DEFAULT_COLUMNS) expect(columnOf(id), id).not.toBeNull();
    expect(columnOf("max:a:b")).toEqual({ kind: "figure", metric: "a:b", figure: "max" });
    expect(columnOf("config:__proto__")).toEqual({ kind: "config", key: "__proto__" });
    expect(columnOf("last:constructor")).toMatchObject({ metric: "constructor" });
    for (const id of ["", "toString", "max:", "median:loss", "config:", "constructor"])
      expect(columnOf(id), id).toBeNull();
  });

  test("begin with the name, once each; keys that differ stand where they are asked for", () => {
    const columns = tableColumns(
      ["steps", DIFFERING, "name", "steps", "junk", "model"],
      ["trainer_config.lr"],
    );
    expect(columns.map(({ id }) => id)).toEqual(["name", "steps", "config:trainer_config.lr", "model"]);
    expect(columns[2]).toMatchObject({ label: "lr", title: "trainer_config.lr" });
  });

  test("say which metrics are needed, a curve's own with it", () => {
    const needed = neededMetrics(tableColumns(["last:a", "max:a", "spark:b"], []));
    expect(needed).toEqual({ metrics: ["a", "b"], sparks: ["b"] });
  });
});

describe("keys of the configuration", () => {
  const configured = (...config: [string, string][]): ListedRun =>
    run(config.map(([, v]) => v).join("-"), { summary: summaryOf({ config }) });
  const runs = [
    configured(["trainer_config.lr", "1"], ["trainer_config.beta", "0"], ["trainer_config.output_dir", "a"]),
    configured(["trainer_config.lr", "2"], ["trainer_config.beta", "0"], ["trainer_config.output_dir", "b"]),
    configured(
      ["trainer_config.lr", "2"],
      ["trainer_config.beta", "0"],
      ["trainer_config.output_dir", "c"],
      ["trainer_config.few", "x"],
      ["environment.host", "h"],
    ),
    run("unread", { summary: null }),
  ];

  test("those that differ first; a key that some lack, machines and ignored keys say little", () => {
    const keys = configKeys(runs, ["output_dir"]);
    expect(keys.map(({ key, values }) => `${key} ${values}`)).toEqual([
      "trainer_config.lr 2",
      "trainer_config.output_dir 3",
      "environment.host 2",
      "trainer_config.few 2",
      "trainer_config.beta 1",
    ]);
    expect(shownDiffering(keys)).toEqual(["trainer_config.lr"]);
  });

  test("one run differs from none", () => {
    expect(shownDiffering(configKeys(runs.slice(0, 1), []))).toEqual([]);
  });
});

describe("order", () => {
  test("numbers by size, both ways; what is not known stands last", () => {
    const runs = [run("b"), run("a"), run("none"), run("c")];
    const of = ({ label }: ListedRun) =>
      label === "none" ? null : figures(({ a: 0.5, b: 10, c: -3 } as Record<string, number>)[label] ?? null);
    const by = (descending: boolean) =>
      labels(sortedTable(runs, { column: "last:reward_mean", descending }, of));
    expect(by(true)).toEqual(["b", "a", "c", "none"]);
    expect(by(false)).toEqual(["c", "a", "b", "none"]);
  });

  test("configuration values as numbers where they are, before words", () => {
    const runs = ["1e-5", "9", "10", "auto", "3e-6"].map((v) =>
      run(v, { summary: summaryOf({ config: [["trainer_config.lr", v]] }) }),
    );
    expect(
      labels(sortedTable(runs, { column: "config:trainer_config.lr", descending: false }, nothing)),
    ).toEqual(["3e-6", "1e-5", "9", "10", "auto"]);
  });

  test("findings by the worst, then by how many of it", () => {
    const runs = [
      run("clear"),
      run("two warn", { findings: [findingOf("A", "warn"), findingOf("B", "warn")] }),
      run("critical", { findings: [findingOf("A")] }),
      run("warn", { findings: [findingOf("A", "warn"), findingOf("C", "info")] }),
      run("undiagnosed", { findings: null }),
    ];
    expect(labels(sortedTable(runs, { column: "findings", descending: true }, nothing))).toEqual([
      "critical",
      "two warn",
      "warn",
      "clear",
      "undiagnosed",
    ]);
  });

  test("names as people count, and equal ones by name; every fixed column can be sorted by", () => {
    const runs = [run("run-10"), run("run-9"), run("broken", { summary: null })];
    expect(labels(sortedTable(runs, { column: "name", descending: false }, nothing))).toEqual([
      "broken",
      "run-9",
      "run-10",
    ]);
    for (const column of FIXED_COLUMNS)
      expect(labels(sortedTable(runs, { column, descending: true }, nothing)), column).toHaveLength(3);
    expect(labels(sortedTable(runs, { column: "steps", descending: true }, nothing))).toEqual([
      "run-9",
      "run-10",
      "broken",
    ]);
  });
});

describe("rows", () => {
  const columns = tableColumns(["state", "steps", "duration", "spark:reward_mean", "last:reward_mean"], []);

  test("hold what is known, in words; nothing where it is not", () => {
    const summary = summaryOf({ timeFirst: 1000, timeLast: 1000 + 3725 });
    const own = run("a", { summary, findings: [findingOf("KL_BLOWUP")] });
    const row = tableRow(columns, own, figures(0.123456), "below");
    expect(row.cells.map(({ text }) => text)).toEqual([
      "a",
      "finished",
      "1,234",
      "1 h 02 min",
      "last 0.1235, lowest -1, highest 2",
      "0.1235",
    ]);
    expect(row.cells[4]?.path).toBe("M0 0L1 1");
    expect(row).toMatchObject({ place: "below", state: "finished" });
    expect(row.findings).toEqual([
      { id: "KL_BLOWUP", title: "Title of KL_BLOWUP", severity: "critical", firstStep: "12" },
    ]);
    const bad = run("b", { summary: null, problem: { code: "x", message: "No.", file: "", remedy: "" } });
    const empty = tableRow(columns, { ...bad, findings: null }, null, "");
    expect(empty.cells.map(({ text }) => text)).toEqual(["b", "", "", "", "", ""]);
    expect(empty).toMatchObject({ state: null, findings: null, problem: "No." });
  });

  test("durations in two units", () => {
    expect([12, 250, 3725, 200_000].map(durationText)).toEqual([
      "12 s",
      "4 min 10 s",
      "1 h 02 min",
      "2 d 7 h",
    ]);
  });
});

describe("CSV", () => {
  test("has all digits, times in UTC, keys by their whole names, and no drawing", () => {
    const ids = [
      "steps",
      "started",
      "duration",
      "findings",
      "spark:reward_mean",
      "last:reward_mean",
      DIFFERING,
    ];
    const columns = tableColumns(ids, ["trainer_config.lr"]);
    const summary = summaryOf({
      timeFirst: 1_790_000_000,
      timeLast: 1_790_000_010.5,
      config: [["trainer_config.lr", "1e-5"]],
    });
    const one = run("a,b", { summary, findings: [findingOf("KL_BLOWUP"), findingOf("X", "warn")] });
    expect(runsCsv(columns, [one], () => figures(0.1234567890123))).toBe(
      'name,steps,started (UTC),duration (s),findings,reward_mean last,trainer_config.lr,path\n"a,b",1234,2026-09-21T14:13:20.000Z,10.5,KL_BLOWUP X,0.1234567890123,1e-5,"/w/a,b"\n',
    );
  });

  test("text from a recording is no formula, and breaks no line", () => {
    expect(csvText("=1+1")).toBe("'=1+1");
    expect(csvText(" =1+1")).toBe("' =1+1");
    expect(csvText("\u200b\ufeff=1+1")).toBe("'\u200b\ufeff=1+1");
    expect(csvText("＝1+1")).toBe("'＝1+1");
    expect(csvText("@SUM(A1)")).toBe("'@SUM(A1)");
    expect(csvText("-2+3")).toBe("'-2+3");
    expect(csvText("\t=1")).toBe("'\t=1");
    expect(csvText('say "x"\nnext')).toBe('"say ""x""\nnext"');
    expect(csvText("-0.5")).toBe("-0.5");
    expect(csvText("+1e-5")).toBe("+1e-5");
    const columns = tableColumns(['last:=cmd|"/c calc"'], []);
    expect(runsCsv(columns, [run("=x")], nothing)).toBe(`name,"'=cmd|""/c calc"" last",path\n'=x,,/w/=x\n`);
  });
});
