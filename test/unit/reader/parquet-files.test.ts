/** Columns over many files: what cannot be read costs its own file and column, and as few readings are made as can be. */
import { describe, expect, it } from "vitest";
import type { ByteRange, RunSource } from "../../../src/core/io/source.ts";
import { FooterError } from "../../../src/core/reader/footer.ts";
import {
  firstFault,
  openParquet,
  type ParquetFile,
  readColumns,
} from "../../../src/core/reader/parquetFiles.ts";
import { locked } from "../helpers/altered.ts";
import { type Cells, double, int64, parquet } from "../helpers/parquet.ts";
import { type Files, range, source } from "../helpers/runs.ts";

const utf8 = (words: string): Uint8Array => new TextEncoder().encode(words);
const N = Number.NaN;

async function opened(files: Files): Promise<ParquetFile[]> {
  const inner = source(files);
  return Promise.all(
    Object.entries(files).map(([path, bytes]) => openParquet(inner, path, (bytes as Uint8Array).length)),
  );
}

interface Found {
  readonly columns: Record<string, number[]>;
  readonly faults: string[];
  readonly asked: ByteRange[][];
}

/** Reads columns of numbers; a row that was neither given nor called missing is −1. */
async function read(
  files: Files,
  names: readonly string[],
  {
    change = (inner: RunSource) => inner,
    known = files,
  }: { change?: (inner: RunSource) => RunSource; known?: Files } = {},
): Promise<Found> {
  const all = await opened(known);
  const rows = all.reduce((n, file) => n + file.footer.rows, 0);
  const columns = Object.fromEntries(names.map((name) => [name, new Array<number>(rows).fill(-1)]));
  const faults: string[] = [];
  const asked: ByteRange[][] = [];
  const inner = change(source(files));
  const counted: RunSource = {
    ...inner,
    readRanges: (path, ranges) => {
      asked.push([...ranges]);
      return inner.readRanges(path, ranges);
    },
  };
  await readColumns(counted, all, names, () => true, {
    append: (name, vector, row) => {
      for (let i = 0; i < vector.length; i++)
        (columns[name] as number[])[row + i] = Number(vector.get(i) ?? N);
    },
    nulls: (name, row, count) => (columns[name] as number[]).fill(N, row, row + count),
    fault: (name, file, code) => faults.push(`${code} ${file.path} ${name}`),
  });
  return { columns, faults, asked };
}

const three = (more: (n: number) => Record<string, Cells> = () => ({})): Files =>
  Object.fromEntries(
    range(0, 3).map((n) => [
      `f${n}`,
      parquet({ a: int64([n * 10, n * 10 + 1]), b: double([n, n + 0.5]), ...more(n) }),
    ]),
  );
const A = [0, 1, 10, 11, 20, 21];
const B = [0, 0.5, 1, 1.5, 2, 2.5];

/** The same files with some bytes of a column's chunk in one of them spoilt. */
async function spoilt(
  files: Files,
  path: string,
  name: string,
  spoil: (chunk: Uint8Array) => void,
): Promise<Files> {
  const bytes = (files[path] as Uint8Array).slice();
  const [file] = await opened({ [path]: bytes });
  const leaf = [...(file as ParquetFile).footer.columns.keys()].indexOf(name);
  const group = file?.footer.rowGroups[0];
  const start = group?.start(leaf) ?? 0;
  spoil(bytes.subarray(start, start + (group?.compressed(leaf) ?? 0)));
  return { ...files, [path]: bytes };
}

