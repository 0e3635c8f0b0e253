import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Listeners } from "../../../src/host/listeners.ts";
import { RunDecorations } from "../../../src/host/runs/decorations.ts";
import { type LeafNode, nodesOf, RunNode } from "../../../src/host/runs/nodes.ts";
import { RunsView } from "../../../src/host/runs/view.ts";
import type { FindingLine } from "../../../src/protocol/runs.ts";
import type { ListedRun } from "../../../src/view/listed-run.ts";
import { findingOf, summaryOf } from "./run-lists.ts";
import { settings } from "./vscode.ts";

vi.mock("vscode", async () => (await import("./vscode.ts")).fake);

const run = (dir: string, more: Partial<ListedRun> = {}): ListedRun => ({
  dir,
  label: dir.split("/").at(-1) ?? "",
  path: dir.slice(3),
  kind: "recording",
  summary: summaryOf(),
  findings: [],
  verdict: { state: "clear", words: "No findings" },
  problem: null,
  ...more,
});

/** The part of a catalogue that a view uses, filled by hand. */
class Catalogue {
  #runs: readonly ListedRun[] = [];
  cuts: string[] = [];
  isSearching = false;
  visible = false;
  readonly asked: string[] = [];
  readonly changed = new Listeners<ReadonlySet<string> | null>();
  readonly news = new Listeners<{ run: ListedRun; finding: FindingLine }>();
  set runs(runs: readonly ListedRun[]) {
    this.#runs = runs;
    this.changed.tell(new Set(runs.map(({ dir }) => dir)));
  }
  list = () => this.#runs;
  get = (dir: string) => this.#runs.find((one) => one.dir === dir);
  searched = async () => {};
  refresh = async () => {};
  first = (dir: string) => this.asked.push(dir);
  onChanged = (listener: (dirs: ReadonlySet<string> | null) => void) => this.changed.add(listener);
  onNews = (listener: (news: { run: ListedRun; finding: FindingLine }) => void) => this.news.add(listener);
  dispose = () => {};
}

let catalogue: Catalogue;
let view: RunsView;
let fired: (string | undefined)[];
let seen: (visible: boolean) => void;
const memory = new Map<string, unknown>();
const tree: Record<string, unknown> = {};

beforeEach(() => {
  memory.clear();
  catalogue = new Catalogue();
  fired = [];
  Object.assign(tree, {
    visible: true,
    badge: undefined,
    onDidChangeVisibility: (listener: (event: { visible: boolean }) => void) => {
      seen = (visible) => {
        tree["visible"] = visible;
        listener({ visible });
      };
      return { dispose: () => {} };
    },
    reveal: async () => {},
  });
  view = new RunsView(
    catalogue as never,
    { tree: tree as never, changed: { fire: (node) => fired.push(node && (node as RunNode).dir) } },
    { get: (key) => memory.get(key) as never, update: async (key, value) => void memory.set(key, value) },
    (async (_: string, method: string) =>
      method === "events.page"
        ? { rows: [{ index: 3, kind: "crash", step: "7", rank: 1, message: "a\nb", time: null, data: "" }] }
        : { attempts: [{ attempt: 1, file: "observed.attempt1.json", hash: "mismatch" }] }) as never,
  );
});
afterEach(() => view.dispose());

const labels = async (node?: RunNode | LeafNode) =>
  (await view.children(node)).map((child) => view.item(child).label as string);

