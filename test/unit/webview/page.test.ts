import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { PageBrowser, type PageOptions, READY } from "./browser.ts";

let browser: PageBrowser;
beforeAll(async () => {
  browser = await PageBrowser.start();
}, 120_000);
afterAll(() => browser?.close());

let page: Page;
/** Opens a case and waits until it is painted. */
async function open(query: string, options: PageOptions = {}): Promise<void> {
  page = await browser.open({ query, ...options });
  await page.waitForSelector(READY);
}
afterEach(async () => {
  const violations = await page.evaluate(() => window.fixture?.violations);
  const reports = await page.evaluate(() =>
    window.fixture?.host.actions.filter((a) => a.startsWith("report")),
  );
  await page.context().close();
  expect(violations, "refused by the page's policy").toEqual([]);
  expect(reports, "reported by the page").toEqual([]);
  expect(browser.errors.splice(0), "errors of the page").toEqual([]);
});

const chart = (metric: string): Locator => page.locator(`[data-testid="chart"][data-metric="${metric}"]`);
const drawn = (): Promise<number> => page.locator(".canvas svg").count();
const state = () => page.evaluate(() => window.fixture?.session.store.state);
const settled = (): Promise<unknown> => page.waitForSelector(READY);

/** Presses in a chart, drags and lets go: shares of the plot from left to right. */
async function drag(metric: string, from: number, to: number): Promise<void> {
  const box = await chart(metric).locator(".plot").boundingBox();
  if (!box) throw new Error(`no plot of ${metric}`);
  const x = (share: number): number => box.x + 46 + share * (box.width - 54);
  const y = box.y + box.height / 2;
  await page.mouse.move(x(from), y);
  await page.mouse.down();
  await page.mouse.move(x(to), y, { steps: 5 });
  await page.mouse.up();
  await settled();
}

