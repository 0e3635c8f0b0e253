/** All that a page, a table, a document and a comparison can ask of a run. */
import type { RunWorker, WorkerRun } from "../../../src/host/worker/client.ts";
import { askTogether } from "../../../src/host/worker/together.ts";
import { DEFAULT_COMPARE } from "../../../src/protocol/compare.ts";
import type { RunContract } from "../../../src/protocol/run.ts";
import type { SampleFilter } from "../../../src/protocol/samples.ts";
import type { Params, Result } from "../../../src/protocol/wire.ts";
import type { Draw } from "./draw.ts";

type Method = keyof RunContract & string;
/** Asks; `null` when there is no answer but a problem. */
export type Ask = <M extends Method>(
  method: M,
  params: Params<RunContract, M>,
) => Promise<Result<RunContract, M> | null>;

const ALL: SampleFilter = {
  ...{ steps: null, rank: null, reason: null, truncated: null, group: null },
  ...{ prompt: null, reward: null, length: null, rows: null },
};
const PAGE = { offset: 0, limit: 100 };
const WIDTH = 300;

/** What a page asks first: what is known of a run that grows. */
export async function askFirst(ask: Ask): Promise<void> {
  const metrics = metricsOf(await ask("run.overview", {}));
  await ask("run.axis", {});
  await ask("chart.series", { id: "first", x: "step", range: null, width: WIDTH, metrics });
  await ask("run.counts", {});
  await ask("samples.state", { seen: 0 });
}

/** Asks everything that shows another part of the run; of what shows the same parts otherwise, about half. */
export async function askAll(ask: Ask, draw: Draw): Promise<void> {
  const overview = await ask("run.overview", {});
  await ask("run.config", {});
  await ask("run.records", {});
  await ask("run.axis", {});
  await askCharts(ask, draw, metricsOf(overview));
  if (overview?.groups.some(({ charts }) => charts.some(({ id }) => id === "kl_positional")))
    await ask("chart.heatmap", {
      id: "kl_positional",
      metrics: ["kl_positional"],
      x: "step",
      range: null,
      width: WIDTH,
    });
  await askEvents(ask, draw);
  await ask("run.counts", {});
  await askSamples(ask, draw);
  await ask("run.diagnose", { config: null, extra: true, known: draw.chance(0.3) });
  await ask("run.summary", {});
  await ask("run.warnings", {});
}

function metricsOf(overview: Result<RunContract, "run.overview"> | null): string[] {
  const charts = (overview?.groups ?? [])
    .flatMap((group) => group.charts)
    .filter(({ kind }) => kind === "lines");
  return [...new Set(charts.flatMap(({ series }) => series.map(({ metric }) => metric)))].slice(0, 256);
}

async function askCharts(ask: Ask, draw: Draw, metrics: readonly string[]): Promise<void> {
  const x = draw.of(["step", "time", "relative"] as const);
  const more = draw.of([{}, { smoothing: 0.6 }, { log: true }, { smoothing: 0.9, log: true }]);
  const chart = { id: "all", x, range: null, width: WIDTH, ...more };
  const view = await ask("chart.series", { ...chart, metrics: [...metrics] });
  const [from, to] = view?.xDomain ?? [0, 1];
  const range: [number, number] = [from + (to - from) / 3, from + (to - from) / 2];
  const some = metrics.slice(0, 12);
  await draw.some([
    () => ask("chart.series", { ...chart, metrics: some, range }),
    () => ask("chart.at", { x, at: from, metrics: some }),
    () => ask("chart.rows", { metrics: some, steps: null, ...PAGE }),
    () => ask("chart.csv", { metrics: some, steps: null, ...PAGE }),
    () => ask("chart.json", { metrics: some, steps: null, ...PAGE }),
    () => ask("run.timeline", { width: WIDTH }),
    () => ask("run.density", { width: WIDTH }),
    () => ask("run.row", { metrics: some, sparks: some.slice(0, 2), width: 100, height: 20 }),
  ]);
}

async function askEvents(ask: Ask, draw: Draw): Promise<void> {
  const page = await ask("events.page", { ...PAGE, kind: null, range: null });
  const kind = page?.kinds.at(-1)?.kind ?? null;
  await ask("events.page", { ...PAGE, kind, range: [0, draw.below(100)], near: draw.below(100) });
}

async function askSamples(ask: Ask, draw: Draw): Promise<void> {
  let state = await ask("samples.state", { seen: -1 });
  for (let tries = 0; state && !state.done && tries < 50; tries++)
    state = await ask("samples.state", { seen: state.read });
  const components = (state?.components ?? []).slice(0, 5);
  const by = draw.of([
    ...(["step", "row", "reward_total", "advantage", "kl_contribution", "completion_len"] as const),
    `component:${components[0] ?? ""}` as const,
  ]);
  const order = { by, descending: draw.chance(0.5) };
  const list = await ask("samples.list", { filter: ALL, order, components, ...PAGE });
  const rows = (list?.rows ?? []).slice(0, 2);
  for (const { row, step, id, rank } of rows) {
    await ask("samples.detail", { row, text: 1 << 20 });
    await ask("samples.find", { rank, step: /^-?\d+$/.test(step) ? Number(step) : null, id });
    await ask("samples.place", { filter: ALL, order, row });
  }
  await draw.some([
    () => ask("samples.rows", { rows: rows.map(({ row }) => row), components }),
    () => ask("samples.histogram", { filter: ALL, bins: 20 }),
    () => ask("samples.scatter", { filter: ALL, columns: 20, rows: 20 }),
    () => ask("samples.groups", { filter: ALL, flat: draw.chance(0.3), ...PAGE }),
    () => askPrompts(ask),
    () => ask("samples.query", { from: -1e9, to: 1e9, sort: "reward_total", descending: true, k: 10 }),
  ]);
  await search(ask, draw);
}

async function askPrompts(ask: Ask): Promise<void> {
  const prompts = await ask("samples.prompts", { filter: ALL, ...PAGE });
  const [first] = prompts?.prompts ?? [];
  if (first) await ask("samples.prompt", { prompt: first.prompt });
}

async function search(ask: Ask, draw: Draw): Promise<void> {
  const text = draw.of(["a", "the", "\u0000", "e "]);
  let after: number | null = 0;
  for (let tries = 0; after !== null && tries < 20; tries++) {
    const found: { next: number | null } | null = await ask("samples.search", {
      ...{ filter: ALL, text, matchCase: draw.chance(0.5), after, limit: 1000 },
    });
    after = found?.next ?? null;
  }
}

/** The mutant beside another run, either way round. */
export async function compareAll(worker: RunWorker, runs: readonly WorkerRun[]): Promise<void> {
  const together = askTogether.bind(null, worker, runs);
  const pair = { other: 1, options: DEFAULT_COMPARE };
  await together("compare.overview", {});
  const picture = { align: "step", range: null, width: WIDTH } as const;
  await together("compare.metrics", pair);
  await together("compare.series", { metric: "reward_mean", runs: null, ...picture });
  await together("compare.gap", { metric: "reward_mean", ...pair, ...picture });
  await together("compare.config", { ignore: [] });
  await together("compare.prompts", { other: 1, offset: 0, limit: 100 });
  await together("compare.records", {});
}
