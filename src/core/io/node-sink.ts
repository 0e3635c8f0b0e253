/** A run folder on a disk, written. Synchronous: it runs in a thread of its own, in a terminal, or where a process ends and nothing else can run. */
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import nodePath from "node:path";
import { type RunSink, type SinkCode, SinkError, unfinishedName } from "./sink.ts";

/** @param folder the run's folder; it and those above it need not exist */
export function nodeSink(folder: string): RunSink {
  return new NodeSink(nodePath.resolve(folder));
}

const CODES: Readonly<Record<string, SinkCode>> = {
  EEXIST: "exists",
  ENOSPC: "no-space",
  EDQUOT: "no-space",
  EACCES: "permission-denied",
  EPERM: "permission-denied",
  EROFS: "permission-denied",
  ENOENT: "not-found",
  ENOTDIR: "not-found",
};

/** File systems without hard links say one of these. */
const NO_LINKS: ReadonlySet<string> = new Set([
  "EPERM",
  "ENOTSUP",
  "EOPNOTSUPP",
  "ENOSYS",
  "EINVAL",
  "EMLINK",
]);

/** Folders that cannot be synced, on some systems and file systems, need not be. */
const NO_FOLDER_SYNC: ReadonlySet<string> = new Set(["EINVAL", "EISDIR", "EPERM", "ENOTSUP", "EBADF"]);

function systemCode(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "";
}

/** Node says of any folder that cannot be made with those above it that it is not there; the first one alone says why. */
function makeFolders(full: string): string | undefined {
  try {
    return fs.mkdirSync(full, { recursive: true });
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
    let first = full;
    while (!fs.existsSync(nodePath.dirname(first))) first = nodePath.dirname(first);
    try {
      fs.mkdirSync(first);
    } catch (cause) {
      throw systemCode(cause) === "EEXIST" ? error : cause;
    }
    fs.mkdirSync(full, { recursive: true });
    return first;
  }
}

class NodeSink implements RunSink {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  makeFolder(path: string): void {
    this.tried(path, () => {
      const full = this.absolute(path);
      const first = makeFolders(full);
      if (first === undefined) return;
      // Each new name lies in the folder above it.
      for (let made = full; made.length >= first.length; made = nodePath.dirname(made))
        syncFolder(nodePath.dirname(made));
    });
  }

  writeWhole(path: string, bytes: Uint8Array): void {
    const full = this.absolute(path);
    const unfinished = this.absolute(unfinishedName(path));
    this.tried(path, () => {
      try {
        writeNew(unfinished, bytes, "w");
        fs.renameSync(unfinished, full);
      } catch (error) {
        removeQuietly(unfinished);
        throw error;
      }
      syncFolder(nodePath.dirname(full));
    });
  }

  createExclusive(path: string, bytes: Uint8Array): void {
    const full = this.absolute(path);
    // Not the process's number: on two machines, or in two containers, it can be the same.
    const unfinished = this.absolute(unfinishedName(path, `.${randomUUID()}`));
    this.tried(path, () => {
      try {
        writeNew(unfinished, bytes, "w");
        // A second name for the whole file: unlike a renaming this fails where the name is taken.
        linkOrWrite(unfinished, full, bytes);
      } finally {
        removeQuietly(unfinished);
      }
      syncFolder(nodePath.dirname(full));
    });
  }

  append(path: string, bytes: Uint8Array): void {
    const full = this.absolute(path);
    this.tried(path, () => {
      const isNew = !fs.existsSync(full);
      const fd = fs.openSync(full, "a");
      let before = -1;
      try {
        const stat = fs.fstatSync(fd);
        if (!stat.isFile()) throw new SinkError("io-error", path);
        before = stat.size;
        writeAll(fd, bytes);
        fs.fsyncSync(fd);
      } catch (error) {
        takeBack(fd, before, bytes.length);
        throw error;
      } finally {
        fs.closeSync(fd);
      }
      if (isNew) syncFolder(nodePath.dirname(full));
    });
  }

