/** The tab of run records, in a real browser on made-up records. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { PageBrowser, type PageOptions } from "./browser.ts";
import { Opened } from "./opened.ts";

let browser: PageBrowser;
beforeAll(async () => {
  browser = await PageBrowser.start();
}, 120_000);
afterAll(() => browser?.close());

let run: Opened;
const open = async (query: string, options: PageOptions = {}) => {
  run = await Opened.open(browser, query, options);
  await run.page.getByTestId("tab-records").click();
  await run.page.getByTestId("record-row").first().waitFor();
  await run.settled();
};
afterEach(() => run.close());

const fold = (attempt: number) => run.page.getByRole("button", { name: new RegExp(`^Attempt ${attempt},`) });
const paths = () =>
  run.page
    .getByTestId("record-config-row")
    .evaluateAll((rows) => rows.map((row) => row.getAttribute("data-path")));

describe("attempts", () => {
  it("side by side, with what each ran and on what", async () => {
    await open("case=run");
    const rows = run.page.locator("[data-attempt]");
    const texts = (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, " ").trim());
    expect(texts).toEqual([
      "▸0 hash matches as in manifest.json cuda NVIDIA H100 80GB HBM3 66.3 GiB 16 20 min 34 s",
      "▸1 hash does not match not that of manifest.json changed since attempt 0 cpu – 4 3 s",
    ]);
    expect(await run.page.getByText("2 attempts, so 1 restart.").isVisible()).toBe(true);
  });

  it("fold out to every key of the file, by keyboard too", async () => {
    await open("case=run");
    await fold(0).focus();
    await run.page.keyboard.press("Enter");
    const keys = run.page.getByRole("table", { name: "Every key of observed.attempt0.json" });
    await keys.waitFor();
    expect(await fold(0).getAttribute("aria-expanded")).toBe("true");
    expect(await keys.textContent()).toMatch(/peak_memory_bytes\s+71234567890/);
    expect(await run.page.evaluate(() => document.activeElement?.getAttribute("aria-expanded"))).toBe("true");
    await run.page.keyboard.press("Space");
    await expect.poll(() => keys.count()).toBe(0);
  });

  it("their configurations: what differs, and the rest when asked", async () => {
    await open("case=run");
    expect(await paths()).toEqual(["learning_rate", "reward.weights.length"]);
    const cells = run.page.locator('[data-path="reward.weights.length"] td');
    expect(await cells.allInnerTexts()).toEqual(["0", "not set"]);
    const only = run.page.getByRole("checkbox", { name: "Only differences" });
    await only.focus();
    await run.page.keyboard.press("Space");
    await expect.poll(paths).toEqual(["learning_rate", "bf16", "reward.weights.length"]);
  });
});

describe("for everybody", () => {
  const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
  const found = async () => {
    await run.page.evaluate(`${await readFile(axe, "utf8")};0`);
    return run.page.evaluate(async () => {
      const { violations } = await Reflect.get(window, "axe").run(document, { resultTypes: ["violations"] });
      return violations.map(
        (one: { id: string; nodes: { html: string }[] }) => `${one.id}: ${one.nodes[0]?.html}`,
      );
    });
  };

  it.each(["dark", "light", "hc-dark", "hc-light"])(
    "axe finds nothing in %s, with all folded out",
    async (theme) => {
      await open(`case=run&theme=${theme}`, { width: theme.startsWith("hc") ? 800 : 1280 });
      for (const attempt of [0, 1]) await fold(attempt).click();
      await run.page.locator(".keys").nth(1).waitFor();
      expect(await found()).toEqual([]);
    },
  );

  it("nothing is wider than the tab at 800 pixels", async () => {
    await open("case=run", { width: 800 });
    await fold(0).click();
    const [inner, outer] = await run.page
      .locator(".scroller.records")
      .evaluate((list) => [list.scrollWidth, list.clientWidth]);
    expect(inner).toBe(outer);
  });
});
