/** Pages of docs/ with sections that are written from the code: `npx vitest run test/unit/docs -u` writes them anew. */
import fs from "node:fs";
import path from "node:path";

export const ROOT = path.resolve(import.meta.dirname, "../../..");

export const pageOf = (name: string): string => path.join(ROOT, "docs", name);

/**
 * The page as it should be.
 * @param sections what belongs between `<!-- name: … -->` and `<!-- /name -->`
 * @throws when the page has no place for a section
 */
export function pageWith(file: string, sections: Readonly<Record<string, string>>): string {
  let page = fs.readFileSync(file, "utf8");
  for (const [name, body] of Object.entries(sections)) {
    const [open, close] = [`<!-- ${name}: written by test/unit/docs -->`, `<!-- /${name} -->`];
    const [from, to] = [page.indexOf(open), page.indexOf(close)];
    if (from < 0 || to < from) throw new Error(`${path.basename(file)} has no place for ${name}`);
    page = `${page.slice(0, from + open.length)}\n${body}\n${page.slice(to)}`;
  }
  return page;
}

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}
