/** `report` and `export`: what is written where, what is refused, and that a run is never written into. */
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Context } from "../../../src/cli/context.ts";
import { checkOut, writeOut } from "../../../src/cli/out-file.ts";
import { run } from "../../../src/cli/run.ts";
import { styleFor } from "../../../src/cli/terminal.ts";
import { fitName, reportName } from "../../../src/view/report-names.ts";
import { double, int64, parquet } from "../helpers/parquet.ts";
import { manifest, range, stepsFile } from "../helpers/runs.ts";

const wasm = createRequire(import.meta.url).resolve("parquet-wasm/esm/parquet_wasm_bg.wasm");

let root = "";
let here = "";
const before = process.cwd();
beforeAll(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "fd-report-")));
  here = path.join(root, "here");
  fs.mkdirSync(here);
  write("runs/good", { "manifest.json": manifest({ run_id: "good" }), "steps.parquet": stepsFile(0, 40) });
  write("runs/other", { "manifest.json": manifest({ run_id: "other" }), "steps.parquet": stepsFile(0, 50) });
  write("runs/broken", { "manifest.json": manifest(), "steps.parquet": Buffer.from("no parquet") });
  write("runs/odd", {
    "manifest.json": manifest(),
    "steps.parquet": parquet({
      step: int64([0, 1, 2n ** 60n + 1n]),
      timestamp: double([1.7e9, null, 1.7e9 + 2]),
      reward_mean: double([Number.NaN, Number.POSITIVE_INFINITY, 0.1]),
      "extra.=cmd": double([1, null, Number.NEGATIVE_INFINITY]),
      "extra.\u001b[2J": double([1, 2, 3]),
      __proto__x: double([1, 2, 3]),
    }),
  });
  process.chdir(here);
});
afterAll(() => {
  process.chdir(before);
  fs.rmSync(root, { recursive: true, force: true });
});

function write(name: string, files: Record<string, Uint8Array>): void {
  fs.mkdirSync(path.join(root, name), { recursive: true });
  for (const [file, bytes] of Object.entries(files)) fs.writeFileSync(path.join(root, name, file), bytes);
}
const at = (name: string): string => path.join(root, "runs", name);
/** Names of all files below a run, with their bytes. */
const contents = (dir: string): string[] =>
  fs
    .readdirSync(dir, { recursive: true })
    .map((name) => `${name} ${fs.statSync(path.join(dir, String(name))).size}`);

async function said(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const [out, err]: [string[], string[]] = [[], []];
  const context: Context = {
    out: (text) => out.push(text),
    err: (text) => err.push(text),
    style: styleFor(false),
    columns: 200,
    nowMs: 1_800_000_000_000,
    version: "1.2.3",
    wasm: () => fs.readFileSync(wasm),
  };
  const code = await run(args, context, "1.2.3");
  return { code, out: out.join("\n"), err: err.join("\n") };
}
const empty = (): void => {
  for (const name of fs.readdirSync(here)) fs.rmSync(path.join(here, name), { recursive: true });
};

