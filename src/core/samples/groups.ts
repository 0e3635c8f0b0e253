/** Samples of one prompt at one step: what GRPO compares with each other. A group is named by step, rank and group_id. */
import type { SampleIndex } from "./sampleIndex.ts";

/**
 * "right" and "wrong": no variance, all at the highest or lowest reward of the run; "equal": no variance in between, or the whole
 * run has one reward; "unknown": fewer than two rewards, or one that is not finite.
 */
export type Verdict = "varied" | "right" | "wrong" | "equal" | "unknown";

export interface Stats {
  /** Of the rewards that are there; `null` without one. */
  readonly mean: number | null;
  /** Population standard deviation. */
  readonly sd: number | null;
  readonly min: number | null;
  readonly max: number | null;
}

export interface Group extends Stats {
  /** Ascending. */
  readonly rows: Uint32Array;
  readonly verdict: Verdict;
}

/** Rewards are sums of float32 numbers as a rule: four of its steps apart is the same reward, added up in another order. */
const FLOAT_STEPS = 4 * 2 ** -23;
/** Below this a trainer takes a standard deviation for zero (TRL's own tolerance). */
const ABSOLUTE = 1e-8;

/** Rewards that differ by no more than rounding. */
export function isSame(a: number, b: number): boolean {
  return Math.abs(a - b) <= ABSOLUTE + FLOAT_STEPS * Math.max(Math.abs(a), Math.abs(b));
}

/** Of the values that are not NaN. */
export function statsOf(index: SampleIndex, rows: ArrayLike<number>): Stats {
  const values: number[] = [];
  for (let i = 0; i < rows.length; i++) {
    const value = index.number("reward_total", rows[i] as number);
    if (value !== null && !Number.isNaN(value)) values.push(value);
  }
  if (values.length === 0) return { mean: null, sd: null, min: null, max: null };
  const mean = values.reduce((sum, v) => sum + v, 0) / values.length;
  const variance = values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / values.length;
  let [min = 0] = values;
  let max = min;
  for (const v of values) {
    if (v < min) min = v;
    if (v > max) max = v;
  }
  return { mean, sd: Math.sqrt(variance), min, max };
}

/** The rows of a row's group, itself among them; `null` when it has none. */
export function groupAround(index: SampleIndex, row: number): Uint32Array | null {
  const codes = index.codes("group_id");
  const step = index.values("step");
  const { rank } = index.data;
  const code = codes[row];
  if (row >= index.rows || code === 0) return null;
  const out: number[] = [];
  for (let other = 0; other < index.rows; other++)
    if (codes[other] === code && Object.is(step[other], step[row]) && rank[other] === rank[row])
      out.push(other);
  return Uint32Array.from(out);
}

/** All groups of an index as it is now. */
export class Groups {
  readonly count: number;
  private readonly index: SampleIndex;
  /** Group of each row, in the order of first appearance; -1 without one. */
  private readonly groupOf: Int32Array;
  private readonly starts: Uint32Array;
  private readonly rows: Uint32Array;
  private readonly lowest: number;
  private readonly highest: number;
  private readonly byStep: Uint32Array;
  private readonly verdicts: (Verdict | undefined)[] = [];

  constructor(index: SampleIndex) {
    this.index = index;
    const { groupOf, count } = named(index);
    this.groupOf = groupOf;
    this.count = count;
    this.starts = new Uint32Array(count + 1);
    for (const group of groupOf) if (group >= 0) (this.starts[group + 1] as number)++;
    for (let g = 0; g < count; g++) (this.starts[g + 1] as number) += this.starts[g] as number;
    this.rows = new Uint32Array(this.starts[count] as number);
    const next = this.starts.slice();
    for (let row = 0; row < groupOf.length; row++) {
      const group = groupOf[row] as number;
      if (group >= 0) this.rows[(next[group] as number)++] = row;
    }
    [this.lowest, this.highest] = extent(index);
    this.byStep = this.inStepOrder();
  }

  private inStepOrder(): Uint32Array {
    const step = this.index.values("step");
    const first = (group: number): number => this.rows[this.starts[group] as number] as number;
    return Uint32Array.from({ length: this.count }, (_, group) => group).sort((a, b) => {
      const [x, y] = [step[first(a)] as number, step[first(b)] as number];
      return x === y
        ? a - b
        : x < y
          ? -1
          : y < x
            ? 1
            : Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || a - b;
    });
  }

  private rowsOf(group: number): Uint32Array {
    return this.rows.subarray(this.starts[group], this.starts[group + 1]);
  }

  get(group: number): Group {
    const rows = this.rowsOf(group);
    const stats = statsOf(this.index, rows);
    return { rows, ...stats, verdict: this.verdict(group) };
  }

  /** Groups with one of these rows, in step order. */
  among(rows: Uint32Array): Uint32Array {
    const hit = new Uint8Array(this.count);
    for (const row of rows) {
      const group = this.groupOf[row] ?? -1;
      if (group >= 0) hit[group] = 1;
    }
    return this.byStep.filter((group) => hit[group] === 1);
  }

  isFlat(group: number): boolean {
    const verdict = this.verdict(group);
    return verdict !== "varied" && verdict !== "unknown";
  }

  private verdict(group: number): Verdict {
    this.verdicts[group] ??= this.judged(this.rowsOf(group));
    return this.verdicts[group];
  }

  private judged(rows: Uint32Array): Verdict {
    const { lowest, highest } = this;
    let min = Number.POSITIVE_INFINITY;
    let max = Number.NEGATIVE_INFINITY;
    let count = 0;
    for (const row of rows) {
      const value = this.index.number("reward_total", row);
      if (value === null) continue;
      if (!Number.isFinite(value)) return "unknown";
      count++;
      min = Math.min(min, value);
      max = Math.max(max, value);
    }
    if (count < 2) return "unknown";
    if (!isSame(min, max)) return "varied";
    if (isSame(lowest, highest)) return "equal";
    return isSame(max, highest) ? "right" : isSame(min, lowest) ? "wrong" : "equal";
  }
}

/** Lowest and highest finite reward of the run. */
function extent(index: SampleIndex): [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  const { values, has } = index.keys("reward_total");
  for (let row = 0; row < index.rows; row++) {
    const value = values[row] as number;
    if (!Number.isFinite(value) || !has(row)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

/** Gives each (step, rank, group_id) a number. */
function named(index: SampleIndex): { groupOf: Int32Array; count: number } {
  const codes = index.codes("group_id");
  const step = index.values("step");
  const { rank } = index.data;
  const groupOf = new Int32Array(index.rows).fill(-1);
  const steps = new Map<number, number>();
  const ranks = new Map<number, number>();
  const width = index.pool("group_id").size + 1;
  const known = new Map<number, number>();
  for (let row = 0; row < index.rows; row++) {
    const code = codes[row] as number;
    if (code === 0) continue;
    const s = numbered(steps, step[row] as number);
    const r = numbered(ranks, rank[row] as number);
    // Far below 2^53: a run of a billion samples would not fit into memory.
    groupOf[row] = numbered(known, (s * MAX_RANKS + Math.min(r, MAX_RANKS - 1)) * width + code);
  }
  return { groupOf, count: known.size };
}

const MAX_RANKS = 65_536;

function numbered(known: Map<number, number>, key: number): number {
  let number = known.get(key);
  if (number === undefined) {
    number = known.size;
    known.set(key, number);
  }
  return number;
}
