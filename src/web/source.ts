/**
 * The files of one run on whatever VS Code has mounted: GitHub, an archive, the browser's own disk. Files can be had whole
 * only, so each is held once it was read, as long as there is room; one that is too large is refused, and the rest is shown.
 */
import { FlightDeckError } from "../core/format/problems.ts";
import type { ByteRange, DirEntry, EntryStat, RunSource } from "../core/io/source.ts";

/** What VS Code's file system tells of an entry: 1 file, 2 folder, 64 a link, added to what it leads to. */
export interface MountedStat {
  readonly type: number;
  readonly size: number;
  /** Milliseconds since the Unix epoch. */
  readonly mtime: number;
}

/** `vscode.workspace.fs` below one folder, by paths relative to it. All reject with an error whose `code` says why. */
export interface Mounted {
  list(path: string): Promise<readonly (readonly [name: string, type: number])[]>;
  stat(path: string): Promise<MountedStat>;
  read(path: string): Promise<Uint8Array>;
}

/** Bytes of the largest file that is read. */
export const MOST_OF_A_FILE = 128 * 2 ** 20;
/** Bytes of files that are held; the one that was asked for last stays, however large. */
const MOST_HELD = 256 * 2 ** 20;

const FILE = 1;
const FOLDER = 2;
const LINK = 64;

/** @param onTooLarge told of a file that is not read for its size, in bytes */
export function mountedSource(
  mounted: Mounted,
  label: string,
  onTooLarge: (path: string, size: number) => void = () => {},
): RunSource {
  const held = new Held(mounted, onTooLarge);
  return {
    label,
    async list(path): Promise<readonly DirEntry[]> {
      try {
        return (await mounted.list(path)).map(([name, type]) => ({
          name,
          kind: type & LINK ? "link" : kindOf(type),
        }));
      } catch (error) {
        throw errorOf(error, path);
      }
    },
    async stat(path): Promise<EntryStat | null> {
      try {
        return statOf(await mounted.stat(path));
      } catch (error) {
        if (codeOf(error) === "FileNotFound" || codeOf(error) === "EntryNotFound") return null;
        throw errorOf(error, path);
      }
    },
    read: async (path, start, length) => part(await held.bytes(path), { start, length }),
    async readRanges(path, ranges) {
      const bytes = await held.bytes(path);
      return ranges.map((range) => part(bytes, range));
    },
  };
}

export const kindOf = (type: number): EntryStat["kind"] =>
  type & FILE ? "file" : type & FOLDER ? "directory" : "other";

function statOf({ type, size, mtime }: MountedStat): EntryStat {
  const kind = kindOf(type);
  const stat = { kind, size: kind === "file" ? size : 0, mtimeMs: mtime };
  // Where it leads is not told here: as if it led out of the run.
  return type & LINK ? { ...stat, link: { target: "outside" } } : stat;
}

const part = (bytes: Uint8Array, { start, length }: ByteRange): Uint8Array<ArrayBuffer> =>
  new Uint8Array(bytes.slice(start, start + length));

/** Whole files, the least recently used given up first. */
class Held {
  readonly #mounted: Mounted;
  readonly #files = new Map<string, { readonly version: string; readonly bytes: Promise<Uint8Array> }>();
  readonly #sizes = new Map<string, number>();

  readonly #onTooLarge: (path: string, size: number) => void;

  constructor(mounted: Mounted, onTooLarge: (path: string, size: number) => void) {
    this.#mounted = mounted;
    this.#onTooLarge = onTooLarge;
  }

  async bytes(path: string): Promise<Uint8Array> {
    try {
      const { type, size, mtime } = await this.#mounted.stat(path);
      if (!(type & FILE)) throw new FlightDeckError("not-a-regular-file", path);
      if (size > MOST_OF_A_FILE) {
        this.#onTooLarge(path, size);
        throw new FlightDeckError("io-error", path, { found: "EFBIG" });
      }
      const version = `${size} ${mtime}`;
      const known = this.#files.get(path);
      this.#files.delete(path);
      const entry = known?.version === version ? known : { version, bytes: this.#mounted.read(path) };
      this.#files.set(path, entry);
      const bytes = await entry.bytes;
      this.#sizes.set(path, bytes.byteLength);
      this.#makeRoom(path);
      return bytes;
    } catch (error) {
      this.#files.delete(path);
      this.#sizes.delete(path);
      throw error instanceof FlightDeckError ? error : errorOf(error, path);
    }
  }

  #makeRoom(asked: string): void {
    let sum = [...this.#sizes.values()].reduce((total, size) => total + size, 0);
    for (const path of this.#files.keys()) {
      if (sum <= MOST_HELD) return;
      const size = this.#sizes.get(path);
      if (path === asked || size === undefined) continue;
      this.#files.delete(path);
      this.#sizes.delete(path);
      sum -= size;
    }
  }
}

const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null ? String(Reflect.get(error, "code") ?? "") : "";

function errorOf(error: unknown, path: string): FlightDeckError {
  const code = codeOf(error);
  if (code === "NoPermissions") return new FlightDeckError("permission-denied", path);
  if (code === "FileNotADirectory") return new FlightDeckError("not-a-directory", path);
  if (code === "FileIsADirectory") return new FlightDeckError("not-a-regular-file", path);
  return new FlightDeckError("io-error", path, code === "" ? {} : { found: code.toUpperCase() });
}
