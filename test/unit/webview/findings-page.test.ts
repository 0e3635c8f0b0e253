/** Findings on the page, in a real browser: cards, evidence over the charts, samples, thresholds. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { PATIENCE } from "../../../webview/session.ts";
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

const cards = () => run.page.getByTestId("finding");
const card = (signature: string) =>
  run.page.locator(`[data-testid="finding"][data-signature="${signature}"]`);
const press = (signature: string, name: RegExp) => card(signature).getByRole("button", { name }).click();
const CUT = "TRUNCATION_STARVE";
/** As within VS Code, where a little more than what is seen is there. */
const overhang = () =>
  run.page.evaluate(() => {
    document.documentElement.style.height = "calc(100% + 5px)";
  });
/** What was scrolled that nobody could scroll back. */
const shifted = () =>
  run.page.evaluate(() =>
    [...document.querySelectorAll("*")]
      .filter((one) => one.scrollTop > 0 && !/auto|scroll/.test(getComputedStyle(one).overflowY))
      .map((one) => `${one.tagName} by ${one.scrollTop}`),
  );
const drawn = (metric: string) => run.chart(metric).locator(".ev-threshold, .ev-band, .ev-onset");

describe("findings", () => {
  it("are cards, grave ones first, counted in the header, above what is wrong with the recording", async () => {
    await open("case=sick");
    expect(await cards().evaluateAll((all) => all.map((one) => one.getAttribute("data-severity")))).toEqual([
      ...["critical", "warn", "info"],
    ]);
    expect(await card(CUT).locator("h3").textContent()).toBe("Answers are cut off");
    const meta = (await card(CUT).locator(".meta").textContent())?.replace(/\s+/g, " ").trim();
    expect(meta).toBe("TRUNCATION_STARVE · warning · onset step 139 · seen from step 150 · 80%");
    expect(await card("FD_SPIKE").locator(".chip").textContent()).toBe("Flight Deck's own");
    expect(await run.page.getByTestId("finding-count").allInnerTexts()).toEqual([
      ...["1 critical finding", "1 warning finding", "1 info finding"],
    ]);
    const heads = await run.page.locator("aside h2").allInnerTexts();
    expect(heads.map((text) => text.trim().toLowerCase())).toEqual([
      ...["findings", "passed 2 · skipped 1", "about the recording", "run"],
    ]);
    expect(await run.page.locator('[data-testid="outcome"]').allInnerTexts()).toContainEqual(
      expect.stringMatching(/–\s*Value divergence — no value_loss recorded/),
    );
    await press(CUT, /What to try/);
    expect(await card(CUT).locator(".tries li").count()).toBe(2);
    await press(CUT, /What is this/);
    await expect
      .poll(() => run.page.evaluate(() => window.fixture?.host.actions))
      .toEqual(["explainSignature TRUNCATION_STARVE"]);
  });

  it("that are none are one calm line", async () => {
    await open("case=clean");
    expect((await run.page.getByTestId("no-findings").textContent())?.replace("✓", "").trim()).toBe(
      "No findings",
    );
    expect(await cards().count()).toBe(0);
  });

  it.each([
    ["unread", "none", "Not diagnosed: no step could be read.", ["steps.parquet"]],
    ["torn", "partly", "No findings in what could be read.", ["steps/part-00003.parquet"]],
    ["fresh", "none", "Not diagnosed: no steps have been recorded.", []],
  ])("are no all-clear where not everything could be looked at: %s", async (name, state, words, files) => {
    await open(`case=${name}`);
    const verdict = run.page.getByTestId("no-verdict");
    expect(await verdict.textContent()).toBe(words);
    expect(await verdict.getAttribute("data-state")).toBe(state);
    expect(await run.page.getByTestId("no-findings").count()).toBe(0);
    expect(await run.page.locator('[data-testid="unread"] .file').allTextContents()).toEqual(files);
  });

  it("are led to by their counts in the header, out of a folded side", async () => {
    await open("case=sick", { height: 500 });
    await overhang();
    await run.page.getByTestId("aside-hide").click();
    await expect.poll(() => cards().count()).toBe(0);
    await run.page.locator('[data-testid="finding-count"][data-severity="info"]').click();
    const info = card("REF_POLICY_DRIFT_ASYMMETRY");
    await expect.poll(() => info.evaluate((one) => one === document.activeElement)).toBe(true);
    const [box, side] = await Promise.all([info.boundingBox(), run.page.locator("aside").boundingBox()]);
    expect(box && side && box.y >= side.y && box.y + box.height <= side.y + side.height + 1).toBe(true);
    expect(await shifted()).toEqual([]);
  });

  it.each([
    ["fresh", "18 checks — fewer than 30 steps"],
    ["unread", "18 checks — fewer than 30 steps could be read"],
  ])("that share a reason not to be looked for are one line, which unfolds: %s", async (name, words) => {
    await open(`case=${name}`);
    const same = run.page.getByTestId("outcomes-same");
    expect(await same.count()).toBe(1);
    expect(((await same.textContent()) ?? "").replace(/\s+/g, " ")).toContain(words);
    const outcomes = run.page.getByTestId("outcome");
    expect(await outcomes.count()).toBe(0);
    await same.getByRole("button").click();
    await expect.poll(() => outcomes.count()).toBe(18);
    expect(await outcomes.first().textContent()).toBe("Check 1");
    await same.getByRole("button").click();
    await expect.poll(() => outcomes.count()).toBe(0);
  });

  it("are asked for after the first charts, once, and then since when they could be known", async () => {
    // They wait for the charts that are seen, and not for ever: on a busy machine that would be the case here.
    // That wait is told from others by its length: no other on the page is as long.
    const page = await browser.blank();
    await page.addInitScript((patience) => {
      const setTimeout = window.setTimeout.bind(window);
      window.setTimeout = ((work: TimerHandler, wait?: number, ...more: unknown[]) =>
        setTimeout(work, wait === patience ? 1e9 : wait, ...more)) as typeof window.setTimeout;
    }, PATIENCE);
    await page.goto(`${browser.url}?case=sick`);
    run = new Opened(page, browser);
    await run.settled();
    await card(CUT).waitFor();
    const asked = await page.evaluate(() => window.fixture?.host.asked ?? []);
    expect(asked.indexOf("diagnose")).toBeGreaterThan(asked.indexOf("reward_mean"));
    expect(asked.filter((one) => one.startsWith("diagnose"))).toEqual(["diagnose", "diagnose patiently"]);
  });

  it("do not wait for a chart that hangs", async () => {
    run = new Opened(await browser.open({ query: "case=hung" }), browser);
    await card(CUT).waitFor();
    expect(await run.page.locator("#root").getAttribute("data-ready")).toBe("false");
  });
});