describe("columns of many files", () => {
  it("are there row by row, missing where a file lacks them", async () => {
    const files = three((n) => (n === 1 ? { c: double([7, 8]) } : {}));
    const { columns, faults } = await read(files, ["b", "c", "a", "none"]);
    expect(columns).toEqual({ b: B, c: [N, N, 7, 8, N, N], a: A, none: new Array(6).fill(N) });
    expect(faults).toEqual([]);
  });

  it("lose a file's column whose page headers are damaged, and nothing else", async () => {
    for (const path of ["f0", "f1", "f2"]) {
      const files = await spoilt(three(), path, "b", (chunk) => chunk.fill(0xff, 0, 4));
      const { columns, faults } = await read(files, ["a", "b"]);
      const at = Number(path[1]) * 2;
      expect(columns["a"]).toEqual(A);
      expect(columns["b"]).toEqual(B.map((v, i) => (i === at || i === at + 1 ? N : v)));
      expect(faults).toEqual([`page-corrupt ${path} b`]);
    }
  });

  it("lose a file's column that the decoder cannot read, and nothing else", async () => {
    for (const path of ["f0", "f1", "f2"]) {
      // Behind the header: what is compressed there is no longer.
      const files = await spoilt(three(), path, "b", (chunk) => chunk.fill(0xff, chunk.length - 12));
      const { columns, faults } = await read(files, ["a", "b"]);
      const at = Number(path[1]) * 2;
      expect(columns["a"], path).toEqual(A);
      expect(faults.map((fault) => fault.split(" ").slice(1).join(" "))).toEqual([`${path} b`]);
      expect(columns["b"], path).toEqual(B.map((v, i) => (i === at || i === at + 1 ? N : v)));
    }
  });

  it("lose a file that is shorter than it was, or cannot be read any more", async () => {
    const files = three();
    const whole = files["f1"] as Uint8Array;
    const short = await read({ ...files, f1: whole.slice(0, 40) }, ["a", "b"], { known: files });
    expect(short.columns["a"]).toEqual([0, 1, N, N, 20, 21]);
    expect(short.faults).toEqual(["io-error f1 a", "io-error f1 b"]);
    const shut = await read(files, ["a"], {
      change: (inner) => ({
        ...inner,
        readRanges: (path, ranges) =>
          path === "f1" ? Promise.reject(locked(path)) : inner.readRanges(path, ranges),
      }),
    });
    expect([shut.columns["a"], shut.faults]).toEqual([[0, 1, N, N, 20, 21], ["permission-denied f1 a"]]);
    const broken = read(files, ["a"], {
      change: (inner) => ({ ...inner, readRanges: () => Promise.reject(new TypeError("unexpected")) }),
    });
    await expect(broken).rejects.toThrow("unexpected");
  });

  it("of empty files are no rows and no fault", async () => {
    const files = { ...three(), f3: parquet({ a: int64([]), b: double([]) }) };
    const found = await read(files, ["a", "b"]);
    expect([found.columns["a"], found.faults, found.asked.length]).toEqual([A, [], 3]);
  });

  it("of other types, and in other orders, are there all the same", async () => {
    const files = {
      f0: parquet({ a: int64([1]), b: double([0.5]) }),
      f1: parquet({ b: int64([2]), a: double([2]) }),
      f2: parquet({ a: int64([3]), b: double([2.5]) }),
      f3: parquet({ b: double([3.5]), a: int64([4]) }),
    };
    const { columns } = await read(files, ["a", "b"]);
    expect(columns).toEqual({ a: [1, 2, 3, 4], b: [0.5, 2, 2.5, 3.5] });
  });

  it("over several row groups are whole", async () => {
    const many = parquet({ a: int64(range(0, 50)), b: double(range(0, 50)) }, 7);
    const { columns } = await read({ f0: many, f1: parquet({ a: int64([50]), b: double([50]) }) }, [
      "b",
      "a",
    ]);
    expect(columns).toEqual({ a: range(0, 51), b: range(0, 51) });
  });
});

