/** What can be asked about one open run. Answered by the worker; the host passes the page's questions on. */
import * as z from "zod/mini";
import { DiagnoseParams, DiagnosisView, SampleSort } from "./diagnosis.ts";
import { RunRow, RunRowParams } from "./run-row.ts";
import { RunState, RunSummary } from "./runs.ts";
import { MAX_SAMPLE_TEXT, samplesContract } from "./samples.ts";
import type { Contract } from "./wire.ts";
import { Problem } from "./wire.ts";

export { MAX_SAMPLE_TEXT };

const F64 = z.instanceof(Float64Array);
const U8 = z.instanceof(Uint8Array);
const Range = z.nullable(z.tuple([z.number(), z.number()]));

/** What stands on the x axis: step number, wall time (Unix seconds), or seconds since the first row. */
export const XAxis = z.enum(["step", "time", "relative"]);
export type XAxis = z.infer<typeof XAxis>;

export const WarningView = z.object({
  code: z.string(),
  file: z.string(),
  message: z.string(),
  remedy: z.string(),
  count: z.int(),
  level: z.enum(["info", "warning"]),
});
export type WarningView = z.infer<typeof WarningView>;

export const ChartSpec = z.object({
  /** Stable id: the metric's name, or "reward_components". */
  id: z.string(),
  title: z.string(),
  /** "" when it has none. */
  unit: z.string(),
  kind: z.enum(["lines", "heatmap"]),
  /** Metric names (recording columns) and the label of each line. */
  series: z.array(z.object({ metric: z.string(), label: z.string() })),
});
export type ChartSpec = z.infer<typeof ChartSpec>;

export const ChartGroup = z.object({ id: z.string(), title: z.string(), charts: z.array(ChartSpec) });
export type ChartGroup = z.infer<typeof ChartGroup>;

/** Everything the header and the chart list need, without reading a column. */
export const Overview = z.object({
  /** Folder name. */
  label: z.string(),
  runId: z.string(),
  hasRecording: z.boolean(),
  hasRecords: z.boolean(),
  algorithm: z.string(),
  model: z.string(),
  /** Milliseconds since the epoch. */
  createdAt: z.nullable(z.number()),
  worldSize: z.int(),
  ranks: z.array(z.int()),
  /** Rows promised by the footers; steps after merging are in `run.axis`. */
  rowCount: z.int(),
  /** Sample shards found; how many samples they hold is in `run.counts`. */
  shardCount: z.int(),
  eventCount: z.int(),
  state: RunState,
  /** Why we think so, one sentence. */
  stateReason: z.string(),
  warnings: z.array(WarningView),
  groups: z.array(ChartGroup),
});
export type Overview = z.infer<typeof Overview>;

export const AxisView = z.object({
  /** Distinct steps after merging. */
  steps: z.int(),
  /** Rows as recorded. */
  rows: z.int(),
  /** Shown as text where beyond 2^53. */
  first: z.nullable(z.number()),
  last: z.nullable(z.number()),
  firstText: z.string(),
  lastText: z.string(),
  hasTime: z.boolean(),
  /** Unix seconds. */
  timeFirst: z.nullable(z.number()),
  timeLast: z.nullable(z.number()),
  /** All warnings known now (reading the axis can find repeated or unsorted steps). */
  warnings: z.array(WarningView),
  /** How the run stands, now that its pace is known: takes the place of the overview's (a slow run, a copy). */
  state: z.optional(RunState),
  stateReason: z.optional(z.string()),
});
export type AxisView = z.infer<typeof AxisView>;

/** Reads the footers of all sample shards, which a long run has tens of thousands of. */
export const CountsView = z.object({
  samples: z.int(),
  byRank: z.array(z.object({ rank: z.int(), samples: z.int() })),
  warnings: z.array(WarningView),
});
export type CountsView = z.infer<typeof CountsView>;

