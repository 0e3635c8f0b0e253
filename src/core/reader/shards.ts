/** The sample shards of all ranks one by one: opened when needed, said of what is wrong with them once. */
import type { Vector } from "apache-arrow";
import { REWARD_COMPONENT } from "../format/names.ts";
import type { Warn, WarningCode } from "../format/problems.ts";
import type { Sample } from "../format/sample.ts";
import type { RunSource } from "../io/source.ts";
import type {
  Column,
  RankInfo,
  SamplePlace,
  ShardChunk,
  ShardFile,
  ShardRead,
  ShardStamp,
  ShardTable,
  TextColumn,
} from "../run/model.ts";
import { ColumnBuilder } from "./convert.ts";
import { sayLinkOut } from "./entries.ts";
import type { Schema } from "./footer.ts";
import { isNullType, isText, kindOf } from "./kinds.ts";
import type { KnownSchema, ShardsMemory } from "./memory.ts";
import { type ParquetFile, readColumns } from "./parquetFiles.ts";
import { checkShardColumns } from "./sampleChecks.ts";
import { type SampleCells, sampleAt } from "./sampleRow.ts";
import { OWN_CODE, openOne, sayFooter } from "./stepFiles.ts";
import { TextBuilder } from "./texts.ts";
import { wholeFiles } from "./wholeFiles.ts";

/** Groups of shards whose text is kept decoded: neighbouring samples are asked for one after another. */
const KEPT_GROUPS = 8;
/** Rows of neighbouring small shards that are decoded in one call: as many as a full shard has. */
const GROUP_ROWS = 4096;
/** Rows whose oddities are remembered as said. */
const NOTED_ROWS = 100_000;
/** Opened shards that are kept: a footer is a few kilobytes, and a run can have tens of thousands. */
const KEPT_FOOTERS = 512;

export interface ShardRef {
  readonly path: string;
  readonly rank: RankInfo;
}

export interface Shard extends ShardRef {
  readonly number: number;
  readonly mtimeMs: number;
  readonly file: ParquetFile;
}

export class Shards implements ShardTable {
  readonly files: readonly ShardFile[];
  private readonly source: RunSource;
  private readonly refs: readonly ShardRef[];
  private readonly warn: Warn;
  private readonly memory: ShardsMemory;
  private readonly opened = new Map<number, Shard>();
  private readonly decoded = new Map<string, Promise<SampleCells>>();

  /** @param memory what an earlier opening has said of them; it is added to */
  constructor(source: RunSource, refs: readonly ShardRef[], memory: ShardsMemory) {
    this.source = source;
    this.refs = refs;
    this.memory = memory;
    this.warn = memory.warnings.warn;
    this.files = refs.map(({ path, rank }) => ({ path, rank: rank.dir === "" ? null : rank.rank }));
  }

  async stamp(shard: number): Promise<ShardStamp | null> {
    try {
      const stat = await this.source.stat(this.refs[shard]?.path ?? "");
      // A link can lead elsewhere tomorrow, and what it leads to is looked at when it is read.
      return stat?.kind === "file" && !stat.link ? { size: stat.size, mtimeMs: stat.mtimeMs } : null;
    } catch {
      return null;
    }
  }

  /** The shard with its footer, read once as long as it is kept; `null` where that cannot be (said). */
  async open(number: number, keep: boolean, source = this.source): Promise<Shard | null> {
    const known = this.opened.get(number);
    if (known) return known;
    const shard = await this.openFile(number, source);
    if (!shard || !keep) return shard;
    const oldest = this.opened.keys().next().value;
    if (this.opened.size >= KEPT_FOOTERS && oldest !== undefined) this.opened.delete(oldest);
    this.opened.set(number, shard);
    return shard;
  }

  private async openFile(number: number, source: RunSource): Promise<Shard | null> {
    const ref = this.refs[number];
    const opened = ref ? await openOne(source, ref.path) : null;
    if (!ref || !opened) return null;
    const isNew = !this.memory.said.has(ref.path);
    this.memory.said.add(ref.path);
    if (!opened.file) {
      if (isNew && OWN_CODE.has(opened.code)) this.warn(opened.code, ref.path, opened.detail);
      else if (isNew) this.warn("shard-unreadable", ref.path, opened.detail, { cause: opened.code });
      return null;
    }
    if (isNew && opened.linksOut) sayLinkOut(ref.path, this.warn);
    if (isNew) sayFooter(opened.file, this.warn);
    this.known(opened.file.footer, ref.path);
    return { ...ref, number, file: opened.file, mtimeMs: opened.mtimeMs };
  }

