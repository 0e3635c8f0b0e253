/** Sample shards one by one: what is read, kept and said once, and samples in full. */
import { describe, expect, it } from "vitest";
import { memorySource } from "../../../src/core/io/memory.ts";
import type { RunSource } from "../../../src/core/io/source.ts";
import { RunMemory } from "../../../src/core/reader/memory.ts";
import { openRun } from "../../../src/core/reader/open.ts";
import type { RunModel, SamplePlace } from "../../../src/core/run/model.ts";
import { type Altered, altered, locked } from "../helpers/altered.ts";
import { bool, type Cells, double, int64, nulls, parquet, text } from "../helpers/parquet.ts";
import { counting, type Files, manifest, range, shard, source, stepsFile } from "../helpers/runs.ts";

const at = (n: number): string => `samples/shard-${String(n).padStart(5, "0")}.parquet`;
const filesOf = (...shards: readonly Files["a"][]): Files => ({
  ...{ "manifest.json": manifest(), "steps.parquet": stepsFile(0, 3) },
  ...Object.fromEntries(shards.map((bytes, n) => [at(n), bytes ?? "other"])),
});
const sourceOf = (shards: readonly Files["a"][], stats: Altered = {}, faults = {}): RunSource =>
  altered(source(filesOf(...shards)), stats, faults);
const said = (model: RunModel) =>
  model
    .warnings()
    .map(({ code, file, level, count, column, row, cause }) =>
      [code, file, level, count, column ?? "-", row ?? "-", cause ?? ""].join(" ").trim(),
    );
const file = (columns: Record<string, Cells>): Uint8Array => parquet(columns);
/** Rows that say nothing but what they are. */
const plain = (rows: number, label = "s"): Uint8Array =>
  file({
    step: int64(range(0, rows)),
    sample_id: text(range(0, rows).map((i) => `${label}${i}`)),
    reward_total: double(range(0, rows)),
  });
const ids = async (model: RunModel, places: readonly SamplePlace[]) =>
  (await model.samples.shards.samples(places)).map((sample) => sample.sample_id);
const N = Number.NaN;
const NOTHING = { numbers: [], texts: [] };

describe("shard files", () => {
  it("are known by path, and by the rank of a folder of ranks", async () => {
    const files = {
      ...filesOf(plain(2)),
      "rank-003/manifest.json": manifest(),
      [`rank-003/${at(0)}`]: plain(1),
    };
    const { samples } = await openRun(source(files));
    expect(samples.shards.files).toEqual([
      { path: at(0), rank: null },
      { path: `rank-003/${at(0)}`, rank: 3 },
    ]);
    const [own, other] = await samples.shards.samples([
      { shard: 0, row: 0 },
      { shard: 1, row: 0 },
    ]);
    expect([own?.rank, other?.rank]).toEqual([0, 3]);
  });

  it("have a stamp where they are plain files, which links, folders and locked ones are not", async () => {
    const stamp = async (stat: Altered[string] | undefined, shard = 0) => {
      const inner = memorySource(new Map(Object.entries(filesOf(plain(2)))), "run", () => 7);
      const stats = stat === undefined ? {} : { [at(0)]: stat };
      return (await openRun(altered(inner, stats))).samples.shards.stamp(shard);
    };
    expect(await stamp(undefined)).toEqual({ size: plain(2).length, mtimeMs: 7 });
    for (const stat of [
      null,
      { link: { target: "inside" } } as const,
      { kind: "directory" } as const,
      locked(at(0)),
    ])
      expect(await stamp(stat)).toBe(null);
    expect(await stamp(undefined, 5)).toBe(null);
  });
});

