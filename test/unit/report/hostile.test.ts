/**
 * Reports of runs with hostile text in every field, in a real browser: nothing runs, nothing is asked for, nothing is refused by the
 * file's own policy, and every text stands there as text.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { ensureChromium } from "../../../scripts/workbench.mjs";
import { visibleText } from "../../../webview/text/visible.ts";
import { PAYLOADS } from "../../helpers/hostile.ts";
import { hostileRun } from "../../helpers/hostile-run.ts";
import { source } from "../helpers/runs.ts";
import { reportOf } from "./made.ts";

let browser: Browser;
let root = "";
beforeAll(async () => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), "fd-report-"));
  browser = await chromium.launch({
    executablePath: await ensureChromium(),
    args: ["--no-sandbox", "--disable-gpu"],
  });
}, 120_000);
afterAll(async () => {
  await browser?.close();
  fs.rmSync(root, { recursive: true, force: true });
});

let page: Page;
let effects: string[];

/** Opens a report from the disk, as people do, and watches for whatever a text could do. */
async function open(html: string): Promise<void> {
  const file = path.join(root, "report.html");
  fs.writeFileSync(file, html);
  const url = pathToFileURL(file).href;
  page = await (await browser.newContext()).newPage();
  effects = [];
  page.on("dialog", async (dialog) => {
    effects.push(`dialog ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on("popup", (popup) => effects.push(`popup ${popup.url()}`));
  page.on("framenavigated", (frame) => {
    if (!frame.url().startsWith(url) && frame.url() !== "about:blank") effects.push(`frame ${frame.url()}`);
  });
  page.on("request", (request) => {
    if (request.url() !== url) effects.push(`request ${request.url()}`);
  });
  // A policy's reports, errors and warnings.
  page.on("console", (message) => effects.push(`console ${message.text().slice(0, 300)}`));
  page.on("pageerror", (error) => effects.push(`error ${error.message}`));
  await page.goto(url, { waitUntil: "load" });
}

const OURS = new Set(
  "HTML HEAD META TITLE STYLE BODY HEADER MAIN SECTION ARTICLE FOOTER DIV P SPAN B BDI CODE PRE A H1 H2 H3 H4 H5 UL OL LI DL DT DD TABLE COLGROUP COL THEAD TBODY TR TH TD FIGURE FIGCAPTION svg title desc clipPath rect g path text circle".split(
    " ",
  ),
);
const ATTRIBUTES = new Set(
  "class id href lang charset http-equiv content name scope dir viewBox role aria-labelledby aria-hidden clip-path d x y cx cy r width height".split(
    " ",
  ),
);

/** Elements, attributes and comments that only a text could have brought. */
const foreign = (): Promise<string[]> =>
  page.evaluate(
    ([tags, names]) => {
      const [known, allowed] = [new Set(tags), new Set(names)];
      const found: string[] = [];
      const walk = document.createTreeWalker(document, NodeFilter.SHOW_COMMENT);
      while (walk.nextNode()) found.push("comment");
      for (const element of document.querySelectorAll("*")) {
        if (!known.has(element.tagName)) found.push(element.tagName);
        for (const { name, value } of element.attributes) {
          if (!allowed.has(name)) found.push(`${element.tagName} ${name}`);
          if (name === "href" && !/^#[a-z]\w*$/.test(value)) found.push(`href=${value}`);
        }
      }
      return found;
    },
    [[...OURS], [...ATTRIBUTES]] as const,
  );

afterEach(async () => {
  const pwned = await page.evaluate(() => "pwned" in globalThis);
  const added = await foreign();
  const fonts = await page.evaluate(() => getComputedStyle(document.body).maxWidth);
  await page.context().close();
  expect(pwned, "a text ran").toBe(false);
  expect(added, "a text became more than text").toEqual([]);
  expect(effects, "what a text did").toEqual([]);
  expect(fonts, "the style sheet is let in").toBe("1000px");
});

/** Spaces and line ends do not count. */
const squeeze = (text: string): string => text.replace(/\s+|<LF>|<CR>|<TAB>/g, "");
const written = (text: string): string => squeeze(visibleText(text));

async function missingIn(selector: string, length = Number.POSITIVE_INFINITY): Promise<string[]> {
  const all = squeeze((await page.locator(selector).allTextContents()).join("\n"));
  return PAYLOADS.filter(({ text }) => !all.includes(written(text.slice(0, length)))).map(({ id }) => id);
}

const run = (variant: 0 | 1, name: number) =>
  source(Object.fromEntries(hostileRun(variant)), PAYLOADS[name]?.text);

it("a report of one run shows every text as text", async () => {
  await open(await reportOf([run(0, 9)], "html"));
  // Titles of curves, of which there is room for some; the names of others are in what is listed whole.
  expect(await missingIn("table.config td")).toEqual([]);
  expect(await missingIn("table:not(.config) td")).toEqual([]);
  expect((await missingIn("figcaption")).length).toBeLessThan(PAYLOADS.length);
  // The folder's name stands at the top, the run's id below.
  expect(squeeze((await page.locator("h1").textContent()) ?? "")).toContain(written(PAYLOADS[9]?.text ?? ""));
  expect(squeeze((await page.locator("header").textContent()) ?? "")).toContain(
    written(PAYLOADS[0]?.text ?? ""),
  );
  expect(await page.title()).toContain("<script>");
  expect(await page.title()).toContain("<svg>");
});

it("names characters that do not show, everywhere", async () => {
  await open(await reportOf([run(0, 53)], "html"));
  const odd = await page.evaluate(() => {
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    while (walk.nextNode()) {
      const text = walk.currentNode.textContent ?? "";
      if (/(?![\t\n])[\p{Cc}\u202a-\u202e\u2066-\u2069\u200b\ufeff]/u.test(text))
        found.push(text.slice(0, 60));
    }
    return found;
  });
  expect(odd).toEqual([]);
  expect(await page.locator(".ctl", { hasText: "<U+202E>" }).count()).toBeGreaterThan(0);
});

it("a comparison shows every text as text", async () => {
  await open(await reportOf([run(0, 9), run(1, 24)], "html"));
  expect(await missingIn("section:has(h2:text('Configured differently')) td")).toEqual([]);
  expect((await missingIn("figcaption")).length).toBeLessThan(PAYLOADS.length);
  expect(await missingIn("h1", 20)).not.toContain(PAYLOADS[9]?.id);
});

it("is read by a screen reader: one main part, headings in order, pictures with names and words", async () => {
  await open(await reportOf([run(0, 1)], "html"));
  const levels = await page
    .locator("h1,h2,h3,h4,h5")
    .evaluateAll((all) => all.map(({ tagName }) => Number(tagName.slice(1))));
  expect(levels[0]).toBe(1);
  expect(levels.filter((level) => level === 1).length).toBe(1);
  expect(await page.locator("main").count()).toBe(1);
  const pictures = await page
    .locator("svg[role=img]")
    .evaluateAll((all) =>
      all.map((svg) =>
        (svg.getAttribute("aria-labelledby") ?? "")
          .split(" ")
          .map((id) => document.getElementById(id)?.textContent ?? ""),
      ),
    );
  expect(pictures.length).toBeGreaterThan(5);
  expect(
    pictures.filter(([name = "", words = ""]) => name === "" || !/(value|position)/.test(words)),
  ).toEqual([]);
});