  rename(from: string, to: string): void {
    this.tried(from, () => {
      fs.renameSync(this.absolute(from), this.absolute(to));
      const folders = new Set([from, to].map((path) => nodePath.dirname(this.absolute(path))));
      for (const folder of folders) syncFolder(folder);
    });
  }

  remove(path: string): void {
    this.tried(path, () => fs.rmSync(this.absolute(path), { force: true }));
  }

  removeFolder(path: string): void {
    this.tried(path, () => {
      try {
        fs.rmdirSync(this.absolute(path));
      } catch (error) {
        if (!["ENOENT", "ENOTEMPTY", "EEXIST"].includes(systemCode(error))) throw error;
      }
    });
  }

  list(path: string): readonly string[] {
    return this.tried(path, () => {
      try {
        return fs.readdirSync(this.absolute(path));
      } catch (error) {
        if (systemCode(error) === "ENOENT" || systemCode(error) === "ENOTDIR") return [];
        throw error;
      }
    });
  }

  size(path: string): number | null {
    return this.tried(path, () => {
      const stat = fs.statSync(this.absolute(path), { throwIfNoEntry: false });
      return stat?.isFile() ? stat.size : null;
    });
  }

  read(path: string, start = 0, length = Number.POSITIVE_INFINITY): Uint8Array {
    return this.tried(path, () => {
      // O_NONBLOCK: should a FIFO lie there, opening it must not wait for ever.
      const fd = fs.openSync(this.absolute(path), fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
      try {
        const stat = fs.fstatSync(fd);
        if (!stat.isFile()) throw new SinkError("io-error", path);
        const out = new Uint8Array(Math.max(0, Math.min(length, stat.size - start)));
        let done = 0;
        while (done < out.length) {
          const n = fs.readSync(fd, out, done, out.length - done, start + done);
          if (n === 0) return out.slice(0, done);
          done += n;
        }
        return out;
      } finally {
        fs.closeSync(fd);
      }
    });
  }

  private absolute(path: string): string {
    return path === "" ? this.folder : nodePath.join(this.folder, ...path.split("/"));
  }

  private tried<T>(path: string, work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (error instanceof SinkError) throw error;
      const code = systemCode(error);
      throw new SinkError(CODES[code] ?? "io-error", path, code);
    }
  }
}

function writeAll(fd: number, bytes: Uint8Array): void {
  let done = 0;
  while (done < bytes.length) done += fs.writeSync(fd, bytes, done, bytes.length - done);
}

function writeNew(full: string, bytes: Uint8Array, flags: "w" | "wx"): void {
  const fd = fs.openSync(full, flags);
  try {
    writeAll(fd, bytes);
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

function linkOrWrite(unfinished: string, full: string, bytes: Uint8Array): void {
  try {
    fs.linkSync(unfinished, full);
  } catch (error) {
    if (!NO_LINKS.has(systemCode(error))) throw error;
    writeNew(full, bytes, "wx");
  }
}

/** What of a failed appending reached the file goes, unless somebody else has written there too. */
function takeBack(fd: number, before: number, length: number): void {
  if (before < 0) return;
  try {
    const { size } = fs.fstatSync(fd);
    if (size > before && size <= before + length) fs.ftruncateSync(fd, before);
  } catch {
    // The torn line is seen and ended by the next appending.
  }
}

function removeQuietly(full: string): void {
  try {
    fs.rmSync(full, { force: true });
  } catch {
    // It is no part of a run, and the next writing goes over it.
  }
}

function syncFolder(full: string): void {
  try {
    const fd = fs.openSync(full, "r");
    try {
      fs.fsyncSync(fd);
    } finally {
      fs.closeSync(fd);
    }
  } catch (error) {
    if (!NO_FOLDER_SYNC.has(systemCode(error))) throw error;
  }
}
