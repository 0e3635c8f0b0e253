/** Everything behind the registrations; loaded with the first command or editor. */
import type * as vscode from "vscode";
import { explainWarning } from "./commands/explainWarning.ts";
import { openAsText } from "./commands/openAsText.ts";
import { openDemo } from "./commands/openDemo.ts";
import { openRun } from "./commands/openRun.ts";
import { documentText } from "./documents.ts";
import { RunDocument, RunEditorProvider } from "./editor/provider.ts";
import { Services } from "./services.ts";

export class Host {
  readonly editor: RunEditorProvider;
  readonly #services: Services;

  constructor(context: vscode.ExtensionContext) {
    this.#services = new Services(context);
    context.subscriptions.push(this.#services);
    this.editor = new RunEditorProvider(this.#services);
  }

  resolve(document: vscode.CustomDocument, panel: vscode.WebviewPanel): void {
    if (document instanceof RunDocument) this.editor.resolveCustomEditor(document, panel);
  }

  openRun(target: unknown, selection: unknown): Promise<void> {
    return openRun(this.#services, target, selection);
  }

  openDemo(): Promise<void> {
    return openDemo(this.#services);
  }

  openAsText(target: unknown): Promise<void> {
    return openAsText(target);
  }

  explainWarning(code: unknown): Promise<void> {
    return explainWarning(code);
  }

  documentText(uri: vscode.Uri): string | null {
    return documentText(uri);
  }

  showLog(): void {
    this.#services.log.show();
  }
}
