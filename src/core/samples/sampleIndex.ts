/**
 * All samples of a run without their texts: one array a column, rows in reading order. It grows by chunks of shards; rows
 * that are there never change.
 */
import { isRank } from "../format/names.ts";
import type { Column, SamplePlace, ShardChunk, ShardRead, ShardStamp, TextColumn } from "../run/model.ts";
import { isAscii, MAX_TEXT, Pool, properly, shorten, TextList } from "./pool.ts";
import { type Keys, NUMBERS, type NumberName } from "./types.ts";

/** Columns that are read of each shard. */
export const INDEX_COLUMNS = {
  numbers: [...NUMBERS, "rank", "truncated"],
  texts: ["sample_id", "group_id", "prompt_id", "capture_reason"],
} as const;

/** Columns of codes with their pools. */
export const POOLED = ["group_id", "prompt_id", "capture_reason"] as const;
export type PooledName = (typeof POOLED)[number];

/** Rows that are prepared for on a guess. */
const MAX_GUESS = 1 << 20;

/** Bits of `flags`: which numbers a row has. */
const BIT: Readonly<Record<NumberName | "truncated" | "isTruncated", number>> = {
  ...{ step: 1, reward_total: 2, advantage: 4, kl_contribution: 8, logprob_mean: 16, completion_len: 32 },
  ...{ truncated: 64, isTruncated: 128 },
};

type Numbers = Record<NumberName, Float64Array>;
type Codes = Record<PooledName, Uint32Array>;

export interface ShardEntry {
  readonly stamp: ShardStamp | null;
  readonly clean: boolean;
  readonly components: readonly string[];
}

export interface KeptShard {
  readonly rows: number;
  readonly entry: ShardEntry;
}

/** The columns as they are kept and cached; arrays can be longer than the rows. */
export interface IndexColumns {
  readonly numbers: Numbers;
  readonly codes: Codes;
  readonly rank: Int32Array;
  readonly flags: Uint8Array;
  readonly ids: TextList;
  readonly pools: Readonly<Record<PooledName, Pool>>;
}

export class SampleIndex {
  rows = 0;
  /** Rows before each shard that is in the index, and at the end all rows. */
  readonly firsts: number[] = [0];
  readonly entries: ShardEntry[] = [];
  /** Steps beyond 2^53, by row. */
  readonly exactSteps = new Map<number, bigint>();
  private columns: IndexColumns;
  private capacity: number;
  /** Total shards, to guess how many rows there will be. */
  private readonly expected: number;

  constructor(expected: number) {
    this.expected = expected;
    this.capacity = 0;
    this.columns = {
      numbers: perName(NUMBERS, () => new Float64Array(0)),
      codes: perName(POOLED, () => new Uint32Array(0)),
      rank: new Int32Array(0),
      flags: new Uint8Array(0),
      ids: new TextList(),
      pools: perName(POOLED, () => new Pool()),
    };
  }

  /** Shards that are in the index. */
  get shards(): number {
    return this.entries.length;
  }

  get data(): IndexColumns {
    return this.columns;
  }

  values(name: NumberName): Float64Array {
    return this.columns.numbers[name];
  }

  has(name: NumberName | "truncated", row: number): boolean {
    return ((this.columns.flags[row] as number) & BIT[name]) !== 0;
  }

  keys(name: NumberName): Keys {
    const { flags } = this.columns;
    const bit = BIT[name];
    return { values: this.values(name), has: (row) => ((flags[row] as number) & bit) !== 0 };
  }

  /** `null` where the row has none. */
  number(name: NumberName, row: number): number | null {
    return this.has(name, row) ? (this.values(name)[row] as number) : null;
  }

  stepText(row: number): string {
    return String(
      this.exactSteps.get(row) ?? (this.has("step", row) ? this.values("step")[row] : Number.NaN),
    );
  }

  truncated(row: number): boolean | null {
    if (!this.has("truncated", row)) return null;
    return ((this.columns.flags[row] as number) & BIT.isTruncated) !== 0;
  }

