/**
 * Hostile text in a real VS Code: in its own lists, trees, titles, notifications and markers, and on the three pages under its own policy.
 * It acts in no way: no dialog, no window, no request, no command, nothing refused by a policy; and it stands there as text.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Frame, Locator } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { itemText } from "../../src/view/native.ts";
import { visibleLabel } from "../../src/view/visible.ts";
import { visibleText } from "../../webview/text/visible.ts";
import { FOLDERS, PAYLOADS } from "../helpers/hostile.ts";
import { writeHostileRuns } from "../helpers/hostile-run.ts";
import { Workbench } from "./harness.ts";

let folder = "";
let workbench: Workbench;
const effects: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "fd-hostile-"));
  writeHostileRuns(folder);
  workbench = await Workbench.open({ folder });
  const { page } = workbench;
  page.on("dialog", async (dialog) => {
    effects.push(`dialog ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.context().on("page", (other) => effects.push(`window ${other.url()}`));
  page.on("request", (request) => {
    if (request.url().includes("hostile.invalid")) effects.push(`request ${request.url()}`);
  });
  page.on("framenavigated", (frame) => {
    if (/hostile|javascript:|data:text/.test(frame.url())) effects.push(`frame ${frame.url()}`);
  });
});
afterAll(async () => {
  await workbench?.close();
  await rm(folder, { recursive: true, force: true });
});

afterEach(async () => {
  const { page } = workbench;
  for (const frame of page.frames()) {
    const pwned = await frame.evaluate(() => "pwned" in globalThis).catch(() => false);
    if (pwned) effects.push(`a text ran in ${frame.url()}`);
  }
  expect(effects.splice(0)).toEqual([]);
  expect(workbench.problems()).toEqual([]);
  expect(await page.locator(".monaco-dialog-box").count()).toBe(0);
  expect(await page.locator(".terminal-wrapper").count()).toBe(0);
  await page.keyboard.press("Escape");
  await workbench.closeAll();
  await workbench.runCommand("View: Show Explorer");
});

/** A folder whose name begins with a dot is left out of lists. */
const FOUND = 2 + FOLDERS.filter(({ text }) => !text.startsWith(".")).length;

const soon = <T>(ask: () => Promise<T> | T) => expect.poll(ask);
const squeeze = (text: string): string => text.replace(/\s+|<LF>|<CR>|<TAB>/g, "");
/** Where a line has no room for more, this many characters of a text are looked for. */
const START = 30;
const lackingIn = async (page: Frame, selector: string): Promise<string[]> => {
  const all = squeeze((await page.locator(selector).allTextContents()).join("\n"));
  return PAYLOADS.filter(({ text }) => !all.includes(squeeze(visibleText(text.slice(0, START))))).map(
    ({ id }) => id,
  );
};
/** VS Code draws spaces as no-break ones. */
const plain = (text: string): string => text.replaceAll("\u00a0", " ");

test("the run editor shows it in every tab", async () => {
  await workbench.contextMenu(["a"], "Open Run");
  const page = await workbench.webview("a");
  await soon(() => lackingIn(page, "fd-charts")).toEqual([]);
  for (const [tab, selector] of [
    ["samples", "[data-testid=sample-row]"],
    ["events", "[data-testid=event-row]"],
    ["configuration", "[data-testid=config-row]"],
    ["records", "[data-testid=record-row]"],
  ] as const) {
    await page.getByTestId(`tab-${tab}`).click();
    await page.locator(selector).first().waitFor();
    if (tab !== "samples") await soon(() => lackingIn(page, selector)).toEqual([]);
    await page.locator(selector).first().hover();
    await workbench.screenshot(`hostile-${tab}`);
  }
});

test("the compare editor and the table of runs show it", async () => {
  await workbench.contextMenu(["a"], "Compare Runs…", [["b"]]);
  const compare = await workbench.webview("a ↔ b");
  await soon(() => lackingIn(compare, "[data-testid=diff-metric]")).toEqual([]);
  await workbench.screenshot("hostile-compare");
  await workbench.runCommand("Flight Deck: Show Table of Runs");
  const table = await workbench.webview("Table of Runs");
  await soon(() => table.getByTestId("runs-row").count()).toBeGreaterThan(10);
  await soon(() => table.getByTestId("runs-count").textContent()).toContain(`${FOUND} runs`);
  await workbench.screenshot("hostile-table");
});

const pane = (): Locator => workbench.page.locator('.pane:has(.pane-header[aria-label^="Runs"])');

test("the Runs view has it in labels and below runs, without icons and line ends", async () => {
  const { page } = workbench;
  await page.locator('.activitybar .action-label[aria-label^="Flight Deck"]').first().click();
  const rows = pane().locator(".monaco-list-row");
  await rows.nth(8).waitFor();
  const filter = async (text: string): Promise<void> => {
    await workbench.runCommand("Flight Deck: Filter Runs…");
    const input = page.locator(".quick-input-widget:visible .quick-input-filter input");
    await input.fill(text);
    await page
      .locator(".quick-input-list .monaco-list-row.focused", { hasText: /Apply|Show all runs/ })
      .waitFor();
    await input.press("Enter");
  };
  for (const id of ["hs04", "hs22", "hs40", "hs41", "hs48", "hs53", "hs56", "__proto__"]) {
    const name = FOLDERS.find((each) => each.id === id)?.text ?? expect.fail(id);
    await filter(`name:*${id}*`);
    const label = rows.locator(".label-name").first();
    await soon(async () => plain((await label.textContent()) ?? "")).toBe(visibleLabel(name, 120));
    expect(await rows.locator(".monaco-icon-label-container .codicon").count()).toBe(0);
    await label.hover();
  }
  await workbench.screenshot("hostile-tree");
  await workbench.runCommand("Flight Deck: Clear Filter of Runs");
});

