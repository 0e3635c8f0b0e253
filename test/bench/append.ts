/**
 * A run that grows: what one more part costs the reader, and until all charts are painted, by the length of the run. `npm run bench -- --append`.
 */
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { chromium, type Page } from "playwright-core";
import { nodeSource, openRun } from "../../src/core/index.ts";
import { APPENDS, addPart, linkRun, partsIn, WARM_APPENDS } from "./append-run.ts";
import { makeRuns } from "./data.ts";
import { hiddenBut, type PageOptions } from "./page.ts";
import { type PageHost, startHost } from "./page-host.ts";
import { busy, cell, Figures, ratio, spread, type Target, table, targetRows, verdict } from "./report.ts";
import { type Answer, later, RUNS, type RunSpec } from "./stories.ts";

interface Scene {
  readonly base: RunSpec;
  readonly later: RunSpec;
}

const baseOf = (name: string): RunSpec => {
  const spec = RUNS.find((run) => run.name === name);
  if (!spec) throw new Error(`no run is called ${name}`);
  return spec;
};
const scene = (name: string, rows: number): Scene => {
  const base = baseOf(name);
  return { base, later: later(base.steps, APPENDS, rows) };
};
const [SHORT, LONG, LIVE, SMALL] = [
  "10000 steps",
  "100000 steps",
  "500 parts x 200",
  "5000 parts x 3",
] as const;
const SCENES = [scene(SHORT, 3), scene(LONG, 3), scene(LIVE, 200), scene(SMALL, 3)];
const CHARTS = 14;
const PATIENCE = { timeout: 120_000 };

const start = promisify(execFile);

async function reader(options: PageOptions, run: string, parts: string): Promise<Answer["figures"]> {
  const story = path.join(options.root, ".cache/bench/bin/append-story.cjs");
  const wasm = path.join(options.root, "node_modules/parquet-wasm/esm/parquet_wasm_bg.wasm");
  const { stdout } = await start(process.execPath, [story, run, parts, wasm]);
  return (JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Answer).figures;
}

const clock = (): number => performance.timeOrigin + performance.now();

declare global {
  interface Window {
    /** When all charts were painted with the step that is waited for; on the clock of all processes. */
    grown?: Promise<number>;
  }
}

/** Runs in the page: watches until every chart that is drawn ends with a step. */
function watchFor(last: number): void {
  const isThere = (): boolean => {
    const plots = [...document.querySelectorAll('fd-chart .plot[tabindex="0"]')];
    return plots.length > 0 && plots.every((plot) => Number(plot.getAttribute("aria-valuemax")) === last);
  };
  window.grown = new Promise((resolve) => {
    const look = (): void => {
      const isPainted = isThere();
      const { port1, port2 } = new MessageChannel();
      // After a frame, what was there before it is on the screen.
      port1.onmessage = () =>
        isPainted ? resolve(performance.timeOrigin + performance.now()) : requestAnimationFrame(look);
      port2.postMessage(null);
    };
    requestAnimationFrame(look);
  });
}

async function lastStep(run: string): Promise<number> {
  const { step } = await (await openRun(nodeSource(run))).steps.axis("merged");
  return step.values.at(-1) ?? Number.NaN;
}

async function grow(
  page: Page,
  host: PageHost,
  run: string,
  parts: readonly string[],
  rows: number,
): Promise<number[]> {
  let last = await lastStep(run);
  const out: number[] = [];
  for (const part of parts) {
    last += rows;
    await page.evaluate(watchFor, last);
    const begun = clock();
    addPart(run, part);
    await host.changed();
    const ended = await page.evaluate(() => window.grown);
    out.push((ended ?? Number.NaN) - begun);
    // What is asked for last (warnings, counts) is no part of the next one.
    await page.waitForSelector('#root[data-ready="true"]', PATIENCE);
    await page.waitForTimeout(300);
  }
  return out;
}

async function painted(
  options: PageOptions,
  run: string,
  parts: string,
  rows: number,
): Promise<Answer["figures"]> {
  const host = await startHost({
    dir: run,
    warm: true,
    dist: path.join(options.root, "dist"),
    scripts: options.scripts,
    style: options.style,
    hidden: await hiddenBut(run, CHARTS),
  });
  const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"];
  const browser = await chromium.launch({ executablePath: options.chromium, args });
  try {
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 1150 } })).newPage();
    page.on("pageerror", (error) => process.stderr.write(`${error.stack}\n`));
    await page.goto(`${host.url}?charts=${CHARTS}`);
    await page.waitForFunction(() => !Number.isNaN(window.bench?.painted.all ?? Number.NaN), null, PATIENCE);
    await page.waitForSelector('#root[data-ready="true"]', PATIENCE);
    const times = (await grow(page, host, run, partsIn(parts), rows)).slice(WARM_APPENDS);
    return { painted: spread(times)?.median ?? Number.NaN, "slowest painted": Math.max(...times) };
  } finally {
    await browser.close();
    await host.close();
  }
}

