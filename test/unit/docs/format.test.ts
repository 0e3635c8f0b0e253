import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { METRICS } from "../../../src/core/format/catalogue.ts";
import { REFUSAL_WORDS, WARNING_WORDS, type Words } from "../../../src/view/words.ts";
import { markdownTable, pageOf, pageWith, ROOT } from "./sections.ts";

const PAGE = pageOf("format.md");

/** All program text but the places that declare and word the codes. */
function sources(): string {
  const src = path.join(ROOT, "src");
  return fs
    .readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !/(^|[\\/])(problems|words)\.ts$/.test(name))
    .map((name) => fs.readFileSync(path.join(src, name), "utf8"))
    .join("\n");
}

function codes(words: Readonly<Record<string, Words>>, names: readonly string[]): string {
  const rows = names.map((code) => [`\`${code}\``, words[code]?.message ?? "", words[code]?.remedy || "–"]);
  return markdownTable(["code", "meaning", "remedy"], rows);
}

function warnings(): string {
  const text = sources();
  const all = Object.keys(WARNING_WORDS);
  const raised = all.filter((code) => text.includes(`"${code}"`));
  const reserved = all.filter((code) => !raised.includes(code)).map((code) => `\`${code}\``);
  const table = codes(WARNING_WORDS, raised);
  return reserved.length
    ? `${table}\n\nReserved, never said by this version: ${reserved.join(", ")}.`
    : table;
}

test("docs/format.md lists every code with the product's own words (npx vitest run test/unit/docs -u)", async () => {
  const refusals = codes(REFUSAL_WORDS, Object.keys(REFUSAL_WORDS));
  await expect(pageWith(PAGE, { refusals, warnings: warnings() })).toMatchFileSnapshot(PAGE);
});

test("docs/format.md names every column that the format knows", () => {
  const page = fs.readFileSync(PAGE, "utf8");
  expect(METRICS.map((m) => m.name).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
