/** The tab of samples in a real VS Code on a real recording: brush, sort, fold out, filter, groups, prompts, and all of it again after a reload. */
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Frame, Locator } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { Workbench } from "./harness.ts";

const demo = path.resolve(import.meta.dirname, "../../media/demo/grpo-length-hack");
let folder = "";
let workbench: Workbench;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "fd-samples-"));
  await mkdir(path.join(folder, "runs"));
  await cp(demo, path.join(folder, "runs", "hack"), { recursive: true });
  workbench = await Workbench.open({ folder });
});
afterAll(async () => {
  await workbench?.close();
  await rm(folder, { recursive: true, force: true });
});
afterEach(async () => {
  expect(workbench.problems()).toEqual([]);
  await workbench.closeAll();
});

const soon = <T>(ask: () => Promise<T> | T) => expect.poll(ask, { timeout: 20_000 });
const rows = (page: Frame): Locator => page.locator(".sm-layer").getByTestId("sample-row");
const count = (page: Frame) => page.getByTestId("sample-count").textContent();
const names = (page: Frame) =>
  rows(page).evaluateAll((all) => all.map((one) => one.getAttribute("data-sample") ?? ""));
const stepsOf = async (page: Frame) => (await names(page)).map((name) => Number(name.split(":")[1]));
const numbers = async (page: Frame, column: string) =>
  (await rows(page).locator(`.sm-${column}`).allInnerTexts()).map((text) =>
    Number(text.trim().replace("−", "-").replace("+", "")),
  );
const view = (page: Frame, name: string) =>
  page.getByRole("group", { name: "Shown as" }).getByRole("button", { name }).click();

/** Sorts by a column, highest first; rows of the list before are clicked on no more. */
async function sortBy(page: Frame, column: string): Promise<void> {
  await page.locator(`[data-column="${column}"] button`).click();
  await soon(() => page.locator(`[data-column="${column}"]`).getAttribute("aria-sort")).toBe("descending");
  await soon(() => page.locator(".sm-scroller").getAttribute("aria-busy")).toBe("false");
}

async function open(): Promise<Frame> {
  await workbench.contextMenu(["runs", "hack"], "Open Run");
  const page = await workbench.webview("hack");
  await page.getByTestId("tab-samples").click();
  await rows(page).first().waitFor();
  // Figures come before texts.
  await soon(() => rows(page).locator('.sm-text[aria-busy="true"]').count()).toBe(0);
  return page;
}

/** Marks a stretch of the run on the timeline. */
async function brush(page: Frame, from: number, to: number): Promise<void> {
  const strip = await page.locator(".tl-strip").boundingBox();
  if (!strip) throw new Error("no timeline");
  const { mouse } = workbench.page;
  await mouse.move(strip.x + strip.width * from, strip.y + 16);
  await mouse.down();
  await mouse.move(strip.x + strip.width * to, strip.y + 16, { steps: 6 });
  await mouse.up();
}

test("samples follow the timeline, are sorted, folded out and filtered by a bin of their rewards", async () => {
  const page = await open();
  await soon(() => count(page)).toBe("2,008 samples");
  await brush(page, 0.4, 0.6);
  await soon(async () => Math.min(...(await stepsOf(page)))).toBeGreaterThan(90);
  const [first = 0, last = 0] = [Math.min(...(await stepsOf(page))), Math.max(...(await stepsOf(page)))];
  expect(last - first).toBeLessThan(60);
  await sortBy(page, "reward");
  await soon(async () => (await numbers(page, "reward")).length).toBeGreaterThan(8);
  const isSorted = async (): Promise<boolean> => {
    const rewards = await numbers(page, "reward");
    return rewards.every((reward, i) => i === 0 || reward <= (rewards[i - 1] ?? 0));
  };
  await soon(isSorted).toBe(true);
  await rows(page).nth(1).click();
  const detail = page.getByTestId("sample-detail");
  await detail.waitFor();
  expect(await detail.textContent()).toMatch(/Prompt[\s\S]*Completion[\s\S]*reward[\s\S]*in its group/);
  await workbench.screenshot("samples-detail");
  await rows(page).nth(1).click();
  await soon(() => detail.count()).toBe(0);
  const bin = page.locator('[data-testid="reward-bin"]').filter({ has: page.locator("i") });
  const labels = await bin.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label") ?? ""));
  const full = labels.findIndex((label) => !/: 0 samples$/.test(label));
  const held = labels[full]?.match(/: ([\d,]+ samples?)$/)?.[1];
  await bin.nth(full).click();
  await soon(() => count(page)).toBe(held);
  await page.getByRole("button", { name: /^Remove filter reward/ }).click();
  await soon(() => count(page)).not.toBe(held);
});

