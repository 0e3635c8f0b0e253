/**
 * The index on disk: numbers and short ids by shard, each shard known by its path, size and time. What does not check out is not
 * used, and what is used gives what reading would give.
 *
 * Layout: magic, length and checksum of a JSON header, the header, sections at multiples of 8 bytes as the header lists them.
 */
import * as z from "zod/mini";
import type { CacheFile, CacheReader } from "../io/cacheFile.ts";
import type { ShardFile, ShardStamp, ShardTable } from "../run/model.ts";
import { Pool, TextList } from "./pool.ts";
import { type IndexColumns, type KeptShard, POOLED, perName, type SampleIndex } from "./sampleIndex.ts";
import { NUMBERS } from "./types.ts";

/** "FDSI" and the version of all that follows: another one is another format. */
const MAGIC = Uint8Array.from([0x46, 0x44, 0x53, 0x49, 1, 0, 0, 0]);
const HEAD = MAGIC.length + 8;
const MAX_HEADER = 16 << 20;
/** A shard that has to be read anew each time. */
const UNCLEAN = 0xffffffff;
/** Smaller runs are read faster than a cache is kept. */
const MIN_SHARDS = 64;
const MIN_ROWS = 50_000;

const Section = z.tuple([z.string(), z.int(), z.int(), z.int()]);
const Header = z.object({
  shards: z.int(),
  rows: z.int(),
  /** Name, offset, bytes, checksum. */
  sections: z.array(Section),
  components: z.array(z.array(z.string())),
});
type Header = z.infer<typeof Header>;

const utf8 = new TextEncoder();

/** Sum over the words, mixed: finds what a disk or a half-written file does, not what someone means to do. */
export function checksum(bytes: Uint8Array): number {
  let h = bytes.length | 0;
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
  for (let i = 0; i < words.length; i++) h = (Math.imul(h, 31) + (words[i] as number)) | 0;
  for (let i = words.length * 4; i < bytes.length; i++) h = (Math.imul(h, 31) + (bytes[i] as number)) | 0;
  return h;
}

const bytesOf = (array: ArrayBufferView): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

/** True when there is much to read and much of it was read now. */
export function worthKeeping(index: SampleIndex, read: number): boolean {
  const isLarge = index.shards >= MIN_SHARDS || index.rows >= MIN_ROWS;
  return isLarge && read > 0 && (read >= MIN_SHARDS || read * 20 >= index.shards);
}

export function writeCache(file: CacheFile, index: SampleIndex, files: readonly ShardFile[]): void {
  file.write(encoded(index, files));
}

function* encoded(index: SampleIndex, files: readonly ShardFile[]): Generator<Uint8Array> {
  const { rows, data, entries } = index;
  const components: string[][] = [];
  const lists = new Map<readonly string[], number>();
  const schemas = Uint32Array.from(entries, (entry) => {
    if (!entry.clean || !entry.stamp) return UNCLEAN;
    let known = lists.get(entry.components);
    if (known === undefined) {
      known = components.push([...entry.components]) - 1;
      lists.set(entry.components, known);
    }
    return known;
  });
  const parts: [string, Uint8Array][] = [
    ["paths", utf8.encode(files.map(({ path }) => path).join("\0"))],
    ["sizes", bytesOf(Float64Array.from(entries, ({ stamp }) => stamp?.size ?? -1))],
    ["times", bytesOf(Float64Array.from(entries, ({ stamp }) => stamp?.mtimeMs ?? -1))],
    ["firsts", bytesOf(Uint32Array.from(index.firsts))],
    ["schemas", bytesOf(schemas)],
    ...NUMBERS.map((name): [string, Uint8Array] => [name, bytesOf(data.numbers[name].subarray(0, rows))]),
    ["rank", bytesOf(data.rank.subarray(0, rows))],
    ["flags", bytesOf(data.flags.subarray(0, rows))],
    ...POOLED.flatMap((name): [string, Uint8Array][] => [
      [name, bytesOf(data.codes[name].subarray(0, rows))],
      [`${name} bytes`, data.pools[name].all().bytes],
      [`${name} offsets`, bytesOf(data.pools[name].all().offsets)],
    ]),
    ["ids bytes", data.ids.all().bytes],
    ["ids offsets", bytesOf(data.ids.all().offsets)],
  ];
  let offset = 0;
  const sections = parts.map(([name, bytes]): Header["sections"][number] => {
    const at = offset;
    offset += padded(bytes.length);
    return [name, at, bytes.length, checksum(bytes)];
  });
  const header = utf8.encode(JSON.stringify({ shards: entries.length, rows, sections, components }));
  yield MAGIC;
  yield bytesOf(Int32Array.from([header.length, checksum(header)]));
  yield header;
  yield new Uint8Array(padded(HEAD + header.length) - HEAD - header.length);
  for (const [, bytes] of parts) {
    yield bytes;
    yield new Uint8Array(padded(bytes.length) - bytes.length);
  }
}

