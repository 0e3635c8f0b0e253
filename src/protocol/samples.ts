/** What can be asked about the captured samples of one open run. Numbers come from an index; text is read when it is shown. */
import * as z from "zod/mini";
import { SampleSort } from "./diagnosis.ts";
import type { Contract } from "./wire.ts";
import { Problem } from "./wire.ts";

const Value = z.nullable(z.custom<number>((v) => typeof v === "number"));
/** Of a side that is open it is infinite, which zod's own number refuses. */
const Bound = z.custom<number>((v) => typeof v === "number" && !Number.isNaN(v));
const Range = z.nullable(z.tuple([Bound, Bound]));
const Key = z.string().check(z.maxLength(100_000));
const Row = z.int().check(z.gte(0));

/** Longest prompt or completion that is handed to a page, in UTF-16 units. */
export const MAX_SAMPLE_TEXT = 20_000;
/** Longest beginning of a text in a row of the table. */
export const MAX_SAMPLE_HEAD = 400;
/** Most rows of one answer. */
export const MAX_SAMPLE_ROWS = 500;
/** Most reward components beside each row of a list. */
export const MAX_LIST_COMPONENTS = 32;

/** A prompt's name: its prompt_id, or where it has none its exact text (of a long one the beginning and a hash of all). */
export const PromptKey = z.object({ by: z.enum(["id", "text"]), key: Key });
export type PromptKey = z.infer<typeof PromptKey>;

/** Which samples; what is `null` does not matter. Ranges include both ends; a sample without the value lies in none. */
export const SampleFilter = z.object({
  steps: Range,
  rank: z.nullable(z.int()),
  /** capture_reason, exactly; "" is the samples that have none. */
  reason: z.nullable(Key),
  truncated: z.nullable(z.boolean()),
  /** group_id, exactly. */
  group: z.nullable(Key),
  prompt: z.nullable(PromptKey),
  reward: Range,
  /** completion_len, tokens. */
  length: Range,
  /** Rows that a search has found, in reading order; `null` without a search. */
  rows: z.nullable(z.instanceof(Uint32Array)),
});
export type SampleFilter = z.infer<typeof SampleFilter>;

/** What a table of samples can be sorted by; "component:NAME" is a reward component, "row" the reading order. */
export const SampleOrder = z.object({
  by: z.union([SampleSort, z.enum(["step", "row"]), z.templateLiteral(["component:", z.string()])]),
  descending: z.boolean(),
});
export type SampleOrder = z.infer<typeof SampleOrder>;

/** Where the rows of a rank's folder begin; `null` is the run's own. Within a folder, rows never move; those behind it do when it grows. */
export const SampleFolder = z.object({ rank: z.nullable(z.int()), first: Row });
export type SampleFolder = z.infer<typeof SampleFolder>;

/** How much of the samples is in the index. */
export const SampleIndexState = z.object({
  shards: z.int(),
  /** Shards that are in the index or could not be read. */
  read: z.int(),
  rows: z.int(),
  /** Those whose first shard is in the index, in reading order. */
  folders: z.array(SampleFolder),
  done: z.boolean(),
  /** First and last step in the index. */
  steps: Range,
  ranks: z.array(z.int()),
  /** Values of capture_reason with their counts; "" is none. */
  reasons: z.array(z.object({ reason: z.string(), count: z.int() })),
  /** Names of reward components, sorted. */
  components: z.array(z.string()),
  /** Columns that hold a value somewhere: what is empty is not offered. */
  present: z.array(z.string()),
  problems: z.array(Problem),
});
export type SampleIndexState = z.infer<typeof SampleIndexState>;

export const SampleListRow = z.object({
  /** Row over all shards and ranks, in reading order. */
  row: z.int(),
  step: z.string(),
  id: z.string(),
  rank: z.int(),
  /** group_id and prompt_id, "" where there is none. */
  group: z.string(),
  promptId: z.string(),
  reward: Value,
  advantage: Value,
  kl: Value,
  logprob: Value,
  /** Tokens. */
  length: Value,
  truncated: z.nullable(z.boolean()),
  reason: z.string(),
  /** The first {@link MAX_SAMPLE_HEAD} characters. */
  prompt: z.string(),
  completion: z.string(),
  /** Values of the reward components that a list was asked with, in that order. */
  values: z.optional(z.array(Value)),
});
export type SampleListRow = z.infer<typeof SampleListRow>;