describe("evidence", () => {
  it("is drawn over the charts it cites, which come into view, and goes again", async () => {
    await open("case=sick");
    await overhang();
    await press(CUT, /Show evidence/);
    await run.settled();
    const chart = run.chart("truncation_rate");
    expect(await run.page.getByTestId("zoom-range").textContent()).toBe("steps 52–226 of 250");
    const line = chart.locator(".ev-threshold");
    expect(await line.textContent()).toBe("threshold 0.5");
    const [box, plot] = await Promise.all([line.boundingBox(), chart.locator(".plot").boundingBox()]);
    expect(box && plot && box.y > plot.y && box.y < plot.y + plot.height).toBe(true);
    expect(box && box.y > 0 && box.y < 800).toBe(true);
    expect(await shifted()).toEqual([]);
    expect(await chart.locator(".ev-band.early:visible, .ev-band.late:visible").count()).toBe(2);
    expect(await chart.locator(".ev-onset").count()).toBe(1);
    expect(await chart.getAttribute("aria-label")).toContain(
      "Evidence of Answers are cut off: threshold 0.5, early steps 1 to 62, late steps 201 to 250, begins at step 139",
    );
    expect(await drawn("grad_norm").count()).toBe(0);
    await press(CUT, /Hide evidence/);
    await run.settled();
    await expect.poll(() => drawn("truncation_rate").count()).toBe(0);
    expect(await chart.locator(".ev-mark").count()).toBe(1);
  });

  it("does not hide a chart's title below the heading that stays at the top", async () => {
    await open("case=sick", { height: 340 });
    await overhang();
    await press(CUT, /Show evidence/);
    await run.settled();
    const chart = run.chart("truncation_rate");
    const heading = run.page.locator('.group[data-group="generation"] > h2');
    const bottom = async () =>
      ((await heading.boundingBox())?.y ?? 0) + ((await heading.boundingBox())?.height ?? 0);
    const top = async () => (await chart.locator(".chart-head").boundingBox())?.y ?? 0;
    await expect.poll(async () => (await top()) >= (await bottom()) - 1).toBe(true);
    expect(await shifted()).toEqual([]);
  });

  it("is found in a folded group and past a filter, and is there after a reload", async () => {
    await open("case=sick");
    await run.page.getByRole("button", { name: /^Generation/ }).click();
    await run.page.getByRole("textbox", { name: /Filter/ }).fill("reward");
    await press(CUT, /Show evidence/);
    await run.chart("truncation_rate").locator(".ev-threshold").waitFor();
    await run.page.evaluate(() => window.fixture?.session.store.flush());
    await run.page.reload();
    await run.settled();
    await run.chart("truncation_rate").locator(".ev-threshold").waitFor();
    expect(
      await card(CUT)
        .getByRole("button", { name: /Hide evidence/ })
        .count(),
    ).toBe(1);
  });

  it("is shown from an onset on the timeline or on a chart, and when the host asks for it", async () => {
    await open("case=sick");
    await run.page
      .getByRole("button", { name: /^One step stands out begins/ })
      .click({ position: { x: 6, y: 4 } });
    await expect.poll(async () => (await run.state()).finding).toBe("FD_SPIKE grad_norm");
    await run.chart("grad_norm").locator(".ev-threshold").waitFor();
    await run.page.evaluate(() => window.fixture?.session.zoom(null));
    await run.page.evaluate(() => window.fixture?.session.findings.hide());
    await run.settled();
    await run.chart("truncation_rate").scrollIntoViewIfNeeded();
    await run.chart("truncation_rate").locator(".ev-mark").click({ timeout: 4000 });
    await expect.poll(async () => (await run.state()).finding).toBe(CUT);
    await run.page.evaluate(() =>
      window.fixture?.host.server.notify("focus", { finding: "REF_POLICY_DRIFT_ASYMMETRY" }),
    );
    await expect.poll(async () => (await run.state()).finding).toBe("REF_POLICY_DRIFT_ASYMMETRY");
    expect((await run.state()).range).toBeNull();
    await run.chart("kl_positional").locator(".ev-band.late").waitFor();
  });

  it("keeps its place on an axis of time", async () => {
    await open("case=sick");
    await press(CUT, /Show evidence/);
    const onset = run.chart("truncation_rate").locator(".ev-onset");
    await onset.waitFor();
    const before = await onset.boundingBox();
    await run.page.evaluate(() => window.fixture?.session.changeAxis("relative"));
    await run.settled();
    await expect.poll(async () => (await onset.boundingBox())?.x).toBeCloseTo(before?.x ?? 0, -1);
  });
});

