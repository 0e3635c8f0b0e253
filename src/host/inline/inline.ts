/**
 * Steps and samples that other files mention: links to them, and hovers. Loaded when VS Code first asks about such a file;
 * until a mention is hovered no run is opened, and where nothing is mentioned nothing else is loaded.
 */
import * as vscode from "vscode";
import { idAt, type Mention, mentionsIn, mentionsInText } from "../../view/mentions.ts";
import { commandLink } from "../command-links.ts";
import { openRuns, runAround } from "./run-of.ts";

/** What is asked about: a mention, or a word that may be a sample's id. */
export type Asked =
  | Mention
  | { readonly kind: "id"; readonly id: string; readonly from: number; readonly to: number };

/** Answers from the run; loaded with the rest of the extension. `null` when the run knows nothing of it. */
export type Answer = (
  dir: string,
  asked: Asked,
  token: vscode.CancellationToken,
) => Promise<vscode.Hover | null>;

type Reach = "off" | "insideRuns" | "workspace";

/** VS Code asks for the links of a whole file at once: more than this is not looked at. */
const MAX_LINES = 100_000;
const MAX_LINKS = 5000;
const MAX_MS = 150;
/** Runs outside of which a hover looks for what a file mentions. */
const MAX_RUNS = 3;

export class Inline {
  readonly #answer: Answer;

  constructor(answer: Answer) {
    this.#answer = answer;
  }

  async links(
    document: vscode.TextDocument,
    token: vscode.CancellationToken,
  ): Promise<vscode.DocumentLink[]> {
    const [dir, ...others] = await runsFor(document);
    if (dir === undefined || others.length > 0 || token.isCancellationRequested) return [];
    const end = performance.now() + MAX_MS;
    const found = mentionsInText((line) => document.lineAt(line).text, document.lineCount, {
      lines: MAX_LINES,
      mentions: MAX_LINKS,
      isOver: () => token.isCancellationRequested || performance.now() > end,
    });
    return found.map(({ line, mention }) => linkOf(dir, line, mention));
  }

  async hover(
    document: vscode.TextDocument,
    { line, character }: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.Hover | null> {
    const { text } = document.lineAt(line);
    const mention = mentionsIn(text).find(({ from, to }) => character >= from && character <= to);
    const word = mention ? null : idAt(text, character);
    const asked = mention ?? (word && { kind: "id" as const, ...word });
    if (!asked) return null;
    for (const dir of (await runsFor(document)).slice(0, MAX_RUNS)) {
      if (token.isCancellationRequested) return null;
      const hover = await this.#answer(dir, asked, token);
      if (!hover) continue;
      hover.range = new vscode.Range(line, asked.from, line, asked.to);
      return hover;
    }
    return null;
  }
}

/** The runs that a file may be about, likeliest first. Nothing is opened for it. */
async function runsFor({ uri }: vscode.TextDocument): Promise<readonly string[]> {
  const reach = vscode.workspace.getConfiguration("flightDeck", uri).get<Reach>("inline", "insideRuns");
  if (reach === "off" || uri.scheme !== "file") return [];
  const inside = await runAround(uri.fsPath);
  if (inside !== null) return [inside];
  const isOurs = reach === "workspace" && vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  return isOurs ? openRuns() : [];
}

function linkOf(dir: string, line: number, mention: Mention): vscode.DocumentLink {
  const { kind, from, to } = mention;
  const step = String(mention.step);
  const target =
    kind === "step"
      ? commandLink("showInRun", { dir, step })
      : commandLink("openSample", { dir, step, rank: mention.rank, id: mention.id });
  const link = new vscode.DocumentLink(new vscode.Range(line, from, line, to), vscode.Uri.parse(target));
  link.tooltip =
    kind === "step" ? vscode.l10n.t("Show this step in its run") : vscode.l10n.t("Open this sample");
  return link;
}
