/**
 * What can be asked about several open runs together. A comparison is a list of run numbers: the first is the baseline (A), each
 * other one is B in a pair with it. Runs are named by their place in that list: 0 is the baseline.
 */
import * as z from "zod/mini";
import { SeriesView } from "./run.ts";
import type { Contract } from "./wire.ts";
import { Problem } from "./wire.ts";

const Value = z.nullable(z.custom<number>((v) => typeof v === "number"));
const Figure = z.custom<number>((v) => typeof v === "number");
const Range = z.nullable(z.tuple([z.number(), z.number()]));
/** Place in the list of runs. */
const Run = z.int().check(z.gte(0));
const Other = z.int().check(z.gte(1));

/** Most runs of one comparison. */
export const MAX_RUNS = 256;
/** Most prompts of one answer. */
export const MAX_PROMPTS = 500;
/** Longest prompt or completion in a list of prompts, in UTF-16 units. */
export const MAX_PROMPT_HEAD = 2_000;

/**
 * How rows of two runs meet, and what stands on the x axis: the step number; steps since each run's first step; seconds since each
 * run's first time stamp (rows meet with the nearest in time).
 */
export const Alignment = z.enum(["step", "relative", "time"]);
export type Alignment = z.infer<typeof Alignment>;

export const CompareOptions = z.object({
  /** Noise units beyond which a gap counts. rlprobe: 4. */
  z: z.number().check(z.gt(0), z.lte(1e9)),
  /** Rows that it has to last. rlprobe: 5. */
  sustain: z.int().check(z.gte(1), z.lte(1e6)),
  align: Alignment,
});
export type CompareOptions = z.infer<typeof CompareOptions>;
export const DEFAULT_COMPARE: CompareOptions = { z: 4, sustain: 5, align: "step" };

/** A place on the axis of the comparison. */
const Place = z.object({
  /** Step number of the baseline. */
  step: z.number(),
  /** All digits. */
  text: z.string(),
  /** In units of the x axis that the alignment gives. */
  x: z.number(),
});
export type ComparePlace = z.infer<typeof Place>;

export const CompareRun = z.object({
  /** Folder name. */
  label: z.string(),
  runId: z.string(),
  algorithm: z.string(),
  model: z.string(),
  /** Rows promised by the footers. */
  rows: z.int(),
  hasRecording: z.boolean(),
  hasRecords: z.boolean(),
});
export type CompareRun = z.infer<typeof CompareRun>;

export const CompareMetric = z.object({
  metric: z.string(),
  title: z.string(),
  /** "" when it has none. */
  unit: z.string(),
  /** Compared by us only: rlprobe looks at the format's fields and at reward components. */
  ours: z.boolean(),
  /** Runs that have such a column. */
  runs: z.array(Run),
});
export type CompareMetric = z.infer<typeof CompareMetric>;

/** Without reading a column. */
export const CompareOverview = z.object({
  runs: z.array(CompareRun),
  /** Metrics that two runs at least have, in the groups of the run editor. */
  groups: z.array(z.object({ id: z.string(), title: z.string(), metrics: z.array(CompareMetric) })),
});
export type CompareOverview = z.infer<typeof CompareOverview>;

/** The second measure, ours: the gap leaves its first level and stays away, found where the early window itself drifts. */
export const SeparationView = z.object({
  /** Where it leaves. */
  at: Place,
  /** Mean gap (B − A) before and after. */
  before: Figure,
  after: Figure,
  /** The change in standard errors; a separation is named from a limit on (docs/compare.md). */
  score: Figure,
});
export type SeparationView = z.infer<typeof SeparationView>;

/** One metric of a pair; gaps are B − A in the metric's unit, which turns rlprobe's round: above zero the other run is higher. */
export const MetricGap = z.object({
  metric: z.string(),
  title: z.string(),
  unit: z.string(),
  /** Not among those that rlprobe compares. */
  ours: z.boolean(),
  /** Common rows in which both have a value. */
  n: z.int(),
  /** Where the gap leaves the noise of its early window for `sustain` rows; `null`: it tracks. */
  divergence: z.nullable(Place),
  /** Mean and standard deviation of the early gap: the noise band is `gapEarly ± z · noise`. */
  gapEarly: Figure,
  noise: Figure,
  gapLate: Figure,
  /** The late gap in units of the noise, with its sign. */
  zLate: Figure,
  higherLate: z.enum(["a", "b"]),
  /** The windows, from and to in units of x; `null` where they are empty. */
  early: Range,
  late: Range,
  /** Looked for in every metric; a metric that diverges may have one too. */
  separation: z.nullable(SeparationView),
});
export type MetricGap = z.infer<typeof MetricGap>;

