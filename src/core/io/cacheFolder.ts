/**
 * A folder of cache files, one a run, bounded in number and bytes: the ones used longest ago go. It lies in the extension's own
 * storage or the user's cache folder, never in a run. Whatever goes wrong here costs time, not answers.
 */
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { CacheFile, CacheReader } from "./cacheFile.ts";
import { isWithin } from "./within.ts";

export interface CacheLimits {
  readonly files: number;
  /** Of all files together. */
  readonly bytes: number;
}

export const CACHE_LIMITS: CacheLimits = { files: 64, bytes: 1 << 30 };

const SUFFIX = ".samples";
/** A file that is being written is named so; one that old was left by a process that died. */
const PARTIAL = ".partial";
const STALE_MS = 3_600_000;

/**
 * @param folder made when it is first written to
 * @param run the run's folder, absolute: it is never read here, and its name is not in the cache
 * @returns `null` when the folder lies in the run: nothing is ever written there
 */
export function cacheFileFor(folder: string, run: string, limits = CACHE_LIMITS): CacheFile | null {
  if (isWithin(real(run), real(folder))) return null;
  return new FolderFile(folder, real(run), limits);
}

/** Through links, as far as the path exists. */
function real(file: string): string {
  try {
    return fs.realpathSync(file);
  } catch {
    const parent = path.dirname(file);
    return parent === file ? file : path.join(real(parent), path.basename(file));
  }
}

class FolderFile implements CacheFile {
  private readonly folder: string;
  private readonly file: string;
  private readonly limits: CacheLimits;

  constructor(folder: string, run: string, limits: CacheLimits) {
    this.folder = folder;
    this.limits = limits;
    const name = crypto.createHash("sha256").update(run).digest("hex").slice(0, 32);
    this.file = path.join(folder, `${name}${SUFFIX}`);
  }

  open(): CacheReader | null {
    try {
      if (!fs.lstatSync(this.file).isFile()) return null;
      const fd = fs.openSync(this.file, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
      const stat = fs.fstatSync(fd);
      touch(this.file);
      return new FileReader(fd, stat.size);
    } catch {
      return null;
    }
  }

  write(parts: Iterable<Uint8Array>): void {
    replaceFile(this.file, parts);
    this.tidy();
  }

  private tidy(): void {
    try {
      const all = fs.readdirSync(this.folder).flatMap((name) => entryOf(path.join(this.folder, name)) ?? []);
      const now = Date.now();
      for (const { file, mtimeMs } of all)
        if (file.endsWith(PARTIAL) && now - mtimeMs > STALE_MS) fs.rmSync(file, { force: true });
      const kept = all.filter(({ file }) => file.endsWith(SUFFIX)).sort((a, b) => b.mtimeMs - a.mtimeMs);
      let bytes = 0;
      for (const [i, { file, size }] of kept.entries()) {
        bytes += size;
        const isOver = i >= this.limits.files || bytes > this.limits.bytes;
        if (isOver && (i > 0 || size > this.limits.bytes)) fs.rmSync(file, { force: true });
      }
    } catch {
      // A folder that cannot be listed is tidied another time.
    }
  }
}

/** Puts a file in the place of what was there, whole or not at all, for nobody else to read; a disk that refuses costs the file. */
export function replaceFile(file: string, parts: Iterable<Uint8Array>): void {
  const partial = `${file}.${process.pid}-${crypto.randomBytes(4).toString("hex")}${PARTIAL}`;
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    const fd = fs.openSync(partial, "wx", 0o600);
    try {
      for (const part of parts) for (let at = 0; at < part.length; ) at += fs.writeSync(fd, part, at);
    } finally {
      fs.closeSync(fd);
    }
    fs.renameSync(partial, file);
  } catch {
    remove(partial);
  }
}

function remove(file: string): void {
  try {
    fs.rmSync(file, { force: true });
  } catch {
    // Whoever tidies later will find it.
  }
}

interface Entry {
  readonly file: string;
  readonly size: number;
  readonly mtimeMs: number;
}

function entryOf(file: string): Entry | null {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  return stat?.isFile() ? { file, size: stat.size, mtimeMs: stat.mtimeMs } : null;
}

/** The time of a cache file says when it was used last. */
function touch(file: string): void {
  try {
    const now = new Date();
    fs.utimesSync(file, now, now);
  } catch {
    // Read all the same.
  }
}

class FileReader implements CacheReader {
  readonly size: number;
  private readonly fd: number;

  constructor(fd: number, size: number) {
    this.fd = fd;
    this.size = size;
  }

  read(start: number, length: number): Uint8Array<ArrayBuffer> {
    const out = new Uint8Array(Math.max(0, Math.min(length, this.size - start)));
    let done = 0;
    while (done < out.length) {
      const n = fs.readSync(this.fd, out, done, out.length - done, start + done);
      if (n === 0) return out.slice(0, done);
      done += n;
    }
    return out;
  }

  close(): void {
    fs.closeSync(this.fd);
  }
}
