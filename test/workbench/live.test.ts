/** A run in the editor of a real VS Code while the real recorder writes it. */
import { cp, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Frame, Locator } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { Workbench } from "./harness.ts";
import { age, type Recording, record } from "./recording.ts";

const soon = <T>(ask: () => Promise<T> | T) => expect.poll(ask, { timeout: 40_000 });
const text = async (place: Locator): Promise<string> => (await place.first().textContent())?.trim() ?? "";
const facts = (page: Frame) => text(page.locator(".facts"));
const state = (page: Frame) => text(page.getByTestId("run-state"));
const reason = async (page: Frame) => (await page.getByTestId("run-state").getAttribute("title")) ?? "";
const chart = (page: Frame, metric: string) => page.locator(`[data-testid="chart"][data-metric="${metric}"]`);
const last = (page: Frame, metric: string) => text(chart(page, metric).locator(".last"));
/** Without how many there are in all. */
const zoomed = async (page: Frame) => (await text(page.getByTestId("zoom-range"))).replace(/ of .*/, "");
const samples = async (page: Frame) =>
  Number((await text(page.getByTestId("sample-count"))).replaceAll(/\D/g, ""));
const rows = (page: Frame) => page.locator(".sm-layer").getByTestId("sample-row");

/** Steps after which the doctor calls the recording's KL blown up. */
const SICK = 180;

/** What a network mount is like. */
const NO_EVENTS = { "files.watcherExclude": { "**": true }, "flightDeck.live.fileEvents": false };

describe.each([
  ["with events of the file system", {}],
  ["on a mount that sends none", NO_EVENTS],
] as const)("a run that is being recorded, %s", (_, settings) => {
  let folder = "";
  let workbench: Workbench;
  const going: Recording[] = [];
  const begin = async (name: string, from = 0): Promise<Recording> => {
    const recording = await record(path.join(folder, name), "kl_blowup", from);
    going.push(recording);
    return recording;
  };

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "fd-live-"));
    await mkdir(path.join(folder, "notes"));
    workbench = await Workbench.open({ folder, settings });
  });
  afterEach(async () => {
    for (const recording of going.splice(0)) await recording.kill();
    expect(workbench.problems()).toEqual([]);
  });
  afterAll(async () => {
    await workbench?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const open = async (name: string): Promise<Frame> => {
    await workbench.contextMenu([name], "Open Run");
    return workbench.webview(name);
  };

  test("grows on the page, where everything stays as it was; its end changes nothing but how it stands", async () => {
    const recording = await begin("growing");
    await recording.steps(60);
    const page = await open("growing");
    await soon(() => facts(page)).toContain("60 steps");
    expect(await state(page)).toBe("running");
    const before = await last(page, "reward_mean");

    // Somebody has zoomed in and scrolled.
    await page.evaluate(() => {
      document.body.dataset["kept"] = "the same page";
    });
    await page.getByTestId("tab-charts").click();
    const strip = await page.locator(".tl-strip").boundingBox();
    if (!strip) throw new Error("no timeline");
    const { mouse } = workbench.page;
    await mouse.move(strip.x + strip.width * 0.25, strip.y + 16);
    await mouse.down();
    await mouse.move(strip.x + strip.width * 0.75, strip.y + 16, { steps: 6 });
    await mouse.up();
    const range = await zoomed(page);
    expect(range).toMatch(/^steps 1\d–4\d$/);
    const scroller = page.locator('[data-scroller="charts"]');
    await scroller.evaluate((list) => list.scrollTo({ top: 140 }));
    await soon(() => scroller.evaluate((list) => list.scrollTop)).toBe(140);

    await recording.steps(40);
    await soon(() => facts(page)).toContain("100 steps");
    expect(await zoomed(page)).toBe(range);
    expect(await scroller.evaluate((list) => list.scrollTop)).toBe(140);
    await page.getByTitle("Show the whole run").click();
    await soon(() => last(page, "reward_mean")).not.toBe(before);

    await page.getByTestId("tab-events").click();
    await recording.event("checkpoint", "saved at one hundred");
    await soon(() => page.getByTestId("event-row").allTextContents()).toEqual([
      expect.stringContaining("saved at one hundred"),
    ]);

    await page.getByTestId("tab-samples").click();
    await rows(page).nth(2).waitFor();
    await rows(page).nth(2).locator(".sm-fold").click();
    const detail = page.getByTestId("sample-detail");
    const sample = await detail.getAttribute("data-sample");
    const count = await samples(page);
    await recording.steps(40);
    await soon(() => facts(page)).toContain("140 steps");
    await soon(async () => await samples(page)).toBeGreaterThan(count);
    expect(await detail.getAttribute("data-sample")).toBe(sample);

    await page.getByTestId("tab-charts").click();
    // The status bar has one digit more.
    const bar = workbench.page.locator('.statusbar-item[id$="flightDeck.live"]');
    await soon(() => text(bar)).toContain("step 139");
    const reward = Number(/reward ([\d.]+)/.exec(await text(bar))?.[1]);
    await soon(async () => Math.abs(Number(await last(page, "reward_mean")) - reward)).toBeLessThan(0.001);
    const shown = await last(page, "reward_mean");
    await recording.event("train_end", "done");
    await recording.close();
    await soon(() => state(page)).toBe("finished");
    expect(await reason(page)).toContain("ended in order");
    expect(await facts(page)).toContain("140 steps");
    expect(await last(page, "reward_mean")).toBe(shown);
    await soon(() => page.getByTestId("warnings-toggle").count()).toBe(0);
    await soon(() => text(page.locator("fd-findings"))).toMatch(/No findings(?! in)/);
    expect(await page.evaluate(() => document.body.dataset["kept"])).toBe("the same page");
    await workbench.closeAll();
  });

  test("and is killed is stalled, then killed, by its own pace; what is resumed runs again", async () => {
    const recording = await begin("killed");
    await recording.steps(30);
    const page = await open("killed");
    await soon(() => state(page)).toBe("running");
    await recording.kill();
    const dir = path.join(folder, "killed");
    await age(dir, 300);
    await soon(() => state(page)).toBe("stalled");
    expect(await reason(page)).toMatch(
      /Recording stops at step 29 and was not closed; nothing was written for 5 min/,
    );
    await age(dir, 7200);
    await soon(() => state(page)).toBe("killed");
    expect(await reason(page)).toMatch(/was not closed; nothing was written for 2 h/);
    // rlprobe begins its parts anew: the first ones are written over.
    const again = await begin("killed", 30);
    await again.event("train_begin", "resumed");
    await again.steps(50);
    await soon(() => state(page)).toBe("running");
    await soon(() => facts(page)).toContain("50 steps");
    await workbench.closeAll();
  });

  test("and is taken away, or replaced by another, is told of calmly", async () => {
    const recording = await begin("moving");
    await recording.steps(30);
    const page = await open("moving");
    await soon(() => facts(page)).toContain("30 steps");
    await recording.kill();
    const [here, there] = [path.join(folder, "moving"), path.join(folder, "notes/moved")];
    await rename(here, there);
    await soon(() => text(page.locator("body"))).toContain("There is nothing at this path");
    await rename(there, here);
    await soon(() => facts(page)).toContain("30 steps");
    await rm(here, { recursive: true });
    await cp(path.resolve(import.meta.dirname, "../../media/demo/grpo-length-hack"), here, {
      recursive: true,
    });
    await soon(() => facts(page)).toContain("250 steps");
    expect(await text(page.getByTestId("notice"))).toMatch(/Another run lies in this folder now/);
    await workbench.closeAll();
  });
});

