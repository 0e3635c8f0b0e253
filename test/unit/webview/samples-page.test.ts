/** The tab of samples, in a real browser on made-up samples. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Locator } from "playwright-core";
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
  await run.page.getByTestId("tab-samples").click();
  await rows().first().waitFor();
  await run.settled();
};
afterEach(() => run.close());

const rows = (): Locator => run.page.locator(".sm-layer").getByTestId("sample-row");
const names = (): Promise<(string | null)[]> =>
  rows().evaluateAll((all) => all.map((one) => one.getAttribute("data-sample")));
const first = async () => (await names())[0];
const count = () => run.page.getByTestId("sample-count").textContent();
const head = (id: string) => run.page.locator(`[data-column="${id}"] button`);
const cells = (column: string) => rows().locator(`.sm-${column}`).allInnerTexts();
const numbers = async (column: string) =>
  (await cells(column)).map((text) => Number(text.trim().replace("−", "-").replace("+", "")));
const view = (name: string) =>
  run.page.getByRole("group", { name: "Shown as" }).getByRole("button", { name }).click();
const actions = () => run.page.evaluate(() => window.fixture?.host.actions);
const state = async () => (await run.state()).samples;
const text = async (of: Locator) => (await of.textContent())?.replace(/\s+/g, " ").trim();
const focused = () =>
  run.page.evaluate(
    () => document.activeElement?.getAttribute("data-sample") ?? document.activeElement?.textContent?.trim(),
  );
/** Rows that reach into what is seen, and whether they fill it. */
const seen = () =>
  run.page.evaluate(() => {
    const layer = document.querySelector(".sm-layer")?.getBoundingClientRect();
    const all = [...document.querySelectorAll<HTMLElement>(".sm-layer .sm-row")].map((row) => ({
      name: row.dataset["sample"],
      index: Number(row.getAttribute("aria-rowindex")),
      box: row.getBoundingClientRect(),
    }));
    const inside = all.filter(({ box }) => layer && box.bottom > layer.top && box.top < layer.bottom);
    const [top, bottom] = [inside[0], inside.at(-1)];
    return {
      names: inside.map(({ name }) => name),
      indices: inside.map(({ index }) => index),
      isFull:
        !!layer &&
        !!top &&
        !!bottom &&
        top.box.top <= layer.top + 0.5 &&
        bottom.box.bottom >= layer.bottom - 0.5,
      tops: Object.fromEntries(inside.map(({ name, box }) => [name, Math.round(box.top)])),
    };
  });
const scrollTo = (share: number) =>
  run.page.locator(".sm-scroller").evaluate((scroller, at) => {
    scroller.scrollTop = at * (scroller.scrollHeight - scroller.clientHeight);
  }, share);

describe("the table of samples", () => {
  it("holds what was recorded, and says what was captured", async () => {
    await open("case=short");
    expect(await run.page.getByRole("treegrid", { name: "Samples" }).getAttribute("aria-rowcount")).toBe(
      "2001",
    );
    expect(await count()).toBe("2,000 samples");
    expect(await text(run.page.getByTestId("sampling"))).toBe(
      "Not the population: captured 500 top, 500 bottom, 1,000 random of their steps",
    );
    expect((await names()).slice(0, 3)).toEqual(["0:1:1_0", "0:1:1_1", "0:1:1_2"]);
    expect(await run.page.locator(".sm-head [role=columnheader]").allInnerTexts()).toEqual([
      ...["details", "step", "reward", "adv", "KL", "len", "cut", "logp", "captured", "group", "completion"],
    ]);
    expect(await text(rows().first())).toMatch(/^1 0\.07−0\.2160\.0137−1\.26top_k1_g0 because/);
  });

  it("is sorted by a click on a head or its key, highest first and then lowest", async () => {
    await open("case=short");
    const steps = run.page.locator('[data-column="step"]');
    expect(await steps.getAttribute("aria-sort")).toBe("ascending");
    await head("advantage").click();
    await expect.poll(() => first()).not.toBe("0:1:1_0");
    expect(await run.page.locator('[data-column="advantage"]').getAttribute("aria-sort")).toBe("descending");
    expect(await steps.getAttribute("aria-sort")).toBe("none");
    const high = await numbers("advantage");
    expect(high).toEqual([...high].sort((a, b) => b - a));
    await head("advantage").press("Enter");
    await expect.poll(async () => (await numbers("advantage"))[0]).toBeLessThan(0);
    const low = await numbers("advantage");
    expect(low).toEqual([...low].sort((a, b) => a - b));
    await head("advantage").press("ArrowRight");
    expect(await focused()).toBe("KL");
    await run.page.keyboard.press(" ");
    await expect.poll(async () => (await state()).by).toBe("kl_contribution");
  });

  it("shows reward components on request, sorts by them and says who has none", async () => {
    await open("case=short");
    await run.page.getByRole("button", { name: "Columns" }).click();
    await run.page.getByRole("menuitemcheckbox", { name: "Reward component style/tone" }).click();
    await head("component:style/tone").click();
    await expect.poll(() => count()).toBe("1,600 samples · 400 without style/tone left out");
    const values = await rows().locator('[aria-colindex="11"]').allInnerTexts();
    expect(values.map(Number)).toEqual(values.map(Number).sort((a, b) => b - a));
  });

  it("shows hostile text as text, in the row and folded out", async () => {
    await open("case=short");
    const row = rows().nth(1);
    expect(await row.textContent()).toContain("<U+202E>gnihtemos<U+202C> and<LF>another");
    await row.click();
    const detail = run.page.getByTestId("sample-detail");
    await detail.waitFor();
    expect(await detail.textContent()).toContain("<BEL><ESC>[31m <b>bold</b> [link](command:x) <U+D800>");
    expect(await detail.locator(".sm-box b, .sm-box a").count()).toBe(0);
    await rows().nth(2).click();
    await expect
      .poll(() => text(run.page.getByTestId("sample-cut")))
      .toBe("The first 20,000 of 45,000 characters. Open as document");
    await run.page.getByTestId("sample-cut").getByRole("button").click();
    await expect.poll(actions).toEqual(["openSample 2"]);
  });
});