describe("the charts", () => {
  it("show every metric near the visible part with its last value", async () => {
    await open("case=run");
    expect(await page.getByTestId("run-header").textContent()).toContain("100,000 steps");
    expect(await page.getByTestId("run-state").textContent()).toBe("finished");
    const last = Number(await chart("reward_mean").getAttribute("data-last"));
    expect(last).toBeGreaterThan(0.9);
    expect(await chart("reward_mean").locator(".last").textContent()).toBe(
      String(Math.round(last * 100) / 100),
    );
    expect(await chart("reward_mean").getAttribute("aria-label")).toMatch(
      /^Reward, step 1 to step 100,000\. last [\d.]+, lowest [\d.]+ at step [\d,]+, highest [\d.]+ at step [\d,]+$/,
    );
    expect(await drawn()).toBeGreaterThanOrEqual(12);
  });

  it("exist only near the visible part, however many metrics there are", async () => {
    await open("case=many");
    expect(await page.getByTestId("chart").count()).toBe(2005);
    expect(await drawn()).toBeLessThan(60);
    await chart("extra.metric_1990").scrollIntoViewIfNeeded();
    await expect.poll(() => chart("extra.metric_1990").locator(".canvas svg").count()).toBe(1);
    await expect.poll(() => chart("reward_mean").locator(".canvas").count()).toBe(0);
    expect(await drawn()).toBeLessThan(80);
  });

  it("say how many points lie outside, and show them when asked", async () => {
    await open("case=run");
    const outside = chart("kl_mean").getByRole("button", { name: "2 outside ↑" });
    const line = chart("kl_mean").locator(".canvas path[stroke-width='1']").first();
    const before = await line.getAttribute("d");
    await outside.click();
    await settled();
    expect(
      await chart("kl_mean").getByRole("button", { name: "full range" }).getAttribute("aria-pressed"),
    ).toBe("true");
    expect(await line.getAttribute("d")).not.toBe(before);
    await page.getByRole("checkbox", { name: "Full range" }).click();
    await settled();
    expect(await chart("grad_norm").getByRole("button", { name: "full range" }).count()).toBe(1);
  });

  it("mark and count what is no number", async () => {
    await open("case=run");
    await chart("loss").scrollIntoViewIfNeeded();
    await settled();
    expect(await chart("loss").locator(".chip.odd").allTextContents()).toEqual(["3 NaN", "1 +Inf"]);
    const marks = await chart("loss")
      .locator(".canvas path")
      .evaluateAll((all) => all.map((one) => one.getAttribute("d") ?? ""));
    expect(marks.some((d) => /^M[\d.]+,95\.5L/.test(d))).toBe(true);
    expect(marks.some((d) => /^M[\d.]+,7L[\d.]+,1L/.test(d))).toBe(true);
  });

  it("say why there is nothing to see", async () => {
    await open("case=odd");
    expect(await chart("odd.all_null").locator(".over").textContent()).toContain("no values");
    expect(await chart("odd.all_nan").locator(".over").textContent()).toContain("no finite values");
    for (const metric of ["constant", "flat_1e14", "huge_1e300", "both_1.7e308", "tiny"]) {
      const path = chart(`odd.${metric}`).locator(".canvas path[stroke-width='1']").first();
      expect(await path.getAttribute("d"), metric).toMatch(/^M-?[\d.]+,-?[\d.]+L/);
    }
  });

  it("find metrics by their names", async () => {
    await open("case=run");
    await page.getByRole("textbox", { name: "Filter metrics" }).fill("kl mean");
    await expect.poll(() => page.getByTestId("chart").count()).toBe(1);
    expect(await page.getByText("1 of 20 charts").isVisible()).toBe(true);
    await page.getByRole("textbox", { name: "Filter metrics" }).fill("nothing of the kind");
    await expect.poll(() => page.getByText("No metric matches the filter.").isVisible()).toBe(true);
  });

  it("fold with their group", async () => {
    await open("case=run");
    await page.getByRole("button", { name: "Reward 5" }).click();
    await expect.poll(() => chart("reward_mean").count()).toBe(0);
    expect((await state())?.closed).toEqual(["reward"]);
  });

  it("show what failed, and try again", async () => {
    await open("case=failing");
    const error = chart("reward_mean").getByTestId("chart-error");
    expect(await error.textContent()).toContain("This column could not be read");
    expect(await error.textContent()).toContain("Copy the file again");
    expect(await chart("reward_std").locator(".canvas svg").count()).toBe(1);
    await page.evaluate(() => {
      if (window.fixture) window.fixture.host.failing = [];
    });
    await error.getByRole("button", { name: "Retry" }).click();
    await expect.poll(() => chart("reward_mean").locator(".canvas svg").count()).toBe(1);
    expect(await error.count()).toBe(0);
  });

  it("take the theme's colours, and follow it", async () => {
    await open("case=short&theme=dark");
    const stroke = (): Promise<string | null> =>
      chart("reward_mean").locator(".canvas path[stroke-width='1']").first().getAttribute("stroke");
    expect(await stroke()).toBe("#59a4f9");
    await page.evaluate(() => window.fixture?.applyTheme("light"));
    await expect.poll(stroke).toBe("#0063d3");
  });
});

