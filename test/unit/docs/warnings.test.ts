import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { codeIndex, codePage, isCode, SECTIONS } from "../../../src/view/codePages.ts";
import { pageOf } from "./sections.ts";

const FOLDER = pageOf("warnings");
const CODES = SECTIONS.flatMap(({ codes }) => codes);
const WRITTEN = "\n\n<!-- written by test/unit/docs from src/view/codes -->\n";

test("docs/warnings has the page that the product shows for each code (npx vitest run test/unit/docs -u)", async () => {
  for (const code of CODES) {
    await expect(codePage(code) + WRITTEN).toMatchFileSnapshot(path.join(FOLDER, `${code}.md`));
  }
});

test("and a list of them", async () => {
  await expect(codeIndex() + WRITTEN).toMatchFileSnapshot(path.join(FOLDER, "README.md"));
});

test("docs/warnings has no page of a code that is gone", () => {
  const left = fs.readdirSync(FOLDER).filter((name) => name !== "README.md" && !isCode(name.slice(0, -3)));
  expect(left).toEqual([]);
});
