/** What is remembered of the tab of samples: which are shown, in which order, and where somebody was among them. */
import * as z from "zod/mini";
import { PromptKey, SampleFolder, SampleOrder } from "../../src/protocol/samples.ts";

const Range = z.nullable(z.tuple([z.number(), z.number()]));
const Row = z.int().check(z.gte(0));
const Offset = z.int().check(z.gte(0));
const Names = z.array(z.string()).check(z.maxLength(200));

export const SamplesView = z.enum(["list", "groups", "prompts"]);
export type SamplesView = z.infer<typeof SamplesView>;

export const SamplesState = z.object({
  view: SamplesView,
  /** Steps that were chosen here; `null` follows the timeline. */
  steps: Range,
  rank: z.nullable(z.int()),
  reason: z.nullable(z.string()),
  truncated: z.nullable(z.boolean()),
  group: z.nullable(z.string()),
  /** A prompt and how it begins. */
  prompt: z.nullable(z.object({ prompt: PromptKey, text: z.string() })),
  reward: Range,
  length: Range,
  search: z.string(),
  matchCase: z.boolean(),
  by: SampleOrder.shape.by,
  descending: z.boolean(),
  /** Columns that were chosen, or chosen not to be seen. */
  shown: Names,
  hidden: Names,
  /** Histogram and scatter are shown; `null` is as the height allows. */
  plots: z.nullable(z.boolean()),
  /** The uppermost row, the pixels of it that are scrolled away, and its place in the list. */
  anchor: z.nullable(z.object({ row: Row, offset: z.number(), place: Offset })),
  /** The row that is folded out. */
  open: z.nullable(Row),
  /** Where the rows of each rank began when these rows were meant. */
  folders: z.array(SampleFolder).check(z.maxLength(4096)),
  /** Where the pages of rows (for screen readers), groups and prompts begin. */
  rowsAt: Offset,
  groupsAt: Offset,
  promptsAt: Offset,
  /** Only groups whose rewards do not differ. */
  flat: z.boolean(),
  /** The prompt whose steps are shown, and the two that are compared. */
  chosen: z.nullable(PromptKey),
  a: z.nullable(z.number()),
  b: z.nullable(z.number()),
});
export type SamplesState = z.infer<typeof SamplesState>;

export const NO_FILTERS = {
  steps: null,
  rank: null,
  reason: null,
  truncated: null,
  group: null,
  prompt: null,
  reward: null,
  length: null,
  search: "",
} as const satisfies Partial<SamplesState>;

export const INITIAL_SAMPLES: SamplesState = {
  ...NO_FILTERS,
  view: "list",
  matchCase: false,
  by: "step",
  descending: false,
  shown: [],
  hidden: [],
  plots: null,
  anchor: null,
  open: null,
  folders: [],
  ...{ rowsAt: 0, groupsAt: 0, promptsAt: 0 },
  flat: false,
  ...{ chosen: null, a: null, b: null },
};

/** What decides which rows there are. */
const FILTERS: ReadonlySet<string> = new Set([...Object.keys(NO_FILTERS), "matchCase"]);
const ORDERS: ReadonlySet<string> = new Set(["by", "descending"]);

/** Other rows or another order begin at the top. */
export function changeSamples(state: SamplesState, change: Partial<SamplesState>): SamplesState {
  const keys = Object.keys(change);
  const isOther = keys.some((key) => FILTERS.has(key));
  const isSorted = keys.some((key) => ORDERS.has(key));
  const pages = isOther ? { groupsAt: 0, promptsAt: 0 } : {};
  const top = isOther || isSorted ? { anchor: null, rowsAt: 0 } : {};
  const flat = keys.includes("flat") ? { groupsAt: 0 } : {};
  return { ...state, ...pages, ...top, ...flat, ...change };
}
