/** What the page costs, in real Chromium with its own code and a real worker: painting, zooming, memory, messages. */
import fs from "node:fs";
import path from "node:path";
import { type Browser, chromium } from "playwright-core";
import { chartGroups } from "../../src/core/format/catalogue.ts";
import { nodeSource, openRun } from "../../src/core/index.ts";
import { makeRuns } from "./data.ts";
import type { PageBench } from "./page-entry.ts";
import { type PageHost, startHost } from "./page-host.ts";
import {
  busy,
  cell,
  digits,
  Figures,
  ratio,
  spread,
  type Target,
  table,
  targetRows,
  verdict,
} from "./report.ts";
import type { RunSpec } from "./stories.ts";

export interface PageOptions {
  readonly root: string;
  readonly rounds: number;
  readonly chromium: string;
  /** Texts of the bundled page-entry.ts by the names of its files. */
  readonly scripts: Readonly<Record<string, string>>;
  /** Text of the product's style sheet. */
  readonly style: string;
  readonly python: string | null;
  readonly makeRuns: string;
}

const LENGTHS = [100_000, 1_000_000] as const;
const CHARTS = 14;
const FEW = 4;
/** Shares of the run that are zoomed to, one after another. */
const PARTS = [
  [0.1, 0.6],
  [0.12, 0.3],
  [0.55, 0.95],
  [0.2, 0.21],
  [0.05, 0.8],
] as const;

/** Beyond a hundred thousand steps in parts: no writer at hand makes one file of as many rows. */
const runOf = (steps: number): RunSpec => ({
  ...{ name: `${steps} steps`, kind: "compacted", steps, parts: Math.max(1, steps / 100_000) },
  ...{ shards: 0, rowsPerShard: 0, large: false },
});

/** rlprobe's own generator takes gigabytes for a million steps: that run is always our own. */
function runs(options: PageOptions): ReadonlyMap<number, string> {
  const cache = path.join(options.root, ".cache/bench");
  return new Map(
    LENGTHS.map((steps) => {
      const spec = runOf(steps);
      const python = steps <= 100_000 ? options.python : null;
      return [steps, makeRuns([spec], cache, python, options.makeRuns).get(spec.name) ?? ""];
    }),
  );
}

/** All charts of lines but so many. */
export async function hiddenBut(dir: string, count: number): Promise<string[]> {
  const { columns } = (await openRun(nodeSource(dir))).steps;
  const all = chartGroups(columns).flatMap(({ charts }) => charts);
  const single = all.filter(({ kind, series }) => kind === "lines" && series.length === 1);
  const shown = new Set(single.slice(0, count).map(({ id }) => id));
  return all.map(({ id }) => id).filter((id) => !shown.has(id));
}

/** Thresholds that are tried one after another: what is slow to look for among them, and what then fires. */
const SLIDES = [
  ["CLIP_SATURATION", "threshold", 0.001],
  ["TRUNCATION_STARVE", "threshold", 0.001],
  ["FD_SPIKE", "ratio", 2],
  ["FD_SPIKE", "above_usual", 1],
  ["REWARD_HACK_LENGTH", "corr_window", 10_000],
  ["REWARD_HACK_LENGTH", "corr_window", 400],
  ["KL_BLOWUP", "ratio", 1.5],
  ["ENTROPY_COLLAPSE", "collapse_below", 2],
  ["DEGENERATE_GROUPS", "threshold", 0.01],
  ["CLIP_SATURATION", "threshold", 0.002],
] as const;

interface Visit {
  readonly dir: string;
  readonly charts: number;
  readonly warm: boolean;
  readonly zooms: boolean;
}

async function visit(browser: Browser, options: PageOptions, { dir, charts, warm, zooms }: Visit) {
  const host = await startHost({
    dir,
    warm,
    dist: path.join(options.root, "dist"),
    scripts: options.scripts,
    style: options.style,
    hidden: await hiddenBut(dir, charts),
  });
  const context = await browser.newContext({ viewport: { width: 1280, height: 1150 } });
  try {
    return await measure(await context.newPage(), browser, host, { charts, zooms });
  } finally {
    await context.close();
    await host.close();
  }
}

type Page = Awaited<ReturnType<Awaited<ReturnType<Browser["newContext"]>>["newPage"]>>;

/** Processor time of all pages of a browser so far, in milliseconds. */
async function pageTime(browser: Browser): Promise<number> {
  const cdp = await browser.newBrowserCDPSession();
  try {
    const { processInfo } = await cdp.send("SystemInfo.getProcessInfo");
    return processInfo.reduce(
      (sum, { type, cpuTime }) => sum + (type === "renderer" ? cpuTime * 1000 : 0),
      0,
    );
  } finally {
    await cdp.detach();
  }
}

