/** Made-up samples, any number of them: figures in columns, texts written when they are asked for. */
import type {
  GroupPlace,
  SampleFilter,
  SampleIndexState,
  SampleListRow,
  SampleOrder,
} from "../../src/protocol/samples.ts";

export interface FakeSamplesOptions {
  readonly steps: number;
  readonly perStep: number;
  readonly ranks: number;
  readonly shards: number;
  /** Shards in the index at first. */
  readonly read: number;
  /** Samples have prompt ids. */
  readonly ids: boolean;
}

const GROUP = 4;
const PROMPTS = 12;
export const COMPONENTS = ["correctness", "format", "length", "style/tone"];
const WORDS =
  "every river meets a green teacher because one sleepy house keeps some wheel while the answer is near".split(
    " ",
  );
const THINGS =
  "a river,a mountain,two trains,the moon,a bakery,an old clock,three friends,a garden,the sea,a letter,one bridge,winter".split(
    ",",
  );
const REASONS = ["top_k", "bottom_k", "random", "random"];

/** The same for the same row and salt: 0 … 1. */
function chance(row: number, salt: number): number {
  let h = Math.imul(row + 1, 0x9e3779b1) ^ Math.imul(salt + 7, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
  return ((h ^ (h >>> 15)) >>> 0) / 2 ** 32;
}

type Name = "reward_total" | "advantage" | "kl_contribution" | "completion_len" | "logprob_mean";

export class FakeSamples {
  readonly options: FakeSamplesOptions;
  readonly total: number;
  /** Shards in the index. */
  read: number;
  /** The second rank's rows begin here, of those that were there first; `null` for one rank. */
  second: number | null = null;
  readonly #first: number;
  readonly #columns = new Map<string, Float64Array>();
  readonly #orders = new Map<string, { rows: Uint32Array; without: number }>();
  #waiting: (() => void)[] = [];

  constructor(options: FakeSamplesOptions) {
    this.options = options;
    this.total = options.steps * options.perStep;
    this.read = options.read;
    this.#first = this.rows;
  }

  /** Where a row stands: what came since belongs to the first rank, and stands before the second. */
  outside(row: number): number {
    const { second } = this;
    if (second === null || row < second) return row;
    return row < this.#first ? row + this.rows - this.#first : row - this.#first + second;
  }

  /** The other way round. */
  inside(row: number): number {
    const { second } = this;
    if (second === null || row < second) return row;
    const grown = this.rows - this.#first;
    return row < second + grown ? row - second + this.#first : row - grown;
  }

  /** Reads more shards, and tells who waits. */
  grow(shards: number): void {
    this.read = Math.min(this.options.shards, this.read + shards);
    this.#orders.clear();
    for (const tell of this.#waiting.splice(0)) tell();
  }

  /** Pieces that a search may look at; it hangs at the next one. */
  held = Number.POSITIVE_INFINITY;

  /** While set, texts are being read and do not come. */
  unread: Promise<void> | null = null;
  #read: (() => void) | null = null;

  /** Texts hang from now on, or come. */
  hold(isHeld: boolean): void {
    this.#read?.();
    this.#read = null;
    this.unread = isHeld ? new Promise((resolve) => (this.#read = resolve)) : null;
  }

  async searching(): Promise<void> {
    if (this.held <= 0) await new Promise(() => {});
    this.held--;
  }

  get rows(): number {
    return Math.floor((this.total * this.read) / Math.max(1, this.options.shards));
  }

  async state(seen: number): Promise<SampleIndexState> {
    const isOld = (): boolean => seen >= 0 && this.read <= seen && this.read < this.options.shards;
    while (isOld()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    const { rows } = this;
    const counts = new Map<string, number>();
    for (let i = 0; i < Math.min(rows, 8000); i++)
      counts.set(this.reason(i), (counts.get(this.reason(i)) ?? 0) + 1);
    const scale = rows / Math.max(1, Math.min(rows, 8000));
    return {
      shards: this.options.shards,
      read: this.read,
      rows,
      folders:
        this.second === null
          ? [{ rank: null, first: 0 }]
          : [
              { rank: null, first: 0 },
              { rank: 1, first: this.second + rows - this.#first },
            ],
      done: this.read === this.options.shards,
      steps: rows === 0 ? null : [1, this.step(rows - 1)],
      ranks: Array.from({ length: this.options.ranks }, (_, i) => i),
      reasons: [...counts].map(([reason, count]) => ({ reason, count: Math.round(count * scale) })),
      components: COMPONENTS,
      present:
        "step sample_id rank group_id prompt_id prompt_text completion_text reward_total advantage logprob_mean kl_contribution completion_len truncated capture_reason"
          .split(" ")
          .filter((name) => this.options.ids || name !== "prompt_id"),
      problems: [],
    };
  }

  step = (row: number): number => Math.floor(row / this.options.perStep) + 1;
  rank = (row: number): number => row % this.options.ranks;
  reason = (row: number): string => REASONS[row % REASONS.length] ?? "";
  groupOf = (row: number): number => Math.floor(row / GROUP);
  group = (row: number): string => `${this.step(row)}_g${Math.floor((row % this.options.perStep) / GROUP)}`;
  groupRows = (row: number): number[] =>
    Array.from({ length: GROUP }, (_, i) => this.groupOf(row) * GROUP + i).filter((one) => one < this.rows);
  promptOf = (row: number): number => Math.floor(chance(this.groupOf(row), 3) * PROMPTS);
  prompt = (row: number): string => `Write one sentence about ${THINGS[this.promptOf(row)] ?? "nothing"}.`;
  id = (row: number): string => `${this.step(row)}_${row % this.options.perStep}`;
  truncated = (row: number): boolean => this.value("completion_len", row) >= 60;

  value(name: Name, row: number): number {
    return this.column(name)[row] ?? Number.NaN;
  }

  component(name: string, row: number): number | null {
    const i = COMPONENTS.indexOf(name);
    if (i === 3 && row % 5 === 0) return null;
    return Math.round(1000 * ((this.value("reward_total", row) / 4) * (0.5 + chance(row, 20 + i)))) / 1000;
  }

  column(name: Name): Float64Array {
    const known = this.#columns.get(name);
    if (known) return known;
    const column = Float64Array.from({ length: this.total }, (_, row) => this.#figure(name, row));
    this.#columns.set(name, column);
    return column;
  }

  #figure(name: Name, row: number): number {
    const share = row / Math.max(1, this.total);
    switch (name) {
      case "reward_total":
        return this.#reward(row, share);
      case "advantage": {
        const rewards = this.#groupRewards(row);
        const mean = rewards.reduce((sum, one) => sum + one, 0) / rewards.length;
        return Math.round(1000 * (this.#reward(row, share) - mean)) / 1000;
      }
      case "kl_contribution":
        return (0.02 + share * 0.1) * (0.4 + chance(row, 5));
      case "completion_len":
        return Math.min(64, Math.round(12 + share * 30 + chance(row, 6) * 26));
      case "logprob_mean":
        return -(0.4 + chance(row, 7) * 2.2);
    }
  }

  #groupRewards(row: number): number[] {
    return Array.from({ length: GROUP }, (_, i) => {
      const one = this.groupOf(row) * GROUP + i;
      return this.#reward(one, one / Math.max(1, this.total));
    });
  }

  #reward(row: number, share: number): number {
    const flat = chance(this.groupOf(row), 9);
    if (flat < 0.06) return 0;
    if (flat > 0.94) return 2;
    if (flat > 0.9) return 1;
    return Math.round(1000 * Math.min(2, Math.max(0, share * 0.9 + chance(row, 2) * 0.9))) / 1000;
  }

  completion(row: number): string {
    if (row === 1)
      return "turned \u202egnihtemos\u202c and\nanother line \u0007\u001b[31m <b>bold</b> [link](command:x) \ud800";
    if (row === 2) return "word ".repeat(9000);
    if (row === 3) return "";
    const count = this.value("completion_len", row);
    return Array.from(
      { length: count },
      (_, i) => WORDS[Math.floor(chance(row * 64 + i, 11) * WORDS.length)],
    ).join(" ");
  }

  /** Rows that match, in order; NaN last. */
  list(filter: SampleFilter, order: SampleOrder): { rows: Uint32Array; without: number } {
    const { rows: found, ...rest } = filter;
    const key = JSON.stringify([rest, found?.length ?? null, found?.at(-1) ?? null, order]);
    const known = this.#orders.get(key);
    if (known) return known;
    const matching = this.matching(filter);
    const sorted = this.#sorted(matching, order);
    this.#orders.set(key, sorted);
    return sorted;
  }

  matching(filter: SampleFilter): Uint32Array {
    const wanted = filter.rows ?? Uint32Array.from({ length: this.rows }, (_, row) => row);
    return wanted.filter((row) => row < this.rows && this.#matches(row, filter));
  }

  #matches(
    row: number,
    { steps, rank, reason, truncated, group, prompt, reward, length }: SampleFilter,
  ): boolean {
    const within = (range: readonly [number, number] | null, value: number): boolean =>
      !range || (value >= range[0] && value <= range[1]);
    return (
      within(steps, this.step(row)) &&
      (rank === null || rank === this.rank(row)) &&
      (reason === null || reason === this.reason(row)) &&
      (truncated === null || truncated === this.truncated(row)) &&
      (group === null || group === this.group(row)) &&
      (prompt === null || prompt.key === this.promptKey(row)) &&
      (!reward || within(reward, this.value("reward_total", row))) &&
      (!length || within(length, this.value("completion_len", row)))
    );
  }

  promptKey = (row: number): string => (this.options.ids ? `p${this.promptOf(row)}` : this.prompt(row));

  #sorted(rows: Uint32Array, { by, descending }: SampleOrder): { rows: Uint32Array; without: number } {
    if (by === "row" || by === "step") return { rows: descending ? rows.toReversed() : rows, without: 0 };
    const values = new Float64Array(this.total);
    const present = rows.filter((row) => {
      const value = by.startsWith("component:")
        ? this.component(by.slice(10), row)
        : this.value(by as Name, row);
      values[row] = value ?? 0;
      return value !== null;
    });
    const sign = descending ? -1 : 1;
    present.sort((a, b) => sign * ((values[a] ?? 0) - (values[b] ?? 0)) || a - b);
    return { rows: present, without: rows.length - present.length };
  }

  listRow(row: number, components: readonly string[] = []): SampleListRow {
    return {
      row,
      step: String(this.step(row)),
      id: this.id(row),
      rank: this.rank(row),
      group: this.group(row),
      promptId: this.options.ids ? this.promptKey(row) : "",
      reward: row === 5 ? null : this.value("reward_total", row),
      advantage: this.value("advantage", row),
      kl: this.value("kl_contribution", row),
      logprob: this.value("logprob_mean", row),
      length: this.value("completion_len", row),
      truncated: this.truncated(row),
      reason: this.reason(row),
      prompt: this.prompt(row),
      completion: this.completion(row).slice(0, 400),
      values: components.map((name) => this.component(name, row)),
    };
  }

  place(row: number): GroupPlace {
    const rows = this.groupRows(row);
    const rewards = rows.map((one) => this.value("reward_total", one));
    const { mean, sd } = spread(rewards);
    const own = this.value("reward_total", row);
    return {
      size: rows.length,
      rank: rewards.filter((one) => one > own).length + 1,
      mean,
      sd,
      best: rows[rewards.indexOf(Math.max(...rewards))] ?? null,
      worst: rows[rewards.indexOf(Math.min(...rewards))] ?? null,
    };
  }
}

export function spread(values: readonly number[]): { mean: number; sd: number } {
  const mean = values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length);
  const square = values.reduce((sum, one) => sum + (one - mean) ** 2, 0) / Math.max(1, values.length);
  return { mean, sd: Math.sqrt(square) };
}
