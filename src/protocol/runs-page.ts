/** Page ↔ host of the table of runs. The host filters, sorts and words; the page shows a window of it. */
import * as z from "zod/mini";
import { SeverityView } from "./diagnosis.ts";
import { RunState } from "./runs.ts";
import type { Contract } from "./wire.ts";

/** Columns that every run has. */
export const FIXED_COLUMNS = [
  "name",
  "state",
  "findings",
  "steps",
  "started",
  "duration",
  "algorithm",
  "model",
] as const;
export type FixedColumn = (typeof FIXED_COLUMNS)[number];

export const FIGURES = ["last", "min", "max"] as const;
export type Figure = (typeof FIGURES)[number];

/** Stands for the first few keys of the configuration in which the runs differ. */
export const DIFFERING = "differing";

/** A name can hold anything: what stands before the first colon says what it is. */
export type ColumnRef =
  | { readonly kind: "fixed"; readonly name: FixedColumn }
  | { readonly kind: "figure"; readonly metric: string; readonly figure: Figure }
  | { readonly kind: "spark"; readonly metric: string }
  | { readonly kind: "config"; readonly key: string }
  | { readonly kind: "differing" };

/** @returns `null` for what is no column */
export function columnOf(id: string): ColumnRef | null {
  if (id === DIFFERING) return { kind: "differing" };
  const at = id.indexOf(":");
  if (at < 0) {
    const name = FIXED_COLUMNS.find((one) => one === id);
    return name === undefined ? null : { kind: "fixed", name };
  }
  const [what, rest] = [id.slice(0, at), id.slice(at + 1)];
  if (rest === "") return null;
  if (what === "spark") return { kind: "spark", metric: rest };
  if (what === "config") return { kind: "config", key: rest };
  const figure = FIGURES.find((one) => one === what);
  return figure === undefined ? null : { kind: "figure", metric: rest, figure };
}

const ColumnId = z.string().check(z.maxLength(600));
export const MAX_COLUMNS = 120;
const ColumnIds = z.array(ColumnId).check(z.maxLength(MAX_COLUMNS));

/** Which columns somebody wants to see, kept for the workspace. */
export const TablePrefs = z.object({ v: z.literal(1), columns: ColumnIds });
export type TablePrefs = z.infer<typeof TablePrefs>;

export const DEFAULT_COLUMNS: readonly string[] = [
  "name",
  "state",
  "findings",
  "steps",
  "spark:reward_mean",
  "last:reward_mean",
  "max:reward_mean",
  "last:kl_mean",
  "max:kl_mean",
  DIFFERING,
  "started",
  "duration",
  "algorithm",
  "model",
];

const Sort = z.object({ column: ColumnId, descending: z.boolean() });
export type TableSort = z.infer<typeof Sort>;

/** A run's folder, absolute. */
const Dir = z.string().check(z.maxLength(8192));
const Filter = z.string().check(z.maxLength(4000));

export const TableQuery = z.object({
  filter: Filter,
  /** `null` is the newest first. */
  sort: z.nullable(Sort),
  columns: ColumnIds,
});
export type TableQuery = z.infer<typeof TableQuery>;

export const TableColumn = z.object({
  id: z.string(),
  kind: z.enum(["fixed", "figure", "spark", "config"]),
  label: z.string(),
  /** Read over it; "" where the label says all. */
  title: z.string(),
  isNumber: z.boolean(),
});
export type TableColumn = z.infer<typeof TableColumn>;

export const TableCell = z.object({
  text: z.string(),
  /** Of a drawing; "" for none. */
  path: z.string(),
});
export type TableCell = z.infer<typeof TableCell>;

