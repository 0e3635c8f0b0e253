/** Opening and reading runs in memory: what is read when, and what each kind of damage costs. */
import { describe, expect, it } from "vitest";
import { FlightDeckError, openRun, type RunModel, type RunSource } from "../../../src/core/index.ts";
import { double, int64, list, nulls, parquet, text } from "../helpers/parquet.ts";
import { counting, type Files, manifest, range, shard, source, stepsFile } from "../helpers/runs.ts";

const utf8 = new TextEncoder();
const event = (o: object) =>
  `${JSON.stringify({ timestamp: 1, step: null, rank: 0, message: "", data: {}, ...o })}\n`;

const clean: Files = {
  "manifest.json": manifest(),
  "steps.parquet": stepsFile(0, 50),
  "samples/shard-00000.parquet": shard(0, 20),
  "samples/shard-00001.parquet": shard(20, 40),
  "events.jsonl": utf8.encode(
    event({ kind: "train_begin" }) + event({ kind: "train_end", timestamp: 2, step: 49 }),
  ),
};
const live = (parts: Record<number, Uint8Array>): Files => ({
  "manifest.json": manifest(),
  ...Object.fromEntries(
    Object.entries(parts).map(([n, b]) => [`steps/part-${String(n).padStart(5, "0")}.parquet`, b]),
  ),
});
const codes = (run: RunModel) => run.warnings().map((w) => w.code);
const steps = async (run: RunModel, order: "merged" | "recorded" = "merged") => [
  ...(await run.steps.axis(order)).step.values,
];
const refusal = async (s: RunSource, loose = false) => {
  try {
    await openRun(s, { loose });
    return "opened";
  } catch (error) {
    return error instanceof FlightDeckError
      ? `${error.code} ${error.file} ${error.facts["loose"] ?? ""}`.trim()
      : `uncoded ${error}`;
  }
};

