import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { PageBrowser, type PageOptions } from "./browser.ts";
import { Opened } from "./opened.ts";

let browser: PageBrowser;
beforeAll(async () => {
  browser = await PageBrowser.start();
}, 120_000);
afterAll(() => browser?.close());

let run: Opened;
const open = async (query: string, options: PageOptions = {}) => {
  run = await Opened.open(browser, query, options);
};
afterEach(() => run.close());

const strip = () => run.page.locator(".tl-strip");
const range = async () => (await run.state()).range;
const words = () => run.page.getByTestId("zoom-range").textContent();

describe("the brush on the timeline", () => {
  it("marks a part of the run, and everything shows that part", async () => {
    await open("case=short");
    await run.drag(strip(), 0.52, 0.86, 0.3);
    expect(await range()).toEqual([130, 215]);
    expect(await words()).toBe("steps 130–215 of 250");
    for (const metric of ["reward_mean", "kl_mean", "entropy"])
      await expect.poll(() => run.chart(metric).getAttribute("aria-label")).toContain("step 130 to step 215");
    await run.page.getByTestId("tab-events").click();
    await expect
      .poll(() => run.page.getByTestId("events-range").textContent())
      .toBe("in steps 130–215 of 250");
    await strip().dblclick({ position: { x: 5, y: 20 } });
    expect(await range()).toBeNull();
    expect(await run.page.getByTestId("zoom-range").count()).toBe(0);
  });

  it("says of how many steps it is a part after a reload too", async () => {
    await open("case=short");
    await run.drag(strip(), 0.52, 0.86, 0.3);
    await run.page.reload();
    await run.settled();
    expect(await words()).toBe("steps 130–215 of 250");
    const all = run.page.getByRole("slider", { name: "Steps shown" });
    expect(await all.getAttribute("aria-valuetext")).toBe("steps 130–215 of 250");
  });

  it("is moved by its middle and resized by its ends", async () => {
    await open("case=short");
    await run.drag(strip(), 0.4, 0.6, 0.3);
    const [from = 0, to = 0] = (await range()) ?? [];
    const brush = run.page.getByTestId("brush");
    await run.drag(strip(), 0.5, 0.6, 0.3);
    const moved = (await range()) ?? [0, 0];
    expect(moved[0] - from).toBeCloseTo(25, -1);
    expect(moved[1] - moved[0]).toBeCloseTo(to - from, -1);
    const box = await brush.boundingBox();
    const all = await strip().boundingBox();
    if (!box || !all) throw new Error("no brush");
    await run.drag(strip(), (box.x + box.width - all.x) / all.width, 0.9, 0.3);
    expect(await range()).toEqual([moved[0], expect.closeTo(225, -1)]);
    await run.drag(strip(), (box.x - all.x) / all.width, 0.2, 0.3);
    expect((await range())?.[0]).toBeCloseTo(51, -1);
  });

  it("shows charts along the way, and the last place when it is let go", async () => {
    await open("case=run");
    const box = await strip().boundingBox();
    if (!box) throw new Error("no strip");
    await run.page.mouse.move(box.x + 200, box.y + 20);
    await run.page.mouse.down();
    await run.page.mouse.move(box.x + 400, box.y + 20, { steps: 3 });
    await expect.poll(range).not.toBeNull();
    await run.page.mouse.move(box.x + 500, box.y + 20, { steps: 3 });
    await run.page.mouse.up();
    await run.settled();
    const share = (pixel: number) => 1 + (pixel / box.width) * 99_999;
    expect(await range()).toEqual([expect.closeTo(share(200), -2), expect.closeTo(share(500), -2)]);
  });

  it("goes by keys: each end, all of it, and back to everything", async () => {
    await open("case=short");
    const end = run.page.getByRole("slider", { name: "Last step shown" });
    await end.focus();
    await run.page.keyboard.press("PageDown");
    await run.page.keyboard.press("ArrowLeft");
    expect(await range()).toEqual([1, 224]);
    expect(await end.getAttribute("aria-valuetext")).toBe("step 224");
    await run.page.getByRole("slider", { name: "First step shown" }).focus();
    await run.page.keyboard.press("Shift+ArrowRight");
    expect(await range()).toEqual([11, 224]);
    const all = run.page.getByRole("slider", { name: "Steps shown" });
    expect(await all.getAttribute("aria-valuetext")).toBe("steps 11–224 of 250");
    await all.focus();
    await run.page.keyboard.press("End");
    expect(await range()).toEqual([37, 250]);
    await run.page.keyboard.press("Escape");
    expect(await range()).toBeNull();
  });

  it("says the part once it rests, and only then", async () => {
    await open("case=short");
    const status = run.page.locator("fd-timeline [role=status]");
    expect(await status.textContent()).toBe("");
    await run.page.getByRole("slider", { name: "First step shown" }).focus();
    for (let i = 0; i < 5; i++) await run.page.keyboard.press("ArrowRight");
    expect(await status.textContent()).toBe("");
    await expect.poll(() => status.textContent()).toBe("Showing steps 6–250 of 250");
  });

  it("says that a run stands otherwise now, and does not when it is opened", async () => {
    await open("case=short");
    const status = run.page.locator("fd-timeline [role=status]");
    expect(await status.textContent()).toBe("");
    await run.page.evaluate(() => {
      const session = window.fixture?.session;
      if (!session?.overview) throw new Error("no run");
      session.overview = { ...session.overview, state: "crashed" };
      session.hideNotice();
    });
    await expect.poll(() => status.textContent()).toBe("The run: crashed");
  });

  it("is the same part on a time axis", async () => {
    await open("case=short");
    await run.page.getByRole("combobox", { name: "X axis" }).click();
    await run.page.getByRole("option", { name: "Relative time" }).click();
    await run.drag(strip(), 0.52, 0.86, 0.3);
    expect(await words()).toBe("steps 130–215 of 250");
    const label = () => run.chart("reward_mean").getAttribute("aria-label");
    await expect.poll(label).toContain("4 m 44 s in to 7 m 51 s in");
    await run.drag(run.chart("reward_mean").locator(".plot"), 0.5, 0.7);
    const [from = 0, to = 0] = (await range()) ?? [];
    expect(from).toBeGreaterThan(150);
    expect(to).toBeLessThan(200);
    expect(Number.isInteger(from) && Number.isInteger(to)).toBe(true);
  });

  it("is not there for a run of too few steps, and the strip is", async () => {
    await open("case=fresh");
    expect(await run.page.getByTestId("timeline").count()).toBe(1);
    expect(await run.page.getByTestId("brush").count()).toBe(0);
    await run.drag(strip(), 0.2, 0.6);
    expect(await range()).toBeNull();
  });
});

