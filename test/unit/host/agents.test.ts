/** Runs that agents ask about in VS Code: which handle answers, when files are looked at anew, when it is given back; the server's definition. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { registerAgents, serverFor, TOOL_NAMES } from "../../../src/host/agents/register.ts";
import { HostRuns } from "../../../src/host/agents/source.ts";
import { problemOf } from "../../../src/protocol/rpc.ts";

interface FakeTool {
  prepareInvocation(): { readonly invocationMessage: string };
  invoke(options: object, token: object): Promise<unknown>;
}
interface FakeServers {
  provideMcpServerDefinitions(): readonly { readonly parts: readonly unknown[] }[];
}
const seen = vi.hoisted(() => ({
  tools: new Map<string, unknown>(),
  servers: new Map<string, unknown>(),
  folders: ["/folders/a", "/folders/b"],
  version: "1.139.1",
}));

vi.mock("vscode", async () => {
  const { fake } = await import("./vscode.ts");
  const on = () => ({ dispose: () => {} });
  return {
    ...fake,
    get version() {
      return seen.version;
    },
    workspace: {
      get workspaceFolders() {
        return seen.folders.map((path) => ({ uri: fake.Uri.file(path) }));
      },
      onDidChangeWorkspaceFolders: on,
    },
    McpStdioServerDefinition: class {
      readonly parts: readonly unknown[];
      constructor(...parts: unknown[]) {
        this.parts = parts;
      }
    },
    lm: {
      registerTool: (name: string, tool: unknown) => seen.tools.set(name, tool) && on(),
      registerMcpServerDefinitionProvider: (id: string, provider: unknown) =>
        seen.servers.set(id, provider) && on(),
    },
  };
});

const GONE = problemOf("not-found", "The folder is gone.", {});

/** A pool that takes down what is opened, looked at anew, asked and given back. */
function setup() {
  const log: string[] = [];
  let handles = 0;
  const gone = new Set<string>();
  const pool = {
    fresh: async (dir: string, isLoose: boolean) => {
      const name = `${dir}#${++handles}${isLoose ? " loose" : ""}`;
      log.push(`open ${name}`);
      if (gone.has(dir)) return { state: "refused", problem: GONE };
      if (dir === "/loose" && !isLoose) return { state: "empty", loose: true, problem: GONE };
      const run = {
        reload: async () => {
          log.push(`look ${name}`);
          return gone.has(dir) ? { state: "refused", problem: GONE } : { state: "run", run: 1 };
        },
        call: async (method: string) => log.push(`${method} ${name}`),
      };
      return { state: "run", lease: { run, release: () => log.push(`close ${name}`) } };
    },
    compare: async (runs: readonly unknown[]) => runs.length,
  };
  const runs = new HostRuns({
    places: { roots: () => ["/"], isConfined: true },
    pool: () => pool as never,
    excluded: () => [],
    thresholds: async () => ({ file: null, text: null, extra: true }),
    ignored: () => [],
  });
  return { runs, log, gone };
}

const signal = new AbortController().signal;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("runs for agents", () => {
  it("stay open for a while, and their files are looked at anew for each question", async () => {
    const { runs, log } = setup();
    for (let i = 0; i < 2; i++) {
      const run = await runs.open("/r");
      await run.call("run.overview", {}, signal);
      run.release();
      await vi.advanceTimersByTimeAsync(15_000);
    }
    expect(log).toEqual(["open /r#1", "run.overview /r#1", "look /r#1", "run.overview /r#1"]);
    await vi.advanceTimersByTimeAsync(6_000);
    expect(log.at(-1)).toBe("close /r#1");
  });

  it("have a handle for each of two questions at once, and one stays", async () => {
    const { runs, log } = setup();
    const [a, b] = [await runs.open("/r"), await runs.open("/r")];
    a.release();
    b.release();
    expect(log).toEqual(["open /r#1", "open /r#2", "close /r#1"]);
  });

  it("are few, and none after the end", async () => {
    const { runs, log } = setup();
    for (const dir of ["/1", "/2", "/3", "/4", "/5"]) (await runs.open(dir)).release();
    expect(log.filter((each) => each.startsWith("close"))).toEqual(["close /1#1"]);
    const late = await runs.open("/6");
    runs.dispose();
    late.release();
    expect(log.filter((each) => each.startsWith("close"))).toHaveLength(6);
  });

  it("that are gone are given back and refused, and opened when they are there again", async () => {
    const { runs, log, gone } = setup();
    (await runs.open("/r")).release();
    gone.add("/r");
    await expect(runs.open("/r")).rejects.toMatchObject({ problem: GONE });
    await expect(runs.open("/r")).rejects.toMatchObject({ problem: GONE });
    gone.clear();
    await runs.open("/r");
    expect(log).toEqual(["open /r#1", "look /r#1", "close /r#1", "open /r#2", "open /r#3"]);
  });

  it("without a manifest are taken as they are, and compared like others", async () => {
    const { runs, log } = setup();
    const loose = await runs.open("/loose");
    expect(loose.isLoose).toBe(true);
    const other = await runs.open("/r");
    expect(await runs.compare([loose, other], "compare.overview", {}, signal)).toBe(2);
    expect(log).toEqual(["open /loose#1", "open /loose#2 loose", "open /r#3"]);
  });
});

describe("what VS Code is told", () => {
  const register = () => {
    const asked: unknown[] = [];
    const agents = async () => ({
      invoke: async (...more: unknown[]) => {
        asked.push(more);
        return "answer";
      },
    });
    const extensionUri = { scheme: "file", path: "/ext", fsPath: "/ext" };
    const context = { extensionUri, extension: { packageJSON: { version: "1.2.3" } } };
    registerAgents(context as never, agents as never);
    return asked;
  };

  it("each tool answers by its name; before it does nothing happens", async () => {
    const asked = register();
    expect([...seen.tools.keys()]).toEqual(TOOL_NAMES);
    const tool = seen.tools.get("flightdeck_get_samples") as FakeTool;
    expect(tool.prepareInvocation().invocationMessage).toBe("Reading samples of a training run");
    expect(asked).toEqual([]);
    expect(await tool.invoke({ input: { run: "x" } }, {})).toBe("answer");
    expect(asked).toEqual([["flightdeck_get_samples", { run: "x" }, {}]]);
  });

  it("the server runs on VS Code's own Node, for the folders of the workspace", () => {
    register();
    const provider = seen.servers.get("flightDeck.mcp") as FakeServers;
    const [server] = provider.provideMcpServerDefinitions();
    expect(server?.parts).toEqual([
      "Flight Deck",
      process.execPath,
      ["/ext/dist/cli.cjs", "mcp", "--root", "/folders/a", "--root", "/folders/b"],
      { ELECTRON_RUN_AS_NODE: "1" },
      "1.2.3",
    ]);
    seen.folders = [];
    expect(provider.provideMcpServerDefinitions()).toEqual([]);
    expect(serverFor("/cli", [])).toBe(null);
  });
});

describe("VS Code 1.100", () => {
  afterEach(() => {
    seen.version = "1.139.1";
  });

  it("has a function of that name which ends the extension's start: it is not called", () => {
    const context = { extensionUri: {}, extension: { packageJSON: {} } };
    const known = (version: string): boolean => {
      seen.version = version;
      seen.servers.clear();
      registerAgents(context as never, () => Promise.reject(new Error("not asked")));
      return seen.servers.has("flightDeck.mcp");
    };
    expect(["1.100.3", "1.101.0", "1.139.1", "2.0.0"].map(known)).toEqual([false, true, true, true]);
  });
});