const padded = (length: number): number => (length + 7) & ~7;

/** What does not check out: the cache is as good as none. */
class BadCache extends Error {}

class Sections {
  readonly header: Header;
  private readonly reader: CacheReader;
  private readonly start: number;
  private readonly places: ReadonlyMap<string, Header["sections"][number]>;

  constructor(reader: CacheReader) {
    this.reader = reader;
    const head = reader.read(0, HEAD);
    if (head.length < HEAD || MAGIC.some((b, i) => head[i] !== b)) throw new BadCache();
    const [length = 0, sum] = new Int32Array(head.buffer, head.byteOffset + MAGIC.length, 2);
    if (length <= 0 || length > MAX_HEADER) throw new BadCache();
    const bytes = reader.read(HEAD, length);
    if (bytes.length !== length || checksum(bytes) !== sum) throw new BadCache();
    this.header = z.parse(Header, JSON.parse(new TextDecoder().decode(bytes)));
    this.start = padded(HEAD + length);
    this.places = new Map(this.header.sections.map((section) => [section[0], section]));
  }

  get(name: string, length?: number): Uint8Array<ArrayBuffer> {
    const [, offset, size, sum] = this.places.get(name) ?? [name, 0, -1, 0];
    if (size < 0 || offset < 0 || offset % 8 !== 0 || this.start + offset + size > this.reader.size)
      throw new BadCache();
    if (length !== undefined && size !== length) throw new BadCache();
    const bytes = this.reader.read(this.start + offset, size);
    if (bytes.length !== size || checksum(bytes) !== sum) throw new BadCache();
    return bytes;
  }

  doubles(name: string, length: number): Float64Array {
    return new Float64Array(this.get(name, length * 8).buffer);
  }

  words(name: string, length?: number): Uint32Array {
    const bytes = this.get(name, length === undefined ? undefined : length * 4);
    if (bytes.length % 4 !== 0) throw new BadCache();
    return new Uint32Array(bytes.buffer);
  }

  columns(): IndexColumns {
    const { rows } = this.header;
    const texts = (name: string) => {
      const bytes = this.get(`${name} bytes`);
      const offsets = this.words(`${name} offsets`);
      if (offsets.length === 0 || offsets.at(-1) !== bytes.length) throw new BadCache();
      return { bytes, offsets };
    };
    const ids = texts("ids");
    if (ids.offsets.length !== rows + 1) throw new BadCache();
    return {
      numbers: perName(NUMBERS, (name) => this.doubles(name, rows)),
      codes: perName(POOLED, (name) => this.words(name, rows)),
      rank: new Int32Array(this.get("rank", rows * 4).buffer),
      flags: this.get("flags", rows),
      ids: new TextList(ids),
      pools: perName(POOLED, (name) => new Pool(texts(name))),
    };
  }
}

export interface KnownShard {
  readonly number: number;
  readonly first: number;
  readonly kept: KeptShard;
}

