import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { explainWarning } from "../../../src/host/commands/explainWarning.ts";
import { documentText } from "../../../src/host/documents.ts";
import { actOn } from "../../../src/host/editor/actions.ts";
import { copyShown } from "../../../src/host/editor/copy.ts";
import type { RunSession } from "../../../src/host/editor/session.ts";
import type { OpenState, PageAction } from "../../../src/protocol/page.ts";
import { ProblemError } from "../../../src/protocol/rpc.ts";
import type { WarningView } from "../../../src/protocol/run.ts";
import { asked, fake, missing, workspaceFolders } from "./vscode.ts";

vi.mock("vscode", async () => (await import("./vscode.ts")).fake);

let root = "";
beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "fd-actions-")));
  fs.mkdirSync(path.join(root, "steps"));
  fs.writeFileSync(path.join(root, "steps", "part-00001.parquet"), "");
});
afterEach(() => {
  fs.rmSync(root, { recursive: true, force: true });
  asked.length = 0;
  missing.clear();
  workspaceFolders.length = 0;
});

const warning: WarningView = {
  code: "part-unreadable",
  file: "steps/part-00001.parquet",
  message: "A part of the steps could not be read and is left out (it ends at byte 9 without a footer).",
  remedy: "Copy the file again from where the run was recorded.",
  count: 1,
  level: "warning",
};

function act(action: PageAction, state: OpenState = { state: "run" }): Promise<void> {
  const session = { dir: root, open: async () => state, call: async () => [warning] };
  const uri = fake.Uri.file(root) as never;
  return actOn({ uri, session: session as unknown as RunSession })(action);
}

describe("a page's actions", () => {
  it("opens samples of its own run, by their rows", async () => {
    await act({ action: "openSample", row: 7, search: "x" });
    await act({ action: "diffSamples", a: 1, b: 2 });
    await act({ action: "openGroup", row: 7 });
    await act({ action: "openPrompt", row: 7 });
    expect(asked).toEqual([
      `flightDeck.openSample ${JSON.stringify({ dir: root, row: 7, search: "x" })}`,
      `flightDeck.diffSamples ${JSON.stringify({ dir: root, a: 1, b: 2 })}`,
      `flightDeck.openGroup ${JSON.stringify({ dir: root, row: 7 })}`,
      `flightDeck.openPrompt ${JSON.stringify({ dir: root, row: 7 })}`,
    ]);
  });

  it("copies a warning in the run's own words", async () => {
    await act({ action: "copy", code: warning.code, file: warning.file });
    expect(asked).toEqual([
      `clipboard part-unreadable: steps/part-00001.parquet\n${warning.message}\n${warning.remedy}`,
    ]);
  });

  it("copies what a code says in general where the run says nothing of it, and nothing for no code", async () => {
    await act({ action: "copy", code: "bom", file: "a\nb" });
    await act({ action: "copy", code: "rm -rf ~", file: "" });
    expect(asked).toEqual([
      "clipboard bom: a\ufffdb\nThe file starts with a byte order mark.\nNothing needs to be done.",
    ]);
  });

  it("copies what a run was refused for", async () => {
    const problem = {
      code: "newer-schema",
      file: "manifest.json",
      message: "Newer (found 2).",
      remedy: "Update.",
    };
    await act({ action: "copy", code: "newer-schema", file: "" }, { state: "refused", label: "r", problem });
    expect(asked).toEqual(["clipboard newer-schema: manifest.json\nNewer (found 2).\nUpdate."]);
  });

  it("shows a file of the run in the Explorer, and opens nothing", async () => {
    workspaceFolders.push(root);
    await act({ action: "revealFile", file: "steps/part-00001.parquet" });
    await act({ action: "revealFile", file: "steps/gone.parquet" });
    expect(asked).toEqual([
      `revealInExplorer file:${root}/steps/part-00001.parquet`,
      `revealInExplorer file:${root}/steps`,
    ]);
  });

  it("shows nothing outside the run", async () => {
    workspaceFolders.push("/");
    for (const file of ["../x", "/etc/passwd", "steps/../../x", "steps\0"])
      await act({ action: "revealFile", file });
    expect(asked).toEqual([]);
  });

  it("shows a file outside the workspace as the system does, and names it where there is no such thing", async () => {
    await act({ action: "revealFile", file: "steps" });
    missing.add("revealFileInOS");
    await act({ action: "revealFile", file: "steps" });
    expect(asked).toEqual([`revealFileInOS file:${root}/steps`, `message ${root}/steps`]);
  });

  it("explains a code", async () => {
    await act({ action: "explain", code: "bom" });
    expect(asked).toEqual(["flightDeck.explainWarning bom"]);
  });
});

describe("copying what is shown", () => {
  it("is done for the page in front, and for no other", async () => {
    await copyShown({ active: true }, "step,kl_mean");
    await expect(copyShown({ active: false }, "curl evil | sh")).rejects.toThrow(ProblemError);
    expect(asked).toEqual(["clipboard step,kl_mean"]);
  });
});

describe("explainWarning", () => {
  it("shows the page rendered", async () => {
    await explainWarning("lfs-pointer");
    expect(asked).toEqual(["markdown.showPreview flightdeck:/warnings/lfs-pointer.md"]);
  });

  it("shows it as text where nothing renders it", async () => {
    missing.add("markdown.showPreview");
    await explainWarning("lfs-pointer");
    expect(asked).toEqual(["document flightdeck:/warnings/lfs-pointer.md"]);
  });

  it.each([undefined, 1, "", "constructor", "../../etc/passwd", "bom.md"])(
    "does nothing for %j",
    async (code) => {
      await explainWarning(code);
      expect(asked).toEqual([]);
    },
  );
});

describe("documents", () => {
  const text = (address: string) =>
    documentText(fake.Uri.from({ scheme: "flightdeck", path: address }) as never);
  it("are the pages of the codes", () => {
    expect(text("/warnings/lfs-pointer.md")).toMatch(/^# lfs-pointer\n/);
  });
  it.each(["/warnings/constructor.md", "/warnings/../bom.md", "/warnings/bom", "/bom.md", ""])(
    "there is none at %j",
    (address) => expect(text(address)).toBeNull(),
  );
});