describe("samples of a finding", () => {
  it("are rows that open to prompt and completion; what is hidden in them is named, what is cut is said", async () => {
    await open("case=sick");
    await press(CUT, /Show samples/);
    const rows = card(CUT).getByTestId("sample-row");
    await expect.poll(() => rows.count()).toBe(10);
    expect(await rows.nth(1).getAttribute("data-sample")).toBe("115_1");
    expect(await rows.nth(1).locator(".sample-head").textContent()).toContain("<U+202E>");
    await rows.nth(1).getByRole("button").first().click();
    const detail = rows.nth(1).getByTestId("sample-detail");
    expect(await detail.textContent()).toContain("<b>bold</b>");
    expect(await detail.locator("b").count()).toBe(0);
    await rows.nth(2).getByRole("button").first().click();
    expect(await rows.nth(2).getByTestId("sample-cut").textContent()).toBe(
      "The first 20,000 of 45,000 characters.",
    );
    await press(CUT, /Hide samples/);
    expect(await rows.count()).toBe(0);
  });
});

describe("thresholds", () => {
  it("are tried with sliders: a finding goes and comes back under the same slider, and is written on request", async () => {
    await open("case=sick");
    await press(CUT, /Adjust thresholds/);
    const slider = run.page.locator('input[data-param="threshold"]');
    await slider.evaluate((one) => one.setAttribute("data-same", "yes"));
    await slider.fill("0.9");
    await expect.poll(() => card(CUT).count()).toBe(0);
    const quiet = run.page.getByTestId("finding-quiet");
    expect(await quiet.textContent()).toContain("Does not fire with these thresholds");
    expect(await run.page.locator('input[data-same="yes"]').inputValue()).toBe("0.9");
    await slider.fill("0.6");
    await expect.poll(() => card(CUT).count()).toBe(1);
    expect(await run.page.locator('input[data-same="yes"]').count()).toBe(1);
    await press(CUT, /Show evidence/);
    await expect
      .poll(() => run.chart("truncation_rate").locator(".ev-threshold").textContent())
      .toBe("threshold 0.6");
    await press(CUT, /Write to doctor.toml/);
    await expect
      .poll(() => run.page.evaluate(() => window.fixture?.host.actions))
      .toEqual(['write TRUNCATION_STARVE {"threshold":0.6}']);
  });

  it("go back to what they were", async () => {
    await open("case=sick");
    await press(CUT, /Adjust thresholds/);
    await run.page.locator('input[data-param="threshold"]').fill("0.9");
    await expect.poll(() => card(CUT).count()).toBe(0);
    await run.page.getByTestId("finding-quiet").getByRole("button", { name: "Reset" }).click();
    await expect.poll(() => card(CUT).count()).toBe(1);
    expect(await run.page.locator('input[data-param="threshold"]').inputValue()).toBe("0.5");
  });
});