/** Labels and descriptions of the list that is shown. */
const entries = async (part: "label-name" | "label-description"): Promise<string[]> =>
  (await workbench.page.locator(`.quick-input-list .monaco-list-row .${part}`).allTextContents()).map(plain);
const drawn = (): Promise<number> =>
  workbench.page.locator(".quick-input-list .monaco-icon-label .label-name .codicon").count();

test("lists to choose from draw no icon and follow no link", async () => {
  const { page } = workbench;
  const input = page.locator(".quick-input-widget:visible .quick-input-filter input");
  await workbench.runCommand("Flight Deck: Open Run");
  for (const id of ["hs40", "hs22"]) {
    const name = FOLDERS.find((each) => each.id === id)?.text ?? "";
    await input.fill(id);
    // What keeps an icon from being drawn is not seen.
    const seen = itemText(name, 120).replaceAll("\\$(", "$(");
    await soon(() => entries("label-name")).toContain(seen);
    // The one of ours, where it is listed.
    expect(await drawn()).toBeLessThanOrEqual(1);
    await workbench.screenshot(`hostile-pick-${id}`);
  }
  await page.keyboard.press("Escape");
  await workbench.contextMenu(["a"], "Open Run");
  await workbench.webview("a");
  await workbench.runCommand("Flight Deck: Open Sample…");
  await input.fill("hs40");
  await soon(async () => (await entries("label-description")).join("\n")).toContain(
    "$(error) $(loading~spin)",
  );
  expect(await drawn()).toBe(0);
  await workbench.screenshot("hostile-pick-sample");
  await page.keyboard.press("Escape");
});

/** Elements that a text has brought to the rendered page that holds some words; `null` while there is none. */
async function rendered(words: string): Promise<string[] | null> {
  for (const frame of workbench.page.frames()) {
    if (
      (await frame
        .getByText(words)
        .count()
        .catch(() => 0)) === 0
    )
      continue;
    const own = 'a:not([href*="signatures"]):not([href^="flightdeck"]):not([href^="#"])';
    const found = frame.locator(`.markdown-body :is(${own}, img, script, iframe, form, svg, style)`);
    if ((await frame.locator(".markdown-body").count()) > 0)
      return found.evaluateAll((all) => all.map((one) => one.outerHTML.slice(0, 200)));
  }
  return null;
}

test("a diagnosis has it in its list, in Problems, in a notification and in its document", async () => {
  const { page } = workbench;
  await workbench.contextMenu(["a"], "Diagnose Run");
  await soon(() => entries("label-name")).toContain("KL blow-up");
  await workbench.screenshot("hostile-diagnosis");
  expect(await drawn()).toBe(0);
  await workbench.pick("Show in Problems");
  const problems = page.locator(".markers-panel");
  await soon(async () => plain((await problems.textContent()) ?? "")).toContain("<img src=x onerror=");
  expect(await problems.locator("img, script").count()).toBe(0);
  await workbench.screenshot("hostile-problems");
  await workbench.runCommand("Flight Deck: Clear Findings from Problems");
  await workbench.contextMenu(["a"], "Diagnose Run");
  await workbench.pick("Open Findings as Document");
  const lines = page.locator(".editor-instance .monaco-editor .view-line");
  await soon(async () => plain((await lines.allTextContents()).join(""))).toContain("1 critical finding");
  expect(await page.locator(".editor-instance .detected-link").count()).toBe(0);
  await workbench.runCommand("Markdown: Open Preview");
  await soon(() => rendered("Format gaming")).not.toBe(null);
  expect(await rendered("Format gaming")).toEqual([]);
  await workbench.screenshot("hostile-findings");
});

test("a notification and the status bar have a name as it is", async () => {
  const { page } = workbench;
  const link = FOLDERS.find(({ id }) => id === "hs22")?.text ?? "";
  await workbench.runCommand("Flight Deck: Diagnose Run");
  const input = page.locator(".quick-input-widget:visible .quick-input-filter input");
  await input.fill("hs22");
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "[hs22]" }).first().click();
  await soon(() => entries("label-name")).toContain("Show in Problems");
  await workbench.pick("Show in Problems");
  await soon(async () => (await workbench.notifications()).join("\n")).toContain(link.replace("](", "] ("));
  expect(
    await page
      .locator(".notification-toast a[href], .notification-toast-container .notification-list-item-message a")
      .count(),
  ).toBe(0);
  await workbench.screenshot("hostile-notification");
  await workbench.runCommand("Notifications: Clear All Notifications");
});
