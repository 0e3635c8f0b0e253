/** Which files hold the steps, whatever lies where they should be: what is read, what is left out, and what is said of it. */
import { describe, expect, it } from "vitest";
import { FlightDeckError } from "../../../src/core/format/problems.ts";
import { memorySource } from "../../../src/core/io/memory.ts";
import type { EntryStat, RunSource } from "../../../src/core/io/source.ts";
import { RunMemory } from "../../../src/core/reader/memory.ts";
import { openRun } from "../../../src/core/reader/open.ts";
import type { ParquetFile } from "../../../src/core/reader/parquetFiles.ts";
import { sayFooter, warningOf } from "../../../src/core/reader/stepFiles.ts";
import { WarningList } from "../../../src/core/reader/warnings.ts";
import type { RunModel } from "../../../src/core/run/model.ts";
import { type Altered, altered, locked } from "../helpers/altered.ts";
import { double, int64, parquet } from "../helpers/parquet.ts";
import { counting, type Files, manifest, range, source, stepsFile } from "../helpers/runs.ts";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const part = (n: number): string => `steps/part-${String(n).padStart(5, "0")}.parquet`;
const link = (target: "inside" | "outside" | "dangling" | "loop"): Partial<EntryStat> => ({
  link: { target },
});
const barred: Partial<EntryStat> = { kind: "other", link: { target: "outside", barred: true } };
const run = (files: Files): Files => ({ "manifest.json": manifest(), ...files });
const said = (model: RunModel) =>
  model.warnings().map(({ code, file, level, cause }) => [code, file, level, ...(cause ? [cause] : [])]);
const steps = async (model: RunModel) => [...(await model.steps.axis("merged")).step.values];

const GZIP = Uint8Array.from([0x1f, 0x8b, ...new Array<number>(60).fill(9)]);
const LFS = utf8(`version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize 12345\n`);
const TORN = stepsFile(0, 20).slice(0, 400);

describe("steps.parquet", () => {
  const alone = (entry: Files["a"], stats: Altered = {}): Promise<RunModel> =>
    openRun(altered(source(run({ "steps.parquet": entry ?? "other" })), stats));

  it("that cannot be read is named by what it is instead, and why", async () => {
    const at = "steps.parquet";
    const cases: [string[], Files["a"], Altered?][] = [
      [["gzip-wrapped", at, "warning"], GZIP],
      [["lfs-pointer", at, "warning"], LFS],
      [["nul-file", at, "warning"], new Uint8Array(500)],
      [["encrypted-parquet", at, "warning"], utf8(`PARE${"x".repeat(50)}PARE`)],
      [["steps-unreadable", at, "warning", "html-page"], utf8("<!doctype html><p>sign in to go on")],
      [["steps-unreadable", at, "warning", "truncated-parquet"], TORN],
      [["steps-unreadable", at, "warning", "empty-file"], new Uint8Array(0)],
      [["not-a-regular-file", at, "warning"], "directory"],
      [["not-a-regular-file", at, "warning"], "other"],
      [["dangling-link", at, "warning"], stepsFile(0, 5), { [at]: link("dangling") }],
      [["link-loop", at, "warning"], stepsFile(0, 5), { [at]: link("loop") }],
      [["link-restricted", at, "warning"], stepsFile(0, 5), { [at]: barred }],
      [["permission-denied", at, "warning"], stepsFile(0, 5), { [at]: locked(at) }],
    ];
    for (const [expected, entry, stats] of cases) {
      const model = await alone(entry, stats);
      expect(said(model), expected.join(" ")).toEqual([expected]);
      expect(await steps(model)).toEqual([]);
      expect(model.layout).toBe("none");
    }
  });

  it("beside parts is no loss, but what a link hides is said all the same", async () => {
    const files = run({ "steps.parquet": TORN, [part(0)]: stepsFile(0, 5) });
    const torn = await openRun(source(files));
    expect(said(torn)).toEqual([["compaction-interrupted", "steps.parquet", "warning"]]);
    expect(torn.layout).toBe("parts");
    expect(await steps(torn)).toEqual(range(0, 5));
    const hidden = await openRun(altered(source(files), { "steps.parquet": barred }));
    expect(said(hidden)).toEqual([["link-restricted", "steps.parquet", "warning"]]);
    expect(await steps(hidden)).toEqual(range(0, 5));
  });

  it("behind a link that leads out is read, and that is said; a link inside is nothing to say", async () => {
    const out = await alone(stepsFile(0, 5), { "steps.parquet": link("outside") });
    expect(said(out)).toEqual([["link-outside", "steps.parquet", "warning"]]);
    expect(await steps(out)).toEqual(range(0, 5));
    expect(said(await alone(stepsFile(0, 5), { "steps.parquet": link("inside") }))).toEqual([]);
  });

  it("that is gone since the folder was listed is none", async () => {
    const model = await alone(stepsFile(0, 5), { "steps.parquet": null });
    expect([said(model), model.layout]).toEqual([[["no-steps", "", "info"]], "none"]);
  });

  it("beside whole parts is both, and the parts are left over", async () => {
    const model = await openRun(
      source(run({ "steps.parquet": stepsFile(0, 9), [part(1)]: stepsFile(3, 9) })),
    );
    expect(model.layout).toBe("both");
  });
});