describe("a sample folded out", () => {
  it("tells its figures, its place in the group and its components, and leads on", async () => {
    await open("case=short");
    await rows().nth(12).click();
    const detail = run.page.getByTestId("sample-detail");
    await detail.waitFor();
    expect(await rows().nth(12).getAttribute("aria-expanded")).toBe("true");
    expect(await text(run.page.getByTestId("group-place"))).toMatch(
      /^2nd of 4 in its group · mean 0\.\d+ · sd 0\.\d+$/,
    );
    expect(await detail.getByTestId("components").textContent()).toMatch(/correctness[\s\S]*style\/tone/);
    const press = (name: string) => detail.getByRole("button", { name, exact: true }).click();
    await press("Open");
    await press("Compare with worst");
    await press("Compare with best");
    await press("Copy id");
    await expect.poll(() => run.page.evaluate(() => window.fixture?.host.saved.at(-1)?.text)).toBe("0:2:2_4");
    await expect.poll(actions).toEqual(["openSample 12", "diffSamples 12 13", "diffSamples 12 14"]);
    await press("Later ›");
    await expect.poll(() => detail.getAttribute("data-sample")).not.toBe("0:2:2_4");
    expect(await detail.textContent()).toContain("the same prompt at another step");
    await press("Back");
    await expect.poll(() => detail.getAttribute("data-sample")).toBe("0:2:2_4");
    await press("Its group");
    await expect.poll(() => count()).toBe("4 samples");
    expect(await run.page.locator(".sm-chips [data-filter]").allInnerTexts()).toEqual([
      ...[expect.stringContaining("step 2"), expect.stringContaining("group 2_g1")],
    ]);
  });

  it("stays where it is when another is folded in above it", async () => {
    await open("case=short");
    await rows().nth(2).click();
    await run.page.getByTestId("sample-detail").waitFor();
    await run.page.locator(".sm-head").hover();
    await run.page.mouse.wheel(0, 600);
    const target = run.page.locator('.sm-layer .sm-row[data-sample="0:4:4_2"]');
    await expect.poll(() => target.count()).toBe(1);
    await run.settled();
    const before = (await target.boundingBox())?.y;
    await target.click();
    await expect
      .poll(() => run.page.getByTestId("sample-detail").getAttribute("data-sample"))
      .toBe("0:4:4_2");
    expect((await target.boundingBox())?.y).toBeCloseTo(before ?? -1, 0);
  });
});