describe("entries", () => {
  test("a run says in words, shape and aloud how it stands", async () => {
    catalogue.runs = [run("/w/a", { findings: [findingOf("KL_BLOWUP"), findingOf("X", "warn")] })];
    const [node] = await view.children(undefined);
    const item = view.item(node as RunNode);
    expect(item).toMatchObject({
      label: "a",
      id: "/w/a",
      description: "1,234 steps · 0.5035 · Title of KL_BLOWUP +1",
      contextValue: "run",
      iconPath: { id: "pass" },
      accessibilityInformation: {
        label:
          "a, finished, 1,234 steps, last reward 0.5035, 1 critical finding, 1 warning finding, worst: Title of KL_BLOWUP",
      },
      command: { command: "flightDeck.openRun" },
    });
    expect(item.tooltip).toBe(
      "/w/a\nid · grpo · m\nThe training ended in order.\nLast reward 0.5035\ncritical: Title of KL_BLOWUP from step 12\nwarning: Title of X from step 12",
    );
  });

  test("a run of which nothing could be looked at is no run without findings", async () => {
    const verdict = { state: "none", words: "Not diagnosed: no steps" } as const;
    const item = async (more: Partial<ListedRun>) => {
      catalogue.runs = [run("/w/a", { findings: [], ...more })];
      const { description, accessibilityInformation } = view.item(
        (await view.children(undefined))[0] as RunNode,
      );
      return [description, accessibilityInformation?.label];
    };
    expect(await item({ verdict })).toEqual([
      "1,234 steps · 0.5035 · Not diagnosed: no steps",
      "a, finished, 1,234 steps, last reward 0.5035, Not diagnosed: no steps",
    ]);
    expect(await item({})).toEqual([
      "1,234 steps · 0.5035",
      "a, finished, 1,234 steps, last reward 0.5035, no findings",
    ]);
  });

  test("names from a recording hide nothing and break no line", async () => {
    catalogue.runs = [run("/w/a\u202eb\nc", { summary: summaryOf({ runId: "x\u0000\ny" }) })];
    const item = view.item((await view.children(undefined))[0] as RunNode);
    expect(item.label).not.toMatch(/[\u202e\n]/);
    expect(String(item.tooltip).split("\n").slice(0, 2)).toEqual(["/w/a<U+202E>b c", "x<NUL> y · grpo · m"]);
  });

  test("each state has an icon of its own", async () => {
    const states = ["running", "stalled", "finished", "crashed", "halted", "killed", "unknown"] as const;
    catalogue.runs = [
      ...states.map((state) => run(`/w/${state}`, { summary: summaryOf({ state }) })),
      run("/w/unread", { summary: null }),
      run("/w/bad", { summary: null, problem: { code: "x", message: "No.", file: "", remedy: "" } }),
    ];
    const icons = (await view.children(undefined)).map(
      (node) => (view.item(node).iconPath as { id: string }).id,
    );
    expect(new Set(icons).size).toBe(9);
  });

  test("runs of one name are told apart by the folders above", async () => {
    catalogue.runs = [run("/w/x/seed/run"), run("/w/y/seed/run"), run("/w/z/other")];
    const items = (await view.children(undefined)).map((node) => view.item(node).description);
    expect(items.toSorted()).toEqual([
      "1,234 steps · 0.5035",
      "1,234 steps · 0.5035 · x/seed",
      "1,234 steps · 0.5035 · y/seed",
    ]);
  });
});