describe("a chunk", () => {
  it("has the columns of its shards one behind the other, in the order asked for", async () => {
    const model = await openRun(
      sourceOf([
        file({
          step: int64([1, 2]),
          reward_total: double([0.5, null]),
          group_id: text(["a", null]),
          "reward_component.x": double([1, 2]),
        }),
        file({ step: int64([3]), group_id: text(["ccc"]), reward_total: nulls(1) }),
        file({ step: int64([4]), reward_total: double([4]), "reward_component.y": double([1]) }),
      ]),
    );
    const chunk = await model.samples.shards.read([2, 0, 1], {
      numbers: ["step", "reward_total", "no such"],
      texts: ["group_id", "nor this"],
    });
    expect(chunk.rows).toBe(4);
    expect([...(chunk.numbers("step")?.values ?? [])]).toEqual([4, 1, 2, 3]);
    const reward = chunk.numbers("reward_total");
    expect([...(reward?.values ?? [])]).toEqual([4, 0.5, Number.NaN, Number.NaN]);
    expect([...(reward?.valid ?? [])]).toEqual([1, 1, 0, 0]);
    const group = chunk.texts("group_id");
    expect(new TextDecoder().decode(group?.bytes)).toBe("accc");
    expect([[...(group?.offsets ?? [])], [...(group?.valid ?? [])]]).toEqual([
      [0, 0, 1, 1, 4],
      [0, 1, 0, 1],
    ]);
    expect([chunk.numbers("no such"), chunk.texts("nor this"), chunk.texts("step")]).toEqual([
      ...[undefined, undefined, undefined],
    ]);
    expect(
      chunk.shards.map(({ shard, first, rows, components }) => [shard, first, rows, components]),
    ).toEqual([
      [2, 0, 1, ["y"]],
      [0, 1, 2, ["x"]],
      [1, 3, 1, []],
    ]);
  });

  it("takes text for no number but in step, and any type for text but none", async () => {
    const model = await openRun(
      sourceOf([
        file({
          step: text(["7"]),
          advantage: text(["1"]),
          truncated: bool([true]),
          group_id: int64([5]),
          prompt_id: nulls(1),
        }),
      ]),
    );
    const names = { numbers: ["step", "advantage", "truncated"], texts: ["group_id", "prompt_id"] };
    const chunk = await model.samples.shards.read([0], names);
    expect(chunk.numbers("step")?.values[0]).toBe(7);
    expect(chunk.numbers("advantage")).toBe(undefined);
    expect(chunk.numbers("truncated")?.values[0]).toBe(1);
    expect(new TextDecoder().decode(chunk.texts("group_id")?.bytes)).toBe("5");
    expect(chunk.texts("prompt_id")).toBe(undefined);
  });

  it("says of each shard whether there is anything to say", async () => {
    const good = plain(2);
    const shards = [good, file({ sample_id: text(["x"]) }), good.slice(0, 300), "other" as const, good];
    const model = await openRun(sourceOf(shards, { [at(4)]: null }));
    const { shards: read } = await model.samples.shards.read([0, 1, 2, 3, 4, 9], NOTHING);
    expect(read.map(({ rows, stamp, clean }) => [rows, stamp?.size ?? null, clean])).toEqual([
      [2, good.length, true],
      [1, (shards[1] as Uint8Array).length, false],
      ...[2, 3, 4, 9].map(() => [0, null, false]),
    ]);
    expect(said(model)).toEqual([
      `missing-column ${at(1)} warning 1 step -`,
      `shard-unreadable ${at(2)} warning 1 - - truncated-parquet`,
      `not-a-regular-file ${at(3)} warning 1 - -`,
    ]);
  });

  it("lacks what cannot be read, says it once, and the shard is not clean", async () => {
    let fails = true;
    const inner = source(filesOf(plain(70_000), plain(2)));
    const flaky: RunSource = {
      ...inner,
      readRanges: (path, ranges) =>
        fails && path === at(0) ? Promise.reject(locked(path)) : inner.readRanges(path, ranges),
    };
    const model = await openRun(flaky);
    for (let round = 0; round < 2; round++) {
      const chunk = await model.samples.shards.read([1, 0], { numbers: ["reward_total"], texts: [] });
      expect(chunk.numbers("reward_total")?.valid?.reduce((n, v) => n + v, 0)).toBe(2);
      expect(chunk.shards.map(({ clean }) => clean)).toEqual([true, false]);
    }
    expect(said(model)).toEqual([`permission-denied ${at(0)} warning 1 reward_total -`]);
    fails = false;
    const { shards } = await model.samples.shards.read([0], { numbers: ["reward_total"], texts: [] });
    expect(shards[0]?.clean).toBe(true);
  });

  it("reads its columns only", async () => {
    const { source: inner, counts } = counting(source(filesOf(shard(0, 20_000))));
    const model = await openRun(inner);
    counts.reset();
    await model.samples.shards.read([0], { numbers: ["reward_total"], texts: [] });
    expect(counts.bytes).toBeLessThan(shard(0, 20_000).length / 2);
  });
});