describe("filters", () => {
  it("are chips that can be removed; the timeline's steps are one of them", async () => {
    await open("case=short");
    await run.page.evaluate(() => window.fixture?.session.zoom([100, 149]));
    await expect.poll(() => count()).toBe("400 samples");
    expect(await first()).toBe("0:100:100_0");
    await run.page.evaluate(() =>
      window.fixture?.session.samples.change({ truncated: false, reason: "random" }),
    );
    await expect.poll(() => count()).toBe("200 samples");
    expect(await run.page.locator(".sm-chips [data-filter] > span").allInnerTexts()).toEqual([
      ...["steps 100–149", "captured: random", "ended by itself"],
    ]);
    expect(new Set(await cells("reason"))).toEqual(new Set(["random"]));
    await run.page.getByRole("button", { name: "Remove filter captured: random" }).click();
    await expect.poll(() => count()).toBe("400 samples");
    await run.page.getByRole("button", { name: "Remove filter steps 100–149" }).click();
    await expect.poll(async () => (await run.state()).range).toBeNull();
    await run.page.getByRole("button", { name: "Remove filter ended by itself" }).click();
    await expect.poll(() => count()).toBe("2,000 samples");
    expect(await run.page.locator(".sm-chips").count()).toBe(0);
  });

  it("that leave nothing say which of them to drop", async () => {
    await open("case=short");
    await run.page.evaluate(() =>
      window.fixture?.session.samples.change({ steps: [1, 2], reward: [1.9, 2] }),
    );
    const empty = run.page.getByTestId("samples-empty");
    await empty.waitFor();
    expect(await empty.locator("li").allInnerTexts()).toEqual([
      ...[
        expect.stringMatching(/^Without “steps 1–2” \d+$/),
        "Without “reward 1.9–2” 16",
        "Without any filter",
      ],
    ]);
    await empty.getByRole("button", { name: "Without “reward 1.9–2”" }).click();
    await expect.poll(() => count()).toBe("16 samples");
  });

  it("by bins of rewards, by pointer and by keyboard", async () => {
    await open("case=short");
    const bin = (i: number) => run.page.getByTestId("reward-bin").nth(i);
    const title = (await bin(10).getAttribute("aria-label")) ?? "";
    const held = title.match(/: ([\d,]+) samples$/)?.[1];
    await bin(10).click();
    await expect.poll(() => count()).toBe(`${held} samples`);
    expect(await bin(10).getAttribute("aria-pressed")).toBe("true");
    await bin(10).focus();
    await run.page.keyboard.press("Shift+ArrowRight");
    await run.page.keyboard.press("Shift+ArrowRight");
    await run.page.keyboard.press("Enter");
    await expect
      .poll(() => run.page.locator('[data-testid="reward-bin"][aria-pressed="true"]').count())
      .toBe(3);
    const values = await numbers("reward");
    expect(Math.min(...values)).toBeGreaterThanOrEqual(0.5);
    expect(Math.max(...values)).toBeLessThanOrEqual(0.65);
    await run.page.keyboard.press("Escape");
    await expect.poll(() => count()).toBe("2,000 samples");
    await run.drag(run.page.locator(".sm-bins"), 0.6, 0.9);
    await expect.poll(async () => (await state()).reward?.[0]).toBeCloseTo(1.2, 1);
  });

  it("by a rectangle of lengths and rewards, by pointer and by keyboard", async () => {
    await open("case=short");
    const map = run.page.getByTestId("length-map");
    expect(await map.getAttribute("aria-label")).toMatch(
      /^Length against reward of 2,000 samples: length 12 to 64/,
    );
    await run.drag(map, 0.1, 0.3, 0.5);
    await expect.poll(async () => (await state()).length?.[0]).toBeGreaterThan(12);
    const lengths = await numbers("length");
    const [low = 0, high = 0] = (await state()).length ?? [];
    for (const length of lengths) expect(length >= low && length <= high).toBe(true);
    await map.press("Escape");
    await expect.poll(async () => (await state()).length).toBeNull();
    await map.press("ArrowRight");
    await map.press("Shift+ArrowRight");
    await map.press("Shift+ArrowUp");
    await map.press("Enter");
    await expect.poll(async () => (await state()).reward).not.toBeNull();
    expect(await run.page.locator("table.unseen caption").textContent()).toBe("Reward by length");
  });
});

describe("a text", () => {
  const box = () => run.page.getByRole("searchbox");

  it("is looked for in prompts and completions, marked where it is, with its case on request", async () => {
    await open("case=short");
    await box().fill("bakery");
    await expect.poll(() => text(run.page.getByTestId("search-state"))).toMatch(/^\d+ hits$/);
    await expect.poll(() => rows().locator("mark").first().textContent()).toBe("bakery");
    expect(await rows().first().locator(".sm-text").textContent()).toMatch(
      /^prompt: Write one sentence about a bakery/,
    );
    const hits = Number((await text(run.page.getByTestId("search-state")))?.split(" ")[0]);
    await expect.poll(() => count()).toBe(`${hits} samples`);
    await run.page.evaluate(() => window.fixture?.session.samples.change({ reward: [1, 2] }));
    await expect.poll(() => count()).not.toBe(`${hits} samples`);
    const bins = run.page.getByTestId("reward-bin");
    const held = await bins.evaluateAll((all) =>
      all.map((one) => Number(/: ([\d,]+) samples?$/.exec(one.getAttribute("aria-label") ?? "")?.[1])),
    );
    expect(held.reduce((sum, one) => sum + one, 0)).toBe(hits);
    await run.page.getByRole("button", { name: "Remove filter reward 1–2" }).click();
    await rows().first().click();
    const detail = run.page.getByTestId("sample-detail");
    expect(await text(detail.locator(".sm-part.prompt h3"))).toMatch(/^Prompt \d+ characters, 1 hit$/);
    await detail.getByRole("button", { name: "Open", exact: true }).click();
    await expect.poll(async () => (await actions())?.at(-1)).toMatch(/^openSample \d+ bakery$/);
    await run.page.getByRole("button", { name: "Match case" }).click();
    await box().fill("Bakery");
    await run.page.getByTestId("samples-empty").waitFor();
    await run.page.getByRole("button", { name: "Remove filter text “Bakery”", exact: true }).click();
    await expect.poll(() => count()).toBe("2,000 samples");
    await expect.poll(() => box().inputValue()).toBe("");
  });

  it("is looked for in 800,000 samples with progress, until it is stopped", async () => {
    await open("case=big");
    await run.page.evaluate(() => {
      if (window.fixture) window.fixture.host.samples.held = 3;
    });
    await box().fill("sleepy wheel");
    const told = run.page.getByTestId("search-state");
    await expect.poll(() => text(told)).toMatch(/^[\d,]+ hits, 60,000 of 800,000 searched$/);
    await expect.poll(() => rows().locator("mark").first().textContent()).toBe("sleepy wheel");
    await run.page.getByRole("button", { name: "Stop" }).click();
    await expect.poll(() => text(told)).toMatch(/^[\d,]+ hits in 60,000 of 800,000, stopped$/);
    const hits = (await text(told))?.split(" ")[0];
    await expect.poll(() => count()).toBe(`${hits} samples`);
  });
});