describe("crosshair and zoom", () => {
  it("the crosshair is in all charts, with the values of the nearest row", async () => {
    await open("case=short");
    const box = await chart("kl_mean").locator(".plot").boundingBox();
    if (!box) throw new Error("no plot");
    await page.mouse.move(box.x + 46 + (box.width - 54) / 2, box.y + 60);
    await expect.poll(() => page.locator(".readout").textContent()).toMatch(/^step 12[56] · \d\d:\d\d:\d\d$/);
    const step = Number((await page.locator(".readout b").textContent()) ?? "");
    for (const metric of ["reward_mean", "kl_mean", "entropy"]) {
      const value = await page.evaluate(
        async ([name, at]) => {
          const answer = await window.fixture?.session.client.call("chart.at", {
            x: "step",
            at: Number(at),
            metrics: [String(name)],
          });
          return answer?.values[0] ?? Number.NaN;
        },
        [metric, step],
      );
      const tip = (await chart(metric).locator(".tip").textContent()) ?? "";
      expect(Number(tip.replace("−", "-"))).toBeCloseTo(value, 2);
      expect(await chart(metric).locator(".dot:visible").count()).toBe(1);
    }
    expect(await chart("reward_components").locator(".dot:visible").count()).toBe(4);
    await page.mouse.move(5, 5);
    await expect.poll(() => page.locator(".cross:visible").count()).toBe(0);
  });

  it("a drag zooms all charts and asks again for what is visible; a double click shows everything", async () => {
    await open("case=run");
    await page.evaluate(() => window.fixture?.host.asked.splice(0));
    await drag("reward_mean", 0.25, 0.5);
    const range = (await state())?.range;
    expect(range?.[0]).toBeCloseTo(25_000, -3);
    expect(range?.[1]).toBeCloseTo(50_000, -3);
    const asked = await page.evaluate(() => window.fixture?.host.asked.length ?? 0);
    expect(asked).toBe(await drawn());
    expect(await page.getByTestId("zoom-range").textContent()).toMatch(
      /^steps 2[45],\d{3}–(49|50),\d{3} of 100,000$/,
    );
    expect(await chart("kl_mean").getAttribute("aria-label")).toMatch(
      /step 2[45],\d{3} to step (49|50),\d{3}/,
    );
    await chart("kl_mean").locator(".plot").dblclick();
    await settled();
    expect((await state())?.range).toBeNull();
    expect(await page.getByTestId("zoom-range").count()).toBe(0);
  });

  it("a click is no zoom", async () => {
    await open("case=short");
    await chart("kl_mean").locator(".plot").click();
    expect((await state())?.range).toBeNull();
  });

  it("everything works by keys, and is said", async () => {
    await open("case=short");
    const plot = chart("entropy").locator(".plot");
    await plot.focus();
    await page.keyboard.press("Home");
    await expect.poll(() => plot.getAttribute("aria-valuetext")).toMatch(/^step 1, [\d.]+$/);
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => plot.getAttribute("aria-valuetext")).toMatch(/^step 2, [\d.]+$/);
    for (let i = 0; i < 3; i++) await page.keyboard.press("Shift+PageDown");
    await page.keyboard.press("Enter");
    await settled();
    const range = (await state())?.range;
    expect(range?.[0]).toBe(2);
    expect(range?.[1]).toBeGreaterThan(60);
    await page.keyboard.press("-");
    await settled();
    // Twice as much, around the crosshair, which stands at the end.
    expect((await state())?.range).toEqual([1, range?.[1]]);
    await page.keyboard.press("Escape");
    await settled();
    expect((await state())?.range).toBeNull();
    await page.keyboard.press("+");
    await settled();
    expect((await state())?.range).not.toBeNull();
    await page.keyboard.press("0");
    await settled();
    expect((await state())?.range).toBeNull();
  });

  it("another x axis keeps the part of the run that is shown", async () => {
    await open("case=short");
    await drag("reward_mean", 0.4, 0.6);
    const [from = 0, to = 0] = (await state())?.range ?? [];
    await page.getByRole("combobox", { name: "X axis" }).click();
    await page.getByRole("option", { name: "Relative time" }).click();
    await settled();
    expect((await state())?.range).toEqual([from, to]);
    expect(await chart("reward_mean").getAttribute("aria-label")).toContain("3 m");
  });

  it("without times there is only the step", async () => {
    await open("case=timeless");
    await page.getByRole("combobox", { name: "X axis" }).click();
    expect(await page.getByRole("option", { name: "Wall time" }).getAttribute("aria-disabled")).toBe("true");
  });
});