  private known(schema: Schema, path: string): KnownSchema {
    let known = this.memory.schemas.get(schema.columns);
    if (!known) {
      let clean = true;
      checkShardColumns(schema, path, (...said) => {
        clean = false;
        this.warn(...said);
      });
      const components = [...schema.columns.keys()].filter((name) => name.startsWith(REWARD_COMPONENT));
      known = { clean, components: components.map((name) => name.slice(REWARD_COMPONENT.length)) };
      this.memory.schemas.set(schema.columns, known);
    }
    return known;
  }

  async read(
    numbers: readonly number[],
    columns: { readonly numbers: readonly string[]; readonly texts: readonly string[] },
  ): Promise<ShardChunk> {
    const source = wholeFiles(this.source);
    const shards: Shard[] = [];
    const reads: Reading[] = [];
    let rows = 0;
    for (const number of numbers) {
      const shard = await this.open(number, false, source);
      const own = shard?.file.footer.rows ?? 0;
      if (shard) shards.push(shard);
      reads.push({ shard: number, first: rows, rows: own, opened: shard });
      rows += own;
    }
    const faulty = new Set<ParquetFile>();
    const chunk = new Chunk(rows, columns);
    await readColumns(
      source,
      shards.map(({ file }) => file),
      [...columns.numbers, ...columns.texts],
      (file, name) => (columns.texts.includes(name) ? hasText(file, name) : hasNumbers(file, name)),
      {
        append: (name, vector, row) => chunk.append(name, vector, row),
        nulls: (name, row, count) => chunk.nulls(name, row, count),
        fault: (name, file, code, detail) => {
          faulty.add(file);
          this.fault(name, file, code, detail);
        },
      },
    );
    chunk.shards = reads.map((read) => this.described(read, faulty));
    return chunk;
  }

  private described({ opened, ...read }: Reading, faulty: ReadonlySet<ParquetFile>): ShardRead {
    if (!opened) return { ...read, stamp: null, clean: false, components: [] };
    const { file, mtimeMs, path } = opened;
    const { clean, components } = this.known(file.footer, path);
    const { claimedRows, rows, externalFile } = file.footer;
    return {
      ...read,
      components,
      stamp: { size: file.size, mtimeMs },
      clean: clean && !faulty.has(file) && claimedRows === rows && !externalFile,
    };
  }

  private fault(name: string, file: ParquetFile, code: WarningCode, detail: string): void {
    const key = `${file.path}\0${name}`;
    if (this.memory.said.has(key)) return;
    this.memory.said.add(key);
    this.warn(code, file.path, detail, { column: name });
  }

  async samples(places: readonly SamplePlace[]): Promise<readonly Sample[]> {
    const found = new Map<SamplePlace, Sample>();
    const byShard = new Map<number, SamplePlace[]>();
    for (const place of places) {
      const own = byShard.get(place.shard);
      if (own) own.push(place);
      else byShard.set(place.shard, [place]);
    }
    const opened: Shard[] = [];
    for (const number of [...byShard.keys()].sort((a, b) => a - b)) {
      const shard = await this.open(number, true);
      if (shard) opened.push(shard);
    }
    for (const group of neighbours(opened)) {
      const cells = await this.cells(group);
      let first = 0;
      for (const shard of group) {
        const { rows } = shard.file.footer;
        for (const place of byShard.get(shard.number) ?? [])
          if (place.row < rows) found.set(place, this.sample(cells, first, place.row, shard));
        first += rows;
      }
    }
    return places.flatMap((place) => found.get(place) ?? []);
  }

  /** @param first where the shard's rows begin in `cells` */
  private sample(cells: SampleCells, first: number, row: number, shard: Shard): Sample {
    const rank = shard.rank.dir === "" ? null : shard.rank.rank;
    const place = `${shard.path}\0${row}`;
    const known = this.memory.noted.size >= NOTED_ROWS || this.memory.noted.has(place);
    if (!known) this.memory.noted.add(place);
    const sample = sampleAt(cells, first + row, rank, shard.path, row, (code, detail, column) => {
      if (!known)
        this.warn(code, shard.path, detail, {
          column,
          row,
          level: code === "non-finite" || code === "rank-mismatch" ? "info" : "warning",
        });
    });
    if (!known) this.memory.checker.check(sample, shard.mtimeMs);
    return sample;
  }