describe("800,000 samples", () => {
  it("are scrolled to their middle and end without an empty place, and the right rows are there", async () => {
    await open("case=big");
    await scrollTo(1);
    await expect.poll(async () => (await seen()).names.at(-1)).toBe("1:100000:100000_7");
    const end = await seen();
    expect(end.isFull).toBe(true);
    expect(end.indices.at(-1)).toBe(800_001);
    // Between the move of the bar and its event a busy browser can do other things first.
    await run.page.locator(".sm-scroller").evaluate(async (scroller, rest) => {
      const { setTimeout } = window;
      let still = (): void => {
        throw new Error("nothing waits for rest");
      };
      window.setTimeout = ((work: () => void, wait?: number) => {
        if (wait !== rest) return setTimeout(work, wait);
        still = work;
        return 0;
      }) as typeof window.setTimeout;
      scroller.scrollTop -= 1;
      await new Promise((resolve) => scroller.addEventListener("scroll", resolve, { once: true }));
      window.setTimeout = setTimeout;
      scroller.scrollTop = 0.5 * (scroller.scrollHeight - scroller.clientHeight);
      still();
    }, 160);
    await expect.poll(async () => Number((await seen()).names[0]?.split(":")[1])).toBeCloseTo(50_000, -2);
    const middle = await seen();
    expect(middle.isFull).toBe(true);
    const from = middle.indices[0] ?? 0;
    expect(middle.indices).toEqual(middle.indices.map((_, i) => from + i));
    const index = from - 2;
    expect(middle.names[0]).toBe(
      `${index % 2}:${Math.floor(index / 8) + 1}:${Math.floor(index / 8) + 1}_${index % 8}`,
    );
    expect(await run.page.locator(".sm-layer .sm-row").count()).toBeLessThan(60);
  });

  it("show their figures while their texts are still being read, and do not move when those come", async () => {
    await open("case=big");
    await run.page.evaluate(() => window.fixture?.host.samples.hold(true));
    await head("reward").click();
    await expect.poll(() => rows().locator('.sm-text[aria-busy="true"]').count()).toBeGreaterThan(8);
    await scrollTo(0.4);
    await expect.poll(async () => (await seen()).indices[0]).toBeGreaterThan(200_000);
    const before = await seen();
    expect(before.isFull).toBe(true);
    expect((await numbers("reward")).every((reward) => reward > 0)).toBe(true);
    expect(new Set(await cells("text"))).toEqual(new Set(["…"]));
    expect(await run.page.locator("[data-ready]").first().getAttribute("data-ready")).toBe("false");
    await run.page.evaluate(() => window.fixture?.host.samples.hold(false));
    await expect.poll(() => rows().locator('.sm-text[aria-busy="true"]').count()).toBe(0);
    await run.settled();
    expect(await seen()).toEqual(before);
    expect((await cells("text")).every((told) => told.length > 8)).toBe(true);
  });

  it("move by as much as the wheel says, wherever the scroll bar is", async () => {
    await open("case=big");
    await scrollTo(0.37);
    await run.settled();
    await expect.poll(async () => (await seen()).indices[0]).toBeGreaterThan(200_000);
    const before = (await seen()).indices[0] ?? 0;
    await run.page.locator(".sm-layer").hover();
    for (let i = 0; i < 5; i++) {
      await run.page.mouse.wheel(0, 240);
      await expect.poll(async () => (await seen()).indices[0]).toBe(before + 10 * (i + 1));
      expect((await seen()).isFull).toBe(true);
    }
  });

  it("never show an empty place while they are flung through", async () => {
    await open("case=big");
    const gaps = await run.page.evaluate(async () => {
      const scroller = document.querySelector<HTMLElement>(".sm-scroller");
      const layer = document.querySelector<HTMLElement>(".sm-layer");
      if (!scroller || !layer) return ["no table"];
      const found: string[] = [];
      for (let i = 1; i <= 40; i++) {
        scroller.scrollTop =
          i % 4 === 0 ? scroller.scrollHeight * ((i * 0.37) % 1) : scroller.scrollTop + 900;
        await new Promise(requestAnimationFrame);
        const box = layer.getBoundingClientRect();
        for (const y of [box.top + 3, box.top + box.height / 2, box.bottom - 3])
          if (!document.elementFromPoint(box.left + 300, y)?.closest(".sm-row, .sm-detail"))
            found.push(`${i} ${y}`);
      }
      return found;
    });
    expect(gaps).toEqual([]);
  });

  it("are reached from end to end by keyboard", async () => {
    await open("case=big");
    await rows().first().focus();
    await run.page.keyboard.press("End");
    await expect.poll(focused).toBe("1:100000:100000_7");
    await run.page.keyboard.press("ArrowUp");
    await expect.poll(focused).toBe("0:100000:100000_6");
    await run.page.keyboard.press("Enter");
    await run.page.getByTestId("sample-detail").waitFor();
    await run.page.keyboard.press("Home");
    await expect.poll(focused).toBe("0:1:1_0");
    await run.page.keyboard.press("PageDown");
    const place =
      Number((await focused())?.match(/_(\d)$/)?.[1]) + 8 * (Number((await focused())?.split(":")[1]) - 1);
    expect(place).toBeGreaterThan(5);
    await run.page.keyboard.press("PageUp");
    await expect.poll(focused).toBe("0:1:1_0");
  });
});

