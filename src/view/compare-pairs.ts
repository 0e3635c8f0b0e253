/** Pairs of a comparison: the baseline with each other run. Which rows meet is found once for each alignment. */
import { diverged, metricsOf, Pair } from "../core/compare/pair.ts";
import {
  type Alignment,
  DEFAULT_SETTINGS,
  type MetricComparison,
  type Window,
} from "../core/compare/types.ts";
import { metricInfo } from "../core/format/catalogue.ts";
import type { RunModel } from "../core/run/model.ts";
import type { CompareContract, ComparePlace, GapView, MetricGap, PairView } from "../protocol/compare.ts";
import type { Params, Problem } from "../protocol/wire.ts";
import { gapView, placesX } from "./compare-charts.ts";
import { type CompareColumns, modelAt } from "./compare-columns.ts";
import { separated } from "./compare-extra.ts";
import { cut } from "./text.ts";
import { metricTitle } from "./titles.ts";

/** Pairs whose meeting rows are remembered. */
const KEPT = 64;
const MAX_NAME = 200;
const MAX_SKIPPED = 1000;

interface Met {
  readonly pair: Pair;
  /** In units of the axis, one a meeting. */
  readonly x: Float64Array;
}

export class ComparePairs {
  readonly #models: readonly RunModel[];
  readonly #columns: CompareColumns;
  readonly #pause: () => Promise<void>;
  readonly #met = new Map<string, Promise<Met>>();

  constructor(models: readonly RunModel[], columns: CompareColumns, pause: () => Promise<void>) {
    this.#models = models;
    this.#columns = columns;
    this.#pause = pause;
  }

  async metrics(
    { other, options }: Params<CompareContract, "compare.metrics">,
    signal: AbortSignal,
  ): Promise<PairView> {
    const { pair, x } = await this.#meet(other, options.align);
    const problems: Problem[] = [];
    const { metrics, skipped } = await pair.with(options).compare({
      signal,
      pause: this.#pause,
      read: (model, names) => this.#columns.read(model, names, problems),
    });
    const first = diverged(metrics.filter(({ ours }) => !ours))[0];
    return {
      other,
      align: options.align,
      commonSteps: pair.common,
      compared: metrics.filter(({ ours }) => !ours).length,
      comparedOurs: metrics.filter(({ ours }) => ours).length,
      metrics: inOrder(metrics).map((metric) => metricView(pair, x, metric)),
      first: first?.metric ?? null,
      skipped: skipped.slice(0, MAX_SKIPPED).map((s) => ({ ...s, title: titleOf(s.metric) })),
      suggestion: pair.suggestion(),
      problems,
    };
  }

  async gap(params: Params<CompareContract, "compare.gap">, signal: AbortSignal): Promise<GapView> {
    const { pair, x } = await this.#meet(params.other, params.options.align);
    signal.throwIfAborted();
    const problems: Problem[] = [];
    const [a] = await this.#columns.read(pair.a, [params.metric], problems);
    const [b] = await this.#columns.read(pair.b, [params.metric], problems);
    signal.throwIfAborted();
    const gap = a && b ? pair.gap(a, b) : null;
    const isOurs = metricsOf(pair.a, pair.b).some((m) => m.metric === params.metric && m.ours);
    const found = gap && pair.with(params.options).compareGap({ metric: params.metric, ours: isOurs }, gap);
    return gapView(params, x, {
      gap: gap?.map(turned) ?? null,
      view: found ? metricView(pair, x, found) : null,
      problems,
    });
  }

  /** A failure is not kept: the next question reads again. */
  #meet(other: number, align: Alignment): Promise<Met> {
    const key = `${other} ${align}`;
    let met = this.#met.get(key);
    if (!met) {
      met = this.#makePair(other, align);
      met.catch(() => this.#met.delete(key));
    } else this.#met.delete(key);
    this.#met.set(key, met);
    const [oldest] = this.#met.keys();
    if (this.#met.size > KEPT && oldest !== undefined) this.#met.delete(oldest);
    return met;
  }

  async #makePair(other: number, align: Alignment): Promise<Met> {
    const [a, b] = [modelAt(this.#models, 0), modelAt(this.#models, other)];
    const pair = await Pair.of(a, b, { ...DEFAULT_SETTINGS, align });
    return { pair, x: placesX(pair) };
  }
}

/** Diverged first, then what only separates, then the rest in metric order. */
function inOrder(metrics: readonly MetricComparison[]): MetricComparison[] {
  const quiet = metrics.filter(({ at }) => at < 0);
  return [
    ...diverged(metrics),
    ...separated(quiet),
    ...quiet.filter(({ separation }) => separation === null),
  ];
}

/** Of rlprobe's A − B what people read: how far the other run lies above the baseline. A zero has no sign. */
export const turned = (gap: number): number => 0 - gap;

function metricView(pair: Pair, x: Float64Array, found: MetricComparison): MetricGap {
  const { metric, ours, separation } = found;
  const range = ({ from, to }: Window): [number, number] | null =>
    to > from ? [x[from] as number, x[to - 1] as number] : null;
  return {
    metric,
    title: titleOf(metric),
    unit: metricInfo(metric).unit,
    ours,
    n: found.n,
    divergence: found.at < 0 ? null : placeView(pair, x, found.at),
    gapEarly: turned(found.gapEarly),
    noise: found.noise,
    gapLate: turned(found.gapLate),
    zLate: turned(found.zLate),
    higherLate: found.higherLate,
    early: range(found.early),
    late: range(found.late),
    separation: separation && {
      at: placeView(pair, x, separation.at),
      before: turned(separation.before),
      after: turned(separation.after),
      score: separation.score,
    },
  };
}

function placeView(pair: Pair, x: Float64Array, place: number): ComparePlace {
  const step = pair.stepAt(place);
  return { step: Number(step), text: String(step), x: x[place] ?? Number(step) };
}

const titleOf = (metric: string): string => cut(metricTitle(metric), MAX_NAME);