describe("a part", () => {
  const three = (middle: Files["a"], last: Files["a"], stats: Altered = {}, faults = {}) =>
    openRun(
      altered(
        source(run({ [part(0)]: stepsFile(0, 3), [part(1)]: middle ?? "other", [part(2)]: last ?? "other" })),
        stats,
        faults,
      ),
    );
  const whole = (from: number): Uint8Array => stepsFile(from, from + 3);

  it("that is cut waits for the rest where it is the last, and is damaged where it is not", async () => {
    for (const [bytes, cause] of [
      [TORN, "truncated-parquet"],
      [new Uint8Array(0), "empty-file"],
      [new Uint8Array(300), "nul-file"],
    ] as const) {
      const last = await three(whole(3), bytes);
      expect(said(last), cause).toEqual([["part-incomplete", part(2), "info"]]);
      expect(await steps(last)).toEqual(range(0, 6));
      const middle = await three(bytes, whole(6));
      expect(said(middle), cause).toEqual([["part-unreadable", part(1), "warning", cause]]);
      expect(await steps(middle)).toEqual([...range(0, 3), ...range(6, 9)]);
    }
    expect(said(await three(whole(3), utf8("<html>sign in</html>")))).toEqual([
      ["part-unreadable", part(2), "warning", "html-page"],
    ]);
  });

  it("that is no file, locked or a link is said to be that", async () => {
    const cases: [string, Files["a"], Partial<EntryStat> | Error | undefined][] = [
      ["not-a-regular-file", "other", undefined],
      ["permission-denied", whole(3), locked(part(1))],
      ["dangling-link", whole(3), link("dangling")],
      ["link-loop", whole(3), link("loop")],
      ["link-restricted", whole(3), barred],
    ];
    for (const [code, entry, stat] of cases) {
      const model = await three(entry, whole(6), stat ? { [part(1)]: stat } : {});
      expect(said(model), code).toEqual([[code, part(1), "warning"]]);
      expect(await steps(model), code).toEqual([...range(0, 3), ...range(6, 9)]);
    }
  });

  it("that cannot be read by the disk's own fault is unreadable, in our words", async () => {
    const model = await three(whole(3), whole(6), {}, { [part(1)]: new Error("unexpected") }).catch(
      (error) => error,
    );
    expect(model).toMatchObject({ message: "unexpected" });
    const locks = await three(whole(3), whole(6), {}, { [part(1)]: locked(part(1)) });
    expect(locks.warnings()).toMatchObject([{ code: "permission-denied", detail: "it cannot be read" }]);
  });

  it("behind a link that leads out is read, which is said", async () => {
    const model = await three(whole(3), whole(6), { [part(1)]: link("outside") });
    expect(said(model)).toEqual([["link-outside", part(1), "warning"]]);
    expect(await steps(model)).toEqual(range(0, 9));
  });

  it("that is gone since it was listed leaves nothing to say", async () => {
    const model = await three(whole(3), whole(6), { [part(1)]: null });
    expect([said(model), await steps(model)]).toEqual([[], [...range(0, 3), ...range(6, 9)]]);
  });

  it("follows the one before by number, whatever the folder lists first; of one number by name", async () => {
    const model = await openRun(
      source(
        run({
          "steps/part-10.parquet": stepsFile(20, 22),
          "steps/part-9.parquet": stepsFile(18, 20),
          "steps/part-00009.parquet": stepsFile(16, 18),
          "steps/part-2.parquet": stepsFile(4, 6),
        }),
      ),
    );
    const { values } = (await model.steps.axis("recorded")).step;
    expect([...values]).toEqual([4, 5, 16, 17, 18, 19, 20, 21]);
  });
});

