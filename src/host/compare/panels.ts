/** Compare editors: a panel each, opened anew after a reload of the window with what its page remembers. */
import * as vscode from "vscode";
import * as z from "zod/mini";
import { compareContract } from "../../protocol/compare.ts";
import {
  type ComparePageContract,
  ComparePanelState,
  comparePageContract,
  comparePageNotices,
} from "../../protocol/compare-page.ts";
import type { DiagnosisView } from "../../protocol/diagnosis.ts";
import { ABORTED, createServer, type Handlers, ProblemError } from "../../protocol/rpc.ts";
import { tabText } from "../../view/native.ts";
import { problemOfError } from "../../view/problems.ts";
import { forwarded, loadPage, transportOf } from "../editor/page.ts";
import { refusedBy } from "../log.ts";
import type { Services } from "../services.ts";
import { actOn } from "./actions.ts";
import { Comparison } from "./comparison.ts";
import { IGNORE_SETTING, ignorePatterns } from "./ignore.ts";

export const COMPARE_VIEW = "flightDeck.compare";
const MAX_REPORT = 2000;

interface Shown {
  readonly panel: vscode.WebviewPanel;
  readonly comparison: Comparison;
}

export class ComparePanels {
  readonly #services: Services;
  readonly #shown = new Set<Shown>();

  constructor(services: Services) {
    this.#services = services;
  }

  /** @param uris run folders, the baseline first. The same runs in the same order have one editor. */
  open(uris: readonly vscode.Uri[]): void {
    const wanted = uris.map(String).join("\n");
    for (const { panel, comparison } of this.#shown) {
      if (comparison.uris.map(String).join("\n") !== wanted) continue;
      panel.reveal();
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      COMPARE_VIEW,
      vscode.l10n.t("Compare Runs"),
      vscode.ViewColumn.Active,
    );
    this.#show(panel, uris);
  }

  /** The runs of the comparison in front; none when something else is. */
  get front(): readonly vscode.Uri[] {
    return [...this.#shown].find(({ panel }) => panel.active)?.comparison.uris ?? [];
  }

  /** @param state what the page stored; of another version or damaged, an editor without runs, which can be added */
  restore(panel: vscode.WebviewPanel, state: unknown): void {
    const parsed = z.safeParse(ComparePanelState, state);
    const uris = parsed.success ? parsed.data.uris.flatMap(folderUri) : [];
    this.#show(panel, uris);
  }

  #show(panel: vscode.WebviewPanel, uris: readonly vscode.Uri[]): void {
    const comparison = new Comparison(uris, this.#services);
    const shown = { panel, comparison };
    this.#shown.add(shown);
    const media = vscode.Uri.joinPath(this.#services.extensionUri, "media");
    panel.iconPath = {
      light: vscode.Uri.joinPath(media, "run-light.svg"),
      dark: vscode.Uri.joinPath(media, "run-dark.svg"),
    };
    panel.title = titleOf(comparison);
    serve(panel, comparison, this.#services);
    panel.onDidDispose(() => {
      this.#shown.delete(shown);
      comparison.dispose();
    });
  }
}

/** Everything ends with the panel: questions at work are aborted, nothing is posted any more. */
function serve(panel: vscode.WebviewPanel, comparison: Comparison, services: Services): void {
  const { webview } = panel;
  const server = createServer(comparePageContract, handlersFor(comparison, services), transportOf(webview), {
    notices: comparePageNotices,
    toProblem: problemOfError,
    onError: (method, error) => services.log.error(`${method}: ${describe(error)}`),
    onRefused: refusedBy(services.log, "compare page"),
  });
  const changed = (reason: string): void => {
    panel.title = titleOf(comparison);
    server.notify("changed", { reason });
  };
  const listening = [
    comparison.onChanged(changed),
    comparison.onStopped((problem) => server.notify("stopped", { problem })),
    services.doctor.onChanged((concerns) => {
      if (comparison.uris.some((_, run) => concerns(comparison.dir(run) ?? "")))
        server.notify("diagnosis", { reason: vscode.l10n.t("The thresholds have changed.") });
    }),
  ];
  const shown = panel.onDidChangeViewState(() => {
    comparison.visible = panel.visible;
    // A hidden page is gone; it is made anew when it is shown, and asks anew.
    if (!panel.visible) server.abortAll();
    server.notify("visible", { visible: panel.visible });
  });
  const settings = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(IGNORE_SETTING)) changed(vscode.l10n.t("Other keys are ignored."));
  });
  panel.onDidDispose(() => {
    for (const stop of listening) stop();
    shown.dispose();
    settings.dispose();
    server.dispose();
  });
  loadPage(webview, services.extensionUri, { script: "compare.js" });
}

function handlersFor(comparison: Comparison, services: Services): Handlers<ComparePageContract> {
  const act = actOn(comparison, services);
  return {
    ...forwarded(compareContract, (...asked) => comparison.ask(...asked)),
    "page.open": async () => ({ members: await comparison.open(), ignore: ignorePatterns() }),
    "page.action": async (action) => {
      await act(action);
      return {};
    },
    "page.diagnose": ({ run }, { signal }) => diagnose(comparison, services, run, signal),
    "page.report": ({ message }) => {
      services.log.error(`compare page: ${message.slice(0, MAX_REPORT)}`);
      return {};
    },
  };
}

async function diagnose(
  comparison: Comparison,
  services: Services,
  run: number,
  signal: AbortSignal,
): Promise<DiagnosisView> {
  const session = comparison.session(run);
  if (!session || session.dir === null) throw new ProblemError(ABORTED);
  const { text, extra } = await services.doctor.configFor(session.dir);
  return session.call("run.diagnose", { config: text, extra }, signal);
}

function titleOf({ labels }: Comparison): string {
  const [first = vscode.l10n.t("Compare Runs"), ...others] = labels.map(tabText);
  if (others.length === 0) return first;
  return `${first} ↔ ${others.length === 1 ? others[0] : vscode.l10n.t("{0} runs", others.length)}`;
}

/** Folders of this machine only: what a page stored is not trusted. */
function folderUri(text: string): vscode.Uri[] {
  try {
    const uri = vscode.Uri.parse(text, true);
    return uri.scheme === "file" ? [uri] : [];
  } catch {
    return [];
  }
}

const describe = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