export const PairView = z.object({
  other: Other,
  align: Alignment,
  /** Rows that both have. */
  commonSteps: z.int(),
  /** Metrics with enough common values, those of rlprobe's; ours are counted apart. */
  compared: z.int(),
  comparedOurs: z.int(),
  /** Diverged first, by place, then by |zLate|; then those that only separate, by place; then the rest in metric order. */
  metrics: z.array(MetricGap),
  /** The earliest divergence among rlprobe's metrics. */
  first: z.nullable(z.string()),
  /** Metrics of one run only, or with too few common values. */
  skipped: z.array(
    z.object({
      metric: z.string(),
      title: z.string(),
      reason: z.enum(["only-a", "only-b", "too-few"]),
      n: z.int(),
    }),
  ),
  /** Another alignment in which enough rows meet, when in this one too few do. */
  suggestion: z.nullable(Alignment),
  problems: z.array(Problem),
});
export type PairView = z.infer<typeof PairView>;

/** One metric over all runs, for one chart. */
export const OverlayView = z.object({
  metric: z.string(),
  /** One a run that was asked for and has the metric. */
  series: z.array(z.object({ run: Run, series: SeriesView })),
  xDomain: z.tuple([z.number(), z.number()]),
  yFull: Range,
  yRobust: Range,
  outside: z.int(),
  problems: z.array(Problem),
});
export type OverlayView = z.infer<typeof OverlayView>;

/** The gap B − A of one metric, for one chart. */
export const GapView = z.object({
  metric: z.string(),
  other: Other,
  /** `null` when no row has both. */
  series: z.nullable(SeriesView),
  /** `null` with fewer than 30 common values: there is no band then. */
  gap: z.nullable(MetricGap),
  xDomain: z.tuple([z.number(), z.number()]),
  yFull: Range,
  yRobust: Range,
  outside: z.int(),
  problems: z.array(Problem),
});
export type GapView = z.infer<typeof GapView>;

export const ConfigCell = z.object({
  /** Whether the run has the key; a value can be "", 0, false or null. */
  present: z.boolean(),
  value: z.string(),
  type: z.enum(["string", "number", "boolean", "null", "empty", "list"]),
});
export type ConfigCell = z.infer<typeof ConfigCell>;

export const CompareConfigRow = z.object({
  /** Dotted for the eye; `parts` is exact (keys can hold dots). */
  path: z.string(),
  parts: z.array(z.string()),
  /** One a run, the baseline first. */
  cells: z.array(ConfigCell),
  /** Not all runs have the same value. */
  differs: z.boolean(),
  /** Covered by a pattern of `ignore`; what differs in it is not counted. */
  ignored: z.boolean(),
});
export type CompareConfigRow = z.infer<typeof CompareConfigRow>;

export const CompareConfigSection = z.object({
  id: z.enum(["run", "trainer_config", "environment", "extra"]),
  title: z.string(),
  rows: z.array(CompareConfigRow),
  /** Rows that differ and are not ignored. */
  differing: z.int(),
  /** Rows left out beyond the limit. */
  dropped: z.int(),
});
export type CompareConfigSection = z.infer<typeof CompareConfigSection>;

/** Patterns of dotted paths, with or without the section: `output_dir`, `environment.packages.*`, `*_dir`; `*` is any text. */
export const IgnorePatterns = z.array(z.string().check(z.maxLength(500))).check(z.maxLength(500));

/** The best completion of a prompt in one run. */
export const BestSample = z.object({
  /** Row over all shards and ranks, in reading order: names the sample in its run. */
  row: z.int(),
  step: z.string(),
  id: z.string(),
  rank: z.int(),
  reward: Value,
  /** The first {@link MAX_PROMPT_HEAD} characters; "" where nothing was written. */
  completion: z.string(),
  completionLength: z.int(),
});
export type BestSample = z.infer<typeof BestSample>;

