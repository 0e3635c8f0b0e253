/** The Runs view put together, and what its commands do. */
import * as vscode from "vscode";
import { ProblemError } from "../../protocol/rpc.ts";
import { isLive, type RunSummary } from "../../protocol/runs.ts";
import { RUN_ORDERS, type RunOrder } from "../../view/listed-run.ts";
import { openFolder } from "../commands/openRun.ts";
import type { Memory } from "../commands/recents.ts";
import { foldersOf, frontRun } from "../commands/targets.ts";
import { disk, lookingAt } from "../disk.ts";
import { look } from "../editor/look.ts";
import { tell } from "../say.ts";
import { type Services, VIEW_TYPE } from "../services.ts";
import { RunCatalogue } from "./catalogue.ts";
import { RunDecorations } from "./decorations.ts";
import type { Ask } from "./details.ts";
import { askForFilter } from "./filter-input.ts";
import type { KeptRuns } from "./kept.ts";
import { nodesOf, RunNode } from "./nodes.ts";
import { lineOf, RunReads } from "./reads.ts";
import { RunsView, type TreeParts } from "./view.ts";

const NEVER = new AbortController().signal;
/** Everything in a run whose change a list can show. */
const WATCHED =
  "**/{manifest.json,steps.parquet,events.jsonl,part-*.parquet,observed.attempt*.json,metrics.json}";

export class Runs implements vscode.Disposable {
  readonly view: RunsView;
  readonly #services: Services;
  readonly #listening: vscode.Disposable[] = [];

  constructor(services: Services, parts: TreeParts, memory: Memory, kept: KeptRuns) {
    this.#services = services;
    const { pool, doctor, guardian } = services;
    const reads = new RunReads({
      fresh: (dir, isLoose) => pool.fresh(dir, isLoose),
      basis: (dir) => doctor.configFor(dir),
      watched: (dir) => guardian.get(dir)?.summary ?? null,
      diagnosed(dir) {
        const last = doctor.last(dir);
        return last && lineOf(last);
      },
      kept,
    });
    const catalogue = new RunCatalogue({
      roots: rootsOf,
      find(root, signal) {
        const found = services.pool.find({ root, exclude: excluded() }, signal);
        services.warm();
        return found;
      },
      // What was read without links that lead out is not what is read with them.
      digest: async (dir) =>
        `${(await look(lookingAt(dir))).digest}${vscode.workspace.isTrusted ? "" : " restricted"}`,
      read: (dir, isLoose, signal, digest) => reads.read(dir, isLoose, digest, signal),
      diagnose: (dir, signal, digest) => reads.diagnose(dir, digest, signal),
      onError: (what, error) =>
        services.log.error(`${what}: ${error instanceof Error ? (error.stack ?? "") : error}`),
      now: () => performance.now(),
    });
    this.view = new RunsView(catalogue, parts, memory, this.#ask);
    this.#listening.push(
      ...[this.view, new RunDecorations(catalogue), reads],
      ...[...this.#watch(catalogue), ...this.#listenTo(catalogue)],
    );
  }

  dispose(): void {
    for (const each of this.#listening) each.dispose();
  }

  async filter(): Promise<void> {
    await showView();
    askForFilter(this.view);
  }

  async sort(): Promise<void> {
    const items = RUN_ORDERS.map((order) => ({
      label: ORDER_WORDS[order],
      description: order === this.view.order ? "now" : "",
      order,
    }));
    const chosen = await vscode.window.showQuickPick(items, {
      title: vscode.l10n.t("Sort Runs"),
      placeHolder: vscode.l10n.t("Sort by"),
    });
    if (chosen) this.view.setOrder(chosen.order);
  }

  /** Shows the progress in the view itself. */
  async refresh(): Promise<void> {
    await showView();
    const work = this.view.catalogue.refresh();
    await vscode.window.withProgress({ location: { viewId: "flightDeck.runs" } }, () => work);
  }

  /** @param target a run of the list, a folder, or nothing: the run in front */
  async revealInView(target: unknown): Promise<void> {
    const uri = target instanceof vscode.Uri ? target : frontRun();
    if (!uri) return;
    const [folder] = await foldersOf([uri]);
    if (!folder) return;
    const { fsPath } = folder;
    await showView();
    if (await this.view.reveal(fsPath)) return;
    const isKnown = this.view.catalogue.get(fsPath) !== undefined;
    const why = isKnown
      ? vscode.l10n.t("The filter of the Runs view hides this run.")
      : vscode.l10n.t(
          "The Runs view shows runs below the folders of the workspace; this one is not, or lies in a folder that is left out.",
        );
    const clear = isKnown ? [vscode.l10n.t("Clear Filter")] : [];
    if ((await tell(why, ...clear)) === undefined) return;
    this.view.setFilter("");
    await this.view.reveal(fsPath);
  }

  async compare(target: unknown, selection: unknown): Promise<void> {
    const uris = nodesOf(target, selection).map(({ runUri }) => runUri);
    if (uris.length < 2) {
      void tell(vscode.l10n.t("Select two or more runs in the Runs view to compare them."));
      return;
    }
    // What was clicked is the baseline.
    const baseline = target instanceof RunNode ? target.runUri : uris[0];
    await vscode.commands.executeCommand("flightDeck.compareRuns", baseline, uris);
  }

  /** In the group that it was dropped into; what stands for it there goes. */
  async openDropped({ path }: vscode.Uri, panel: vscode.WebviewPanel): Promise<void> {
    const where = { preview: false, viewColumn: panel.viewColumn ?? vscode.ViewColumn.Active };
    await vscode.commands.executeCommand("vscode.openWith", vscode.Uri.file(path), VIEW_TYPE, where);
    panel.dispose();
  }

  async revealInExplorer(target: unknown): Promise<void> {
    if (target instanceof RunNode) await vscode.commands.executeCommand("revealInExplorer", target.runUri);
  }

  async copyPath(target: unknown, selection: unknown): Promise<void> {
    const paths = nodesOf(target, selection).map(({ dir }) => dir);
    if (paths.length > 0) await vscode.env.clipboard.writeText(paths.join("\n"));
  }

  /** @param finding its id, or nothing @param step of an event, or nothing */
  async openEvidence(dir: unknown, finding: unknown, step: unknown): Promise<void> {
    if (typeof dir !== "string" || (await disk.kind(dir)) !== "directory") return;
    if (typeof finding === "string") this.#services.focus.ask(dir, finding);
    else if (typeof step === "string" && step !== "" && Number.isFinite(Number(step)))
      this.#services.sampleFocus.ask(dir, { row: null, step: Number(step) });
    await openFolder(vscode.Uri.file(dir));
  }

  readonly #ask: Ask = async (dir, method, params) => {
    const leased = await this.#services.pool.acquire(dir, this.#isLoose(dir));
    if (leased.state !== "run") throw new ProblemError(leased.problem);
    try {
      return await leased.lease.run.call(method, params, NEVER);
    } finally {
      leased.lease.release();
    }
  };

  #isLoose(dir: string): boolean {
    return this.view.catalogue.get(dir)?.kind === "loose";
  }

