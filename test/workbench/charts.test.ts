/** Timeline and charts in a real VS Code, as a person uses them: by pointer, by keys alone, and in every theme. */
import { access, readFile, rm } from "node:fs/promises";
import path from "node:path";
import type { Frame, Locator } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { Workbench } from "./harness.ts";
import { LONG, workspace } from "./runs.ts";

let folder = "";
let workbench: Workbench;

beforeAll(async () => {
  folder = await workspace();
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

async function open(name: string): Promise<Frame> {
  await workbench.contextMenu([name], "Open Run");
  return workbench.webview(name);
}

const chart = (page: Frame, metric: string): Locator =>
  page.locator(`[data-testid="chart"][data-metric="${metric}"]`);
const zoomed = (page: Frame): Locator => page.locator('[data-testid="zoom-range"]');
const label = (page: Frame, metric: string) => () => chart(page, metric).getAttribute("aria-label");

/** Both ends as the header says them. */
async function shown(page: Frame): Promise<[number, number]> {
  const words = (await zoomed(page).textContent()) ?? "";
  const [from = "", to = ""] = /^steps ([\d,]+)–([\d,]+) of/.exec(words)?.slice(1) ?? [];
  return [from, to].map((text) => Number(text.replaceAll(",", ""))) as [number, number];
}

/** Drags over the timeline: shares of its width. */
async function brush(page: Frame, from: number, to: number): Promise<void> {
  const box = await page.locator(".tl-strip").boundingBox();
  if (!box) throw new Error("no timeline");
  const { mouse } = workbench.page;
  await mouse.move(box.x + from * box.width, box.y + 18);
  await mouse.down();
  await mouse.move(box.x + to * box.width, box.y + 18, { steps: 5 });
  await mouse.up();
  await zoomed(page).waitFor();
}

const choose = async (page: Frame, metric: string, item: string): Promise<void> => {
  await chart(page, metric).locator("button.more").click();
  await page.locator(`[role^="menuitem"]`, { hasText: item }).click();
};

test("what the brush marks is what charts, tables and events show", async () => {
  const page = await open("baseline");
  await page.locator('[data-testid="timeline"] .tl-mark').first().waitFor();
  await page.locator(".tl-density").waitFor();
  await brush(page, 0.5, 0.8);
  const [from, to] = await shown(page);
  expect(from).toBeGreaterThan(115);
  expect(to).toBeLessThan(210);
  for (const metric of ["reward_mean", "kl_mean"])
    await expect.poll(label(page, metric)).toContain(`step ${from} to step ${to}`);

  await choose(page, "reward_mean", "Table of Values");
  const rows = chart(page, "reward_mean").getByRole("rowheader");
  await expect.poll(async () => Number(await rows.first().textContent())).toBe(from);

  await page.locator('[data-testid="tab-events"]').click();
  await page.locator('[data-testid="events-range"]').waitFor();
  expect(await page.locator('[data-testid="events-range"]').textContent()).toContain(
    `in steps ${from}–${to} of `,
  );
  const steps = await page.locator('[data-testid="event-row"] td.num').allTextContents();
  for (const step of steps.map(Number)) {
    expect(step).toBeGreaterThanOrEqual(from);
    expect(step).toBeLessThanOrEqual(to);
  }
  await page.locator(".tl-strip").dblclick({ position: { x: 4, y: 18 } });
  await expect.poll(() => page.locator('[data-testid="event-row"]').count()).toBe(7);
});

test("a step that is clicked is shown in all charts, on the timeline and among the events", async () => {
  const page = await open("baseline");
  const plot = chart(page, "reward_mean").locator(".plot");
  await plot.locator("svg").waitFor();
  await plot.click({ position: { x: 180, y: 60 } });
  await page.locator(".readout", { hasText: "pinned step" }).waitFor();
  expect(await chart(page, "kl_mean").locator(".pin:visible").count()).toBe(1);
  expect(await page.locator(".tl-pin:visible").count()).toBe(1);
  await page.locator('[data-testid="tab-events"]').click();
  await page.locator('[data-testid="event-row"].picked').waitFor();
  await page.locator('[data-testid="tab-charts"]').click();
  await plot.focus();
  await plot.press("Escape");
  await expect.poll(() => page.locator(".tl-pin:visible").count()).toBe(0);
});

test("everything is reached and done by keys alone", async () => {
  const page = await open("baseline");
  await chart(page, "reward_mean").locator("svg").waitFor();
  await page.locator("h1").focus();
  const seen: string[] = [];
  const focused = () =>
    page.evaluate(() => {
      const at = document.activeElement;
      return `${at?.getAttribute("role") ?? at?.localName}: ${at?.getAttribute("aria-label") ?? at?.textContent?.trim()}`;
    });
  for (let i = 0; i < 40; i++) {
    await workbench.page.keyboard.press("Tab");
    seen.push(await focused());
    if (seen.at(-1)?.startsWith("slider: Crosshair")) break;
  }
  const order = [
    "slider: First step shown",
    "slider: Last step shown",
    "button: ",
    "tab: Charts",
    "slider: Crosshair",
  ];
  let place = -1;
  for (const stop of order) {
    const next = seen.findIndex((one, i) => i > place && one.startsWith(stop));
    expect(next, `${stop} after the one before it, in ${seen.join(" | ")}`).toBeGreaterThan(place);
    place = next;
  }
  const start = page.getByRole("slider", { name: "First step shown" });
  await start.focus();
  for (const key of ["PageUp", "PageUp", "ArrowRight"]) await workbench.page.keyboard.press(key);
  await expect.poll(() => shown(page)).toEqual([52, 250]);
  await expect.poll(label(page, "reward_mean")).toContain("step 52 to step 250");
  const more = chart(page, "reward_mean").locator("button.more");
  await more.focus();
  await workbench.page.keyboard.press("Enter");
  await workbench.page.keyboard.press("ArrowDown");
  await workbench.page.keyboard.press("Enter");
  await expect.poll(() => chart(page, "reward_mean").getByText("log", { exact: true }).count()).toBe(1);
  await start.focus();
  await workbench.page.keyboard.press("Escape");
  await expect.poll(() => zoomed(page).count()).toBe(0);
});

test("charts and timeline follow the theme while they are shown", async () => {
  const page = await open("baseline");
  const line = chart(page, "reward_mean").locator(".canvas path[stroke-width='1']").first();
  await line.waitFor();
  const looks = new Set<string>();
  const look = async () => {
    const stroke = await line.getAttribute("stroke");
    const curve = await page.locator(".tl-curve").evaluate((path) => getComputedStyle(path).stroke);
    return `${stroke} ${curve}`;
  };
  const path = await line.getAttribute("d");
  looks.add(await look());
  for (const theme of ["light", "hc-dark", "hc-light"] as const) {
    await workbench.setTheme(theme);
    await expect.poll(async () => looks.has(await look())).toBe(false);
    looks.add(await look());
  }
  expect(await line.getAttribute("d")).toBe(path);
  await workbench.setTheme("dark");
  await expect.poll(async () => looks.has(await look())).toBe(true);
});

test("among 100,000 steps a spike and a NaN are found by brush, by keys and on a logarithmic axis", async () => {
  const page = await open("long");
  await chart(page, "grad_norm").locator("svg").waitFor();
  const spike = LONG.spikeAt.toLocaleString("en-US");
  await expect.poll(label(page, "grad_norm")).toContain(`highest 1,000 at step ${spike}`);
  // Nearer and nearer to the spike: it is in every picture on the way.
  for (let i = 0; i < 3; i++) {
    const [from, to] = (await zoomed(page).count()) > 0 ? await shown(page) : [0, LONG.steps - 1];
    const reach = (to - from) / 20;
    await chart(page, "grad_norm").locator(".plot").focus();
    const share = (step: number) => step / (LONG.steps - 1);
    if (i === 0) await brush(page, share(LONG.spikeAt - reach), share(LONG.spikeAt + reach));
    else await workbench.page.keyboard.press("+");
    await expect.poll(label(page, "grad_norm")).toContain("highest 1,000");
  }
  await choose(page, "grad_norm", "Logarithmic");
  await expect.poll(() => chart(page, "grad_norm").getByText("log", { exact: true }).count()).toBe(1);
  await expect
    .poll(async () => {
      const plot = await chart(page, "grad_norm").locator(".plot").boundingBox();
      const path = await chart(page, "grad_norm")
        .locator(".canvas path[stroke-width='1']")
        .first()
        .boundingBox();
      return plot && path ? path.y - plot.y : Number.POSITIVE_INFINITY;
    })
    .toBeLessThan(25);
  await page.locator(".tl-strip").dblclick({ position: { x: 4, y: 18 } });
  const share = LONG.nanAt / (LONG.steps - 1);
  await brush(page, share - 0.01, share + 0.01);
  await expect.poll(() => chart(page, "grad_norm").textContent()).toContain("1 NaN");
});

test("how charts are liked is kept for the workspace, not for the run", async () => {
  let page = await open("baseline");
  await choose(page, "kl_mean", "Pin to Top");
  await page.getByRole("slider", { name: "Smoothing" }).fill("60");
  await page.locator('[data-group=":pinned"]').waitFor();
  await expect.poll(() => chart(page, "kl_mean").locator(".canvas path[stroke-width='1.5']").count()).toBe(1);
  await workbench.closeAll();
  page = await open("length-hack");
  await page.locator('[data-group=":pinned"] [data-metric="kl_mean"]').waitFor();
  await expect.poll(() => chart(page, "kl_mean").locator(".canvas path[stroke-width='1.5']").count()).toBe(1);
});

test("all rows of what is shown are saved where the user says, and not into the run unasked", async () => {
  const page = await open("baseline");
  await brush(page, 0.5, 0.8);
  const [from, to] = await shown(page);
  const save = async (file: string): Promise<void> => {
    await choose(page, "reward_mean", "Copy or Save…");
    await page.locator(`[role="menuitem"]`, { hasText: "Save All Rows as CSV…" }).click();
    await workbench.saveAs(file);
  };
  const file = path.join(folder, "rows.csv");
  await save(file);
  await expect.poll(() => readFile(file, "utf8").catch(() => "")).toContain("step,timestamp,reward_mean\n");
  const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
  expect(lines).toHaveLength(to - from + 2);
  expect(lines[1]).toMatch(new RegExp(`^${from},[\\d.]+,[-\\d.e]+$`));

  const inside = path.join(folder, "baseline", "rows.csv");
  await save(inside);
  const dialog = workbench.page.locator(".monaco-dialog-box");
  await dialog.waitFor();
  expect(await dialog.textContent()).toContain("inside the run's folder");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  await expect(access(inside)).rejects.toThrow();
});
