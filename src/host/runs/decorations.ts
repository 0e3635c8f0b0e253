/** Run folders in the Explorer: a letter and a colour for the worst finding, or for how the run stands. */
import * as vscode from "vscode";
import type { ListedRun } from "../../view/listed-run.ts";
import { shown } from "../../view/run-line.ts";
import type { RunCatalogue } from "./catalogue.ts";

const SETTING = "flightDeck.runs.decorations";

/** Known of runs that the Runs view has read; nothing is read for it. */
export class RunDecorations implements vscode.FileDecorationProvider, vscode.Disposable {
  readonly #catalogue: RunCatalogue;
  readonly #changed = new vscode.EventEmitter<vscode.Uri[] | undefined>();
  readonly onDidChangeFileDecorations = this.#changed.event;
  readonly #stop: () => void;
  readonly #listening: vscode.Disposable[];

  constructor(catalogue: RunCatalogue) {
    this.#catalogue = catalogue;
    this.#stop = catalogue.onChanged((dirs) =>
      this.#changed.fire(dirs === null ? undefined : [...dirs].map((dir) => vscode.Uri.file(dir))),
    );
    this.#listening = [
      vscode.window.registerFileDecorationProvider(this),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(SETTING)) this.#changed.fire(undefined);
      }),
    ];
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    if (uri.scheme !== "file") return undefined;
    const run = this.#catalogue.get(uri.fsPath);
    if (!run || !vscode.workspace.getConfiguration("flightDeck.runs").get("decorations", true))
      return undefined;
    return decorationOf(run);
  }

  dispose(): void {
    this.#stop();
    for (const each of this.#listening) each.dispose();
    this.#changed.dispose();
  }
}

/** A finished run without findings needs none. */
function decorationOf({ summary, findings }: ListedRun): vscode.FileDecoration | undefined {
  const [worst] = findings ?? [];
  const more = (findings?.length ?? 0) > 1 ? ` and ${(findings?.length ?? 0) - 1} more` : "";
  if (worst && worst.severity !== "info") {
    const isCritical = worst.severity === "critical";
    const color = isCritical ? "list.errorForeground" : "list.warningForeground";
    return decoration(isCritical ? "!!" : "!", `${shown(worst.title)}${more}`, color);
  }
  if (summary?.state === "running") return decoration("▶", "Running", "charts.green");
  if (summary?.state === "stalled") return decoration("…", "Stalled", "list.warningForeground");
  if (summary?.state === "crashed" || summary?.state === "killed")
    return decoration("×", summary.state === "crashed" ? "Crashed" : "Killed", "list.errorForeground");
  return undefined;
}

function decoration(badge: string, words: string, color: string): vscode.FileDecoration {
  const made = new vscode.FileDecoration(badge, `Run: ${words}`, new vscode.ThemeColor(color));
  made.propagate = false;
  return made;
}
