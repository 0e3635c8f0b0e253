/** Export Report and Export Data: of what is selected, else of what is in front, else of what is chosen. */
import nodePath from "node:path";
import * as vscode from "vscode";
import { MAX_REPORT_RUNS, type ReportFormat, type ReportRun } from "../../protocol/report.ts";
import { ABORTED, isAborted, ProblemError } from "../../protocol/rpc.ts";
import { itemText } from "../../view/native.ts";
import { inPieces, shareOf } from "../../view/pieces.ts";
import { fitName, reportName } from "../../view/report-names.ts";
import { chooseFile } from "../choose-file.ts";
import { pickRun } from "../commands/pickRun.ts";
import { foldersOf, frontRun, targetsOf } from "../commands/targets.ts";
import { tellError, warn, withNotice } from "../say.ts";
import type { Services } from "../services.ts";
import type { Lease } from "../worker/pool.ts";
import { writeFile } from "../write.ts";
import { offer } from "./written.ts";

const NEVER = new AbortController().signal;

export class ReportCommands {
  readonly #services: Services;
  readonly #comparison: () => readonly vscode.Uri[];
  readonly #version: string;

  /** @param comparison runs of the comparison in front */
  constructor(services: Services, comparison: () => readonly vscode.Uri[], version: string) {
    this.#services = services;
    this.#comparison = comparison;
    this.#version = version;
  }

  /** @param target a run, in a list or clicked on; several that are selected are compared with it */
  async exportReport(target: unknown, selection: unknown): Promise<void> {
    const dirs = await this.#dirs(vscode.l10n.t("Export Report"), target, selection);
    if (dirs.length === 0) return;
    const file = await chooseFile({
      title: vscode.l10n.t("Export Report"),
      name: reportName(
        dirs.map((dir) => nodePath.basename(dir)),
        "html",
      ),
      filters: { HTML: ["html"], Markdown: ["md"], SARIF: ["sarif"] },
      dirs,
    });
    if (!file) return;
    await this.#write(file, (_, signal) => this.#report(dirs, formatOf(file), signal));
  }

  /** @param target a run, in a list or clicked on */
  async exportData(target: unknown): Promise<void> {
    const [dir] = await this.#dirs(vscode.l10n.t("Export Data"), target, undefined);
    if (dir === undefined) return;
    const metrics = await this.#metrics(dir);
    if (!metrics) return;
    const file = await chooseFile({
      title: vscode.l10n.t("Export Data"),
      name: `${fitName(nodePath.basename(dir))}.csv`,
      filters: { CSV: ["csv"], JSON: ["json"] },
      dirs: [dir],
    });
    if (!file) return;
    await this.#write(file, (progress, signal) => this.#rows(dir, metrics, file, progress, signal));
  }

  async #dirs(title: string, target: unknown, selection: unknown): Promise<readonly string[]> {
    const named = targetsOf(target, selection);
    const [own] = targetsOf(target, undefined);
    // The one that was clicked is the baseline.
    const ordered = own ? [own, ...named.filter((uri) => uri.toString() !== own.toString())] : named;
    const front = frontRun();
    const asked =
      ordered.length > 0
        ? ordered
        : this.#comparison().length > 0
          ? this.#comparison()
          : front
            ? [front]
            : [];
    const picked = asked.length > 0 ? undefined : await pickRun(this.#services, title);
    const folders = await foldersOf(picked ? [picked] : asked.slice(0, MAX_REPORT_RUNS));
    if (asked.length > MAX_REPORT_RUNS)
      void warn(vscode.l10n.t("Only the first {0} of the runs are in the report.", MAX_REPORT_RUNS));
    return folders.map(({ fsPath }) => fsPath);
  }

