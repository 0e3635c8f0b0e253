/** Asks of huge runs what the editors ask, through the real thread. Arguments: thread, decoder, run, run to compare it with. One line of JSON. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { DEFAULT_COMPARE } from "../../src/protocol/compare.ts";
import { host, opened, peakMb } from "./hosted.ts";

export interface ScaleAnswer {
  readonly facts: {
    readonly steps: number;
    readonly ranks: number;
    readonly metrics: number;
    readonly events: number;
    readonly eventsHeld: number;
    readonly samples: number;
    /** Rows of the pages of events that were asked for: first, middle, last, around a step. */
    readonly pages: readonly number[];
    /** Values at one step, of all metrics together. */
    readonly values: number;
    /** Metrics of which a curve came, 14 a question. */
    readonly drawn: number;
    /** Points of the largest curve, which the width bounds. */
    readonly points: number;
    readonly findings: number;
    readonly checked: number;
    readonly compared: number;
    readonly first: string | null;
    readonly firstAt: number | null;
    readonly timeline: number;
  };
  readonly warnings: readonly { readonly code: string; readonly file: string; readonly count: number }[];
  /** Characters of all warnings together, as the page gets them. */
  readonly warningSize: number;
  /** What the host's log says; threads that were started. */
  readonly log: readonly string[];
  readonly threads: number;
  readonly ms: Readonly<Record<string, number>>;
  /** Longest time that the host's loop was held up. */
  readonly held: number;
  readonly peakMb: number;
}

const WIDTH = 800;
const CHARTS = 14;
const ms: Record<string, number> = {};

async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
  const from = performance.now();
  const answer = await work();
  ms[name] = Math.round(performance.now() - from);
  return answer;
}

async function main(): Promise<void> {
  const [script = "", wasm = "", dir = "", other = ""] = process.argv.slice(2);
  const { worker, pool, lines, spawned } = host(script, wasm);
  const loop = monitorEventLoopDelay({ resolution: 5 });
  loop.enable();
  const { run } = await timed("open", () => opened(pool, dir));
  const overview = await timed("header", () => run.call("run.overview", {}));
  const charts = overview.groups.flatMap(({ charts: all }) => all).filter(({ kind }) => kind === "lines");
  const metrics = [...new Set(charts.flatMap(({ series }) => series.map(({ metric }) => metric)))];
  const axis = await timed("axis", () => run.call("run.axis", {}));
  const chart = (some: readonly string[]) =>
    run.call("chart.series", { id: "c", metrics: [...some], x: "step", range: null, width: WIDTH });
  const timeline = await timed("timeline", () => run.call("run.timeline", { width: WIDTH }));
  await timed("14 charts", () => chart(metrics.slice(0, CHARTS)));
  let drawn = 0;
  let points = 0;
  await timed("all charts, 14 by 14", async () => {
    for (let at = 0; at < metrics.length; at += CHARTS)
      for (const { x } of (await chart(metrics.slice(at, at + CHARTS))).series) {
        drawn++;
        points = Math.max(points, x.length);
      }
  });
  const middle = axis.steps / 2;
  const at = await timed("all values at a step", () =>
    run.call("chart.at", { x: "step", at: middle, metrics }),
  );
  const events = (offset: number, near: number | null = null) =>
    run.call("events.page", { offset, limit: 200, kind: null, range: null, near });
  const begun = await timed("events", () => events(0));
  const pages = [
    begun,
    await timed("events, far", () => events(begun.total >> 1)),
    await events(Math.max(0, begun.total - 10)),
    await timed("events, at a step", () => events(0, middle)),
  ];
  const counts = await timed("samples counted", () => run.call("run.counts", {}));
  await timed("samples, far", () =>
    run.call("samples.query", {
      from: middle,
      to: middle + 10,
      sort: "reward_total",
      descending: true,
      k: 5,
    }),
  );
  const diagnosis = await timed("diagnosis", () => run.call("run.diagnose", { config: null, extra: true }));
  const second = await timed("open the other", () => opened(pool, other));
  const pair = await timed("comparison", () =>
    pool.compare([run, second.run], "compare.metrics", { other: 1, options: DEFAULT_COMPARE }),
  );
  const warnings = await run.call("run.warnings", {});
  const best = pair.metrics.find(({ metric }) => metric === pair.first);
  const answer: ScaleAnswer = {
    facts: {
      steps: axis.steps,
      ranks: overview.ranks.length,
      metrics: metrics.length,
      events: overview.eventCount,
      eventsHeld: begun.total,
      samples: counts.samples,
      pages: pages.map(({ rows }) => rows.length),
      values: at.values.filter((value) => value !== null).length,
      drawn,
      points,
      findings: diagnosis.findings.length,
      checked: diagnosis.findings.length + diagnosis.passed.length + diagnosis.skipped.length,
      compared: pair.compared + pair.comparedOurs,
      first: pair.first,
      firstAt: best?.divergence?.step ?? null,
      timeline: timeline.marks.length,
    },
    warnings: warnings.map(({ code, file, count }) => ({ code, file, count })),
    warningSize: JSON.stringify(warnings).length,
    log: lines,
    threads: spawned(),
    ms,
    held: Math.round(loop.max / 1e6),
    peakMb: peakMb(),
  };
  worker.dispose();
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

void main();