interface Measured {
  readonly charts: number;
  readonly zooms: boolean;
}

async function measure(page: Page, browser: Browser, host: PageHost, { charts, zooms }: Measured) {
  page.on("pageerror", (error) => process.stderr.write(`${error.stack}\n`));
  const before = await pageTime(browser);
  const start = process.cpuUsage();
  await page.goto(`${host.url}?charts=${charts}`);
  await page.waitForFunction(() => !Number.isNaN(window.bench?.painted.all ?? Number.NaN), null, {
    timeout: 120_000,
  });
  const { user, system } = process.cpuUsage(start);
  const times = { "page time": (await pageTime(browser)) - before, "host time": (user + system) / 1000 };
  await page.waitForFunction(
    () => {
      const { all = Number.NaN, findings = Number.NaN } = window.bench?.painted ?? {};
      return !Number.isNaN(all + findings);
    },
    null,
    { timeout: 120_000 },
  );
  const painted = await page.evaluate(() => ({ ...window.bench?.painted }));
  const figures: Record<string, number> = { ...painted, ...times };
  if (zooms) {
    await page.waitForSelector('#root[data-ready="true"]', { timeout: 120_000 });
    for (const [i, [from, to]] of PARTS.entries()) {
      // One after the other, and the other way round: neither always finds the columns warm.
      const order: readonly (keyof Pick<PageBench, "zoom" | "bare">)[] =
        i % 2 === 0 ? ["zoom", "bare"] : ["bare", "zoom"];
      for (const what of order)
        figures[`${what} ${i}`] = await page.evaluate(
          ([name, a, b]) => window.bench?.[name](a, b) ?? Number.NaN,
          [what, from, to] as const,
        );
    }
    for (const [i, [signature, name, value]] of SLIDES.entries())
      figures[`slide ${i}`] = await page.evaluate(
        ([of, param, tried]) => window.bench?.slide(of, param, tried) ?? Number.NaN,
        [signature, name, value] as const,
      );
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("HeapProfiler.enable");
    await cdp.send("HeapProfiler.collectGarbage");
    const { usedSize } = await cdp.send("Runtime.getHeapUsage");
    figures["heap"] = usedSize / 2 ** 20;
  }
  figures["message"] = host.largest() / 1024;
  return figures;
}

async function rounds(options: PageOptions, folders: ReadonlyMap<number, string>): Promise<Figures> {
  const figures = new Figures();
  const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"];
  for (let number = 0; number < options.rounds; number++) {
    process.stderr.write(`page, round ${number + 1} of ${options.rounds}\n`);
    for (const [steps, dir] of folders) {
      const name = `${steps} steps`;
      const browser = await chromium.launch({ executablePath: options.chromium, args });
      try {
        for (const warm of number % 2 === 0 ? [false, true] : [true, false]) {
          const one = await visit(browser, options, { dir, charts: CHARTS, warm, zooms: warm });
          figures.add(number, name, warm ? "warm" : "cold", one);
        }
        const few = await visit(browser, options, { dir, charts: FEW, warm: true, zooms: true });
        figures.add(number, name, "few", few);
      } finally {
        await browser.close();
      }
    }
  }
  return figures;
}

/** All zooms of all rounds of one kind, side by side. */
function zoomsOf(figures: Figures, run: string, who: string, what: "zoom" | "bare"): number[] {
  return PARTS.flatMap((_, i) => [...(figures.get(run, who, `${what} ${i}`) ?? [])]);
}

/** All answers to sliders of all rounds, side by side; the slowest is what a hand feels. */
function slidesOf(figures: Figures, run: string): number[] {
  return SLIDES.flatMap((_, i) => [...(figures.get(run, "warm", `slide ${i}`) ?? [])]);
}

