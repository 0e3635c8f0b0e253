/** The Runs view: what of the catalogue is shown, in which order, and what is said about the whole of it. */
import * as vscode from "vscode";
import type { ListedRun, RunOrder } from "../../view/listed-run.ts";
import { RUN_ORDERS, sortedRuns } from "../../view/listed-run.ts";
import { placesOf } from "../../view/run-line.ts";
import { matchesQuery, parseQuery, type QueryProblem } from "../../view/run-query.ts";
import { configKeysOf } from "../../view/run-query-completion.ts";
import type { Memory } from "../commands/recents.ts";
import type { RunCatalogue } from "./catalogue.ts";
import { type Ask, detailsOf } from "./details.ts";
import { leafItem, type Node, RunNode, runItem } from "./nodes.ts";

/** The part of a TreeView that is used. */
export interface Tree {
  readonly visible: boolean;
  readonly onDidChangeVisibility: vscode.Event<{ readonly visible: boolean }>;
  description?: string | undefined;
  message?: string | undefined;
  badge?: vscode.ViewBadge | undefined;
  reveal(node: Node, options?: { select?: boolean; focus?: boolean; expand?: boolean }): Thenable<void>;
}

export interface TreeParts {
  readonly tree: Tree;
  /** Asks VS Code to ask again; `undefined` for all. */
  readonly changed: { fire(node: Node | undefined): void };
}

const ORDER_KEY = "flightDeck.runs.order";
const FILTER_KEY = "flightDeck.runs.filter";
/** Four redraws a second at most, and fewer of a long list, all of which VS Code asks for each time. */
const REDRAW_MS = 250;
const REDRAW_EACH_MS = 2;

interface Shown {
  readonly runs: readonly ListedRun[];
  /** What is wrong with the filter. */
  readonly problem: QueryProblem | null;
  readonly of: number;
}

export class RunsView implements vscode.Disposable {
  readonly catalogue: RunCatalogue;
  readonly #parts: TreeParts;
  readonly #memory: Memory;
  readonly #ask: Ask;
  readonly #nodes = new Map<string, RunNode>();
  readonly #news = new Set<string>();
  readonly #stops: (() => void)[];
  #filter: string;
  #order: RunOrder;
  /** Folders in the order that VS Code knows. */
  #known: readonly string[] = [];
  #places: ReadonlyMap<string, string> = new Map();
  /** What is to be drawn again; `null` for nothing. */
  #stale: Set<string> | "all" | null = null;
  #timer: NodeJS.Timeout | undefined;
  #shown: Shown | null = null;
  /** Who looks, besides those who see the view. */
  readonly #looks = new Set<object>();
  readonly #contexts = new Map<string, boolean>();