describe("by keyboard", () => {
  it("what is folded out below the last row that is seen comes into view", async () => {
    await open("case=short");
    await rows().first().focus();
    for (const key of ["PageDown", "PageDown", "Enter"]) await run.page.keyboard.press(key);
    const detail = run.page.getByTestId("sample-detail");
    await detail.locator(".sm-part").first().waitFor();
    await run.settled();
    const inView = () =>
      detail.evaluate((one) => {
        const layer = one.closest(".sm-layer")?.getBoundingClientRect();
        const { top, bottom, height } = one.getBoundingClientRect();
        return layer
          ? Math.min(bottom, layer.bottom) - Math.max(top, layer.top) >= Math.min(150, height - 1)
          : false;
      });
    await expect.poll(inView).toBe(true);
    await run.page.keyboard.press("Enter");
    await expect.poll(() => detail.count()).toBe(0);
    for (const key of ["End", "Enter"]) await run.page.keyboard.press(key);
    await detail.locator(".sm-part").first().waitFor();
    await expect.poll(inView).toBe(true);
  });

  it("the table is one stop, folds out and in, opens documents, and goes up into its head", async () => {
    await open("case=short");
    expect(await run.page.locator('.sm-layer .sm-row[tabindex="0"]').count()).toBe(1);
    expect(await run.page.locator('.sm-head button[tabindex="0"]').count()).toBe(1);
    await rows().first().focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowRight"]) await run.page.keyboard.press(key);
    const detail = run.page.getByTestId("sample-detail");
    await detail.waitFor();
    expect(await detail.getAttribute("data-sample")).toBe("0:1:1_2");
    await run.page.keyboard.press("Tab");
    expect(await focused()).toBe("Open");
    await run.page.keyboard.press("Escape");
    await expect.poll(focused).toBe("0:1:1_2");
    await run.page.keyboard.press("ArrowLeft");
    await expect.poll(() => detail.count()).toBe(0);
    await run.page.keyboard.press("Control+Enter");
    await expect.poll(actions).toEqual(["openSample 2"]);
    for (const key of ["ArrowUp", "ArrowUp", "ArrowUp"]) await run.page.keyboard.press(key);
    expect(await focused()).toBe("step");
    await run.page.keyboard.press("ArrowDown");
    await expect.poll(focused).toBe("0:1:1_0");
  });

  it("the focus is not lost when its row is scrolled away", async () => {
    await open("case=short");
    await rows().first().focus();
    await scrollTo(0.5);
    await expect.poll(async () => (await seen()).indices[0]).toBeGreaterThan(900);
    await run.page.keyboard.press("ArrowDown");
    await expect.poll(focused).toBe("0:1:1_1");
  });
});