test("groups stand side by side, prompts are followed over the run", async () => {
  const page = await open();
  await view(page, "Groups");
  const group = page.getByTestId("group");
  await group.first().waitFor();
  expect(await group.first().getByTestId("sample-row").count()).toBeGreaterThan(1);
  expect(await page.getByTestId("groups-count").textContent()).toMatch(
    /^[\d,]+ groups, [\d,]+ without variance$/,
  );
  await workbench.screenshot("samples-groups");
  await view(page, "Prompts");
  const prompt = page.getByTestId("prompt-row");
  await prompt.first().waitFor();
  expect(await page.getByTestId("prompts-count").textContent()).toContain("told apart by their text");
  await prompt.first().click();
  const sides = page.getByTestId("prompt-detail").locator("[data-side] .sm-box");
  await soon(async () => (await sides.allTextContents()).filter((text) => text.trim() !== "").length).toBe(2);
  await workbench.screenshot("samples-prompts");
});

test("a text is found, and the same samples are there after the window was reloaded", async () => {
  let page = await open();
  const word = (await rows(page).first().locator(".sm-text").textContent())?.match(/[a-z]{5,}/)?.[0] ?? "";
  await page.getByRole("searchbox").fill(word);
  await soon(() => rows(page).locator("mark").count()).toBeGreaterThan(0);
  await soon(() => page.getByTestId("search-state").textContent()).toMatch(/^[\d,]+ hits?$/);
  await sortBy(page, "advantage");
  await soon(async () => (await numbers(page, "advantage"))[0]).toBeGreaterThan(0);
  await rows(page).nth(3).click();
  await page.getByTestId("sample-detail").waitFor();
  const before = { names: (await names(page)).slice(0, 5), count: await count(page) };
  // The palette begins with Escape, which would fold the row in.
  await page.locator('[data-column="advantage"] button').focus();
  await workbench.reloadWindow();
  page = await workbench.webview("hack");
  await page.getByTestId("sample-detail").waitFor();
  await soon(() => count(page)).toBe(before.count);
  await soon(async () => (await names(page)).slice(0, 5)).toEqual(before.names);
  expect(await page.getByRole("searchbox").inputValue()).toBe(word);
});

/** Presses Tab until what is sought has the focus: a page that keys cannot cross fails here. */
async function tabTo(page: Frame, what: string, isThere: (element: Element) => boolean): Promise<void> {
  for (let presses = 0; presses < 120; presses++) {
    const focus = await page.evaluateHandle(() => document.activeElement ?? document.body);
    const found = await focus.evaluate(isThere);
    if (found) return;
    await workbench.page.keyboard.press("Tab");
  }
  throw new Error(`${what} was not reached by Tab`);
}

test("from a finding to its samples, a document, a diff with the best of the group and back, by keys alone", async () => {
  const { keyboard } = workbench.page;
  await workbench.contextMenu(["runs", "hack"], "Open Run");
  let page = await workbench.webview("hack");
  await page.getByTestId("finding").first().waitFor();
  await page.locator("body").press("Home");
  await tabTo(page, "Show samples", (one) => one.textContent?.trim() === "Show samples");
  await keyboard.press("Enter");
  await page.getByRole("button", { name: /^Show all in Samples/ }).waitFor();
  await tabTo(page, "Show all in Samples", (one) => one.textContent?.trim() === "Show all in Samples");
  await keyboard.press("Enter");
  await rows(page).first().waitFor();
  await tabTo(page, "a row of the table", (one) => one.matches('[data-testid="sample-row"]'));
  // The lowest reward: not the best of its group.
  await keyboard.press("End");
  await page.locator('[data-testid="sample-row"][aria-rowindex="401"]:focus').waitFor();
  await keyboard.press("Enter");
  await page.getByTestId("sample-detail").waitFor();
  const [name = ""] = await page
    .locator('[data-testid="sample-row"]:focus')
    .evaluateAll((all) => all.map((one) => one.getAttribute("data-sample") ?? ""));
  await keyboard.press("Control+Enter");
  const id = name.split(":").slice(2).join(":");
  await workbench.page.locator(".tab.active", { hasText: id }).waitFor();
  await workbench.page.locator(".editor-instance .monaco-editor .view-line").first().waitFor();
  await workbench.runCommand("Flight Deck: Compare with Best of Group");
  await workbench.page.locator(".tab.active", { hasText: "↔" }).waitFor();
  await workbench.runCommand("View: Close Editor");
  await workbench.runCommand("Flight Deck: Show Sample in Run");
  page = await workbench.webview("hack");
  await page.getByTestId("sample-detail").waitFor();
  await soon(() =>
    page.locator('[data-testid="sample-row"][aria-expanded="true"]').getAttribute("data-sample"),
  ).toBe(name);
});