describe("the other tabs", () => {
  it("events come page by page and by kind, and lead to their step", async () => {
    await open("case=odd");
    await page.getByTestId("tab-events").click();
    await settled();
    expect(await page.getByTestId("event-row").count()).toBe(200);
    expect(await page.getByText("1–200 of 12,345").isVisible()).toBe(true);
    await page.getByRole("button", { name: "Next" }).click();
    await expect.poll(() => page.getByText("201–400 of 12,345").isVisible()).toBe(true);
    await page.getByRole("combobox", { name: "Kind of event" }).click();
    await page.getByRole("option", { name: /^crash/ }).click();
    await expect.poll(() => page.getByText("1–200 of 1,763").isVisible()).toBe(true);
    expect(
      new Set(
        await page
          .getByTestId("event-row")
          .evaluateAll((all) => all.map((row) => row.getAttribute("data-kind"))),
      ),
    ).toEqual(new Set(["crash"]));
    await page.getByRole("combobox", { name: "Kind of event" }).click();
    await page.getByRole("option", { name: /^checkpoint/ }).click();
    await expect
      .poll(() => page.getByTestId("event-row").first().getAttribute("data-kind"))
      .toBe("checkpoint");
    await page.getByTestId("event-row").nth(150).getByRole("button").click();
    await settled();
    expect((await state())?.tab).toBe("charts");
    const step = 34;
    expect((await state())?.range?.[0]).toBeLessThan(step);
    expect((await state())?.range?.[1]).toBeGreaterThan(step);
    expect((await state())?.pin).toBe(step);
  });

  it("events are those of the steps that are shown; the one pointed out is marked", async () => {
    await open("case=odd");
    await page.getByTestId("tab-events").click();
    await page.evaluate(() => window.fixture?.session.zoom([100, 119]));
    await expect.poll(() => page.getByTestId("events-range").textContent()).toBe("in steps 100–119 of 400");
    const steps = await page.locator("[data-testid=event-row] td.num").allTextContents();
    const numbers = steps.map((text) => Number(text.trim())).filter((step) => !Number.isNaN(step));
    expect(numbers.length).toBeGreaterThan(100);
    expect(Math.min(...numbers)).toBe(100);
    await page.evaluate(() => window.fixture?.session.pick(115));
    const picked = page.locator("tr.picked");
    await expect.poll(() => picked.first().locator("td.num").textContent()).toContain("115");
    expect(await picked.first().evaluate((row) => row.getBoundingClientRect().top < innerHeight)).toBe(true);
    await page.evaluate(() => window.fixture?.session.zoom(null));
    await expect.poll(() => page.getByTestId("events-range").count()).toBe(0);
  });

  it("the configuration shows every value as it was, and finds them", async () => {
    await open("case=clean");
    await page.getByTestId("tab-configuration").click();
    await settled();
    const value = (path: string): Promise<string | null> =>
      page.locator(`[data-path="${path}"] td`).textContent();
    expect((await value("bf16"))?.trim()).toBe("false");
    expect((await value("beta"))?.trim()).toBe("0");
    expect((await value("loss_type"))?.trim()).toBe('""');
    expect(await page.getByText("12 more values not shown.").isVisible()).toBe(true);
    await page.getByRole("textbox", { name: "Filter configuration" }).fill("torch");
    await expect.poll(() => page.getByTestId("config-row").count()).toBe(1);
  });

  it("records are there when there are some", async () => {
    await open("case=run");
    await page.getByTestId("tab-records").click();
    await settled();
    expect(await page.getByTestId("record-row").count()).toBe(4);
    expect(await page.locator('[data-hash="mismatch"]').textContent()).toContain("does not match");
    await page.context().close();
    await open("case=clean");
    expect(await page.getByTestId("tab-records").count()).toBe(0);
  });

  it("a folder of run records alone has no charts", async () => {
    await open("case=records");
    expect(await page.getByTestId("tab-charts").count()).toBe(0);
    expect(await page.getByTestId("tab-records").count()).toBe(1);
  });
});