export const SampleList = z.object({
  /** Samples that match and have a value to sort by (NaN is one, and stands last). */
  total: z.int(),
  /** Matching samples without a value to sort by. */
  without: z.int(),
  offset: z.int(),
  rows: z.array(SampleListRow),
  /** Rows in the index when this was answered: a list of a growing index is asked for again. */
  indexed: z.int(),
});
export type SampleList = z.infer<typeof SampleList>;

/** Where a sample stands among those of its group. */
export const GroupPlace = z.object({
  size: z.int(),
  /** 1 is the highest reward. */
  rank: z.nullable(z.int()),
  mean: Value,
  /** Population standard deviation. */
  sd: Value,
  best: z.nullable(Row),
  worst: z.nullable(Row),
});
export type GroupPlace = z.infer<typeof GroupPlace>;

/** One sample with everything that was recorded of it. */
export const SampleDetail = z.object({
  ...SampleListRow.shape,
  /** Shard file relative to the run, and row in it. */
  file: z.string(),
  fileRow: z.int(),
  components: z.array(z.object({ name: z.string(), value: z.custom<number>((v) => typeof v === "number") })),
  /** Characters that were recorded; `prompt` and `completion` hold as many as were asked for. */
  promptLength: z.int(),
  completionLength: z.int(),
  tokens: z.nullable(z.int()),
  /** `null` for a sample without a group. */
  place: z.nullable(GroupPlace),
  /** The same prompt before and after this step, nearest first taken; `null` where there is none. */
  earlier: z.nullable(Row),
  later: z.nullable(Row),
});
export type SampleDetail = z.infer<typeof SampleDetail>;

export const Histogram = z.object({
  /** Length bins + 1, ascending; empty when no matching sample has a finite value. */
  edges: z.instanceof(Float64Array),
  counts: z.instanceof(Float64Array),
  /** Samples without a finite value. */
  missing: z.int(),
});
export type Histogram = z.infer<typeof Histogram>;

/** Samples by completion length (x) and reward (y): `cells[row * columns + column]`, row 0 the lowest reward. */
export const Scatter = z.object({
  columns: z.int(),
  rows: z.int(),
  cells: z.instanceof(Float64Array),
  x: Range,
  y: Range,
  missing: z.int(),
});
export type Scatter = z.infer<typeof Scatter>;

export const GroupView = z.object({
  step: z.string(),
  group: z.string(),
  /** Groups are told apart by step, rank and group_id. */
  rank: z.optional(z.int()),
  size: z.int(),
  mean: Value,
  /** Population standard deviation of the rewards. */
  sd: Value,
  min: Value,
  max: Value,
  /** "right" and "wrong": no variance, all at the highest or lowest reward of the run; "equal": no variance in between. */
  verdict: z.enum(["varied", "right", "wrong", "equal", "unknown"]),
  prompt: z.string(),
  /** The first 1,000. */
  rows: z.array(Row),
});
export type GroupView = z.infer<typeof GroupView>;

export const PromptView = z.object({
  prompt: PromptKey,
  /** The prompt's first characters. */
  text: z.string(),
  samples: z.int(),
  steps: z.int(),
  firstStep: z.string(),
  lastStep: z.string(),
  /** Mean reward at its first and at its last step. */
  first: Value,
  last: Value,
  mean: Value,
});
export type PromptView = z.infer<typeof PromptView>;

/** One prompt over time: one entry a step, in step order. */
export const PromptTime = z.object({
  text: z.string(),
  steps: z.array(
    z.object({
      step: z.number(),
      stepText: z.string(),
      n: z.int(),
      mean: Value,
      min: Value,
      max: Value,
      /** In reading order; of a prompt with more than 20,000 samples the first of each step. */
      rows: z.array(Row),
    }),
  ),
});
export type PromptTime = z.infer<typeof PromptTime>;