export const TableRow = z.object({
  dir: z.string(),
  label: z.string(),
  /** What tells it from runs of the same name, "" for nothing. */
  place: z.string(),
  /** `null` while it is not known. */
  state: z.nullable(RunState),
  stateReason: z.string(),
  /** Worst first, those of one severity together; `null` while it was not diagnosed. */
  findings: z.nullable(
    z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        severity: SeverityView,
        /** "" when it has none. */
        firstStep: z.string(),
      }),
    ),
  ),
  /** What it comes to without findings, "" while it was not diagnosed. */
  verdict: z.string(),
  /** Why it cannot be read, "" when it can. */
  problem: z.string(),
  /** In the order of the columns. */
  cells: z.array(TableCell),
});
export type TableRow = z.infer<typeof TableRow>;

export const TableView = z.object({
  /** Runs that fit the filter, and all. */
  total: z.int(),
  of: z.int(),
  /** Of those that fit, how many are still to be read. */
  pending: z.int(),
  isSearching: z.boolean(),
  /** What kept the search from looking everywhere, "" for nothing. */
  cut: z.string(),
  /** Characters of the filter, from inclusive, to exclusive. */
  problem: z.nullable(z.object({ from: z.int(), to: z.int(), message: z.string() })),
  columns: z.array(TableColumn),
  offset: z.int(),
  rows: z.array(TableRow),
  /** Where the run that was asked for stands; `null` where it is not shown. */
  found: z.nullable(z.int()),
});
export type TableView = z.infer<typeof TableView>;

export const TableChoices = z.object({
  /** Metrics that some run has, as far as they are known. */
  metrics: z.array(z.string()),
  /** Keys of the configuration, those in which the runs differ first. */
  keys: z.array(
    z.object({
      key: z.string(),
      /** Different values, a missing one among them. */
      values: z.int(),
      examples: z.string(),
    }),
  ),
});
export type TableChoices = z.infer<typeof TableChoices>;

const Dirs = z.array(Dir).check(z.minLength(1), z.maxLength(1000));

export const TableAction = z.discriminatedUnion("action", [
  z.object({ action: z.enum(["refresh", "showLog"]) }),
  /** Show a run in the run editor, at a finding by its id where one is given. */
  z.object({
    action: z.literal("open"),
    dir: Dir,
    finding: z.optional(z.string().check(z.maxLength(500))),
  }),
  /** The first one is the baseline of a comparison. */
  z.object({ action: z.enum(["compare", "diagnose", "copyPath"]), dirs: Dirs }),
  /** All that fits, where the user chooses. */
  z.object({ action: z.literal("csv"), query: TableQuery }),
]);
export type TableAction = z.infer<typeof TableAction>;

export const runsPageContract = {
  /** First call of a page; `prefs` is `null` when nothing was kept. */
  "table.open": { params: z.object({}), result: z.object({ prefs: z.nullable(TablePrefs) }) },
  "table.prefs": { params: z.object({ prefs: TablePrefs }), result: z.object({}) },
  "table.view": {
    params: z.object({
      ...TableQuery.shape,
      offset: z.int().check(z.gte(0)),
      limit: z.int().check(z.gte(0), z.lte(300)),
      find: z.nullable(Dir),
    }),
    result: TableView,
  },
  /** Folders of all runs that fit, in order. */
  "table.dirs": { params: TableQuery, result: z.object({ dirs: z.array(z.string()) }) },
  "table.choices": { params: z.object({ filter: Filter }), result: TableChoices },
  "table.complete": {
    params: z.object({ text: Filter }),
    result: z.object({
      completions: z.array(z.object({ label: z.string(), detail: z.string(), text: z.string() })),
    }),
  },
  "page.action": { params: TableAction, result: z.object({ done: z.boolean() }) },
  /** An error in the page, for the log. */
  "page.report": { params: z.object({ message: z.string() }), result: z.object({}) },
} as const satisfies Contract;
export type RunsPageContract = typeof runsPageContract;

/** Notices from the host to the page. */
export const runsPageNotices = {
  /** More is known, or other runs are there: ask again for what is shown. */
  changed: z.object({}),
} as const;
