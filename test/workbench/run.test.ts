/** The run editor in a real VS Code: opened as a person opens it, looked at as a person looks. */
import { rm } from "node:fs/promises";
import type { Frame, Locator } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { CURRENT, FLOOR, Workbench } from "./harness.ts";
import { LONG, workspace } from "./runs.ts";

let folder = "";
let workbench: Workbench;

beforeAll(async () => {
  folder = await workspace();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const chart = (page: Frame, metric: string): Locator =>
  page.locator(`[data-testid="chart"][data-metric="${metric}"]`);

/** The chart scrolled into view and drawn. */
async function drawn(page: Frame, metric: string): Promise<Locator> {
  const one = chart(page, metric);
  await one.scrollIntoViewIfNeeded();
  await one.locator("[data-drawn]").or(one.locator("svg")).first().waitFor();
  return one;
}

/** The last value of a chart that has one line. */
async function last(page: Frame, metric: string): Promise<number> {
  const one = await drawn(page, metric);
  await expect.poll(() => one.getAttribute("data-last")).not.toBe(null);
  return Number(await one.getAttribute("data-last"));
}

async function opensBaseline(page: Frame): Promise<void> {
  expect(await page.locator('[data-testid="run-header"]').textContent()).toContain("250 steps");
  expect(await page.locator('[data-testid="run-state"]').textContent()).toBe("finished");
  // What rlprobe recorded of this run, read with pyarrow.
  expect(await last(page, "reward_mean")).toBeCloseTo(0.5029107332229614, 12);
  expect(await last(page, "kl_mean")).toBeCloseTo(0.05589964985847473, 12);
}

test("the oldest VS Code that is supported opens a real recording from the folder's menu", async () => {
  const oldest = await Workbench.open({ folder, version: FLOOR });
  await oldest.contextMenu(["baseline"], "Open Run");
  await opensBaseline(await oldest.webview("baseline"));
  expect(oldest.problems()).toEqual([]);
  await oldest.close();
});

describe(`VS Code ${CURRENT}`, () => {
  beforeAll(async () => {
    workbench = await Workbench.open({ folder });
  });
  afterAll(() => workbench.close());
  afterEach(async () => {
    expect(workbench.problems()).toEqual([]);
    await workbench.closeAll();
  });

  const open = async (name: string): Promise<Frame> => {
    await workbench.contextMenu([name], "Open Run");
    return workbench.webview(name);
  };

  test("a real recording opens from the folder's menu, with its charts and their last values", async () => {
    await opensBaseline(await open("baseline"));
  });

  test("and from the palette, by choosing a folder", async () => {
    await workbench.runCommand("Flight Deck: Open Run");
    await workbench.pick("Choose a Folder…");
    await workbench.chooseFolder(`${folder}/length-hack`);
    const page = await workbench.webview("length-hack");
    expect(await last(page, "reward_mean")).toBeGreaterThan(1);
  });

  test("a file inside a run opens its run", async () => {
    await workbench.contextMenu(["ranks", "rank-001", "events.jsonl"], "Open With...");
    await workbench.pick("Flight Deck Run");
    const page = await workbench.webview("events.jsonl");
    expect(await page.locator('[data-testid="run-header"]').textContent()).toContain("3 ranks");
  });

  test("among 100,000 steps a single spike, a NaN and an infinity are there to be seen", async () => {
    const page = await open("long");
    const one = await drawn(page, "grad_norm");
    await expect
      .poll(() => one.getAttribute("aria-label"))
      .toContain(`highest 1,000 at step ${LONG.spikeAt.toLocaleString("en-US")}`);
    expect(await one.textContent()).toContain("1 NaN");
    expect(await one.textContent()).toContain("1 +Inf");
    await one.getByRole("button", { name: /outside/ }).click();
    // The line itself: one segment reaches the top of the plot, at the spike's place.
    const top = () =>
      one.evaluate((element) => {
        const plot = element.querySelector(".plot")?.getBoundingClientRect();
        const boxes = [...element.querySelectorAll("svg path")].map((p) => p.getBoundingClientRect());
        const line = boxes.sort((a, b) => b.width - a.width)[0];
        return plot && line ? line.top - plot.top : Number.POSITIVE_INFINITY;
      });
    await expect.poll(top).toBeLessThan(20);
  });

  test("a run that was copied while it was recorded opens with its warning; all whole parts are there", async () => {
    const page = await open("live");
    const warning = page.locator('[data-testid="warning"][data-code="part-incomplete"]');
    await warning.waitFor({ state: "attached" });
    expect(await page.locator('[data-testid="run-header"]').textContent()).toContain("23 steps");
    expect(await last(page, "reward_mean")).toBeGreaterThan(0);
  });

  test("zoom, tab and scroll survive being hidden and a reload of the window", async () => {
    let page = await open("baseline");
    const plot = (await drawn(page, "reward_mean")).locator(".plot");
    await plot.focus();
    for (const key of [
      "End",
      "ArrowLeft",
      "ArrowLeft",
      "Shift+ArrowLeft",
      "Shift+ArrowLeft",
      "Shift+ArrowLeft",
      "Enter",
    ])
      await plot.press(key);
    const range = page.locator('[data-testid="zoom-range"]');
    await range.waitFor();
    const zoomed = await range.textContent();
    await page.locator('[data-testid="tab-configuration"]').click();
    await page.locator('[data-testid="config-row"]').first().waitFor();
    await page.locator('[data-scroller="configuration"]').evaluate((e) => e.scrollTo(0, 300));
    const scrolled = () => page.locator('[data-scroller="configuration"]').evaluate((e) => e.scrollTop);
    await expect.poll(scrolled).toBe(300);

    await workbench.openFile(["nothing", "note.txt"]);
    await workbench.tab("baseline").click();
    page = await workbench.webview("baseline");
    await expect.poll(scrolled).toBe(300);

    await workbench.reloadWindow();
    page = await workbench.webview("baseline");
    await expect.poll(scrolled).toBe(300);
    await page.locator('[data-testid="tab-charts"]').click();
    expect(await page.locator('[data-testid="zoom-range"]').textContent()).toBe(zoomed);
  });

  test("two runs, and two editors of one run, side by side", async () => {
    await open("baseline");
    await workbench.runCommand("View: Split Editor Right");
    const left = await workbench.webview("baseline", 0);
    const right = await workbench.webview("baseline", 1);
    expect(await last(left, "kl_mean")).toBe(await last(right, "kl_mean"));
    await right.locator('[data-testid="tab-events"]').click();
    await right.locator('[data-testid="event-row"]').first().waitFor();
    expect(await left.locator('[data-testid="event-row"]').count()).toBe(0);
    const other = await open("length-hack");
    expect(await last(other, "reward_mean")).not.toBe(await last(left, "reward_mean"));
  });

  test("events and configuration are there", async () => {
    const page = await open("baseline");
    await page.locator('[data-testid="tab-events"]').click();
    await expect.poll(() => page.locator('[data-testid="event-row"]').count()).toBe(7);
    await page.locator('[data-testid="tab-configuration"]').click();
    const row = page.locator('[data-testid="config-row"][data-path="learning_rate"]');
    expect(await row.textContent()).toContain("0.00005");
  });

  test("a folder that is no run, a refused run and steps without a manifest each say so, with a next step", async () => {
    const nothing = await open("nothing");
    await nothing.locator('[data-testid="empty-state"][data-code="not-a-run"]').waitFor();
    await nothing.getByRole("button", { name: "Open Demo Run" }).waitFor();
    const newer = await open("newer");
    const refused = newer.locator('[data-testid="refused-state"][data-code="newer-schema"]');
    await refused.waitFor();
    expect(await refused.textContent()).toContain("manifest.json");
    expect(await refused.textContent()).toContain("found 2; this version reads up to 1");
    const loose = await open("loose");
    await loose.getByRole("button", { name: /open/i }).first().click();
    await loose.locator('[data-testid="run-header"]').waitFor();
    expect(await last(loose, "reward_mean")).toBeCloseTo(0.5029107332229614, 12);
  });

  test("the demo run opens from the palette", async () => {
    await workbench.runCommand("Flight Deck: Open Demo Run");
    const page = await workbench.webview("grpo-length-hack");
    expect(await last(page, "reward_mean")).toBeGreaterThan(1);
  });
});
