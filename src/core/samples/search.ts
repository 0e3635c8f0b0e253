/** Looks for a text in prompts and completions, a piece at a time. */
import type { ShardChunk, TextColumn } from "../run/model.ts";
import type { SampleStore } from "./store.ts";
import type { SampleFilter } from "./types.ts";

export interface SearchQuery {
  readonly filter: SampleFilter;
  /** At least one character. */
  readonly text: string;
  readonly matchCase: boolean;
  /** Row to go on from. */
  readonly after: number;
  /** Hits at most. */
  readonly limit: number;
}

export interface Found {
  /** Ascending. */
  readonly rows: Uint32Array<ArrayBuffer>;
  /** Row to go on from; `null` when all are done. */
  readonly next: number | null;
  /** Of the samples to look at, how many are done. */
  readonly searched: number;
  readonly of: number;
}

export interface Pace {
  /** Milliseconds. */
  now(): number;
  /** Milliseconds after which a piece is over. */
  readonly budget: number;
}

const TEXTS = ["prompt_text", "completion_text"];
/** Rows, or files, whose text is decoded in one go. */
const ROWS = 4096;
const SHARDS = 256;

export class Search {
  private readonly store: SampleStore;
  private readonly pace: Pace;
  /** The texts that were decoded last: a piece can end in the middle of them. */
  private last: { readonly key: string; readonly chunk: ShardChunk } | null = null;

  constructor(store: SampleStore, pace: Pace) {
    this.store = store;
    this.pace = pace;
  }

  /** @throws the signal's reason once it is aborted */
  async find(query: SearchQuery, signal: AbortSignal): Promise<Found> {
    const { store, pace } = this;
    const end = pace.now() + pace.budget;
    const rows: number[] = [];
    let next: number | null = query.after;
    let candidates = await this.candidates(query.filter, next, signal);
    let at = firstFrom(candidates, next);
    while (at < candidates.length) {
      const batch = this.batch(candidates, at);
      const chunk = await this.decoded(batch.shards);
      signal.throwIfAborted();
      const hits = this.hits(chunk, candidates.subarray(at, batch.end), query);
      const room = query.limit - rows.length;
      rows.push(...hits.slice(0, room));
      if (hits.length > room) {
        next = hits[room] as number;
        return {
          rows: Uint32Array.from(rows),
          next,
          searched: firstFrom(candidates, next),
          of: candidates.length,
        };
      }
      at = batch.end;
      if (pace.now() >= end) break;
    }
    if (at >= candidates.length && !store.done) {
      next = store.index.rows;
      candidates = await store.matching(query.filter, signal);
    } else next = at < candidates.length ? (candidates[at] as number) : null;
    return { rows: Uint32Array.from(rows), next, searched: at, of: candidates.length };
  }

  /** Rows to look at; waits until there is one from `after` on, or none will come. */
  private async candidates(filter: SampleFilter, after: number, signal: AbortSignal): Promise<Uint32Array> {
    for (;;) {
      const isDone = this.store.done;
      const rows = await this.store.matching(filter, signal);
      if (isDone || firstFrom(rows, after) < rows.length) return rows;
      await this.store.grown(signal);
    }
  }

  private batch(candidates: Uint32Array, at: number): { readonly shards: number[]; readonly end: number } {
    const { index } = this.store;
    const shards: number[] = [];
    let rows = 0;
    let end = at;
    while (end < candidates.length && shards.length < SHARDS) {
      const shard = index.shardOf(candidates[end] as number);
      const last = index.firsts[shard + 1] as number;
      rows += last - (index.firsts[shard] as number);
      if (shards.length > 0 && rows > ROWS) break;
      shards.push(shard);
      end = firstFrom(candidates, last, end);
    }
    return { shards, end };
  }

  private async decoded(shards: readonly number[]): Promise<ShardChunk> {
    const key = shards.join(" ");
    if (this.last?.key !== key) {
      const chunk = await this.store.table.shards.read(shards, { numbers: [], texts: TEXTS });
      this.last = { key, chunk };
    }
    return this.last.chunk;
  }

  private hits(chunk: ShardChunk, rows: Uint32Array, { text, matchCase, after }: SearchQuery): number[] {
    const found = new Uint8Array(chunk.rows);
    for (const name of TEXTS) {
      const column = chunk.texts(name);
      if (column) mark(column, matchCase ? text : text.toLowerCase(), matchCase, found);
    }
    const { index } = this.store;
    const starts = new Map(chunk.shards.map(({ shard, first, rows: n }) => [shard, { first, n }]));
    const out: number[] = [];
    for (const row of rows) {
      const place = index.placeOf(row);
      const start = place && starts.get(place.shard);
      if (row >= after && place && start && place.row < start.n && found[start.first + place.row] === 1)
        out.push(row);
    }
    return out;
  }
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** Sets `found` for the rows that hold the text. */
function mark(column: TextColumn, text: string, matchCase: boolean, found: Uint8Array): void {
  const { bytes, offsets } = column;
  const rows = offsets.length - 1;
  const [start, end] = [offsets[0] as number, offsets[rows] as number];
  const fold = (s: string): string => (matchCase ? s : s.toLowerCase());
  const all = fold(utf8.decode(bytes.subarray(start, end)));
  // As many characters as bytes: places in the one are places in the other, and one pass finds all.
  if (all.length === end - start) markAll(all, offsets, text, found);
  else
    for (let row = 0; row < rows; row++)
      if (fold(utf8.decode(bytes.subarray(offsets[row], offsets[row + 1]))).includes(text)) found[row] = 1;
}

function markAll(all: string, offsets: Int32Array, text: string, found: Uint8Array): void {
  const start = offsets[0] as number;
  let row = 0;
  for (let at = all.indexOf(text); at >= 0; ) {
    while ((offsets[row + 1] as number) - start <= at) row++;
    const end = (offsets[row + 1] as number) - start;
    const isWithin = at + text.length <= end;
    if (isWithin) found[row] = 1;
    at = all.indexOf(text, isWithin ? end : at + 1);
  }
}

/** Place of the first item that is at least `value`. */
export function firstFrom(rows: Uint32Array, value: number, from = 0): number {
  let low = from;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
