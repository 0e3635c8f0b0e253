/** Runs that documents and hovers read: opened once, kept for a while, given back; and samples found by what names them. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { findSample, groupOf, sampleOfRow } from "../../../src/host/samples/find.ts";
import { RunReader } from "../../../src/host/samples/reader.ts";
import { searchRows } from "../../../src/host/samples/search.ts";
import { ProblemError, problemOf } from "../../../src/protocol/rpc.ts";
import { parseQuery } from "../../../src/view/sample-query.ts";

vi.mock("vscode", async () => await import("./l10n.ts"));

type Answers = Record<string, (params: never) => unknown>;

/** A pool that takes down what is opened, asked and given back. */
function setup(answers: Answers) {
  const log: string[] = [];
  const pool = {
    acquire: async (dir: string) => {
      log.push(`open ${dir}`);
      if (dir === "/refused") return { state: "refused", problem: problemOf("no-run", "No run.", {}) };
      const run = {
        call: async (method: string, params: never) => {
          log.push(method);
          return answers[method]?.(params);
        },
      };
      return { state: "run", lease: { run, release: () => log.push(`close ${dir}`) } };
    },
  };
  return { reader: new RunReader(() => pool as never), log };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a reader of runs", () => {
  it("opens a run once for many questions, and gives it back when nobody asked for a while", async () => {
    const { reader, log } = setup({ "run.overview": () => "overview" });
    await Promise.all([reader.call("/r", "run.overview", {}), reader.call("/r", "run.overview", {})]);
    await vi.advanceTimersByTimeAsync(15_000);
    await reader.call("/r", "run.overview", {});
    await vi.advanceTimersByTimeAsync(15_000);
    expect(log).toEqual(["open /r", "run.overview", "run.overview", "run.overview"]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(log.at(-1)).toBe("close /r");
    await reader.call("/r", "run.overview", {});
    expect(log.filter((each) => each === "open /r")).toHaveLength(2);
  });

  it("keeps a few runs only, and none after its end", async () => {
    const { reader, log } = setup({});
    for (const dir of ["/1", "/2", "/3", "/4", "/5", "/6"]) await reader.call(dir, "run.overview", {});
    expect(log.filter((each) => each.startsWith("close"))).toEqual(["close /1", "close /2"]);
    reader.dispose();
    await vi.advanceTimersByTimeAsync(0);
    expect(log.filter((each) => each.startsWith("close"))).toHaveLength(6);
  });

  it("says why a run cannot be read, and looks again next time", async () => {
    const { reader, log } = setup({});
    for (let i = 0; i < 2; i++)
      await expect(reader.call("/refused", "run.overview", {})).rejects.toBeInstanceOf(ProblemError);
    expect(log).toEqual(["open /refused", "open /refused"]);
  });

  it("waits for the index to its end", async () => {
    const seen: number[] = [];
    const { reader } = setup({
      "samples.state": ({ seen: at }: { seen: number }) => {
        seen.push(at);
        return { read: at + 2, done: at >= 3 };
      },
    });
    await reader.whenIndexed("/r");
    expect(seen).toEqual([-1, 1, 3]);
  });
});

interface Recorded {
  readonly rank: number;
  readonly step: string;
  readonly id: string;
  readonly file: string;
  readonly fileRow: number;
  readonly reward?: number | null;
}

/** Samples of a run that answers as a worker does. */
function recorded(all: readonly Recorded[]) {
  const rows = all.map((each, row) => ({ reward: 0, group: "g", place: { size: all.length }, ...each, row }));
  return setup({
    "samples.state": () => ({ read: 1, done: true }),
    "samples.detail": ({ row }: { row: number }) => rows[row] ?? null,
    "samples.find": ({ rank, step, id }: { rank: number; step: number; id: string }) => {
      const found = rows.filter((s) => s.rank === rank && Number(s.step) === step && s.id === id);
      return { row: found[0]?.row ?? null, count: found.length };
    },
    "samples.list": ({ order, offset, limit }: { order: { by: string }; offset: number; limit: number }) => {
      const has = rows.filter(({ reward }) => order.by === "row" || reward !== null);
      return {
        total: has.length,
        without: rows.length - has.length,
        rows: has.slice(offset, offset + limit),
      };
    },
  });
}

const at = (id: string, fileRow: number, more: Partial<Recorded> = {}): Recorded => ({
  ...{ rank: 0, step: "5", id, file: "samples/shard-00000.parquet", fileRow },
  ...more,
});

describe("a sample", () => {
  const ref = { rank: 0, step: "5", id: "a", file: "samples/shard-00000.parquet", row: 1 };

  it("is found by its name, wherever it lies by now", async () => {
    const { reader } = recorded([at("b", 0), at("a", 0, { file: "samples/shard-00009.parquet" })]);
    expect(await findSample(reader, "/r", ref, 0)).toMatchObject({ row: 1 });
    expect(await findSample(reader, "/r", { ...ref, id: "gone" }, 0)).toBeNull();
  });

  it("of a name that others have is told by its place, and else the first is taken", async () => {
    const { reader } = recorded([at("a", 0), at("a", 1), at("a", 2)]);
    expect(await findSample(reader, "/r", ref, 0)).toMatchObject({ row: 1 });
    expect(await findSample(reader, "/r", { ...ref, row: 99 }, 0)).toMatchObject({ row: 0 });
  });

  it("without a name in its address is found by its place alone", async () => {
    const { reader } = recorded([at("x", 0), at("y", 1)]);
    expect(await findSample(reader, "/r", { ...ref, id: null }, 0)).toMatchObject({ id: "y" });
    expect(await findSample(reader, "/r", { ...ref, id: null, row: 9 }, 0)).toBeNull();
  });

  it("whose row is another one's by now is looked for", async () => {
    const { reader } = recorded([at("new", 0), at("a", 1)]);
    expect(await sampleOfRow(reader, "/r", { row: 0, rank: 0, step: "5", id: "a" })).toMatchObject({
      row: 1,
    });
    expect(await sampleOfRow(reader, "/r", { row: 1, rank: 0, step: "5", id: "a" })).toMatchObject({
      row: 1,
    });
  });

  it("has a group with those that have no reward at its end", async () => {
    const { reader } = recorded([at("a", 0, { reward: null }), at("b", 1), at("c", 2)]);
    const sample = await findSample(reader, "/r", { ...ref, id: "b" }, 0);
    const group = sample ? await groupOf(reader, "/r", sample, 10) : [];
    expect(group.map(({ id }) => id)).toEqual(["b", "c", "a"]);
  });
});

it("a search is asked on until it is done, and says how far it is", async () => {
  const after: number[] = [];
  const { reader } = setup({
    "samples.search": ({ after: from }: { after: number }) => {
      after.push(from);
      const next = from < 20 ? from + 10 : null;
      return { rows: Uint32Array.of(from, from + 1), next, searched: from + 10, of: 30 };
    },
  });
  const parsed = parseQuery("wheel");
  const told: number[] = [];
  if ("fault" in parsed) throw new Error(parsed.fault);
  const rows = await searchRows(reader, "/r", parsed.query, {
    onProgress: (searched) => told.push(searched),
  });
  expect([...rows]).toEqual([0, 1, 10, 11, 20, 21]);
  expect(after).toEqual([0, 10, 20]);
  expect(told).toEqual([10, 20, 30]);
});
