/** The table of runs in a real VS Code: listed, sorted, filtered, opened at a finding, compared, and there again after a reload. */
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Frame, Locator } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Theme, Workbench } from "./harness.ts";

const oracle = path.resolve(import.meta.dirname, "../fixtures/oracle");
const TITLE = "Table of Runs";

let folder = "";
let workbench: Workbench;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "fd-table-"));
  const copy = (from: string, to: string) =>
    cp(path.join(oracle, from), path.join(folder, to), { recursive: true });
  await copy("synthetic/recordings/healthy-grpo", "healthy");
  await copy("synthetic/recordings/kl-blowup", "deep/er/blowup");
  await copy("trl/recordings/grpo-baseline", "baseline");
  await copy("trl/recordings/grpo-length-hack", "length-hack");
  workbench = await Workbench.open({ folder });
});
afterAll(async () => {
  await workbench?.close();
  await rm(folder, { recursive: true, force: true });
});
afterEach(() => expect(workbench.problems()).toEqual([]));

async function table(): Promise<Frame> {
  await workbench.runCommand("Flight Deck: Show Table of Runs");
  return workbench.webview(TITLE);
}
const rows = (page: Frame): Locator => page.getByTestId("runs-row");
const row = (page: Frame, name: string): Locator =>
  rows(page).filter({ hasText: new RegExp(`^\\s*${name}`) });
const names = async (page: Frame): Promise<string[]> => {
  const all = await rows(page).evaluateAll((found) =>
    found.map((one) => [
      Number(one.getAttribute("data-place")),
      one.querySelector(".rt-name .link")?.textContent ?? "",
    ]),
  );
  return all.toSorted(([a], [b]) => Number(a) - Number(b)).map(([, name]) => String(name));
};
const cell = (page: Frame, name: string, column: string): Locator =>
  row(page, name).locator(`[data-column="${column}"]`);
const number = async (page: Frame, name: string, column: string): Promise<number> =>
  Number((await cell(page, name, column).textContent())?.trim() || Number.NaN);
const ALL = ["baseline", "blowup", "healthy", "length-hack"];

test("runs of the workspace are listed with figures, curves and findings", async () => {
  const page = await table();
  await expect.poll(async () => (await names(page)).toSorted()).toEqual(ALL);
  // What rlprobe's own reading of it has.
  await expect.poll(() => number(page, "baseline", "last:reward_mean")).toBeCloseTo(0.5029, 4);
  await expect
    .poll(() => cell(page, "blowup", "findings").getByTestId("finding").first().getAttribute("data-severity"))
    .toBe("critical");
  await expect.poll(() => cell(page, "baseline", "spark:reward_mean").locator("path").count()).toBe(1);
  await expect.poll(() => page.getByTestId("runs-count").textContent()).toBe("4 runs");
});

test.each(["dark", "light", "hc-dark", "hc-light"] as const)("as it looks in %s", async (theme: Theme) => {
  await workbench.setTheme(theme);
  await table();
  await workbench.screenshot(`runs-table-${theme}`);
});

test("a column sorts, a filter narrows, a metric more is chosen", async () => {
  await workbench.setTheme("dark");
  const page = await table();
  await page.locator('.rt-head [data-column="max:kl_mean"] button').click();
  await expect.poll(async () => (await names(page))[0]).toBe("blowup");
  const filter = page.getByRole("combobox", { name: "Filter runs" });
  await filter.fill("algoritm:grpo");
  await expect
    .poll(() => page.getByTestId("filter-problem").textContent())
    .toContain("There is no key “algoritm”; the nearest is “algorithm”.");
  await filter.fill("finding:any");
  await expect.poll(async () => (await names(page)).toSorted()).toEqual(["blowup", "length-hack"]);
  await filter.fill("");
  await page.getByRole("button", { name: "Columns", exact: true }).click();
  await page.getByRole("searchbox", { name: "Find metrics" }).fill("entropy");
  await page.getByRole("checkbox", { name: "entropy_mean: min" }).check();
  await expect.poll(() => number(page, "baseline", "min:entropy_mean")).toBeGreaterThan(0);
  await page.getByRole("button", { name: "Columns", exact: true }).click();
});

test("a reload of the window brings it back: order, selection and columns", async () => {
  const page = await table();
  await row(page, "healthy").locator(".rt-tick").click();
  await expect.poll(() => row(page, "healthy").getAttribute("aria-selected")).toBe("true");
  // Escape in the rows, which comes before the palette here, selects nothing.
  await page.locator("h1").click();
  await workbench.reloadWindow();
  const again = await workbench.webview(TITLE);
  await expect.poll(async () => (await names(again)).toSorted()).toEqual(ALL);
  await expect.poll(async () => (await names(again))[0]).toBe("blowup");
  await expect.poll(() => row(again, "healthy").getAttribute("aria-selected")).toBe("true");
  await expect.poll(() => number(again, "baseline", "min:entropy_mean")).toBeGreaterThan(0);
});

test("two that are selected are compared, the first one as the baseline", async () => {
  const page = await table();
  await cell(page, "healthy", "steps").click();
  await cell(page, "blowup", "steps").click({ modifiers: ["Control"] });
  await page.getByRole("button", { name: /^Compare 2 runs/ }).click();
  const compared = await workbench.webview("healthy ↔ blowup");
  await expect.poll(() => compared.getByTestId("diff-metric").count()).toBeGreaterThan(0);
});

test("a finding opens its run where it begins", async () => {
  const page = await table();
  await cell(page, "blowup", "findings").getByTestId("finding").first().click();
  const run = await workbench.webview("blowup");
  await run.locator('[data-testid="zoom-range"]').waitFor();
});

test("what is shown is saved as CSV where the user says", async () => {
  const page = await table();
  await page.getByRole("button", { name: "Export CSV…" }).click();
  const target = path.join(folder, "table.csv");
  await workbench.saveAs(target);
  await expect.poll(() => readFile(target, "utf8").catch(() => "")).toMatch(/\n$/);
  const text = await readFile(target, "utf8");
  const [head = "", ...lines] = text.trimEnd().split("\n");
  expect(head).toMatch(/^name,state,findings,steps,reward_mean last,.*,path$/);
  expect(lines).toHaveLength(4);
  expect(lines[0]).toMatch(/^blowup,/);
  expect(text).toContain("0.5029107332229614");
});