describe("readings", () => {
  it("take what lies near together at once, and leave what lies far between", async () => {
    const wide = (rows: number): Files => ({
      f: parquet({
        a: double(range(0, rows).map(() => Math.random())),
        between: double(range(0, rows).map(() => Math.random())),
        b: double(range(0, rows).map(() => Math.random())),
      }),
    });
    const near = await read(wide(3000), ["a", "b"]);
    expect(near.asked.map((ranges) => ranges.length)).toEqual([1]);
    const far = await read(wide(6000), ["a", "b"]);
    expect(far.asked.map((ranges) => ranges.length)).toEqual([2]);
    const [file] = await opened(wide(6000));
    const bytes = far.asked[0]?.reduce((n, { length }) => n + length, 0) ?? 0;
    expect(bytes).toBeLessThan((file as ParquetFile).size * 0.7);
    expect(far.columns["b"]?.every((v) => v >= 0 && v < 1)).toBe(true);
  });

  it("are of a hundred columns at once", async () => {
    const names = range(0, 201).map((i) => `c${i}`);
    const columns = (n: number) =>
      parquet(Object.fromEntries(names.map((name, i) => [name, double([i + n])])));
    const one = await read({ f0: columns(0) }, names.slice(0, 100));
    expect(one.asked.length).toBe(1);
    const found = await read({ f0: columns(0), f1: columns(0.5) }, names);
    expect(found.asked.length).toBe(6);
    for (const [i, name] of names.entries()) expect(found.columns[name]).toEqual([i, i + 0.5]);
  });
});

describe("a file that is no Parquet file", () => {
  const refused = async (bytes: Uint8Array): Promise<string> => {
    try {
      const [file] = await opened({ f: bytes });
      return file ? "opened" : "";
    } catch (error) {
      return error instanceof FooterError ? `${error.code}: ${error.message}` : `uncoded: ${error}`;
    }
  };
  const whole = parquet({ a: int64([1]) });

  it("is named by its first bytes and its last", async () => {
    expect(await refused(utf8("PAR1"))).toContain("truncated-parquet");
    expect(await refused(utf8("12345678901"))).toBe("truncated-parquet: it has 11 bytes");
    expect(await refused(utf8("123456789012"))).toBe("bad-magic: it is not a Parquet file");
    expect(await refused(Uint8Array.of(0x1f, ...new Array<number>(20).fill(1)))).toContain("bad-magic");
    expect(await refused(Uint8Array.of(1, 0x8b, ...new Array<number>(20).fill(1)))).toContain("bad-magic");
    expect(await refused(Uint8Array.of(0x1f, 0x8b, ...new Array<number>(20).fill(1)))).toContain(
      "gzip-wrapped",
    );
    expect(await refused(new Uint8Array(20))).toContain("nul-file");
    expect(await refused(Uint8Array.of(...new Array<number>(600).fill(0), 1))).toContain("bad-magic");
    expect(await refused(utf8(" \n<HTML><p>sign in"))).toContain("html-page");
    expect(await refused(utf8("a page: <html>, or so it says"))).toContain("bad-magic");
    expect(await refused(utf8("x<html> is no page either"))).toContain("bad-magic");
  });

  it("ends within, or in zeros", async () => {
    expect(await refused(whole.slice(0, 60))).toBe("truncated-parquet: it ends at byte 60 without a footer");
    expect(await refused(Uint8Array.from([...whole.slice(0, 60), ...new Array<number>(16).fill(0)]))).toBe(
      "truncated-parquet: it ends in zeros where its footer should be",
    );
    expect(
      await refused(Uint8Array.from([...whole.slice(0, 60), 1, ...new Array<number>(15).fill(0)])),
    ).toContain("without a footer");
  });

  it("claims a footer that it has no room for", async () => {
    const claiming = (length: number): Uint8Array => {
      const bytes = whole.slice();
      new DataView(bytes.buffer).setUint32(bytes.length - 8, length, true);
      return bytes;
    };
    expect(await refused(whole)).toBe("opened");
    const most = whole.length - 12;
    expect(await refused(claiming(most + 1))).toContain(`its footer claims ${most + 1} bytes in a file of`);
    expect(await refused(claiming(most))).not.toContain("its footer claims");
  });

  it("has no fault in a column that is sound", async () => {
    const [file] = await opened({ f: whole });
    expect(firstFault(file as ParquetFile, "a")).toBe(null);
  });
});
