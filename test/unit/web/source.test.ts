import { describe, expect, it } from "vitest";
import { FlightDeckError } from "../../../src/core/format/problems.ts";
import { MOST_OF_A_FILE, type Mounted, mountedSource } from "../../../src/web/source.ts";

const fault = (code: string): Error => Object.assign(new Error(code), { code });
const BYTES = Uint8Array.from({ length: 100 }, (_, i) => i);

/** @param more what a path is in place of a file of 100 bytes */
function mounted(more: Partial<Mounted> = {}) {
  const reads: string[] = [];
  const files: Mounted = {
    list: async () => [
      ["manifest.json", 1],
      ["samples", 2],
      ["steps", 2 | 64],
      ["pipe", 0],
    ],
    stat: async (path) => {
      if (path === "gone") throw fault("FileNotFound");
      if (path === "closed") throw fault("NoPermissions");
      return { type: path === "steps" ? 2 | 64 : 1, size: 100, mtime: 5 };
    },
    read: async (path) => {
      reads.push(path);
      return BYTES;
    },
    ...more,
  };
  return { files, reads };
}

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof FlightDeckError ? error.code : String(error);
};

describe("mountedSource", () => {
  it("lists folders with what their entries are, links as links", async () => {
    const entries = await mountedSource(mounted().files, "a run").list("");
    expect(entries.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      "manifest.json file",
      "samples directory",
      "steps link",
      "pipe other",
    ]);
  });

  it("takes a link for one that leads out: nobody tells where it leads", async () => {
    const source = mountedSource(mounted().files, "a run");
    expect(await source.stat("steps")).toEqual({
      ...{ kind: "directory", size: 0, mtimeMs: 5 },
      link: { target: "outside" },
    });
    expect(await source.stat("manifest.json")).toEqual({ kind: "file", size: 100, mtimeMs: 5 });
    expect(await source.stat("gone")).toBeNull();
    expect(await codeOf(source.stat("closed"))).toBe("permission-denied");
  });

  it("reads a file once for all its ranges, in fresh arrays that end where the file does", async () => {
    const { files, reads } = mounted();
    const source = mountedSource(files, "a run");
    const first = await source.read("a", 10, 3);
    expect([...first]).toEqual([10, 11, 12]);
    first.fill(0);
    const [again, last] = await source.readRanges("a", [
      { start: 10, length: 2 },
      { start: 98, length: 50 },
    ]);
    expect([...(again ?? [])]).toEqual([10, 11]);
    expect([...(last ?? [])]).toEqual([98, 99]);
    expect(reads).toEqual(["a"]);
  });

  it("reads a file again that has changed", async () => {
    let mtime = 1;
    const { files, reads } = mounted({ stat: async () => ({ type: 1, size: 100, mtime }) });
    const source = mountedSource(files, "a run");
    await source.read("a", 0, 1);
    mtime = 2;
    await source.read("a", 0, 1);
    expect(reads).toEqual(["a", "a"]);
  });

  it("refuses a file that is too large, unread, and tells of it", async () => {
    const told: unknown[] = [];
    const size = MOST_OF_A_FILE + 1;
    const { files, reads } = mounted({ stat: async () => ({ type: 1, size, mtime: 0 }) });
    const source = mountedSource(files, "a run", (...about) => told.push(about));
    expect(await codeOf(source.read("steps.parquet", 0, 4))).toBe("io-error");
    expect(told).toEqual([["steps.parquet", size]]);
    expect(reads).toEqual([]);
  });

  it("gives up files when they are too many to hold, and what could not be read", async () => {
    const big = new Uint8Array(100 * 2 ** 20);
    let fails = true;
    const { files, reads } = mounted({
      stat: async () => ({ type: 1, size: big.byteLength, mtime: 0 }),
      read: async (path) => {
        reads.push(path);
        if (path === "torn" && fails) throw fault("Unavailable");
        return big;
      },
    });
    const source = mountedSource(files, "a run");
    for (const path of ["a", "b", "c", "b", "c", "a"]) await source.read(path, 0, 1);
    expect(reads).toEqual(["a", "b", "c", "a"]);
    expect(await codeOf(source.read("torn", 0, 1))).toBe("io-error");
    fails = false;
    expect(await source.read("torn", 0, 1)).toHaveLength(1);
  });

  it("opens nothing but files", async () => {
    const { files, reads } = mounted({ stat: async () => ({ type: 0, size: 0, mtime: 0 }) });
    expect(await codeOf(mountedSource(files, "a run").read("pipe", 0, 1))).toBe("not-a-regular-file");
    expect(reads).toEqual([]);
  });
});
