/** Both sinks keep the same promises; the one on a disk keeps some more. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { MemorySink } from "../../../src/core/io/memory-sink.ts";
import { nodeSink } from "../../../src/core/io/node-sink.ts";
import { type RunSink, SinkError, UNFINISHED, unfinishedName } from "../../../src/core/io/sink.ts";

const temporary = fs.mkdtempSync(path.join(os.tmpdir(), "fd-sink-"));
afterAll(() => fs.rmSync(temporary, { recursive: true, force: true }));

let count = 0;
const newFolder = () => path.join(temporary, `a/b-${count++}`);
const bytes = (text: string) => new TextEncoder().encode(text);
const textOf = (sink: RunSink, file: string) => new TextDecoder().decode(sink.read(file));

function code(work: () => void): string {
  try {
    work();
    return "none";
  } catch (error) {
    return error instanceof SinkError ? `${error.code} ${error.file}` : String(error);
  }
}

const sinks: [what: string, make: () => RunSink][] = [
  ["in memory", () => new MemorySink()],
  ["on a disk", () => nodeSink(newFolder())],
];

describe.each(sinks)("a sink %s", (_what, make) => {
  it("makes folders with those above them, and leaves what is there", () => {
    const sink = make();
    sink.makeFolder("x/y");
    sink.writeWhole("x/y/a", bytes("1"));
    sink.makeFolder("x/y");
    expect(sink.list("")).toEqual(["x"]);
    expect(sink.list("x/y")).toEqual(["a"]);
    expect(sink.list("missing")).toEqual([]);
  });

  it("writes whole files, over what was there", () => {
    const sink = make();
    sink.makeFolder("");
    sink.writeWhole("a", bytes("long text"));
    sink.writeWhole("a", bytes("short"));
    expect(textOf(sink, "a")).toBe("short");
    expect(sink.list("")).toEqual(["a"]);
  });

  it("creates only what is not there", () => {
    const sink = make();
    sink.makeFolder("");
    sink.createExclusive("a", bytes("first"));
    expect(code(() => sink.createExclusive("a", bytes("second")))).toBe("exists a");
    expect(textOf(sink, "a")).toBe("first");
    expect(sink.list("")).toEqual(["a"]);
  });

  it("appends, to what is not there too", () => {
    const sink = make();
    sink.makeFolder("");
    sink.append("a", bytes("one\n"));
    sink.append("a", bytes("two\n"));
    expect(textOf(sink, "a")).toBe("one\ntwo\n");
    expect(new TextDecoder().decode(sink.read("a", 4, 3))).toBe("two");
    expect(sink.read("a", 6, 100)).toHaveLength(2);
    expect(sink.read("a", 99)).toHaveLength(0);
    expect([sink.size("a"), sink.size("missing")]).toEqual([8, null]);
  });

  it("renames over what was there, and removes", () => {
    const sink = make();
    sink.makeFolder("x");
    sink.writeWhole("a", bytes("a"));
    sink.writeWhole("x/b", bytes("b"));
    sink.rename("a", "x/b");
    expect(textOf(sink, "x/b")).toBe("a");
    sink.removeFolder("x");
    expect(sink.list("")).toEqual(["x"]);
    sink.remove("x/b");
    sink.remove("x/b");
    sink.removeFolder("x");
    sink.removeFolder("x");
    expect(sink.list("")).toEqual([]);
  });

  it("says what is missing, relative to the run", () => {
    const sink = make();
    sink.makeFolder("");
    const calls = [
      () => sink.writeWhole("no/a", bytes("")),
      () => sink.createExclusive("no/a", bytes("")),
      () => sink.append("no/a", bytes("")),
      () => void sink.read("no/a"),
      () => sink.rename("no/a", "b"),
    ];
    expect(calls.map(code)).toEqual(new Array(5).fill("not-found no/a"));
  });
});

describe("a sink on a disk", () => {
  it("leaves nothing half written when a folder takes a file's place", () => {
    const folder = newFolder();
    const sink = nodeSink(folder);
    sink.makeFolder("a/full");
    expect(code(() => sink.writeWhole("a", bytes("x")))).toMatch(
      /^(io-error|not-found|permission-denied|exists) a$/,
    );
    expect(fs.readdirSync(folder)).toEqual(["a"]);
  });

  it("never opens what is no regular file", () => {
    const sink = nodeSink(newFolder());
    sink.makeFolder("a");
    expect(code(() => void sink.read("a"))).toMatch(/^io-error a$/);
    expect(code(() => sink.append("a", bytes("x")))).toMatch(/^io-error a$/);
    expect(sink.size("a")).toBeNull();
  });

  it("writes over what a killed writer left under its dot-name", () => {
    const folder = newFolder();
    const sink = nodeSink(folder);
    sink.makeFolder("steps");
    fs.writeFileSync(path.join(folder, unfinishedName("steps/part-00000.parquet")), "half");
    sink.writeWhole("steps/part-00000.parquet", bytes("whole"));
    expect(sink.list("steps")).toEqual(["part-00000.parquet"]);
  });
});

it("names of unfinished files are hidden and end like no file that a reader takes", () => {
  const names = ["manifest.json", "steps/part-00001.parquet", "events.jsonl"].map((name) =>
    unfinishedName(name),
  );
  expect(names).toEqual([".manifest.unfinished", "steps/.part-00001.unfinished", ".events.unfinished"]);
  for (const name of names) expect(UNFINISHED.test(path.posix.basename(name))).toBe(true);
  expect(UNFINISHED.test("part-00001.parquet")).toBe(false);
});
