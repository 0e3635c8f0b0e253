/** The bundles are what the code says: nothing is missing, left over or differently filled. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { asFile, collect, sentencesOf, translation } from "../../../scripts/l10n.mjs";

const root = path.resolve(import.meta.dirname, "../../..");
const placeholders = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{[^{}]+\}/g)].map(([all]) => all))].sort();

describe("the sentences of the code", () => {
  it("can all be read off it, and l10n/bundle.l10n.json has them (node scripts/l10n.mjs)", async () => {
    const { bundle, hidden } = await collect();
    expect(hidden).toEqual([]);
    expect(await readFile(path.join(root, "l10n/bundle.l10n.json"), "utf8")).toBe(asFile(bundle));
  });

  it("are found in every shape of call", () => {
    const text =
      't("a {0}", 1); vscode.l10n.t(`b`); t({ message: "c", comment: "d" }); t(e); other("f"); x.t("g");';
    expect(sentencesOf("x.ts", text)).toEqual({
      sentences: [
        ["a {0}", "a {0}"],
        ["b", "b"],
        ["c/d", "c"],
      ],
      hidden: ["x.ts:1"],
    });
  });
});

describe("German", () => {
  it("has each sentence and no other, with the same placeholders", async () => {
    const [{ bundle }, german] = await Promise.all([collect(), translation("de")]);
    expect(Object.keys(german).sort()).toEqual(Object.keys(bundle).sort());
    for (const [key, message] of Object.entries(bundle)) {
      expect([key, placeholders(german[key] ?? "")]).toEqual([key, placeholders(message)]);
      expect(german[key]?.trim()).not.toBe("");
    }
  });
});