export const SeriesView = z.object({
  metric: z.string(),
  /** M4 of the rows in range: first, min, max and last of each pixel column, in x order. Same length as y. */
  x: F64,
  /** NaN lifts the pen (a gap: rows without a value, or with a non-finite one). Draw as straight segments, width 1. */
  y: F64,
  /** x of points that stand alone between gaps (a line would not show them): draw as dots. */
  dotsX: F64,
  dotsY: F64,
  /** The smoothed curve in the same form, where smoothing was asked for. */
  smoothX: z.optional(F64),
  smoothY: z.optional(F64),
  /** Where values lie that no line shows (thinned to the width); `markKind` 0 NaN, 1 +Inf, 2 −Inf, 3 not above 0 (log). */
  markX: F64,
  markKind: U8,
  /** Counts in the range, all rows. */
  finite: z.int(),
  missing: z.int(),
  nan: z.int(),
  posInf: z.int(),
  negInf: z.int(),
  /** Of the finite ones, those at or below 0 that a logarithmic axis cannot show. */
  nonPositive: z.optional(z.int()),
  last: z.nullable(z.number()),
  lastX: z.nullable(z.number()),
  min: z.nullable(z.number()),
  minX: z.nullable(z.number()),
  max: z.nullable(z.number()),
  maxX: z.nullable(z.number()),
});
export type SeriesView = z.infer<typeof SeriesView>;

export const ChartView = z.object({
  id: z.string(),
  series: z.array(SeriesView),
  /** Domain of x that was asked for, or the whole run's. */
  xDomain: z.tuple([z.number(), z.number()]),
  /** From the smallest to the largest finite value in range; `null` when there is none. */
  yFull: Range,
  /** The same without far outliers: what the chart shows at first. */
  yRobust: Range,
  /** Finite values outside `yRobust`. */
  outside: z.int(),
  /** A column that could not be read: the rest of the chart is there. */
  problems: z.array(Problem),
});
export type ChartView = z.infer<typeof ChartView>;

/** kl_positional over time: `cells[c * buckets + b]`, mean over the rows of pixel column c, NaN where empty. */
export const HeatmapView = z.object({
  id: z.string(),
  columns: z.int(),
  buckets: z.int(),
  cells: F64,
  xDomain: z.tuple([z.number(), z.number()]),
  valueDomain: Range,
  problems: z.array(Problem),
});
export type HeatmapView = z.infer<typeof HeatmapView>;

export const AtView = z.object({
  /** Nearest row with a step; `null` when the run has no rows. */
  step: z.nullable(z.number()),
  stepText: z.string(),
  x: z.nullable(z.number()),
  /** Unix seconds. */
  time: z.nullable(z.number()),
  /** In the order asked for: a number (NaN and ±Infinity as such), or null where nothing was written. */
  values: z.array(z.nullable(z.custom<number>((v) => typeof v === "number"))),
});
export type AtView = z.infer<typeof AtView>;

export const EventView = z.object({
  index: z.int(),
  /** Unix seconds, `null` when unknown. */
  time: z.nullable(z.number()),
  kind: z.string(),
  step: z.string(),
  rank: z.int(),
  message: z.string(),
  /** JSON text of `data`, "" when empty. */
  data: z.string(),
});
export type EventView = z.infer<typeof EventView>;

export const EventsPage = z.object({
  total: z.int(),
  kinds: z.array(z.object({ kind: z.string(), count: z.int() })),
  rows: z.array(EventView),
  /** Place of the first row among what matches. */
  offset: z.optional(z.int()),
  /** Index of the event nearest to the step that was asked for; `null` without one. */
  nearest: z.optional(z.nullable(z.int())),
});
export type EventsPage = z.infer<typeof EventsPage>;

export const ConfigSection = z.object({
  title: z.string(),
  rows: z.array(
    z.object({
      /** Dotted for the eye; `parts` is exact (keys can hold dots). */
      path: z.string(),
      parts: z.array(z.string()),
      value: z.string(),
      type: z.enum(["string", "number", "boolean", "null", "empty"]),
    }),
  ),
  /** Rows left out beyond the limit. */
  dropped: z.int(),
});
export type ConfigSection = z.infer<typeof ConfigSection>;

/** A figure of a witness, for the eye and in full; both are "" where it says nothing. */
export const RecordFact = z.object({ text: z.string(), exact: z.string() });
export type RecordFact = z.infer<typeof RecordFact>;

export const AttemptView = z.object({
  file: z.string(),
  attempt: z.int(),
  statedHash: z.string(),
  computedHash: z.string(),
  /** "match", "mismatch", or "unknown" when one side is missing. */
  hash: z.enum(["match", "mismatch", "unknown"]),
  /** Against manifest.json's trainer_config. */
  manifest: z.enum(["match", "differs", "unknown"]),
  /** Against the configuration of the attempt before; "first" for the first one. */
  previous: z.enum(["first", "match", "differs", "unknown"]),
  runId: RecordFact,
  device: RecordFact,
  deviceName: RecordFact,
  peakMemory: RecordFact,
  cpus: RecordFact,
  elapsed: RecordFact,
  /** Every key of the file, flattened. */
  fields: z.array(z.object({ key: z.string(), value: z.string() })),
});
export type AttemptView = z.infer<typeof AttemptView>;

