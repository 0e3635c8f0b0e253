/** What every page of ours has in common: its line to the host, its document, its questions that are only handed on. */
import * as vscode from "vscode";
import type { HandlerContext, Handlers, Transport } from "../../protocol/rpc.ts";
import type { Contract, Params, Result } from "../../protocol/wire.ts";
import { language } from "../language.ts";
import { createNonce, pageHtml } from "./html.ts";

export function transportOf(webview: vscode.Webview): Transport {
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

/** Scripts and style of a page, by the names of their files in dist/. */
interface PageFiles {
  readonly script: string;
  /** Takes the words where there are any, before the page's own script, which comes in parts. */
  readonly words?: string;
  /** Scripts that it asks for later. */
  readonly late?: readonly string[];
}

/** The run editor's page. */
export const RUN_PAGE: PageFiles = {
  script: "page.js",
  words: "page-words.js",
  late: ["page-body.js", "page-charts.js"],
};

/** Once, with everything that listens in place: each assignment loads the page anew, and it asks first. */
export function loadPage(webview: vscode.Webview, extensionUri: vscode.Uri, files: PageFiles): void {
  const dist = vscode.Uri.joinPath(extensionUri, "dist");
  const asset = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(dist, name)).toString();
  webview.options = { enableScripts: true, localResourceRoots: [dist] };
  webview.html = pageHtml({
    cspSource: webview.cspSource,
    nonce: createNonce(),
    language: language(),
    script: asset(files.script),
    ...(files.words === undefined ? {} : { words: asset(files.words) }),
    late: (files.late ?? []).map(asset),
    style: asset("page.css"),
  });
}

/** Questions that go on as they are; both ends have checked them. */
export function forwarded<C extends Contract>(
  contract: C,
  ask: <M extends keyof C & string>(
    method: M,
    params: Params<C, M>,
    signal: AbortSignal,
  ) => Promise<Result<C, M>>,
): Handlers<C> {
  const methods = Object.keys(contract) as (keyof C & string)[];
  const handlers = methods.map((method) => [
    method,
    (params: never, { signal }: HandlerContext) => ask(method, params, signal),
  ]);
  return Object.fromEntries(handlers) as Handlers<C>;
}
