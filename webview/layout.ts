/**
 * How many charts stand beside each other, and how wide each is: no row has a hole. Small groups share a row; the charts
 * of a large one are spread evenly over its rows.
 */
import type { ChartPrefs } from "../src/protocol/prefs.ts";
import type { ChartGroup, ChartSpec } from "../src/protocol/run.ts";

/** Least width of a chart by size, and the space between two, in CSS pixels. */
const CHART_WIDTH = { s: 190, m: 270, l: 430 } as const;
const CHART_SPACE = 8;
/** The style sheet knows this many columns. */
const MOST_COLUMNS = 6;
/** More series than this want twice the width, where there is room. */
const NARROW_SERIES = 3;

/** How many charts stand side by side in a width. */
export const columnsFor = (width: number, size: ChartPrefs["size"]): number =>
  Math.min(MOST_COLUMNS, Math.max(1, Math.floor((width + CHART_SPACE) / (CHART_WIDTH[size] + CHART_SPACE))));

export const isWide = (chart: ChartSpec): boolean => chart.series.length > NARROW_SERIES;

/** A share of a row: so many of its units. */
export interface Share {
  readonly units: number;
  readonly of: number;
}

export interface GroupLayout {
  /** Of the row that the group stands in. */
  readonly share: Share;
  /** Of each chart's row inside the group. */
  readonly charts: readonly Share[];
}

/** @param open ids of folded groups take a whole row */
export function layout(
  groups: readonly ChartGroup[],
  columns: number,
  isOpen: (group: ChartGroup) => boolean,
): GroupLayout[] {
  const units = groups.map(({ charts }) => charts.map((chart) => Math.min(columns, isWide(chart) ? 2 : 1)));
  const widths = groups.map((group, i) => (isOpen(group) ? Math.min(columns, sum(units[i] ?? [])) : columns));
  const shares = groupRows(widths, columns).flatMap((row) => {
    const of = sum(row.map((i) => widths[i] ?? columns));
    return row.map((i) => ({ units: widths[i] ?? columns, of }));
  });
  return groups.map((_, i) => ({
    share: shares[i] ?? { units: 1, of: 1 },
    charts: chartRows(units[i] ?? [], columns).flatMap((row) =>
      row.map((one) => ({ units: one, of: sum(row) })),
    ),
  }));
}

/** Places of the groups, row by row. */
function groupRows(widths: readonly number[], columns: number): number[][] {
  const rows: number[][] = [];
  let left = 0;
  widths.forEach((width, i) => {
    const row = rows.at(-1);
    if (row && width <= left) {
      row.push(i);
      left -= width;
    } else {
      rows.push([i]);
      left = columns - width;
    }
  });
  return rows;
}

/** Units of the charts, row by row: as few rows as fit, each as full as the others. */
function chartRows(units: readonly number[], columns: number): number[][] {
  const rows: number[][] = [];
  let total = sum(units);
  let row: number[] = [];
  let wanted = Math.ceil(total / Math.ceil(total / columns));
  for (const one of units) {
    const width = sum(row);
    if (row.length > 0 && width + one > wanted && (width >= wanted || width + one > columns)) {
      rows.push(row);
      total -= width;
      row = [];
      wanted = Math.ceil(total / Math.ceil(total / columns));
    }
    row.push(one);
  }
  return row.length > 0 ? [...rows, row] : rows;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
