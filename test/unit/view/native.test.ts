import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { itemText, noticeText, tabText } from "../../../src/view/native.ts";
import { OBEYED, PAYLOADS, TOO_LONG } from "../../helpers/hostile.ts";

/** As VS Code finds icons in labels, and links in notifications. */
const ICON = /(\\)?\$\([a-z0-9-]+(?:~[a-z]+)?\)/gi;
const LINK = /\[[^\]]+\]\((?:https?:\/\/|command:|file:)[^)\s]+/i;

test.each(PAYLOADS)(
  "$id is a line of text wherever VS Code shows it, without icons and links",
  ({ text }) => {
    for (const shown of [itemText(text, 120), noticeText(text), tabText(text)])
      expect(shown).not.toMatch(OBEYED);
    for (const [, escaped] of itemText(text, 500).matchAll(ICON)) expect(escaped).toBe("\\");
    expect(noticeText(text)).not.toMatch(LINK);
  },
);

test("what is only like an icon keeps its look, and what is one is written out", () => {
  expect(itemText("$(bug) $(loading~spin)", 99)).toBe("\\$(bug) \\$(loading~spin)");
  expect(itemText("$( $(a b) $(", 99)).toBe("$( $(a b) $(");
  expect(noticeText("[a](command:b)")).toBe("[a] (command:b)");
});

test("what is long is cut", () => {
  expect(noticeText(TOO_LONG).length).toBeLessThan(1100);
  expect(tabText(TOO_LONG).length).toBeLessThan(100);
});

test("no part of the host shows a notification without that", () => {
  const root = path.resolve(import.meta.dirname, "../../../src/host");
  const files = fs
    .readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"));
  const direct = files.filter((name) =>
    /\bshow(Information|Warning|Error)Message\b/.test(fs.readFileSync(path.join(root, name), "utf8")),
  );
  expect(direct).toEqual(["say.ts"]);
});
