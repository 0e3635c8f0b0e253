/** A run as a whole: what makes a folder one, its manifest, its logs and records, whatever lies in their place. */
import { describe, expect, it } from "vitest";
import { FlightDeckError } from "../../../src/core/format/problems.ts";
import { memorySource } from "../../../src/core/io/memory.ts";
import type { EntryStat, RunSource } from "../../../src/core/io/source.ts";
import { RunMemory } from "../../../src/core/reader/memory.ts";
import { openRun } from "../../../src/core/reader/open.ts";
import type { RunModel } from "../../../src/core/run/model.ts";
import { type Altered, altered, locked } from "../helpers/altered.ts";
import { counting, type Files, manifest, range, shard, source, stepsFile } from "../helpers/runs.ts";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const line = (n: number, kind = "checkpoint"): string =>
  `${JSON.stringify({ timestamp: n, kind, step: n, rank: 0, message: "", data: {} })}\n`;
const RUN: Files = { "manifest.json": manifest(), "steps.parquet": stepsFile(0, 3) };
const said = (model: RunModel) => model.warnings().map(({ code, file, level }) => `${code} ${file} ${level}`);
const refusal = (s: RunSource) =>
  openRun(s).then(
    () => "opened",
    (error) =>
      error instanceof FlightDeckError
        ? `${error.code} ${error.file} ${error.facts["loose"] ?? ""}`.trim()
        : `uncoded ${error}`,
  );
const link = (target: "inside" | "outside" | "dangling" | "loop"): Partial<EntryStat> => ({
  link: { target },
});
const barred: Partial<EntryStat> = { kind: "other", link: { target: "outside", barred: true } };

describe("a folder", () => {
  it("is no run without a manifest; what lies there all the same is told", async () => {
    const loose = async (files: Files) =>
      (await refusal(source(files))).replace("not-a-run manifest.json ", "");
    expect(await loose({ "a.txt": utf8("x") })).toBe("no");
    for (const path of ["steps.parquet", "steps/part-00000.parquet", "samples/shard-00000.parquet"])
      expect(await loose({ "a.txt": utf8("x"), [path]: utf8("x") })).toBe("yes");
  });

  it("is one where only records lie, and then nothing of a recording is looked for", async () => {
    const { source: inner, counts } = counting(
      source({ "metrics.json": utf8("[]"), "notes.txt": utf8("x"), "steps.parquet": stepsFile(0, 3) }),
    );
    const model = await openRun(inner);
    expect([model.hasRecording, model.manifest, model.layout, model.ranks]).toEqual([
      false,
      null,
      "none",
      [],
    ]);
    expect([model.steps.rowCount, model.samples.shardCount, model.lastWriteMs]).toEqual([0, 0, null]);
    expect([...counts.byPath.keys()]).toEqual(["metrics.json"]);
    expect(said(model)).toEqual([]);
  });

  it("that is gone or no folder is refused", async () => {
    expect(await refusal(altered(source(RUN), { "": null }))).toBe("not-found");
    expect(await refusal(altered(source(RUN), { "": { kind: "file" } }))).toBe("not-a-directory");
    expect(await refusal(altered(source(RUN), { "": locked("") }))).toBe("permission-denied");
  });

  it("whose name is no text is said to be", async () => {
    expect(said(await openRun({ ...source(RUN), nameIsUtf8: false }))).toEqual(["name-not-utf8  info"]);
    expect(said(await openRun({ ...source(RUN), nameIsUtf8: true }))).toEqual([]);
  });
});

describe("the manifest", () => {
  const open = (stat: Altered[string], faults = {}) =>
    openRun(altered(source(RUN, "folder"), { "manifest.json": stat ?? null }, faults));

  it("that a link hides or that is locked leaves the run under its folder's name", async () => {
    const hidden = await open(barred);
    expect([hidden.manifest?.run_id, said(hidden)]).toEqual([
      "folder",
      ["link-restricted manifest.json warning"],
    ]);
    const shut = await open({}, { "manifest.json": locked("manifest.json") });
    expect([shut.manifest?.run_id, said(shut)]).toEqual([
      "folder",
      ["permission-denied manifest.json warning"],
    ]);
    expect(shut.steps.rowCount).toBe(3);
  });

  it("behind a link is read; one that leads out is said", async () => {
    const out = await open(link("outside"));
    expect([out.manifest?.run_id, said(out)]).toEqual(["demo", ["link-outside manifest.json warning"]]);
    expect(said(await open(link("inside")))).toEqual([]);
  });

  it("that is gone since the folder was listed makes it no run, and no file a refusal", async () => {
    const gone = altered(source(RUN), { "manifest.json": null });
    expect(await refusal(gone)).toBe("not-a-run manifest.json yes");
    expect(await refusal(altered(source(RUN), { "manifest.json": { kind: "other" } }))).toBe(
      "not-a-regular-file manifest.json",
    );
  });
});

