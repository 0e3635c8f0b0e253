/** Links in terminals, and links that come in: what is looked at, what is opened, and what is not even looked at. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

const state = vi.hoisted(() => ({
  asked: [] as string[],
  looked: [] as string[],
  folder: "",
  confirms: true,
  remote: undefined as string | undefined,
  clipboard: "",
}));

vi.mock("vscode", async () => {
  const { l10n } = await import("./l10n.ts");
  class Uri {
    readonly scheme: string;
    readonly path: string;
    constructor(scheme: string, path: string) {
      this.scheme = scheme;
      this.path = path;
    }
    get fsPath(): string {
      return this.path;
    }
    static file = (file: string) => new Uri("file", file);
    with = (change: { path?: string }) => new Uri(this.scheme, change.path ?? this.path);
    toString = () => `${this.scheme}://${this.path}`;
  }
  const notice = (kind: string) => async (text: string, options?: unknown) => {
    const isModal = typeof options === "object" && options !== null && "modal" in options;
    state.asked.push(`${isModal ? "asked" : kind}: ${text}`);
    return isModal && state.confirms ? "Open Run" : undefined;
  };
  return {
    l10n,
    Uri,
    TabInputCustom: class {},
    TabInputText: class {},
    TabInputTextDiff: class {},
    commands: {
      executeCommand: async (name: string, uri: Uri) => {
        state.asked.push(`${name} ${uri.path}`);
      },
    },
    env: {
      get remoteName() {
        return state.remote;
      },
      uriScheme: "vscode",
      clipboard: {
        writeText: async (text: string) => {
          state.clipboard = text;
        },
      },
    },
    window: {
      showInformationMessage: notice("told"),
      showWarningMessage: notice("warned"),
      tabGroups: { all: [], activeTabGroup: { activeTab: undefined } },
    },
    workspace: {
      getWorkspaceFolder: ({ path: at }: Uri) => (at.startsWith(`${state.folder}/`) ? {} : undefined),
      get workspaceFolders() {
        return [{ uri: Uri.file(state.folder) }];
      },
    },
  };
});
vi.mock("../../../src/host/services.ts", () => ({ VIEW_TYPE: "flightDeck.run" }));
vi.mock("../../../src/host/commands/pickRun.ts", () => ({ pickRun: async () => undefined }));
vi.mock("../../../src/host/doctor/documents.ts", () => ({ findingsDir: () => null }));
vi.mock("../../../src/host/disk.ts", async (original) => {
  const { disk, ...rest } = await original<typeof import("../../../src/host/disk.ts")>();
  const kind = (at: string) => {
    state.looked.push(at);
    return disk.kind(at);
  };
  return { ...rest, disk: { kind } };
});

const { Links } = await import("../../../src/host/links/links.ts");
const vscode = await import("vscode");

const focused: string[] = [];
const links = new Links({
  services: {
    log: { warn: (text: string) => state.asked.push(`log: ${text}`) },
    sampleFocus: { ask: (dir: string, place: object) => focused.push(`${dir} ${JSON.stringify(place)}`) },
  } as never,
  comparison: () => [],
  compare: (uris) => state.asked.push(`compare ${uris.map(({ fsPath }) => fsPath).join(" ")}`),
  sample: async (name, target) => {
    state.asked.push(`${name} ${JSON.stringify(target)}`);
  },
});

let root = "";
const run = (name: string): string => path.join(root, "work", name);
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), "fd-links-"));
  for (const name of ["runs/a", "runs/b", "../elsewhere"]) {
    await mkdir(run(name), { recursive: true });
    for (const file of ["manifest.json", "steps.parquet"]) await writeFile(path.join(run(name), file), "");
  }
  await mkdir(run("plain"));
  state.folder = path.join(root, "work");
});
afterAll(() => rm(root, { recursive: true, force: true }));
beforeEach(() => {
  state.asked.length = state.looked.length = focused.length = 0;
  Object.assign(state, { confirms: true, remote: undefined, clipboard: "" });
});

const follow = (query: string, at = "/open") => links.handle({ path: at, query } as never);

describe("a link that comes in", () => {
  it("opens its run, at its step", async () => {
    await follow(`run=${run("runs/a")}&step=12`);
    expect(state.asked).toEqual([`vscode.openWith ${run("runs/a")}`]);
    expect(focused).toEqual([`${run("runs/a")} {"row":null,"step":12}`]);
  });

  it("opens a sample and a comparison", async () => {
    await follow(`run=${run("runs/a")}&step=12&sample=s1&rank=2`);
    await follow(`run=${run("runs/a")}&with=${run("runs/b")}`);
    expect(state.asked).toEqual([
      `openSample ${JSON.stringify({ dir: run("runs/a"), step: "12", rank: 2, id: "s1" })}`,
      `compare ${run("runs/a")} ${run("runs/b")}`,
    ]);
  });

  it("asks before anything outside of the workspace is looked at, the run compared with it too", async () => {
    state.confirms = false;
    await follow(`run=${path.join(root, "elsewhere")}`);
    await follow(`run=${run("runs/a")}&with=${path.join(root, "elsewhere")}`);
    expect(state.asked).toEqual(
      new Array(2).fill("asked: A link wants to open a run outside of this workspace."),
    );
    expect(state.looked.filter((at) => at.includes("elsewhere"))).toEqual([]);
    state.confirms = true;
    await follow(`run=${path.join(root, "elsewhere")}`);
    expect(state.asked.at(-1)).toBe(`vscode.openWith ${path.join(root, "elsewhere")}`);
  });

  it.each(["run=//host/share", "run=\\\\host\\share", "run=relative", "run=/a&x=1", "run=/a/../b", ""])(
    "is refused in words, and nothing is looked at: %s",
    async (query) => {
      await follow(query);
      expect(state.asked.map((text) => text.split(":")[0])).toEqual(["log", "warned"]);
      expect(state.looked).toEqual([]);
    },
  );

  it("says that a run is not here, or on another machine", async () => {
    await follow(`run=${run("gone")}`);
    expect(state.asked).toEqual([`warned: The link names a folder that is not here: ${run("gone")}`]);
    state.asked.length = 0;
    await follow(`run=vscode-remote://ssh-remote%252Bbox${run("runs/a")}`);
    expect(state.asked).toEqual([expect.stringContaining("on another machine (ssh-remote+box)")]);
    state.asked.length = 0;
    state.remote = "ssh-remote";
    await follow(`run=vscode-remote://ssh-remote%252Bbox${run("runs/a")}`);
    expect(state.asked).toEqual([`vscode.openWith ${run("runs/a")}`]);
  });
});

it("Copy Link copies what leads back", async () => {
  await links.copy(vscode.Uri.file(run("runs/a")));
  expect(state.clipboard).toBe(`vscode://flight-deck.flight-deck/open?run=${run("runs/a")}`);
});

it("Copy Link copies no link that would be refused, and says why", async () => {
  state.clipboard = "";
  state.asked.length = 0;
  const odd = `${run("runs/a")}\u202eb`;
  await mkdir(odd);
  await writeFile(path.join(odd, "manifest.json"), "{}");
  await links.copy(vscode.Uri.file(odd));
  expect(state.clipboard).toBe("");
  expect(state.asked).toEqual(["warned: The link cannot be made. It holds characters that no link needs."]);
});

describe("a line of a terminal", () => {
  const none = { isCancellationRequested: false } as never;
  const terminal = { creationOptions: {} };
  const seen = async (line: string) =>
    (await links.terminalLinks({ line, terminal } as never, none)).map(({ startIndex, length, link }) => [
      line.slice(startIndex, startIndex + length),
      path.relative(state.folder, link.run.path),
      link.step,
      link.sample?.id ?? null,
    ]);

  it("has links to runs, by whole and by relative paths, and to what is cited", async () => {
    expect(await seen(`runs/a  finished, ${run("runs/b")} running`)).toEqual([
      ["runs/a", "runs/a", null, null],
      [run("runs/b"), "runs/b", null, null],
    ]);
    expect(await seen("see runs/a/139 and runs/a/139/0/139_4.")).toEqual([
      ["runs/a/139", "runs/a", "139", null],
      ["runs/a/139/0/139_4", "runs/a", "139", "139_4"],
    ]);
  });

  it("has none to what is no run", async () => {
    expect(await seen("plain/x runs/none 1/2 https://a.example/runs/a")).toEqual([]);
  });

  it("never looks at another machine, and at few folders", async () => {
    await seen("//host/share/run \\\\host\\share\\run");
    expect(state.looked).toEqual([]);
    await seen("x/y ".repeat(500));
    expect(state.looked.length).toBeLessThan(60);
  });

  it("opens what it links to", async () => {
    const [link] = await links.terminalLinks({ line: "runs/a/7", terminal } as never, none);
    if (link) await links.open(link.link);
    expect(state.asked).toEqual([`vscode.openWith ${run("runs/a")}`]);
  });
});
