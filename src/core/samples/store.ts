/** The index of one run as it grows, shard by shard, from a cache where files have not changed; and what it was asked last. */
import { NEWEST_FILES } from "../format/names.ts";
import type { CacheFile } from "../io/cacheFile.ts";
import type { Column, RunModel, SampleTable, ShardFile, ShardStamp } from "../run/model.ts";
import { Kept, type KnownShard, keptIn, worthKeeping, writeCache } from "./cache.ts";
import { keyOf, matching, type PromptCodes } from "./filter.ts";
import { best, type Ordered, ordered } from "./order.ts";
import { PromptTexts } from "./promptTexts.ts";
import { INDEX_COLUMNS, SampleIndex } from "./sampleIndex.ts";
import { type Keys, NUMBERS, type SampleFilter, type SampleOrder } from "./types.ts";

/** Bytes of shard files that are indexed in one go: at first few, so that there is something to show at once. */
const FIRST_BYTES = 1 << 20;
const MOST_BYTES = 12 << 20;
const MOST_SHARDS = 256;
/** Filters, and orders, that are remembered: what a person scrolls through, and what was before. */
const REMEMBERED = 4;
/** Orders up to here are found without ordering all. */
const FEW = 1000;

export interface StoreOptions {
  /** Where the index is kept from one opening to the next; `null` for nowhere. */
  readonly cache?: CacheFile | null;
  /** Aborted when nobody will ask any more: reading ends. */
  readonly closed?: AbortSignal | undefined;
  /** The store of an earlier opening of the same folder: shards that lie there still are not read again. */
  readonly before?: SampleStore | null;
}

/** Everything about the samples of a run that needs no text. */
export class SampleStore {
  readonly table: SampleTable;
  readonly index: SampleIndex;
  /** The folder was open before, and has grown. */
  readonly goesOn: boolean;
  private readonly cache: CacheFile | null;
  private readonly closed: AbortSignal | undefined;
  private running: Promise<void> | null = null;
  private isDone = false;
  private error: unknown = null;
  private waiting: (() => void)[] = [];
  private readonly filtered = new Map<string, Uint32Array>();
  private readonly sorted = new Map<string, Ordered>();
  private readonly components = new Map<string, Promise<Column>>();
  private promptTexts: PromptTexts | null = null;
  private before: SampleStore | null;

  constructor(model: Pick<RunModel, "samples">, { cache = null, closed, before = null }: StoreOptions = {}) {
    this.table = model.samples;
    this.cache = cache;
    this.closed = closed;
    this.before = before?.begun ? before : null;
    // A run that goes on is asked again and again.
    this.goesOn = before !== null;
    this.index = new SampleIndex(model.samples.shards.files.length);
  }

  get done(): boolean {
    return this.isDone;
  }

  get begun(): boolean {
    return this.running !== null;
  }

  /** Starts reading, once. */
  begin(): void {
    this.running ??= this.run().then(
      () => this.finish(),
      (error: unknown) => {
        this.error = error;
        this.finish();
      },
    );
  }

  /** Until the index has grown or is done. @throws what reading threw, or the signal's reason */
  async grown(signal?: AbortSignal): Promise<void> {
    this.begin();
    if (!this.isDone) await orAborted(new Promise<void>((resolve) => this.waiting.push(resolve)), signal);
    if (this.error !== null) throw this.error;
  }

  /** Until the index holds something to show. */
  async some(signal?: AbortSignal): Promise<SampleIndex> {
    this.begin();
    while (!this.isDone && this.index.rows === 0) await this.grown(signal);
    return this.checked();
  }

  async all(signal?: AbortSignal): Promise<SampleIndex> {
    this.begin();
    while (!this.isDone) await this.grown(signal);
    return this.checked();
  }

  /** Until the row is in the index, or cannot be any more. */
  async upTo(row: number, signal?: AbortSignal): Promise<SampleIndex> {
    this.begin();
    while (!this.isDone && this.index.rows <= row) await this.grown(signal);
    return this.checked();
  }

  private checked(): SampleIndex {
    if (this.error !== null) throw this.error;
    return this.index;
  }

  private finish(): void {
    this.isDone = true;
    this.tell();
  }

