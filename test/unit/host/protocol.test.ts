/** What the hosts of the three pages do with messages that no page of ours sends: they refuse them, say so in the log, and go on. */
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ComparePanels } from "../../../src/host/compare/panels.ts";
import { type PageHost, showPage } from "../../../src/host/editor/panel.ts";
import { Listeners } from "../../../src/host/listeners.ts";
import { logOver } from "../../../src/host/log.ts";
import { RunsTablePanels } from "../../../src/host/runs-table/panels.ts";
import type { Services } from "../../../src/host/services.ts";
import { MAX_REQUEST } from "../../../src/protocol/size.ts";
import { OBEYED, PAYLOADS } from "../../helpers/hostile.ts";
import { asked, fake } from "./vscode.ts";

vi.mock("vscode", async () => (await import("./vscode.ts")).fake);

const never = (): (() => void) => () => {};

/** A panel whose page is the test. */
class FakePanel {
  readonly posted: {
    readonly kind: string;
    readonly id?: number;
    readonly problem?: { readonly code: string };
  }[] = [];
  readonly #listeners = new Set<(message: unknown) => void>();
  readonly #onDispose: (() => void)[] = [];
  visible = true;
  active = true;
  title = "";
  iconPath: unknown;
  readonly webview = {
    options: {},
    html: "",
    cspSource: "https://csp.invalid",
    asWebviewUri: (uri: unknown) => uri,
    postMessage: async (message: never) => {
      this.posted.push(message);
      return true;
    },
    onDidReceiveMessage: (listener: (message: unknown) => void) => {
      this.#listeners.add(listener);
      return { dispose: () => this.#listeners.delete(listener) };
    },
  };
  onDidChangeViewState = () => ({ dispose: () => {} });
  onDidDispose = (listener: () => void) => {
    this.#onDispose.push(listener);
    return { dispose: () => {} };
  };

  async send(...messages: readonly unknown[]): Promise<void> {
    for (const message of messages) for (const listener of this.#listeners) listener(message);
    await new Promise((resolve) => setImmediate(resolve));
  }

  dispose(): void {
    for (const listener of this.#onDispose) listener();
  }
}

/** Log lines, and what reached a run. */
let lines: string[];
let reached: string[];
let panel: FakePanel;

beforeEach(() => {
  lines = [];
  reached = [];
  panel = new FakePanel();
  asked.length = 0;
});

function services(): Services {
  const say = (level: string) => (text: string) => lines.push(`${level} ${text}`);
  const channel = { debug: say("debug"), info: say("info"), warn: say("warn"), error: say("error") };
  const focus = { onAsked: never, take: () => null };
  return {
    extensionUri: fake.Uri.file("/extension"),
    log: logOver(channel as never),
    doctor: { onChanged: never, onRunChanged: never },
    prefs: {
      get: () => null,
      set: async () => reached.push("prefs.set"),
    },
    ...{ focus, sampleFocus: focus },
    pool: { compare: async () => reached.push("compare") },
  } as unknown as Services;
}

function runPage(): void {
  const session = {
    dir: "/run",
    open: async () => ({ state: "run" }),
    call: async (method: string) => reached.push(method),
    ...{ onReopened: never, onStopped: never, onChanged: never },
  };
  const host = {
    session,
    onOpened: new Listeners<void>(),
    act: async (action: { action: string }) => reached.push(action.action),
    recheck: async () => false,
  };
  showPage(panel as never, host as unknown as PageHost, services());
}

const HOSTS: readonly (readonly [name: string, method: string, serve: () => void])[] = [
  ["the run editor", "page.action", runPage],
  [
    "the compare editor",
    "page.action",
    // What a page stored may be anything too.
    () => new ComparePanels(services()).restore(panel as never, { uris: ["http://x/", 5, "file:///etc"] }),
  ],
  [
    "the table of runs",
    "page.action",
    () => {
      const catalogue = { onChanged: never, list: () => [], get: () => undefined };
      const view = { catalogue, looking: () => () => {} };
      const memory = { get: () => undefined, update: async () => {} };
      new RunsTablePanels(services(), () => view as never, memory as never).restore(panel as never);
    },
  ],
];

const request = (id: unknown, method: unknown, params: unknown = {}) => ({
  ...{ v: 1, kind: "request", id, method, params },
});

/** Lists in lists, as JSON has them. */
function deep(levels: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = [value];
  return value;
}

describe.each(HOSTS)("the host of %s", (_, method, serve) => {
  const refusals = () => lines.filter((line) => line.startsWith("warn")).length;

  it.each<[string, unknown, number | null]>([
    ["nothing", null, null],
    ["undefined", undefined, null],
    ["a number", 5, null],
    ["a text", "page.action", null],
    ["a list", [1, 2], null],
    ["no kind", { v: 1, id: 7 }, 7],
    ["another version", { ...request(7, method), v: 2 }, 7],
    ["an id that is none", request("7", method), null],
    ["an id that is no whole number", request(1.5, method), null],
    ["no method", { v: 1, kind: "request", id: 7, params: {} }, 7],
    [
      "an inherited kind",
      JSON.parse('{"__proto__":{"v":1,"kind":"request","id":7,"method":"page.action"}}'),
      null,
    ],
    ["lists too deep", request(7, method, deep(50_000)), 7],
    ["too much text", request(7, "page.report", { message: "x".repeat(MAX_REQUEST) }), 7],
    ["a name that is too much", request(7, "x".repeat(MAX_REQUEST)), 7],
    ["too many values", request(7, method, new Array(MAX_REQUEST / 8).fill(1)), 7],
    [
      "too many bytes",
      request(7, "page.save", { title: "", kind: "png", bytes: new Uint8Array(MAX_REQUEST) }),
      7,
    ],
  ])("refuses %s, and answers whoever waits", async (_name, message, id) => {
    serve();
    await panel.send(message);
    expect(refusals()).toBe(1);
    const answers = panel.posted.map(({ kind, id, problem }) => [kind, id, problem?.code]);
    expect(answers).toEqual(id === null ? [] : [["error", id, "bad-request"]]);
    expect([...reached, ...asked]).toEqual([]);
  });

  it.each(["constructor", "__proto__", "toString", "page.none", "", "open", "worker.open"])(
    "knows no question “%s”",
    async (name) => {
      serve();
      await panel.send(request(1, name));
      expect(lines).toEqual([`warn ${lines[0]?.slice(5)}`]);
      expect(lines[0]).toMatch(/unknown-method$/);
      expect(panel.posted).toMatchObject([{ kind: "error", id: 1, problem: { code: "bad-request" } }]);
      expect(reached).toEqual([]);
    },
  );

  it.each<[string, unknown]>([
    ["none", undefined],
    ["a list", []],
    ["an action that is none", { action: "workbench.action.closeWindow" }],
    ["an inherited action", { action: "constructor" }],
    ["an action of another kind", { action: { toString: "openRun" } }],
    ["a command", { action: "command:flightDeck.openRun" }],
  ])("runs no action with parameters that do not fit: %s", async (_name, params) => {
    serve();
    await panel.send(request(1, method, params));
    expect(lines[0]).toMatch(/bad-params$/);
    expect(panel.posted).toMatchObject([{ kind: "error", id: 1 }]);
    expect([...reached, ...asked]).toEqual([]);
  });

  it("takes no answers and notices from a page, and no aborts of what it was not asked", async () => {
    serve();
    await panel.send(
      { v: 1, kind: "ok", id: 1, result: {} },
      { v: 1, kind: "error", id: 1, problem: { code: "x", message: "", file: "", remedy: "" } },
      { v: 1, kind: "notice", name: "changed", data: {} },
      { v: 1, kind: "abort", id: 99 },
    );
    expect(refusals()).toBe(3);
    expect(panel.posted).toEqual([]);
  });

  it("hears nothing once its panel is closed", async () => {
    serve();
    panel.dispose();
    await panel.send(request(1, method, { action: "showLog" }), null);
    expect(panel.posted).toEqual([]);
    expect([...reached, ...asked]).toEqual([]);
  });

  it("writes what was refused into one line each, and stops after some", async () => {
    serve();
    for (const { text } of PAYLOADS) await panel.send(request(1, `${text}\nerror forged`));
    expect(lines.filter((line) => OBEYED.test(line))).toEqual([]);
    expect(lines.every((line) => line.length < 200)).toBe(true);
    expect(refusals()).toBe(21);
    // And goes on answering.
    expect(panel.posted).toHaveLength(PAYLOADS.length);
  });

  it("still answers a page of ours", async () => {
    serve();
    await panel.send(null, request(3, "page.report", { message: "an\nerror \u001b[2J" }));
    expect(panel.posted).toMatchObject([{ kind: "ok", id: 3 }]);
    expect(lines.at(-1)).toMatch(/^error .*an\n {4}error <ESC>\[2J$/);
  });
});