const Components = z.array(z.string()).check(z.maxLength(MAX_LIST_COMPONENTS));
const Page = { offset: z.int().check(z.gte(0)), limit: z.int().check(z.gte(1), z.lte(MAX_SAMPLE_ROWS)) };

export const samplesContract = {
  /** Begins the index; answered at once with `seen` below 0, else when more than `seen` shards are read or all are. */
  "samples.state": { params: z.object({ seen: z.int() }), result: SampleIndexState },
  "samples.list": {
    params: z.object({
      filter: SampleFilter,
      order: SampleOrder,
      /** Reward components whose values are wanted with each row. */
      components: z.optional(Components),
      /** `false` for what the index holds alone: no file is read, texts are empty and `values` are left out. */
      texts: z.optional(z.boolean()),
      ...Page,
    }),
    result: SampleList,
  },
  /** Some samples as a list shows them, in the order asked for; those that the index does not have are left out. */
  "samples.rows": {
    params: z.object({
      rows: z.array(Row).check(z.maxLength(MAX_SAMPLE_ROWS)),
      components: z.optional(Components),
    }),
    result: z.object({ rows: z.array(SampleListRow) }),
  },
  /** The place of a sample in the list; `null` when it is not in it. */
  "samples.place": {
    params: z.object({ filter: SampleFilter, order: SampleOrder, row: Row }),
    result: z.object({ place: z.nullable(z.int()) }),
  },
  /** @see SampleDetail; `text` is the longest text wanted, in characters. */
  "samples.detail": {
    params: z.object({ row: Row, text: z.int().check(z.gte(0), z.lte(32 * 2 ** 20)) }),
    result: z.nullable(SampleDetail),
  },
  /** A sample by what names it in a text; `null` when no sample, the first of several when it is not unique. */
  "samples.find": {
    params: z.object({ rank: z.nullable(z.int()), step: z.nullable(z.number()), id: Key }),
    result: z.object({ row: z.nullable(Row), count: z.int() }),
  },
  /** Of reward_total; the filter's own reward range is left out, so that a chosen bin can be left again. */
  "samples.histogram": {
    params: z.object({ filter: SampleFilter, bins: z.int().check(z.gte(1), z.lte(200)) }),
    result: Histogram,
  },
  /** The filter's own reward and length ranges are left out. */
  "samples.scatter": {
    params: z.object({
      filter: SampleFilter,
      columns: z.int().check(z.gte(1), z.lte(400)),
      rows: z.int().check(z.gte(1), z.lte(400)),
    }),
    result: Scatter,
  },
  /** Groups with a sample that matches, in step order; whole groups, whatever of them matches. */
  "samples.groups": {
    params: z.object({
      filter: SampleFilter,
      /** Only those whose rewards do not differ. */
      flat: z.boolean(),
      ...Page,
    }),
    result: z.object({ total: z.int(), flat: z.int(), offset: z.int(), groups: z.array(GroupView) }),
  },
  /** Prompts of the samples that match, those seen at the most steps first. By text reads all prompts at the first call. */
  "samples.prompts": {
    params: z.object({ filter: SampleFilter, ...Page }),
    result: z.object({
      /** "text" where the recording has no prompt_id. */
      by: z.enum(["id", "text"]),
      total: z.int(),
      offset: z.int(),
      prompts: z.array(PromptView),
    }),
  },
  "samples.prompt": { params: z.object({ prompt: PromptKey }), result: PromptTime },
  /**
   * Looks for a text (case is ignored unless asked for) in prompts and completions of the samples that match, from row `after`
   * on in reading order, for about a quarter of a second or until `limit` hits: called again with `next` until that is `null`.
   */
  "samples.search": {
    params: z.object({
      filter: SampleFilter,
      text: z.string().check(z.minLength(1), z.maxLength(1000)),
      matchCase: z.boolean(),
      after: z.int().check(z.gte(0)),
      limit: z.int().check(z.gte(1), z.lte(100_000)),
    }),
    result: z.object({
      rows: z.instanceof(Uint32Array),
      next: z.nullable(z.int()),
      /** Of the samples to look at, how many are done. */
      searched: z.int(),
      of: z.int(),
    }),
  },
} as const satisfies Contract;
export type SamplesContract = typeof samplesContract;
