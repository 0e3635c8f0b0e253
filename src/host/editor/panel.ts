/** One page of a document: its HTML, and the answers to what it asks. */
import * as vscode from "vscode";
import { type PageAction, type PageContract, pageContract, pageNotices } from "../../protocol/page.ts";
import { createServer, type Handlers, type Transport } from "../../protocol/rpc.ts";
import { type RunContract, runContract } from "../../protocol/run.ts";
import { problemOfError } from "../../view/problems.ts";
import type { Services } from "../services.ts";
import { createNonce, pageHtml } from "./html.ts";
import { saveBytes, saveRows } from "./save.ts";
import type { RunSession } from "./session.ts";

export interface PageHost {
  readonly session: RunSession;
  act(action: PageAction): Promise<void>;
}

const MAX_REPORT = 2000;

/** Everything ends with the panel: questions at work are aborted, nothing is posted any more. */
export function showPage(panel: vscode.WebviewPanel, host: PageHost, services: Services): void {
  const { webview } = panel;
  const { session } = host;
  const dist = vscode.Uri.joinPath(services.extensionUri, "dist");
  webview.options = { enableScripts: true, localResourceRoots: [dist] };
  const server = createServer(pageContract, handlersFor(host, services), transportOf(webview), {
    notices: pageNotices,
    toProblem: problemOfError,
    onError: (method, error) => services.log.error(`${method}: ${describe(error)}`),
    onRefused: ({ reason, name }) => services.log.debug(`page, ${name}: ${reason}`),
  });
  const listening = [
    session.onReopened((reason) => server.notify("reopened", { reason })),
    session.onStopped((problem) => server.notify("stopped", { problem })),
    session.onChanged((state) => server.notify("changed", { state })),
  ];
  const shown = panel.onDidChangeViewState(() => {
    // A hidden page is gone; it is made anew when it is shown, and asks anew.
    if (!panel.visible) server.abortAll();
    server.notify("visible", { visible: panel.visible });
  });
  panel.onDidDispose(() => {
    for (const stop of listening) stop();
    shown.dispose();
    server.dispose();
  });
  const asset = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(dist, name)).toString();
  // Once: each assignment loads the page anew. It asks first; until then it could not hear anything.
  webview.html = pageHtml({
    cspSource: webview.cspSource,
    nonce: createNonce(),
    script: asset("page.js"),
    style: asset("page.css"),
  });
}

function transportOf(webview: vscode.Webview): Transport {
  return {
    channel: "json",
    async post(message) {
      // False is how VS Code says that a page is hidden or gone.
      if (!(await webview.postMessage(message))) throw new Error("not delivered");
    },
    listen(listener) {
      const subscription = webview.onDidReceiveMessage(listener);
      return () => subscription.dispose();
    },
  };
}

function handlersFor(host: PageHost, services: Services): Handlers<PageContract> {
  const { session } = host;
  return {
    ...forwarded(session),
    "page.open": () => session.open(),
    "page.retry": () => session.retry(),
    "page.openLoose": () => session.openLoose(),
    "page.action": async (action) => {
      await host.act(action);
      return {};
    },
    "prefs.get": () => ({ prefs: services.prefs.get() }),
    "prefs.set": async ({ prefs }) => {
      await services.prefs.set(prefs);
      return {};
    },
    "page.save": async (file) => ({ saved: await saveBytes(session.dir, file) }),
    "page.saveRows": async (rows, { signal }) => ({ saved: await saveRows(session, rows, signal) }),
    "page.copyText": async ({ text }) => {
      await vscode.env.clipboard.writeText(text);
      return {};
    },
    "page.report": ({ message }) => {
      services.log.error(`page: ${message.slice(0, MAX_REPORT)}`);
      return {};
    },
  };
}

/** Questions about the run go to the worker as they are; both ends have checked them. */
function forwarded(session: RunSession): Handlers<RunContract> {
  const methods = Object.keys(runContract) as (keyof RunContract & string)[];
  const handlers = methods.map((method) => [
    method,
    (params: never, { signal }: { readonly signal: AbortSignal }) => session.call(method, params, signal),
  ]);
  return Object.fromEntries(handlers) as Handlers<RunContract>;
}

const describe = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
