/** doctor.toml in the editor: completion, hovers, and what is wrong with it by line. */
import * as vscode from "vscode";
import { parseConfig } from "../../core/doctor/config.ts";
import { said } from "../../protocol/l10n.ts";
import { hoverAt, type Suggestion, suggestionsAt } from "../../view/doctor-toml.ts";
import { ALL_SIGNATURES } from "../../view/signature-page.ts";
import { CONFIG_NAME } from "./config-file.ts";

const SELECTOR: vscode.DocumentSelector = { pattern: `**/${CONFIG_NAME}` };
const QUIET_MS = 200;

const KINDS = {
  section: vscode.CompletionItemKind.Module,
  key: vscode.CompletionItemKind.Property,
  value: vscode.CompletionItemKind.Value,
} as const;

export class TomlEditor implements vscode.Disposable {
  readonly #collection = vscode.languages.createDiagnosticCollection("flightDeck.doctorToml");
  readonly #listening: vscode.Disposable[] = [];
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor() {
    this.#listening.push(
      vscode.languages.registerCompletionItemProvider(SELECTOR, { provideCompletionItems }, "["),
      vscode.languages.registerHoverProvider(SELECTOR, { provideHover }),
      vscode.workspace.onDidOpenTextDocument((document) => this.#check(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#soon(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.#forget(document)),
    );
    for (const document of vscode.workspace.textDocuments) this.#check(document);
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    for (const each of this.#listening) each.dispose();
    this.#collection.dispose();
  }

  #soon(document: vscode.TextDocument): void {
    if (!isConfig(document)) return;
    const key = document.uri.toString();
    clearTimeout(this.#timers.get(key));
    this.#timers.set(
      key,
      setTimeout(() => {
        this.#timers.delete(key);
        if (!document.isClosed) this.#check(document);
      }, QUIET_MS),
    );
  }

  #check(document: vscode.TextDocument): void {
    if (!isConfig(document)) return;
    const { problems } = parseConfig(document.getText(), ALL_SIGNATURES);
    const diagnostics = problems.map(({ line, phrase }) => {
      const at = document.lineAt(Math.min(document.lineCount, Math.max(1, line ?? 1)) - 1);
      const range = new vscode.Range(
        at.lineNumber,
        at.firstNonWhitespaceCharacterIndex,
        at.lineNumber,
        at.text.trimEnd().length,
      );
      const diagnostic = new vscode.Diagnostic(range, said(phrase), vscode.DiagnosticSeverity.Error);
      diagnostic.source = "Flight Deck";
      return diagnostic;
    });
    this.#collection.set(document.uri, diagnostics);
  }

  #forget(document: vscode.TextDocument): void {
    clearTimeout(this.#timers.get(document.uri.toString()));
    this.#timers.delete(document.uri.toString());
    this.#collection.delete(document.uri);
  }
}

function isConfig({ uri }: vscode.TextDocument): boolean {
  return uri.path.endsWith(`/${CONFIG_NAME}`) && uri.scheme !== "git";
}

function linesOf(document: vscode.TextDocument): string[] {
  return Array.from({ length: document.lineCount }, (_, i) => document.lineAt(i).text);
}

function provideCompletionItems(
  document: vscode.TextDocument,
  { line, character }: vscode.Position,
): vscode.CompletionItem[] {
  return suggestionsAt(linesOf(document), line, character).map((s, i) => itemOf(s, line, i));
}

function itemOf(s: Suggestion, line: number, place: number): vscode.CompletionItem {
  const item = new vscode.CompletionItem({ label: s.label, description: s.detail }, KINDS[s.kind]);
  item.documentation = new vscode.MarkdownString(s.doc);
  item.insertText = s.insert;
  item.filterText = s.label;
  item.range = new vscode.Range(line, s.from, line, s.to);
  // In the order of the signatures, not of the alphabet.
  item.sortText = String(place).padStart(4, "0");
  return item;
}

function provideHover(
  document: vscode.TextDocument,
  { line, character }: vscode.Position,
): vscode.Hover | null {
  const found = hoverAt(linesOf(document), line, character);
  if (!found) return null;
  const args = encodeURIComponent(JSON.stringify([found.signature]));
  // Nothing of a recording or of the file is in it.
  const text = new vscode.MarkdownString(
    vscode.l10n.t(
      "{0}\n\n[What it looks like, and what to try](command:flightDeck.explainSignature?{1})",
      found.doc,
      args,
    ),
  );
  text.isTrusted = { enabledCommands: ["flightDeck.explainSignature"] };
  return new vscode.Hover(text, new vscode.Range(line, found.from, line, found.to));
}