export const PromptGap = z.object({
  /** prompt_id, or the prompt's first characters where prompts are matched by text. */
  key: z.string(),
  /** The first {@link MAX_PROMPT_HEAD} characters. */
  text: z.string(),
  nA: z.int(),
  nB: z.int(),
  /** Mean rewards. */
  rewardA: Figure,
  rewardB: Figure,
  /** B − A. */
  gap: Figure,
  bestA: BestSample,
  bestB: BestSample,
});
export type PromptGap = z.infer<typeof PromptGap>;

export const PromptGaps = z.object({
  other: Other,
  /** "text" where the runs have no prompt_id in common; "none" where they have no prompt in common either. */
  by: z.enum(["id", "text", "none"]),
  /** Prompts that both have. */
  total: z.int(),
  offset: z.int(),
  /** Largest |gap| first, gaps that are no numbers last, equal ones by key. */
  prompts: z.array(PromptGap),
});
export type PromptGaps = z.infer<typeof PromptGaps>;

/** Results of one run over its seeds. */
export const RecordCell = z.object({
  n: z.int(),
  mean: Figure,
  /** Sample standard deviation; NaN for n < 2. */
  sd: Figure,
  min: Figure,
  max: Figure,
  seeds: z.string(),
});
export type RecordCell = z.infer<typeof RecordCell>;

/** The mean of a run minus the baseline's. */
export const RecordDifference = z.object({
  value: Figure,
  /** 95% interval; NaN where a side has fewer than two values or neither varies. */
  low: Figure,
  high: Figure,
  /** Degrees of freedom. */
  df: Figure,
  /** Two-sided. */
  p: Figure,
});
export type RecordDifference = z.infer<typeof RecordDifference>;

export const RecordsComparison = z.object({
  /** How the interval is made, one sentence. */
  method: z.string(),
  rows: z.array(
    z.object({
      benchmark: z.string(),
      metric: z.string(),
      horizon: z.string(),
      /** One a run, `null` where it has no such row. */
      cells: z.array(z.nullable(RecordCell)),
      /** One a run; `null` for the baseline and where a side is missing. */
      differences: z.array(z.nullable(RecordDifference)),
    }),
  ),
  /** Rows left out beyond the limit. */
  dropped: z.int(),
});
export type RecordsComparison = z.infer<typeof RecordsComparison>;

const Picture = {
  align: Alignment,
  /** Visible part in units of x, both ends included; `null` is everything. */
  range: Range,
  /** Pixel columns. */
  width: z.int().check(z.gte(1), z.lte(4096)),
};

export const compareContract = {
  "compare.overview": { params: z.object({}), result: CompareOverview },
  /** Reads every metric of two runs once, in pieces; asked for one other run at a time. */
  "compare.metrics": { params: z.object({ other: Other, options: CompareOptions }), result: PairView },
  "compare.series": {
    params: z.object({
      metric: z.string(),
      /** Those that are shown; `null` is all. */
      runs: z.nullable(z.array(Run).check(z.maxLength(MAX_RUNS))),
      /** Weight of the smoothed curve, 0 (none) to below 1. */
      smoothing: z.optional(z.number().check(z.gte(0), z.lt(1))),
      log: z.optional(z.boolean()),
      ...Picture,
    }),
    result: OverlayView,
  },
  "compare.gap": {
    params: z.object({ metric: z.string(), other: Other, options: CompareOptions, ...Picture }),
    result: GapView,
  },
  /** Values at a place: one row a run, of the row nearest to `at`. */
  "compare.at": {
    params: z.object({
      align: Alignment,
      at: z.number(),
      metrics: z.array(z.string()).check(z.maxLength(256)),
    }),
    result: z.array(z.object({ step: z.string(), x: z.nullable(z.number()), values: z.array(Value) })),
  },
  "compare.config": {
    params: z.object({ ignore: IgnorePatterns }),
    result: z.array(CompareConfigSection),
  },
  /** The configuration of one run as JSON with sorted keys, for a diff of documents. */
  "compare.document": {
    params: z.object({ run: Run, ignore: IgnorePatterns }),
    result: z.object({ text: z.string() }),
  },
  /** Reads rewards and prompts of all samples of two runs at the first call. */
  "compare.prompts": {
    params: z.object({
      other: Other,
      offset: z.int().check(z.gte(0)),
      limit: z.int().check(z.gte(1), z.lte(MAX_PROMPTS)),
    }),
    result: PromptGaps,
  },
  "compare.records": { params: z.object({}), result: RecordsComparison },
} as const satisfies Contract;
export type CompareContract = typeof compareContract;