describe("a shard", () => {
  it("is said once to be what it is, however often it is looked at and the run is opened", async () => {
    const cases: [Altered[string] | undefined, Files["a"], string[]][] = [
      [{ link: { target: "outside" } }, plain(2), [`link-outside ${at(0)} warning 1 - -`]],
      [{ link: { target: "dangling" } }, plain(2), [`dangling-link ${at(0)} warning 1 - -`]],
      [locked(at(0)), plain(2), [`permission-denied ${at(0)} warning 1 - -`]],
      [undefined, new Uint8Array(0), [`shard-unreadable ${at(0)} warning 1 - - empty-file`]],
      [undefined, file({ step: int64([1]) }), [`missing-column ${at(0)} warning 1 sample_id -`]],
    ];
    for (const [stat, entry, expected] of cases) {
      const memory = new RunMemory();
      for (let round = 0; round < 2; round++) {
        const model = await openRun(sourceOf([entry], stat === undefined ? {} : { [at(0)]: stat }), {
          memory,
        });
        await model.samples.counts();
        await model.samples.shards.read([0], NOTHING);
        await model.samples.shards.samples([{ shard: 0, row: 0 }]);
        expect(said(model), expected.join()).toEqual(expected);
      }
    }
  });

  it("shares what is said of its columns with all of its schema", async () => {
    const odd = (n: number) => file({ step: int64([n]), sample_id: text(["x"]), truncated: double([1]) });
    const model = await openRun(sourceOf([odd(1), odd(2), odd(3)]));
    await model.samples.counts();
    expect(said(model)).toEqual([`coerced-type ${at(0)} warning 1 truncated -`]);
    const { shards } = await model.samples.shards.read([0, 1, 2], NOTHING);
    expect(shards.map(({ clean }) => clean)).toEqual([false, false, false]);
    expect(shards[0]?.components).toBe(shards[2]?.components);
  });
});

