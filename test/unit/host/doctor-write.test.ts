import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { writeThresholds } from "../../../src/host/doctor/write.ts";
import type { Services } from "../../../src/host/services.ts";

const vscode = vi.hoisted(() => ({
  folder: "" as string,
  answer: undefined as string | undefined,
  asked: [] as string[],
  created: [] as string[],
  copied: [] as string[],
}));

vi.mock("vscode", async () => {
  const { l10n } = await import("./l10n.ts");
  const uri = (fsPath: string) => ({ scheme: "file", path: fsPath, fsPath });
  const ask = async (text: string) => {
    vscode.asked.push(text);
    return vscode.answer;
  };
  return {
    l10n,
    Uri: { file: uri },
    Range: class {},
    WorkspaceEdit: class {
      file = "";
      text = "";
      createFile(target: { fsPath: string }, { contents }: { contents: Uint8Array }) {
        [this.file, this.text] = [target.fsPath, new TextDecoder().decode(contents)];
      }
      replace(target: { fsPath: string }, _: unknown, text: string) {
        [this.file, this.text] = [target.fsPath, text];
      }
    },
    env: { clipboard: { writeText: async (text: string) => void vscode.copied.push(text) } },
    window: { showInformationMessage: ask, showWarningMessage: ask, showTextDocument: async () => {} },
    workspace: {
      asRelativePath: (file: string) => path.relative(vscode.folder, file),
      getWorkspaceFolder: ({ fsPath }: { fsPath: string }) =>
        vscode.folder !== "" && `${fsPath}/`.startsWith(`${vscode.folder}/`)
          ? { uri: uri(vscode.folder) }
          : undefined,
      openTextDocument: async ({ fsPath }: { fsPath: string }) => ({
        getText: () => fs.readFileSync(fsPath, "utf8"),
        lineCount: 1,
        isDirty: false,
        save: async () => true,
      }),
      applyEdit: async ({ file, text }: { file: string; text: string }) => {
        vscode.created.push(path.relative(vscode.folder, file));
        fs.writeFileSync(file, text);
        return true;
      },
    },
  };
});

let root = "";
let run = "";
beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "fd-write-")));
  run = path.join(root, "runs", "a");
  for (const name of ["a", "b"]) {
    fs.mkdirSync(path.join(root, "runs", name), { recursive: true });
    fs.writeFileSync(path.join(root, "runs", name, "manifest.json"), "{}");
  }
  Object.assign(vscode, { folder: root, answer: "Write", asked: [], created: [], copied: [] });
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

const write = (file: string | null, signature = "TRUNCATION_STARVE") => {
  const services = { doctor: { configFor: async () => ({ file, text: null, extra: true }) } };
  return writeThresholds(services as unknown as Services, run, signature, { threshold: 0.7 });
};
const TEXT = "[truncation_starve]\nthreshold = 0.7\n";
const inRuns = () => fs.readdirSync(path.join(root, "runs"), { recursive: true }).map(String).sort();

describe("thresholds that were tried", () => {
  it("are written into the workspace folder's doctor.toml once the user agrees", async () => {
    vscode.answer = undefined;
    expect(await write(null)).toBe(false);
    expect(vscode.asked).toEqual(["Create doctor.toml?"]);
    expect(vscode.created).toEqual([]);
    vscode.answer = "Write";
    expect(await write(null)).toBe(true);
    expect(fs.readFileSync(path.join(root, "doctor.toml"), "utf8")).toBe(TEXT);
  });

  it("change the file that counts", async () => {
    const file = path.join(root, "runs", "doctor.toml");
    fs.writeFileSync(file, "[truncation_starve]\nthreshold = 0.4 # low\n");
    expect(await write(file)).toBe(true);
    expect(vscode.asked).toEqual(["Change runs/doctor.toml?"]);
    expect(fs.readFileSync(file, "utf8")).toBe("[truncation_starve]\nthreshold = 0.7 # low\n");
  });

  it.each([
    ["the run's own file", () => path.join(run, "doctor.toml")],
    ["another run's", () => path.join(root, "runs", "b", "doctor.toml")],
    [
      "a link into a run",
      () => {
        fs.mkdirSync(path.join(run, "samples"));
        fs.writeFileSync(path.join(run, "samples", "other.toml"), "");
        fs.symlinkSync(path.join(run, "samples", "other.toml"), path.join(root, "doctor.toml"));
        return path.join(root, "doctor.toml");
      },
    ],
  ])("are never written into a run's folder, but can be copied: %s", async (_, place) => {
    const file = place();
    const before = inRuns();
    vscode.answer = "Copy as TOML";
    expect(await write(file)).toBe(false);
    expect(vscode.created).toEqual([]);
    expect(vscode.copied).toEqual([TEXT]);
    expect(inRuns()).toEqual(before);
  });

  it("have no place where the workspace is the run, or is not there", async () => {
    for (const folder of [run, ""]) {
      vscode.folder = folder;
      expect(await write(null)).toBe(false);
    }
    expect(vscode.created).toEqual([]);
  });

  it("of an unknown signature are not asked about", async () => {
    expect(await write(null, "NOPE")).toBe(false);
    expect(vscode.asked).toEqual([]);
  });
});