describe("below a run", () => {
  const below = async (more: Partial<ListedRun>) => {
    catalogue.runs = [run("/w/a", more)];
    const [node] = await view.children(undefined);
    return view.children(node);
  };

  test("findings, events, ranks, attempts and samples", async () => {
    const summary = summaryOf({ events: 1, ranks: [0, 1], attempts: 1, shards: 2 });
    const nodes = await below({ summary, findings: [findingOf("KL_BLOWUP")] });
    expect(nodes.map((node) => view.item(node).label)).toEqual([
      "Title of KL_BLOWUP",
      "Events",
      "Ranks",
      "Attempts",
      "Samples",
    ]);
    const [finding, events, ranks, attempts, samples] = nodes as LeafNode[];
    expect(view.item(finding as LeafNode)).toMatchObject({
      description: "from step 12",
      command: { command: "flightDeck.openEvidence", arguments: ["/w/a", "KL_BLOWUP"] },
      accessibilityInformation: { label: "critical finding, Title of KL_BLOWUP, from step 12" },
    });
    const [event] = await view.children(events);
    expect(view.item(event as LeafNode)).toMatchObject({
      label: "crash",
      description: "step 7 · rank 1 · a b",
      command: { command: "flightDeck.openEvidence", arguments: ["/w/a", null, "7"] },
    });
    expect(await labels(ranks)).toEqual(["Rank 0", "Rank 1"]);
    const [attempt] = await view.children(attempts);
    expect(view.item(attempt as LeafNode).description).toBe("configuration differs from its hash");
    expect(view.item(samples as LeafNode)).toMatchObject({ description: "2 shards" });
    const ids = [...nodes, event, attempt].map((node) => view.item(node as LeafNode).id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("only an all-clear looks like one", async () => {
    const icon = async (more: Partial<ListedRun>) => {
      const [first] = await below(more);
      const { label, iconPath } = view.item(first as LeafNode);
      return [label, (iconPath as { id: string }).id];
    };
    expect(await icon({})).toEqual(["No findings", "check"]);
    expect(await icon({ verdict: { state: "none", words: "Not diagnosed: no steps" } })).toEqual([
      "Not diagnosed: no steps",
      "circle-slash",
    ]);
    expect(await icon({ findings: null, verdict: null })).toEqual(["Diagnosing…", "loading~spin"]);
    expect(catalogue.asked).toEqual(["/w/a"]);
  });
});

describe("the list", () => {
  test("is filtered and sorted, and keeps both for the workspace", async () => {
    catalogue.runs = [run("/w/a", { summary: summaryOf({ steps: 1 }) }), run("/w/b"), run("/w/c")];
    view.setOrder("steps");
    expect(await labels()).toEqual(["b", "c", "a"]);
    view.setFilter(" steps>1 ");
    expect(await labels()).toEqual(["b", "c"]);
    expect(tree["description"]).toBe("2 of 3 · steps>1");
    expect([...memory.values()]).toEqual(["steps", "steps>1"]);
    view.setFilter("stepz>1");
    await view.children(undefined);
    expect(tree["message"]).toBe("Filter, character 1: There is no key “stepz”; the nearest is “steps”.");
    view.setFilter("");
    catalogue.cuts = ["folders"];
    await view.children(undefined);
    expect(tree["message"]).toContain("flightDeck.runs.exclude");
  });

  test("redraws one entry where nothing moves, and all where something does", async () => {
    catalogue.runs = [run("/w/a"), run("/w/b")];
    await expect.poll(() => fired).toEqual([undefined]);
    await view.children(undefined);
    fired = [];
    catalogue.changed.tell(new Set(["/w/b"]));
    await expect.poll(() => fired).toEqual(["/w/b"]);
    fired = [];
    catalogue.runs = [
      run("/w/a", { summary: summaryOf({ timeLast: 1 }) }),
      run("/w/b", { summary: summaryOf({ timeLast: 2 }) }),
    ];
    await expect.poll(() => fired).toEqual([undefined]);
  });

  test("has a badge for critical findings that came while nobody looked, until somebody does", () => {
    const news = (signature: string) =>
      catalogue.news.tell({ run: run("/w/a"), finding: findingOf(signature) });
    news("A");
    expect(tree["badge"]).toBeUndefined();
    seen(false);
    news("B");
    news("B");
    news("C");
    expect(tree["badge"]).toEqual({ value: 2, tooltip: "2 new critical findings" });
    seen(true);
    expect(tree["badge"]).toBeUndefined();
    expect(catalogue.visible).toBe(true);
  });
});

test("what a command is about: the selection where what was clicked is part of it", () => {
  const [a, b, c] = ["/a", "/b", "/c"].map((dir) => new RunNode(dir)) as [RunNode, RunNode, RunNode];
  expect(nodesOf(a, [a, b])).toEqual([a, b]);
  expect(nodesOf(c, [a, b])).toEqual([c]);
  expect(nodesOf(undefined, [a, { kind: "leaf" }])).toEqual([a]);
  expect(nodesOf("x", "y")).toEqual([]);
});

describe("marks in the Explorer", () => {
  const uri = (scheme: string) => ({ scheme, path: "/w/a", fsPath: "/w/a" }) as never;
  const mark = (more: Partial<ListedRun>, scheme = "file") => {
    catalogue.runs = [run("/w/a", more)];
    const marks = new RunDecorations(catalogue as never);
    const made = marks.provideFileDecoration(uri(scheme));
    marks.dispose();
    return made && [made.badge, made.tooltip];
  };
  afterEach(() => settings.clear());

  test("the worst finding, else how the run stands, nothing for one that ended well; and they can be switched off", () => {
    expect(mark({ findings: [findingOf("A"), findingOf("B")] })).toEqual([
      "!!",
      "Run: Title of A and 1 more",
    ]);
    expect(mark({ findings: [findingOf("A", "warn")] })).toEqual(["!", "Run: Title of A"]);
    expect(mark({ summary: summaryOf({ state: "killed" }) })).toEqual(["×", "Run: killed"]);
    expect(mark({})).toBeUndefined();
    expect(mark({ summary: summaryOf({ state: "running" }) }, "flightdeck-run")).toBeUndefined();
    expect(mark({ findings: [findingOf("A")] }, "git")).toBeUndefined();
    settings.set("flightDeck.runs.decorations", false);
    expect(mark({ findings: [findingOf("A")] })).toBeUndefined();
    expect(mark({ findings: [findingOf("A")] }, "flightdeck-run")?.[0]).toBe("!!");
  });
});