describe("marks on the timeline", () => {
  it("lead to their step by pointer and by keys, one stop of the Tab key for all", async () => {
    await open("case=short");
    const checkpoint = run.page.getByRole("button", { name: /^checkpoint at step 35/ });
    await checkpoint.click();
    await expect.poll(async () => (await run.state()).pin).toBe(35);
    expect(await run.page.locator("[data-mark][tabindex='0']").count()).toBe(1);
    await checkpoint.focus();
    await run.page.keyboard.press("ArrowRight");
    await run.page.keyboard.press("Enter");
    await expect.poll(async () => (await run.state()).pin).toBe(71);
    expect(await run.page.locator(".tl-mark:focus title").textContent()).toMatch(/^nan_detected at step 71/);
  });

  it("tell kinds apart by shape as well as by colour", async () => {
    await open("case=short");
    const shapes = await run.page
      .locator(".tl-mark path")
      .evaluateAll((all) => all.map((path) => path.getAttribute("d")));
    expect(new Set(shapes).size).toBeGreaterThanOrEqual(5);
  });

  it("move what is shown along when they lie outside", async () => {
    await open("case=short");
    await run.drag(strip(), 0.6, 0.8, 0.3);
    const [from = 0, to = 0] = (await range()) ?? [];
    await run.page.getByRole("button", { name: /^checkpoint at step 35/ }).click();
    await run.settled();
    const [a = 0, b = 0] = (await range()) ?? [];
    expect(a).toBeLessThan(35);
    expect(b - a).toBeCloseTo(to - from, -1);
  });

  it("have a place for where findings begin", async () => {
    await open("case=short");
    await run.page.locator("fd-timeline").evaluate((timeline) => {
      const onset = { id: "KL_BLOWUP", title: "KL blow-up", severity: "critical", step: 180 };
      Object.assign(timeline, { onsets: [onset] });
    });
    await run.page
      .getByRole("button", { name: "KL blow-up begins at step 180" })
      .click({ position: { x: 6, y: 4 } });
    await expect.poll(async () => (await run.state()).pin).toBe(180);
  });
});
