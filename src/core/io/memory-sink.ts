/** A run folder in memory, written: for tests, and for anything that makes a run without a disk. `memorySource(sink.files)` reads it. */
import { type RunSink, SinkError } from "./sink.ts";

export class MemorySink implements RunSink {
  /** Whole files by path. */
  readonly files = new Map<string, Uint8Array>();
  private readonly folders = new Set<string>();

  makeFolder(path: string): void {
    const parts = path.split("/");
    this.folders.add("");
    for (let i = 1; i <= parts.length; i++) this.folders.add(parts.slice(0, i).join("/"));
  }

  writeWhole(path: string, bytes: Uint8Array): void {
    this.needFolder(path);
    this.files.set(path, bytes.slice());
  }

  createExclusive(path: string, bytes: Uint8Array): void {
    this.needFolder(path);
    if (this.files.has(path)) throw new SinkError("exists", path, "EEXIST");
    this.files.set(path, bytes.slice());
  }

  append(path: string, bytes: Uint8Array): void {
    this.needFolder(path);
    const before = this.files.get(path) ?? new Uint8Array(0);
    const after = new Uint8Array(before.length + bytes.length);
    after.set(before);
    after.set(bytes, before.length);
    this.files.set(path, after);
  }

  rename(from: string, to: string): void {
    this.needFolder(to);
    this.files.set(to, this.bytes(from));
    this.files.delete(from);
  }

  remove(path: string): void {
    this.files.delete(path);
  }

  removeFolder(path: string): void {
    if (this.list(path).length === 0) this.folders.delete(path);
  }

  list(path: string): readonly string[] {
    const prefix = path === "" ? "" : `${path}/`;
    const names = new Set<string>();
    for (const each of [...this.files.keys(), ...this.folders])
      if (each !== "" && each.startsWith(prefix)) names.add(each.slice(prefix.length).split("/")[0] ?? "");
    names.delete("");
    return [...names];
  }

  size(path: string): number | null {
    return this.files.get(path)?.length ?? null;
  }

  read(path: string, start = 0, length = Number.POSITIVE_INFINITY): Uint8Array {
    return this.bytes(path).slice(start, start + length);
  }

  private bytes(path: string): Uint8Array {
    const bytes = this.files.get(path);
    if (!bytes) throw new SinkError("not-found", path, "ENOENT");
    return bytes;
  }

  private needFolder(path: string): void {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    if (!this.folders.has(folder)) throw new SinkError("not-found", path, "ENOENT");
  }
}
