/** Everything behind the registrations; loaded with the first command or editor. */
import * as vscode from "vscode";
import { diagnose, openFindings, showInProblems } from "./commands/diagnose.ts";
import { explainSignature } from "./commands/explainSignature.ts";
import { explainWarning } from "./commands/explainWarning.ts";
import { openAsText } from "./commands/openAsText.ts";
import { openDemo } from "./commands/openDemo.ts";
import { openRun } from "./commands/openRun.ts";
import { DoctorDocuments } from "./doctor/documents.ts";
import { TomlEditor } from "./doctor/toml-editor.ts";
import { documentText } from "./documents.ts";
import { RunDocument, RunEditorProvider } from "./editor/provider.ts";
import { Services } from "./services.ts";
import { VirtualFiles } from "./virtual-files.ts";

export class Host {
  readonly editor: RunEditorProvider;
  readonly #services: Services;
  /** What can be read at `flightdeck:`. */
  readonly files: VirtualFiles;

  /** @param changed tells VS Code of documents whose text is another now */
  constructor(context: vscode.ExtensionContext, changed: vscode.EventEmitter<vscode.FileChangeEvent[]>) {
    this.#services = new Services(context);
    const documents = new DoctorDocuments(this.#services);
    this.files = new VirtualFiles(async (uri) => documentText(uri) ?? (await documents.text(uri)), changed);
    const stop = documents.onStale((isStale) => this.files.forget(isStale));
    context.subscriptions.push(this.#services, documents, new TomlEditor(), new vscode.Disposable(stop));
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

  diagnose(target: unknown, selection: unknown): Promise<void> {
    return diagnose(this.#services, target, selection);
  }

  openFindings(target: unknown, selection: unknown): Promise<void> {
    return openFindings(this.#services, target, selection);
  }

  showInProblems(target: unknown, selection: unknown): Promise<void> {
    return showInProblems(this.#services, target, selection);
  }

  clearProblems(): void {
    this.#services.problems.clearAll();
  }

  explainSignature(id: unknown): Promise<void> {
    return explainSignature(id);
  }

  showLog(): void {
    this.#services.log.show();
  }
}
