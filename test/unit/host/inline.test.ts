/** Mentions in other files: which run they are about, what is asked, and what is never done for them. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

const state = vi.hoisted(() => ({ reach: "insideRuns", tabs: [] as unknown[], inWorkspace: true }));

vi.mock("vscode", async () => {
  const { l10n } = await import("./l10n.ts");
  class Range {
    readonly all: readonly number[];
    constructor(...all: number[]) {
      this.all = all;
    }
  }
  class TabInputCustom {
    readonly uri: unknown;
    readonly viewType: string;
    constructor(uri: unknown, viewType: string) {
      this.uri = uri;
      this.viewType = viewType;
    }
  }
  return {
    l10n,
    Range,
    TabInputCustom,
    DocumentLink: class {
      tooltip = "";
      readonly range: Range;
      readonly target: string;
      constructor(range: Range, target: string) {
        this.range = range;
        this.target = target;
      }
    },
    Uri: { parse: (text: string) => text },
    workspace: {
      getConfiguration: () => ({ get: () => state.reach }),
      getWorkspaceFolder: () => (state.inWorkspace ? {} : undefined),
    },
    window: {
      get tabGroups() {
        const tabs = state.tabs.map((input) => ({ input }));
        return { activeTabGroup: { activeTab: tabs[0] }, all: [{ tabs }] };
      },
    },
  };
});

const { Inline } = await import("../../../src/host/inline/inline.ts");
const { runAround } = await import("../../../src/host/inline/run-of.ts");
const vscode = (await import("vscode")) as unknown as {
  TabInputCustom: new (uri: unknown, type: string) => unknown;
};

let root = "";
const run = (...more: string[]) => path.join(root, "run", ...more);

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), "fd-inline-"));
  await mkdir(run("rank-001"), { recursive: true });
  await mkdir(run("notes", "a", "b", "c", "d"), { recursive: true });
  await mkdir(path.join(root, "app"));
  for (const folder of [run(), run("rank-001")]) {
    await writeFile(path.join(folder, "manifest.json"), "{}");
    await writeFile(path.join(folder, "events.jsonl"), "");
  }
  await writeFile(path.join(root, "app", "manifest.json"), "{}");
});
afterAll(() => rm(root, { recursive: true, force: true }));
beforeEach(() => {
  Object.assign(state, { reach: "insideRuns", tabs: [], inWorkspace: true });
});

const NEVER = {
  isCancellationRequested: false,
  onCancellationRequested: () => ({ dispose: () => {} }),
} as never;

function fileOf(fsPath: string, ...text: string[]) {
  const lines = text.join("\n").split("\n");
  let read = 0;
  const document = {
    uri: { scheme: "file", fsPath },
    lineCount: lines.length,
    lineAt: (line: number) => {
      read++;
      return { text: lines[line] ?? "" };
    },
  };
  return { document: document as never, read: () => read };
}

function inline(answer: unknown = {}) {
  const asked: unknown[] = [];
  const made = new Inline((async (dir: string, what: { kind: string }) => {
    asked.push([dir, what.kind]);
    return answer;
  }) as never);
  return { made, asked };
}

describe("the run of a file", () => {
  it("is the one that it lies in, also in a folder of its own or a rank's", async () => {
    expect(await runAround(run("events.jsonl"))).toBe(run());
    expect(await runAround(run("notes", "x.md"))).toBe(run());
    expect(await runAround(run("rank-001", "events.jsonl"))).toBe(run());
    expect(await runAround(run("notes", "a", "b", "c", "d", "x.md"))).toBeNull();
  });

  it("is none beside a manifest that is somebody else's", async () => {
    expect(await runAround(path.join(root, "app", "readme.md"))).toBeNull();
    expect(await runAround(path.join(root, "readme.md"))).toBeNull();
  });
});

describe("links", () => {
  it("lead to the step in its run and to the sample, and ask the run nothing", async () => {
    const { made, asked } = inline();
    const { document } = fileOf(run("events.jsonl"), '{"step":50}', "worst 0:120:a%22b.");
    const links = (await made.links(document, NEVER)) as unknown as { target: string; tooltip: string }[];
    const told = links.map(({ target }) => decodeURIComponent(decodeURIComponent(target)));
    expect(told[0]).toBe(`command:flightDeck.showInRun?[${JSON.stringify({ dir: run(), step: "50" })}]`);
    const sample = JSON.parse((told[1] ?? "").replace("command:flightDeck.openSample?", ""));
    expect(sample).toEqual([{ dir: run(), step: "120", rank: 0, id: "a%22b" }]);
    expect(asked).toEqual([]);
  });

  it("are none outside of runs, and where they are switched off; the file is not read for it", async () => {
    const { made } = inline();
    const outside = fileOf(path.join(root, "log.txt"), "step 1");
    expect(await made.links(outside.document, NEVER)).toEqual([]);
    state.reach = "off";
    const inside = fileOf(run("log.txt"), "step 1");
    expect(await made.links(inside.document, NEVER)).toEqual([]);
    expect([outside.read(), inside.read()]).toEqual([0, 0]);
  });

  it("of a file of 100,000 lines are bounded", async () => {
    const { made } = inline();
    const { document, read } = fileOf(run("train.log"), "step 1\n".repeat(200_000));
    const links = await made.links(document, NEVER);
    expect(links.length).toBeLessThanOrEqual(5000);
    expect(read()).toBeLessThanOrEqual(100_000);
  });
});

describe("hovers", () => {
  const over = (made: InstanceType<typeof Inline>, file: ReturnType<typeof fileOf>, character: number) =>
    made.hover(file.document, { line: 0, character } as never, NEVER);

  it("ask the run about what is under the cursor", async () => {
    const { made, asked } = inline();
    const file = fileOf(run("log.txt"), "step 50 of 0:120:x9 and 120_3 and words");
    for (const at of [2, 15, 26]) expect(await over(made, file, at)).not.toBeNull();
    expect(asked).toEqual([
      [run(), "step"],
      [run(), "sample"],
      [run(), "id"],
    ]);
    expect(await over(made, file, 36)).toBeNull();
    expect(asked).toHaveLength(3);
  });

  it("outside of runs ask nobody, unless runs that are open may be meant", async () => {
    const { made, asked } = inline(null);
    const file = fileOf(path.join(root, "note.md"), "step 50");
    expect(await over(made, file, 2)).toBeNull();
    expect(asked).toEqual([]);
    state.reach = "workspace";
    const tab = (fsPath: string, type = "flightDeck.run") =>
      new vscode.TabInputCustom({ scheme: "file", fsPath }, type);
    state.tabs = [tab(run()), tab(run()), tab(path.join(root, "app"), "other")];
    expect(await over(made, file, 2)).toBeNull();
    expect(asked).toEqual([[run(), "step"]]);
    state.inWorkspace = false;
    await over(made, file, 2);
    expect(asked).toHaveLength(1);
  });
});
