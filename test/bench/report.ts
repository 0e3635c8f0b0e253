/** Figures of a benchmark: collected round by round, compared within one run only, printed as plain tables. */
import os from "node:os";

/** Values of one figure by round. A round in which it could not be measured holds NaN. */
export type Rounds = readonly number[];

export interface Spread {
  readonly min: number;
  readonly median: number;
  /** Rounds that were measured. */
  readonly n: number;
}

/** `null` when no round was measured. */
export function spread(rounds: Rounds | undefined): Spread | null {
  const values = (rounds ?? []).filter(Number.isFinite).sort((a, b) => a - b);
  const middle = values.length >> 1;
  const upper = values[middle];
  const lower = values[middle - (values.length % 2 === 0 ? 1 : 0)];
  const min = values[0];
  if (min === undefined || upper === undefined || lower === undefined) return null;
  return { min, median: (lower + upper) / 2, n: values.length };
}

/**
 * How many times `a` is `b`: of the minima, and the median over the rounds that measured both. A round's two figures
 * share what the machine was doing, which is why the second is not the quotient of two medians.
 */
export function ratio(a: Rounds | undefined, b: Rounds | undefined): Spread | null {
  const [top, bottom] = [spread(a), spread(b)];
  if (!a || !b || !top || !bottom) return null;
  const paired = spread(a.map((value, round) => value / (b[round] ?? Number.NaN)));
  if (!paired) return null;
  return { min: top.min / bottom.min, median: paired.median, n: paired.n };
}

/** Figures by "run/who/what". */
export class Figures {
  private readonly rounds = new Map<string, number[]>();

  add(round: number, run: string, who: string, figures: Readonly<Record<string, number>>): void {
    for (const [what, value] of Object.entries(figures)) {
      const key = `${run}/${who}/${what}`;
      const values = this.rounds.get(key) ?? [];
      while (values.length < round) values.push(Number.NaN);
      values[round] = value;
      this.rounds.set(key, values);
    }
  }

  get(run: string, who: string, what: string): Rounds | undefined {
    return this.rounds.get(`${run}/${who}/${what}`);
  }

  toJSON(): Readonly<Record<string, Rounds>> {
    return Object.fromEntries(this.rounds);
  }
}

/** Three significant digits, no more than a benchmark can mean. */
export function digits(value: number): string {
  if (!Number.isFinite(value)) return "–";
  if (value >= 100) return Math.round(value).toLocaleString("en-US");
  return value >= 10 ? value.toFixed(0) : value.toFixed(value >= 1 ? 1 : 2);
}

/** "min/median", or a dash. */
export function cell(s: Spread | null, unit = ""): string {
  return s ? `${digits(s.min)}/${digits(s.median)}${unit}` : "–";
}

/** Rows of text as a table with aligned columns; the first row is the head. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((text, i) => {
      widths[i] = Math.max(widths[i] ?? 0, text.length);
    });
  const line = (row: readonly string[]) =>
    widths
      .map((width, i) => (i === 0 ? (row[i] ?? "").padEnd(width) : (row[i] ?? "").padStart(width)))
      .join("  ")
      .trimEnd();
  const [head, ...body] = rows;
  if (!head) return "";
  return [line(head), widths.map((w) => "-".repeat(w)).join("  "), ...body.map(line)].join("\n");
}

export interface Target {
  readonly what: string;
  readonly unit: string;
  /** Not more than this. */
  readonly must: number;
  readonly aim: number;
  readonly value: number | null;
}

export type Verdict = "aim" | "must" | "missed" | "not measured";

/** Which of a target's two marks a value reaches; a value on the mark has reached it. */
export function verdict({ value, must, aim }: Target): Verdict {
  if (value === null || !Number.isFinite(value)) return "not measured";
  if (value <= aim) return "aim";
  return value <= must ? "must" : "missed";
}

export function targetRows(targets: readonly Target[]): string[][] {
  return [
    ["target", "measured", "must", "aim", "reached"],
    ...targets.map((t) => [
      t.what,
      t.value === null ? "–" : `${digits(t.value)}${t.unit}`,
      `${digits(t.must)}${t.unit}`,
      `${digits(t.aim)}${t.unit}`,
      verdict(t),
    ]),
  ];
}

/** Other work on the machine makes times worthless and ratios rough; the reader of a report has to know. */
export function busy(): string[] {
  const [load = 0] = os.loadavg();
  // Our own processes make a load of about one.
  if (load < os.cpus().length) return [];
  return [
    `The machine was busy (load ${load.toFixed(1)}, ${os.cpus().length} CPUs): times are too long, ratios rough.`,
  ];
}