describe("events.jsonl", () => {
  const files = { ...RUN, "events.jsonl": utf8(line(1) + line(2)) };
  const PATH = "events.jsonl";

  it("that is no file, locked or behind a link costs its events at most", async () => {
    const cases: [string[], number, Partial<EntryStat> | Error | null, Record<string, Error>?][] = [
      [[`link-outside ${PATH} warning`], 2, link("outside")],
      [[], 2, link("inside")],
      [[`dangling-link ${PATH} warning`], 0, link("dangling")],
      [[`link-restricted ${PATH} warning`], 0, barred],
      [[`not-a-regular-file ${PATH} warning`], 0, { kind: "directory" }],
      [[`permission-denied ${PATH} warning`], 0, locked(PATH)],
      [[`permission-denied ${PATH} warning`], 0, {}, { [PATH]: locked(PATH) }],
      [[], 0, null],
    ];
    for (const [expected, count, stat, faults] of cases) {
      const model = await openRun(altered(source(files), { [PATH]: stat }, faults));
      expect([said(model), model.events.length], expected.join()).toEqual([expected, count]);
      expect(model.steps.rowCount).toBe(3);
    }
  });

  it("that ends in a torn line is said to, until the line is whole", async () => {
    const memory = new RunMemory();
    const open = (text: string) => openRun(source({ ...RUN, [PATH]: utf8(text) }), { memory });
    const whole = line(1) + line(2);
    const torn = await open(whole.slice(0, -10));
    expect([torn.events.length, said(torn)]).toEqual([1, [`torn-last-line ${PATH} warning`]]);
    const grown = await open(whole);
    expect([grown.events.length, said(grown)]).toEqual([2, []]);
  });

  it("is read from where it ended, as long as what came before is what it was", async () => {
    const read = async (before: string, after: string) => {
      const memory = new RunMemory();
      await openRun(source({ ...RUN, [PATH]: utf8(before) }), { memory });
      const { source: inner, counts } = counting(source({ ...RUN, [PATH]: utf8(after) }));
      const model = await openRun(inner, { memory });
      return { steps: model.events.map(({ step }) => step), bytes: counts.byPath.get(PATH) ?? 0 };
    };
    const long = range(0, 50)
      .map((n) => line(n))
      .join("");
    const added = await read(long, long + line(50));
    expect(added.steps).toEqual(range(0, 51));
    expect(added.bytes).toBe(256 + line(50).length);
    const short = await read(line(1), line(1) + line(2));
    expect([short.steps, short.bytes]).toEqual([[1, 2], line(1).length + line(2).length]);
    // Nothing was added.
    expect((await read(long, long)).bytes).toBe(256);
    // Another log that is as long, longer, shorter.
    const other = long.replaceAll('"checkpoint"', '"checkqoint"');
    expect((await read(long, other)).bytes).toBeGreaterThanOrEqual(other.length);
    expect((await read(long, other + line(50))).steps.length).toBe(51);
    expect((await read(long, line(7))).steps).toEqual([7]);
    expect((await read(line(1) + line(2), line(1))).steps).toEqual([1]);
    // What is compared is what was read last, over several readings too.
    const memory = new RunMemory();
    for (const n of [1, 2, 3]) {
      const text = range(0, n)
        .map((i) => line(i))
        .join("");
      await openRun(source({ ...RUN, [PATH]: utf8(text) }), { memory });
    }
    const changed = line(5) + line(1) + line(2) + line(3);
    const model = await openRun(source({ ...RUN, [PATH]: utf8(changed) }), { memory });
    expect(model.events.map(({ step }) => step)).toEqual([5, 1, 2, 3].sort());
  });

  it("that was no text is read anew", async () => {
    const memory = new RunMemory();
    const page = "<!doctype html><html><body>sign in to go on</body></html>\n";
    const first = await openRun(source({ ...RUN, [PATH]: utf8(page) }), { memory });
    expect(said(first)).toEqual([`html-page ${PATH} warning`]);
    const still = await openRun(source({ ...RUN, [PATH]: utf8(page) }), { memory });
    expect(said(still)).toEqual([`html-page ${PATH} warning`]);
    const now = await openRun(source({ ...RUN, [PATH]: utf8(line(1).repeat(4)) }), { memory });
    expect([now.events.length, said(now)]).toEqual([4, []]);
  });
});

