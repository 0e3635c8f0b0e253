/** Text of a recording inside Markdown: shown as it is, never as markup, on one line; what does not show is written by name. */
import { visibleLabel } from "./visible.ts";

/** What Markdown or HTML would take for markup. */
const MARKUP = /[\\`*_{}[\]<>()#+!|~$&]/g;
/** Addresses are links by themselves in some readers of Markdown: "://", "//", "www.", "mailto:" and what has an "@". */
const ADDRESS = /:\/\/|\/\/|\bwww\.|\bmailto:|@/gi;
/** A name of a file or a sentence is shorter. */
const MAX = 10_000;

const line = (text: string): string => visibleLabel(text, MAX);

/** As running text. A start that would make a list or heading of the line is the caller's to avoid: put a word before it. */
export function inMarkdown(text: string): string {
  return line(text)
    .replace(MARKUP, (c) => `\\${c}`)
    .replace(ADDRESS, (start) => start.replace(/[:/.@]/g, (c) => `\\${c}`));
}

/** As code, whatever backticks it holds. */
export function asCode(text: string): string {
  const shown = line(text);
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return longest > 0 || shown.trim() === "" ? `${fence} ${shown} ${fence}` : `${fence}${shown}${fence}`;
}

/** In a cell of a table: a bar would end it, even in code. */
export function inCell(markdown: string): string {
  return markdown.replace(/\\?\|/g, "\\|");
}
