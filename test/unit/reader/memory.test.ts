/** What is remembered: warnings one a file and column, columns as long as their files are the same and they fit. */
import { describe, expect, it } from "vitest";
import { ColumnBuilder, ListBuilder } from "../../../src/core/reader/convert.ts";
import { isBeginning, ShardsMemory, StepsMemory } from "../../../src/core/reader/memory.ts";
import type { ParquetFile } from "../../../src/core/reader/parquetFiles.ts";
import { mergeWarnings, WarningList } from "../../../src/core/reader/warnings.ts";

const files = (count: number): ParquetFile[] =>
  Array.from({ length: count }, (_, i) => ({ path: `part-${i}`, size: 1 }) as ParquetFile);

describe("warnings", () => {
  it("are one a code, file and column, counted, with where the first was", () => {
    const { warn, list } = lists();
    warn("bad-cell", "f", "first", { column: "a", row: 4 });
    warn("bad-cell", "f", "second", { column: "a", row: 9, count: 3 });
    warn("bad-cell", "f", "other column", { column: "b" });
    warn("bad-cell", "g", "other file", { column: "a", line: 2 });
    warn("io-error", "f", "other code", { cause: "empty-file" });
    expect(list()).toEqual([
      { code: "bad-cell", file: "f", detail: "first", count: 4, level: "warning", column: "a", row: 4 },
      { code: "bad-cell", file: "f", detail: "other column", count: 1, level: "warning", column: "b" },
      { code: "bad-cell", file: "g", detail: "other file", count: 1, level: "warning", column: "a", line: 2 },
      { code: "io-error", file: "f", detail: "other code", count: 1, level: "warning", cause: "empty-file" },
    ]);
  });

  it("are as grave as the gravest", () => {
    const level = (...levels: ("info" | "warning" | undefined)[]) => {
      const { warn, list } = lists();
      for (const one of levels) warn("bom", "f", "d", one ? { level: one } : {});
      return list()[0]?.level;
    };
    expect(level("info", "info")).toBe("info");
    expect(level("info", "warning")).toBe("warning");
    expect(level("warning", "info")).toBe("warning");
    expect(level("info", undefined)).toBe("warning");
  });

  it("are of fifty files of a code one by one, of the others together", () => {
    const { warn, list } = lists();
    for (let i = 0; i < 53; i++) warn("part-unreadable", `f${i}`, "d", { count: 2 });
    warn("part-unreadable", "f7", "d");
    warn("io-error", "f60", "d");
    const all = list();
    expect(all.length).toBe(52);
    expect(all[49]).toMatchObject({ file: "f49", detail: "d", count: 2 });
    expect(all[50]).toMatchObject({ file: "", detail: "in further files", count: 6 });
    expect([all[7]?.count, all[51]?.file]).toEqual([3, "f60"]);
    const [a, b] = [new WarningList(), new WarningList()];
    a.warn("bom", "f", "d", { level: "info" });
    b.warn("bom", "f", "d", { count: 4 });
    b.warn("bom", "g", "d");
    expect(mergeWarnings([a, b]).map(({ file, count, level }) => [file, count, level])).toEqual([
      ["f", 5, "warning"],
      ["g", 1, "warning"],
    ]);
  });

  function lists() {
    const own = new WarningList();
    return { warn: own.warn, list: () => own.list() };
  }
});

describe("columns from one opening to the next", () => {
  const builder = (bytes: number) => ({ bytes }) as ColumnBuilder;
  const MB = 1024 * 1024;

  it("are taken once, while their files are the first of those that are there", () => {
    const memory = new StepsMemory();
    const [all, others] = [files(3), files(3)];
    const keep = () => memory.keep("a", { builder: new ColumnBuilder(0), files: all.slice(0, 2) });
    for (const [there, is] of [
      [all, true],
      [all.slice(0, 2), true],
      [all.slice(0, 1), false],
      [others, false],
      [[], false],
    ] as const) {
      keep();
      expect(memory.take("b", there)).toBe(null);
      expect(memory.take("a", there) !== null).toBe(is);
      expect(memory.take("a", all)).toBe(null);
    }
    expect([isBeginning([], []), isBeginning([], all), isBeginning(all, [])]).toEqual([true, true, false]);
  });

  it("are kept as far as they fit, the last used the longest", () => {
    const memory = new StepsMemory();
    const there = files(1);
    const keep = (name: string, mb: number) => memory.keep(name, { builder: builder(mb * MB), files: there });
    const left = () => ["a", "b", "c", "d"].filter((name) => memory.take(name, there) !== null);
    keep("a", 32);
    keep("b", 32);
    keep("c", 32);
    expect(left()).toEqual(["a", "b", "c"]);
    keep("a", 32);
    keep("b", 32);
    keep("a", 32);
    keep("c", 33);
    expect(left()).toEqual(["a", "c"]);
    for (const name of ["a", "b", "c"]) keep(name, 10);
    keep("d", 90);
    expect(left()).toEqual(["d"]);
    keep("a", 97);
    expect(left()).toEqual([]);
  });

  it("of lists are one, of its own name and files", () => {
    const memory = new StepsMemory();
    const there = files(2);
    const keep = () => memory.keepList("l", { builder: new ListBuilder(0, 1), files: there });
    keep();
    expect(memory.takeList("l", there)).not.toBe(null);
    expect(memory.takeList("l", there)).toBe(null);
    keep();
    expect(memory.takeList("m", there)).toBe(null);
    keep();
    expect(memory.takeList("l", files(2))).toBe(null);
  });

  it("go over to the next opening, which knows whether there was one before", () => {
    const first = new StepsMemory();
    const there = files(1);
    expect([first.goesOn, first.learned, first.handOver().goesOn]).toEqual([false, [], false]);
    first.learned = there;
    first.keep("a", { builder: new ColumnBuilder(0), files: there });
    first.newer.set(there[0] as ParquetFile, true);
    const next = first.handOver();
    expect([next.goesOn, next.learned, next.newer.size]).toEqual([true, there, 1]);
    expect(first.take("a", there)).toBe(null);
    expect(next.take("a", there)).not.toBe(null);
    next.forget();
    expect([next.learned, next.newer.size, next.warnings.list()]).toEqual([[], 0, []]);
  });
});

describe("what was said of shards", () => {
  it("holds while none of them is gone", () => {
    const first = new ShardsMemory().handOver(["a", "b"]);
    first.said.add("a");
    expect(first.handOver(["a", "b"])).toBe(first);
    expect(first.handOver(["b", "a", "c"])).toBe(first);
    expect(first.handOver(["a", "b"])).not.toBe(first);
    expect(first.handOver(["a", "b"]).said.size).toBe(0);
  });
});