/** The configurations that attempts really ran, each once, beside that of manifest.json. */
export const AttemptConfigs = z.object({
  columns: z.array(
    z.object({
      /** "manifest.json", "attempts 1–3, 5", "manifest.json, attempt 2". */
      name: z.string(),
      hash: z.string(),
    }),
  ),
  rows: z.array(
    z.object({
      /** Dotted for the eye. */
      path: z.string(),
      /** One a column. */
      cells: z.array(
        z.object({
          present: z.boolean(),
          value: z.string(),
          type: z.enum(["string", "number", "boolean", "null", "empty", "list"]),
        }),
      ),
      differs: z.boolean(),
    }),
  ),
  /** Rows that differ. */
  differing: z.int(),
  /** Rows, and columns, left out beyond the limits. */
  dropped: z.int(),
  droppedColumns: z.int(),
});
export type AttemptConfigs = z.infer<typeof AttemptConfigs>;

export const RecordsView = z.object({
  attempts: z.array(AttemptView),
  configs: AttemptConfigs,
  metrics: z.array(
    z.object({
      benchmark: z.string(),
      metric: z.string(),
      horizon: z.string(),
      n: z.int(),
      seeds: z.string(),
      mean: z.custom<number>((v) => typeof v === "number"),
      /** Sample standard deviation; NaN for n < 2. */
      sd: z.custom<number>((v) => typeof v === "number"),
      min: z.custom<number>((v) => typeof v === "number"),
      max: z.custom<number>((v) => typeof v === "number"),
    }),
  ),
  /** Rows of `metrics` left out beyond the limit. */
  droppedMetrics: z.int(),
  warnings: z.array(WarningView),
});
export type RecordsView = z.infer<typeof RecordsView>;

/** What an event means to who looks for trouble. */
export const EventTone = z.enum(["bad", "warn", "checkpoint", "edge", "other"]);
export type EventTone = z.infer<typeof EventTone>;

/** Events of one tone that fall on one place of the timeline. */
export const TimelineMark = z.object({
  /** Step of the first of them. */
  step: z.number(),
  tone: EventTone,
  count: z.int(),
  /** The first few kinds among them. */
  kinds: z.array(z.string()),
  /** What the first of them says. */
  message: z.string(),
});
export type TimelineMark = z.infer<typeof TimelineMark>;

/** The whole run at a glance, by step. */
export const TimelineView = z.object({
  /** First and last step; `null` when the run has none. */
  domain: Range,
  /** The curve, "" when there is no metric to draw. */
  metric: z.string(),
  title: z.string(),
  series: z.nullable(SeriesView),
  yRange: Range,
  /** In step order. */
  marks: z.array(TimelineMark),
  /** Events whose step is not known. */
  unmarked: z.int(),
  problems: z.array(Problem),
});
export type TimelineView = z.infer<typeof TimelineView>;

/** Samples by pixel column of the timeline. */
export const DensityView = z.object({
  counts: F64,
  /** Counting would mean opening too many files. */
  tooMany: z.boolean(),
});
export type DensityView = z.infer<typeof DensityView>;

const Value = z.nullable(z.custom<number>((v) => typeof v === "number"));

/** Rows as they are, for a table. */
export const RowsView = z.object({
  /** Rows in the range. */
  total: z.int(),
  rows: z.array(
    z.object({
      step: z.string(),
      /** Unix seconds. */
      time: z.nullable(z.number()),
      /** In the order asked for; null where nothing was written. */
      values: z.array(Value),
    }),
  ),
  problems: z.array(Problem),
});
export type RowsView = z.infer<typeof RowsView>;