describe("flight-deck report", () => {
  it("writes <run>.report.html here, and says so", async () => {
    empty();
    const { code, out, err } = await said("report", at("good"));
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^good\.report\.html \(\d+ KB\)$/);
    const text = fs.readFileSync(path.join(here, "good.report.html"), "utf8");
    expect(text.startsWith("<!doctype html>")).toBe(true);
    expect(text.includes("Made by Flight Deck 1.2.3 on 2027-01-15 08:00 UTC")).toBe(true);
    expect(fs.readdirSync(here)).toEqual(["good.report.html"]);
  });

  it.each([
    [["--format", "md"], "good.report.md", /^# Run `good`/],
    [["--format", "sarif"], "good.report.sarif", /"version": "2\.1\.0"/],
    [["--out", "x.md"], "x.md", /^# Run `good`/],
    [["--out", "x.sarif"], "x.sarif", /"version": "2\.1\.0"/],
    [["--out", "x.HTM"], "x.HTM", /^<!doctype html>/],
    [["--out", "x", "--format", "md"], "x", /^# Run `good`/],
  ])("%j is %s", async (args, file, start) => {
    empty();
    expect((await said("report", at("good"), ...args)).code).toBe(0);
    expect(fs.readdirSync(here)).toEqual([file]);
    expect(start.test(fs.readFileSync(path.join(here, file), "utf8"))).toBe(true);
  });

  it("compares several runs with the first", async () => {
    empty();
    const { code, out } = await said("report", at("good"), at("other"), "--json");
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      file: "good-vs-other.report.html",
      format: "html",
      runs: 2,
      findings: 0,
    });
    expect(fs.readFileSync("good-vs-other.report.html", "utf8").includes("Comparison of 2 runs")).toBe(true);
  });

  it("prints to standard output with --out -", async () => {
    empty();
    const { out } = await said("report", at("good"), "--format", "md", "--out", "-");
    expect(out.startsWith("# Run `good`\n")).toBe(true);
    expect(fs.readdirSync(here)).toEqual([]);
  });

  it("replaces nothing unless it is forced to, and then whole", async () => {
    empty();
    fs.writeFileSync("good.report.html", "mine");
    const { code, err } = await said("report", at("good"));
    expect([code, err.split("\n").length]).toEqual([2, 1]);
    expect(err).toContain("good.report.html is there already: --force replaces it");
    expect(fs.readFileSync("good.report.html", "utf8")).toBe("mine");
    expect((await said("report", at("good"), "--force")).code).toBe(0);
    expect(fs.readFileSync("good.report.html", "utf8").startsWith("<!doctype")).toBe(true);
    expect(fs.readdirSync(here)).toEqual(["good.report.html"]);
  });

  it("never writes into a run: its own, another, behind a link, or from inside of it", async () => {
    empty();
    const runs = contents(path.join(root, "runs"));
    fs.symlinkSync(at("other"), path.join(here, "link"));
    for (const out of [path.join(at("good"), "r.html"), path.join(at("other"), "r.html"), "link/r.html"]) {
      const { code, err } = await said("report", at("good"), "--out", out, "--force");
      expect(code, out).toBe(2);
      expect(err).toContain("inside the run");
    }
    process.chdir(at("good"));
    const inside = await said("report", ".");
    process.chdir(here);
    expect([inside.code, inside.err.includes("inside the run")]).toEqual([2, true]);
    expect(contents(path.join(root, "runs"))).toEqual(runs);
  });

  it.each([
    [() => [path.join(root, "nowhere")], /nowhere: There is nothing at this path/],
    [() => [at("broken")], /broken\/steps\.parquet: /],
    [() => [at("good"), at("broken")], /broken\/steps\.parquet: /],
    [() => [], /RUN is missing/],
    [() => [at("good"), "--format", "pdf"], /there are html, md, sarif/],
    [() => [at("good"), "--out", "x.pdf"], /the ending \.pdf says no format/],
    [() => [at("good"), "--out", "no/such/x.html"], /there is no folder/],
    [() => [at("good"), "--config", "none.toml"], /none\.toml cannot be read/],
  ])("says in one line what is wrong (%#)", async (args, message) => {
    empty();
    const { code, out, err } = await said("report", ...args());
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(message);
    expect(err.split("\n").length).toBe(1);
    expect(fs.readdirSync(here)).toEqual([]);
  });
});

