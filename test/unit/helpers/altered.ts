/** A source in which something else lies at some paths than what its files are: links, devices, what is locked or gone. */
import { FlightDeckError } from "../../../src/core/format/problems.ts";
import type { EntryStat, RunSource } from "../../../src/core/io/source.ts";

/** An error is thrown, `null` is a path where nothing is. */
export type Altered = Readonly<Record<string, Partial<EntryStat> | Error | null>>;

export const locked = (path: string): FlightDeckError => new FlightDeckError("permission-denied", path);

/**
 * @param stats what is said of a path when it is asked for
 * @param faults errors when a file is read or a folder is listed
 */
export function altered(
  inner: RunSource,
  stats: Altered,
  faults: Readonly<Record<string, Error>> = {},
): RunSource {
  const check = (path: string): void => {
    const fault = faults[path];
    if (fault) throw fault;
  };
  return {
    label: inner.label,
    async stat(path) {
      const own = stats[path];
      if (own instanceof Error) throw own;
      if (own === null) return null;
      const stat = await inner.stat(path);
      return own === undefined ? stat : { kind: "file", size: 0, mtimeMs: 0, ...stat, ...own };
    },
    async list(path) {
      check(path);
      return inner.list(path);
    },
    async read(path, start, length) {
      check(path);
      return inner.read(path, start, length);
    },
    async readRanges(path, ranges) {
      check(path);
      return inner.readRanges(path, ranges);
    },
  };
}
