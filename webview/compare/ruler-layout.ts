/** Where the labels of a ruler stand: none over another, the first mark lowest. */

export interface RulerMark {
  /** Pixels from the ruler's left end. */
  readonly at: number;
  /** Of the label with its dot. */
  readonly width: number;
}

export interface RulerPlace {
  /** Row from the top; `null` where there is no room for the label: its dot stands on the axis. */
  readonly row: number | null;
  /** The label begins left of its mark, so that it ends inside the ruler. */
  readonly leftward: boolean;
}

/** Between two labels of a row. */
const SPACE = 12;

/**
 * @param marks in the order of their importance: who comes first gets a place first
 * @param width of the ruler @param rows that there is room for
 */
export function rulerLayout(marks: readonly RulerMark[], width: number, rows: number): RulerPlace[] {
  const taken: [number, number][][] = Array.from({ length: rows }, () => []);
  return marks.map(({ at, width: wide }) => {
    const leftward = at + wide > width && at - wide >= 0;
    const span: [number, number] = leftward ? [at - wide, at] : [at, at + wide];
    const row = taken.findIndex((spans) =>
      spans.every(([from, to]) => span[0] >= to + SPACE || span[1] <= from - SPACE),
    );
    taken[row]?.push(span);
    return { row: row < 0 ? null : row, leftward };
  });
}

/** Whole numbers for the axis, evenly apart, so many as there is room for. */
export function rulerTicks(from: number, to: number, most: number): number[] {
  const span = to - from;
  if (!(span > 0) || most < 1) return [];
  const rough = span / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough) ?? 10 * power);
  const first = Math.ceil(from / step) * step;
  return Array.from({ length: Math.floor((to - first) / step) + 1 }, (_, i) => first + i * step);
}