describe("a run that goes wrong while it is recorded", () => {
  let folder = "";
  let workbench: Workbench;
  let recording: Recording | null = null;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "fd-guard-"));
    await mkdir(path.join(folder, "notes"));
    await writeFile(path.join(folder, "notes/note.txt"), "a note\n");
    workbench = await Workbench.open({ folder });
  });
  afterEach(async () => {
    await recording?.kill();
    expect(workbench.problems()).toEqual([]);
  });
  afterAll(async () => {
    await workbench?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const status = () => workbench.page.locator('.statusbar-item[id$="flightDeck.live"]');
  const toasts = () => workbench.page.locator(".notification-toast");
  const news = () => toasts().filter({ hasText: "KL blow-up" });
  const press = (name: string) => news().locator(".monaco-button", { hasText: name }).first().click();

  test("is announced once, in front of another editor; Open shows the evidence", async () => {
    recording = await record(path.join(folder, "sick"), "kl_blowup");
    await recording.steps(80);
    await workbench.contextMenu(["sick"], "Open Run");
    await workbench.webview("sick");
    await soon(() => text(status())).toMatch(/sick: running · step 79 · reward -?[\d.]+/);
    // Nobody sees it, and nothing is wrong.
    await workbench.openFile(["notes", "note.txt"]);
    await recording.steps(40);
    await soon(() => text(status())).toContain("step 119");
    expect(await news().count()).toBe(0);

    await recording.steps(SICK - 120);
    await soon(() => news().count()).toBe(1);
    expect(await text(news())).toMatch(/sick: KL blow-up from step \d+\. KL to the reference rose/);
    await soon(() => text(status())).toContain(`step ${SICK - 1}`);
    await workbench.screenshot("live-news");
    // VS Code of today takes a title for the tab of a custom editor.
    await workbench.page.locator('.tab[aria-label^="!! sick"]').waitFor();
    await press("Open");
    const page = await workbench.webview("sick");
    await page.getByTestId("zoom-range").waitFor();
    await page.locator(".ev-onset").first().waitFor();
    await workbench.page.locator('.tab[aria-label^="● sick"]').waitFor();

    // It goes on being wrong, which is no news, up to its end and after it.
    await recording.steps(20);
    await soon(() => facts(page)).toContain(`${SICK + 20} steps`);
    await recording.event("train_end", "done");
    await recording.close();
    await soon(() => state(page)).toBe("finished");
    await soon(() => status().count()).toBe(0);
    await workbench.page.locator('.tab[aria-label^="sick"]').waitFor();
    expect(await news().count()).toBe(0);
    await workbench.closeAll();
  });

  test("is watched without an editor when somebody asks for it, and is muted when somebody has enough of it", async () => {
    recording = await record(path.join(folder, "unseen"), "kl_blowup");
    await recording.steps(40);
    await workbench.contextMenu(["unseen"], "Watch Run");
    await soon(() => text(status())).toContain("unseen: running · step 39");
    await recording.steps(SICK - 40);
    await soon(() => news().count()).toBe(1);
    await press("Mute This Run");
    await soon(() => text(status())).not.toContain("bell");
    await recording.steps(10);
    await soon(() => text(status())).toContain(`step ${SICK + 9}`);
    expect(await status().getAttribute("aria-label")).toContain("unseen");
    await recording.event("train_end", "done");
    await recording.close();
    await soon(() =>
      toasts().filter({ hasText: "unseen: finished. The training ended in order" }).count(),
    ).toBe(1);
    await soon(() => status().count()).toBe(0);
    expect(await news().count()).toBe(0);
  });
});