describe("cost", () => {
  it("opening reads the manifest, the events and the parquet footer; no column and no sample", async () => {
    const { source: s, counts } = counting(source(clean));
    const run = await openRun(s);
    expect(run.steps.rowCount).toBe(50);
    expect(run.samples.shardCount).toBe(2);
    expect([...counts.byPath.keys()].sort()).toEqual(["events.jsonl", "manifest.json", "steps.parquet"]);
    expect(counts.reads).toBe(3);
  });

  it("a long run costs no more to open than a short one: 16 KiB of its step file at most", async () => {
    const many = range(0, 60_000);
    const long = parquet({ step: int64(many), reward_mean: double(many.map((i) => Math.sin(i) * 1e-3)) });
    expect(long.length).toBeGreaterThan(400_000);
    const { source: s, counts } = counting(source({ "manifest.json": manifest(), "steps.parquet": long }));
    await openRun(s);
    expect(counts.byPath.get("steps.parquet")).toBeLessThanOrEqual(16 * 1024);
  });

  it("a chart's column is read when it is asked for, alone and once", async () => {
    const many = range(0, 60_000);
    const column = () => double(many.map(() => Math.random()));
    const wide = parquet({ step: int64(many), a: column(), b: column(), c: column() });
    const { source: s, counts } = counting(source({ "manifest.json": manifest(), "steps.parquet": wide }));
    const run = await openRun(s);
    await run.steps.axis("merged");
    counts.reset();
    await run.steps.read(["b"], "merged");
    expect(counts.reads).toBe(1);
    expect(counts.bytes).toBeGreaterThan(300_000);
    expect(counts.bytes).toBeLessThan(wide.length / 2.5);
    await run.steps.read(["b"], "merged");
    await run.steps.read(["b", "step"], "recorded");
    expect(counts.reads).toBe(1);
  });

  it("asked for at the same time, a column is still read once", async () => {
    const { source: s, counts } = counting(source(clean));
    const run = await openRun(s);
    await run.steps.axis("merged");
    counts.reset();
    await Promise.all([run.steps.read(["kl_mean"], "merged"), run.steps.read(["kl_mean"], "merged")]);
    expect(counts.reads).toBe(1);
  });

  it("500 parts are opened once for their footers and once for a set of columns", async () => {
    const parts = Object.fromEntries(range(0, 500).map((i) => [i, stepsFile(i * 3, i * 3 + 3)]));
    const { source: s, counts } = counting(source(live(parts)));
    const run = await openRun(s);
    expect(counts.reads).toBe(501);
    counts.reset();
    await run.steps.axis("merged");
    expect(counts.reads).toBe(500);
    counts.reset();
    const [reward, kl] = await run.steps.read(["reward_mean", "kl_mean"], "merged");
    expect(counts.reads).toBe(500);
    expect(reward?.values[1499]).toBeCloseTo(149.9, 12);
    expect(kl?.values.length).toBe(1500);
  });

  it("shards are opened when samples are counted; text is read only of the shard on show", async () => {
    const { source: s, counts } = counting(source(clean));
    const run = await openRun(s);
    counts.reset();
    expect((await run.samples.counts()).total).toBe(40);
    expect([...counts.byPath.keys()].sort()).toEqual([
      "samples/shard-00000.parquet",
      "samples/shard-00001.parquet",
    ]);
    await run.samples.readNumbers(["step"]);
    counts.reset();
    const [sample] = await run.samples.inSteps(25, 25, 10);
    expect(sample).toMatchObject({
      sample_id: "s25",
      completion_text: "completion 25 of s",
      reward_total: 12.5,
      row: 5,
    });
    expect([...counts.byPath.keys()]).toEqual(["samples/shard-00001.parquet"]);
    counts.reset();
    await run.samples.inSteps(26, 26, 10);
    expect(counts.reads).toBe(0);
  });

  it("reads nothing at all of files that are not regular", async () => {
    const { source: s, counts } = counting(
      source({ ...clean, "steps.parquet": "other", "events.jsonl": "other" }),
    );
    const run = await openRun(s);
    expect([...counts.byPath.keys()]).toEqual(["manifest.json"]);
    expect(codes(run).filter((c) => c === "not-a-regular-file").length).toBe(2);
  });
});