describe("an index that grows", () => {
  const grow = (shards: number) => run.page.evaluate((by) => window.fixture?.host.samples.grow(by), shards);

  it("is said, and shown as it grows", async () => {
    await open("case=growing");
    expect(await text(run.page.getByTestId("index-state"))).toBe("666 samples so far, 4 of 12 files read");
    await grow(2);
    await expect.poll(() => count()).toBe("1,000 samples");
    await grow(6);
    await expect.poll(() => count()).toBe("2,000 samples");
    expect(await run.page.getByTestId("index-state").count()).toBe(0);
  });

  it("does not move the rows that somebody looks at", async () => {
    await open("case=growing");
    await head("reward").click();
    await expect.poll(async () => (await state()).by).toBe("reward_total");
    await run.settled();
    await scrollTo(0.4);
    await run.settled();
    await rows().nth(14).click();
    await run.page.getByTestId("sample-detail").waitFor();
    await run.settled();
    const before = await seen();
    const detail = await run.page.getByTestId("sample-detail").getAttribute("data-sample");
    await grow(4);
    await expect.poll(() => count()).toBe("1,333 samples");
    await run.settled();
    const after = await seen();
    expect(after.indices[0]).toBeGreaterThan((before.indices[0] ?? 0) + 20);
    expect(after.names[0]).toBe(before.names[0]);
    const anchor = before.names[0] ?? "";
    expect(after.tops[anchor]).toBe(before.tops[anchor]);
    expect(await run.page.getByTestId("sample-detail").getAttribute("data-sample")).toBe(detail);
  });

  it("does not take another sample for the one that is folded out when an earlier rank grows", async () => {
    await open("case=growing");
    // The order is that of the rows, so that the samples of the second rank move.
    const second = 400;
    await run.page.evaluate((at) => {
      const { host } = window.fixture ?? {};
      if (host) host.samples.second = at;
      host?.server.notify("changed", { state: "run" });
    }, second);
    await run.settled();
    await scrollTo(0.8);
    await run.settled();
    await rows().nth(14).click();
    await run.page.getByTestId("sample-detail").waitFor();
    await run.settled();
    const before = await seen();
    const detail = await run.page.getByTestId("sample-detail").getAttribute("data-sample");
    const { open: row } = await state();
    expect(row).toBeGreaterThan(second);
    await run.page.getByTestId("sample-detail").evaluate((element) => {
      element.dataset["was"] = "there";
    });
    await run.page.evaluate(() => {
      window.fixture?.host.samples.grow(8);
      window.fixture?.host.server.notify("changed", { state: "run" });
    });
    await expect.poll(() => count()).toBe("2,000 samples");
    // Where it stands now is asked for once the number of samples is known.
    await expect.poll(async () => (await state()).open).toBe((row ?? 0) + 2000 - 666);
    await run.settled();
    const after = await seen();
    expect(await run.page.getByTestId("sample-detail").getAttribute("data-sample")).toBe(detail);
    // It is the very same one, with all that was done in it.
    expect(await run.page.getByTestId("sample-detail").getAttribute("data-was")).toBe("there");
    expect(after.names[0]).toBe(before.names[0]);
    const anchor = before.names[0] ?? "";
    expect(after.tops[anchor]).toBe(before.tops[anchor]);
  });

  it("keeps to the top of a sorted list when nobody has moved", async () => {
    await open("case=growing");
    await head("length").click();
    await expect.poll(async () => (await state()).by).toBe("completion_len");
    await run.settled();
    await grow(8);
    await expect.poll(() => count()).toBe("2,000 samples");
    await expect.poll(async () => (await numbers("length"))[0]).toBe(64);
    expect((await seen()).indices[0]).toBe(2);
  });
});

describe("what was seen", () => {
  it("is there again after a reload, and after another tab", async () => {
    await open("case=short");
    await head("reward").click();
    await run.page.evaluate(() => window.fixture?.session.samples.change({ truncated: false }));
    await run.settled();
    await scrollTo(0.6);
    await run.settled();
    await rows().nth(13).click();
    await run.page.getByTestId("sample-detail").waitFor();
    await run.settled();
    const before = await seen();
    await run.page.evaluate(() => window.fixture?.session.store.flush());
    await run.page.reload();
    await run.page.getByTestId("sample-detail").waitFor();
    await run.settled();
    expect(await seen()).toEqual(before);
    await run.page.getByTestId("tab-charts").click();
    await run.settled();
    await run.page.getByTestId("tab-samples").click();
    await run.settled();
    await expect.poll(seen).toEqual(before);
    await view("Prompts");
    await run.page.getByTestId("prompt-row").nth(2).click();
    await run.page.evaluate(() => window.fixture?.session.store.flush());
    await run.page.reload();
    await run.page.getByTestId("prompt-detail").waitFor();
    expect((await state()).view).toBe("prompts");
  });
});

