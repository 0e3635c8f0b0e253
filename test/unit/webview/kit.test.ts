import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { PageBrowser } from "./browser.ts";

/** How many elements that can be seen say this: the list of a closed select cannot. */
const seen = (page: Page, text: string): Promise<number> =>
  page.locator("fd-select").getByText(text, { exact: true }).locator("visible=true").count();

const events = (page: Page): Promise<readonly string[]> => page.evaluate(() => window.kitPage?.events ?? []);

describe.each(["toolkit", "elements"] as const)("controls drawn by %s", (kit) => {
  let browser: PageBrowser;
  let page: Page;
  beforeAll(async () => {
    browser = await PageBrowser.start({ kit, entry: "webview/dev/kit.ts" });
  }, 120_000);
  afterAll(() => browser?.close());
  beforeEach(async () => {
    page = await browser.open();
    return () => page.context().close();
  });

  it("are that kit's", async () => {
    expect(await page.evaluate(() => window.kitPage?.kit)).toBe(kit);
  });

  it("a button has its role, name and click, by pointer and by keys", async () => {
    const button = page.getByRole("button", { name: "Plain", exact: true });
    await button.click();
    await button.focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Space");
    expect(await events(page)).toEqual(["plain", "plain", "plain"]);
  });

  it("a button may go by another name than what stands on it", async () => {
    await page.getByRole("button", { name: "More actions" }).click();
    expect(await events(page)).toEqual(["more"]);
  });

  it("a disabled button does nothing, and can be enabled again", async () => {
    await page.evaluate(() => window.kitPage?.set({ disabled: true }));
    const button = page.getByRole("button", { name: "Perhaps" });
    await expect.poll(() => button.isDisabled()).toBe(true);
    await button.click({ force: true });
    expect(await events(page)).toEqual([]);
    await page.evaluate(() => window.kitPage?.set({ disabled: false }));
    await button.click();
    expect(await events(page)).toEqual(["perhaps"]);
  });

  it("a select shows its value and changes it by pointer", async () => {
    const select = page.getByRole("combobox", { name: "Letter" });
    await expect.poll(() => seen(page, "Beta")).toBe(1);
    await select.click();
    await page.getByRole("option", { name: "Delta" }).click();
    await expect.poll(() => events(page)).toEqual(["select: d"]);
    // Until its list is closed both are seen.
    await expect.poll(() => seen(page, "Beta")).toBe(0);
    expect(await seen(page, "Delta")).toBe(1);
  });

  it("a select changes by keys", async () => {
    const select = page.getByRole("combobox", { name: "Letter" });
    await select.focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await events(page)).at(-1)).toBe("select: a");
  });

  it("a select follows a value set from outside, and says nothing of it", async () => {
    await page.evaluate(() => window.kitPage?.set({ select: "d" }));
    await expect.poll(() => seen(page, "Delta")).toBe(1);
    expect(await events(page)).toEqual([]);
  });

  it("a check box changes by pointer and by keys, and follows what is set", async () => {
    const box = page.getByRole("checkbox", { name: "Agreed" });
    await expect.poll(() => box.isChecked()).toBe(false);
    await page.getByText("Agreed").click();
    await expect.poll(() => box.isChecked()).toBe(true);
    await box.focus();
    await page.keyboard.press("Space");
    await expect.poll(() => box.isChecked()).toBe(false);
    expect(await events(page)).toEqual(["checked: true", "checked: false"]);
    await page.evaluate(() => window.kitPage?.set({ checked: true }));
    await expect.poll(() => box.isChecked()).toBe(true);
    expect(await events(page)).toHaveLength(2);
  });

  it("a text field reports every input, and follows what is set", async () => {
    const field = page.getByRole("textbox", { name: "Filter" });
    expect(await field.getAttribute("placeholder")).toBe("Type here");
    await field.pressSequentially("kl");
    expect(await events(page)).toEqual(["text: k", "text: kl"]);
    await page.evaluate(() => window.kitPage?.set({ text: "" }));
    await expect.poll(() => field.inputValue()).toBe("");
    expect(await events(page)).toHaveLength(2);
  });

  it("tabs show the active panel only", async () => {
    await expect.poll(() => page.getByText("first panel").isVisible()).toBe(true);
    expect(await page.getByText("second panel").isVisible()).toBe(false);
    await page.getByTestId("tab-two").click();
    await expect.poll(() => page.getByText("second panel").isVisible()).toBe(true);
    expect(await page.getByText("first panel").isVisible()).toBe(false);
    expect(await events(page)).toEqual(["tab: two"]);
  });

  it("tabs have roles and names, a count among them, and lead to their panels", async () => {
    const second = page.getByRole("tab", { name: "Second 7" });
    await second.click();
    await expect.poll(() => second.getAttribute("aria-selected")).toBe("true");
    expect(await page.getByRole("tab").count()).toBe(3);
    const panel = await second.getAttribute("aria-controls");
    expect(await page.locator(`[id="${panel}"]`).getAttribute("role")).toBe("tabpanel");
    await page.evaluate(() => window.kitPage?.set({ count: 1234 }));
    await expect.poll(() => page.getByRole("tab", { name: "Second 1,234" }).count()).toBe(1);
  });

  it("tabs are gone through by arrow keys", async () => {
    await page.getByTestId("tab-one").focus();
    await page.keyboard.press("ArrowRight");
    // One library follows the focus, the other waits for Enter: both ways are good practice.
    if ((await events(page)).length === 0) await page.keyboard.press("Enter");
    await expect.poll(() => events(page)).toEqual(["tab: two"]);
    await expect.poll(() => page.getByText("second panel").isVisible()).toBe(true);
  });

  it("tabs follow a change from outside", async () => {
    await page.evaluate(() => window.kitPage?.set({ tab: "three" }));
    await expect.poll(() => page.getByText("third panel").isVisible()).toBe(true);
    expect(await events(page)).toEqual([]);
  });

  it("a badge shows its text", async () => {
    expect(await page.locator('fd-badge[text="42"]').textContent()).toContain("42");
  });

  it("keep to the page's policy, and raise no error", async () => {
    await page.getByRole("combobox", { name: "Letter" }).click();
    expect(await page.evaluate(() => window.kitPage?.violations)).toEqual([]);
    expect(browser.errors).toEqual([]);
  });
});
