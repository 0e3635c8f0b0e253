/** Two runs side by side: which rows meet, and every metric of both, read in pieces and let go again. */
import { METRICS, REWARD_COMPONENT_PREFIX } from "../format/catalogue.ts";
import { compareCodePoints } from "../records/python-json.ts";
import type { Column, RunModel, StepAxis } from "../run/model.ts";
import { align, type Meeting, taker } from "./align.ts";
import { divergence, gapOf } from "./divergence.ts";
import { separation } from "./separation.ts";
import {
  type Alignment,
  type CompareSettings,
  type MetricComparison,
  MIN_COMMON,
  type SkippedMetric,
} from "./types.ts";

/** What places a row and is no measurement; a list has no gap. */
const NOT_METRICS: ReadonlySet<string> = new Set(["step", "timestamp", "rank", "kl_positional"]);
/** The format's fields, in its order. */
const FIELDS: readonly string[] = METRICS.map(({ name }) => name).filter((name) => !NOT_METRICS.has(name));
const KNOWN: ReadonlySet<string> = new Set(FIELDS);
/** Bytes of one reading of one run. */
const PIECE_BYTES = 16 * 1024 * 1024;

export interface PairMetric {
  readonly metric: string;
  /** rlprobe does not compare it. */
  readonly ours: boolean;
  readonly inA: boolean;
  readonly inB: boolean;
}

/** Metrics of either run: rlprobe's in its order, then what only we compare, by name. */
export function metricsOf(a: RunModel, b: RunModel): PairMetric[] {
  const inA = scalars(a);
  const inB = scalars(b);
  const all = [...new Set([...inA, ...inB])].filter((name) => !NOT_METRICS.has(name));
  const others = all.filter((name) => !KNOWN.has(name)).sort(compareCodePoints);
  const isComponent = (name: string): boolean => name.startsWith(REWARD_COMPONENT_PREFIX);
  const entry = (metric: string, ours: boolean): PairMetric => ({
    metric,
    ours,
    inA: inA.has(metric),
    inB: inB.has(metric),
  });
  return [
    ...FIELDS.filter((name) => inA.has(name) || inB.has(name)).map((name) => entry(name, false)),
    ...others.filter(isComponent).map((name) => entry(name, false)),
    ...others.filter((name) => !isComponent(name)).map((name) => entry(name, true)),
  ];
}

function scalars({ steps }: RunModel): Set<string> {
  return new Set(steps.columns.filter(({ kind }) => kind === "scalar").map(({ name }) => name));
}

/** Reads columns of a run; what it keeps is its own business. */
export type ColumnReader = (
  model: RunModel,
  names: readonly string[],
) => Promise<readonly (Column | undefined)[]>;

export interface PairOptions {
  readonly signal?: AbortSignal | undefined;
  /** Which metrics; all unless given. */
  readonly select?: ((metric: PairMetric) => boolean) | undefined;
  /** With the second measure; unless false. */
  readonly separate?: boolean | undefined;
  /** Keeps nothing unless given. */
  readonly read?: ColumnReader | undefined;
  /** Lets others through between two pieces of work. */
  readonly pause?: (() => Promise<void>) | undefined;
}

export interface PairComparison {
  readonly commonSteps: number;
  /** In metric order; those that were compared. */
  readonly metrics: readonly MetricComparison[];
  readonly skipped: readonly SkippedMetric[];
}

export class Pair {
  readonly a: RunModel;
  readonly b: RunModel;
  readonly axisA: StepAxis;
  readonly axisB: StepAxis;
  readonly meeting: Meeting;
  readonly settings: CompareSettings;
  private readonly takeA: (values: Float64Array) => Float64Array;
  private readonly takeB: (values: Float64Array) => Float64Array;

  private constructor(
    runs: { readonly a: RunModel; readonly b: RunModel },
    axes: { readonly a: StepAxis; readonly b: StepAxis },
    settings: CompareSettings,
    meeting = align(axes.a, axes.b, settings.align),
  ) {
    this.a = runs.a;
    this.b = runs.b;
    this.axisA = axes.a;
    this.axisB = axes.b;
    this.settings = settings;
    this.meeting = meeting;
    this.takeA = taker(meeting.a);
    this.takeB = taker(meeting.b);
  }

