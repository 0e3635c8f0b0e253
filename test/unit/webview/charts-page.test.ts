import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ChartPrefs } from "../../../src/protocol/prefs.ts";
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

const prefs = (): Promise<ChartPrefs | null | undefined> =>
  run.page.evaluate(() => window.fixture?.host.prefs);
const lines = (metric: string) => run.chart(metric).locator(".canvas path[stroke-width]");
const menu = async (metric: string, item: string) => {
  await run.chart(metric).locator("button.more").click();
  await run.page
    .getByRole("menu")
    .getByRole(/^(Move|Hide|Show|Copy|Save)/.test(item) ? "menuitem" : "menuitemcheckbox", { name: item })
    .click();
  await run.settled();
};
/** Of an upright line with what is behind it. */
const contrast = (line: Element): number => {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  if (!context) return Number.NaN;
  const light = (...layers: string[]): number => {
    for (const layer of layers) {
      context.fillStyle = layer;
      context.fillRect(0, 0, 1, 1);
    }
    const [r = 0, g = 0, b = 0] = [...context.getImageData(0, 0, 1, 1).data].map((part) =>
      part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const paper = getComputedStyle(document.body).backgroundColor;
  const [a, b] = [light(paper), light(paper, getComputedStyle(line).borderLeftColor)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
};
const order = (group: string) =>
  run.page
    .locator(`[data-group="${group}"] [data-testid=chart]`)
    .evaluateAll((all) => all.map((one) => one.getAttribute("data-metric")));

describe("going by keys", () => {
  it("leads past findings and notes in one step", async () => {
    await open("case=run");
    await run.page.getByRole("slider", { name: "Last step shown" }).focus();
    const skip = run.page.getByRole("button", { name: "Skip to the tabs" });
    expect((await skip.boundingBox())?.width).toBeLessThan(3);
    await run.page.keyboard.press("Tab");
    await run.page.keyboard.press("Tab");
    await expect.poll(async () => (await skip.boundingBox())?.width).toBeGreaterThan(60);
    await run.page.keyboard.press("Enter");
    expect(await run.page.evaluate(() => document.activeElement?.getAttribute("data-tab"))).toBe("charts");
  });
});

describe("what comes and goes", () => {
  const top = async (of: string) => (await run.page.locator(of).first().boundingBox())?.y;

  it("moves no chart: the readout, on a narrow page", async () => {
    await open("case=sick", { width: 442, height: 900 });
    const before = await top(".scroller.charts");
    await run.page.locator("fd-chart .plot").first().hover();
    await expect.poll(() => run.page.locator(".readout").textContent()).toMatch(/^step \d/);
    expect(await top(".scroller.charts")).toBe(before);
  });

  it.each([442, 800, 1280])("moves no chart: range and samples of a step, at %i pixels", async (width) => {
    await open("case=sick", { width });
    const before = await top("fd-timeline");
    await run.page.evaluate(() => {
      const { session } = window.fixture ?? {};
      session?.zoom([100, 200]);
      session?.store.dispatch({ type: "pin", step: 150 });
    });
    await run.page.getByTestId("zoom-range").waitFor();
    await run.page.getByTestId("pin-samples").waitFor();
    expect(await top("fd-timeline")).toBe(before);
  });
});

describe("the x axis", () => {
  it("can be time as soon as it is known that there are times", async () => {
    const page = await browser.open({ query: "case=late-axis" });
    run = new Opened(page, browser);
    const time = page.locator("fd-select [role=option]", { hasText: "Wall time" });
    await run.chart("reward_mean").locator(".canvas svg").waitFor();
    await page.locator(".smoothing").waitFor();
    expect(await time.getAttribute("aria-disabled")).toBe("true");
    await page.evaluate(() => window.fixture?.host.letAxis());
    await expect.poll(() => time.getAttribute("aria-disabled")).toBe("false");
    await run.settled();
  });
});

describe("a heat map", () => {
  it("says what is under the pointer, and by keys what its column holds", async () => {
    await open("case=short");
    const plot = run.chart("kl_positional").locator(".plot");
    const tip = run.chart("kl_positional").locator(".tip");
    await plot.scrollIntoViewIfNeeded();
    const box = await plot.boundingBox();
    if (!box) throw new Error("no plot");
    const seen = new Set<string | null>();
    for (const down of [0.2, 0.5]) {
      await run.page.mouse.move(box.x + box.width / 2, box.y + box.height * down);
      await expect.poll(() => tip.textContent()).toMatch(/^position \d+: −?[\d.e−]+$/);
      seen.add(await tip.textContent());
    }
    expect(seen.size).toBe(2);
    await run.page.mouse.move(2, 2);
    await expect.poll(() => tip.isVisible()).toBe(false);
    await plot.focus();
    for (const key of ["ArrowRight", "ArrowRight"]) await run.page.keyboard.press(key);
    await expect.poll(() => tip.textContent()).toMatch(/^[\d.−e]+ to [\d.−e]+, most at \d+$/);
    expect(await plot.getAttribute("aria-valuetext")).toBe(`step 2, ${await tip.textContent()}`);
  });

  it("is a table too: a row for each of its columns", async () => {
    await open("case=short");
    const chart = run.chart("kl_positional");
    await menu("kl_positional", "Table of Values");
    await chart.getByRole("rowheader").first().waitFor();
    const head = await chart.getByRole("columnheader").allTextContents();
    expect(head.slice(0, 3)).toEqual(["step", "0", "1"]);
    const rows = await chart.getByRole("rowheader").allTextContents();
    expect(rows[0]).toMatch(/^1(–\d+)?$/);
    const cells = await chart.locator("tbody tr").first().locator("td").allTextContents();
    expect(cells).toHaveLength(head.length - 1);
    for (const cell of cells) expect(cell).toMatch(/^(–|−?[\d.e−]+)$/);
    await run.page.evaluate(() => window.fixture?.session.zoom([40, 60]));
    await expect.poll(() => chart.getByRole("rowheader").first().textContent()).toMatch(/^40(–\d+)?$/);
    await menu("kl_positional", "Table of Values");
    await chart.locator("canvas.heat").waitFor();
  });
});

describe("curves", () => {
  it("are smoothed over the raw ones, which step back and stay", async () => {
    await open("case=short");
    const raw = await lines("reward_mean").first().getAttribute("d");
    const color = await lines("reward_mean").first().getAttribute("stroke");
    await run.page.getByRole("slider", { name: "Smoothing" }).fill("60");
    await expect.poll(() => lines("reward_mean").count()).toBe(2);
    await run.settled();
    expect(await lines("reward_mean").first().getAttribute("d")).toBe(raw);
    expect(await lines("reward_mean").first().getAttribute("stroke")).not.toBe(color);
    expect(await lines("reward_mean").nth(1).getAttribute("stroke")).toBe(color);
    await expect.poll(async () => (await prefs())?.smoothing).toBe(0.832);
    await run.page.getByRole("slider", { name: "Smoothing" }).fill("0");
    await expect.poll(() => lines("reward_mean").count()).toBe(1);
  });

  it("on a logarithmic axis say what it cannot show", async () => {
    await open("case=short");
    await run.page.getByRole("checkbox", { name: "Log" }).click();
    const chip = run.chart("reward_min").locator(".chip.odd");
    await expect.poll(() => chip.textContent()).toMatch(/^\d+ ≤ 0$/);
    expect(await chip.getAttribute("title")).toContain("a logarithmic axis cannot show");
    expect(await run.chart("reward_min").getAttribute("aria-label")).toMatch(/\d+ ≤ 0/);
    await menu("approx_kl", "Logarithmic");
    expect(await run.chart("approx_kl").getByText("log", { exact: true }).count()).toBe(0);
    expect(await run.chart("reward_min").getByText("log", { exact: true }).count()).toBe(1);
  });

  it("show a step that was clicked in all charts, until it is let go", async () => {
    await open("case=short");
    const plot = run.chart("kl_mean").locator(".plot");
    await plot.click({ position: { x: 150, y: 60 } });
    await expect.poll(async () => (await run.state()).pin).toBeGreaterThan(50);
    const { pin } = await run.state();
    await run.page.mouse.move(5, 5);
    await expect
      .poll(() => run.page.locator(".readout").textContent())
      .toMatch(new RegExp(`^pinned step ${pin} `));
    for (const metric of ["reward_mean", "entropy"]) {
      expect(await run.chart(metric).locator(".pin:visible").count()).toBe(1);
      expect(await run.chart(metric).locator(".tip:visible").count()).toBe(1);
    }
    expect(await run.page.locator(".tl-pin:visible").count()).toBe(1);
    await run.page.reload();
    await run.settled();
    await expect.poll(() => run.chart("entropy").locator(".pin:visible").count()).toBe(1);
    await plot.focus();
    await run.page.keyboard.press("Escape");
    await expect.poll(async () => (await run.state()).pin).toBeNull();
    expect(await run.page.locator(".pin:visible, .tl-pin:visible").count()).toBe(0);
  });

  it.each(["dark", "light", "hc-dark", "hc-light"])("mark that step plainly in %s", async (theme) => {
    await open(`case=short&theme=${theme}`);
    await run
      .chart("kl_mean")
      .locator(".plot")
      .click({ position: { x: 150, y: 60 } });
    for (const line of [run.chart("kl_mean").locator(".pin"), run.page.locator(".tl-pin")]) {
      await expect.poll(() => line.isVisible()).toBe(true);
      expect(await line.evaluate(contrast), theme).toBeGreaterThan(3);
    }
  });

  it("have dots in their own colours under the crosshair, whatever the theme becomes", async () => {
    await open("case=short&theme=dark");
    const dot = run.chart("kl_mean").locator(".dot:visible");
    await run
      .chart("kl_mean")
      .locator(".plot")
      .click({ position: { x: 150, y: 60 } });
    await dot.waitFor();
    await run.page.evaluate(() => window.fixture?.applyTheme("light"));
    await expect
      .poll(() => dot.evaluate((element) => getComputedStyle(element).borderTopColor))
      .toBe("rgb(0, 99, 211)");
  });

  it("keep the crosshair's step and its exact values when they are drawn anew at another width", async () => {
    await open("case=run");
    const plot = run.chart("kl_mean").locator(".plot");
    await plot.focus();
    await run.page.evaluate(() => window.fixture?.session.cursor.move(23_456));
    const metrics = ["reward_mean", "reward_std", "kl_mean"];
    const exact = await run.page.evaluate(async (metrics) => {
      const { session } = window.fixture ?? {};
      const at = await session?.client.call("chart.at", { x: "step", at: 23_456, metrics });
      return at?.values ?? [];
    }, metrics);
    const near = (text: string | null, value: number | null | undefined) =>
      expect(Math.abs(Number(text?.replace("−", "-")) - Number(value))).toBeLessThan(
        0.006 * Math.abs(Number(value)),
      );
    const tips = async () => {
      for (const [i, metric] of metrics.entries())
        near(await run.chart(metric).locator(".tip").textContent(), exact[i]);
      expect(await run.page.locator(".readout").textContent()).toMatch(/^step 23,456 /);
      expect(await plot.getAttribute("aria-valuetext")).toMatch(/^step 23,456, /);
      near((await plot.getAttribute("aria-valuetext"))?.split(", ")[1] ?? null, exact[2]);
    };
    await expect.poll(() => plot.getAttribute("aria-valuetext")).toMatch(/^step 23,456, /);
    await tips();
    for (const width of [800, 1280, 640]) {
      const asked = () => run.page.evaluate(() => window.fixture?.host.asked.length ?? 0);
      const before = await asked();
      await run.page.setViewportSize({ width, height: 800 });
      await expect.poll(asked).toBeGreaterThan(before);
      await run.settled();
      await tips();
    }
  });

  it("tell the crosshair's time as the axis does, and the zone where it is a wall time", async () => {
    await open("case=short");
    const readout = run.page.locator(".readout");
    await run.page.evaluate(() => window.fixture?.session.cursor.move(60));
    await expect.poll(() => readout.textContent()).toMatch(/^step 60 · \d\d:\d\d:\d\d$/);
    expect(await readout.getAttribute("title")).toMatch(/ \(local time, UTC[+−]\d\d:\d\d\)$/);
    await run.page.getByRole("combobox", { name: "X axis" }).click();
    await run.page.getByRole("option", { name: "Relative time" }).click();
    await run.page.evaluate(() => window.fixture?.session.cursor.move(129.8));
    await expect.poll(() => readout.textContent()).toBe("step 60 · 2 m 10 s in");
  });

  it("show the step under the crosshair by Space and Enter too", async () => {
    await open("case=short");
    await run.chart("entropy").locator(".plot").focus();
    await run.page.keyboard.press("Home");
    await run.page.keyboard.press(" ");
    await expect.poll(async () => (await run.state()).pin).toBe(1);
    await run.page.keyboard.press("PageDown");
    await run.page.keyboard.press("Enter");
    await expect.poll(async () => (await run.state()).pin).toBeGreaterThan(10);
  });
});

describe("a chart's title", () => {
  it.each([1440, 1280, 800, 500])("can be read beside any number of chips at %i pixels", async (width) => {
    await open("case=crowded", { width });
    const heads = await run.page.locator(".chart-head").evaluateAll((all) =>
      all.map((head) => {
        const box = (selector: string) => {
          const found = [...head.querySelectorAll(selector)].map((one) => one.getBoundingClientRect());
          return found.map(({ left, right, top, bottom }) => ({ left, right, top, bottom }));
        };
        const [title] = box("h3");
        const full = head.querySelector("h3")?.getAttribute("title") ?? "";
        return { head: head.getBoundingClientRect().right, title, full, rest: box(".last, .chip, .more") };
      }),
    );
    expect(heads).toHaveLength(3);
    for (const { head, title, full, rest } of heads) {
      expect(full).toMatch(/^Gradient norm before clipping, [abc] \(crowded\.[abc]\)$/);
      expect((title?.right ?? 0) - (title?.left ?? 0)).toBeGreaterThan(70);
      expect(rest.length).toBe(6);
      for (const [i, one] of rest.entries()) {
        expect(one.right).toBeLessThanOrEqual(head + 1);
        for (const other of [title, ...rest.slice(0, i)].filter((b) => b !== undefined)) {
          const apart =
            one.left >= other.right - 0.5 ||
            other.left >= one.right - 0.5 ||
            one.top >= other.bottom - 1.5 ||
            other.top >= one.bottom - 1.5;
          expect(apart, JSON.stringify([one, other])).toBe(true);
        }
      }
    }
  });
});

describe("a chart's table", () => {
  it("takes the picture's place, follows the part of the run and the step", async () => {
    await open("case=short");
    await menu("reward_components", "Table of Values");
    const table = run.chart("reward_components").getByRole("table");
    expect(await table.getByRole("columnheader").allTextContents()).toEqual(
      ["step", "time", "correctness", "format", "length", "style/tone"].map((text) =>
        expect.stringContaining(text),
      ),
    );
    expect(await table.getByRole("rowheader").count()).toBe(100);
    await run.page.evaluate(() => window.fixture?.session.zoom([40, 49]));
    await expect.poll(() => table.getByRole("rowheader").count()).toBe(10);
    await table.getByRole("button", { name: "44", exact: true }).click();
    await expect.poll(async () => (await run.state()).pin).toBe(44);
    expect(await table.locator("tr.picked").count()).toBe(1);
    await menu("reward_components", "Table of Values");
    await expect.poll(() => run.chart("reward_components").locator(".canvas svg").count()).toBe(1);
    expect(await table.count()).toBe(0);
  });

  it("goes through long stretches a page at a time", async () => {
    await open("case=short");
    await menu("kl_mean", "Table of Values");
    expect(await run.chart("kl_mean").locator(".pages").textContent()).toContain("1–100 of 250 rows");
    await run.chart("kl_mean").getByRole("button", { name: "Next" }).click();
    await expect
      .poll(() => run.chart("kl_mean").getByRole("rowheader").first().textContent())
      .toContain("101");
  });
});

describe("the order of charts", () => {
  it("is changed by menu: pinned, moved, hidden and shown again; and kept", async () => {
    await open("case=short");
    await menu("grad_norm", "Pin to Top");
    expect(await order(":pinned")).toEqual(["grad_norm"]);
    expect(await order("optimization")).toEqual(["loss", "learning_rate"]);
    await menu("reward_min", "Move Earlier");
    expect((await order("reward")).slice(0, 3)).toEqual(["reward_mean", "reward_min", "reward_std"]);
    await menu("reward_mean", "Hide");
    expect(await run.chart("reward_mean").count()).toBe(0);
    expect(await run.page.getByText("1 hidden").isVisible()).toBe(true);
    await expect.poll(prefs).toMatchObject({
      pinned: ["grad_norm"],
      hidden: ["reward_mean"],
      order: expect.arrayContaining(["reward_min"]),
    });
    await run.page.getByRole("button", { name: "How charts are shown" }).click();
    await run.page.getByRole("menuitemcheckbox", { name: /^List Hidden/ }).click();
    await expect.poll(() => order(":hidden")).toEqual(["reward_mean"]);
    await menu("reward_mean", "Show Again");
    await expect.poll(() => order("reward")).toContain("reward_mean");
  });

  it("is changed by dragging a title within its group", async () => {
    await open("case=short");
    const title = await run.chart("reward_mean").locator("h3").boundingBox();
    const target = await run.chart("reward_std").boundingBox();
    if (!title || !target) throw new Error("no charts");
    await run.page.mouse.move(title.x + 10, title.y + 8);
    await run.page.mouse.down();
    await run.page.mouse.move(target.x + target.width - 20, target.y + 60, { steps: 5 });
    expect(await run.page.locator(".drop-after").count()).toBe(1);
    await run.page.mouse.up();
    await expect.poll(async () => (await order("reward")).slice(0, 2)).toEqual(["reward_std", "reward_mean"]);
    await run.settled();
    const other = await run.chart("kl_mean").boundingBox();
    const from = await run.chart("reward_std").locator("h3").boundingBox();
    if (!other || !from) throw new Error("no charts");
    await run.page.mouse.move(from.x + 10, from.y + 8);
    await run.page.mouse.down();
    await run.page.mouse.move(other.x + 20, other.y + 60, { steps: 5 });
    await run.page.mouse.up();
    expect((await order("reward")).slice(0, 2)).toEqual(["reward_std", "reward_mean"]);
  });

  it("and their size are as they are kept for the workspace", async () => {
    await open("case=short");
    await run.page.getByRole("button", { name: "How charts are shown" }).click();
    await run.page.getByRole("menuitemcheckbox", { name: "Large Charts" }).click();
    await expect
      .poll(async () => (await run.chart("kl_mean").locator(".plot").boundingBox())?.height)
      .toBe(236);
    await expect.poll(async () => (await prefs())?.size).toBe("l");
  });

  it("has no holes: every row is as wide as the list", async () => {
    for (const width of [800, 1280, 1700]) {
      await open("case=run", { width });
      const gaps = await run.page.locator(".scroller.charts").evaluate((list) => {
        const ends = new Map<number, number>();
        for (const chart of list.querySelectorAll("fd-chart")) {
          const { top, right } = chart.getBoundingClientRect();
          ends.set(Math.round(top), Math.max(ends.get(Math.round(top)) ?? 0, right));
        }
        const style = getComputedStyle(list);
        const inner =
          list.getBoundingClientRect().left + list.clientWidth - Number.parseFloat(style.paddingRight);
        return [...ends.values()].map((right) => inner - right);
      });
      for (const gap of gaps) expect(gap).toBeLessThan(3);
      if (width < 1700) await run.close();
    }
  });
});

describe("2,000 metrics in 50 groups", () => {
  const drawn = () => run.page.locator(".canvas svg").count();
  const asked = () => run.page.evaluate(() => window.fixture?.host.asked.length ?? 0);

  it("cost what is visible: charts drawn, and questions asked", async () => {
    await open("case=many");
    expect(await run.page.locator("[data-group]").count()).toBe(51);
    expect(await run.page.getByTestId("chart").count()).toBe(2005);
    expect(await drawn()).toBeLessThan(60);
    expect(await asked()).toBeLessThan(60);
    const before = await asked();
    await run.page.evaluate(() => window.fixture?.session.zoom([100, 500]));
    await run.settled();
    expect((await asked()) - before).toBe(await drawn());
  });

  it("are searched with the next frame: no question, no drawing but of what is found", async () => {
    await open("case=many");
    const before = await asked();
    const found = await run.page.evaluate(async () => {
      const list = document.querySelector("fd-charts");
      window.fixture?.session.store.dispatch({ type: "metricFilter", text: "metric_1990" });
      await (list as unknown as { updateComplete: Promise<void> }).updateComplete;
      return [...document.querySelectorAll("fd-chart")].map((one) => one.getAttribute("data-metric"));
    });
    expect(found).toEqual(["extra.metric_1990"]);
    await run.settled();
    expect(await drawn()).toBe(1);
    expect((await asked()) - before).toBe(1);
  });
});

describe("menus", () => {
  it("go by keys, and give the focus back", async () => {
    await open("case=short");
    const button = run.chart("reward_std").locator("button.more");
    await button.focus();
    await run.page.keyboard.press("Enter");
    expect(await button.getAttribute("aria-expanded")).toBe("true");
    await run.page.keyboard.press("p");
    expect(await run.page.locator("[role^=menuitem]:focus").textContent()).toBe("Pin to Top");
    await run.page.keyboard.press("ArrowDown");
    await run.page.keyboard.press("Home");
    expect(await run.page.locator("[role^=menuitem]:focus").textContent()).toBe("Table of Values");
    await run.page.keyboard.press("Escape");
    expect(await run.page.getByRole("menu").count()).toBe(0);
    expect(await button.evaluate((one) => one === document.activeElement)).toBe(true);
  });

  it("close when something else is pressed", async () => {
    await open("case=short");
    await run.chart("reward_std").locator("button.more").click();
    await run.page.mouse.click(5, 5);
    expect(await run.page.getByRole("menu").count()).toBe(0);
  });
});

describe("the recording", () => {
  it("what is wrong with it leads to file, text and explanation", async () => {
    await open("case=run");
    const first = run.page.getByTestId("warning").first();
    await first.getByRole("button", { name: "Reveal" }).click();
    await first.getByRole("button", { name: "Copy" }).click();
    await first.getByRole("button", { name: "What this means" }).click();
    await expect
      .poll(() => run.page.evaluate(() => window.fixture?.host.actions))
      .toEqual([
        "revealFile steps/part-00041.parquet",
        "copy part-incomplete steps/part-00041.parquet",
        "explain part-incomplete",
      ]);
  });

  it("that ended its reader says so calmly, and is tried again", async () => {
    await open("case=run");
    await run.page.evaluate(() => {
      const problem = { code: "worker-refused", message: "It ended the reader.", file: "", remedy: "Retry." };
      window.fixture?.host.server.notify("stopped", { problem });
    });
    const bar = run.page.getByTestId("stopped");
    await bar.waitFor();
    expect(await bar.textContent()).toContain("It ended the reader.");
    expect(await run.chart("reward_mean").locator(".canvas svg").count()).toBe(1);
    await bar.getByRole("button", { name: "Retry" }).click();
    await expect.poll(() => bar.count()).toBe(0);
  });

  it("that changes on disk is shown anew without anything jumping", async () => {
    await open("case=run");
    await run.page.evaluate(() => window.fixture?.session.zoom([1000, 2000]));
    await run.settled();
    await run.page.locator(".scroller.charts").evaluate((list) => list.scrollTo({ top: 300 }));
    await run.settled();
    const asked = () => run.page.evaluate(() => window.fixture?.host.asked.length ?? 0);
    const before = await asked();
    await run.page.evaluate(() => window.fixture?.host.server.notify("changed", { state: "run" }));
    await expect.poll(asked).toBeGreaterThan(before);
    await run.settled();
    expect((await run.state()).range).toEqual([1000, 2000]);
    expect(await run.page.locator(".scroller.charts").evaluate((list) => list.scrollTop)).toBe(300);
    expect(await run.page.locator(".bones").count()).toBe(0);
  });
});