describe("the folder of parts", () => {
  it("that is none, locked or a link is said, and the rest opens", async () => {
    const files = run({ [part(0)]: stepsFile(0, 3) });
    const open = (stats: Altered, faults = {}) => openRun(altered(source(files), stats, faults));
    const cases: [string, Altered, Record<string, Error>?][] = [
      ["not-a-directory", { steps: { kind: "file" } }],
      ["dangling-link", { steps: link("dangling") }],
      ["link-loop", { steps: link("loop") }],
      ["link-restricted", { steps: barred }],
      ["permission-denied", { steps: locked("steps") }],
      ["permission-denied", {}, { steps: locked("steps") }],
    ];
    for (const [code, stats, faults] of cases) {
      const model = await open(stats, faults);
      expect(said(model), code).toEqual([
        [code, "steps", "warning"],
        ["no-steps", "", "info"],
      ]);
      expect(await steps(model)).toEqual([]);
    }
    const out = await open({ steps: link("outside") });
    expect(said(out)).toEqual([["link-outside", "steps", "warning"]]);
    expect(await steps(out)).toEqual(range(0, 3));
    expect(said(await open({ steps: null }))).toEqual([["no-steps", "", "info"]]);
  });

  it("holds no step where no part of it can be read; there are step files all the same", async () => {
    const model = await openRun(source(run({ [part(0)]: utf8("<html>"), [part(1)]: "directory" })));
    expect(model.layout).toBe("parts");
    expect(said(model).map(([code]) => code)).toEqual(["not-a-regular-file", "part-unreadable"]);
  });

  it("names strangers, but neither what editors leave nor folders; half-written parts of copies are strangers", async () => {
    const strange = ["readme.txt", "part-1.parquet.bak", "part-x.parquet", ".part-00001.parquet.tmp"];
    const usual = [".DS_Store", "notes~", "Thumbs.db", "desktop.ini", ".parquets", "x.parquet~"];
    const model = await openRun(
      source(
        run({
          [part(0)]: stepsFile(0, 3),
          "steps/old/part-00001.parquet": stepsFile(5, 6),
          "steps/sub": "directory",
          ...Object.fromEntries([...strange, ...usual].map((name) => [`steps/${name}`, utf8("x")])),
        }),
      ),
    );
    expect(said(model).sort()).toEqual(strange.map((name) => ["stray-file", `steps/${name}`, "info"]).sort());
    expect(await steps(model)).toEqual(range(0, 3));
  });

  it("has gaps where numbers are missing: how many and the first, but none where numbers start anew", async () => {
    const gaps = async (numbers: readonly number[]) => {
      const files = Object.fromEntries(numbers.map((n, i) => [part(n), stepsFile(i, i + 1)]));
      const model = await openRun(source(run(files)));
      return model
        .warnings()
        .map(({ code, file, detail, count }) => [code, file, detail.split(" ").at(-1), count]);
    };
    expect(await gaps([0, 1, 2])).toEqual([]);
    expect(await gaps([1, 2])).toEqual([["part-gap", "steps", "0", 1]]);
    expect(await gaps([0, 3, 4, 6])).toEqual([["part-gap", "steps", "1", 3]]);
    expect(await gaps([3, 6])).toEqual([["part-gap", "steps", "0", 5]]);
    expect(await gaps([0, 1000])).toEqual([["part-gap", "steps", "1", 999]]);
    expect(await gaps([0, 1001])).toEqual([]);
    expect(await gaps([0, 5000, 5002])).toEqual([["part-gap", "steps", "5001", 1]]);
  });
});

describe("a footer", () => {
  const of = (footer: object): string[] => {
    const list = new WarningList();
    sayFooter({ path: "p", size: 1, footer } as ParquetFile, list.warn);
    return list.list().map(({ code, level }) => `${code} ${level}`);
  };
  it("that counts other rows than it has, or names another file, is said", () => {
    expect(of({ claimedRows: 3, rows: 3, externalFile: false })).toEqual([]);
    expect(of({ claimedRows: 3, rows: 2, externalFile: false })).toEqual(["footer-corrupt warning"]);
    expect(of({ claimedRows: 3, rows: 3, externalFile: true })).toEqual(["external-file-path info"]);
  });
});

