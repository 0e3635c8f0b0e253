/**
 * A run folder on a local (or remote-workspace) disk. Calls are synchronous inside: this runs in a worker thread or a
 * terminal, never on an extension host's loop, and one synchronous call costs a fraction of a trip through libuv's
 * pool, which is what counts at tens of thousands of small files.
 */
import fs from "node:fs";
import nodePath from "node:path";
import { FlightDeckError } from "../format/problems.ts";
import type { ByteRange, DirEntry, EntryKind, EntryStat, RunSource } from "./source.ts";
import { isWithin } from "./within.ts";

export interface NodeSourceOptions {
  /** "inside": nothing is looked at or read that lies out of the folder once all links are followed. */
  readonly links?: "follow" | "inside";
}

/** @param folder absolute path of the run, which may itself be reached through links */
export function nodeSource(folder: string, { links = "follow" }: NodeSourceOptions = {}): RunSource {
  return new NodeSource(folder, links === "inside");
}

function kindOf(s: fs.Stats | fs.Dirent): EntryKind {
  return s.isFile() ? "file" : s.isDirectory() ? "directory" : "other";
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "";
}

function wrap(error: unknown, path: string): FlightDeckError {
  if (error instanceof FlightDeckError) return error;
  const code = codeOf(error);
  if (code === "EACCES" || code === "EPERM") return new FlightDeckError("permission-denied", path);
  if (code === "ELOOP" || code === "ENOENT") return new FlightDeckError("not-found", path);
  if (code === "ENOTDIR") return new FlightDeckError("not-a-directory", path);
  return new FlightDeckError("io-error", path, { found: code || "unknown" });
}

/** Where a link leads that cannot be followed; one that may not be followed is an error. */
const UNREACHED: ReadonlyMap<string, "loop" | "dangling"> = new Map([
  ["ELOOP", "loop"],
  ["ENOENT", "dangling"],
  ["ENOTDIR", "dangling"],
]);

const BARRED: EntryStat = { kind: "other", size: 0, mtimeMs: 0, link: { target: "outside", barred: true } };

class NodeSource implements RunSource {
  readonly label: string;
  private readonly folder: string;
  /** Set when the folder's name is not UTF-8: its bytes, since no string can name it. */
  private readonly folderBytes: Buffer | null;
  private readonly isConfined: boolean;
  private realFolder: string | null = null;

  constructor(folder: string, isConfined: boolean) {
    this.isConfined = isConfined;
    // Through bytes and back: a lone surrogate stands for an odd byte just as U+FFFD does.
    this.folder = nodePath.resolve(Buffer.from(folder).toString());
    this.folderBytes = bytesOfName(this.folder);
    this.label = nodePath.basename(this.folder) || this.folder;
  }

  async list(path: string): Promise<readonly DirEntry[]> {
    try {
      this.keepInside(path);
      return fs.readdirSync(this.absolute(path), { withFileTypes: true }).map((d) => ({
        name: d.name,
        kind: d.isSymbolicLink() ? "link" : kindOf(d),
      }));
    } catch (error) {
      throw wrap(error, path);
    }
  }

  async stat(path: string): Promise<EntryStat | null> {
    const full = this.absolute(path);
    try {
      // A link to a folder above the run is told as what it is.
      if (this.leadsOut(path) === "out") return BARRED;
      const own = fs.lstatSync(full, { throwIfNoEntry: false });
      if (!own) return null;
      if (path !== "" && own.isSymbolicLink()) return this.statLink(full);
      const s = own.isSymbolicLink() ? fs.statSync(full, { throwIfNoEntry: false }) : own;
      return s ? { kind: kindOf(s), size: s.isFile() ? s.size : 0, mtimeMs: s.mtimeMs } : null;
    } catch (error) {
      if (codeOf(error) === "ENOTDIR") return null;
      throw wrap(error, path);
    }
  }