describe("layouts", () => {
  it("compacted: nothing to say of a clean run", async () => {
    const run = await openRun(source(clean));
    expect(run.layout).toBe("compacted");
    expect(await steps(run)).toEqual(range(0, 50));
    await run.samples.counts();
    expect(run.warnings()).toEqual([]);
    expect(run.events.map((e) => e.kind)).toEqual(["train_begin", "train_end"]);
  });

  it("parts, by number and not by name", async () => {
    const run = await openRun(
      source({
        "manifest.json": manifest(),
        "steps/part-99999.parquet": stepsFile(0, 3),
        "steps/part-100000.parquet": stepsFile(3, 5),
      }),
    );
    expect(await steps(run)).toEqual([0, 1, 2, 3, 4]);
    expect(codes(run)).toEqual([]);
  });

  it("the last part half written: it waits, the rest is there", async () => {
    const whole = stepsFile(20, 30);
    const run = await openRun(
      source(live({ 0: stepsFile(0, 10), 1: stepsFile(10, 20), 2: whole.slice(0, whole.length >> 1) })),
    );
    expect(await steps(run)).toEqual(range(0, 20));
    expect(run.warnings()).toMatchObject([
      { code: "part-incomplete", file: "steps/part-00002.parquet", level: "info" },
    ]);
  });

  it("a part in the middle damaged or missing: that part is lost, and said", async () => {
    const run = await openRun(
      source(live({ 0: stepsFile(0, 10), 1: new Uint8Array(200), 3: stepsFile(30, 40) })),
    );
    expect(await steps(run)).toEqual([...range(0, 10), ...range(30, 40)]);
    expect(run.warnings()).toMatchObject([
      { code: "part-unreadable", file: "steps/part-00001.parquet" },
      { code: "part-gap", file: "steps" },
    ]);
  });

  it("parts missing beside steps.parquet: they were merged and are being removed, which is no fault", async () => {
    const run = await openRun(
      source({ ...live({ 2: stepsFile(20, 30) }), "steps.parquet": stepsFile(0, 30) }),
    );
    expect(await steps(run)).toEqual(range(0, 30));
    expect(run.warnings()).toMatchObject([{ code: "compaction-interrupted", level: "info" }]);
  });

  it("steps.parquet half written beside its parts: the parts are the run", async () => {
    const whole = stepsFile(0, 20);
    const run = await openRun(
      source({
        ...live({ 0: stepsFile(0, 10), 1: stepsFile(10, 20) }),
        "steps.parquet": whole.slice(0, 300),
      }),
    );
    expect(await steps(run)).toEqual(range(0, 20));
    expect(codes(run)).toEqual(["compaction-interrupted"]);
  });

  it("parts left beside a whole steps.parquet are not counted twice", async () => {
    const run = await openRun(
      source({ ...live({ 1: stepsFile(10, 20) }), "steps.parquet": stepsFile(0, 20) }),
    );
    expect(await steps(run, "recorded")).toEqual(range(0, 20));
    expect(codes(run)).toContain("compaction-interrupted");
  });

  it("a folder used again: parts with new steps are appended to the old steps.parquet", async () => {
    const run = await openRun(
      source({ ...live({ 0: stepsFile(100, 120) }), "steps.parquet": stepsFile(0, 60) }),
    );
    expect((await steps(run, "recorded")).length).toBe(80);
    expect(codes(run)).toEqual(["stale-compacted"]);
  });

  it("two runs' files in one folder: the older rows stand behind the newer ones", async () => {
    const at = (from: number, to: number, t: number) =>
      parquet({ step: int64(range(from, to)), timestamp: double(range(from, to).map((s) => t + s)) });
    const run = await openRun(source(live({ 0: at(0, 10, 5000), 1: at(20, 30, 1000) })));
    await run.steps.axis("merged");
    expect(codes(run)).toEqual(["mixed-attempts"]);
  });

  it("a clock that wavers is no second run", async () => {
    const run = await openRun(
      source(live({ 0: parquet({ step: int64(range(0, 6)), timestamp: double([10, 14, 11, 18, 13, 20]) }) })),
    );
    await run.steps.axis("merged");
    expect(codes(run)).toEqual([]);
  });

  it("no steps at all, and a step file that cannot be read", async () => {
    expect(codes(await openRun(source({ "manifest.json": manifest() })))).toEqual(["no-steps"]);
    const broken = await openRun(source({ ...clean, "steps.parquet": utf8.encode("<html>login</html>") }));
    expect(codes(broken)).toEqual(["steps-unreadable"]);
    expect(await steps(broken)).toEqual([]);
    expect(await broken.steps.read(["reward_mean"], "merged")).toEqual([undefined]);
    expect((await broken.samples.counts()).total).toBe(40);
  });
});

describe("repeats", () => {
  it("a closing summary row: one step, the fuller row's values kept, said without alarm", async () => {
    const file = parquet({
      step: int64([1, 2, 3, 3]),
      reward_mean: double([1, 2, 3, null]),
      "extra.train_runtime": double([null, null, null, 60]),
    });
    const run = await openRun(source({ "manifest.json": manifest(), "steps.parquet": file }));
    const [reward, runtime] = await run.steps.read(["reward_mean", "extra.train_runtime"], "merged");
    expect([...(reward?.values ?? [])]).toEqual([1, 2, 3]);
    expect(runtime?.values[2]).toBe(60);
    expect(run.warnings()).toMatchObject([{ code: "duplicate-steps", count: 1, level: "info" }]);
    expect((await run.steps.read(["reward_mean"], "recorded"))[0]?.values.length).toBe(4);
  });

  it("a run resumed from a checkpoint: said as such, with the step", async () => {
    const run = await openRun(source(live({ 0: stepsFile(0, 30), 1: stepsFile(20, 40) })));
    expect(await steps(run)).toEqual(range(0, 40));
    const [said] = run.warnings();
    expect(said).toMatchObject({ code: "duplicate-steps", count: 10, level: "warning" });
    expect(said?.detail).toContain("from step 20 on");
    expect(codes(run)).toEqual(["duplicate-steps", "unsorted-steps"]);
  });
});

