/** Run folders in the Explorer: a letter and a colour for the worst finding, or for how the run stands. */
import * as vscode from "vscode";
import type { ListedRun } from "../../view/listed-run.ts";
import { shown } from "../../view/run-line.ts";
import type { RunCatalogue } from "./catalogue.ts";
import { LINK_SCHEME } from "./nodes.ts";

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
    this.#stop = catalogue.onChanged((dirs) => {
      const uris = dirs && [...dirs].map((dir) => vscode.Uri.file(dir));
      this.#changed.fire(uris?.flatMap((uri) => [uri, uri.with({ scheme: LINK_SCHEME })]));
    });
    this.#listening = [
      vscode.window.registerFileDecorationProvider(this),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(SETTING)) this.#changed.fire(undefined);
      }),
    ];
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    const isInView = uri.scheme === LINK_SCHEME;
    if (!isInView && uri.scheme !== "file") return undefined;
    const run = this.#catalogue.get(vscode.Uri.file(uri.path).fsPath);
    if (!run) return undefined;
    // In the view the icon says how it stands.
    if (isInView) return findingMark(run);
    const isOn = vscode.workspace.getConfiguration("flightDeck.runs").get("decorations", true);
    return isOn ? (findingMark(run) ?? stateMark(run)) : undefined;
  }

  dispose(): void {
    this.#stop();
    for (const each of this.#listening) each.dispose();
    this.#changed.dispose();
  }
}

function findingMark({ findings }: ListedRun): vscode.FileDecoration | undefined {
  const [worst] = findings ?? [];
  if (!worst || worst.severity === "info") return undefined;
  const others = (findings?.length ?? 0) - 1;
  const words = others > 0 ? vscode.l10n.t("{0} and {1} more", worst.title, others) : worst.title;
  return worst.severity === "critical"
    ? decoration("!!", words, "list.errorForeground")
    : decoration("!", words, "list.warningForeground");
}

/** One that ended in order needs none. */
function stateMark({ summary }: ListedRun): vscode.FileDecoration | undefined {
  switch (summary?.state) {
    case "running":
      return decoration("▶", "running", "charts.green");
    case "stalled":
      return decoration("…", "stalled", "list.warningForeground");
    case "crashed":
    case "killed":
      return decoration("×", summary.state, "list.errorForeground");
    default:
      return undefined;
  }
}

function decoration(badge: string, words: string, color: string): vscode.FileDecoration {
  const made = new vscode.FileDecoration(
    badge,
    vscode.l10n.t("Run: {0}", shown(words)),
    new vscode.ThemeColor(color),
  );
  made.propagate = false;
  return made;
}
