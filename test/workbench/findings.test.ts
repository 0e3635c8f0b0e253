/** Findings in the run editor of a real VS Code: cards, evidence on the charts, samples, thresholds that are tried and written. */
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Frame, Locator } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { Workbench } from "./harness.ts";

const demo = path.resolve(import.meta.dirname, "../../media/demo/grpo-length-hack");
let folder = "";
let workbench: Workbench;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "fd-findings-"));
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

async function open(): Promise<Frame> {
  await workbench.contextMenu(["runs", "hack"], "Open Run");
  const page = await workbench.webview("hack");
  await card(page).waitFor();
  return page;
}

const CUT = "TRUNCATION_STARVE";
const card = (page: Frame): Locator => page.locator(`[data-testid="finding"][data-signature="${CUT}"]`);
const press = (page: Frame, name: RegExp) => card(page).getByRole("button", { name }).click();
const soon = <T>(ask: () => Promise<T> | T) => expect.poll(ask, { timeout: 20_000 });
const chart = (page: Frame): Locator => page.locator('[data-testid="chart"][data-metric="truncation_rate"]');

test("what the doctor finds stands beside the charts, and its evidence is drawn on them", async () => {
  const page = await open();
  expect(
    await page
      .getByTestId("finding")
      .evaluateAll((all) => all.map((one) => one.getAttribute("data-signature"))),
  ).toEqual(["REWARD_HACK_LENGTH", CUT]);
  await press(page, /Show evidence/);
  await page.getByTestId("zoom-range").waitFor();
  const line = chart(page).locator(".ev-threshold");
  await line.waitFor();
  expect(await line.textContent()).toBe("threshold 0.5");
  expect(await chart(page).locator(".ev-onset").count()).toBe(1);
  expect(await page.locator(".tl-mark.onset").count()).toBe(2);
  await workbench.screenshot("findings-evidence");
  await press(page, /Hide evidence/);
  await soon(() => line.count()).toBe(0);
});

test("evidence is there again after the window was reloaded", async () => {
  let page = await open();
  await press(page, /Show evidence/);
  await chart(page).locator(".ev-threshold").waitFor();
  await workbench.reloadWindow();
  page = await workbench.webview("hack");
  await chart(page).locator(".ev-threshold").waitFor();
});

test("the samples behind a finding are listed and open to their texts", async () => {
  const page = await open();
  await press(page, /Show samples/);
  const rows = card(page).getByTestId("sample-row");
  await soon(() => rows.count()).toBe(10);
  await rows.first().getByRole("button").first().click();
  const detail = rows.first().getByTestId("sample-detail");
  await detail.waitFor();
  expect(await detail.textContent()).toMatch(/Prompt[\s\S]*Completion/);
  await workbench.screenshot("findings-samples");
});

test("a finding goes and comes with its threshold, which is written to doctor.toml on request, never into the run", async () => {
  const page = await open();
  const before = await readdir(path.join(folder, "runs", "hack"));
  await press(page, /Adjust thresholds/);
  const slider = page.locator('input[data-param="threshold"]');
  await slider.fill("0.95");
  await soon(() => card(page).count()).toBe(0);
  await slider.fill("0.6");
  await soon(() => card(page).count()).toBe(1);
  await press(page, /Write to doctor.toml/);
  const dialog = workbench.page.locator(".monaco-dialog-box");
  await dialog.waitFor();
  expect(await dialog.textContent()).toContain("doctor.toml");
  expect(await readdir(folder)).toEqual(["runs"]);
  await dialog.getByRole("button", { name: "Write" }).click();
  const file = path.join(folder, "doctor.toml");
  await soon(() => readFile(file, "utf8").catch(() => "")).toBe("[truncation_starve]\nthreshold = 0.6\n");
  await soon(() => slider.inputValue()).toBe("0.6");
  await soon(() => card(page).getByRole("button", { name: "Write to doctor.toml…" }).isDisabled()).toBe(true);
  expect(await readdir(path.join(folder, "runs", "hack"))).toEqual(before);
});
