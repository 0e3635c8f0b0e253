/**
 * axe on every panel as VS Code shows it, with VS Code's own colours. The pages alone, in all four themes and both widths, are in
 * test/unit/webview.
 */
import { cp, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Frame } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { Workbench } from "./harness.ts";

const oracle = path.resolve(import.meta.dirname, "../fixtures/oracle");
const axeFile = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const THEMES = ["dark", "hc-light"] as const;

let folder = "";
let axe = "";
let workbench: Workbench;

beforeAll(async () => {
  axe = await readFile(axeFile, "utf8");
  folder = await mkdtemp(path.join(tmpdir(), "fd-axe-"));
  const copy = (from: string, to: string) =>
    cp(path.join(oracle, from), path.join(folder, to), { recursive: true });
  await copy("trl/recordings/grpo-length-hack", "hack");
  await copy("trl/recordings/grpo-baseline", "baseline");
  await mkdir(path.join(folder, "nothing"));
  workbench = await Workbench.open({ folder });
});
afterEach(async () => {
  expect(workbench.problems()).toEqual([]);
  await workbench.closeAll();
});
afterAll(async () => {
  await workbench?.close();
  await rm(folder, { recursive: true, force: true });
});

/** What axe objects to, with the elements. */
async function faults(page: Frame): Promise<string[]> {
  await page.locator('#root[data-ready="true"]').waitFor();
  await page.evaluate(`${axe};0`);
  return page.evaluate(async () => {
    const { violations } = await Reflect.get(window, "axe").run(document, { resultTypes: ["violations"] });
    return violations.map(
      ({ id, nodes }: { id: string; nodes: { html: string }[] }) =>
        `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`,
    );
  });
}

/** In both themes, which change while the panel is open. */
async function isAccessible(page: Frame, what: string): Promise<void> {
  for (const theme of THEMES) {
    await workbench.setTheme(theme);
    await page.locator(theme === "dark" ? "body.vscode-dark" : "body.vscode-high-contrast-light").waitFor();
    // VS Code's colours come one after another: what is wrong for good stays wrong.
    await expect.poll(() => faults(page), { message: `${what} in ${theme}` }).toEqual([]);
  }
}

test("the run editor, each of its tabs", async () => {
  await workbench.contextMenu(["hack"], "Open Run");
  const page = await workbench.webview("hack");
  await page.locator('[data-testid="finding"]').first().waitFor();
  for (const tab of ["charts", "samples", "events", "configuration"]) {
    await page.getByTestId(`tab-${tab}`).click();
    await isAccessible(page, tab);
  }
});

test("a folder that holds no run", async () => {
  await workbench.contextMenu(["nothing"], "Open Run");
  const page = await workbench.webview("nothing");
  await page.getByTestId("empty-state").waitFor();
  await isAccessible(page, "nothing");
});

test("the table of runs", async () => {
  await workbench.runCommand("Flight Deck: Show Table of Runs");
  const page = await workbench.webview("Table of Runs");
  await page.getByTestId("runs-row").first().waitFor();
  await isAccessible(page, "table");
});

test("a comparison", async () => {
  await workbench.contextMenu(["baseline"], "Open Run");
  await workbench.webview("baseline");
  await workbench.runCommand("Flight Deck: Compare with Run…");
  const box = workbench.page.locator(".quick-input-widget:visible");
  await box
    .locator(".monaco-list-row")
    .filter({ has: workbench.page.locator(".label-name", { hasText: /^hack$/ }) })
    .first()
    .click();
  await box.locator(".quick-input-count", { hasText: "2" }).waitFor();
  await box.getByRole("button", { name: "OK" }).click();
  const page = await workbench.webview("baseline ↔ hack");
  await page.getByTestId("compare-lead").waitFor();
  await isAccessible(page, "comparison");
});