const themes = ["dark", "light", "hc-dark", "hc-light"];

describe("for everybody", () => {
  const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

  it.each(themes)("axe finds nothing in %s, everything folded out", async (theme) => {
    await open(`case=sick&theme=${theme}`, { width: theme.startsWith("hc") ? 800 : 1280 });
    await press(CUT, /Show evidence/);
    for (const part of [/What to try/, /Adjust/, /Show samples/]) await press(CUT, part);
    await run.settled();
    await card(CUT).locator("button.sample").first().click();
    await run.page.evaluate(`${await readFile(axe, "utf8")};0`);
    const found = await run.page.evaluate(async () => {
      const { violations } = await Reflect.get(window, "axe").run(document, { resultTypes: ["violations"] });
      return violations.map(
        (one: { id: string; nodes: { html: string }[] }) => `${one.id}: ${one.nodes[0]?.html}`,
      );
    });
    expect(found).toEqual([]);
  });

  it("nothing hangs over the edge, and charts have room, from 500 pixels up", async () => {
    for (const width of [500, 800]) {
      await open("case=sick", { width });
      const size = await run.page.evaluate(() => [document.body.scrollWidth, innerWidth]);
      expect(size[0]).toBeLessThanOrEqual(size[1] ?? 0);
      const plot = await run.page.locator("main").boundingBox();
      expect(plot?.height).toBeGreaterThan(300);
      if (width === 500) await run.close();
    }
  });
});
