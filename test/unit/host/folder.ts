/** A folder that is looked at from outside, changed by hand. */
import type { Looking, Stamp } from "../../../src/host/editor/look.ts";

export class Folder implements Looking {
  /** By path; a folder is there when something lies in it. */
  readonly files = new Map<string, { size: number; time: number; mode: string }>();
  /** Places that were looked at. */
  readonly looked: string[] = [];
  #clock = 0;

  constructor(...paths: string[]) {
    for (const path of paths) this.write(path);
  }

  write(path: string, size = 10, mode = "644"): void {
    this.files.set(path, { size, time: ++this.#clock, mode });
  }

  remove(path: string): void {
    this.files.delete(path);
    this.#clock++;
  }

  async stamp(path: string): Promise<Stamp | null> {
    this.looked.push(path);
    const file = this.files.get(path);
    if (file) return { kind: `file ${file.mode}`, version: `${file.size} ${file.time}` };
    const names = await this.names(path);
    // As a real one: its time is that of the last file that came or went.
    return names.length === 0 ? null : { kind: "folder 755", version: names.join() };
  }

  async names(path: string): Promise<readonly string[]> {
    const prefix = path === "" ? "" : `${path}/`;
    const inside = [...this.files.keys()].filter((file) => file.startsWith(prefix));
    return [...new Set(inside.map((file) => file.slice(prefix.length).split("/")[0] ?? ""))];
  }
}
