/** The columns of the table of samples: what is recorded, as much of it as there is room for. */
import { t } from "../../src/protocol/l10n.ts";
import type { SampleIndexState, SampleOrder } from "../../src/protocol/samples.ts";

export interface SampleColumn {
  /** "component:NAME" for a reward component. */
  readonly id: string;
  readonly label: string;
  /** What it is, for a tooltip. */
  readonly title: string;
  /** What a click on its head sorts by; `null` for nothing. */
  readonly by: SampleOrder["by"] | null;
  /** Pixels. */
  readonly width: number;
  readonly isNumber: boolean;
  /** The recording's column. */
  readonly from: string;
}

const column = (
  id: string,
  [label, title]: readonly [string, string],
  from: string,
  more: { readonly width: number; readonly by?: SampleOrder["by"]; readonly isNumber?: boolean },
): SampleColumn => ({
  ...{ id, label, title, from },
  by: more.by ?? null,
  width: more.width,
  isNumber: more.isNumber ?? true,
});

const FIXED: readonly SampleColumn[] = [
  column("step", [t("step"), t("Step")], "step", { width: 70, by: "step" }),
  column("rank", [t("rank"), t("Rank")], "rank", { width: 44 }),
  column("reward", [t("reward"), t("Total reward")], "reward_total", { width: 96, by: "reward_total" }),
  column("advantage", [t("adv"), t("Advantage")], "advantage", { width: 62, by: "advantage" }),
  column("kl", ["KL", t("Contribution to the KL")], "kl_contribution", { width: 62, by: "kl_contribution" }),
  column("length", [t("len"), t("Completion length, tokens")], "completion_len", {
    width: 54,
    by: "completion_len",
  }),
  column("truncated", [t("cut"), t("Cut off at the length limit")], "truncated", {
    width: 52,
    isNumber: false,
  }),
  column("logprob", ["logp", t("Mean log probability of its tokens")], "logprob_mean", {
    width: 62,
    by: "logprob_mean",
  }),
  column("reason", [t("captured"), t("Why it was captured")], "capture_reason", {
    width: 76,
    isNumber: false,
  }),
  column("group", [t("group"), t("Group")], "group_id", { width: 78, isNumber: false }),
];

/** Left out first where there is no room. */
const DROPPED = ["group", "logprob", "reason", "kl", "truncated", "rank", "advantage"];
/** Narrower than this a completion tells nothing. */
const LEAST_TEXT = 220;
/** Chevron and edges, and the space before each column. */
const ASIDE = 44;
const GAP = 8;

export const componentOf = (id: string): string | null =>
  id.startsWith("component:") ? id.slice("component:".length) : null;

/** Every column that holds something, reward components last. */
export function allColumns(index: SampleIndexState): SampleColumn[] {
  const present = new Set(index.present);
  const fixed = FIXED.filter(
    ({ id, from }) => id === "step" || (present.has(from) && (id !== "rank" || index.ranks.length > 1)),
  );
  const components = index.components.map((name) =>
    column(`component:${name}`, [name, t("Reward component {0}", name)], name, {
      width: 76,
      by: `component:${name}`,
    }),
  );
  return [...fixed, ...components];
}

export interface ColumnChoice {
  readonly shown: readonly string[];
  readonly hidden: readonly string[];
  readonly by: SampleOrder["by"];
}

/** Those that are shown on so many pixels: what was chosen or is sorted by always is. */
export function columnsFor(
  index: SampleIndexState,
  { shown, hidden, by }: ColumnChoice,
  width: number,
): SampleColumn[] {
  const isKept = (one: SampleColumn): boolean => shown.includes(one.id) || (one.by === by && by !== "row");
  let columns = allColumns(index).filter(
    (one) => isKept(one) || (componentOf(one.id) === null && !hidden.includes(one.id)),
  );
  for (const id of DROPPED) {
    if (width - taken(columns) >= LEAST_TEXT) break;
    columns = columns.filter((one) => one.id !== id || isKept(one));
  }
  return columns;
}

const taken = (columns: readonly SampleColumn[]): number =>
  columns.reduce((sum, one) => sum + one.width + GAP, ASIDE);

/** Pixels that a table of these columns has at least, its completions with them. */
export const leastWidth = (columns: readonly SampleColumn[]): number => taken(columns) + 200;

/** Reward components among them, which a list has to be asked for. */
export const componentsOf = (columns: readonly SampleColumn[]): string[] =>
  columns.flatMap(({ id }) => componentOf(id) ?? []);

/** What a click on a column's head sorts by next: highest first, then lowest; steps the other way round. */
export function nextOrder({ by }: SampleColumn, now: SampleOrder): SampleOrder | null {
  if (by === null) return null;
  const isFirstDown = by !== "step";
  return { by, descending: now.by === by ? !now.descending : isFirstDown };
}