describe("samples", () => {
  it("come in the order asked for, without places that are none", async () => {
    const model = await openRun(sourceOf([plain(3, "a"), new Uint8Array(9), plain(2, "c"), plain(3, "d")]));
    const places = [
      { shard: 3, row: 2 },
      { shard: 0, row: 1 },
      { shard: 3, row: 3 },
      { shard: 1, row: 0 },
      { shard: 2, row: 2 },
      { shard: 7, row: 0 },
      { shard: 2, row: 1 },
      { shard: 0, row: 0 },
      { shard: 0, row: 2 },
    ];
    expect(await ids(model, places)).toEqual(["d2", "a1", "c1", "a0", "a2"]);
    const [sample] = await model.samples.shards.samples([{ shard: 2, row: 1 }]);
    expect(sample).toMatchObject({ file: at(2), row: 1, step: 1, reward_total: 1 });
  });

  it("of small shards are decoded together, as many rows as a full shard has", async () => {
    const together = async (a: number, b: number): Promise<boolean> => {
      const { source: inner, counts } = counting(source(filesOf(plain(a), plain(b))));
      const model = await openRun(inner);
      const both = [0, 1].map((shard) => ({ shard, row: 0 }));
      await ids(model, both);
      counts.reset();
      await ids(model, both);
      expect(counts.reads).toBe(0);
      // Alone it is another group, unless it was one.
      await ids(model, [{ shard: 0, row: 0 }]);
      return counts.reads > 0;
    };
    expect([await together(2, 3), await together(2048, 2048), await together(2048, 2049)]).toEqual([
      ...[true, true, false],
    ]);
    expect(await together(5000, 1)).toBe(false);
  });

  it("of the last eight groups stay, the longest unused goes first", async () => {
    const { source: inner, counts } = counting(
      source(filesOf(...range(0, 10).map((n) => plain(1, `${n}_`)))),
    );
    const model = await openRun(inner);
    const reads = async (shard: number): Promise<number> => {
      counts.reset();
      await ids(model, [{ shard, row: 0 }]);
      return counts.reads;
    };
    for (const n of range(0, 8)) await reads(n);
    expect(await reads(0)).toBe(0);
    expect(await reads(8)).toBeGreaterThan(0);
    expect(await reads(0)).toBe(0);
    expect(await reads(1)).toBeGreaterThan(0);
    expect(await reads(3)).toBe(0);
  });

  it("are asked for anew where decoding failed", async () => {
    let fails = true;
    const inner = source(filesOf(plain(2)));
    const model = await openRun({
      ...inner,
      readRanges: (path, ranges) =>
        fails && path === at(0) ? Promise.reject(new Error("unexpected")) : inner.readRanges(path, ranges),
    });
    await expect(ids(model, [{ shard: 0, row: 0 }])).rejects.toThrow("unexpected");
    fails = false;
    expect(await ids(model, [{ shard: 0, row: 0 }])).toEqual(["s0"]);
  });

  it("have what their shard has where types differ from shard to shard", async () => {
    const model = await openRun(
      sourceOf([
        file({ step: int64([1, 2]), sample_id: text(["a", "b"]), advantage: double([1, 2]) }),
        file({ step: double([3, 4]), sample_id: text(["c", "d"]), group_id: text(["g", "h"]) }),
        file({ step: int64([5]), sample_id: text(["e"]), advantage: int64([9]) }),
      ]),
    );
    const all = [0, 0, 1, 1, 2].map((shard, i) => ({ shard, row: shard === 2 ? 0 : i % 2 }));
    const samples = await model.samples.shards.samples(all);
    expect(samples.map((s) => [s.step, s.sample_id, s.advantage, s.group_id])).toEqual([
      [1, "a", 1, null],
      [2, "b", 2, null],
      [3, "c", null, "g"],
      [4, "d", null, "h"],
      [5, "e", 9, null],
    ]);
  });

  it("of the run's own folder are of the rank that they name", async () => {
    const own = file({ step: int64([1, 1]), sample_id: text(["a", "b"]), rank: int64([2, null]) });
    const model = await openRun(sourceOf([own]));
    const samples = await model.samples.shards.samples([0, 1].map((row) => ({ shard: 0, row })));
    expect([samples.map(({ rank }) => rank), said(model)]).toEqual([[2, 0], []]);
  });

  it("that are odd are said once with the row, NaN and another rank lightly", async () => {
    const odd = file({
      step: int64([1, 2]),
      sample_id: text(["a", null]),
      rank: int64([1, 1]),
      reward_total: double([Number.NaN, 1]),
      truncated: double([1, 5]),
    });
    const files = { ...filesOf(), "rank-002/manifest.json": manifest(), [`rank-002/${at(0)}`]: odd };
    const memory = new RunMemory();
    for (let round = 0; round < 2; round++) {
      const model = await openRun(source(files), { memory });
      await ids(
        model,
        [0, 1, 1, 0].map((row) => ({ shard: 0, row })),
      );
      const path = `rank-002/${at(0)}`;
      expect(said(model).sort()).toEqual([
        `bad-cell ${path} warning 1 truncated 1`,
        `bad-row ${path} warning 1 sample_id 1`,
        `coerced-type ${path} warning 1 truncated -`,
        `non-finite ${path} info 1 reward_total 0`,
        `rank-mismatch ${path} info 2 rank 0`,
      ]);
    }
  });

  it("lack a column that cannot be read, which is said", async () => {
    const inner = source(filesOf(plain(2)));
    const model = await openRun({
      ...inner,
      readRanges: (path, ranges) =>
        path === at(0) ? Promise.reject(locked(path)) : inner.readRanges(path, ranges),
    });
    const [sample] = await model.samples.shards.samples([{ shard: 0, row: 1 }]);
    expect(sample).toMatchObject({ sample_id: "", reward_total: null });
    expect(said(model)).toEqual(
      ["step", "sample_id", "reward_total"].map((name) => `permission-denied ${at(0)} warning 1 ${name} -`),
    );
  });
});

