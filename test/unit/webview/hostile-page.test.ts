/**
 * Hostile text on the three pages, from files through the product's own views to a real browser: nothing runs, nothing is asked for,
 * nothing is refused by the policy, and every text stands there as text.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { visibleText } from "../../../webview/text/visible.ts";
import { FOLDERS, INHERITED, PAYLOADS } from "../../helpers/hostile.ts";
import { type Asked, hostCompare, hostRun, hostRuns } from "../../helpers/hostile-hosts.ts";
import type {} from "../../helpers/hostile-page.ts";
import { writeHostileRuns } from "../../helpers/hostile-run.ts";
import { PageBrowser, READY } from "./browser.ts";

let browser: PageBrowser;
let root = "";
beforeAll(async () => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), "fd-hostile-"));
  writeHostileRuns(root);
  browser = await PageBrowser.start({ entry: "test/helpers/hostile-page.ts" });
}, 120_000);
afterAll(async () => {
  await browser?.close();
  fs.rmSync(root, { recursive: true, force: true });
});

let page: Page;
let asked: Asked;
let effects: string[];

/** Opens a page on runs of the folder and watches for whatever a text could do. */
async function open(kind: "run" | "compare" | "runs", host: (page: Page) => Promise<Asked>): Promise<void> {
  page = await browser.blank();
  effects = [];
  page.on("dialog", async (dialog) => {
    effects.push(`dialog ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on("popup", (popup) => effects.push(`popup ${popup.url()}`));
  page.on("framenavigated", (frame) => {
    if (frame !== page.mainFrame() || !frame.url().startsWith(browser.url))
      effects.push(`frame ${frame.url()}`);
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(browser.url) && !request.url().startsWith("data:"))
      effects.push(`request ${request.url()}`);
  });
  asked = await host(page);
  await page.goto(`${browser.url}?page=${kind}`);
  await page.waitForSelector(READY);
}

/** Elements and attributes that only a text could have brought. */
function foreignIn(): string[] {
  const found: string[] = [];
  const tags = new Set([
    "IFRAME",
    "OBJECT",
    "EMBED",
    "BASE",

    "TEXTAREA",
    "TEMPLATE",
    "AUDIO",
    "VIDEO",
  ]);
  const walk = (node: Element | ShadowRoot | Document): void => {
    for (const element of node.querySelectorAll("*")) {
      const { tagName, attributes, shadowRoot } = element;
      if (tags.has(tagName)) found.push(tagName);
      if (tagName === "SCRIPT" && element.getAttribute("src") !== "/page.js") found.push("SCRIPT");
      for (const { name, value } of attributes) {
        if (name.startsWith("on") || name === "srcdoc") found.push(`${tagName} ${name}`);
        const isAddress = name === "href" || name === "src" || name === "xlink:href" || name === "action";
        if (isAddress && !/^(\/page\.(js|css)|data:,|data:image\/|#)/.test(value))
          found.push(`${tagName} ${name}=${value}`);
      }
      if (shadowRoot) walk(shadowRoot);
    }
  };
  walk(document);
  return found;
}

afterEach(async () => {
  const pwned = await page.evaluate(() => "pwned" in globalThis);
  const violations = await page.evaluate(() => window.hostile?.violations);
  const foreign = await page.evaluate(foreignIn);
  await page.context().close();
  expect(pwned, "a text ran").toBe(false);
  expect(foreign, "a text became elements").toEqual([]);
  expect(violations, "refused by the page's policy").toEqual([]);
  expect(effects, "what a text did").toEqual([]);
  expect(asked.reports, "reported by the page").toEqual([]);
  expect(asked.actions, "done without a click").toEqual([]);
  expect(browser.errors.splice(0), "errors of the page").toEqual([]);
});

/** Spaces and line ends do not count: where a text may have lines, it has them. */
const squeeze = (text: string): string => text.replace(/\s+|<LF>|<CR>|<TAB>/g, "");
const written = (text: string): string => squeeze(visibleText(text));
/** Where a line has no room for more, this many characters of a text are looked for. */
const START = 30;

/** Payloads that do not stand as text in what the elements say. */
async function missingIn(selector: string, length = Number.POSITIVE_INFINITY): Promise<string[]> {
  const all = squeeze((await page.locator(selector).allTextContents()).join("\n"));
  return PAYLOADS.filter(({ text }) => !all.includes(written(text.slice(0, length)))).map(({ id }) => id);
}

const tab = async (name: string): Promise<void> => {
  await page.getByTestId(`tab-${name}`).click();
  await page.waitForSelector(READY);
};
const a = () => path.join(root, "a");

/** What elements say while a list that makes only what is seen is scrolled to its end. */
async function scrolled(scroller: string, selector: string): Promise<string> {
  const texts: string[] = [];
  for (let at = 0, end = 1; at < end; at += 200) {
    end = await page.locator(scroller).evaluate((element, top) => {
      element.scrollTop = top;
      const drawn = () => new Promise((resolve) => requestAnimationFrame(resolve));
      return drawn()
        .then(drawn)
        .then(() => element.scrollHeight);
    }, at);
    await expect.poll(() => page.locator(`${selector} [aria-busy="true"]`).count()).toBe(0);
    texts.push(...(await page.locator(selector).allTextContents()));
  }
  return squeeze(texts.join("\n"));
}

it("charts are titled by what was recorded, listed as a table, saved as text", async () => {
  await open("run", (p) => hostRun(p, a()));
  const charts = page.getByTestId("chart");
  const metrics = new Set(
    await charts.evaluateAll((all) => all.map((one) => one.getAttribute("data-metric"))),
  );
  for (const { text } of PAYLOADS)
    for (const name of [text, `extra.${text}`]) expect(metrics).toContain(name);
  await expect.poll(() => missingIn("fd-charts", START)).toEqual([]);
  expect(await page.locator("fd-findings").textContent()).toContain("<img src=x onerror=");
  for (const name of [
    "__proto__",
    'extra.<img src=x onerror="globalThis.pwned=1;alert(1)">hs04',
    "extra.$(touch /tmp/hs45) `touch /tmp/hs45`; rm -rf hs45 && echo %PATH% | cat > /dev/null",
  ]) {
    const all = await charts.evaluateAll((each) => each.map((one) => one.getAttribute("data-metric")));
    const chart = charts.nth(all.indexOf(name));
    await chart.scrollIntoViewIfNeeded();
    await chart.locator(".canvas svg").waitFor();
    expect(Number(await chart.getAttribute("data-last"))).toBeGreaterThan(-2);
    await chart.hover();
    await page.waitForSelector(READY);
    await chart.locator("button.more").click();
    await page.getByRole("menuitemcheckbox", { name: "Table of Values" }).click();
    await chart.locator("td").first().waitFor();
    await chart.locator("button.more").click();
    await page.getByRole("menuitemcheckbox", { name: "Table of Values" }).click();
    await chart.locator(".canvas svg").waitFor();
  }
});

const FORMULA = /^[\s\p{Cf}]*[=+\-@]/u;

it("pictures and tables that are saved hold every name as text", async () => {
  await open("run", (p) => hostRun(p, a()));
  const chart = page.locator('[data-testid="chart"][data-metric="reward_components"]');
  const kinds = ["SVG", "CSV", "PNG"];
  for (const [i, kind] of kinds.entries()) {
    await chart.locator("button.more").click();
    await page.getByRole("menuitem", { name: "Copy or Save…" }).click();
    await page.getByRole("menuitem", { name: `Save as ${kind}…` }).click();
    await expect.poll(() => asked.saved.length).toBe(i + 1);
  }
  const [svg = "", csv = ""] = asked.saved.map(({ bytes }) => new TextDecoder().decode(bytes));
  const parts = await page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
    const all = [...parsed.querySelectorAll("*")];
    return {
      tags: [...new Set(all.map(({ localName }) => localName))],
      attributes: [...new Set(all.flatMap(({ attributes }) => [...attributes].map(({ name }) => name)))],
      text: parsed.documentElement.textContent,
    };
  }, svg);
  expect(
    parts.tags.filter(
      (name) => !/^(svg|g|path|line|text|tspan|rect|circle|defs|clipPath|title|desc)$/.test(name),
    ),
  ).toEqual([]);
  expect(parts.attributes.filter((name) => /^on|href|src/i.test(name))).toEqual([]);
  expect(parts.text).toContain("![hs24](http://hostile.invalid/hs24.png)");
  const cells = [...csv.matchAll(/^(?:"((?:[^"]|"")*)"|([^,"\n]*)),/gm)].map(
    ([, quoted, plain]) => quoted ?? plain ?? "",
  );
  expect(cells.length).toBeGreaterThan(1000);
  expect(cells.filter((cell) => FORMULA.test(cell))).toEqual([]);
  for (const name of INHERITED) expect(csv).toMatch(new RegExp(`^${name},raw,0,`, "m"));
  for (const { title } of asked.saved) expect(title).toBe("a Reward components");
});

it("events, configuration and records show every text", async () => {
  await open("run", (p) => hostRun(p, a()));
  await tab("events");
  await expect.poll(() => missingIn("[data-testid=event-row]")).toEqual([]);
  await tab("configuration");
  await expect.poll(() => missingIn("[data-testid=config-row] th")).toEqual([]);
  expect(await missingIn("[data-testid=config-row] td")).toEqual([]);
  await tab("records");
  await expect.poll(() => missingIn("[data-testid=record-row]")).toEqual([]);
  expect(await page.getByTestId("warning").count()).toBeGreaterThan(4);
});

it("samples show every text: as a list, folded out, in groups, by prompt, and where it was searched for", async () => {
  await open("run", (p) => hostRun(p, a()));
  await tab("samples");
  await page.getByTestId("sample-row").first().waitFor();
  const all = await scrolled(".sm-scroller", '.sm-layer [data-testid="sample-row"]');
  expect(PAYLOADS.filter(({ text }) => !all.includes(written(text))).map(({ id }) => id)).toEqual([]);
  await page.locator(".sm-scroller").evaluate((element) => element.scrollTo(0, 0));
  await page.locator('.sm-layer [data-testid="sample-row"]').nth(6).click();
  await page.getByTestId("sample-detail").waitFor();
  await expect.poll(() => missingIn("[data-testid=components]", START)).toEqual([]);
  await page.getByPlaceholder("Search text").fill("<script>globalThis");
  await expect.poll(() => page.getByTestId("sample-count").textContent()).toBe("6 samples");
  await page.getByPlaceholder("Search text").fill("");
  const view = (name: string) =>
    page.getByRole("group", { name: "Shown as" }).getByRole("button", { name }).click();
  await view("Groups");
  await page.getByTestId("group").first().waitFor();
  await view("Prompts");
  await page.getByTestId("prompt-row").first().waitFor();
  await page.getByTestId("prompt-row").first().click();
  await page.getByTestId("prompt-detail").waitFor();
});

it("two runs are compared by every name", async () => {
  await open("compare", (p) => hostCompare(p, [a(), path.join(root, "b")]));
  await expect.poll(() => missingIn("[data-testid=diff-metric]", START)).toEqual([]);
  const metrics = await page
    .getByTestId("diff-metric")
    .evaluateAll((each) => each.map((one) => one.getAttribute("data-metric")));
  for (const name of INHERITED) expect(metrics).toContain(name);
  await page.getByTestId("tab-configuration").click();
  await expect.poll(() => missingIn("[data-testid=diff-config-row]")).toEqual([]);
  for (const [name, selector] of [
    ["prompts", "[data-testid=diff-prompt-row]"],
    ["findings", "fd-compare-findings"],
    ["records", "[data-testid=record-row]"],
  ] as const) {
    await page.getByTestId(`tab-${name}`).click();
    await expect.poll(() => page.locator(selector).count()).toBeGreaterThan(0);
  }
  await page.waitForSelector(READY);
});

it("the table of runs has every name, and columns of every key", async () => {
  const dirs = FOLDERS.map(({ text }) => path.join(root, "named", text));
  await open("runs", (p) => hostRuns(p, dirs));
  await expect.poll(() => page.getByTestId("runs-row").count()).toBeGreaterThan(10);
  const all = await scrolled(".rt-scroller", '[data-testid="runs-row"]');
  const lacking = FOLDERS.filter(({ text }) => !all.includes(written(text.slice(0, START))));
  expect(lacking.map(({ id }) => id)).toEqual([]);
  await page.getByRole("button", { name: "Columns" }).click();
  await expect.poll(() => page.locator("fd-columns").textContent()).toContain("__proto__");
});
