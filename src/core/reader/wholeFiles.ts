/** A source that reads a small file whole at its first reading: an opening costs more than the bytes between. */
import type { ByteRange, EntryStat, RunSource } from "../io/source.ts";

const SMALL = 64 * 1024;

/** Bytes are kept as long as the source is: make one for a few hundred files and let it go. */
export function wholeFiles(inner: RunSource): RunSource {
  const sizes = new Map<string, number>();
  const whole = new Map<string, Uint8Array<ArrayBuffer>>();
  const get = async (path: string): Promise<Uint8Array<ArrayBuffer> | null> => {
    const known = whole.get(path);
    if (known) return known;
    const size = sizes.get(path) ?? Number.POSITIVE_INFINITY;
    if (size > SMALL) return null;
    const bytes = await inner.read(path, 0, size);
    whole.set(path, bytes);
    return bytes;
  };
  const slice = (bytes: Uint8Array<ArrayBuffer>, { start, length }: ByteRange) =>
    bytes.subarray(start, start + length);
  return {
    label: inner.label,
    list: (path) => inner.list(path),
    async stat(path): Promise<EntryStat | null> {
      const stat = await inner.stat(path);
      if (stat?.kind === "file") sizes.set(path, stat.size);
      return stat;
    },
    async read(path, start, length) {
      const bytes = await get(path);
      return bytes ? slice(bytes, { start, length }) : inner.read(path, start, length);
    },
    async readRanges(path, ranges) {
      const bytes = await get(path);
      return bytes ? ranges.map((range) => slice(bytes, range)) : inner.readRanges(path, ranges);
    },
  };
}