describe("numbers over all shards", () => {
  const shards = [
    file({ step: int64([1, 2]), sample_id: text(["a", "b"]), advantage: double([1, null]) }),
    file({ step: int64([3]), sample_id: text(["c"]) }),
    file({
      step: int64([4, 5]),
      sample_id: text(["d", "e"]),
      advantage: text(["x", "y"]),
      kl: double([7, 8]),
    }),
    file({ step: int64([6]), sample_id: text(["f"]), advantage: double([6]) }),
  ];

  it("lack the rows of shards without the column, or with none of numbers", async () => {
    const model = await openRun(sourceOf(shards));
    const [advantage, step, kl, nothing, id] = await model.samples.readNumbers([
      ...["advantage", "step", "kl", "no such", "sample_id"],
    ]);
    expect([...(advantage?.values ?? [])]).toEqual([1, N, N, N, N, 6]);
    expect([...(advantage?.valid ?? [])]).toEqual([1, 0, 0, 0, 0, 1]);
    expect([...(step?.values ?? [])]).toEqual([1, 2, 3, 4, 5, 6]);
    expect([...(kl?.values ?? [])]).toEqual([N, N, N, 7, 8, N]);
    expect(nothing).toBe(undefined);
    expect(id?.valid?.every((there) => there === 0)).toBe(true);
  });

  it("are read once, and again where that failed", async () => {
    let fails = true;
    const { source: inner, counts } = counting(source(filesOf(...shards)));
    const model = await openRun({
      ...inner,
      readRanges: (path, ranges) =>
        fails && path === at(0) ? Promise.reject(new Error("unexpected")) : inner.readRanges(path, ranges),
    });
    await expect(model.samples.readNumbers(["step"])).rejects.toThrow("unexpected");
    fails = false;
    expect((await model.samples.readNumbers(["step"]))[0]?.values[5]).toBe(6);
    counts.reset();
    expect((await model.samples.readNumbers(["step", "step"]))[1]?.values[5]).toBe(6);
    expect(counts.reads).toBe(0);
  });

  it("lack a shard that cannot be read, which is said", async () => {
    const inner = sourceOf(shards);
    const model = await openRun({
      ...inner,
      readRanges: (path, ranges) =>
        path === at(3) ? Promise.reject(locked(path)) : inner.readRanges(path, ranges),
    });
    const [step] = await model.samples.readNumbers(["step"]);
    expect([...(step?.values ?? [])]).toEqual([1, 2, 3, 4, 5, N]);
    expect(said(model)).toContain(`permission-denied ${at(3)} warning 1 step -`);
  });

  it("find samples of steps, as many as are wanted, and none where there are no steps", async () => {
    const model = await openRun(sourceOf(shards));
    const found = async (from: number, to: number, limit: number) =>
      (await model.samples.inSteps(from, to, limit)).map(({ sample_id }) => sample_id);
    expect(await found(2, 5, 99)).toEqual(["b", "c", "d", "e"]);
    expect(await found(2, 5, 2)).toEqual(["b", "c"]);
    expect(await found(2, 5, 0)).toEqual([]);
    const without = await openRun(sourceOf([file({ sample_id: text(["a"]) })]));
    expect(await without.samples.inSteps(0, 9, 9)).toEqual([]);
    const none = await openRun(sourceOf([]));
    expect([await none.samples.counts(), await none.samples.atRows([0])]).toEqual([
      { total: 0, byRank: new Map() },
      [],
    ]);
  });
});

describe("rows over all shards", () => {
  it("are counted past shards that cannot be read, and past empty ones", async () => {
    const model = await openRun(
      sourceOf([plain(0), plain(2, "a"), new Uint8Array(4), plain(0), plain(0), plain(2, "b")]),
    );
    expect(await model.samples.counts()).toEqual({ total: 4, byRank: new Map([[0, 4]]) });
    const rows = await model.samples.atRows([3, 0, 4, -1, 1, 2]);
    expect(rows.map(({ sample_id }) => sample_id)).toEqual(["b1", "a0", "a1", "b0"]);
    expect((await model.samples.inSteps(1, 1, 9)).map(({ sample_id }) => sample_id)).toEqual(["a1", "b1"]);
    expect((await model.samples.inSteps(0, 1, 3)).map(({ sample_id }) => sample_id)).toEqual([
      "a0",
      "a1",
      "b0",
    ]);
  });
});
