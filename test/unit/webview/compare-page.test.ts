/** The compare editor's page in a Chromium, on made-up runs. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { CompareFixture } from "../../../webview/dev/compare.ts";
import { PageBrowser, type PageOptions, READY } from "./browser.ts";

let browser: PageBrowser;
beforeAll(async () => {
  browser = await PageBrowser.start({ entry: "webview/dev/compare.ts" });
}, 120_000);
afterAll(() => browser?.close());

let page: Page;
async function open(query: string, options: PageOptions = {}): Promise<void> {
  page = await browser.open({ query, ...options });
  await page.waitForSelector(READY);
}
const fixture = <T>(look: (fixture: CompareFixture) => T): Promise<T> =>
  page.evaluate(`(${look})(window.compareFixture)`) as Promise<T>;
afterEach(async () => {
  const violations = await fixture(({ violations }) => violations);
  const reports = await fixture(({ host }) => host.actions.filter((action) => action.startsWith("report")));
  await page.context().close();
  expect(violations, "refused by the page's policy").toEqual([]);
  expect(reports, "reported by the page").toEqual([]);
  expect(browser.errors.splice(0), "errors of the page").toEqual([]);
});

const settled = (): Promise<unknown> => page.waitForSelector(READY);
const chart = (metric: string): Locator => page.locator(`fd-overlay[data-metric="${metric}"]`);
const lines = (metric: string) => chart(metric).last().locator(".canvas path[stroke-width]");
const actions = () => fixture(({ host }) => host.actions.map((one) => JSON.parse(one) as { action: string }));
const asked = () => fixture(({ host }) => host.asked);
const state = () => fixture(({ session }) => session.store.state);
const order = () =>
  page
    .locator(".cmp-grid fd-overlay")
    .evaluateAll((all) => all.map((one) => one.getAttribute("data-metric")));

describe("where the runs part", () => {
  it("is said in a sentence, on the ruler and at each chart, the first one first", async () => {
    await open("case=two");
    expect(await page.getByTestId("compare-lead").textContent()).toMatch(
      /The runs part at step 76, first in KL to reference\. 4 of 9 metrics diverge/,
    );
    expect((await order()).slice(0, 5)).toEqual([
      "kl_mean",
      "truncation_rate",
      "reward_mean",
      "completion_length_mean",
      "entropy",
    ]);
    const parted = page.getByTestId("diff-metric");
    expect(await parted.evaluateAll((all) => all.map((one) => one.getAttribute("data-step")))).toEqual([
      "76",
      "106",
      "141",
      "166",
    ]);
    expect(await chart("kl_mean").locator(".standing").textContent()).toBe("parts at 76");
    expect(await chart("entropy").locator(".standing").textContent()).toBe("separates near 64");
    expect(await chart("entropy").locator(".cmp-line.separation").count()).toBe(1);
    expect(await chart("kl_mean").locator(".cmp-line.divergence").count()).toBe(1);
    expect(await chart("loss").locator(".standing").textContent()).toBe("tracks");
    expect(await page.locator(".ruler-mark.ours").count()).toBe(1);
    expect(await chart("kl_mean").getAttribute("aria-label")).toMatch(
      /^KL to reference, step 1 to step 250\. parts at step 76\. grpo-baseline: last [\d.]+, lowest .*\. grpo-length-hack: last/,
    );
  });

  it("follows the thresholds as they are typed; what is no threshold is refused", async () => {
    await open("case=two");
    const z = page.getByRole("spinbutton", { name: /^z:/ });
    await z.fill("6");
    await expect.poll(() => page.getByTestId("compare-lead").textContent()).toContain("step 80");
    await expect.poll(() => chart("kl_mean").locator(".standing").textContent()).toBe("parts at 80");
    const before = (await asked()).length;
    await z.fill("-1");
    expect(await z.getAttribute("aria-invalid")).toBe("true");
    expect((await state()).options.z).toBe(6);
    expect((await asked()).length).toBe(before);
    await z.fill("500");
    await expect.poll(() => page.getByTestId("compare-lead").textContent()).toContain("None of 9 metrics");
    await expect.poll(() => page.getByTestId("diff-metric").count()).toBe(0);
  });

  it("zooms both runs there from the ruler, and back", async () => {
    await open("case=two");
    await page.locator('.ruler-mark[data-metric="reward_mean"]').click();
    await settled();
    const label = () => chart("loss").getAttribute("aria-label");
    await expect.poll(label).toContain("step 116 to step 166");
    expect(await page.getByTestId("zoom-range").textContent()).toBe("steps 116–166");
    expect(await chart("loss").locator(".pin:visible").count()).toBe(1);
    await page.getByRole("button", { name: "Show all", exact: true }).click();
    await expect.poll(label).toContain("step 1 to step 250");
  });

  it("offers another alignment where steps do not meet", async () => {
    await open("case=apart");
    expect(await page.getByTestId("compare-lead").textContent()).toContain("too few to compare");
    await page.getByRole("button", { name: "Align by relative step" }).click();
    await expect.poll(() => page.getByTestId("compare-lead").textContent()).toContain("The runs part at");
    await expect.poll(() => chart("kl_mean").getAttribute("aria-label")).toContain("step 0 to step 249");
    expect(await fixture(({ session }) => session.full)).toEqual([0, 249]);
  });
});

describe("the large chart", () => {
  it("shows the gap with its noise band, values of all runs, and closes with Escape", async () => {
    await open("case=two");
    const title = chart("kl_mean").locator(".cmp-title");
    await title.press("Enter");
    await page.locator(".cmp-large fd-gap .cmp-band").waitFor();
    const gap = page.locator("fd-gap");
    expect(await gap.getAttribute("aria-label")).toMatch(
      /^Gap in KL to reference, other minus baseline, noise band from −0\.0064 to 0\.0064$/,
    );
    await gap.locator(".plot").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("PageDown");
    await expect.poll(() => gap.locator(".plot").getAttribute("aria-valuetext")).toMatch(/^step \d+, gap /);
    await expect
      .poll(() => page.locator("[data-value-of]").allTextContents())
      .toEqual([expect.stringMatching(/^0\.0/), expect.stringMatching(/^0\.0/)]);
    // In the end the other run is higher: above zero in figures, curve and at the crosshair.
    await page.keyboard.press("End");
    const value = (run: number) => page.locator("[data-value-of]").nth(run).textContent().then(Number);
    await expect.poll(async () => (await value(1)) - (await value(0))).toBeGreaterThan(0.05);
    await expect
      .poll(() => gap.locator(".plot").getAttribute("aria-valuetext"))
      .toMatch(/^step \d+, gap 0\.[01]\d+$/);
    await page.reload();
    await settled();
    await page.locator(".cmp-large fd-gap .cmp-band").waitFor();
    await page.getByRole("button", { name: /^Close the large chart/ }).press("Escape");
    await expect.poll(() => page.locator(".cmp-large").count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.className)).toBe("cmp-title");
  });
});

describe("runs", () => {
  it("keep colour and dash in every chart, whoever is hidden, and when they change places", async () => {
    await open("case=two");
    const strokes = (metric: string) =>
      lines(metric).evaluateAll((all) =>
        all.map((one) => `${one.getAttribute("stroke")} ${one.getAttribute("stroke-dasharray") ?? ""}`),
      );
    const both = await strokes("kl_mean");
    expect(new Set(both).size).toBe(2);
    expect(await strokes("reward_mean")).toEqual(both);
    const baseline = page.getByRole("button", { name: "grpo-baseline", exact: true });
    await baseline.click();
    await expect.poll(() => strokes("kl_mean")).toEqual([both[1]]);
    expect(await baseline.getAttribute("aria-pressed")).toBe("false");
    await baseline.click();
    await page.getByRole("button", { name: "Swap the baseline and the other run" }).click();
    await expect
      .poll(() => page.getByTestId("compare-run").first().textContent())
      .toMatch(/grpo-length-hack[\s\S]*baseline/);
    await settled();
    await expect.poll(async () => (await strokes("kl_mean")).toSorted()).toEqual(both.toSorted());
    const swatch = page.getByTestId("compare-run").first().locator("line");
    expect(await swatch.getAttribute("stroke")).toBe(both[1]?.split(" ")[0]);
  });

  it("that cannot be opened say why, while the others are compared", async () => {
    await open("case=lost");
    const lost = page.locator('[data-testid="compare-lost"][data-code="newer-schema"]');
    expect(await lost.textContent()).toContain("this version reads up to 1");
    expect(await page.getByTestId("compare-run").count()).toBe(3);
    await lost.getByRole("button", { name: /^Remove grpo-newer/ }).click();
    await expect.poll(() => lost.count()).toBe(0);
    expect(await lines("kl_mean").count()).toBe(3);
  });

  it("of which there are fewer than two lead to more", async () => {
    await open("case=few");
    expect(await page.getByTestId("refused-state").textContent()).toContain("Two runs are needed");
    await page.getByRole("button", { name: "Add Run…" }).click();
    expect(await actions()).toEqual([{ action: "addRuns" }]);
  });

  it("that grow are compared again: nothing is reset", async () => {
    await open("case=two");
    await page.locator('.ruler-mark[data-metric="kl_mean"]').click();
    await settled();
    const range = (await state()).range;
    await fixture(({ host }) => host.grow(150));
    await expect.poll(() => page.getByTestId("compare-facts").textContent()).toContain("400 common steps");
    await settled();
    expect((await state()).range).toEqual(range);
    await page.getByRole("button", { name: "Show all", exact: true }).click();
    await expect.poll(() => chart("loss").getAttribute("aria-label")).toContain("step 1 to step 400");
  });

  it("by dozens: one question a visible chart, old ones taken back, the list is searched", async () => {
    await open("case=many");
    expect(await lines("kl_mean").count()).toBe(50);
    const widths = await lines("kl_mean").evaluateAll((all) =>
      all.map((one) => one.getAttribute("stroke-width")),
    );
    expect(widths.filter((width) => width === "2")).toHaveLength(1);
    const series = (await asked()).filter((one) => one.startsWith("series"));
    expect(series).toHaveLength(await page.locator("fd-overlay").count());
    expect((await asked()).filter((one) => one.startsWith("metrics"))).toEqual(["metrics 1"]);
    await page.getByRole("textbox", { name: "Filter runs" }).fill("sweep-4");
    await expect.poll(() => page.getByTestId("compare-run").count()).toBe(10);
    await page
      .getByTestId("compare-run")
      .last()
      .getByRole("button", { name: /^Actions for/ })
      .click();
    await page.getByRole("menuitem", { name: "Tell of This Pair" }).click();
    await expect.poll(async () => (await asked()).includes("metrics 49")).toBe(true);
  });
});

describe("what differs", () => {
  it("in the configuration is listed, false, 0, empty text, null and nothing told apart", async () => {
    await open("case=two");
    const row = (path: string) => page.locator(`[data-testid="diff-config-row"][data-path="${path}"]`);
    const values = async (path: string) =>
      (await row(path).locator("td").allTextContents()).map((one) => one.trim());
    expect(await values("use_vllm")).toEqual(["false", "not set"]);
    expect(await values("scheduler.warmup")).toEqual(["0", "null"]);
    expect(await values("suffix")).toEqual(['""', '"false"']);
    expect(await row("output_dir").count()).toBe(0);
    expect(await row("batch_size").count()).toBe(0);
    await page.getByRole("checkbox", { name: "Ignored too" }).click();
    await expect.poll(() => row("output_dir").count()).toBe(1);
    await page.getByRole("checkbox", { name: "Only differences" }).click();
    await expect.poll(() => row("batch_size").count()).toBe(1);
    await page.getByRole("button", { name: "Open as diff" }).click();
    expect(await actions()).toEqual([{ action: "diffConfig", other: 1 }]);
  });

  it("in the same prompt is one click from a diff", async () => {
    await open("case=two");
    const row = page.getByTestId("diff-prompt-row").first();
    expect(await row.textContent()).toMatch(
      /tell me about the tree :[\s\S]*0\.485[\s\S]*0\.99[\s\S]*\+0\.51/,
    );
    await row.getByRole("button", { name: /^Diff best/ }).click();
    await page.getByRole("button", { name: "Open all as changes" }).click();
    await expect.poll(async () => (await actions()).length).toBe(2);
    const [one, all] = (await actions()) as { action: string; pairs?: unknown[] }[];
    expect(one).toEqual({ action: "diffSamples", other: 1, a: 0, b: 1 });
    expect(all).toMatchObject({ action: "diffAllSamples", other: 1 });
    // Not only the ten that are shown.
    expect(all?.pairs).toHaveLength(24);
    await row.getByRole("button").first().click();
    expect(await page.locator(".cmp-best figure").count()).toBe(2);
  });

  it("in findings stands side by side, and leads to its run", async () => {
    await open("case=two");
    await page.getByTestId("tab-findings").click();
    const finding = page.locator('[data-testid="finding"][data-signature="REWARD_HACK_LENGTH"]');
    await finding.waitFor();
    expect(await finding.getAttribute("data-run")).toBe("1");
    expect(await finding.textContent()).toContain("from step 112");
    await finding.click();
    expect(await actions()).toEqual([{ action: "openRun", member: 1, finding: "REWARD_HACK_LENGTH" }]);
  });

  it("in results over seeds has its interval, and the method its name", async () => {
    await open("case=records");
    await page.getByTestId("tab-records").click();
    const row = page.getByTestId("record-row").first();
    await row.waitFor();
    expect(await row.textContent()).toMatch(/0\.41 ± 0\.012 \(n 3\)[\s\S]*\+0\.03 \[0\.004, 0\.056\]/);
    expect(await page.locator("#section-records").textContent()).toContain("Welch");
  });
});

describe("a metric that cannot be read", () => {
  it("says so in its place and is tried again; the others are there", async () => {
    await open("case=two");
    await fixture(({ host, session }) => {
      host.failing = ["loss"];
      session.zoom([10, 90]);
    });
    await chart("loss").getByTestId("chart-error").waitFor();
    expect(await chart("kl_mean").getByTestId("chart-error").count()).toBe(0);
    await fixture(({ host }) => {
      host.failing = [];
    });
    await chart("loss").getByRole("button", { name: "Retry" }).click();
    await expect.poll(() => chart("loss").getByTestId("chart-error").count()).toBe(0);
  });
});

it("hostile names are shown as text", async () => {
  await open("case=hostile");
  expect(await page.getByTestId("compare-run").first().textContent()).toContain("<img src=x><U+202E>evil");
  expect(await page.locator("img").count()).toBe(0);
  await page.getByRole("textbox", { name: "Filter metrics" }).fill("proto");
  await expect.poll(() => lines("__proto__").count()).toBe(2);
});

describe("everybody can use it", () => {
  it("by keys alone: from the runs over the ruler to the crosshair and the tables", async () => {
    await open("case=two");
    await page.locator("h1").focus();
    const seen: string[] = [];
    for (let i = 0; i < 60 && !seen.at(-1)?.includes("Open as diff"); i++) {
      await page.keyboard.press("Tab");
      seen.push(
        await page.evaluate(() => {
          const at = document.activeElement;
          return `${at?.getAttribute("role") ?? at?.localName} ${at?.getAttribute("aria-label") ?? at?.textContent?.trim()}`;
        }),
      );
    }
    const stops = [
      "grpo-baseline",
      "z: ",
      "KL to reference · 76",
      "Configuration",
      "Crosshair in",
      "Open as diff",
    ];
    const places = stops.map((stop) => seen.findIndex((one) => one.includes(stop)));
    expect(
      places.every((place) => place >= 0),
      seen.join(" | "),
    ).toBe(true);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  const themes = ["dark", "light", "hc-dark", "hc-light"] as const;
  it.each(themes.flatMap((theme) => [1280, 800].map((width) => [theme, width] as const)))(
    "without a fault that axe knows: %s at %i pixels",
    async (theme, width) => {
      await open(`case=records&theme=${theme}`, { width });
      await chart("kl_mean").first().locator(".cmp-title").click();
      await page.locator(".cmp-large fd-gap .cmp-band").waitFor();
      await page.getByTestId("tab-records").click();
      await settled();
      const require = createRequire(import.meta.url);
      await page.evaluate(await readFile(require.resolve("axe-core/axe.min.js"), "utf8"));
      const found = (await page.evaluate(
        "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')))",
      )) as string[];
      expect(found).toEqual([]);
    },
  );
});
