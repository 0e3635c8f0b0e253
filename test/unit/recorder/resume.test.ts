/** A recording that is continued, and one whose writer is killed at each single call of the disk. */
import { describe, expect, it } from "vitest";

import { MemorySink } from "../../../src/core/io/memory-sink.ts";
import type { RunSink } from "../../../src/core/io/sink.ts";
import { holdsRecording } from "../../../src/core/recorder/files.ts";
import { shard, stepsFile } from "../helpers/runs.ts";
import { events, logSteps, NOW, names, stepsByRlprobe, stepsByUs, type Written, writing } from "./writing.ts";

const CHANGES: ReadonlySet<string> = new Set([
  "makeFolder",
  "writeWhole",
  "createExclusive",
  "append",
  "rename",
  "remove",
  "removeFolder",
]);

class Killed extends Error {}

/** Lets so many changes happen, then none any more: the process is gone. */
function killedAfter(changes: number): (sink: MemorySink) => RunSink {
  let left = changes;
  return (sink) =>
    new Proxy(sink, {
      get(target, name) {
        const own = Reflect.get(target, name) as unknown;
        if (typeof own !== "function") return own;
        return (...args: readonly unknown[]) => {
          if (CHANGES.has(String(name)) && left-- <= 0) throw new Killed();
          return Reflect.apply(own, target, args) as unknown;
        };
      },
    });
}

/** @returns whether it was killed before it was done */
function until(work: () => void): boolean {
  try {
    work();
    return false;
  } catch (error) {
    if (error instanceof Killed) return true;
    throw error;
  }
}

