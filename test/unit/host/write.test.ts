import { beforeEach, expect, it, vi } from "vitest";
import type * as VSCode from "vscode";
import { writeFile } from "../../../src/host/write.ts";
import { ProblemError } from "../../../src/protocol/rpc.ts";

const { vscode } = vi.hoisted(() => {
  class FileSystemError extends Error {
    readonly code: string;
    constructor(code: string, message: string) {
      super(message);
      this.code = code;
    }
  }
  return { vscode: { FileSystemError, fails: null as Error | null } };
});
vi.mock("vscode", async () => ({
  l10n: (await import("./l10n.ts")).l10n,
  FileSystemError: vscode.FileSystemError,
  workspace: {
    fs: {
      writeFile: async () => {
        if (vscode.fails) throw vscode.fails;
      },
    },
  },
}));
beforeEach(() => {
  vscode.fails = null;
});

const target = { fsPath: "/shelf/a.csv" } as VSCode.Uri;
const write = () => writeFile(target, new Uint8Array());

it.each([
  ["NoPermissions", "EACCES: permission denied, open '/shelf/a.csv'", "you may not write there"],
  ["FileNotFound", "ENOENT: no such file", "its folder is not there"],
  ["Unknown", "Error: EROFS: read-only file system, open '/shelf/a.csv'", "that disk is mounted read-only"],
  ["Unknown", "Error: ENOSPC: no space left on device, write", "that disk is full"],
  ["Unknown", "Error: EDQUOT: disk quota exceeded, write", "that disk is full"],
])("%s, %s: %s", async (code, message, why) => {
  vscode.fails = new vscode.FileSystemError(code, message);
  const error = await write().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ProblemError);
  expect((error as ProblemError).problem).toMatchObject({
    code: "not-written",
    message: `a.csv cannot be written: ${why}.`,
  });
});

it("any other failure is left to who logs it", async () => {
  for (const other of [new vscode.FileSystemError("Unknown", "EIO: i/o error"), new Error("ENOSPC")]) {
    vscode.fails = other;
    await expect(write()).rejects.toBe(other);
  }
});

it("what can be written is written without a word", async () => {
  await expect(write()).resolves.toBeUndefined();
});