/** One part more, by the run that it comes to; and all of that run at once. */
async function rounds(options: PageOptions, folders: ReadonlyMap<string, string>): Promise<Figures> {
  const figures = new Figures();
  const cache = path.join(options.root, ".cache/bench");
  for (let number = 0; number < options.rounds; number++) {
    process.stderr.write(`appends, round ${number + 1} of ${options.rounds}\n`);
    const scenes = number % 2 === 0 ? SCENES : SCENES.toReversed();
    for (const { base, later: parts } of scenes) {
      const [run, come] = [base, parts].map(({ name }) => folders.get(name) ?? "") as [string, string];
      for (const [who, measure] of [
        ["reader", (copy: string) => reader(options, copy, come)],
        ["page", (copy: string) => painted(options, copy, come, parts.steps / parts.parts)],
      ] as const) {
        const scratch = fs.mkdtempSync(path.join(cache, "append-"));
        try {
          const copy = path.join(scratch, "run");
          linkRun(run, copy);
          figures.add(number, base.name, who, await measure(copy));
        } finally {
          fs.rmSync(scratch, { recursive: true, force: true });
        }
      }
    }
  }
  return figures;
}

const LINES = [
  ["reader, a part more / ms", "reader", "ms"],
  ["its processor time / ms", "reader", "cpu"],
  ["the slowest / ms", "reader", "slowest"],
  ["14 charts painted, a part more / ms", "page", "painted"],
  ["the slowest painted / ms", "page", "slowest painted"],
  ["the whole run, cold / ms", "reader", "cold"],
  ["opened anew, warm / ms", "reader", "warm"],
  ["opened again, from memory / ms", "reader", "kept"],
] as const;

function rows(figures: Figures): string[][] {
  const kilobytes = (run: string): string =>
    cell(spread((figures.get(run, "reader", "bytes") ?? []).map((bytes) => bytes / 1024)));
  return [
    ["a run that grows", ...SCENES.map(({ base }) => base.name)],
    ...LINES.map(([title, who, what]) => [
      title,
      ...SCENES.map(({ base }) => cell(spread(figures.get(base.name, who, what)))),
    ]),
    ["read from the disk, a part more / KB", ...SCENES.map(({ base }) => kilobytes(base.name))],
  ];
}

function targets(figures: Figures): Target[] {
  // Of the quietest round: what others do on the machine is no cost of an append.
  const least = (run: string, who: string, what: string) => spread(figures.get(run, who, what))?.min ?? null;
  const growth = (who: string, what: string) =>
    ratio(figures.get(LONG, who, what), figures.get(SHORT, who, what))?.median ?? null;
  const ms = (what: string, must: number, aim: number, value: number | null): Target => ({
    ...{ what, unit: " ms", must, aim, value },
  });
  return [
    ...SCENES.flatMap(({ base: { name } }) => [
      ms(`${name} and a part: read`, 10, 5, least(name, "reader", "ms")),
      ms(`${name} and a part: painted`, 150, 80, least(name, "page", "painted")),
    ]),
    {
      ...{ what: `a part read after ${LONG}, times after ${SHORT} (CPU)`, unit: "x", must: 3, aim: 1.5 },
      value: growth("reader", "cpu"),
    },
    {
      ...{ what: `a part painted after ${LONG}, times after ${SHORT}`, unit: "x", must: 2, aim: 1.2 },
      value: growth("page", "painted"),
    },
    {
      ...{ what: `bytes read after ${LONG}, times after ${SHORT}`, unit: "x", must: 1.1, aim: 1.01 },
      value: growth("reader", "bytes"),
    },
    ms(`${LIVE}: 14 columns, all in, cold`, 1_800, 900, least(LIVE, "reader", "cold")),
    ms(`${LIVE}: from what is kept`, 300, 150, least(LIVE, "reader", "kept")),
  ];
}

/** @returns false when a must is missed */
export async function appendBench(options: PageOptions): Promise<boolean> {
  const cache = path.join(options.root, ".cache/bench");
  const specs = SCENES.flatMap(({ base, later: parts }) => [base, parts]);
  const figures = await rounds(options, makeRuns(specs, cache, options.python, options.makeRuns));
  const reached = targets(figures).map((target) => ({ ...target, reached: verdict(target) }));
  process.stdout.write(
    `${[...busy(), table(rows(figures))].join("\n")}\n\n${table(targetRows(targets(figures)))}\n`,
  );
  const results = { rounds: options.rounds, figures, targets: reached };
  fs.writeFileSync(path.join(cache, "append.json"), `${JSON.stringify(results, null, 1)}\n`);
  return reached.every((target) => target.reached !== "missed");
}