describe("what is remembered", () => {
  it("tab, zoom, axis, filters, folds and scroll come back after a reload", async () => {
    await open("case=run");
    await drag("reward_mean", 0.3, 0.6);
    await page.getByRole("button", { name: "KL 3" }).click();
    await page.locator(".scroller.charts").evaluate((list) => list.scrollTo({ top: 300 }));
    await page.getByTestId("tab-events").click();
    await settled();
    const before = await state();
    expect(before?.scroll.charts).toBe(300);
    await page.reload();
    await page.waitForSelector(READY);
    expect(await state()).toEqual(before);
    expect(await page.getByTestId("event-row").first().isVisible()).toBe(true);
    await page.getByTestId("tab-charts").click();
    await settled();
    await expect.poll(() => page.locator(".scroller.charts").evaluate((list) => list.scrollTop)).toBe(300);
    expect(await chart("kl_mean").count()).toBe(0);
    expect(await page.getByTestId("zoom-range").isVisible()).toBe(true);
  });

  it("a lost worker costs nothing that is on the page: everything is asked again", async () => {
    await open("case=run");
    await drag("reward_mean", 0.3, 0.6);
    const before = await state();
    const count = await drawn();
    await page.evaluate(() => {
      window.fixture?.host.asked.splice(0);
      window.fixture?.host.server.notify("reopened", { reason: "the worker was lost" });
    });
    const charts = () =>
      page.evaluate(() => window.fixture?.host.asked.filter((one) => !one.startsWith("diagnose")).length);
    await expect.poll(charts).toBe(count);
    await settled();
    expect(await charts()).toBe(count);
    expect(await state()).toEqual(before);
    expect(await drawn()).toBe(count);
  });
});

describe("without a run to show", () => {
  it("a refused run says why, which file, what to do, and tries again", async () => {
    await open("case=refused");
    const refused = page.getByTestId("refused-state");
    const text = await refused.textContent();
    for (const part of [
      "ppo-from-next-year",
      "version 3",
      "manifest.json",
      "Update Flight Deck.",
      "schema-version",
    ]) {
      expect(text).toContain(part);
    }
    await refused.getByRole("button", { name: "Show Log" }).click();
    await refused.getByRole("button", { name: "Retry" }).click();
    await page.waitForSelector(READY);
    expect(await page.getByTestId("refused-state").count()).toBe(1);
    expect(await page.evaluate(() => window.fixture?.host.actions)).toEqual(["showLog"]);
  });

  it("an empty folder offers what to open instead", async () => {
    await open("case=empty");
    await page.getByTestId("empty-state").getByRole("button", { name: "Open Run…" }).click();
    await page.getByTestId("empty-state").getByRole("button", { name: "Open Demo Run" }).click();
    expect(await page.getByRole("button", { name: "Open Its Step Files Anyway" }).count()).toBe(0);
    expect(await page.evaluate(() => window.fixture?.host.actions)).toEqual(["openRun", "openDemo"]);
  });

  it("loose step files can be opened all the same", async () => {
    await open("case=loose");
    await page.getByRole("button", { name: "Open Its Step Files Anyway" }).click();
    await expect.poll(() => page.getByTestId("run-header").count()).toBe(1);
  });

  it("a run without steps says so", async () => {
    await open("case=fresh");
    expect(await page.getByText("No steps are recorded in this run").isVisible()).toBe(true);
    expect(await page.getByTestId("run-state").textContent()).toBe("running");
  });

  it("a run whose steps could not be read says so, and why", async () => {
    await open("case=unread");
    expect(await page.getByText("No steps are recorded").count()).toBe(0);
    const words = await page.getByTestId("steps-unread").textContent();
    for (const part of ["The steps could not be read.", "ends at byte 653", "steps.parquet", "Copy the file"])
      expect(words).toContain(part);
  });

  it("what reading its columns finds is said without being asked for", async () => {
    await open("case=clean");
    expect(await page.getByTestId("warnings-toggle").count()).toBe(0);
    await page.evaluate(() => {
      const { host, session } = window.fixture ?? {};
      const remedy = "Look at the training.";
      const found = { code: "non-finite", file: "steps.parquet", message: "Three are no numbers.", remedy };
      if (host) host.found = [{ ...found, count: 3, level: "info" }];
      session?.zoom([100, 200]);
    });
    await expect.poll(() => page.getByTestId("warnings-toggle").textContent()).toContain("1 note");
  });

  it("while it waits it is not ready", async () => {
    page = await browser.open({ query: "case=loading" });
    await page.waitForSelector(".bones");
    expect(await page.locator("#root").getAttribute("data-ready")).toBe("false");
  });
});

