/** The run editor: a read-only custom editor on a run's folder, or on a file inside one. */
import * as vscode from "vscode";
import { isLive } from "../../protocol/runs.ts";
import { tabText } from "../../view/native.ts";
import { Listeners } from "../listeners.ts";
import type { Services } from "../services.ts";
import { actOn } from "./actions.ts";
import { showPage } from "./panel.ts";
import { locate, watchRun } from "./place.ts";
import { RunSession } from "./session.ts";
import type { RunWatch } from "./watch.ts";

const NEVER = new AbortController().signal;

/** One document for each URI, however many panels show it; they share its session. */
export class RunDocument implements vscode.CustomDocument {
  readonly uri: vscode.Uri;
  readonly session: RunSession;
  readonly #panels = new Set<vscode.WebviewPanel>();
  #watch: { readonly dir: string; readonly run: RunWatch } | null = null;
  #isDisposed = false;
  readonly #services: Services;
  readonly #unmark: () => void;

  constructor(uri: vscode.Uri, services: Services) {
    this.uri = uri;
    this.#services = services;
    this.#unmark = services.guardian.onChanged((dir) => {
      if (dir === this.session.dir) this.#mark();
    });
    this.session = new RunSession({
      locate: async () => {
        const place = await locate(uri);
        // Before the run is opened: what changes from now on is noticed.
        if ("dir" in place) await this.#watchFolder(place.dir);
        return place;
      },
      pool: () => services.pool,
      onOpened: (dir) => {
        void this.#judge();
        this.#tellGuardian(dir);
        services.log.info(`opened ${dir}`);
        // The demo run has a command of its own, and a path that changes with each version.
        if (dir.startsWith(services.extensionUri.fsPath)) return;
        services.recents.add(vscode.Uri.file(dir).toString()).catch(() => {});
      },
      onRefused(place, { code, file }, cause) {
        services.log.warn(`not opened: ${place}: ${code}${file && ` (${file})`}`);
        if (cause instanceof Error && cause.name !== "ProblemError") services.log.error(cause);
      },
    });
  }

  /** The files are watched while a panel shows them. */
  shownIn(panel: vscode.WebviewPanel): void {
    this.#panels.add(panel);
    this.#seenOrNot();
    panel.onDidChangeViewState(() => this.#seenOrNot());
    panel.onDidDispose(() => {
      this.#panels.delete(panel);
      this.#seenOrNot();
    });
    this.#mark();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#unmark();
    this.#services.guardian.closed(this);
    this.#watch?.run.dispose();
    if (this.session.dir !== null) {
      this.#services.problems.clear(this.session.dir);
      this.#services.pins.set(this.session.dir, null);
    }
    this.session.dispose();
  }

  async #watchFolder(dir: string): Promise<void> {
    if (this.#isDisposed || this.#watch?.dir === dir) return;
    this.#watch?.run.dispose();
    const onChanged = async () => {
      await this.session.refresh();
      void this.#judge();
      this.#services.doctor.runChanged(dir);
    };
    const run = watchRun(dir, onChanged);
    this.#watch = { dir, run };
    this.#seenOrNot();
    await run.ready;
  }

  /** Looks at the files now. @returns whether the run was opened again */
  recheck(): Promise<boolean> {
    return this.#watch?.run.check() ?? Promise.resolve(false);
  }

  /** A run that goes on is looked at more often. Never rejects. */
  async #judge(): Promise<void> {
    const watch = this.#watch;
    try {
      const { state } = await this.session.call("run.overview", {}, NEVER);
      if (watch) watch.run.live = isLive(state);
    } catch {
      if (watch) watch.run.live = false;
    }
  }

  #seenOrNot(): void {
    if (this.#watch) this.#watch.run.visible = [...this.#panels].some((panel) => panel.visible);
    if (this.session.dir !== null) this.#tellGuardian(this.session.dir);
  }

  #tellGuardian(dir: string): void {
    if (this.#isDisposed) return;
    const panels = [...this.#panels];
    const isVisible = panels.some((panel) => panel.visible);
    this.#services.guardian.shows(this, dir, {
      isVisible,
      isActive: panels.some((panel) => panel.active),
    });
  }

  /**
   * The tab says that its run goes on, or has news. Newer versions of VS Code take a title for that; 1.100 shows the folder's name
   * whatever is said.
   */
  #mark(): void {
    const { dir } = this.session;
    const run = dir === null ? null : this.#services.guardian.get(dir);
    const mark = run?.hasNews ? "!! " : run?.summary?.state === "running" ? "● " : "";
    for (const panel of this.#panels) {
      const title = mark === "" ? "" : mark + tabText(run?.label ?? "");
      if (mark !== "" || /^(!!|●) /.test(panel.title)) panel.title = title;
    }
  }
}

export class RunEditorProvider implements vscode.CustomReadonlyEditorProvider<RunDocument> {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  /** Never rejects: VS Code would put a page of its own in place of the editor. What is wrong, our page says. */
  openCustomDocument(uri: vscode.Uri): RunDocument {
    const document = new RunDocument(uri, this.#services);
    // The run opens while the page loads.
    void document.session.open();
    return document;
  }

  resolveCustomEditor(document: RunDocument, panel: vscode.WebviewPanel): void {
    const media = vscode.Uri.joinPath(this.#services.extensionUri, "media");
    panel.iconPath = {
      light: vscode.Uri.joinPath(media, "run-light.svg"),
      dark: vscode.Uri.joinPath(media, "run-dark.svg"),
    };
    document.shownIn(panel);
    const act = actOn(document);
    const onOpened = new Listeners<void>();
    const recheck = () => document.recheck();
    showPage(panel, { session: document.session, onOpened, act, recheck }, this.#services);
  }
}