  private tell(): void {
    const waiting = this.waiting;
    this.waiting = [];
    for (const resolve of waiting) resolve();
  }

  private async run(): Promise<void> {
    const { shards } = this.table;
    const total = shards.files.length;
    const kept = (await this.takenOver()) ?? (this.cache && (await keptIn(this.cache, shards)));
    let read = 0;
    kept?.begin(this.index);
    let budget = FIRST_BYTES;
    while (this.index.shards < total) {
      this.closed?.throwIfAborted();
      if (kept?.next(this.index)) {
        this.tell();
        continue;
      }
      read += await this.readSome(budget, kept?.until(this.index.shards) ?? total);
      budget = Math.min(MOST_BYTES, budget * 2);
      this.tell();
    }
    if (this.cache && worthKeeping(this.index, read)) writeCache(this.cache, this.index, shards.files);
  }

  /** Shards of the earlier store that are what they were, wherever they stand now: a rank's come before those of the next. */
  private async takenOver(): Promise<Kept | null> {
    const { before } = this;
    this.before = null;
    if (!before) return null;
    const { entries, firsts, data, exactSteps } = before.index;
    const numbers = new Map<string, number>();
    const files = before.table.shards.files.slice(0, entries.length);
    for (const [number, { path }] of files.entries()) numbers.set(path, number);
    const newest = newestOf(files);
    const known: (KnownShard | null)[] = [];
    for (const [now, { path }] of this.table.shards.files.entries()) {
      const number = numbers.get(path);
      const entry = number === undefined ? undefined : entries[number];
      const isSame = entry?.stamp && (!newest.has(path) || (await this.isStill(now, entry.stamp)));
      const first = firsts[number ?? 0] as number;
      const rows = (firsts[(number ?? 0) + 1] as number) - first;
      known.push(number !== undefined && entry && isSame ? { number, first, kept: { rows, entry } } : null);
    }
    if (known.every((shard) => shard === null)) return null;
    return new Kept(data, known, 0, exactSteps);
  }

  private async isStill(shard: number, { size, mtimeMs }: ShardStamp): Promise<boolean> {
    const found = await this.table.shards.stamp(shard);
    return found?.size === size && found.mtimeMs === mtimeMs;
  }

  /** @returns shards that were read */
  private async readSome(bytes: number, end: number): Promise<number> {
    const { shards } = this.table;
    const start = this.index.shards;
    const batch: number[] = [];
    let size = 0;
    for (let shard = start; shard < end && batch.length < MOST_SHARDS; shard++) {
      size += (await shards.stamp(shard))?.size ?? 0;
      if (batch.length > 0 && size > bytes) break;
      batch.push(shard);
    }
    const chunk = await shards.read(batch, INDEX_COLUMNS);
    this.index.append(chunk, (shard) => shards.files[shard]?.rank ?? null);
    return batch.length;
  }

  /** Names of the reward components that some shard has, sorted. */
  componentNames(): string[] {
    const lists = new Set(this.index.entries.map(({ components }) => components));
    return [...new Set([...lists].flat())].sort();
  }

  /** A reward component of all samples, read at the first call. */
  component(name: string, signal?: AbortSignal): Promise<Column> {
    let column = this.components.get(name);
    if (!column) {
      column = this.readComponent(name);
      this.components.set(name, column);
      column.catch(() => this.components.delete(name));
    }
    return orAborted(column, signal);
  }

  private async readComponent(name: string): Promise<Column> {
    const index = await this.all();
    const { shards } = this.table;
    const values = new Float64Array(index.rows).fill(Number.NaN);
    const valid = new Uint8Array(index.rows);
    const column = `reward_component.${name}`;
    const having = index.entries.flatMap(({ components }, shard) =>
      components.includes(name) ? [shard] : [],
    );
    for (let at = 0; at < having.length; at += COMPONENT_SHARDS) {
      const chunk = await shards.read(having.slice(at, at + COMPONENT_SHARDS), {
        numbers: [column],
        texts: [],
      });
      const found = chunk.numbers(column);
      if (!found) continue;
      for (const { shard, first, rows } of chunk.shards) {
        const to = index.firsts[shard] as number;
        // A file that has changed meanwhile has no place in this index.
        const same = Math.min(rows, (index.firsts[shard + 1] as number) - to);
        values.set(found.values.subarray(first, first + same), to);
        for (let i = 0; i < same; i++) valid[to + i] = found.valid ? (found.valid[first + i] as number) : 1;
      }
    }
    return { values, valid, exact: null };
  }