describe("a place for a file", () => {
  it("is no folder and no device", () => {
    fs.mkdirSync(path.join(root, "folder"), { recursive: true });
    expect(() => checkOut(path.join(root, "folder"), [], true)).toThrow("is no file");
    expect(() => checkOut("/dev/null", [], true)).toThrow("is no file");
  });

  it("keeps what is there when somebody else was faster", () => {
    const file = path.join(root, "late.txt");
    fs.writeFileSync(file, "theirs");
    expect(() => writeOut(file, ["ours"], false)).toThrow("cannot be written (EEXIST)");
    expect(fs.readFileSync(file, "utf8")).toBe("theirs");
    expect(fs.readdirSync(root).filter((name) => name.includes("partial"))).toEqual([]);
  });

  it("has a name that every system takes", () => {
    expect(reportName(["my run"], "html")).toBe("my run.report.html");
    expect(reportName(["a", "b", "c", "d"], "md")).toBe("a-vs-b-and-2-more.report.md");
    for (const odd of ["../..", "CON", "a\u202eb", "\u001b[2J", ".", "", "x".repeat(500), "\ud800"]) {
      expect(fitName(odd)).toMatch(/^[^/\\:*?"<>|\p{Cc}\p{Cf}\p{Cs}]{1,121}$/u);
      expect(fitName(odd)).not.toMatch(/^[-.]|^con$/i);
    }
  });
});

describe("flight-deck export", () => {
  it("prints CSV of all metrics: NaN and infinity spelled, nothing where nothing was written", async () => {
    const { code, out } = await said("export", at("odd"));
    expect(code).toBe(0);
    expect(out.split("\n")).toEqual([
      "step,timestamp,reward_mean,'extra.=cmd,extra.\\u001b[2J,__proto__x".replace(
        "'extra.=cmd",
        "extra.=cmd",
      ),
      "0,1700000000,NaN,1,1,1",
      "1,,inf,,2,2",
      "1152921504606846977,1700000002,0.1,-inf,3,3",
    ]);
  });

  it("prints JSON: strict, null for what is not finite, every digit of a step", async () => {
    const { out } = await said("export", at("odd"), "--json");
    expect(out).toMatch(/^[\x20-\x7e\n]*$/);
    expect(out).toContain("[1152921504606846977,1700000002,0.1,null,3,3]");
    const { columns, data, run } = JSON.parse(out) as {
      columns: string[];
      data: (number | null)[][];
      run: string;
    };
    expect([run, columns[4], data.slice(0, 2)]).toEqual([
      "odd",
      "extra.\u001b[2J",
      [
        [0, 1.7e9, null, 1, 1, 1],
        [1, null, null, null, 2, 2],
      ],
    ]);
  });

  it("takes chosen metrics and steps, and a file's ending for the format", async () => {
    empty();
    const { out } = await said(
      "export",
      at("good"),
      "--metrics",
      "reward_*, kl_mean",
      "--from",
      "3",
      "--to",
      "4",
    );
    expect(out).toBe("step,timestamp,reward_mean,kl_mean\n3,1700000003,0.3,0.03\n4,1700000004,0.4,0.04");
    expect((await said("export", at("good"), "--out", "x.json", "--from", "39")).code).toBe(0);
    expect((JSON.parse(fs.readFileSync("x.json", "utf8")) as { data: unknown[] }).data).toEqual([
      [39, 1_700_000_039, 3.9, 0.39],
    ]);
    const none = await said("export", at("good"), "--from", "1000", "--json");
    expect((JSON.parse(none.out) as { data: unknown[] }).data).toEqual([]);
    const steps = "flight-deck: nothing to export; its steps go from 0 to 39";
    expect([none.code, none.err]).toEqual([1, steps]);
    const file = await said("export", at("good"), "--to", "-1", "--out", "none.csv");
    expect([file.code, file.out, file.err, fs.existsSync("none.csv")]).toEqual([1, "", steps, false]);
    write("runs/empty", { "manifest.json": manifest() });
    expect(await said("export", at("empty"))).toMatchObject({
      code: 1,
      err: "flight-deck: nothing to export; it has no steps",
    });
  });

  it("writes long runs in pieces that fit together", async () => {
    const n = 45_000;
    write("runs/long", {
      "manifest.json": manifest(),
      "steps.parquet": parquet({ step: int64(range(0, n)), loss: double(range(0, n)) }),
    });
    const csv = (await said("export", at("long"))).out.split("\n");
    expect([csv.length, csv[20_001], csv.at(-1)]).toEqual([n + 1, "20000,,20000", "44999,,44999"]);
    const json = JSON.parse((await said("export", at("long"), "--json")).out) as { data: number[][] };
    expect([json.data.length, json.data[40_000]]).toEqual([n, [40_000, null, 40_000]]);
  });

  it.each([
    [() => [at("good"), "--metrics", "nope"], /the run has no metric nope/],
    [() => [at("good"), "--metrics", ","], /--metrics names none/],
    [() => [at("good"), "--from", "5", "--to", "3"], /--from 5 is after --to 3 .*--help/],
    [() => [at("good"), "--format", "xml"], /there are csv, json/],
    [() => [at("broken")], /broken\/steps\.parquet: /],
    [() => [at("good"), "--out", path.join(at("good"), "x.csv")], /inside the run/],
  ])("says in one line what is wrong (%#)", async (args, message) => {
    const { code, out, err } = await said("export", ...args());
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(message);
    expect(err.split("\n").length).toBe(1);
  });
});

describe("flight-deck open", () => {
  it("blames the run that is missing, whichever it is", async () => {
    const nope = path.join(root, "runs", "nope");
    const other = await said("open", at("good"), "--with", nope, "--print");
    expect(other).toMatchObject({ code: 2, out: "" });
    expect(other.err).toContain(`flight-deck: ${nope}: There is nothing at this path`);
    const own = await said("open", nope, "--with", at("good"), "--print");
    expect(own.err).toContain(`flight-deck: ${nope}: There is nothing at this path`);
  });

  it.each([
    [["--step", "wat"], "--step wants a whole number"],
    [["--sample", ""], "--sample is empty"],
    [["--with", ""], "--with is empty"],
    [["--sample", "a\u202eb"], "no link can be made: It holds characters that no link needs."],
    [["--sample", "x".repeat(501)], "no link can be made: It names no sample."],
    [["--sample", "s", "--rank", "x"], "--rank wants a whole number"],
  ])("is misused with %j", async (more, words) => {
    const { code, out, err } = await said("open", at("good"), ...more, "--print");
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(words);
    expect(err).toContain("--help");
  });
});