describe("groups", () => {
  const groups = () => run.page.getByTestId("group");

  it("stand side by side with components and advantages; those without variance are marked", async () => {
    await open("case=short");
    await view("Groups");
    await groups().first().waitFor();
    expect(await groups().count()).toBe(20);
    expect(await run.page.getByTestId("groups-count").textContent()).toBe("500 groups, 77 without variance");
    expect(await text(groups().first().getByTestId("sample-row").first())).toMatch(
      /^0\.07 adv −0\.216 len 37 correctness 0\.012 format/,
    );
    const boxes = await Promise.all(
      [0, 1].map((i) => groups().first().getByTestId("sample-row").nth(i).boundingBox()),
    );
    expect(boxes[0]?.y).toBe(boxes[1]?.y);
    await run.page.getByTestId("only-flat").click();
    await expect.poll(() => groups().first().getAttribute("data-verdict")).not.toBe("varied");
    const verdicts = await run.page.locator(".sm-verdict").allInnerTexts();
    expect(new Set(verdicts)).toEqual(
      new Set(["no variance: all right", "no variance: all wrong", "no variance"]),
    );
    expect(verdicts.length).toBe(20);
    await run.page.getByRole("button", { name: "Last" }).click();
    await expect.poll(() => groups().count()).toBe(17);
  });

  it("are gone through by arrow keys, a sibling folds out", async () => {
    await open("case=short");
    await view("Groups");
    await groups().first().getByTestId("sample-row").first().focus();
    await run.page.keyboard.press("ArrowRight");
    expect(await focused()).toBe("0:1:1_1");
    await run.page.keyboard.press("ArrowDown");
    expect(await focused()).toBe("0:1:1_4");
    await run.page.keyboard.press("Enter");
    const detail = groups().nth(1).getByTestId("sample-detail");
    await detail.waitFor();
    expect(await detail.getAttribute("data-sample")).toBe("0:1:1_4");
    await groups().nth(1).getByRole("button", { name: "Open as document" }).click();
    await expect.poll(actions).toEqual(["openGroup 4"]);
  });
});

describe("prompts", () => {
  const prompts = () => run.page.getByTestId("prompt-row");

  it("are listed with how their reward went, by their text where they have no ids", async () => {
    await open("case=growing");
    await view("Prompts");
    await prompts().first().waitFor();
    expect(await prompts().count()).toBe(12);
    expect(await text(run.page.getByTestId("prompts-count"))).toContain("told apart by their text");
    await expect.poll(() => run.page.locator(".sm-spark path").count()).toBe(12);
  });

  it("mark the steps of the range in their curves, which stay whole", async () => {
    await open("case=short");
    await view("Prompts");
    await prompts().first().waitFor();
    await expect.poll(() => run.page.locator(".sm-spark path").count()).toBeGreaterThan(5);
    expect(await run.page.locator(".stretch").count()).toBe(0);
    await run.page.evaluate(() => window.fixture?.session.zoom([1, 60]));
    await expect.poll(() => run.page.locator(".sm-spark .stretch").count()).toBeGreaterThan(0);
    await prompts().first().click();
    const large = run.page.locator("svg.large");
    await large.locator(".stretch").waitFor();
    const [band, picture] = await Promise.all([large.locator(".stretch").boundingBox(), large.boundingBox()]);
    expect(band && picture && band.width < picture.width / 2 && band.x - picture.x < 12).toBe(true);
    await run.page.evaluate(() => window.fixture?.session.zoom(null));
    await expect.poll(() => run.page.locator(".stretch").count()).toBe(0);
  });

  it("are read step against step, and compared", async () => {
    await open("case=short");
    await view("Prompts");
    await prompts().first().focus();
    await run.page.keyboard.press("ArrowDown");
    await run.page.keyboard.press("Enter");
    const detail = run.page.getByTestId("prompt-detail");
    await detail.waitFor();
    const sides = detail.locator("[data-side] .sm-box");
    await expect.poll(() => sides.nth(1).textContent()).not.toBe("");
    const shown = () => sides.evaluateAll((all) => all.map((one) => one.getAttribute("data-sample")));
    const [a, b] = await shown();
    expect(Number(a?.split(":")[1])).toBeLessThan(Number(b?.split(":")[1]));
    await detail.getByRole("combobox", { name: "Step of A" }).selectOption({ index: 2 });
    await expect.poll(async () => (await shown())[0]).not.toBe(a);
    await detail.getByRole("button", { name: "Next sample of B" }).click();
    await expect.poll(async () => (await shown())[1]).not.toBe(b);
    await detail.locator("svg.large").click({ position: { x: 300, y: 40 } });
    await expect.poll(async () => (await state()).a).toBeGreaterThan(50);
    await detail.getByTestId("compare").click();
    await expect.poll(actions).toEqual([expect.stringMatching(/^diffSamples \d+ \d+$/)]);
    await detail.getByRole("button", { name: "Its samples" }).click();
    await rows().first().waitFor();
    expect(await run.page.locator('[data-filter="prompt"]').count()).toBe(1);
  });
});