  /** The prompts by their text; all of them are read at the first call. */
  async texts(signal?: AbortSignal): Promise<PromptTexts> {
    const index = await this.all(signal);
    this.promptTexts ??= new PromptTexts(index, this.table.shards);
    const texts = this.promptTexts;
    await texts.read(signal);
    return texts;
  }

  /** Codes of the prompt a filter names. */
  async promptCodes({ prompt }: SampleFilter, signal?: AbortSignal): Promise<PromptCodes | null> {
    if (!prompt) return null;
    if (prompt.by === "id") {
      const index = await this.some(signal);
      return { codes: index.codes("prompt_id"), code: index.pool("prompt_id").find(prompt.key) };
    }
    const texts = await this.texts(signal);
    return { codes: texts.codes, code: texts.find(prompt.key) };
  }

  /** Rows that match, ascending. The last few filters are remembered. */
  async matching(filter: SampleFilter, signal?: AbortSignal): Promise<Uint32Array> {
    const index = await this.some(signal);
    const prompt = await this.promptCodes(filter, signal);
    return remembered(this.filtered, `${index.rows} ${keyOf(filter)}`, () => matching(index, filter, prompt));
  }

  /** All rows that match, in order. The last few orders are remembered. */
  async ordered(filter: SampleFilter, order: SampleOrder, signal?: AbortSignal): Promise<Ordered> {
    const rows = await this.matching(filter, signal);
    if (order.by === "row") return { rows: order.descending ? rows.slice().reverse() : rows, without: 0 };
    const keys = await this.keys(order.by, signal);
    return remembered(this.sorted, this.orderKey(filter, order), () => ordered(rows, keys, order.descending));
  }

  /** Rows `[offset, offset + limit)` of that, and how many there are in all. */
  async page(
    filter: SampleFilter,
    order: SampleOrder,
    { offset, limit }: { readonly offset: number; readonly limit: number },
    signal?: AbortSignal,
  ): Promise<Ordered & { readonly total: number }> {
    const end = offset + limit;
    if (order.by !== "row" && end <= FEW && !this.sorted.has(this.orderKey(filter, order))) {
      const keys = await this.keys(order.by, signal);
      const first = best(await this.matching(filter, signal), keys, order.descending, end);
      return { ...first, rows: first.rows.subarray(offset) };
    }
    const { rows, without } = await this.ordered(filter, order, signal);
    return { rows: rows.subarray(offset, end), without, total: rows.length };
  }

  private orderKey(filter: SampleFilter, { by, descending }: SampleOrder): string {
    return `${this.index.rows} ${descending} ${JSON.stringify(by)} ${keyOf(filter)}`;
  }

  private async keys(by: string, signal?: AbortSignal): Promise<Keys> {
    const index = await this.some(signal);
    const own = NUMBERS.find((name) => name === by);
    if (own) return index.keys(own);
    const { values, valid } = await this.component(by.slice("component:".length), signal);
    return { values, has: (row) => valid?.[row] === 1 };
  }
}

const COMPONENT_SHARDS = 64;

/** The last few of each rank: others are never written again. */
function newestOf(files: readonly ShardFile[]): ReadonlySet<string> {
  const newest = new Set<string>();
  let left = 0;
  for (const [i, { path, rank }] of [...files.entries()].reverse()) {
    if (files[i + 1]?.rank !== rank) left = NEWEST_FILES;
    if (left-- > 0) newest.add(path);
  }
  return newest;
}

/** @throws the signal's reason once it is aborted; the work goes on for whoever else waits */
async function orAborted<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return work;
  signal.throwIfAborted();
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function remembered<V>(map: Map<string, V>, key: string, make: () => V): V {
  const value = map.get(key) ?? make();
  map.delete(key);
  map.set(key, value);
  const oldest = map.keys().next().value;
  if (map.size > REMEMBERED && oldest !== undefined) map.delete(oldest);
  return value;
}