  constructor(catalogue: RunCatalogue, parts: TreeParts, memory: Memory, ask: Ask) {
    this.catalogue = catalogue;
    this.#parts = parts;
    this.#memory = memory;
    this.#ask = ask;
    const filter = memory.get<unknown>(FILTER_KEY);
    this.#filter = typeof filter === "string" ? filter : "";
    const order = memory.get<unknown>(ORDER_KEY);
    this.#order = RUN_ORDERS.find((one) => one === order) ?? "newest";
    const seen = parts.tree.onDidChangeVisibility(({ visible }) => this.#seen(visible));
    this.#stops = [
      catalogue.onChanged((dirs) => this.#changed(dirs)),
      catalogue.onNews(({ run, finding }) => this.#noteNews(run, finding.signature)),
      () => seen.dispose(),
    ];
    this.#say();
    this.#seen(parts.tree.visible);
  }

  get filter(): string {
    return this.#filter;
  }

  get order(): RunOrder {
    return this.#order;
  }

  setFilter(filter: string): void {
    this.#filter = filter.trim();
    void this.#memory.update(FILTER_KEY, this.#filter);
    this.#redraw("all");
  }

  setOrder(order: RunOrder): void {
    this.#order = order;
    void this.#memory.update(ORDER_KEY, order);
    this.#redraw("all");
  }

  /** Runs that are shown, in order. */
  shown(): readonly ListedRun[] {
    return this.#current().runs;
  }

  /** Made once for each state of the list. */
  #current(): Shown {
    if (this.#shown) return this.#shown;
    const all = this.catalogue.list();
    const { terms, problems } = parseQuery(this.#filter, this.#filter === "" ? [] : configKeysOf(all));
    const fitting = all.filter((run) => matchesQuery(terms, run));
    this.#shown = { runs: sortedRuns(fitting, this.#order), problem: problems[0] ?? null, of: all.length };
    return this.#shown;
  }

  async children(node: Node | undefined): Promise<Node[]> {
    if (node === undefined) return this.#roots();
    if (node.kind === "leaf") return [...((await node.children?.()) ?? [])];
    const run = this.catalogue.get(node.dir);
    if (!run) return [];
    if (run.findings === null) this.catalogue.first(node.dir);
    return detailsOf(node, run, this.#ask);
  }

  item(node: Node): vscode.TreeItem {
    if (node.kind === "leaf") return leafItem(node);
    const run = this.catalogue.get(node.dir);
    if (run) return runItem(node, run, this.#places.get(node.dir) ?? "");
    // It went while VS Code asked.
    return new vscode.TreeItem(node.runUri.path.split("/").at(-1) ?? "");
  }

  /** Selects a run, once it is found. @returns false when there is none in this folder, or the filter hides it */
  async reveal(dir: string): Promise<boolean> {
    if (!this.catalogue.get(dir)) await this.catalogue.searched();
    if (!this.catalogue.get(dir)) await this.catalogue.refresh();
    if (!this.shown().some((run) => run.dir === dir)) return false;
    await this.#parts.tree.reveal(this.#nodeOf(dir), { select: true, focus: true, expand: true });
    return true;
  }

  /** Somebody else looks at the list too, until what is returned is called. */
  looking(): () => void {
    const look = {};
    this.#looks.add(look);
    this.#follow();
    return () => {
      if (this.#looks.delete(look)) this.#follow();
    };
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const stop of this.#stops) stop();
    this.catalogue.dispose();
  }

  async #roots(): Promise<RunNode[]> {
    await this.catalogue.searched();
    const shown = this.shown();
    this.#places = placesOf(shown);
    this.#known = shown.map(({ dir }) => dir);
    const all = new Set(this.catalogue.list().map(({ dir }) => dir));
    for (const dir of this.#nodes.keys()) if (!all.has(dir)) this.#nodes.delete(dir);
    this.#say();
    return this.#known.map((dir) => this.#nodeOf(dir));
  }

  /** The same node for the same run: VS Code keeps what is expanded and selected by it. */
  #nodeOf(dir: string): RunNode {
    const known = this.#nodes.get(dir);
    if (known) return known;
    const node = new RunNode(dir);
    this.#nodes.set(dir, node);
    return node;
  }

  #seen(visible: boolean): void {
    this.#follow();
    if (!visible) return;
    this.#news.clear();
    this.#parts.tree.badge = undefined;
  }

  #follow(): void {
    this.catalogue.visible = this.#parts.tree.visible || this.#looks.size > 0;
  }

  /** Only what comes while nobody looks: the rest is seen. */
  #noteNews({ dir }: ListedRun, signature: string): void {
    if (this.#parts.tree.visible) return;
    this.#news.add(`${dir}\0${signature}`);
    const n = this.#news.size;
    this.#parts.tree.badge = {
      value: n,
      tooltip:
        n === 1 ? vscode.l10n.t("1 new critical finding") : vscode.l10n.t("{0} new critical findings", n),
    };
  }

  #changed(dirs: ReadonlySet<string> | null): void {
    this.#redraw(dirs ?? "all");
  }

  #redraw(what: ReadonlySet<string> | "all"): void {
    if (what === "all" || this.#stale === "all") this.#stale = "all";
    else this.#stale = new Set([...(this.#stale ?? []), ...what]);
    this.#shown = null;
    this.#timer ??= setTimeout(() => this.#draw(), Math.max(REDRAW_MS, this.#known.length * REDRAW_EACH_MS));
  }

  #draw(): void {
    this.#timer = undefined;
    const stale = this.#stale;
    this.#stale = null;
    this.#say();
    const now = this.shown().map(({ dir }) => dir);
    const isSame = now.length === this.#known.length && now.every((dir, i) => dir === this.#known[i]);
    if (!isSame || stale === "all") this.#parts.changed.fire(undefined);
    else for (const dir of stale ?? []) if (this.#nodes.has(dir)) this.#parts.changed.fire(this.#nodeOf(dir));
  }

  #say(): void {
    const { tree } = this.#parts;
    const { runs, of, problem } = this.#current();
    const isFiltered = this.#filter !== "";
    tree.description = isFiltered ? vscode.l10n.t("{0} of {1} · {2}", runs.length, of, this.#filter) : "";
    tree.message = this.#message(of > 0 ? problem : null);
    this.#setContext("filtered", isFiltered && of > 0);
    this.#setContext("searching", this.catalogue.isSearching);
  }

  /** Each is a message to VS Code's window. */
  #setContext(name: "filtered" | "searching", isOn: boolean): void {
    if (this.#contexts.get(name) === isOn) return;
    this.#contexts.set(name, isOn);
    void vscode.commands.executeCommand("setContext", `flightDeck.runs.${name}`, isOn);
  }

  #message(problem: QueryProblem | null): string | undefined {
    if (problem) return vscode.l10n.t("Filter, character {0}: {1}", problem.from + 1, problem.message);
    const cuts = this.catalogue.cuts;
    if (cuts.includes("cancelled"))
      return vscode.l10n.t("The search was stopped; not every folder was looked into.");
    if (cuts.length > 0)
      return vscode.l10n.t(
        "There are too many folders to look into all of them; leave some out with the setting flightDeck.runs.exclude.",
      );
    return undefined;
  }
}
