import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ChartSpec, ChartView } from "../../../src/protocol/run.ts";
import { chartCsv } from "../../../webview/export/chart-csv.ts";
import { PageBrowser } from "./browser.ts";
import { Opened } from "./opened.ts";

const f64 = (...values: number[]) => Float64Array.from(values);
const spec = (label: string): ChartSpec => ({
  ...{ id: "loss", title: "Loss", unit: "", kind: "lines" },
  series: [{ metric: "loss", label }],
});
const view: ChartView = {
  id: "loss",
  series: [
    {
      metric: "loss",
      ...{ x: f64(1, 2, 2), y: f64(0.1, 0.2, Number.NaN), dotsX: f64(5), dotsY: f64(7) },
      ...{ smoothX: f64(1, 2), smoothY: f64(0.1, 0.15) },
      ...{ markX: f64(3, 4), markKind: Uint8Array.of(0, 2) },
      ...{ finite: 3, missing: 0, nan: 1, posInf: 0, negInf: 1 },
      ...{ last: 7, lastX: 5, min: 0.1, minX: 1, max: 7, maxX: 5 },
    },
  ],
  ...{ xDomain: [1, 5], yFull: [0, 1], yRobust: [0, 1], outside: 0, problems: [] },
};
const answer = { axis: "step" as const, range: null, log: false, view, heat: null };

describe("a chart as CSV", () => {
  it("has the points that are drawn, and marks without a value", () => {
    expect(chartCsv(spec("loss"), answer).split("\n")).toEqual([
      "series,kind,step,value",
      "loss,raw,1,0.1",
      "loss,raw,2,0.2",
      "loss,raw,5,7",
      "loss,smoothed,1,0.1",
      "loss,smoothed,2,0.15",
      "loss,NaN,3,",
      "loss,-inf,4,",
      "",
    ]);
  });

  it("is no formula, whatever a series is called", () => {
    expect(chartCsv(spec('=1+1,"x"'), answer)).toContain(`\n"'=1+1,""x""",raw,1,0.1\n`);
  });

  it("of a heat map has a line a cell", () => {
    const heat = {
      ...{ id: "kl", columns: 2, buckets: 2, cells: f64(1, 2, Number.NaN, 4), problems: [] },
      ...{ xDomain: [0, 10] as [number, number], valueDomain: [1, 4] as [number, number] },
    };
    const csv = chartCsv(spec("kl"), { ...answer, axis: "time", view: null, heat });
    expect(csv).toBe("series,kind,seconds,value\n0,mean,2.5,1\n1,mean,2.5,2\n1,mean,7.5,4\n");
  });
});

describe("copying and saving a chart", () => {
  let browser: PageBrowser;
  let run: Opened;
  beforeAll(async () => {
    browser = await PageBrowser.start();
  }, 120_000);
  afterAll(() => browser?.close());
  afterEach(() => run.close());

  const share = async (metric: string, item: string): Promise<void> => {
    await run.chart(metric).locator("button.more").click();
    await run.page.getByRole("menuitem", { name: "Copy or Save…" }).click();
    await run.page.getByRole("menuitem", { name: item }).click();
  };
  const saved = async (count = 1) => {
    await expect.poll(() => run.page.evaluate(() => window.fixture?.host.saved.length)).toBe(count);
    return run.page.evaluate(() => window.fixture?.host.saved.at(-1));
  };

  it("as SVG stands alone: title, legend, frame, curves", async () => {
    run = await Opened.open(browser, "case=short");
    await share("reward_components", "Save as SVG…");
    const file = await saved();
    expect(file).toMatchObject({ title: "grpo-length-hack Reward components", kind: "svg" });
    const svg = Buffer.from(file?.text ?? "", "latin1").toString("utf8");
    const found = await run.page.evaluate((text) => {
      const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
      const of = (name: string): string[] =>
        [...parsed.querySelectorAll(name)].map((one) => one.textContent ?? "");
      return {
        error: parsed.querySelector("parsererror") !== null,
        words: of("text"),
        lines: [...parsed.querySelectorAll("path[stroke-width='1']")].length,
        styles: parsed.querySelectorAll("[style]").length,
      };
    }, svg);
    expect(found.error).toBe(false);
    expect(found.words[0]).toBe("Reward components · grpo-length-hack");
    expect(found.words).toEqual(expect.arrayContaining(["correctness", "style/tone", "100"]));
    expect(found.lines).toBe(4);
    await expect.poll(() => run.page.locator(".said").textContent()).toBe("Saved");
  });

  it("of a heat map says which colour is how much", async () => {
    run = await Opened.open(browser, "case=short");
    await share("kl_positional", "Save as SVG…");
    const svg = Buffer.from((await saved())?.text ?? "", "latin1").toString("utf8");
    const chips = (await run.chart("kl_positional").locator(".chip.ramp").textContent()) ?? "";
    const words = [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text = ""]) => text);
    expect(words[0]).toBe("KL by position · grpo-length-hack");
    expect(words[1]).not.toBe("");
    expect(`${words[1]}${words[2]}`).toBe(chips.trim());
    const [, gradient = ""] = /<linearGradient id="([^"]+)"/.exec(svg) ?? [];
    expect(svg).toContain(`fill="url(#${gradient})"`);
  });

  it("as PNG is a picture twice as sharp as the page, of a heat map too", async () => {
    run = await Opened.open(browser, "case=short");
    for (const [i, metric] of ["kl_mean", "kl_positional"].entries()) {
      await share(metric, "Save as PNG…");
      const file = await saved(i + 1);
      const bytes = Buffer.from(file?.text ?? "", "latin1");
      expect(bytes.subarray(1, 4).toString("latin1")).toBe("PNG");
      const box = await run.chart(metric).locator(".plot").boundingBox();
      expect(Math.abs(bytes.readUInt32BE(16) / 2 - (box?.width ?? 0))).toBeLessThanOrEqual(1);
    }
  });

  it("goes to the clipboard, or through the host where the page may not", async () => {
    run = await Opened.open(browser, "case=short");
    await run.page.evaluate(() => {
      Object.defineProperty(navigator, "clipboard", {
        value: {
          writeText: () => Promise.reject(new Error("no")),
          write: () => Promise.reject(new Error("no")),
        },
      });
    });
    await share("kl_mean", "Copy as CSV");
    expect(await saved()).toMatchObject({
      kind: "clipboard",
      text: expect.stringContaining("KL to reference,raw,1,"),
    });
    await share("kl_mean", "Copy as PNG");
    expect(await saved(2)).toMatchObject({ kind: "png" });
  });

  it("all rows of the part that is shown go from the worker to the file", async () => {
    run = await Opened.open(browser, "case=short");
    await run.page.evaluate(() => window.fixture?.session.zoom([40, 60]));
    await run.settled();
    await share("reward_components", "Save All Rows as CSV…");
    const { kind, text } = (await saved()) ?? {};
    expect(kind).toBe("rows");
    expect(JSON.parse(text ?? "")).toEqual([expect.arrayContaining(["reward_component.format"]), [40, 60]]);
  });
});
