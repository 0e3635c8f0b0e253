import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cacheFileFor } from "../../../src/core/io/cacheFolder.ts";

let home = "";
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), "flight-deck-cache-"));
});
afterEach(() => fs.rmSync(home, { recursive: true, force: true }));

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const at = (...parts: string[]): string => path.join(home, ...parts);
const fileFor = (run: string, limits?: { files: number; bytes: number }) => {
  const file = cacheFileFor(at("cache"), run, limits);
  if (!file) throw new Error("no cache");
  return file;
};
function contentOf(run: string): string | null {
  const reader = fileFor(run).open();
  if (!reader) return null;
  const text = new TextDecoder().decode(reader.read(0, reader.size));
  reader.close();
  return text;
}

describe("a folder of cache files", () => {
  it("has one file a run, replaced as a whole", () => {
    expect(contentOf("/runs/a")).toBeNull();
    fileFor("/runs/a").write([bytes("one "), bytes("two")]);
    fileFor("/runs/b").write([bytes("other")]);
    expect([contentOf("/runs/a"), contentOf("/runs/b")]).toEqual(["one two", "other"]);
    fileFor("/runs/a").write([bytes("3")]);
    expect(contentOf("/runs/a")).toBe("3");
    expect(fs.readdirSync(at("cache"))).toHaveLength(2);
  });

  it("names no run, and is nobody else's to read", () => {
    fileFor("/runs/secret-project").write([bytes("x")]);
    const [name = ""] = fs.readdirSync(at("cache"));
    expect(name).toMatch(/^[0-9a-f]{32}\.samples$/);
    if (process.platform !== "win32") expect(fs.statSync(at("cache", name)).mode & 0o077).toBe(0);
  });

  it("keeps what was there when writing fails midway", () => {
    fileFor("/runs/a").write([bytes("sound")]);
    fileFor("/runs/a").write(
      (function* () {
        yield bytes("half");
        throw new Error("the run is gone");
      })(),
    );
    expect(contentOf("/runs/a")).toBe("sound");
    expect(fs.readdirSync(at("cache"))).toHaveLength(1);
  });

  it("lets the ones go that were used longest ago", () => {
    const limits = { files: 2, bytes: 1000 };
    for (const [i, run] of ["/a", "/b"].entries()) {
      fileFor(run, limits).write([bytes(run)]);
      age(i + 1);
    }
    expect(contentOf("/a")).toBe("/a");
    fileFor("/c", limits).write([bytes("/c")]);
    expect([contentOf("/a"), contentOf("/b"), contentOf("/c")]).toEqual(["/a", null, "/c"]);
    fileFor("/d", { files: 9, bytes: 4 }).write([bytes("/dd")]);
    expect([contentOf("/a"), contentOf("/c"), contentOf("/d")]).toEqual([null, null, "/dd"]);
  });

  /** All files were last used that many days after 1970; what is opened since is newer. */
  function age(days: number): void {
    for (const name of fs.readdirSync(at("cache"))) {
      const file = at("cache", name);
      if (fs.statSync(file).mtimeMs > 1e12) fs.utimesSync(file, days * 86_400, days * 86_400);
    }
  }

  it("clears away what a process that died has left, and leaves what is being written", () => {
    fileFor("/a").write([bytes("a")]);
    for (const name of ["old.partial", "new.partial", "README"]) fs.writeFileSync(at("cache", name), "");
    fs.utimesSync(at("cache", "old.partial"), 1, 1);
    fileFor("/a").write([bytes("a")]);
    expect(fs.readdirSync(at("cache")).filter((name) => !name.endsWith(".samples"))).toEqual([
      "README",
      "new.partial",
    ]);
  });

  it("is not there when it would lie in the run, through links too", () => {
    fs.mkdirSync(at("run"));
    fs.symlinkSync(at("run"), at("link"));
    expect(cacheFileFor(at("run"), at("run"))).toBeNull();
    expect(cacheFileFor(at("run", "cache"), at("run"))).toBeNull();
    expect(cacheFileFor(at("link", "cache"), at("run"))).toBeNull();
    expect(cacheFileFor(at("run..cache"), at("run"))).not.toBeNull();
  });

  it("costs nothing but itself when it cannot be written or read", () => {
    fs.writeFileSync(at("cache"), "a file in its place");
    fileFor("/a").write([bytes("a")]);
    expect(contentOf("/a")).toBeNull();
    expect(fs.readFileSync(at("cache"), "utf8")).toBe("a file in its place");
  });
});
