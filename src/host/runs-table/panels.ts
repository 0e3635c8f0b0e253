/** The editor with the table of runs: one panel, opened anew after a reload of the window. */
import * as vscode from "vscode";
import { createServer, type Handlers, isAborted, ProblemError } from "../../protocol/rpc.ts";
import {
  type RunsPageContract,
  runsPageContract,
  runsPageNotices,
  type TableAction,
} from "../../protocol/runs-page.ts";
import { problemOfError } from "../../view/problems.ts";
import { openFolder } from "../commands/openRun.ts";
import type { Memory } from "../commands/recents.ts";
import { ignorePatterns } from "../compare/ignore.ts";
import { loadPage, transportOf } from "../editor/page.ts";
import { Listeners } from "../listeners.ts";
import { refusedBy } from "../log.ts";
import type { RunsView } from "../runs/view.ts";
import { tellError } from "../say.ts";
import type { Services } from "../services.ts";
import { RunFigures } from "./figures.ts";
import { keepTablePrefs, tablePrefs } from "./prefs.ts";
import { saveTable } from "./save.ts";
import { RunsTable } from "./table.ts";

export const TABLE_VIEW = "flightDeck.runs";
const TITLE = vscode.l10n.t("Table of Runs");
const MAX_REPORT = 2000;
/** The page asks again four times a second at most, and less often about a long list that is being read. */
const REDRAW_MS = 250;
const REDRAW_EACH_MS = 1;

export class RunsTablePanels implements vscode.Disposable {
  readonly #services: Services;
  readonly #runs: () => RunsView;
  readonly #memory: Memory;
  readonly #shown = new Set<vscode.WebviewPanel>();
  /** Outlives the panels: a second showing finds what the first has read. */
  #figures: RunFigures | null = null;
  readonly #onFigures = new Listeners<void>();

  constructor(services: Services, runs: () => RunsView, memory: Memory) {
    this.#services = services;
    this.#runs = runs;
    this.#memory = memory;
  }

  open(): void {
    const [shown] = this.#shown;
    if (shown) shown.reveal();
    else this.restore(vscode.window.createWebviewPanel(TABLE_VIEW, TITLE, vscode.ViewColumn.Active));
  }

  restore(panel: vscode.WebviewPanel): void {
    this.#shown.add(panel);
    panel.title = TITLE;
    const media = vscode.Uri.joinPath(this.#services.extensionUri, "media");
    panel.iconPath = {
      light: vscode.Uri.joinPath(media, "run-light.svg"),
      dark: vscode.Uri.joinPath(media, "run-dark.svg"),
    };
    const shown = new ShownTable(panel, {
      services: this.#services,
      view: this.#runs(),
      memory: this.#memory,
      figures: this.#figuresOfRuns(),
      onFigures: this.#onFigures,
    });
    panel.onDidDispose(() => {
      this.#shown.delete(panel);
      shown.dispose();
    });
  }

  dispose(): void {
    this.#figures?.dispose();
    this.#onFigures.clear();
  }

  #figuresOfRuns(): RunFigures {
    const { pool, log } = this.#services;
    this.#figures ??= new RunFigures({
      read: async ({ dir, kind }, params, signal) => {
        const leased = await pool.fresh(dir, kind === "loose");
        if (leased.state !== "run") throw new ProblemError(leased.problem);
        try {
          return await leased.lease.run.call("run.row", params, signal);
        } finally {
          leased.lease.release();
        }
      },
      onError: (dir, error) => log.error(`${dir}: ${describe(error)}`),
      changed: () => this.#onFigures.tell(undefined),
    });
    return this.#figures;
  }
}

interface TableSources {
  readonly services: Services;
  readonly view: RunsView;
  readonly memory: Memory;
  readonly figures: RunFigures;
  readonly onFigures: Listeners<void>;
}

/** Everything ends with the panel. */
class ShownTable {
  readonly #sources: TableSources;
  readonly #panel: vscode.WebviewPanel;
  readonly #table: RunsTable;
  #saving = 0;
  #isOver = false;
  readonly #stops: (() => void)[] = [];
  readonly #onChanged = new Listeners<void>();
  #timer: NodeJS.Timeout | undefined;
  /** `null` while the panel is hidden. */
  #looking: (() => void) | null = null;

