/** Composition root: registrations only. What they need is loaded when it is first used. */
import * as vscode from "vscode";
import type { Host } from "./host/host.ts";

export function activate(context: vscode.ExtensionContext): void {
  let loading: Promise<Host> | undefined;
  const host = () => {
    loading ??= import("./host/host.ts").then((module) => new module.Host(context));
    return loading;
  };
  const command = (name: string, run: (...args: unknown[]) => Promise<void>) =>
    vscode.commands.registerCommand(`flightDeck.${name}`, run);

  context.subscriptions.push(
    vscode.window.registerCustomEditorProvider(
      "flightDeck.run",
      {
        openCustomDocument: async (uri) => (await host()).editor.openCustomDocument(uri),
        resolveCustomEditor: async (document, panel) => {
          (await host()).resolve(document, panel);
        },
      },
      { supportsMultipleEditorsPerDocument: true },
    ),
    vscode.workspace.registerTextDocumentContentProvider("flightdeck", {
      provideTextDocumentContent: async (uri) => (await host()).documentText(uri),
    }),
    command("openRun", async (target, selection) => (await host()).openRun(target, selection)),
    command("openDemo", async () => (await host()).openDemo()),
    command("openAsText", async (target) => (await host()).openAsText(target)),
    command("explainWarning", async (code) => (await host()).explainWarning(code)),
    command("showLog", async () => (await host()).showLog()),
  );
}