describe("records", () => {
  const files = { ...RUN, "metrics.json": utf8("[]") };
  const PATH = "metrics.json";

  it("that are no files, locked, gone or behind a link are left out, and said", async () => {
    const cases: [string[], Partial<EntryStat> | Error | null][] = [
      [[`link-outside ${PATH} warning`], link("outside")],
      [[], link("inside")],
      [[`dangling-link ${PATH} warning`], link("dangling")],
      [[`link-restricted ${PATH} warning`], barred],
      [[`not-a-regular-file ${PATH} warning`], { kind: "directory" }],
      [[`permission-denied ${PATH} warning`], locked(PATH)],
      [[], null],
    ];
    for (const [expected, stat] of cases) {
      const { source: inner, counts } = counting(altered(source(files), { [PATH]: stat }));
      expect(said(await openRun(inner)), expected.join()).toEqual(expected);
      expect(counts.byPath.has(PATH)).toBe(
        stat !== null &&
          !(stat instanceof Error) &&
          (stat.link?.target === "inside" || (stat.link?.target === "outside" && !stat.link.barred)),
      );
    }
  });

  it("have the hash of the manifest's configuration beside them, where there is one", async () => {
    expect((await openRun(source(files))).records.manifestConfigHash).toMatch(/^[0-9a-f]{16,}/);
    expect((await openRun(source({ [PATH]: utf8("[]") }))).records.manifestConfigHash).toBe(null);
  });
});

describe("how a run stands", () => {
  it("is told from its events in the order of writing, its files and its pace", async () => {
    const files = { ...RUN, "events.jsonl": utf8(line(2, "train_begin") + line(1, "train_end")) };
    expect((await openRun(source(files))).lifecycle(0).state).toBe("finished");
    const begun = { "manifest.json": manifest(), "steps/part-00000.parquet": stepsFile(0, 3) };
    const inner = memorySource(new Map(Object.entries(begun)), "run", () => 1_000_000);
    const model = await openRun(inner);
    const later = (ms: number, medianStepSeconds: number | null) =>
      model.lifecycle(1_000_000 + ms, { medianStepSeconds, lastStepTime: 1000 }).state;
    expect(model.lifecycle(1_000_000).state).toBe("running");
    expect([later(600_000, 1), later(600_000, 3600)]).toEqual(["stalled", "running"]);
    expect(model.lifecycle(1_600_000, { medianStepSeconds: 1, lastStepTime: -10_000 }).reason).toBe("copied");
  });

  it("is not known where nothing says when it was written", async () => {
    expect((await openRun(source({ "manifest.json": manifest() }))).lastWriteMs).toBe(null);
    const written = await openRun(memorySource(new Map([["manifest.json", manifest()]]), "run", () => 1));
    expect(written.lastWriteMs).toBe(1);
  });
});

describe("warnings of two ranks", () => {
  it("are of the file of each", async () => {
    const bad = utf8(`${line(1)}no line\n`);
    const files = {
      ...RUN,
      "events.jsonl": bad,
      "rank-001/manifest.json": manifest({ extra: { rank: 1 } }),
      "rank-001/events.jsonl": bad,
      "rank-001/samples/shard-00000.parquet": shard(0, 3, "r", 1),
    };
    const model = await openRun(source(files));
    expect(said(model)).toEqual(["bad-line events.jsonl warning", "bad-line rank-001/events.jsonl warning"]);
    expect(model.events.map(({ rank }) => rank)).toEqual([0, 0]);
  });
});