  /** All columns of some shards, text included, one behind the other; the last few groups stay. */
  private cells(shards: readonly Shard[]): Promise<SampleCells> {
    const key = shards.map(({ number }) => number).join(" ");
    let cells = this.decoded.get(key);
    if (!cells) {
      cells = this.decode(shards.map((s) => s.file));
      cells.catch(() => this.decoded.delete(key));
      const oldest = this.decoded.keys().next().value;
      if (this.decoded.size >= KEPT_GROUPS && oldest !== undefined) this.decoded.delete(oldest);
    } else this.decoded.delete(key);
    this.decoded.set(key, cells);
    return cells;
  }

  private async decode(files: readonly ParquetFile[]): Promise<SampleCells> {
    const cells = new Cells();
    const names = [...new Set(files.flatMap((f) => [...f.footer.columns.keys()]))];
    await readColumns(this.source, files, names, () => true, {
      append: (name, vector, row) => cells.add(name, vector, row),
      nulls: () => {},
      fault: (name, file, code, detail) => this.fault(name, file, code, detail),
    });
    return cells;
  }
}

interface Reading {
  readonly shard: number;
  readonly first: number;
  readonly rows: number;
  readonly opened: Shard | null;
}

/** Shards in groups small enough to be decoded in one call. */
function* neighbours(shards: readonly Shard[]): Generator<Shard[]> {
  let group: Shard[] = [];
  let weight = 0;
  for (const shard of shards) {
    const { rows } = shard.file.footer;
    if (group.length > 0 && weight + rows > GROUP_ROWS) {
      yield group;
      group = [];
      weight = 0;
    }
    group.push(shard);
    weight += rows;
  }
  if (group.length > 0) yield group;
}

/** Numbers that a sample shows as numbers (sampleRow.ts): text is none but in `step`. */
function hasNumbers(file: ParquetFile, name: string): boolean {
  const node = file.footer.columns.get(name)?.node;
  if (!node || kindOf(name, node) !== "scalar") return false;
  return name === "step" || (!isText(node) && node.logical !== "decimal");
}

function hasText(file: ParquetFile, name: string): boolean {
  const node = file.footer.columns.get(name)?.node;
  return node !== undefined && !isNullType(node);
}

class Chunk implements ShardChunk {
  readonly rows: number;
  shards: readonly ShardRead[] = [];
  private readonly figures = new Map<string, ColumnBuilder>();
  private readonly words = new Map<string, TextBuilder>();
  private readonly filled = new Set<string>();

  constructor(
    rows: number,
    columns: { readonly numbers: readonly string[]; readonly texts: readonly string[] },
  ) {
    this.rows = rows;
    for (const name of columns.numbers) this.figures.set(name, new ColumnBuilder(rows));
    for (const name of columns.texts) this.words.set(name, new TextBuilder(rows));
  }

  append(name: string, vector: Vector, row: number): void {
    this.filled.add(name);
    this.figures.get(name)?.append(vector, row);
    this.words.get(name)?.append(vector, row);
  }

  nulls(name: string, row: number, count: number): void {
    this.figures.get(name)?.nulls(row, row + count);
  }

  numbers(name: string): Column | undefined {
    return this.filled.has(name) ? this.figures.get(name)?.finish() : undefined;
  }

  texts(name: string): TextColumn | undefined {
    return this.filled.has(name) ? this.words.get(name)?.finish() : undefined;
  }
}

/** Decoded columns of some shards; a column can come in pieces where shards differ in type. */
class Cells implements SampleCells {
  private readonly pieces = new Map<string, { readonly row: number; readonly vector: Vector }[]>();

  add(name: string, vector: Vector, row: number): void {
    const list = this.pieces.get(name);
    if (list) list.push({ row, vector });
    else this.pieces.set(name, [{ row, vector }]);
  }

  names(): Iterable<string> {
    return this.pieces.keys();
  }

  has(name: string): boolean {
    return this.pieces.has(name);
  }

  get(name: string, row: number): unknown {
    for (const piece of this.pieces.get(name) ?? [])
      if (row >= piece.row && row < piece.row + piece.vector.length) return piece.vector.get(row - piece.row);
    return null;
  }
}
