/** A run folder in memory: for tests of the core, and for anything that builds a run without a disk. */
import { FlightDeckError } from "../format/problems.ts";
import type { ByteRange, DirEntry, EntryStat, RunSource } from "./source.ts";

export type MemoryEntry = Uint8Array | "directory" | "other";

/**
 * @param files by path relative to the run ("steps/part-00000.parquet"); folders above them exist by themselves
 */
export function memorySource(
  files: ReadonlyMap<string, MemoryEntry>,
  label = "run",
  mtimeMs: number | ((path: string) => number) = 0,
): RunSource {
  const directories = new Set<string>([""]);
  for (const [path, entry] of files) {
    const parts = path.split("/");
    for (let i = 1; i < parts.length; i++) directories.add(parts.slice(0, i).join("/"));
    if (entry === "directory") directories.add(path);
  }
  const time = (path: string) => (typeof mtimeMs === "number" ? mtimeMs : mtimeMs(path));
  const kindOf = (path: string): EntryStat["kind"] | null => {
    if (directories.has(path)) return "directory";
    const entry = files.get(path);
    return entry === undefined ? null : entry instanceof Uint8Array ? "file" : "other";
  };
  const bytesOf = (path: string): Uint8Array => {
    const entry = files.get(path);
    if (entry instanceof Uint8Array) return entry;
    if (kindOf(path) === null) throw new FlightDeckError("io-error", path, { found: "ENOENT" });
    throw new FlightDeckError("not-a-regular-file", path);
  };
  const slice = (bytes: Uint8Array, { start, length }: ByteRange) =>
    new Uint8Array(bytes.slice(start, start + length));
  return {
    label,
    async list(path): Promise<readonly DirEntry[]> {
      if (!directories.has(path))
        throw new FlightDeckError(files.has(path) ? "not-a-directory" : "io-error", path);
      const prefix = path === "" ? "" : `${path}/`;
      const names = new Set<string>();
      for (const p of [...files.keys(), ...directories])
        if (p !== "" && p.startsWith(prefix)) names.add(p.slice(prefix.length).split("/")[0] ?? "");
      names.delete("");
      return [...names].map((name) => ({ name, kind: kindOf(prefix + name) ?? "other" }));
    },
    async stat(path): Promise<EntryStat | null> {
      const kind = kindOf(path);
      if (kind === null) return null;
      return { kind, size: kind === "file" ? bytesOf(path).length : 0, mtimeMs: time(path) };
    },
    async read(path, start, length) {
      return slice(bytesOf(path), { start, length });
    },
    async readRanges(path, ranges) {
      const bytes = bytesOf(path);
      return ranges.map((r) => slice(bytes, r));
    },
  };
}