describe("columns", () => {
  it("known and unknown, with dots and hostile names, Null in one part and numbers in another", async () => {
    const names = ["__proto__", "constructor", "extra.a.b.c", "extra.a", "reward_component.", "ключ"];
    const one = new Map([
      ["step", int64([0])],
      ...names.map((n, i) => [n, double([i])] as const),
      ["value_loss", nulls(1)],
    ]);
    const two = new Map([
      ["step", int64([1])],
      ["value_loss", int64([7])],
    ]);
    const run = await openRun(source(live({ 0: parquet(one), 1: parquet(two) })));
    const columns = await run.steps.read([...names, "value_loss", "nothing"], "merged");
    expect(columns.slice(0, 6).map((c) => c?.values[0])).toEqual([0, 1, 2, 3, 4, 5]);
    expect([...(columns[6]?.values ?? [])]).toEqual([Number.NaN, 7]);
    expect([...(columns[6]?.valid ?? [])]).toEqual([0, 1]);
    expect(columns[7]).toBe(undefined);
  });

  it("a column of Null type everywhere is there and empty", async () => {
    const run = await openRun(source(clean));
    const [column] = await run.steps.read(["value_loss"], "merged");
    expect(column?.valid?.every((v) => v === 0)).toBe(true);
    expect(run.steps.columns).toContainEqual({ name: "value_loss", kind: "null" });
  });

  it("tells a written NaN from nothing written", async () => {
    const run = await openRun(
      source({
        "manifest.json": manifest(),
        "steps.parquet": parquet({ step: int64([0, 1]), loss: double([Number.NaN, null]) }),
      }),
    );
    const [loss] = await run.steps.read(["loss"], "merged");
    expect([...(loss?.valid ?? [])]).toEqual([1, 0]);
  });

  it("steps as text: numbers where they are, bad rows dropped and counted", async () => {
    const run = await openRun(
      source({
        "manifest.json": manifest(),
        "steps.parquet": parquet({ step: text(["9", "10", "ten"]), loss: double([1, 2, 3]) }),
      }),
    );
    expect(await steps(run)).toEqual([9, 10]);
    expect(codes(run).sort()).toEqual(["bad-row", "coerced-type"]);
  });

  it("no step column: no rows can be placed, the rest opens", async () => {
    const run = await openRun(source({ ...clean, "steps.parquet": parquet({ x: double([1, 2, 3]) }) }));
    expect(await steps(run)).toEqual([]);
    expect((await run.steps.read(["x"], "merged"))[0]?.values.length).toBe(0);
    expect(codes(run)).toContain("missing-step-column");
  });

  it("kl_positional is a list a row, whatever its length", async () => {
    const file = parquet({ step: int64([1, 0]), kl_positional: list([[1, 2, 3], null]) });
    const run = await openRun(source({ "manifest.json": manifest(), "steps.parquet": file }));
    const merged = await run.steps.readList("kl_positional", "merged");
    expect([...(merged?.offsets ?? [])]).toEqual([0, 0, 3]);
    expect([...(merged?.values ?? [])]).toEqual([1, 2, 3]);
    expect(await run.steps.readList("reward_mean", "merged")).toBe(undefined);
  });
});

