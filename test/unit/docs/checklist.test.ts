/** docs/checklist.md: what it names is there, no grade is without evidence, and its counts are those of its tables. */
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { markdownTable, pageOf, pageWith, ROOT } from "./sections.ts";

const GRADES = ["met", "partly", "not met", "not applicable"] as const;

interface Row {
  readonly part: string;
  readonly item: string;
  readonly grade: string;
  readonly remark: string;
  readonly evidence: readonly string[];
}

const page = fs.readFileSync(pageOf("checklist.md"), "utf8");

const rows = page.split(/^## /m).flatMap((section) => {
  const [title = ""] = section.split("\n", 1);
  const cells = section.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
  return cells.flatMap(([, item = "", said = "", evidence]): Row[] => {
    if (evidence === undefined || item === "item" || item.startsWith("---") || title.startsWith("#"))
      return [];
    const [grade = "", ...remark] = said.split(": ");
    const [part = ""] = title.split(":", 1);
    const named = [...evidence.matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file);
    return [{ part, item, grade, remark: remark.join(": "), evidence: named }];
  });
});

test("every path that it names is there", () => {
  const outside = [...page.matchAll(/`([\w.-]+(?:\/[\w.-]+)+)`/g)].map(([, file = ""]) => file);
  const named = new Set([...rows.flatMap(({ evidence }) => evidence), ...outside]);
  expect([...named].filter((file) => !fs.existsSync(path.join(ROOT, file)))).toEqual([]);
});

test("every grade is one of four, has evidence, and says what is lacking", () => {
  expect(rows.length).toBeGreaterThan(90);
  const wrong = rows.filter(
    ({ grade, remark, evidence }) =>
      !GRADES.some((one) => one === grade) || evidence.length === 0 || (grade !== "met" && remark === ""),
  );
  expect(wrong).toEqual([]);
});

test("what is said not to be there is not", () => {
  const manifest = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8"));
  const said = (words: string) => page.includes(words);
  expect(said("there is no `browser` entry")).toBe(!("browser" in manifest));
  expect(said("`repository` and `bugs` are lacking")).toBe(!("repository" in manifest || "bugs" in manifest));
  expect(said("they are declared as not supported")).toBe(!manifest.capabilities.virtualWorkspaces.supported);
});

test("its counts are those of its tables", async () => {
  const parts = [...new Set(rows.map(({ part }) => part))];
  const counts = parts.map((part) => [
    part,
    ...GRADES.map((one) => String(rows.filter((row) => row.part === part && row.grade === one).length)),
  ]);
  const table = markdownTable(["", ...GRADES], counts);
  await expect(pageWith(pageOf("checklist.md"), { counts: table })).toMatchFileSnapshot(
    pageOf("checklist.md"),
  );
});
