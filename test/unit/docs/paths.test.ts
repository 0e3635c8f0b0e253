import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./sections.ts";

const SKIPPED = new Set(["node_modules", "fixtures", "dist"]);

/** Markdown of the repository; hidden folders, installed packages and fixtures are left out. */
function pages(folder = ROOT): string[] {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) return entry.name.startsWith(".") || SKIPPED.has(entry.name) ? [] : pages(full);
    return entry.name.endsWith(".md") ? [full] : [];
  });
}

/** `a.ts` in a README is beside it; `src/a.ts` is seen from the root. */
const NAMED = /`([\w.-]+(?:\/[\w.-]+)*\.(?:ts|mjs|py|css))`/g;

test("every file of the code that a page names is there", () => {
  const missing = pages().flatMap((file) => {
    const near = path.dirname(file);
    return [...fs.readFileSync(file, "utf8").matchAll(NAMED)]
      .map(([, target = ""]) => target)
      .filter((target) => ![near, ROOT].some((from) => fs.existsSync(path.join(from, target))))
      .map((target) => `${path.relative(ROOT, file)}: ${target}`);
  });
  expect(missing).toEqual([]);
});
