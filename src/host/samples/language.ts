/** The language of documents about samples: folding, outline, ways to other samples, hovers. All by line, nothing by text. */
import * as vscode from "vscode";
import { said } from "../../protocol/l10n.ts";
import { FIELDS, type Section, type Structure, sampleAt, sectionAt } from "../../view/document-writer.ts";
import { sampleHover } from "../../view/sample-hover.ts";
import { factsOf, sampleLabel } from "../../view/sample-words.ts";
import { characterName } from "../../view/visible.ts";
import { SCHEME } from "../documents.ts";
import { addressOf, LANGUAGE, sampleUri } from "./address.ts";
import type { SampleDocuments } from "./documents.ts";
import { sampleOfRow } from "./find.ts";
import { lensesOf } from "./lenses.ts";
import { hoverLinks } from "./links.ts";
import type { RunReader } from "./reader.ts";

export const SELECTOR: vscode.DocumentSelector = { scheme: SCHEME, language: LANGUAGE };

const NAMED = "namedCharacter";
const LEGEND = new vscode.SemanticTokensLegend([NAMED]);

export class SampleLanguage implements vscode.Disposable {
  readonly #documents: SampleDocuments;
  readonly #reader: RunReader;
  readonly #onLenses = new vscode.EventEmitter<void>();
  readonly #registered: vscode.Disposable[];

  constructor(documents: SampleDocuments, reader: RunReader) {
    this.#documents = documents;
    this.#reader = reader;
    const { languages } = vscode;
    this.#registered = [
      this.#onLenses,
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration("flightDeck.samples.codeLens")) this.#onLenses.fire();
      }),
      languages.registerFoldingRangeProvider(SELECTOR, {
        provideFoldingRanges: async (document) => (await this.#of(document))?.sections.map(foldingOf),
      }),
      languages.registerDocumentSymbolProvider(SELECTOR, {
        provideDocumentSymbols: async (document) => (await this.#of(document))?.sections.map(symbolOf),
      }),
      languages.registerCodeLensProvider(SELECTOR, {
        onDidChangeCodeLenses: this.#onLenses.event,
        provideCodeLenses: async (document) => {
          if (!vscode.workspace.getConfiguration("flightDeck", document.uri).get("samples.codeLens", true))
            return [];
          const structure = await this.#of(document);
          const address = addressOf(document.uri);
          return structure && address ? lensesOf(structure, address) : [];
        },
      }),
      languages.registerDocumentSemanticTokensProvider(
        SELECTOR,
        { provideDocumentSemanticTokens: async (document) => tokensOf(await this.#of(document)) },
        LEGEND,
      ),
      languages.registerDefinitionProvider(SELECTOR, {
        provideDefinition: (document, { line }) => this.#definition(document, line),
      }),
      languages.registerHoverProvider(SELECTOR, {
        provideHover: (document, position) => this.#hover(document, position),
      }),
    ];
  }

  dispose(): void {
    for (const each of this.#registered) each.dispose();
  }

  #of(document: vscode.TextDocument): Promise<Structure | null> {
    return this.#documents.structure(document);
  }

  /** A line that stands for a sample leads to it, as do the headings of results and completions in lists. */
  async #definition(document: vscode.TextDocument, line: number): Promise<vscode.LocationLink[]> {
    const structure = await this.#of(document);
    const address = addressOf(document.uri);
    if (!structure || !address) return [];
    const own = structure.samples.find((each) => each.line === line)?.sample;
    const section = sectionAt(structure, line);
    const isHeading = section?.from === line && address.kind !== "sample";
    const sample = own ?? (isHeading ? section.sample : null);
    if (!sample) return [];
    const detail = await sampleOfRow(this.#reader, address.dir, sample);
    if (!detail) return [];
    const range = document.lineAt(line).range;
    const start = new vscode.Range(0, 0, 0, 0);
    const targetUri = sampleUri(address.dir, detail);
    return [{ originSelectionRange: range, targetUri, targetRange: start, targetSelectionRange: start }];
  }

  async #hover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | null> {
    const structure = await this.#of(document);
    const address = addressOf(document.uri);
    if (!structure || !address) return null;
    const { line, character } = position;
    const named = structure.named.find(
      (each) => each.line === line && character >= each.from && character <= each.to,
    );
    if (named) {
      const range = new vscode.Range(line, named.from, line, named.to);
      return new vscode.Hover(
        new vscode.MarkdownString(vscode.l10n.t("{0}, recorded here", characterName(named.code))),
        range,
      );
    }
    const { range } = document.lineAt(line);
    const field = structure.fields.find((each) => each.line === line);
    if (field)
      return FIELDS[field.field] === ""
        ? null
        : new vscode.Hover(new vscode.MarkdownString(said(FIELDS[field.field])), range);
    const listed = structure.samples.some((each) => each.line === line);
    const isHeading = sectionAt(structure, line)?.from === line;
    const sample = listed || isHeading ? sampleAt(structure, line) : null;
    if (!sample) return null;
    const detail = await sampleOfRow(this.#reader, address.dir, sample, 2000);
    if (!detail) return null;
    return new vscode.Hover(
      [new vscode.MarkdownString(sampleHover(detail)), hoverLinks(address.dir, detail)],
      range,
    );
  }
}

function foldingOf({ from, to }: Section): vscode.FoldingRange {
  return new vscode.FoldingRange(from, to, vscode.FoldingRangeKind.Region);
}

const ICONS: Readonly<Record<Section["kind"], vscode.SymbolKind>> = {
  sample: vscode.SymbolKind.Object,
  about: vscode.SymbolKind.Object,
  prompt: vscode.SymbolKind.String,
  completion: vscode.SymbolKind.String,
  group: vscode.SymbolKind.Array,
  result: vscode.SymbolKind.Object,
  step: vscode.SymbolKind.Event,
};

function symbolOf({ kind, title, from, to, sample }: Section): vscode.DocumentSymbol {
  const detail = sample && kind === "completion" ? factsOf(sample) : "";
  const name = title === "" ? sampleLabel(sample ?? { step: "", id: "" }) : title;
  const heading = new vscode.Range(from, 0, from, 2 + title.length);
  return new vscode.DocumentSymbol(
    name,
    detail,
    ICONS[kind],
    new vscode.Range(from, 0, to, 1_000_000),
    heading,
  );
}

function tokensOf(structure: Structure | null): vscode.SemanticTokens | null {
  if (!structure) return null;
  const builder = new vscode.SemanticTokensBuilder(LEGEND);
  for (const { line, from, to } of structure.named) builder.push(line, from, to - from, 0, 0);
  return builder.build();
}