describe("an error met on a file", () => {
  it("keeps its code where it says what lies there, and is a fault of the disk else; one that is not ours is passed on", () => {
    for (const code of ["permission-denied", "not-a-regular-file", "not-a-directory"] as const)
      expect(warningOf(new FlightDeckError(code, "x"))).toBe(code);
    for (const code of ["io-error", "not-found", "aborted"] as const)
      expect(warningOf(new FlightDeckError(code, "x"))).toBe("io-error");
    expect(() => warningOf(new TypeError("no"))).toThrow(TypeError);
  });
});

describe("when a run was last written", () => {
  it("is the newest of its step files, its events and its manifest", async () => {
    const newest = async (times: Record<string, number>) => {
      const files = Object.keys(times).map((path) => [
        path,
        path === "manifest.json" ? manifest() : path === "events.jsonl" ? new Uint8Array(0) : stepsFile(0, 3),
      ]);
      const model = await openRun(
        memorySource(new Map(files as [string, Uint8Array][]), "run", (path) => times[path] ?? 0),
      );
      return model.lastWriteMs;
    };
    expect(await newest({ "manifest.json": 0 })).toBe(null);
    expect(await newest({ "manifest.json": 5 })).toBe(5);
    expect(await newest({ "manifest.json": 5, "events.jsonl": 7 })).toBe(7);
    expect(await newest({ "manifest.json": 5, "steps.parquet": 9, "events.jsonl": 7 })).toBe(9);
    const parts = { "manifest.json": 5, [part(0)]: 9, [part(1)]: 8 };
    expect(await newest(parts)).toBe(9);
    expect(await newest({ ...parts, [part(1)]: 11, "steps.parquet": 10 })).toBe(11);
    expect(await newest({ ...parts, "steps.parquet": 12 })).toBe(12);
  });

  it("counts files that cannot be read, too", async () => {
    const files = new Map([
      ["manifest.json", manifest()],
      ["steps.parquet", TORN],
    ]);
    const at = (path: string) => (path === "steps.parquet" ? 9 : 1);
    expect((await openRun(memorySource(files, "run", at))).lastWriteMs).toBe(9);
  });
});

describe("a run that is opened again", () => {
  const rows = (value: number, count = 3): Uint8Array =>
    parquet({ step: int64(range(0, count)), loss: double(range(0, count).map(() => value)) });
  const first = async (inner: RunSource, memory: RunMemory): Promise<number | undefined> =>
    (await (await openRun(inner, { memory })).steps.read(["loss"], "merged"))[0]?.values[0];

  it("takes a file of another time or another size for another file, and the same for the same", async () => {
    for (const path of ["steps.parquet", part(0)]) {
      const at = (bytes: Uint8Array, time: number): RunSource =>
        memorySource(new Map(Object.entries(run({ [path]: bytes }))), "run", () => time);
      const longer = parquet({ step: int64([0, 1]), loss: double([7, 7]), kl_mean: double([1, 2]) });
      const memory = new RunMemory();
      expect(await first(at(rows(5), 1), memory)).toBe(5);
      expect(await first(at(rows(6), 1), memory)).toBe(5);
      expect(await first(at(rows(6), 2), memory)).toBe(6);
      expect(await first(at(longer, 2), memory)).toBe(7);
    }
  });

  it("sees that it is gone, locked or no file any more", async () => {
    for (const stat of [null, locked("steps.parquet"), { kind: "other" as const }]) {
      const memory = new RunMemory();
      const inner = source(run({ "steps.parquet": rows(5) }));
      expect(await first(inner, memory)).toBe(5);
      expect(await first(altered(inner, { "steps.parquet": stat }), memory)).toBe(undefined);
    }
  });

  it("asks for the newest 256 parts only", async () => {
    const files = Object.fromEntries(range(0, 300).map((n) => [part(n), stepsFile(n, n + 1)]));
    const { source: inner, counts } = counting(source(run(files)));
    const memory = new RunMemory();
    await openRun(inner, { memory });
    counts.reset();
    const asked: string[] = [];
    const watched: RunSource = {
      ...inner,
      stat: (path) => {
        if (path.startsWith("steps/")) asked.push(path);
        return inner.stat(path);
      },
    };
    const again = await openRun(watched, { memory });
    expect([again.steps.rowCount, asked.length, asked[0]]).toEqual([300, 256, part(44)]);
    expect(counts.byPath.get(part(299))).toBe(undefined);
  });
});