/** What a cache, or an earlier index, knows of the shards that are there now, in their order. */
export class Kept {
  private readonly columns: IndexColumns;
  /** By shard as it is now: what is known of it, if its file is the same. */
  private readonly known: readonly (KnownShard | null)[];
  private readonly isWhole: boolean;
  private readonly exactSteps: ReadonlyMap<number, bigint>;

  /**
   * @param shards that may be taken over as a whole, arrays and all; 0 where somebody else goes on using these
   * @param exactSteps those beyond 2^53, by row of the columns
   */
  constructor(
    columns: IndexColumns,
    known: readonly (KnownShard | null)[],
    shards: number,
    exactSteps: ReadonlyMap<number, bigint> = new Map(),
  ) {
    this.columns = columns;
    this.known = known;
    this.isWhole = shards > 0 && known.length === shards && known.every((shard, i) => shard?.number === i);
    this.exactSteps = exactSteps;
  }

  /** Fills an index that is still empty, all of it where nothing has changed. */
  begin(index: SampleIndex): void {
    if (this.isWhole)
      index.adopt(
        this.columns,
        this.known.flatMap((shard) => shard?.kept ?? []),
      );
    else index.usePools(this.columns.pools);
  }

  /** Adds the shards that come next and are known. @returns how many */
  next(index: SampleIndex): number {
    const start = index.shards;
    const first = this.known[start];
    if (!first) return 0;
    const run: KeptShard[] = [];
    for (let i = start; this.known[i]?.number === first.number + run.length; i++)
      run.push((this.known[i] as KnownShard).kept);
    const at = index.rows;
    index.appendKept(this.columns, first.first, run);
    for (const [row, step] of this.exactSteps) {
      const now = at + row - first.first;
      if (now >= at && now < index.rows) index.exactSteps.set(now, step);
    }
    return run.length;
  }

  /** The next shard from here on that is known. */
  until(shard: number): number {
    let i = shard;
    while (i < this.known.length && !this.known[i]) i++;
    return i;
  }
}

/** @returns `null` when there is no cache, or none that can be used */
export async function keptIn(file: CacheFile, shards: ShardTable): Promise<Kept | null> {
  let reader: CacheReader | null = null;
  try {
    reader = file.open();
    if (!reader) return null;
    const sections = new Sections(reader);
    const table = tableOf(sections);
    const known: (KnownShard | null)[] = [];
    for (const [number, { path }] of shards.files.entries()) {
      const entry = table.get(path);
      known.push(entry && isSame(entry.kept.entry.stamp, await shards.stamp(number)) ? entry : null);
    }
    if (known.every((shard) => shard === null)) return null;
    return new Kept(sections.columns(), known, sections.header.shards);
  } catch {
    return null;
  } finally {
    reader?.close();
  }
}

const isSame = (a: ShardStamp | null, b: ShardStamp | null): boolean =>
  a !== null && b !== null && a.size === b.size && a.mtimeMs === b.mtimeMs;

function tableOf(sections: Sections): ReadonlyMap<string, KnownShard> {
  const { shards, rows, components } = sections.header;
  const paths = new TextDecoder().decode(sections.get("paths")).split("\0");
  const sizes = sections.doubles("sizes", shards);
  const times = sections.doubles("times", shards);
  const firsts = sections.words("firsts", shards + 1);
  const schemas = sections.words("schemas", shards);
  if (paths.length !== shards || firsts[shards] !== rows) throw new BadCache();
  const table = new Map<string, KnownShard>();
  for (const [number, path] of paths.entries()) {
    const first = firsts[number] as number;
    const own = (firsts[number + 1] as number) - first;
    if (own < 0) throw new BadCache();
    const list = components[schemas[number] as number];
    if (!list) continue;
    const stamp = { size: sizes[number] as number, mtimeMs: times[number] as number };
    table.set(path, { number, first, kept: { rows: own, entry: { stamp, components: list, clean: true } } });
  }
  return table;
}
