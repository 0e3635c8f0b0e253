/** What a report says of one run: the answers that the editor gets, asked once, within bounds. */
import type { DiagnosisView, FindingView } from "../protocol/diagnosis.ts";
import type { ReportRun } from "../protocol/report.ts";
import type { Handlers } from "../protocol/rpc.ts";
import type {
  AxisView,
  ChartSpec,
  ChartView,
  ConfigSection,
  CountsView,
  EventsPage,
  HeatmapView,
  Overview,
  RunContract,
  SamplesPage,
  TimelineView,
  WarningView,
} from "../protocol/run.ts";

export type RunAnswers = Handlers<RunContract>;

/** Pixel columns of the pictures' plots. */
export const WIDE = 840;
export const SMALL = 380;
export const HEAT = 96;

/** What is more than this is counted instead. */
const MAX_DETAILED = 24;
const MAX_DRAWN = 3;
const MAX_SAMPLES = 4;
const MAX_EVENTS = 100;
/** Points, of some eight bytes, that all pictures of a report may have. */
const MAX_POINTS = 100_000;
const MAX_CHARTS = 160;
/** More lines cannot be told apart in one picture. */
const MAX_LINES = 12;

/** A chart with the answer for it; of a list of positions a heat map. */
export type Picture =
  | {
      readonly kind: "lines";
      readonly spec: ChartSpec;
      readonly view: ChartView;
      /** Lines that are left out. */
      readonly left: number;
    }
  | { readonly kind: "heatmap"; readonly spec: ChartSpec; readonly view: HeatmapView };

export interface FoundInRun {
  readonly finding: FindingView;
  /** `null` beyond the findings that are shown in detail. */
  readonly pictures: readonly Picture[] | null;
  readonly samples: SamplesPage | null;
}

export interface RunReport {
  readonly run: ReportRun;
  readonly overview: Overview;
  readonly axis: AxisView;
  readonly counts: CountsView;
  readonly warnings: readonly WarningView[];
  readonly diagnosis: DiagnosisView;
  readonly timeline: TimelineView;
  readonly found: readonly FoundInRun[];
  readonly groups: readonly { readonly title: string; readonly pictures: readonly Picture[] }[];
  /** Charts that there was no room for. */
  readonly chartsLeft: number;
  readonly events: EventsPage;
  /** The last ones, where there are more than the first page has. */
  readonly lastEvents: EventsPage | null;
  readonly config: readonly ConfigSection[];
}

/** How much of a run a report shows. */
export interface Depth {
  /** All charts, samples, events and configuration; without it what a comparison, an issue or a CI needs. */
  readonly isFull: boolean;
  readonly samples: boolean;
}

export async function gatherRun(
  ask: RunAnswers,
  run: ReportRun,
  { isFull, samples }: Depth,
  signal: AbortSignal,
): Promise<RunReport> {
  const context = { signal };
  const overview = await ask["run.overview"]({}, context);
  const axis = await ask["run.axis"]({}, context);
  const diagnosis = await ask["run.diagnose"]({ config: run.config, extra: true }, context);
  const timeline = await ask["run.timeline"]({ width: WIDE }, context);
  const counts = await ask["run.counts"]({}, context);
  const charts = new Charts(ask, overview, signal);
  const found: FoundInRun[] = [];
  for (const [i, finding] of diagnosis.findings.entries()) {
    const isDetailed = i < MAX_DETAILED;
    found.push({
      finding,
      pictures: isFull && isDetailed ? await charts.of(finding) : null,
      samples: samples && isDetailed ? await samplesOf(ask, finding, counts, signal) : null,
    });
  }
  const { groups, left } = isFull ? await charts.all() : { groups: [], left: 0 };
  const events = await ask["events.page"](page(0), context);
  const rest = events.total - events.rows.length;
  const lastEvents =
    rest > 0
      ? await ask["events.page"](page(Math.max(MAX_EVENTS, events.total - MAX_EVENTS / 2)), context)
      : null;
  return {
    run,
    overview,
    axis,
    counts,
    warnings: await ask["run.warnings"]({}, context),
    diagnosis,
    timeline,
    found,
    groups,
    chartsLeft: left,
    events,
    lastEvents,
    config: await ask["run.config"]({}, context),
  };
}

const page = (offset: number) => ({ offset, limit: MAX_EVENTS, kind: null, range: null });

async function samplesOf(
  ask: RunAnswers,
  { samples }: FindingView,
  { samples: all }: CountsView,
  signal: AbortSignal,
): Promise<SamplesPage | null> {
  if (all === 0 || samples.why === "") return null;
  const { from, to, sort, descending } = samples;
  return ask["samples.query"]({ from, to, sort, descending, k: MAX_SAMPLES }, { signal });
}

/** Asks for charts until they take too much room. */
class Charts {
  readonly #ask: RunAnswers;
  readonly #overview: Overview;
  readonly #signal: AbortSignal;
  #points = 0;

  constructor(ask: RunAnswers, overview: Overview, signal: AbortSignal) {
    this.#ask = ask;
    this.#overview = overview;
    this.#signal = signal;
  }

  /** The metrics that a finding rests on, wide. */
  async of({ drawings }: FindingView): Promise<readonly Picture[]> {
    const specs = new Map(
      this.#overview.groups
        .flatMap(({ charts }) => charts)
        .flatMap((spec) => spec.series.map((series) => [series.metric, { spec, series }] as const)),
    );
    const pictures: Picture[] = [];
    for (const { metric } of drawings.slice(0, MAX_DRAWN)) {
      const known = specs.get(metric);
      if (!known || this.#points > MAX_POINTS) continue;
      const { spec, series } = known;
      const single = {
        ...spec,
        id: metric,
        title: spec.series.length > 1 ? series.label : spec.title,
        series: [series],
      };
      pictures.push(await this.#picture(single, WIDE));
    }
    return pictures;
  }

  async all(): Promise<{ readonly groups: RunReport["groups"]; readonly left: number }> {
    const groups: { title: string; pictures: Picture[] }[] = [];
    let made = 0;
    let left = 0;
    for (const { title, charts } of this.#overview.groups) {
      const pictures: Picture[] = [];
      for (const spec of charts) {
        if (made >= MAX_CHARTS || this.#points > MAX_POINTS) left++;
        else {
          pictures.push(await this.#picture(spec, SMALL));
          made++;
        }
      }
      if (pictures.length > 0) groups.push({ title, pictures });
    }
    return { groups, left };
  }

  async #picture(whole: ChartSpec, width: number): Promise<Picture> {
    const spec = { ...whole, series: whole.series.slice(0, MAX_LINES) };
    const metrics = spec.series.map(({ metric }) => metric);
    const params = { id: spec.id, metrics, x: "step" as const, range: null };
    const context = { signal: this.#signal };
    if (spec.kind === "heatmap") {
      const view = await this.#ask["chart.heatmap"]({ ...params, width: HEAT }, context);
      this.#points += view.cells.length;
      return { kind: "heatmap", spec, view };
    }
    const view = await this.#ask["chart.series"]({ ...params, width }, context);
    for (const { x, dotsX } of view.series) this.#points += x.length + 4 * dotsX.length;
    return { kind: "lines", spec, view, left: whole.series.length - spec.series.length };
  }
}
