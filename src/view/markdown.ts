/** Text of a recording inside Markdown: shown as it is, never as markup, on one line. */

/** What Markdown or HTML would take for markup. */
const MARKUP = /[\\`*_{}[\]<>()#+!|~$&]/g;
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gu;

/** As running text. A start that would make a list or heading of the line is the caller's to avoid: put a word before it. */
export function inMarkdown(text: string): string {
  return text.replace(BREAKS, " ").replace(MARKUP, (c) => `\\${c}`);
}

/** As code, whatever backticks it holds. */
export function asCode(text: string): string {
  const line = text.replace(BREAKS, " ");
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return longest > 0 || line.trim() === "" ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
}

/** In a cell of a table: a bar would end it, even in code. */
export function inCell(markdown: string): string {
  return markdown.replace(/\\?\|/g, "\\|");
}