/** One captured completion, texts to MAX_SAMPLE_TEXT characters. */
export const SampleRow = z.object({
  /** Row over all shards and ranks, in reading order. */
  row: z.int(),
  step: z.string(),
  id: z.string(),
  rank: z.int(),
  reward: Value,
  advantage: Value,
  /** Tokens. */
  length: Value,
  truncated: z.nullable(z.boolean()),
  /** "" where nothing was written. */
  prompt: z.string(),
  completion: z.string(),
  /** Characters that were recorded. */
  promptLength: z.int(),
  completionLength: z.int(),
});
export type SampleRow = z.infer<typeof SampleRow>;

export const SamplesPage = z.object({
  /** Samples in the steps that have a value to sort by. */
  total: z.int(),
  rows: z.array(SampleRow),
  /** What they are sorted by: another column than was asked for where no sample has that. */
  sort: z.union([SampleSort, z.literal("step")]),
});
export type SamplesPage = z.infer<typeof SamplesPage>;

const RowsParams = z.object({
  metrics: z.array(z.string()).check(z.maxLength(4096)),
  /** Steps, both ends included. */
  steps: Range,
  offset: z.int().check(z.gte(0)),
  limit: z.int().check(z.gte(1), z.lte(20_000)),
});

const TimelineWidth = z.object({ width: z.int().check(z.gte(1), z.lte(4096)) });

const ChartParams = z.object({
  id: z.string(),
  metrics: z.array(z.string()).check(z.maxLength(256)),
  x: XAxis,
  /** Visible part in units of x, both ends included; `null` is everything. */
  range: Range,
  /** Visible part in steps, whatever stands on x; takes the place of `range` where given. */
  steps: z.optional(Range),
  /** Weight of the smoothed curve, 0 (none) to below 1. */
  smoothing: z.optional(z.number().check(z.gte(0), z.lt(1))),
  /** The y axis is logarithmic. */
  log: z.optional(z.boolean()),
  /** Pixel columns. */
  width: z.int().check(z.gte(1), z.lte(4096)),
});

export const runContract = {
  ...samplesContract,
  "run.overview": { params: z.object({}), result: Overview },
  /** For lists of runs: reads the steps, their times and the reward. */
  "run.summary": { params: z.object({}), result: RunSummary },
  /** For tables of runs: reads the columns that are asked for. */
  "run.row": { params: RunRowParams, result: RunRow },
  "run.axis": { params: z.object({}), result: AxisView },
  "run.counts": { params: z.object({}), result: CountsView },
  "run.warnings": { params: z.object({}), result: z.array(WarningView) },
  "chart.series": { params: ChartParams, result: ChartView },
  "chart.heatmap": { params: z.extend(ChartParams, {}), result: HeatmapView },
  "chart.at": {
    params: z.object({ x: XAxis, at: z.number(), metrics: z.array(z.string()).check(z.maxLength(4096)) }),
    result: AtView,
  },
  "chart.rows": { params: RowsParams, result: RowsView },
  /** Rows as lines of CSV; the first piece begins with the header. */
  "chart.csv": {
    params: RowsParams,
    result: z.object({ text: z.string(), total: z.int(), rows: z.int() }),
  },
  /** The same as JSON; the pieces together are one text. */
  "chart.json": {
    params: RowsParams,
    result: z.object({ text: z.string(), total: z.int(), rows: z.int() }),
  },
  "run.timeline": { params: TimelineWidth, result: TimelineView },
  /** Reads the step of every sample. */
  "run.density": { params: TimelineWidth, result: DensityView },
  "events.page": {
    params: z.object({
      offset: z.int().check(z.gte(0)),
      limit: z.int().check(z.gte(1), z.lte(1000)),
      kind: z.nullable(z.string()),
      /** Steps, both ends included. */
      range: Range,
      /** Answer the page that holds the event nearest to this step, whatever `offset` says. */
      near: z.optional(z.nullable(z.number())),
    }),
    result: EventsPage,
  },
  /** Captured samples of some steps, both ends included, in the order asked for: NaN last, ties in reading order. */
  "samples.query": {
    params: z.object({
      from: z.number(),
      to: z.number(),
      sort: SampleSort,
      descending: z.boolean(),
      k: z.int().check(z.gte(1), z.lte(50)),
    }),
    result: SamplesPage,
  },
  "run.config": { params: z.object({}), result: z.array(ConfigSection) },
  "run.records": { params: z.object({}), result: RecordsView },
  /** Columns are read at the first call; other thresholds cost milliseconds. */
  "run.diagnose": { params: DiagnoseParams, result: DiagnosisView },
} as const satisfies Contract;
export type RunContract = typeof runContract;