  /** Shows the work, which can be cancelled, and offers what came of it. */
  async #write(
    file: vscode.Uri,
    work: (progress: vscode.Progress<{ increment?: number }>, signal: AbortSignal) => Promise<Uint8Array>,
  ): Promise<void> {
    try {
      const words = vscode.l10n.t("Writing {0}", nodePath.basename(file.fsPath));
      const bytes = await withNotice(words, (progress, token) => {
        const abort = new AbortController();
        token.onCancellationRequested(() => abort.abort());
        return work(progress, abort.signal);
      });
      await writeFile(file, bytes);
    } catch (error) {
      if (error instanceof vscode.FileSystemError) {
        this.#services.log.warn(`not written: ${file.fsPath}: ${error.message}`);
        const name = nodePath.basename(file.fsPath);
        await tellError(
          vscode.l10n.t("{0} cannot be written. Run “Flight Deck: Show Log” for details.", name),
        );
        return;
      }
      if (!(error instanceof ProblemError)) throw error;
      if (!isAborted(error)) await tellError(`${error.problem.message} ${error.problem.remedy}`.trim());
      return;
    }
    void offer(file);
  }

  async #report(dirs: readonly string[], format: ReportFormat, signal: AbortSignal): Promise<Uint8Array> {
    const leases: Lease[] = [];
    try {
      const runs: ReportRun[] = [];
      for (const dir of dirs) {
        leases.push(await this.#lease(dir));
        const { text, file } = await this.#services.doctor.configFor(dir);
        runs.push({
          config: text,
          configName: file === null ? "" : nodePath.basename(file),
          address: addressOf(dir),
        });
      }
      const { text } = await this.#services.pool.report(
        leases.map(({ run }) => run),
        { format, runs, version: this.#version, madeAt: Date.now() },
        signal,
      );
      return Buffer.from(text, "utf8");
    } finally {
      for (const lease of leases) lease.release();
    }
  }

  async #lease(dir: string): Promise<Lease> {
    const leased = await this.#services.pool.acquire(dir, false);
    if (leased.state !== "run") throw new ProblemError(leased.problem);
    return leased.lease;
  }

  /** All, or those that the user ticks; `null` when the user thought better of it. */
  async #metrics(dir: string): Promise<readonly string[] | null> {
    try {
      const { groups } = await this.#services.reader.call(dir, "run.overview", {}, NEVER);
      const items = groups.flatMap(({ title, charts }) =>
        charts
          .filter(({ kind }) => kind === "lines")
          .flatMap(({ series }) =>
            series.map(({ metric }) => ({
              metric,
              label: itemText(metric, MAX_NAME),
              description: title,
              picked: true,
            })),
          ),
      );
      const chosen = await vscode.window.showQuickPick(items, {
        canPickMany: true,
        title: vscode.l10n.t("Export Data of {0}", itemText(nodePath.basename(dir), MAX_NAME)),
        placeHolder: vscode.l10n.t("Metrics that are written, one a column"),
        matchOnDescription: true,
      });
      return chosen && chosen.length > 0 ? chosen.map(({ metric }) => metric) : null;
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      await tellError(`${error.problem.message} ${error.problem.remedy}`.trim());
      return null;
    }
  }

  async #rows(
    dir: string,
    metrics: readonly string[],
    file: vscode.Uri,
    progress: vscode.Progress<{ increment?: number }>,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const method = file.path.toLowerCase().endsWith(".json") ? "chart.json" : "chart.csv";
    const pieces: Buffer[] = [];
    const ask = (offset: number, limit: number) => {
      if (signal.aborted) throw new ProblemError(ABORTED);
      const params = { metrics: [...metrics], steps: null, offset, limit };
      return this.#services.reader.call(dir, method, params, signal);
    };
    for await (const piece of inPieces(ask)) {
      pieces.push(Buffer.from(piece.text, "utf8"));
      progress.report({ increment: shareOf(piece) });
    }
    return Buffer.concat(pieces);
  }
}

const MAX_NAME = 120;

function formatOf({ path }: vscode.Uri): ReportFormat {
  const ending = nodePath.posix.extname(path).toLowerCase();
  if (ending === ".md" || ending === ".markdown") return "md";
  return ending === ".sarif" ? "sarif" : "html";
}

/** Relative to the workspace's folder, as viewers of SARIF want it; whole outside of it. */
function addressOf(dir: string): string {
  const uri = vscode.Uri.file(dir);
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const whole = uri.toString();
  const base = folder?.uri.toString() ?? "";
  return base !== "" && whole.startsWith(`${base}/`) ? whole.slice(base.length + 1) : whole;
}