  static async of(a: RunModel, b: RunModel, settings: CompareSettings): Promise<Pair> {
    const [axisA, axisB] = await Promise.all([a.steps.axis(settings.order), b.steps.axis(settings.order)]);
    return new Pair({ a, b }, { a: axisA, b: axisB }, settings);
  }

  /** The same rows with another limit. */
  with({ z, sustain }: Pick<CompareSettings, "z" | "sustain">): Pair {
    const axes = { a: this.axisA, b: this.axisB };
    return new Pair(this, axes, { ...this.settings, z, sustain }, this.meeting);
  }

  /** Rows that meet. */
  get common(): number {
    return this.meeting.a.length;
  }

  /** The step number of A where rows meet. */
  stepAt(place: number): number | bigint {
    const row = this.meeting.a[place] as number;
    return this.axisA.step.exact?.[row] ?? (this.axisA.step.values[row] as number);
  }

  /** Another way in which enough rows meet, where in this one too few do. */
  suggestion(): Alignment | null {
    if (this.common >= MIN_COMMON) return null;
    const others = (["step", "relative", "time"] as const).filter((how) => how !== this.settings.align);
    return others.find((how) => align(this.axisA, this.axisB, how).a.length >= MIN_COMMON) ?? null;
  }

  /** The gap of two columns, one value a meeting; NaN where either is missing. */
  gap(a: Column, b: Column): Float64Array {
    return gapOf(this.takeA(a.values), this.takeB(b.values));
  }

  /** @param separate with the second measure */
  compareGap(
    { metric, ours }: Pick<PairMetric, "metric" | "ours">,
    gap: Float64Array,
    separate = true,
  ): MetricComparison | null {
    const found = divergence(gap, this.settings.z, this.settings.sustain);
    return found && { metric, ours, ...found, separation: separate ? separation(gap) : null };
  }

  /** @throws whatever reading throws, and the signal's reason */
  async compare({
    signal,
    select,
    separate,
    read = this.readOnce,
    pause,
  }: PairOptions = {}): Promise<PairComparison> {
    const metrics: MetricComparison[] = [];
    const skipped: SkippedMetric[] = [];
    const wanted = metricsOf(this.a, this.b).filter(select ?? (() => true));
    for (const { metric, inA, inB } of wanted)
      if (!(inA && inB)) skipped.push({ metric, reason: inA ? "only-a" : "only-b", n: 0 });
    const both = this.common < MIN_COMMON ? [] : wanted.filter(({ inA, inB }) => inA && inB);
    for (const piece of pieces(both, Math.max(this.axisA.rows, this.axisB.rows))) {
      await pause?.();
      signal?.throwIfAborted();
      const names = piece.map(({ metric }) => metric);
      const [a, b] = await Promise.all([read(this.a, names), read(this.b, names)]);
      piece.forEach(({ metric, ours }, i) => {
        const [x, y] = [a[i], b[i]];
        if (!x || !y) return;
        const gap = this.gap(x, y);
        const found = this.compareGap({ metric, ours }, gap, separate);
        if (found) metrics.push(found);
        else skipped.push({ metric, reason: "too-few", n: count(gap) });
      });
    }
    return { commonSteps: this.common, metrics, skipped };
  }

  private readonly readOnce: ColumnReader = (model, names) =>
    model.steps.read(names, this.settings.order, { keep: false });
}

function* pieces(metrics: readonly PairMetric[], rows: number): Generator<readonly PairMetric[]> {
  const size = Math.max(1, Math.floor(PIECE_BYTES / (8 * Math.max(1, rows))));
  for (let i = 0; i < metrics.length; i += size) yield metrics.slice(i, i + size);
}

function count(x: Float64Array): number {
  let n = 0;
  for (let i = 0; i < x.length; i++) if (!Number.isNaN(x[i])) n++;
  return n;
}

/** Diverged metrics, first divergence first, then by the size of the late gap; sizes that are no numbers last. */
export function diverged(metrics: readonly MetricComparison[]): MetricComparison[] {
  const size = ({ zLate }: MetricComparison): number =>
    Number.isNaN(zLate) ? Number.NEGATIVE_INFINITY : Math.abs(zLate);
  return metrics
    .filter(({ at }) => at >= 0)
    .sort((p, q) => p.at - q.at || (size(p) === size(q) ? 0 : size(q) - size(p)));
}
