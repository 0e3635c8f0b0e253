/** Addresses and files of the documents, and what a page is asked to show, without a VS Code. */
import { describe, expect, it, vi } from "vitest";

vi.mock("vscode", async () => {
  const { l10n } = await import("./l10n.ts");
  const from = ({ scheme, path, query = "" }: { scheme: string; path: string; query?: string }) => ({
    scheme,
    path,
    query,
    toString: () => `${scheme}:${path}?${query}`,
  });
  class FileNotFound extends Error {}
  return {
    l10n,
    Uri: { from },
    FileType: { File: 1, Directory: 2 },
    FileChangeType: { Changed: 1 },
    FileSystemError: { FileNotFound: () => new FileNotFound("not found") },
  };
});

const { findingsDir, findingsUri, signatureUri } = await import("../../../src/host/doctor/documents.ts");
const { Focus } = await import("../../../src/host/doctor/focus.ts");
const { VirtualFiles } = await import("../../../src/host/virtual-files.ts");

describe("addresses", () => {
  it("hold the whole path of a run behind a readable name", () => {
    for (const dir of ["/runs/a b", "/runs/ä?#%20/x", "/", "/runs/a\nb"])
      expect(findingsDir(findingsUri(dir))).toBe(dir);
    expect(findingsUri("/runs/my-run").path).toBe("/findings/my-run.md");
  });

  it("name no run when they are not ours, not absolute or broken", () => {
    const like = (path: string, query: string) => ({ scheme: "flightdeck", path, query }) as never;
    expect(findingsDir(like("/warnings/bom.md", "%2Fruns"))).toBeNull();
    expect(findingsDir(like("/findings/x.md", "runs"))).toBeNull();
    expect(findingsDir(like("/findings/x.md", "%2Fa%00b"))).toBeNull();
    expect(findingsDir(like("/findings/x.md", "%E0%A4%A"))).toBeNull();
    expect(findingsDir({ scheme: "file", path: "/findings/x.md", query: "%2Fruns" } as never)).toBeNull();
  });
});

describe("files of flightdeck:", () => {
  const setup = () => {
    const asked: string[] = [];
    const told: string[] = [];
    const changed = {
      fire: (events: { uri: { path: string } }[]) => told.push(...events.map(({ uri }) => uri.path)),
    };
    const textAt = async (uri: { path: string }) => {
      asked.push(uri.path);
      return uri.path.includes("missing") ? null : `text ${asked.length}`;
    };
    return { files: new VirtualFiles(textAt as never, changed as never), asked, told };
  };

  it("are asked for once, and say their size", async () => {
    const { files, asked } = setup();
    const uri = signatureUri("KL_BLOWUP");
    expect(await files.stat(uri)).toMatchObject({ type: 1, size: 6 });
    expect(new TextDecoder().decode(await files.readFile(uri))).toBe("text 1");
    expect(asked.length).toBe(1);
    expect(await files.stat({ path: "/findings" } as never)).toMatchObject({ type: 2 });
  });

  it("are another file once they are stale, and VS Code is told of those that it knows", async () => {
    const { files, told } = setup();
    const [a, b] = [signatureUri("A"), signatureUri("B")];
    const before = await files.stat(a);
    await files.stat(b);
    files.forget((uri) => uri.path === a.path);
    expect(told).toEqual([a.path]);
    expect((await files.stat(a)).mtime).toBeGreaterThan(before.mtime);
    expect(new TextDecoder().decode(await files.readFile(a))).toBe("text 3");
    files.forget((uri) => uri.path === "/nobody-asked.md");
    expect(told).toEqual([a.path]);
  });

  it("are not there where the address names nothing", async () => {
    const { files } = setup();
    await expect(files.stat(signatureUri("missing"))).rejects.toThrow("not found");
    await expect(files.readFile(signatureUri("missing"))).rejects.toThrow("not found");
  });
});

describe("what a page should show first", () => {
  it("is kept until it is taken, once, for its run only", () => {
    const focus = new Focus();
    const told: string[] = [];
    const stop = focus.onAsked((dir) => told.push(dir));
    focus.ask("/a", "KL_BLOWUP kl_mean");
    focus.ask("/b", "ADV_COLLAPSE adv_std");
    expect(told).toEqual(["/a", "/b"]);
    expect(focus.take("/a")).toBe("KL_BLOWUP kl_mean");
    expect(focus.take("/a")).toBeNull();
    expect(focus.take("/b")).toBe("ADV_COLLAPSE adv_std");
    stop();
    focus.ask("/c", "x");
    expect(told.length).toBe(2);
  });
});
