import { describe, expect, it } from "vitest";
import type { MemorySink } from "../../../src/core/io/memory-sink.ts";
import { type RunSink, SinkError } from "../../../src/core/io/sink.ts";
import { decodeTable } from "../../../src/core/recorder/encode.ts";
import { double, int64, parquet, text } from "../helpers/parquet.ts";
import {
  column,
  events,
  logSteps,
  MANIFEST,
  NOW,
  names,
  numbers,
  open,
  stepsByUs,
  writing,
} from "./writing.ts";

/** A sink of which some calls fail. */
function failing(sink: MemorySink, fails: (call: string, path: string) => SinkError | null): RunSink {
  return new Proxy(sink, {
    get(target, name) {
      const own = Reflect.get(target, name) as unknown;
      if (typeof own !== "function") return own;
      return (...args: readonly unknown[]) => {
        const error = fails(String(name), String(args[0]));
        if (error) throw error;
        return Reflect.apply(own, target, args) as unknown;
      };
    },
  });
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
const kinds = (sink: MemorySink) => events(sink).map(({ kind }) => kind);

describe("a recording", () => {
  it("begins with manifest and sample folder; a part holds 200 steps; closing merges the parts", async () => {
    const { sink, writer } = writing();
    expect(names(sink)).toEqual(["manifest.json", "samples"]);
    expect(sink.files.get("manifest.json")).toEqual(MANIFEST);
    logSteps(writer, 0, 450);
    expect(names(sink, "steps")).toEqual(["part-00000.parquet", "part-00001.parquet"]);
    expect(await stepsByUs(sink)).toEqual(range(0, 400));
    writer.close();
    expect(names(sink)).toEqual(["manifest.json", "samples", "steps.parquet"]);
    expect(await stepsByUs(sink)).toEqual(range(0, 450));
    expect(numbers(column(sink, "steps.parquet", "reward_mean"))).toEqual(range(0, 450).map((s) => s / 10));
  });

  it("flushes what waits after five seconds, and at once what comes after a longer silence", () => {
    const { sink, writer, clock } = writing();
    expect(writer.dueIn).toBeNull();
    logSteps(writer, 0, 3);
    expect(writer.dueIn).toBe(5);
    clock.seconds = 4.5;
    writer.settle();
    expect(names(sink, "steps")).toEqual([]);
    expect(writer.dueIn).toBe(0.5);
    clock.seconds = 5;
    writer.settle();
    expect(names(sink, "steps")).toEqual(["part-00000.parquet"]);
    expect(writer.dueIn).toBeNull();
    clock.seconds = 100;
    logSteps(writer, 3, 4);
    writer.settle();
    expect(names(sink, "steps")).toHaveLength(2);
  });

  it("has every column of the format in every part, those without a value as Null, in rlprobe's order", () => {
    const { sink, writer } = writing();
    writer.step(1, { nan_count: 1, kl_positional: [1, 2], mine: 3, reward_components: { b: 1 } }, null, NOW);
    writer.step(2, { reward_components: { a: 1 } }, null, NOW);
    writer.flush();
    const { columns } = decodeTable(sink.read("steps/part-00000.parquet")) ?? {};
    const kindsOf = new Map([...(columns ?? [])].map(([name, { kind }]) => [name, kind]));
    expect([...kindsOf.keys()].slice(0, 5)).toEqual([
      "step",
      "timestamp",
      "rank",
      "reward_mean",
      "reward_std",
    ]);
    expect([...kindsOf.keys()].slice(-3)).toEqual(["reward_component.b", "extra.mine", "reward_component.a"]);
    expect(kindsOf.size).toBe(3 + 37 + 3);
    expect(["step", "nan_count", "timestamp", "kl_positional", "kl_mean"].map((n) => kindsOf.get(n))).toEqual(
      ["int64", "int64", "double", "doubles", "null"],
    );
  });

  it("merges parts of which the same column is null, whole numbers and doubles", async () => {
    const { sink, writer } = writing({ flushSteps: 1 });
    writer.step(0, {}, null, NOW);
    writer.step(1, { kl_positional: [1], reward_mean: Number.NaN }, null, NOW);
    writer.step(2, { kl_positional: [], reward_mean: 2, late: 1 }, null, NOW);
    writer.step(3, { kl_positional: [2, 3] }, null, NOW);
    writer.close();
    const table = decodeTable(sink.read("steps.parquet"));
    expect(table?.columns.get("reward_mean")).toMatchObject({
      kind: "double",
      values: { 1: Number.NaN, 2: 2 },
      valid: Uint8Array.of(0, 1, 1, 0),
    });
    expect(table?.columns.get("kl_positional")).toEqual({
      kind: "doubles",
      values: Float64Array.of(1, 2, 3),
      offsets: Int32Array.of(0, 0, 1, 1, 3),
      valid: Uint8Array.of(0, 1, 1, 1),
    });
    expect(table?.columns.get("extra.late")?.kind).toBe("double");
    expect((await open(sink)).warnings().map(({ code }) => code)).toEqual([]);
  });

  it("merges another writer's whole numbers with doubles, and leaves parts that do not go together", async () => {
    const { sink } = writing();
    sink.makeFolder("steps");
    sink.files.set("steps/part-00000.parquet", parquet({ step: int64([0]), "extra.n": int64([7]) }));
    sink.files.set("steps/part-00001.parquet", parquet({ step: int64([1]), "extra.n": double([0.5]) }));
    writing({ resume: true }, sink).writer.close();
    expect(numbers(column(sink, "steps.parquet", "extra.n"))).toEqual([7, 0.5]);
    sink.makeFolder("steps");
    sink.files.set("steps/part-00005.parquet", parquet({ step: int64([9]), "extra.n": text(["a"]) }));
    writing({ resume: true }, sink).writer.close();
    expect(names(sink, "steps")).toEqual(["part-00004.parquet", "part-00005.parquet"]);
    expect(events(sink).at(-1)?.kind).toBe("recorder_parts_kept");
    expect(await stepsByUs(sink)).toEqual([0, 1, 9]);
  });

  it("without a step has no step files", () => {
    const { sink, writer } = writing();
    writer.close();
    expect(names(sink)).toEqual(["manifest.json", "samples"]);
  });
});

describe("samples", () => {
  const completions = (n: number, more: object = {}) =>
    Array.from({ length: n }, (_, i) => ({ completion_text: `c${i}`, reward_total: i, ...more }));

  it("are chosen, tagged and put into shards of what a flush had", async () => {
    const { sink, writer } = writing();
    writer.samples(1, completions(16), true, NOW);
    writer.samples(2, completions(3), true, NOW);
    writer.samples(3, completions(12), false, NOW);
    writer.flush();
    expect(names(sink, "samples")).toEqual(["shard-00000.parquet"]);
    const rows = await (await open(sink)).samples.inSteps(0, 10, 100);
    const reasons = (step: number) => rows.filter((r) => r.step === step).map((r) => r.capture_reason);
    expect(reasons(1).filter((r) => r === "top_k")).toHaveLength(2);
    expect(reasons(1).filter((r) => r === "random")).toHaveLength(4);
    expect(reasons(1)).toHaveLength(8);
    expect(reasons(2)).toEqual(["all", "all", "all"]);
    expect(reasons(3)).toEqual(new Array(12).fill("all"));
    expect(rows.find((r) => r.step === 1)?.sample_id).toBe("1_0");
  });

  it("of a replay keep the reason that they had, also none", async () => {
    const { sink, writer } = writing();
    const given = [{ capture_reason: "top_k" }, { capture_reason: null }, {}];
    writer.samples(1, given, false, NOW);
    writer.samples(2, [{ capture_reason: "top_k" }], true, NOW);
    writer.close();
    const rows = await (await open(sink)).samples.inSteps(0, 10, 100);
    expect(rows.map((r) => r.capture_reason)).toEqual(["top_k", null, "all", "all"]);
  });

  it("fill a shard with 4096 at most", async () => {
    const { sink, writer } = writing({ flushSteps: 1e6 });
    for (let step = 0; step < 1000; step++) writer.samples(step, completions(9), false, NOW);
    writer.close();
    expect(names(sink, "samples")).toHaveLength(3);
    expect((await (await open(sink)).samples.counts()).total).toBe(9000);
  });

  it("that are none cost themselves, not their call", async () => {
    const { sink, writer } = writing();
    writer.samples(1, [{ completion_text: "good" }, 5, { prompt_text: {} }], true, NOW);
    writer.samples(2, "text", true, NOW);
    writer.close();
    expect((await (await open(sink)).samples.counts()).total).toBe(1);
    expect(events(sink).map(({ message }) => message)).toEqual([
      "sample 1 dropped: the sample is a number, not an object",
      "sample 2 dropped: prompt_text is an object, not text",
      "samples dropped: samples is text, not a list",
    ]);
  });
});

describe("events", () => {
  it("are on the disk with the next settling, and say what they were given", () => {
    const { sink, writer } = writing({ rank: 3 });
    writer.event({ kind: "checkpoint", step: 5n, message: "m", data: { path: "a\nb" }, timestamp: 7 }, NOW);
    writer.event({ kind: "later", timestamp: Number.NaN }, NOW);
    expect(events(sink)).toEqual([]);
    writer.settle();
    expect(events(sink)).toEqual([
      { timestamp: 7, kind: "checkpoint", step: 5, rank: 3, message: "m", data: { path: "a\nb" } },
      { timestamp: NOW, kind: "later", step: null, rank: 3, message: "", data: {} },
    ]);
  });

  const bad: [what: string, event: { kind: unknown; step?: unknown; message?: unknown; data?: unknown }][] = [
    ["a kind that is no text", { kind: 5 }],
    ["a step that is none", { kind: "k", step: 1.5 }],
    ["a message that is no text", { kind: "k", message: {} }],
    ["data that is a list", { kind: "k", data: [1] }],
  ];
  it.each(bad)("%s is a bad record", (_what, event) => {
    const { sink, writer } = writing();
    writer.event(event, NOW);
    writer.settle();
    expect(kinds(sink)).toEqual(["bad_record"]);
  });

  it("about bad records end somewhere: the rest is counted", () => {
    const { sink, writer } = writing({ flushSteps: 1e6 });
    for (let i = 0; i < 300; i++) writer.step(i, { reward_mean: "bad" }, null, NOW);
    writer.close();
    expect(events(sink)).toHaveLength(257);
    expect(events(sink).at(-1)).toMatchObject({ kind: "bad_record", data: { count: 44 } });
    expect(events(sink)[7]).toMatchObject({
      step: 7,
      message: "step dropped: reward_mean is text, not a number",
    });
  });

  it("say drops once for each flush that saw some", () => {
    const { sink, writer, drops } = writing();
    drops.calls = 5;
    writer.flush();
    writer.flush();
    drops.calls = 7;
    writer.close();
    expect(events(sink).map(({ kind, data, message }) => [kind, data, message])).toEqual([
      ["recorder_drops", { count: 5 }, "5 records dropped (queue full)"],
      ["recorder_drops", { count: 2 }, "2 records dropped (queue full)"],
    ]);
  });

  it("end a line that was torn before they write theirs", () => {
    const { sink } = writing();
    sink.append("events.jsonl", new TextEncoder().encode('{"timestamp": 1, "ki'));
    const { writer } = writing({}, sink);
    writer.event({ kind: "after" }, NOW);
    writer.settle();
    const lines = new TextDecoder().decode(sink.files.get("events.jsonl")).split("\n");
    expect(lines[0]).toBe('{"timestamp": 1, "ki');
    expect(lines.slice(1, -1).map((line) => (JSON.parse(line) as { kind: string }).kind)).toEqual(["after"]);
  });

  it.each([
    [
      "is taken out when the recording is continued: rlprobe would read none of the file",
      '{"timestamp": 1, "ki',
    ],
    ["stays when only its end of line is missing", '{"kind":"whole"}'],
  ])("of which the last is torn: it %s", (_what, torn) => {
    const { sink, writer: first } = writing();
    first.event({ kind: "before" }, NOW);
    first.settle();
    sink.append("events.jsonl", new TextEncoder().encode(torn));
    const { writer } = writing({ resume: true }, sink);
    writer.close();
    const isWhole = torn.endsWith("}");
    expect(kinds(sink)).toEqual(["before", ...(isWhole ? ["whole"] : []), "recorder_resumed"]);
    const aside = sink.files.get("events.jsonl.unreadable");
    expect(aside && new TextDecoder().decode(aside)).toBe(isWhole ? undefined : torn);
  });

  it("that were half appended when the disk failed are written once", () => {
    let isFailing = true;
    const { sink, writer } = writing({}, undefined, (memory) => {
      const append = memory.append.bind(memory);
      memory.append = (path, bytes) => {
        if (!isFailing) return append(path, bytes);
        append(path, bytes.slice(0, bytes.indexOf(10) + 5));
        throw new SinkError("no-space", path, "ENOSPC");
      };
      return memory;
    });
    writer.event({ kind: "first" }, NOW);
    writer.event({ kind: "second" }, NOW);
    writer.settle();
    isFailing = false;
    writer.flush();
    const text = new TextDecoder().decode(sink.files.get("events.jsonl"));
    expect(text.match(/"first"/g)).toHaveLength(1);
    expect(text.match(/"second"/g)).toHaveLength(1);
  });
});

describe("a disk that takes nothing", () => {
  const full = (_call: string, path: string) => new SinkError("no-space", path, "ENOSPC");
  const onlyWrites = (call: string, path: string) =>
    ["writeWhole", "append", "createExclusive", "makeFolder"].includes(call) ? full(call, path) : null;

  it("costs nothing once it takes something again, and is said", async () => {
    let isFull = true;
    const { sink, writer, drops } = writing({}, undefined, (memory) =>
      failing(memory, (call, path) => (isFull ? onlyWrites(call, path) : null)),
    );
    writer.event({ kind: "train_begin" }, NOW);
    logSteps(writer, 0, 500);
    expect(writer.problem).toMatchObject({ code: "no-space" });
    isFull = false;
    writer.close();
    expect(writer.problem).toBeNull();
    expect(await stepsByUs(sink)).toEqual(range(0, 500));
    expect(kinds(sink)).toEqual(["recorder_failure", "train_begin"]);
    expect(events(sink)[0]?.message).toBe("the folder cannot be written (ENOSPC); tried again");
    expect(drops.calls).toBe(0);
  });

  it("is asked again every five seconds, by itself", async () => {
    let isFull = true;
    const { sink, writer, clock } = writing({}, undefined, (memory) =>
      failing(memory, (call, path) => (isFull ? onlyWrites(call, path) : null)),
    );
    logSteps(writer, 0, 1);
    writer.flush();
    isFull = false;
    expect(writer.dueIn).toBe(5);
    clock.seconds = 5;
    writer.settle();
    expect(await stepsByUs(sink)).toEqual([0]);
  });

  it("is waited for up to a bound: then the newest are dropped and counted", async () => {
    let isFull = true;
    const { sink, writer, drops } = writing({ keep: 300 }, undefined, (memory) =>
      failing(memory, (call, path) => (isFull ? onlyWrites(call, path) : null)),
    );
    logSteps(writer, 0, 1000);
    isFull = false;
    writer.close();
    expect(await stepsByUs(sink)).toEqual(range(0, 300));
    expect(drops.calls).toBe(700);
    const said = events(sink).filter(({ kind }) => kind === "recorder_drops");
    expect(said.reduce((sum, { data }) => sum + Number(data["count"]), 0)).toBe(700);
  });

  it("to the end loses what waits, which is counted, and throws nothing", () => {
    const { writer, drops } = writing({}, undefined, (memory) => failing(memory, onlyWrites));
    logSteps(writer, 0, 10);
    writer.samples(1, [{}], true, NOW);
    writer.close();
    expect(drops.calls).toBe(11);
    expect(writer.problem).toMatchObject({ code: "no-space", file: "" });
  });

  it("while parts are merged leaves the parts", async () => {
    const { sink, writer } = writing({}, undefined, (memory) =>
      failing(memory, (call, path) =>
        path === "steps.parquet" && call === "writeWhole" ? full(call, path) : null,
      ),
    );
    logSteps(writer, 0, 300);
    writer.close();
    expect(names(sink, "steps")).toHaveLength(2);
    expect(await stepsByUs(sink)).toEqual(range(0, 300));
  });
});

describe("a folder", () => {
  it("that is removed is made again, and what comes afterwards is recorded", async () => {
    const { sink, writer } = writing();
    logSteps(writer, 0, 200);
    for (const path of [...sink.files.keys()]) sink.remove(path);
    for (const folder of ["steps", "samples", ""]) sink.removeFolder(folder);
    logSteps(writer, 200, 210);
    writer.event({ kind: "checkpoint" }, NOW);
    writer.close();
    expect(names(sink)).toEqual(["events.jsonl", "manifest.json", "samples", "steps.parquet"]);
    expect(await stepsByUs(sink)).toEqual(range(200, 210));
    expect(kinds(sink)).toEqual(["checkpoint"]);
  });

  it("that another recording took is left alone", () => {
    const { sink: other } = writing();
    other.files.set("manifest.json", new TextEncoder().encode("{}"));
    const { sink, writer, drops } = writing({}, other);
    logSteps(writer, 0, 250);
    writer.event({ kind: "k" }, NOW);
    writer.close();
    expect(writer.problem).toMatchObject({ code: "exists", file: "manifest.json" });
    expect(names(sink)).toEqual(["manifest.json", "samples"]);
    expect(drops.calls).toBe(251);
  });
});
