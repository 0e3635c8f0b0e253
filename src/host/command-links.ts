/** Links that run our own commands with what we tell them. */
import * as vscode from "vscode";

/** @param argument typed values of ours; recorded text in it stays a string, whatever it looks like */
export function commandLink(name: string, argument: unknown): string {
  // VS Code decodes more than once: a percent sign that was recorded must have nothing to decode.
  const json = JSON.stringify([argument]).replaceAll("%", "\\u0025");
  // A bracket would end a link in Markdown, and URI encoding leaves round ones as they are.
  const encoded = encodeURIComponent(json).replace(/[()*'!~]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
  return `command:flightDeck.${name}?${encoded}`;
}

/** A line of links in a hover: only they are trusted, and only with these commands. */
export function commandLine(
  links: readonly (readonly [title: string, name: string, argument: unknown])[],
): vscode.MarkdownString {
  const line = links.map(([title, name, argument]) => `[${title}](${commandLink(name, argument)})`);
  const text = new vscode.MarkdownString(line.join(" · "));
  text.isTrusted = { enabledCommands: links.map(([, name]) => `flightDeck.${name}`) };
  return text;
}