  rank(row: number): number {
    return this.columns.rank[row] as number;
  }

  codes(name: PooledName): Uint32Array {
    return this.columns.codes[name];
  }

  pool(name: PooledName): Pool {
    return this.columns.pools[name];
  }

  /** "" where the row has none. */
  text(name: PooledName, row: number): string {
    return this.pool(name).text(this.codes(name)[row] as number);
  }

  id(row: number): string {
    return this.columns.ids.text(row);
  }

  /** The shard that holds a row. */
  shardOf(row: number): number {
    let low = 0;
    let high = this.firsts.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.firsts[middle + 1] as number) <= row) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  placeOf(row: number): SamplePlace | null {
    if (row < 0 || row >= this.rows) return null;
    const shard = this.shardOf(row);
    return { shard, row: row - (this.firsts[shard] as number) };
  }

  /** @param rankOf the rank that a shard's folder gives its samples, or `null` */
  append(chunk: ShardChunk, rankOf: (shard: number) => number | null): void {
    const start = this.rows;
    this.reserve(start + chunk.rows, this.entries.length + chunk.shards.length);
    const { columns } = this;
    for (const name of NUMBERS) this.fill(name, chunk.numbers(name), start, chunk.rows);
    this.fillFlag(chunk.numbers("truncated"), start);
    this.fillTexts(chunk, start);
    const rank = chunk.numbers("rank");
    for (const shard of chunk.shards) {
      const own = rankOf(shard.shard);
      for (let row = shard.first; row < shard.first + shard.rows; row++)
        columns.rank[start + row] = own ?? rankOr0(rank, row);
      this.addShard(shard);
    }
    this.rows = start + chunk.rows;
    for (const { first, rows } of chunk.shards) this.firsts.push(start + first + rows);
  }

  private addShard({ stamp, clean, components, first, rows }: ShardRead): void {
    let exact = false;
    for (let row = this.rows + first; row < this.rows + first + rows && !exact; row++)
      exact = this.exactSteps.has(row);
    this.entries.push({ stamp, components, clean: clean && !exact });
  }

  private fill(name: NumberName, column: Column | undefined, start: number, rows: number): void {
    const target = this.columns.numbers[name];
    const { flags } = this.columns;
    if (!column) {
      target.fill(Number.NaN, start, start + rows);
      return;
    }
    target.set(column.values, start);
    const bit = BIT[name];
    for (let i = 0; i < rows; i++) {
      if (column.valid && column.valid[i] === 0) continue;
      // A step is a whole number or none.
      if (name === "step" && !Number.isInteger(column.values[i])) continue;
      (flags[start + i] as number) |= bit;
    }
    if (name === "step" && column.exact)
      for (let i = 0; i < rows; i++)
        if (!Number.isSafeInteger(column.values[i]) && column.valid?.[i] !== 0)
          this.exactSteps.set(start + i, column.exact[i] as bigint);
  }

  private fillFlag(column: Column | undefined, start: number): void {
    if (!column) return;
    const { flags } = this.columns;
    for (let i = 0; i < column.values.length; i++) {
      if (column.valid && column.valid[i] === 0) continue;
      (flags[start + i] as number) |= BIT.truncated | (column.values[i] === 0 ? 0 : BIT.isTruncated);
    }
  }

  private fillTexts(chunk: ShardChunk, start: number): void {
    for (const name of POOLED) {
      const column = chunk.texts(name);
      if (column) this.fillCodes(name, column, start);
    }
    const ids = chunk.texts("sample_id");
    if (ids) this.fillIds(ids);
    else this.columns.ids.appendEmpty(chunk.rows);
  }

  private fillCodes(name: PooledName, { bytes, offsets, valid }: TextColumn, start: number): void {
    const codes = this.columns.codes[name];
    const pool = this.columns.pools[name];
    for (let i = 0; i + 1 < offsets.length; i++)
      if (!valid || valid[i] === 1)
        codes[start + i] = pool.intern(bytes, offsets[i] as number, offsets[i + 1] as number);
  }

  private fillIds({ bytes, offsets }: TextColumn): void {
    const { ids } = this.columns;
    const rows = offsets.length - 1;
    let isPlain = isAscii(bytes, offsets[0] as number, offsets[rows] as number);
    for (let i = 0; i < rows && isPlain; i++)
      isPlain = (offsets[i + 1] as number) - (offsets[i] as number) <= MAX_TEXT;
    if (isPlain) {
      ids.append(bytes, offsets, 0, rows);
      return;
    }
    for (let i = 0; i < rows; i++) {
      const own = bytes.subarray(offsets[i], offsets[i + 1]);
      const kept = shorten(properly(own) ?? own);
      ids.append(kept, [0, kept.length], 0, 1);
    }
  }

  /** Takes over columns that were kept, of all shards. */
  adopt(columns: IndexColumns, shards: readonly KeptShard[]): void {
    if (this.rows > 0 || this.entries.length > 0) throw new Error("an index is adopted when it is empty");
    this.columns = columns;
    this.capacity = columns.rank.length;
    this.addKept(shards);
  }

  /** Text codes of rows to come are those of these pools. */
  usePools(pools: IndexColumns["pools"]): void {
    if (this.rows > 0) throw new Error("pools are taken over while an index is empty");
    this.columns = { ...this.columns, pools };
  }

  /** Copies the rows of some shards from columns that share this index's pools. @param start their first row there */
  appendKept(from: IndexColumns, start: number, shards: readonly KeptShard[]): void {
    const rows = shards.reduce((n, shard) => n + shard.rows, 0);
    const at = this.rows;
    const end = start + rows;
    this.reserve(at + rows, this.entries.length + shards.length);
    const { numbers, codes, rank, flags, ids } = this.columns;
    for (const name of NUMBERS) numbers[name].set(from.numbers[name].subarray(start, end), at);
    for (const name of POOLED) codes[name].set(from.codes[name].subarray(start, end), at);
    rank.set(from.rank.subarray(start, end), at);
    flags.set(from.flags.subarray(start, end), at);
    const { bytes, offsets } = from.ids.all();
    ids.append(bytes, offsets, start, end);
    this.addKept(shards);
  }

  private addKept(shards: readonly KeptShard[]): void {
    for (const { rows, entry } of shards) {
      this.rows += rows;
      this.firsts.push(this.rows);
      this.entries.push(entry);
    }
  }

  private reserve(rows: number, shards: number): void {
    if (rows <= this.capacity) return;
    // As many a shard as so far: a guess that fits where all are alike, without a second array beside the first.
    const guess = Math.ceil((rows / Math.max(1, shards)) * this.expected);
    const capacity = Math.max(rows, Math.min(guess + 64, MAX_GUESS), Math.ceil(this.capacity * 1.25));
    const { numbers, codes, rank, flags, ids, pools } = this.columns;
    this.capacity = capacity;
    ids.reserve(capacity);
    this.columns = {
      numbers: perName(NUMBERS, (name) => larger(numbers[name], new Float64Array(capacity), this.rows)),
      codes: perName(POOLED, (name) => larger(codes[name], new Uint32Array(capacity), this.rows)),
      rank: larger(rank, new Int32Array(capacity), this.rows),
      flags: larger(flags, new Uint8Array(capacity), this.rows),
      ids,
      pools,
    };
  }
}

type Words = Float64Array | Uint32Array | Int32Array | Uint8Array;

function larger<T extends Words>(from: T, to: T, rows: number): T {
  to.set(from.subarray(0, rows));
  return to;
}

function rankOr0(column: Column | undefined, row: number): number {
  const value = column?.valid?.[row] === 0 ? 0 : column?.values[row];
  return value !== undefined && isRank(value) ? value : 0;
}

export function perName<K extends string, V>(names: readonly K[], make: (name: K) => V): Record<K, V> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<K, V>;
}