  async read(path: string, start: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    const [bytes] = await this.readRanges(path, [{ start, length }]);
    return bytes ?? new Uint8Array(0);
  }

  async readRanges(path: string, ranges: readonly ByteRange[]): Promise<Uint8Array<ArrayBuffer>[]> {
    let fd: number | null = null;
    try {
      this.keepInside(path);
      // O_NONBLOCK: should a FIFO have taken the file's place since it was looked at, opening it must not wait for ever.
      fd = fs.openSync(this.absolute(path), fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
      const s = fs.fstatSync(fd);
      if (!s.isFile()) throw new FlightDeckError("not-a-regular-file", path);
      const open = fd;
      return ranges.map((r) => readAt(open, r, s.size));
    } catch (error) {
      throw wrap(error, path);
    } finally {
      if (fd !== null) fs.closeSync(fd);
    }
  }

  private statLink(full: string | Buffer): EntryStat {
    let real: string;
    try {
      real = fs.realpathSync(full, "utf8");
    } catch (error) {
      const target = UNREACHED.get(codeOf(error));
      if (!target) throw error;
      return { kind: "other", size: 0, mtimeMs: 0, link: { target } };
    }
    const s = fs.statSync(real);
    const folder = this.realRoot();
    const above = real === folder || isWithin(real, folder);
    const inside = isWithin(folder, real);
    return {
      kind: kindOf(s),
      size: s.isFile() ? s.size : 0,
      mtimeMs: s.mtimeMs,
      link: { target: above ? "loop" : inside ? "inside" : "outside" },
    };
  }

  private realRoot(): string {
    this.realFolder ??= fs.realpathSync(this.absolute(""), "utf8");
    return this.realFolder;
  }

  /** Of a source that stays inside. What is not there leads nowhere: whoever looks finds nothing. */
  private leadsOut(path: string): "out" | "above" | null {
    if (!this.isConfined || path === "") return null;
    let real: string;
    try {
      real = fs.realpathSync(this.absolute(path), "utf8");
    } catch {
      return null;
    }
    const folder = this.realRoot();
    if (isWithin(folder, real)) return null;
    return isWithin(real, folder) ? "above" : "out";
  }

  /** A link may have taken the place of what was looked at. @throws FlightDeckError `permission-denied` */
  private keepInside(path: string): void {
    if (this.leadsOut(path)) throw new FlightDeckError("permission-denied", path);
  }

  get nameIsUtf8(): boolean {
    return this.folderBytes === null;
  }

  private absolute(path: string): string | Buffer {
    if (this.folderBytes)
      return path === "" ? this.folderBytes : Buffer.concat([this.folderBytes, Buffer.from(`/${path}`)]);
    return path === "" ? this.folder : nodePath.join(this.folder, ...path.split("/"));
  }
}

/** A name with U+FFFD that is not there may stand for one whose bytes are not UTF-8: looked up among its neighbours. */
function bytesOfName(folder: string): Buffer | null {
  if (!folder.includes("\ufffd") || fs.existsSync(folder)) return null;
  try {
    const parent = nodePath.dirname(folder);
    const wanted = nodePath.basename(folder);
    const twin = fs.readdirSync(parent, { encoding: "buffer" }).find((n) => n.toString("utf8") === wanted);
    return twin ? Buffer.concat([Buffer.from(`${parent}${nodePath.sep}`), twin]) : null;
  } catch {
    return null;
  }
}

function readAt(fd: number, range: ByteRange, size: number): Uint8Array<ArrayBuffer> {
  // Never more than the file has: a claim of gigabytes must not allocate them.
  const length = Math.max(0, Math.min(range.length, size - range.start));
  const out = new Uint8Array(length);
  let done = 0;
  while (done < length) {
    const n = fs.readSync(fd, out, done, length - done, range.start + done);
    if (n === 0) return out.slice(0, done);
    done += n;
  }
  return out;
}
