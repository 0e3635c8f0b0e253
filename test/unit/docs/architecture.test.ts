import { createRequire } from "node:module";
import path from "node:path";
import { expect, test } from "vitest";
import { markdownTable, pageOf, pageWith, ROOT } from "./sections.ts";

const PAGE = pageOf("architecture.md");

interface Rule {
  readonly comment?: string;
}

/** Rules say in their comment what they allow: "src/view/ may import only: itself, src/core/". */
function imports(): string {
  const config = path.join(ROOT, ".dependency-cruiser.cjs");
  const { forbidden } = createRequire(import.meta.url)(config) as { forbidden: readonly Rule[] };
  const comments = forbidden.flatMap(({ comment }) => comment ?? []);
  const code = (list: string) =>
    list
      .split(", ")
      .map((name) => `\`${name.replace(/\/$/, "").replaceAll("\\", "")}\``)
      .join(", ");
  const folders = comments.flatMap((comment) => {
    const [, from, to] = /^(\S+) may import only: itself(?:, (.+))?$/.exec(comment) ?? [];
    return from ? [[code(from), to ? code(to) : "nothing else"]] : [];
  });
  const libraries = comments.flatMap((comment) => {
    const [, homes, library] = /^only (.+) may import (\S+)$/.exec(comment) ?? [];
    if (!homes || !library) return [];
    const names = library.replace(/[()]/g, "").replace("[a-z-]*", "*").split("|");
    return [[code(names.join(", ")), code(homes)]];
  });
  return `${markdownTable(["folder", "may import"], folders)}\n\n${markdownTable(["library", "only in"], libraries)}`;
}

test("docs/architecture.md has the import rules that the lint enforces (npx vitest run test/unit/docs -u)", async () => {
  await expect(pageWith(PAGE, { imports: imports() })).toMatchFileSnapshot(PAGE);
});
