/** Which columns are shown, in which order, how wide; and what a click on a head sorts by. */
import { t } from "../../src/protocol/l10n.ts";
import {
  columnOf,
  DEFAULT_COLUMNS,
  FIXED_COLUMNS,
  type FixedColumn,
  type TableColumn,
  type TableSort,
} from "../../src/protocol/runs-page.ts";

export const FIXED_WORDS: Readonly<Record<FixedColumn, string>> = {
  name: t("Run"),
  state: "State",
  findings: "Findings",
  steps: t("Steps"),
  started: t("Started"),
  duration: t("Duration"),
  algorithm: t("Algorithm"),
  model: t("Model"),
};

const WIDTHS: Readonly<Record<FixedColumn, number>> = {
  name: 210,
  state: 84,
  findings: 232,
  steps: 68,
  started: 124,
  duration: 84,
  algorithm: 84,
  model: 170,
};
/** The box for selecting. */
export const BOX = 22;
const NUMBER = 88;
const LETTER = 5.9;
const WIDEST = 190;

/** Pixels. */
export function widthOf({ id, kind, label }: TableColumn): number {
  const ref = columnOf(id);
  if (ref?.kind === "fixed") return WIDTHS[ref.name];
  if (kind === "spark") return Math.max(124, Math.min(WIDEST, 16 + label.length * LETTER));
  return Math.max(NUMBER, Math.min(WIDEST, 22 + label.length * LETTER));
}

/** A column more stands behind those of its kind, a figure behind those of its metric. */
export function withColumn(ids: readonly string[], id: string): string[] {
  if (ids.includes(id)) return [...ids];
  const ref = columnOf(id);
  const isNear = (other: string): boolean => {
    const its = columnOf(other);
    if (!ref || !its) return false;
    if ((ref.kind === "figure" || ref.kind === "spark") && (its.kind === "figure" || its.kind === "spark"))
      return ref.metric === its.metric;
    return ref.kind === its.kind && ref.kind === "config";
  };
  let at = ids.findLastIndex(isNear);
  if (at < 0 && ref?.kind === "fixed") {
    const before = FIXED_COLUMNS.slice(0, FIXED_COLUMNS.indexOf(ref.name));
    at = Math.max(...before.map((name) => ids.lastIndexOf(name)));
  }
  if (at < 0 && ref?.kind === "spark") at = ids.findLastIndex((other) => columnOf(other)?.kind === "figure");
  if (at < 0) at = ids.length - 1;
  return ids.toSpliced(at + 1, 0, id);
}

export const withoutColumn = (ids: readonly string[], id: string): string[] =>
  ids.filter((other) => other !== id);

/** One place further; the name stays first. */
export function moved(ids: readonly string[], id: string, by: -1 | 1): string[] {
  const from = ids.indexOf(id);
  const to = from + by;
  if (from < 1 || to < 1 || to >= ids.length) return [...ids];
  return ids.toSpliced(from, 1).toSpliced(to, 0, id);
}

/** Numbers and findings from the top, words from A; then the other way; then the newest first again. */
export function nextSort({ id, kind, isNumber }: TableColumn, sort: TableSort | null): TableSort | null {
  const fromTop = isNumber || kind === "spark" || id === "findings" || id === "state";
  if (sort?.column !== id) return { column: id, descending: fromTop };
  return sort.descending === fromTop ? { column: id, descending: !fromTop } : null;
}

export const isDefault = (ids: readonly string[]): boolean =>
  ids.length === DEFAULT_COLUMNS.length && ids.every((id, i) => id === DEFAULT_COLUMNS[i]);
