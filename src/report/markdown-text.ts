/** Recorded text in Markdown that is pasted into issues, where "@name" and "#12" call people and pages whatever stands before them. */
import { asCode, inCell, inMarkdown } from "../view/markdown.ts";
import { visibleLine } from "../view/visible.ts";

/** Keeps a reader of Markdown from joining two characters to a mention, a reference or an address. */
const APART = "&#8203;";

/** As running text. */
export function inIssue(text: string): string {
  return inMarkdown(text)
    .replace(/\\?@/g, `@${APART}`)
    .replace(/\\#(?=\d)/g, `\\#${APART}`)
    .replace(/\b(GH)-(?=\d)/gi, `$1${APART}-`)
    .replace(/\b(https?|ftp|www|mailto)(?=[\\:.])/gi, `$1${APART}`);
}

export const cell = (text: string): string => inCell(inIssue(text));
export const codeCell = (text: string): string => inCell(asCode(text));
export { asCode };

/** Lines of recorded text between fences that it cannot close. @param limit characters shown */
export function fenced(text: string, limit: number, length = text.length): string {
  const head = text.slice(0, text.charCodeAt(limit - 1) >>> 10 === 0x36 ? limit - 1 : limit);
  const body = head
    .replace(/\r\n?/g, "\n")
    .split("\n")
    .map((line) => visibleLine(line).text)
    .join("\n");
  const longest = Math.max(2, ...[...body.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const rest = length - head.length;
  const note =
    rest > 0
      ? `\n\n_Cut: ${head.length.toLocaleString("en-US")} of ${length.toLocaleString("en-US")} characters._`
      : "";
  return `${fence}text\n${body}\n${fence}${note}`;
}
