/** The run editor's page in a browser's host: what the page asks of its run, and the few things that can be done there. */
import * as vscode from "vscode";
import { copyShown } from "../host/editor/copy.ts";
import { fileName } from "../host/editor/file-name.ts";
import { forwarded, loadPage, RUN_PAGE, transportOf } from "../host/editor/page.ts";
import { Prefs } from "../host/editor/prefs.ts";
import { Thresholds } from "../host/editor/thresholds.ts";
import { type Log, refusedBy } from "../host/log.ts";
import { tell } from "../host/say.ts";
import { type PageAction, type PageContract, pageContract, pageNotices } from "../protocol/page.ts";
import { createServer, type Handlers, ProblemError, problemOf } from "../protocol/rpc.ts";
import { runContract } from "../protocol/run.ts";
import { inPieces } from "../view/pieces.ts";
import { codeText, problemOfError } from "../view/problems.ts";
import { configFor } from "./config.ts";
import type { WebSession } from "./session.ts";

export interface PageParts {
  readonly extensionUri: vscode.Uri;
  readonly log: Log;
  readonly memory: vscode.Memento;
}

const MAX_REPORT = 2000;

export function showPage(panel: vscode.WebviewPanel, session: WebSession, parts: PageParts): void {
  const { webview } = panel;
  const { log } = parts;
  const server = createServer(pageContract, handlersFor(panel, session, parts), transportOf(webview), {
    notices: pageNotices,
    toProblem: problemOfError,
    onError: (method, error) => log.error(error instanceof Error ? error : `${method}: ${String(error)}`),
    onRefused: refusedBy(log, "page"),
  });
  panel.onDidChangeViewState(() => {
    if (!panel.visible) server.abortAll();
    server.notify("visible", { visible: panel.visible });
  });
  panel.onDidDispose(() => server.dispose());
  loadPage(webview, parts.extensionUri, RUN_PAGE);
}

function handlersFor(
  panel: vscode.WebviewPanel,
  session: WebSession,
  { log, memory }: PageParts,
): Handlers<PageContract> {
  const thresholds = new Thresholds(configFor);
  const prefs = new Prefs(memory);
  return {
    ...forwarded(runContract, (...asked) => session.call(...asked)),
    "page.open": () => session.open(),
    "page.retry": () => session.retry(),
    "page.openLoose": () => session.retry(true),
    "page.diagnose": async ({ values, known }, { signal }) => {
      await session.open();
      const { text, name } = await thresholds.of(session.folder?.toString() ?? "", !values && !known);
      const extra = vscode.workspace.getConfiguration("flightDeck.doctor").get("extra", true);
      const asked = { config: text, extra, known, ...(values ? { values } : {}) };
      return { diagnosis: await session.call("run.diagnose", asked, signal), config: name };
    },
    "doctor.write": () => {
      throw new ProblemError(NOT_HERE);
    },
    "page.action": async (action) => {
      await act(session, action);
      return {};
    },
    "prefs.get": () => ({ prefs: prefs.get() }),
    "prefs.set": async ({ prefs: wanted }) => {
      await prefs.set(wanted);
      return {};
    },
    "page.save": async ({ title, kind, bytes }) => ({ saved: await save(session, title, kind, bytes) }),
    "page.saveRows": async ({ title, metrics, steps }, { signal }) => {
      const pieces: string[] = [];
      for await (const { text } of inPieces((offset, limit) =>
        session.call("chart.csv", { metrics, steps, offset, limit }, signal),
      ))
        pieces.push(text);
      const bytes = new TextEncoder().encode(pieces.join(""));
      return { saved: await save(session, title, "csv", bytes) };
    },
    // Nothing makes links there.
    "page.pinned": () => ({}),
    "page.copyText": async ({ text }) => {
      await copyShown(panel, text);
      return {};
    },
    "page.report": ({ message }) => {
      log.error(`page: ${message.slice(0, MAX_REPORT)}`);
      return {};
    },
  };
}

export const NOT_HERE = problemOf(
  "not-here",
  vscode.l10n.t("This cannot be done where VS Code runs in the browser alone."),
  { remedy: vscode.l10n.t("Open the run in VS Code on the machine it lies on, or over SSH.") },
);

async function act(session: WebSession, action: PageAction): Promise<void> {
  switch (action.action) {
    case "openRun":
    case "openDemo":
    case "showLog":
      await vscode.commands.executeCommand(`flightDeck.${action.action}`);
      return;
    case "openAsText":
      if (session.folder)
        await vscode.commands.executeCommand(
          "vscode.openWith",
          vscode.Uri.joinPath(session.folder, "manifest.json"),
          "default",
        );
      return;
    case "copyPath":
      await vscode.env.clipboard.writeText(session.folder?.toString() ?? "");
      return;
    case "copy":
      await vscode.env.clipboard.writeText(codeText(action.code, action.file));
      return;
    default:
      await tell(`${NOT_HERE.message} ${NOT_HERE.remedy}`);
  }
}

async function save(
  session: WebSession,
  title: string,
  kind: "png" | "svg" | "csv",
  bytes: Uint8Array,
): Promise<boolean> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? session.folder;
  const target = await vscode.window.showSaveDialog({
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, fileName(title, kind)) } : {}),
    filters: { [kind.toUpperCase()]: [kind] },
  });
  if (!target) return false;
  const run = session.folder;
  if (run && target.scheme === run.scheme && target.path.startsWith(`${run.path}/`)) {
    await tell(vscode.l10n.t("This place is inside the run's folder, where Flight Deck writes nothing."));
    return false;
  }
  await vscode.workspace.fs.writeFile(target, bytes);
  return true;
}