function rows(figures: Figures): string[][] {
  const head = ["page", ...LENGTHS.map((steps) => `${steps.toLocaleString("en-US")} steps`)];
  const line = (what: string, of: (run: string) => string): string[] => [
    what,
    ...LENGTHS.map((steps) => of(`${steps} steps`)),
  ];
  const painted = (who: string, what: string) => (run: string) => cell(spread(figures.get(run, who, what)));
  const zoom = (who: string, what: "zoom" | "bare") => (run: string) =>
    cell(spread(zoomsOf(figures, run, who, what)));
  const times = (who: string) => (run: string) =>
    cell(ratio(zoomsOf(figures, run, who, "zoom"), zoomsOf(figures, run, who, "bare")), "x");
  return [
    head,
    line("header, cold / ms", painted("cold", "header")),
    line("header, pre-warmed / ms", painted("warm", "header")),
    line("first chart, cold / ms", painted("cold", "first")),
    line("first chart, pre-warmed / ms", painted("warm", "first")),
    line("4 charts, pre-warmed / ms", painted("few", "all")),
    line("all 14, cold / ms", painted("cold", "all")),
    line("all 14, pre-warmed / ms", painted("warm", "all")),
    line("page's processor, all 14, cold / ms", painted("cold", "page time")),
    line("host's and worker's, all 14, cold / ms", painted("cold", "host time")),
    line("page's processor, all 14, pre-warmed / ms", painted("warm", "page time")),
    line("host's and worker's, all 14, pre-warmed / ms", painted("warm", "host time")),
    line("findings, cold / ms", painted("cold", "findings")),
    line("findings, pre-warmed / ms", painted("warm", "findings")),
    line("a slider's answer / ms", (run) => cell(spread(slidesOf(figures, run)))),
    line("the slowest / ms", (run) => digits(Math.max(...slidesOf(figures, run)))),
    line("zoom of 4 / ms", zoom("few", "zoom")),
    line("bare canvas, 4 / ms", zoom("few", "bare")),
    line("zoom of 4, times the canvas", times("few")),
    line("zoom of 14 / ms", zoom("warm", "zoom")),
    line("bare canvas, 14 / ms", zoom("warm", "bare")),
    line("zoom of 14, times the canvas", times("warm")),
    line("page heap / MB", painted("warm", "heap")),
    line("largest message / KB", painted("warm", "message")),
  ];
}

export function pageTargets(figures: Figures): Target[] {
  const [short, long] = LENGTHS.map((steps) => `${steps} steps`) as [string, string];
  const median = (who: string, what: string, run = short) =>
    spread(figures.get(run, who, what))?.median ?? null;
  const times = (who: string) =>
    ratio(zoomsOf(figures, short, who, "zoom"), zoomsOf(figures, short, who, "bare"))?.median ?? null;
  const growth = ratio(figures.get(long, "few", "all"), figures.get(short, "few", "all"))?.median ?? null;
  const ms = (what: string, who: string, figure: string, must: number, aim: number): Target => ({
    ...{ what, unit: " ms", must, aim, value: median(who, figure) },
  });
  return [
    ms("header painted, pre-warmed", "warm", "header", 300, 150),
    ms("first chart painted, cold", "cold", "first", 1000, 500),
    ms("first chart painted, pre-warmed", "warm", "first", 500, 250),
    ms("all 14 painted, cold", "cold", "all", 1500, 750),
    ms("all 14 painted, pre-warmed", "warm", "all", 1000, 500),
    { what: "zoom, 4 visible, times the bare canvas", unit: "x", must: 2.5, aim: 1.5, value: times("few") },
    { what: "zoom, all 14, times the bare canvas", unit: "x", must: 2.5, aim: 1.5, value: times("warm") },
    {
      ...{ what: "a threshold's answer painted, the slowest", unit: " ms", must: 100, aim: 50 },
      value: Math.max(...slidesOf(figures, short)),
    },
    { what: "page heap", unit: " MB", must: 40, aim: 15, value: median("warm", "heap") },
    {
      what: "largest message to the page",
      unit: " KB",
      must: 1024,
      aim: 200,
      value: median("warm", "message"),
    },
    // Reading ten times as many rows costs ten times as much; nothing else may grow with the run.
    {
      what: "four charts at 1,000,000 steps, times those at 100,000",
      unit: "x",
      must: 10,
      aim: 1.2,
      value: growth,
    },
  ];
}

/** @returns false when a must is missed */
export async function pageBench(options: PageOptions): Promise<boolean> {
  const figures = await rounds(options, runs(options));
  const targets = pageTargets(figures);
  process.stdout.write(`${[...busy(), table(rows(figures))].join("\n")}\n\n${table(targetRows(targets))}\n`);
  const reached = targets.map((target) => ({ ...target, reached: verdict(target) }));
  const missed = reached.filter((target) => target.reached === "missed");
  for (const { what, value } of missed)
    process.stdout.write(`missed: ${what}: ${digits(value ?? Number.NaN)}\n`);
  const file = path.join(options.root, ".cache/bench/page.json");
  fs.writeFileSync(
    file,
    `${JSON.stringify({ rounds: options.rounds, figures, targets: reached }, null, 1)}\n`,
  );
  return missed.length === 0;
}
