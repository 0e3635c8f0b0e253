/** The Runs view in a real VS Code: what it finds, filters, marks and opens, and what it does when there is nothing. */
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Locator } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { CURRENT, FLOOR, type Theme, Workbench } from "./harness.ts";
import { workspace } from "./runs.ts";

const demo = path.resolve(import.meta.dirname, "../../media/demo/grpo-length-hack");
let folder = "";

beforeAll(async () => {
  folder = await workspace();
  // However deep, and not where it is left out.
  await cp(demo, path.join(folder, "deep/er/and/deeper/hack"), { recursive: true });
  await cp(demo, path.join(folder, "node_modules/package/hack"), { recursive: true });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const pane = (on: Workbench): Locator => on.page.locator('.pane:has(.pane-header[aria-label^="Runs"])');
const rows = (on: Workbench): Locator => pane(on).locator(".monaco-list-row");
const row = (on: Workbench, name: string): Locator =>
  rows(on).filter({ has: on.page.locator(".label-name", { hasText: new RegExp(`^${name}$`) }) });
const names = (on: Workbench): Promise<string[]> => rows(on).locator(".label-name").allTextContents();
const aloud = async (on: Workbench, name: string): Promise<string> =>
  (await row(on, name).first().getAttribute("aria-label")) ?? "";

async function show(on: Workbench): Promise<void> {
  await on.page.locator('.activitybar .action-label[aria-label^="Flight Deck"]').first().click();
  await pane(on).waitFor();
}

async function filter(on: Workbench, text: string): Promise<void> {
  await on.runCommand("Flight Deck: Filter Runs…");
  const input = on.page.locator(".quick-input-widget:visible .quick-input-filter input");
  await input.fill(text);
  await on.page
    .locator(".quick-input-list .monaco-list-row.focused", { hasText: /Apply|Show all runs|nearest/ })
    .waitFor();
  await input.press("Enter");
}

/** By hand: VS Code shows where something can be dropped only once the pointer has moved there. */
async function drag(on: Workbench, from: Locator, to: Locator): Promise<void> {
  const middle = async (of: Locator): Promise<[number, number]> => {
    const box = await of.boundingBox();
    if (!box) throw new Error("Nothing to drag from or to.");
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  await on.page.mouse.move(...(await middle(from)));
  await on.page.mouse.down();
  await on.page.mouse.move(...(await middle(to)), { steps: 20 });
  await on.page
    .locator(".editor-group-overlay-indicator, .editor-group-overlay")
    .first()
    .waitFor({ state: "attached" });
  await on.page.mouse.move(...(await middle(to)), { steps: 3 });
  await on.page.mouse.up();
}

const FOUND = ["baseline", "hack", "length-hack", "live", "long", "loose", "newer", "ranks"];
const sorted = async (on: Workbench): Promise<string[]> => (await names(on)).toSorted();

test("the oldest VS Code that is supported shows the runs of the workspace", async () => {
  const oldest = await Workbench.open({ folder, version: FLOOR });
  await show(oldest);
  await expect.poll(() => sorted(oldest)).toEqual(FOUND);
  await expect.poll(() => aloud(oldest, "length-hack")).toContain("worst: Reward follows length");
  expect(oldest.problems()).toEqual([]);
  await oldest.close();
});

describe(`VS Code ${CURRENT}`, () => {
  let workbench: Workbench;
  beforeAll(async () => {
    // No file watcher: a network mount has none.
    workbench = await Workbench.open({ folder, settings: { "files.watcherExclude": { "**": true } } });
    await show(workbench);
  });
  afterAll(() => workbench.close());
  afterEach(() => expect(workbench.problems()).toEqual([]));

  test("runs are found however deep, with state, steps, last reward and worst finding, said aloud too", async () => {
    await expect.poll(() => sorted(workbench)).toEqual(FOUND);
    await expect
      .poll(() => aloud(workbench, "hack"))
      .toMatch(
        /^hack, finished, 250 steps, last reward [\d.]+, 2 warning findings, worst: Reward follows length/,
      );
    await expect
      .poll(() => row(workbench, "hack").textContent())
      .toMatch(/250 steps · [\d.]+ · Reward follows length \+1/);
    await expect.poll(() => aloud(workbench, "newer")).toContain("cannot be read");
    await expect.poll(() => aloud(workbench, "baseline")).toContain("no findings");
  });

  test.each(["dark", "light", "hc-dark"] as const)("as it looks in %s", async (theme: Theme) => {
    await workbench.setTheme(theme);
    await row(workbench, "hack").locator(".monaco-tl-twistie").click();
    await expect.poll(() => names(workbench)).toContain("Answers are cut off");
    await workbench.screenshot(`runs-view-${theme}`);
    await row(workbench, "hack").locator(".monaco-tl-twistie").click();
    await expect.poll(() => names(workbench)).not.toContain("Answers are cut off");
  });

  test("a filter narrows the list, is completed as it is written, and says what is wrong", async () => {
    await workbench.setTheme("dark");
    await filter(workbench, "finding:any");
    await expect.poll(() => sorted(workbench)).toContain("hack");
    await expect.poll(() => sorted(workbench)).not.toContain("baseline");
    await workbench.runCommand("Flight Deck: Filter Runs…");
    const input = workbench.page.locator(".quick-input-widget:visible .quick-input-filter input");
    await input.fill("state:fin");
    await workbench.screenshot("runs-filter");
    await input.press("Enter");
    await expect.poll(() => input.inputValue()).toBe("state:finished");
    await input.press("Enter");
    await expect.poll(() => sorted(workbench)).toContain("baseline");
    expect(await names(workbench)).not.toContain("live");
    await filter(workbench, "algoritm:grpo");
    await expect
      .poll(() => pane(workbench).textContent())
      .toContain("Filter, character 1: There is no key “algoritm”; the nearest is “algorithm”.");
    await filter(workbench, "steps>1000000000");
    await expect.poll(() => pane(workbench).textContent()).toContain("No run fits the filter.");
    await workbench.runCommand("Flight Deck: Clear Filter of Runs");
    await expect.poll(() => sorted(workbench)).toEqual(FOUND);
  });

  test("choosing a finding opens the run where it begins", async () => {
    await row(workbench, "hack").locator(".monaco-tl-twistie").click();
    await row(workbench, "Reward follows length").click();
    const page = await workbench.webview("hack");
    await page.locator('[data-testid="zoom-range"]').waitFor();
    await workbench.screenshot("runs-finding");
    await row(workbench, "hack").locator(".monaco-tl-twistie").click();
    await workbench.closeAll();
  });

  test("a run in an editor is revealed in the list", async () => {
    await row(workbench, "ranks").click();
    await workbench.webview("ranks");
    await row(workbench, "baseline").click();
    await workbench.webview("baseline");
    await workbench.tab("ranks").click();
    await workbench.runCommand("Flight Deck: Reveal in Runs View");
    await expect.poll(() => row(workbench, "ranks").getAttribute("aria-selected")).toBe("true");
    await expect.poll(() => names(workbench)).toContain("Ranks");
    await row(workbench, "ranks").locator(".monaco-tl-twistie").click();
    await workbench.closeAll();
  });

  test("selected runs are compared, the one that was clicked first", async () => {
    await row(workbench, "baseline").click({ modifiers: ["Control"] });
    await row(workbench, "length-hack").click({ modifiers: ["Control"] });
    const selected = rows(workbench)
      .and(workbench.page.locator('[aria-selected="true"]'))
      .locator(".label-name");
    for (const name of await selected.allTextContents())
      if (name !== "baseline" && name !== "length-hack")
        await row(workbench, name).click({ modifiers: ["Control"] });
    await expect
      .poll(async () => (await selected.allTextContents()).toSorted())
      .toEqual(["baseline", "length-hack"]);
    await row(workbench, "length-hack").click({ button: "right" });
    const item = workbench.page.locator(".monaco-menu .action-label", { hasText: "Compare Selected Runs" });
    await item.hover();
    // A menu ignores clicks in the first moments after it opens.
    await expect
      .poll(async () => {
        await item.click({ timeout: 1000 }).catch(() => {});
        return item.count();
      })
      .toBe(0);
    await workbench.page
      .locator('.tab[aria-label*="length-hack"][aria-label*="baseline"]')
      .first()
      .waitFor({ timeout: 60_000 });
    await workbench.closeAll();
  });

  test("a run is dragged into the editor area", async () => {
    await drag(workbench, row(workbench, "ranks"), workbench.page.locator(".editor-group-container").first());
    const page = await workbench.webview("ranks");
    await page.locator('[data-testid="run-header"]').waitFor();
    await expect.poll(() => workbench.page.locator(".editor-group-container .tab").count()).toBe(1);
    await workbench.closeAll();
  });

  test("run folders are marked in the Explorer", async () => {
    await workbench.runCommand("File: Focus on Files Explorer");
    const marked = workbench.page
      .locator('.explorer-folders-view .monaco-list-row[aria-label^="length-hack"] .label-name')
      .first();
    /** VS Code writes the letter by a style sheet. */
    const mark = () =>
      marked.evaluate((name) => {
        const around = [
          name,
          name.closest(".monaco-icon-label-container"),
          name.closest(".monaco-icon-label"),
        ];
        return around.map((e) => (e ? getComputedStyle(e, "::after").content : "")).join(" ");
      });
    await expect.poll(mark).toContain('"!"');
    await workbench.screenshot("runs-explorer");
    await workbench.setSettings({ "flightDeck.runs.decorations": false });
    await expect.poll(mark).not.toContain('"!"');
    await show(workbench);
  });

  test("a run that appears is listed, and one that is gone is not, though no file is watched", async () => {
    const later = path.join(folder, "later/run");
    await cp(demo, later, { recursive: true });
    await expect.poll(() => sorted(workbench), { timeout: 60_000 }).toContain("run");
    await rm(later, { recursive: true });
    await expect.poll(() => sorted(workbench), { timeout: 60_000 }).toEqual(FOUND);
  });
});

test("a workspace without runs says what to do; the first run appears there", async () => {
  const empty = await mkdtemp(path.join(tmpdir(), "fd-no-runs-"));
  await writeFile(path.join(empty, "manifest.json"), '{"name": "a web page"}');
  const workbench = await Workbench.open({ folder: empty });
  await show(workbench);
  await expect
    .poll(() => pane(workbench).textContent())
    .toContain("There are no recorded training runs in this workspace.");
  await workbench.screenshot("runs-welcome");
  expect(await pane(workbench).locator(".welcome-view .monaco-button").allTextContents()).toEqual([
    "Open Run…",
  ]);
  await pane(workbench).locator(".welcome-view a", { hasText: "demo run" }).click();
  await workbench.webview("grpo-length-hack");
  await mkdir(path.join(empty, "runs"));
  await cp(demo, path.join(empty, "runs/first"), { recursive: true });
  await expect.poll(() => names(workbench), { timeout: 60_000 }).toEqual(["first"]);
  expect(workbench.problems()).toEqual([]);
  await workbench.close();
  await rm(empty, { recursive: true, force: true });
});