  /** What is watched while it goes on is not read and diagnosed here once more. */
  #listenTo(catalogue: RunCatalogue): vscode.Disposable[] {
    const { guardian, doctor } = this.#services;
    const summaryOf = (dir: string): RunSummary | null => guardian.get(dir)?.summary ?? null;
    const stops = [
      guardian.onChanged((dir) => {
        const summary = summaryOf(dir);
        if (summary) catalogue.learned(dir, summary);
      }),
      doctor.onDiagnosed(({ dir, view }) => {
        const summary = summaryOf(dir);
        if (summary && isLive(summary.state)) catalogue.learnedFindings(dir, lineOf(view));
      }),
    ];
    return stops.map((stop) => new vscode.Disposable(stop));
  }

  #watch(catalogue: RunCatalogue): vscode.Disposable[] {
    const watcher = vscode.workspace.createFileSystemWatcher(WATCHED);
    const touched = ({ fsPath }: vscode.Uri): void => catalogue.touched(fsPath);
    const folders = vscode.workspace.createFileSystemWatcher("**", false, true, false);
    const mayBeFolder = ({ path }: vscode.Uri): void => {
      if (!/\.[^/]*$/.test(path)) catalogue.folderTouched();
    };
    const stop = this.#services.doctor.onChanged((concerns) => catalogue.rethink(concerns));
    return [
      watcher,
      watcher.onDidCreate(touched),
      watcher.onDidChange(touched),
      watcher.onDidDelete(touched),
      folders,
      folders.onDidCreate(mayBeFolder),
      folders.onDidDelete(mayBeFolder),
      vscode.workspace.onDidChangeWorkspaceFolders(() => void catalogue.refresh()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => void catalogue.refresh()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration("flightDeck.runs.exclude")) void catalogue.refresh();
      }),
      new vscode.Disposable(stop),
    ];
  }
}

/** Nothing is searched before it was shown once. */
async function showView(): Promise<void> {
  await vscode.commands.executeCommand("flightDeck.runs.focus");
}

const ORDER_WORDS: Readonly<Record<RunOrder, string>> = {
  newest: vscode.l10n.t("Newest first"),
  name: vscode.l10n.t("Name"),
  severity: vscode.l10n.t("Worst finding first"),
  reward: vscode.l10n.t("Highest last reward first"),
  steps: vscode.l10n.t("Most steps first"),
  state: vscode.l10n.t("State: running first"),
};

/** Folders of the workspace that lie on a disk. */
export function rootsOf(): string[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.filter(({ uri }) => uri.scheme === "file").map(({ uri }) => uri.fsPath);
}

/** Longer ones than a path is are a mistake. */
const MAX_PATTERN = 500;

/** Patterns of folders in which no runs are looked for. */
export function excluded(): string[] {
  const setting = vscode.workspace.getConfiguration("flightDeck.runs").get<unknown>("exclude");
  if (typeof setting !== "object" || setting === null) return [];
  return Object.entries(setting)
    .filter(([pattern, isOn]) => isOn === true && pattern.length <= MAX_PATTERN)
    .map(([pattern]) => pattern)
    .slice(0, MAX_PATTERN);
}
