/** The page with the table of runs in a Chromium, on a thousand made-up runs. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { RunsFixture } from "../../../webview/dev/runs.ts";
import { PageBrowser, type PageOptions, READY } from "./browser.ts";

let browser: PageBrowser;
beforeAll(async () => {
  browser = await PageBrowser.start({ entry: "webview/dev/runs.ts" });
}, 120_000);
afterAll(() => browser?.close());

let page: Page;
async function open(query = "case=many", options: PageOptions = {}): Promise<void> {
  page = await browser.open({ query, ...options });
  await page.waitForSelector(READY);
}
const fixture = <T>(look: (fixture: RunsFixture) => T): Promise<T> =>
  page.evaluate(`(${look})(window.runsFixture)`) as Promise<T>;
afterEach(async () => {
  const violations = await fixture(({ violations }) => violations);
  const reports = await fixture(({ host }) => host.actions.filter((action) => action.startsWith("report")));
  await page.context().close();
  expect(violations, "refused by the page's policy").toEqual([]);
  expect(reports, "reported by the page").toEqual([]);
  expect(browser.errors.splice(0), "errors of the page").toEqual([]);
});

const settled = (): Promise<unknown> => page.waitForSelector(READY);
const rows = (): Locator => page.getByTestId("runs-row");
const row = (place: number): Locator => page.locator(`[data-testid="runs-row"][data-place="${place}"]`);
const cell = (place: number, column: string): Locator => row(place).locator(`[data-column="${column}"]`);
const names = (): Promise<string[]> =>
  page.locator('[data-testid="runs-row"] .rt-name .link').allTextContents();
const head = (column: string): Locator => page.locator(`.rt-head [data-column="${column}"]`);
const actions = () => fixture(({ host }) => host.actions.map((one) => JSON.parse(one) as object));
const count = () => page.getByTestId("runs-count").textContent();
const filter = (): Locator => page.getByRole("combobox", { name: "Filter runs" });
const dir = async (place: number) => (await row(place).getAttribute("data-dir")) ?? "";

describe("a thousand runs", () => {
  it("are a grid of which only what is seen is drawn", async () => {
    await open();
    const grid = page.getByRole("grid", { name: "Runs" });
    expect(await grid.getAttribute("aria-rowcount")).toBe("1001");
    expect(await rows().count()).toBeLessThan(60);
    expect(await count()).toBe("1,000 runs");
    await page.locator(".rt-scroller").evaluate((one) => {
      one.scrollTop = one.scrollHeight;
    });
    await row(999).waitFor();
    expect(await row(999).getAttribute("aria-rowindex")).toBe("1001");
    expect(await rows().count()).toBeLessThan(60);
    const most = await fixture(({ host }) => Math.max(...host.windows.map(([, limit]) => limit)));
    expect(most).toBeLessThanOrEqual(300);
  });

  it("have no cell that sticks out of its row", async () => {
    await open();
    const [line, name] = await Promise.all([row(1).boundingBox(), row(1).locator(".rt-name").boundingBox()]);
    expect(name?.y).toBe(line?.y);
    expect(name?.height).toBe(line?.height);
  });

  it("cut what has no room with an ellipsis, and say it whole", async () => {
    await open("case=many", { width: 480 });
    const verdict = page
      .locator('.rt-cell[data-column="findings"] > .muted', { hasText: "but only 3" })
      .first();
    const look = (one: Element) => ({
      isCut: one.scrollWidth > one.clientWidth,
      overflow: getComputedStyle(one).textOverflow,
      isInside:
        one.getBoundingClientRect().right <= (one.parentElement?.getBoundingClientRect().right ?? 0) + 1,
    });
    expect(await verdict.evaluate(look)).toEqual({ isCut: true, overflow: "ellipsis", isInside: true });
    expect(await verdict.getAttribute("title")).toMatch(/but only 3 of 18 signatures could be looked for$/);
    expect(await filter().evaluate((one) => getComputedStyle(one).textOverflow)).toBe("ellipsis");
    const words = (await filter().getAttribute("placeholder")) ?? "";
    expect(words.length).toBeLessThan(45);
  });

  it("have a curve, figures, state and the worst finding", async () => {
    await open();
    expect(await cell(1, "spark:reward_mean").locator("svg").getAttribute("aria-label")).toContain(
      "reward_mean: last 0.5",
    );
    expect(await cell(1, "last:kl_mean").textContent()).toMatch(/^\s*0\.\d+\s*$/);
    await cell(1, "findings").getByTestId("finding").click();
    expect(await actions()).toEqual([{ action: "open", dir: await dir(1), finding: "f0" }]);
    // What a recording says is text, whatever it says.
    expect(await names()).toContain("<img src=x onerror=alert(1)>");
    expect(await page.locator(".rt img").count()).toBe(0);
    expect((await row(9).locator(".rt-bad").textContent()) ?? "").toContain("schema is newer");
  });

  it("keep the place and the selection when more is known, and over a reload", async () => {
    await open();
    await page.locator(".rt-scroller").evaluate((one) => {
      one.scrollTop = 26 * 400;
    });
    await row(405).click();
    const [own, before] = [await dir(405), await names()];
    await fixture(({ host }) => host.changed());
    await settled();
    expect(await names()).toEqual(before);
    await page.reload();
    await settled();
    await expect.poll(() => row(405).getAttribute("aria-selected")).toBe("true");
    expect(await page.locator(".rt-scroller").evaluate((one) => one.scrollTop)).toBe(26 * 400);
    // Newer runs come before it: keys move on from the same run.
    await fixture(({ host }) => {
      host.runs = [...host.runs.slice(500), ...host.runs.slice(0, 500)];
      host.changed();
    });
    await expect.poll(() => fixture(({ session }) => session.place)).toBe(905);
    expect(await fixture(({ session }) => session.selected)).toEqual([own]);
  });
});

describe("sorting", () => {
  it("by a click on a head: from the top, from the bottom, as before", async () => {
    await open();
    const first = await names();
    await page.locator(".rt-scroller").evaluate((one) => {
      one.scrollTop = 26 * 300;
    });
    await row(300).waitFor();
    const highest = async () => Number(await cell(0, "last:reward_mean").textContent());
    const sort = (): Promise<string | null> => head("last:reward_mean").getAttribute("aria-sort");
    await head("last:reward_mean").getByRole("button").click();
    await expect.poll(highest).toBeGreaterThan(1.55);
    expect(await sort()).toBe("descending");
    await head("last:reward_mean").getByRole("button").click();
    await expect.poll(highest).toBeLessThan(-0.35);
    expect(await sort()).toBe("ascending");
    await head("last:reward_mean").getByRole("button").click();
    await expect.poll(names).toEqual(first);
    expect(await sort()).toBe("none");
  });

  it("by keyboard, from the rows up into the head", async () => {
    await open();
    await row(0).focus();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await expect.poll(() => head("findings").getAttribute("aria-sort")).toBe("descending");
    await expect.poll(() => row(0).locator(".rt-more").textContent()).toMatch(/^\+[234]$/);
    await page.keyboard.press("ArrowDown");
    expect(await page.evaluate(() => document.activeElement?.getAttribute("data-place"))).toBe("0");
  });
});

describe("the filter", () => {
  it("narrows the table, says how many are left, and offers all again", async () => {
    await open();
    await filter().fill("baseline state:crashed");
    await expect.poll(count).toMatch(/^\d+ of 1,000 runs$/);
    await settled();
    expect(await names()).toEqual(expect.arrayContaining([expect.stringContaining("baseline")]));
    expect(await page.locator('[data-state="crashed"]').count()).toBe(await rows().count());
    await filter().fill("nothing is called so");
    await page.getByTestId("empty-state").getByRole("button", { name: "Show all runs" }).click();
    await expect.poll(count).toBe("1,000 runs");
  });

  it("is completed from a list", async () => {
    await open();
    await filter().focus();
    await page.keyboard.type("sta");
    await page.getByRole("option").nth(1).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    const at = (await filter().getAttribute("aria-activedescendant")) ?? "";
    expect(await page.locator(`#${at}`).textContent()).toContain("state:finished");
    await page.keyboard.press("Enter");
    expect(await filter().inputValue()).toBe("state:finished");
    await expect.poll(count).toMatch(/ of 1,000/);
    await filter().press("Backspace");
    await page.getByRole("option", { name: /state:finished/ }).waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("option").count()).toBe(0);
    expect(await filter().inputValue()).toBe("state:finishe");
    await page.keyboard.press("Escape");
    await expect.poll(count).toBe("1,000 runs");
    expect(await page.getByRole("option").count()).toBe(0);
    await page.keyboard.press("ArrowDown");
    await page.getByRole("option", { name: /^name:/ }).waitFor();
  });

  it("shows what is wrong where it stands", async () => {
    await open();
    await filter().fill("hot bad:x wide");
    await expect
      .poll(() => page.getByTestId("filter-problem").textContent())
      .toContain("Character 5: There is no key “bad”.");
    expect(await page.getByTestId("filter-problem").locator("mark").textContent()).toBe("bad:x");
    expect(await filter().getAttribute("aria-invalid")).toBe("true");
  });
});

describe("selecting", () => {
  it("as lists do it: one, one more, a range, all, none", async () => {
    await open();
    const compare = page.getByRole("button", { name: /^Compare/ });
    await cell(2, "steps").click();
    expect(await page.locator('fd-button[label="Compare"]').getAttribute("disabled")).toBe("");
    await cell(4, "steps").click({ modifiers: ["Control"] });
    await row(6).locator(".rt-tick").click();
    const chosen = [await dir(2), await dir(4), await dir(6)];
    await compare.click();
    expect(await actions()).toEqual([{ action: "compare", dirs: chosen }]);
    await cell(10, "steps").click({ modifiers: ["Shift"] });
    await expect.poll(() => page.getByTestId("selected-count").textContent()).toBe("5 selected");
    await page.keyboard.press("Control+a");
    await expect.poll(() => page.getByTestId("selected-count").textContent()).toBe("1,000 selected");
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByTestId("selected-count").textContent()).toBe("");
  });

  it("by keyboard: moves, marks, marks on, opens, goes to the findings", async () => {
    await open();
    await row(0).focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press(" ");
    await page.keyboard.press("Shift+ArrowDown");
    await expect.poll(() => page.getByTestId("selected-count").textContent()).toBe("2 selected");
    expect(await fixture(({ session }) => session.selected)).toEqual([await dir(1), await dir(2)]);
    await page.keyboard.press("ArrowUp");
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("data-place")))
      .toBe("1");
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    expect(await actions()).toEqual([
      { action: "open", dir: await dir(1) },
      { action: "open", dir: await dir(1), finding: "f0" },
    ]);
    await page.keyboard.press("Escape");
    await page.keyboard.press("End");
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("data-place")))
      .toBe("999");
  });

  it("hands over what is selected", async () => {
    await open();
    await cell(3, "steps").click();
    await page.getByRole("button", { name: "Diagnose" }).click();
    await page.getByRole("button", { name: "Copy Path" }).click();
    await page.getByRole("button", { name: "Open", exact: true }).click();
    const own = await dir(3);
    expect(await actions()).toEqual([
      { action: "diagnose", dirs: [own] },
      { action: "copyPath", dirs: [own] },
      { action: "open", dir: own },
    ]);
  });
});

describe("columns", () => {
  it("are chosen, kept, and reset; what is shown is exported", async () => {
    await open();
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("searchbox", { name: "Find metrics" }).fill("entr");
    await page.getByRole("checkbox", { name: "entropy: max" }).check();
    await head("max:entropy").waitFor();
    await page.getByRole("checkbox", { name: "State" }).uncheck();
    await expect.poll(() => head("state").count()).toBe(0);
    await page.getByRole("checkbox", { name: /trainer_config\.constructor/ }).check();
    await head("config:trainer_config.constructor").waitFor();
    const kept = await fixture(({ host }) => host.prefs?.columns ?? []);
    expect(kept).toContain("max:entropy");
    expect(kept).not.toContain("state");
    await page.getByRole("button", { name: "Export CSV…" }).click();
    expect(await actions()).toEqual([{ action: "csv", query: { filter: "", sort: null, columns: kept } }]);
    await page.getByRole("button", { name: "Reset Columns" }).click();
    await head("state").waitFor();
    expect(await head("max:entropy").count()).toBe(0);
  });

  it("are moved by keyboard", async () => {
    await open();
    await head("state").getByRole("button").focus();
    await page.keyboard.press("Alt+ArrowRight");
    await expect
      .poll(() => page.locator(".rt-head [data-column]").nth(2).getAttribute("data-column"))
      .toBe("state");
  });
});

describe("states", () => {
  it("no runs, a reader that was lost, and figures that are still to be read", async () => {
    await open("case=none");
    expect(await page.getByTestId("empty-state").textContent()).toContain("No runs in this workspace");
    await fixture(({ host, session }) => {
      host.isFailing = true;
      void session.start();
    });
    await page.getByTestId("refused-state").waitFor();
    await fixture(({ host }) => {
      host.isFailing = false;
      host.actions.length = 0;
    });
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByTestId("empty-state").waitFor();
  });

  it("says how many are still to be read", async () => {
    await open("case=some");
    await fixture(({ host }) => {
      host.read = 10;
      host.changed();
    });
    await expect.poll(count).toBe("30 runs · 20 still to be read");
    expect(await cell(20, "spark:reward_mean").locator("svg").count()).toBe(0);
  });
});

describe("accessibility", () => {
  const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
  const violations = async (): Promise<string[]> =>
    page.evaluate(async () => {
      type Axe = { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
      const found = await (window as unknown as { axe: Axe }).axe.run();
      return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
    });

  it.each(["dark", "light", "hc-dark", "hc-light"])(
    "nothing to find for axe in %s, at both widths",
    async (theme) => {
      for (const width of [1280, 800]) {
        await open(`case=many&theme=${theme}`, { width });
        await page.evaluate(await readFile(axe, "utf8"));
        await cell(2, "state").click();
        expect(await violations()).toEqual([]);
        await page.getByRole("button", { name: "Columns" }).click();
        await page.getByRole("checkbox", { name: "entropy: max" }).waitFor();
        await filter().fill("state:");
        await page.getByRole("option").first().waitFor();
        expect(await violations()).toEqual([]);
        if (width === 1280) await page.context().close();
      }
    },
  );
});