describe("ranks", () => {
  const rank = (n: number, more: Files = {}, m = manifest({ extra: { rank: n } })): Files =>
    Object.fromEntries(
      Object.entries({
        "manifest.json": m,
        "steps.parquet": stepsFile(0, 50),
        "samples/shard-00000.parquet": shard(0, 10, `r${n}_`, n),
        "events.jsonl": utf8.encode(event({ kind: "nan_detected", timestamp: 1.5, rank: n })),
        ...more,
      }).map(([p, b]) => [`rank-00${n}/${p}`, b]),
    );

  it("samples and events are merged and attributed, steps come from rank 0 alone", async () => {
    const run = await openRun(source({ ...clean, ...rank(1), ...rank(2) }));
    expect(run.ranks.map((r) => r.rank)).toEqual([0, 1, 2]);
    expect(run.steps.rowCount).toBe(50);
    expect([...(await run.samples.counts()).byRank]).toEqual([
      [0, 40],
      [1, 10],
      [2, 10],
    ]);
    expect(run.events.map((e) => [e.kind, e.rank])).toEqual([
      ["train_begin", 0],
      ["nan_detected", 1],
      ["nan_detected", 2],
      ["train_end", 0],
    ]);
    const at3 = await run.samples.inSteps(3, 3, 10);
    expect(at3.map((s) => [s.rank, s.sample_id])).toEqual([
      [0, "s3"],
      [1, "r1_3"],
      [2, "r2_3"],
    ]);
    expect(run.warnings()).toEqual([]);
  });

  it("a rank of a newer schema is left out, and said", async () => {
    const run = await openRun(
      source({ ...clean, ...rank(1), ...rank(2, {}, manifest({ schema_version: 2 })) }),
    );
    expect(run.ranks.map((r) => r.rank)).toEqual([0, 1]);
    expect(run.warnings()).toMatchObject([{ code: "newer-schema", file: "rank-002/manifest.json" }]);
  });

  it("a rank folder without a manifest is none; a file named so is a stray", async () => {
    const files: Files = {
      ...clean,
      "rank-001/samples/shard-00000.parquet": shard(0, 5),
      "rank-002": utf8.encode("x"),
    };
    const run = await openRun(source(files));
    expect(run.ranks.length).toBe(1);
    expect(codes(run)).toEqual(["rank-no-manifest", "stray-file"]);
  });

  it("a damaged shard costs its samples", async () => {
    const run = await openRun(
      source({ ...clean, ...rank(1, { "samples/shard-00000.parquet": shard(0, 10).slice(0, 700) }) }),
    );
    expect((await run.samples.counts()).total).toBe(40);
    expect(run.warnings()).toMatchObject([
      { code: "shard-unreadable", file: "rank-001/samples/shard-00000.parquet" },
    ]);
  });
});

describe("refusals", () => {
  it("name what was found", async () => {
    expect(await refusal(source({ "readme.txt": utf8.encode("hi") }))).toBe("not-a-run manifest.json no");
    expect(await refusal(source({ "steps.parquet": stepsFile(0, 5) }))).toBe("not-a-run manifest.json yes");
    expect(await refusal(source({ "steps.parquet": stepsFile(0, 5) }), true)).toBe("opened");
    expect(await refusal(source({ ...clean, "manifest.json": "directory" }))).toBe(
      "not-a-regular-file manifest.json",
    );
    expect(await refusal(source({ ...clean, "manifest.json": manifest({ schema_version: 2 }) }))).toBe(
      "newer-schema manifest.json",
    );
    expect(await refusal(source({ ...clean, "manifest.json": manifest({ schema_version: true }) }))).toBe(
      "bad-schema-version manifest.json",
    );
  });

  it("a broken manifest opens under the folder's name", async () => {
    const run = await openRun(source({ ...clean, "manifest.json": utf8.encode("{ run_id: ") }, "my-run"));
    expect(run.manifest?.run_id).toBe("my-run");
    expect(codes(run)).toEqual(["manifest-unreadable"]);
  });
});