describe("text of a recording", () => {
  it("stays text, and what is invisible in it is named", async () => {
    await open("case=hostile");
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.locator("h1 b").count()).toBe(0);
    expect(await page.locator("h1").textContent()).toContain("run <b>bold</b> <U+202E>gnihton<U+202C>");
    for (const name of ["__proto__", "constructor", "<img src=x onerror=alert(1)>", "a/b.c d"]) {
      expect(await page.getByRole("heading", { name, exact: true }).count(), name).toBe(1);
      expect(await chart(`extra.${name}`).locator(".canvas svg").count(), name).toBe(1);
    }
    expect(await page.getByText("<U+200B>").first().isVisible()).toBe(true);
  });
});

describe("for everybody", () => {
  const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
  const themes = ["dark", "light", "hc-dark", "hc-light"] as const;
  const tabs = ["charts", "events", "configuration", "records"] as const;

  async function problems(): Promise<string[]> {
    await page.evaluate(`${await readFile(axe, "utf8")};0`);
    return page.evaluate(async () => {
      const { violations } = await Reflect.get(window, "axe").run(document, { resultTypes: ["violations"] });
      return violations.map(
        (one: { id: string; nodes: { html: string }[] }) => `${one.id}: ${one.nodes[0]?.html}`,
      );
    });
  }

  it.each(themes)("axe finds nothing in %s", async (theme) => {
    await open(`case=odd&theme=${theme}`);
    for (const tab of tabs) {
      await page.getByTestId(`tab-${tab}`).click();
      await settled();
      expect(await problems(), `${theme} ${tab}`).toEqual([]);
    }
  });

  it.each(themes)("axe finds nothing in %s with a part shown, a table, a menu and notices", async (theme) => {
    await open(`case=run&theme=${theme}`);
    await page.evaluate(() => {
      const { session, host } = window.fixture ?? {};
      session?.zoom([20_000, 60_000]);
      session?.prefs.change({ smoothing: 0.6, pinned: ["kl_mean"], hidden: ["entropy"] });
      session?.store.dispatch({ type: "table", chart: "reward_components" });
      session?.store.dispatch({ type: "logAll", on: true });
      void session?.pick(30_000);
      const problem = { code: "worker-refused", message: "It ended the reader.", file: "", remedy: "Retry." };
      host?.server.notify("stopped", { problem });
    });
    await page.getByTestId("stopped").waitFor();
    await settled();
    await chart("reward_std").locator("button.more").click();
    expect(await problems()).toEqual([]);
  });

  it.each(["refused", "loose", "failing", "run"])(
    "axe finds nothing in the case %s at 800 pixels",
    async (name) => {
      await open(`case=${name}&theme=light`, { width: 800 });
      expect(await problems()).toEqual([]);
    },
  );

  it("warnings name code, file, problem, remedy and count, in any width", async () => {
    for (const width of [1280, 800]) {
      await open("case=run", { width });
      const first = page.getByTestId("warning").first();
      const text = await first.textContent();
      for (const part of ["steps/part-00041.parquet", "part-incomplete", "cut off", "copy the file again"])
        expect(text).toContain(part);
      expect(await first.isVisible()).toBe(true);
      expect(await page.getByTestId("warning").nth(1).textContent()).toContain("×3");
      await page.getByTestId("aside-hide").click();
      await expect.poll(() => page.getByTestId("warning").count()).toBe(0);
      // The count leads back to what it counts, wherever that was.
      for (const press of ["mouse", "keyboard"]) {
        if (press === "mouse") await page.getByTestId("warnings-toggle").click();
        else await page.getByTestId("warnings-toggle").press("Enter");
        const isThere = () => first.evaluate((one) => one === document.activeElement);
        await expect.poll(isThere).toBe(true);
        const [box, side] = await Promise.all([first.boundingBox(), page.locator("aside").boundingBox()]);
        expect(box && side && box.y >= side.y && box.y < side.y + side.height).toBe(true);
        expect(await first.evaluate((one) => getComputedStyle(one).outlineStyle)).toBe("solid");
        await page.evaluate(() => document.querySelector("#aside")?.scrollTo({ top: 0 }));
      }
      if (width === 1280) await page.context().close();
    }
  });

  it("nothing beside the state moves when its reason changes while a run goes on", async () => {
    const place = async () => {
      const boxes = [page.locator("header.run .facts"), page.locator("header.run .reason")];
      const [facts, reason] = await Promise.all(boxes.map((box) => box.boundingBox()));
      return { facts, reason };
    };
    for (const [name, width] of [
      ["live", 920],
      ["fresh", 1280],
    ] as const) {
      await open(`case=${name}`, { width });
      const { facts, reason } = await place();
      expect(facts && reason && facts.y >= reason.y + reason.height, name).toBe(true);
      expect(facts?.x, name).toBe(16);
      if (name === "live") await page.context().close();
    }
  });

  it("the reason of the state can be read", async () => {
    await open("case=odd");
    expect(await page.getByText("The last event is a crash: CUDA out of memory.").isVisible()).toBe(true);
  });

  it("the reason of the state is never cut, whatever the width", async () => {
    const reason =
      "The last event is a crash: CUDA out of memory. Tried to allocate 2.00 GiB, of which 1.20 GiB are free on device 3.";
    await open("case=odd", { width: 500 });
    await page.evaluate((stateReason) => {
      const session = window.fixture?.session;
      if (session?.overview) session.overview = { ...session.overview, stateReason };
      (document.querySelector("fd-app") as unknown as { requestUpdate(): void } | null)?.requestUpdate();
    }, reason);
    const shown = page.locator("#state-reason");
    await expect.poll(() => shown.textContent()).toBe(reason);
    expect(await shown.getAttribute("title")).toBe(reason);
    const cut = await shown.evaluate(
      (e) => e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1,
    );
    expect(cut).toBe(false);
    expect(await shown.evaluate((e) => e.getClientRects().length && getComputedStyle(e).whiteSpace)).toBe(
      "normal",
    );
  });

  it("names of folders and runs keep their direction to themselves", async () => {
    await open("case=hostile");
    for (const place of ["h1", ".facts span", ".facts-list dd", ".chart-head h3", ".reason"]) {
      const isolated = await page
        .locator(`${place} > .rec`)
        .first()
        .evaluate((e) => getComputedStyle(e).unicodeBidi);
      expect(isolated, place).toBe("isolate");
    }
  });

  it("records without a recording are not called nothing", async () => {
    await open("case=records");
    expect(await page.locator("#state-reason").textContent()).toContain("run records only");
    expect(await page.getByText("Nothing has been recorded here yet").count()).toBe(0);
  });

  it("a flood of events can be gone through by page, and what is not held is said", async () => {
    await open("case=flood");
    await page.getByTestId("tab-events").click();
    await settled();
    expect(await page.getByTestId("events-held").textContent()).toBe("5,000 of 1,000,000 held");
    const rows = page.getByTestId("event-row");
    const place = () => page.locator("fd-events .tools").textContent();
    const number = page.getByRole("spinbutton", { name: /Page/ });
    const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
    expect(await place()).toContain("1–200 of 5,000");
    await press("Last");
    await expect.poll(place).toContain("4,801–5,000 of 5,000");
    await expect.poll(() => number.inputValue()).toBe("25");
    await number.fill("7");
    await number.press("Enter");
    await expect.poll(place).toContain("1,201–1,400 of 5,000");
    await number.fill("99");
    await number.press("Enter");
    await expect.poll(place).toContain("4,801–5,000 of 5,000");
    expect(await number.inputValue()).toBe("25");
    await press("First");
    await expect.poll(place).toContain("1–200 of 5,000");
    await press("Next");
    await expect.poll(place).toContain("201–400 of 5,000");
    await press("Previous");
    await expect.poll(place).toContain("1–200 of 5,000");
    expect(await rows.count()).toBe(200);
  });

  it("nothing hangs over the edge, from 500 pixels up", async () => {
    for (const width of [500, 800, 1280]) {
      await open("case=hostile", { width });
      const over = await page.evaluate(() => {
        const wide = [...document.querySelectorAll("header.run, .tools, .chart-head, .warnings, .plot")];
        return wide.filter((e) => e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.className);
      });
      expect(over, `${width}`).toEqual([]);
      if (width !== 1280) await page.context().close();
    }
  });
});