function copy(of: MemorySink): MemorySink {
  const sink = new MemorySink();
  for (const [path, bytes] of of.files) {
    sink.makeFolder(path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "");
    sink.files.set(path, bytes);
  }
  return sink;
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
const again = (sink: MemorySink, more = {}): Written => writing({ resume: true, ...more }, sink);

function closed(to: number): MemorySink {
  const { sink, writer } = writing({ flushSteps: 10 });
  logSteps(writer, 0, to);
  writer.samples(1, [{ completion_text: "a" }], true, NOW);
  writer.close();
  return sink;
}

describe("a recording that is continued", () => {
  it("after it was closed goes on, and every reader has every step once, all the time", async () => {
    const sink = closed(30);
    const { writer } = again(sink, { flushSteps: 10 });
    expect(names(sink)).toEqual(["manifest.json", "samples", "steps"]);
    expect(names(sink, "steps")).toEqual(["part-00000.parquet"]);
    expect(stepsByRlprobe(sink)).toEqual(range(0, 30));
    logSteps(writer, 30, 45);
    writer.samples(31, [{ completion_text: "b" }], true, NOW);
    expect(stepsByRlprobe(sink)).toEqual(range(0, 40));
    writer.close();
    expect(names(sink)).toEqual(["events.jsonl", "manifest.json", "samples", "steps.parquet"]);
    expect(stepsByRlprobe(sink)).toEqual(range(0, 45));
    expect(await stepsByUs(sink)).toEqual(range(0, 45));
    expect(names(sink, "samples")).toEqual(["shard-00000.parquet", "shard-00001.parquet"]);
    expect(events(sink)[0]).toMatchObject({ kind: "recorder_resumed", data: { part: 1, shard: 1 } });
  });

  it("after it was killed goes on at the next numbers, and keeps its manifest", async () => {
    const { sink, writer } = writing({ flushSteps: 10 });
    logSteps(writer, 0, 25);
    sink.files.set("steps/.part-00002.unfinished", new Uint8Array(3));
    sink.files.set(".observed.attempt0.1-0.unfinished", new Uint8Array(3));
    const { writer: second } = again(sink, { flushSteps: 10, manifest: new TextEncoder().encode("{}") });
    logSteps(second, 20, 30);
    expect(names(sink, "steps")).toEqual(["part-00000.parquet", "part-00001.parquet", "part-00002.parquet"]);
    second.close();
    expect(await stepsByUs(sink)).toEqual(range(0, 30));
    expect(sink.files.get("manifest.json")?.length).toBeGreaterThan(100);
    expect(names(sink)).toContain(".observed.attempt0.1-0.unfinished");
  });

  it("while its parts were being removed does not count them twice", async () => {
    const sink = closed(30);
    sink.makeFolder("steps");
    for (const path of ["steps/part-00001.parquet", "steps/part-00002.parquet"]) {
      const { sink: parts, writer } = writing({ flushSteps: 10 });
      logSteps(writer, 0, 30);
      sink.files.set(path, parts.read(path));
    }
    const { writer } = again(sink);
    expect(stepsByRlprobe(sink)).toEqual(range(0, 30));
    logSteps(writer, 30, 31);
    writer.close();
    expect(stepsByRlprobe(sink)).toEqual(range(0, 31));
    expect(await stepsByUs(sink)).toEqual(range(0, 31));
  });

  it("keeps parts beside steps.parquet that hold something else: a folder that was used twice", () => {
    const sink = closed(30);
    sink.makeFolder("steps");
    sink.files.set("steps/part-00000.parquet", stepsFile(0, 5));
    sink.files.set("steps/part-00003.parquet", stepsFile(40, 45));
    again(sink).writer.close();
    expect([...stepsByRlprobe(sink)].sort((a, b) => a - b)).toEqual(
      [...range(0, 30), ...range(0, 5), ...range(40, 45)].sort((a, b) => a - b),
    );
  });

  it("puts steps.parquet before parts with higher numbers", () => {
    const sink = closed(30);
    sink.makeFolder("steps");
    sink.files.set("steps/part-00003.parquet", stepsFile(40, 45));
    again(sink);
    expect(names(sink, "steps")).toEqual(["part-00002.parquet", "part-00003.parquet"]);
  });

  const torn = stepsFile(0, 10).slice(0, 500);
  it("puts aside what nobody can open: the rest can be read again, by rlprobe too", async () => {
    const { sink, writer } = writing({ flushSteps: 10 });
    logSteps(writer, 0, 20);
    sink.files.set("steps/part-00002.parquet", torn);
    sink.files.set("steps.parquet", torn);
    sink.files.set("samples/shard-00000.parquet", shard(0, 3).slice(0, 99));
    const { writer: second } = again(sink);
    expect(stepsByRlprobe(sink)).toEqual(range(0, 20));
    logSteps(second, 20, 21);
    second.close();
    expect(await stepsByUs(sink)).toEqual(range(0, 21));
    expect([...sink.files.keys()].filter((path) => path.endsWith(".unreadable"))).toEqual([
      "steps/part-00002.parquet.unreadable",
      "samples/shard-00000.parquet.unreadable",
      "steps.parquet.unreadable",
    ]);
  });

  it("that is none yet is begun", async () => {
    const { sink, writer } = again(new MemorySink());
    logSteps(writer, 0, 3);
    writer.close();
    expect(names(sink)).toContain("manifest.json");
    expect(await stepsByUs(sink)).toEqual([0, 1, 2]);
  });
});

describe("whoever is killed at any call", () => {
  /** Kills at the first change, the second, and so on, until the work is done. @returns how many there were */
  async function everyKill(
    start: () => MemorySink,
    work: (sink: MemorySink, wrap: (sink: MemorySink) => RunSink) => void,
    check: (sink: MemorySink) => Promise<void>,
  ): Promise<number> {
    for (let changes = 0; ; changes++) {
      const sink = copy(start());
      const isKilled = until(() => work(sink, killedAfter(changes)));
      await check(sink);
      if (!isKilled) return changes;
    }
  }

  const closeWith = (steps: number) => (sink: MemorySink, wrap: (sink: MemorySink) => RunSink) => {
    const { writer } = writing({ resume: true, flushSteps: 10 }, sink, wrap);
    logSteps(writer, 30, 30 + steps);
    writer.close();
  };

  /** All 30 old steps, and of the new ones those up to some flush, each once. */
  async function isWhole(sink: MemorySink, most: number): Promise<void> {
    for (const steps of [stepsByRlprobe(sink), await stepsByUs(sink)]) {
      expect(steps).toEqual(range(0, steps.length));
      expect(steps.length).toBeGreaterThanOrEqual(30);
      expect(steps.length).toBeLessThanOrEqual(most);
    }
  }

  it("leaves a closed recording whole that it continues and closes", async () => {
    const start = closed(30);
    const changes = await everyKill(
      () => start,
      closeWith(25),
      (sink) => isWhole(sink, 55),
    );
    expect(changes).toBeGreaterThan(12);
  });

  it("leaves a killed recording whole that it continues and closes", async () => {
    const { sink: start, writer } = writing({ flushSteps: 10 });
    logSteps(writer, 0, 30);
    await everyKill(
      () => start,
      closeWith(25),
      (sink) => isWhole(sink, 55),
    );
  });

  it("can be followed by another one that is killed too", async () => {
    const start = closed(30);
    await everyKill(
      () => start,
      closeWith(15),
      async (sink) => {
        // Whatever the first kill left: the second continues it, is killed at each call, and the third closes.
        await everyKill(
          () => sink,
          (folder, wrap) => {
            writing({ resume: true, flushSteps: 10 }, folder, wrap).writer.close();
          },
          async (folder) => {
            await isWhole(folder, 45);
            again(folder).writer.close();
            await isWhole(folder, 45);
          },
        );
      },
    );
  });
});

describe("a folder holds a recording", () => {
  const holds: [what: string, files: readonly string[], does: boolean][] = [
    ["with a manifest", ["manifest.json"], true],
    ["with events", ["events.jsonl"], true],
    ["with merged steps", ["steps.parquet"], true],
    ["with a part", ["steps/part-00004.parquet"], true],
    ["with a shard", ["samples/shard-00000.parquet"], true],
    ["not with other ranks", ["rank-001/manifest.json"], false],
    ["not with run records", ["observed.attempt0.json", "metrics.json", "doctor.toml"], false],
    ["not with something else in folders of these names", ["steps/notes.txt", "samples/a.parquet"], false],
    ["not when empty", [], false],
  ];
  it.each(holds)("%s", (_what, files, does) => {
    const sink = new MemorySink();
    for (const file of files) sink.files.set(file, new Uint8Array(1));
    expect(holdsRecording(sink)).toBe(does);
  });
});