  constructor(panel: vscode.WebviewPanel, sources: TableSources) {
    this.#sources = sources;
    this.#panel = panel;
    const { services, view, figures } = sources;
    const { catalogue } = view;
    this.#table = new RunsTable({ catalogue, figures, ignored: ignorePatterns });
    const { webview } = panel;
    const server = createServer(runsPageContract, this.#handlers(), transportOf(webview), {
      notices: runsPageNotices,
      toProblem: problemOfError,
      onError: (method, error) => services.log.error(`${method}: ${describe(error)}`),
      onRefused: refusedBy(services.log, "page of runs"),
    });
    const seen = panel.onDidChangeViewState(() => {
      this.#see(panel.visible);
      if (!panel.visible) server.abortAll();
    });
    this.#stops.push(
      catalogue.onChanged(() => this.#stale("runs")),
      sources.onFigures.add(() => this.#stale("figures")),
      this.#onChanged.add(() => server.notify("changed", {})),
      () => seen.dispose(),
      () => server.dispose(),
    );
    this.#see(panel.visible);
    loadPage(webview, services.extensionUri, { script: "runs.js" });
  }

  dispose(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#see(false);
    for (const stop of this.#stops) stop();
    this.#onChanged.clear();
  }

  /** What was begun goes on when the panel is hidden. */
  async #whileLooking<T>(work: () => Promise<T>): Promise<T> {
    this.#saving++;
    try {
      return await work();
    } finally {
      this.#saving--;
      if (!this.#isOver) this.#see(this.#panel.visible);
    }
  }

  /** Nothing is read for a table that nobody sees. */
  #see(isVisible: boolean): void {
    if (isVisible === (this.#looking !== null)) return;
    if (!isVisible && this.#saving > 0 && !this.#isOver) return;
    if (isVisible) {
      this.#looking = this.#sources.view.looking();
      return;
    }
    this.#looking?.();
    this.#looking = null;
    this.#sources.figures.stop();
  }

  #stale(what: "runs" | "figures"): void {
    this.#table.stale(what);
    const many = what === "runs" ? this.#sources.view.catalogue.list().length : 0;
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined;
        this.#onChanged.tell(undefined);
      },
      Math.max(REDRAW_MS, many * REDRAW_EACH_MS),
    );
  }

  #handlers(): Handlers<RunsPageContract> {
    const { memory, services, view } = this.#sources;
    const table = this.#table;
    return {
      "table.open": async () => {
        await view.catalogue.searched();
        return { prefs: tablePrefs(memory) };
      },
      "table.prefs": async ({ prefs }) => {
        await keepTablePrefs(memory, prefs);
        return {};
      },
      "table.view": ({ offset, limit, find, ...query }) => table.view(query, offset, limit, find),
      "table.dirs": (query) => ({ dirs: table.answer(query).runs.map(({ dir }) => dir) }),
      "table.choices": ({ filter }) => table.choices(filter),
      "table.complete": ({ text }) => ({ completions: table.completions(text) }),
      "page.action": async (action) => {
        try {
          return { done: await this.#act(action) };
        } catch (error) {
          if (!(error instanceof ProblemError)) throw error;
          if (!isAborted(error)) await tellError(error.problem.message);
          return { done: false };
        }
      },
      "page.report": ({ message }) => {
        services.log.error(`page of runs: ${message.slice(0, MAX_REPORT)}`);
        return {};
      },
    };
  }

  /** About runs of the list only. */
  async #act(asked: TableAction): Promise<boolean> {
    const { services, view, figures } = this.#sources;
    const { catalogue } = view;
    const known = (dirs: readonly string[]): vscode.Uri[] =>
      dirs.filter((dir) => catalogue.get(dir) !== undefined).map((dir) => vscode.Uri.file(dir));
    switch (asked.action) {
      case "refresh":
        await catalogue.refresh();
        return true;
      case "showLog":
        await vscode.commands.executeCommand("flightDeck.showLog");
        return true;
      case "csv": {
        const onChanged = (listener: () => void) => this.#onChanged.add(listener);
        return this.#whileLooking(() => saveTable({ table: this.#table, figures, onChanged }, asked.query));
      }
      case "open": {
        const [uri] = known([asked.dir]);
        if (!uri) return false;
        if (asked.finding !== undefined) services.focus.ask(asked.dir, asked.finding);
        await openFolder(uri);
        return true;
      }
      case "copyPath": {
        const paths = known(asked.dirs).map(({ fsPath }) => fsPath);
        await vscode.env.clipboard.writeText(paths.join("\n"));
        return true;
      }
      case "compare":
      case "diagnose": {
        const uris = known(asked.dirs);
        const command = asked.action === "compare" ? "flightDeck.compareRuns" : "flightDeck.diagnose";
        await vscode.commands.executeCommand(command, uris[0], uris);
        return true;
      }
    }
  }
}

const describe = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