describe("the way here", () => {
  it("leads from a step that was pointed out", async () => {
    run = await Opened.open(browser, "case=short");
    await run
      .chart("kl_mean")
      .locator(".plot")
      .click({ position: { x: 150, y: 60 } });
    await expect.poll(async () => (await run.state()).pin).toBeGreaterThan(50);
    const { pin } = await run.state();
    const way = run.page.getByTestId("pin-samples");
    await expect.poll(() => text(way)).toBe(`8 samples at step ${pin}`);
    await way.click();
    await expect.poll(() => rows().count()).toBe(8);
    expect(await first()).toBe(`0:${pin}:${pin}_0`);
    expect(await run.page.locator('[data-filter="steps"] > span').textContent()).toBe(`step ${pin}`);
  });

  it("leads from a finding, filtered and sorted as its samples are", async () => {
    run = await Opened.open(browser, "case=sick");
    const card = run.page.locator('[data-testid="finding"][data-signature="TRUNCATION_STARVE"]');
    await card.getByRole("button", { name: /Show samples/ }).click();
    await card.getByRole("button", { name: /Show all in Samples/ }).click();
    await rows().first().waitFor();
    await run.settled();
    expect(await state()).toMatchObject({ steps: [114, 164], by: "completion_len", descending: true });
    expect(await count()).toBe("408 samples");
    await run.page.evaluate(() => window.fixture?.session.zoom([10, 19]));
    await expect.poll(() => count()).toBe("80 samples");
  });

  it("leads from a sample that the host names, and from one to the next of the same step", async () => {
    await open("case=short");
    const detail = run.page.getByTestId("sample-detail");
    for (const row of [1204, 1206]) {
      await run.page.evaluate((named) => window.fixture?.session.samples.showSample(named, 151), row);
      await expect.poll(() => detail.getAttribute("data-sample")).toBe(`0:151:151_${row - 1200}`);
    }
    expect(await count()).toBe("8 samples");
    expect((await seen()).names).toContain("0:151:151_6");
  });

  it("ends calmly where nothing was captured", async () => {
    run = await Opened.open(browser, "case=sampleless");
    await run.page.getByTestId("tab-samples").click();
    expect(await text(run.page.getByTestId("no-samples"))).toBe("No samples were captured in this run.");
  });
});

describe("for everybody", () => {
  const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
  const found = async () => {
    await run.page.evaluate(`${await readFile(axe, "utf8")};0`);
    return run.page.evaluate(async () => {
      const { violations } = await Reflect.get(window, "axe").run(document, { resultTypes: ["violations"] });
      return violations.map(
        (one: { id: string; nodes: { html: string }[] }) => `${one.id}: ${one.nodes[0]?.html}`,
      );
    });
  };

  it.each(["dark", "light", "hc-dark", "hc-light"])("axe finds nothing in %s, in any view", async (theme) => {
    await open(`case=short&theme=${theme}`, { width: theme.startsWith("hc") ? 800 : 1280 });
    await run.page.evaluate(() =>
      window.fixture?.session.samples.change({ search: "green", reward: [0, 1.5], plots: true }),
    );
    await run.settled();
    await rows().nth(3).click();
    await run.page.getByTestId("sample-detail").waitFor();
    expect(await found()).toEqual([]);
    await view("Groups");
    await run.page.getByTestId("group").first().waitFor();
    await run.settled();
    expect(await found()).toEqual([]);
    await view("Prompts");
    await run.page.getByTestId("prompt-row").first().click();
    await run.page.getByTestId("prompt-detail").waitFor();
    await run.settled();
    expect(await found()).toEqual([]);
  });

  it("a screen reader gets a plain table, a page at a time", async () => {
    await open("case=big");
    await run.page.evaluate(() => document.body.classList.add("vscode-using-screen-reader"));
    await expect.poll(() => rows().count()).toBe(100);
    expect(await run.page.locator(".bounded").count()).toBe(1);
    await run.page.getByRole("button", { name: "Last" }).click();
    await expect.poll(() => first()).toBe("0:99988:99988_4");
    expect(await rows().first().getAttribute("aria-rowindex")).toBe("799902");
    await rows().first().focus();
    await run.page.keyboard.press("ArrowUp");
    await expect.poll(focused).toBe("1:99988:99988_3");
    await run.page.keyboard.press("Enter");
    await run.page.getByTestId("sample-detail").waitFor();
    expect(await found()).toEqual([]);
  });

  it("nothing hangs over the edge from 500 pixels up, and rows have room", async () => {
    for (const width of [500, 800, 1280]) {
      await open("case=short", { width });
      const size = await run.page.evaluate(() => [document.body.scrollWidth, innerWidth]);
      expect(size[0]).toBeLessThanOrEqual(size[1] ?? 0);
      expect((await run.page.locator(".sm-layer").boundingBox())?.height).toBeGreaterThan(200);
      const tools = await run.page.locator(".sm-tools").boundingBox();
      if (width > 600) expect(tools?.height).toBeLessThan(50);
      if (width !== 1280) await run.close();
    }
  });
});
