/** What a report says of runs side by side: the answers that the compare editor gets, asked once, within bounds. */
import {
  type CompareConfigSection,
  type CompareContract,
  type CompareOverview,
  DEFAULT_COMPARE,
  type GapView,
  type MetricGap,
  type OverlayView,
  type PairView,
  type PromptGaps,
  type RecordsComparison,
} from "../protocol/compare.ts";
import type { Handlers } from "../protocol/rpc.ts";
import { SMALL, WIDE } from "./gather.ts";

export type CompareAnswers = Handlers<CompareContract>;

/** Curves that are drawn wide, with their gap. */
const MAX_LEADING = 3;
const MAX_CHARTS = 80;
const MAX_POINTS = 90_000;
const MAX_PROMPTS = 10;
/** More runs than that cannot be told apart in a picture. */
export const MAX_DRAWN = 8;

export interface CompareReport {
  readonly overview: CompareOverview;
  /** One a run besides the baseline. */
  readonly pairs: readonly PairView[];
  /** Where the runs part first, with the gap. */
  readonly leading: readonly {
    readonly gap: MetricGap;
    readonly overlay: OverlayView;
    readonly picture: GapView;
    readonly other: number;
  }[];
  readonly overlays: readonly {
    readonly title: string;
    readonly unit: string;
    readonly group: string;
    readonly view: OverlayView;
  }[];
  readonly chartsLeft: number;
  readonly config: readonly CompareConfigSection[];
  readonly prompts: readonly PromptGaps[];
  readonly records: RecordsComparison;
}

/** @param isFull with pictures */
export async function gatherCompare(
  ask: CompareAnswers,
  isFull: boolean,
  signal: AbortSignal,
): Promise<CompareReport> {
  const context = { signal };
  const overview = await ask["compare.overview"]({}, context);
  const others = overview.runs.map((_, run) => run).slice(1);
  const pairs: PairView[] = [];
  const prompts: PromptGaps[] = [];
  for (const other of others) {
    pairs.push(await ask["compare.metrics"]({ other, options: DEFAULT_COMPARE }, context));
    prompts.push(await ask["compare.prompts"]({ other, offset: 0, limit: MAX_PROMPTS }, context));
  }
  const drawn = overview.runs.map((_, run) => run).slice(0, MAX_DRAWN);
  const leading = isFull ? await leadingOf(ask, pairs, drawn, signal) : [];
  const { overlays, left } = isFull
    ? await overlaysOf(ask, overview, pairs, drawn, signal)
    : { overlays: [], left: 0 };
  return {
    overview,
    pairs,
    leading,
    overlays,
    chartsLeft: left,
    config: await ask["compare.config"]({ ignore: [] }, context),
    prompts,
    records: await ask["compare.records"]({}, context),
  };
}

const picture = (width: number) => ({ align: DEFAULT_COMPARE.align, range: null, width });

async function leadingOf(
  ask: CompareAnswers,
  pairs: readonly PairView[],
  runs: number[],
  signal: AbortSignal,
): Promise<CompareReport["leading"]> {
  const parted = pairs
    .flatMap(({ other, metrics }) =>
      metrics.filter(({ divergence }) => divergence !== null).map((gap) => ({ other, gap })),
    )
    .sort((a, b) => (a.gap.divergence?.x ?? 0) - (b.gap.divergence?.x ?? 0));
  const first = [...new Map(parted.map((each) => [each.gap.metric, each] as const).reverse()).values()]
    .reverse()
    .slice(0, MAX_LEADING);
  const out = [];
  for (const { other, gap } of first) {
    const overlay = await ask["compare.series"]({ metric: gap.metric, runs, ...picture(WIDE) }, { signal });
    const band = await ask["compare.gap"](
      { metric: gap.metric, other, options: DEFAULT_COMPARE, ...picture(WIDE) },
      { signal },
    );
    out.push({ gap, other, overlay, picture: band });
  }
  return out;
}

/** All shared metrics: those that part first, then in the editor's order. */
async function overlaysOf(
  ask: CompareAnswers,
  overview: CompareOverview,
  pairs: readonly PairView[],
  runs: number[],
  signal: AbortSignal,
) {
  const order = new Map<string, number>();
  for (const { metrics } of pairs)
    for (const { metric, divergence } of metrics)
      if (divergence)
        order.set(metric, Math.min(order.get(metric) ?? Number.POSITIVE_INFINITY, divergence.x));
  const all = overview.groups.flatMap(({ title: group, metrics }) =>
    metrics.map((metric) => ({ ...metric, group })),
  );
  const last = Number.MAX_VALUE;
  const sorted = all
    .map((each, place) => ({ each, place }))
    .sort(
      (a, b) => (order.get(a.each.metric) ?? last) - (order.get(b.each.metric) ?? last) || a.place - b.place,
    );
  const overlays: CompareReport["overlays"][number][] = [];
  let points = 0;
  for (const { each } of sorted) {
    if (overlays.length >= MAX_CHARTS || points > MAX_POINTS) break;
    const view = await ask["compare.series"]({ metric: each.metric, runs, ...picture(SMALL) }, { signal });
    for (const { series } of view.series) points += series.x.length + 4 * series.dotsX.length;
    overlays.push({ title: each.title, unit: each.unit, group: each.group, view });
  }
  return { overlays, left: sorted.length - overlays.length };
}
