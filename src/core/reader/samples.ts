/** The samples of all ranks: shards are listed at opening, their footers read when counted, text when shown. */
import type { Vector } from "apache-arrow";
import { SAMPLES_DIR, SHARD_NAME } from "../format/names.ts";
import type { Warn } from "../format/problems.ts";
import type { Sample } from "../format/sample.ts";
import type { RunSource } from "../io/source.ts";
import type { Column, RankInfo, SampleCounts, SampleTable } from "../run/model.ts";
import { ColumnBuilder } from "./convert.ts";
import { kindOf } from "./kinds.ts";
import { type ParquetFile, readColumns } from "./parquetFiles.ts";
import { checkShardColumns, SampleChecker } from "./sampleChecks.ts";
import { type SampleCells, sampleAt } from "./sampleRow.ts";
import { listNumbered, OWN_CODE, openOne, PAUSE_EVERY, pause, sayFooter, sayGaps } from "./stepFiles.ts";

/** Groups of shards whose text is kept decoded: neighbouring samples are asked for one after another. */
const KEPT_GROUPS = 8;
/** Rows of neighbouring small shards that are decoded in one call: as many as a full shard has. */
const GROUP_ROWS = 4096;
/** Rows whose oddities are remembered as said. */
const NOTED_ROWS = 100_000;

interface ShardRef {
  readonly path: string;
  readonly rank: RankInfo;
}

interface Shard extends ShardRef {
  readonly mtimeMs: number;
  readonly file: ParquetFile;
}

export class Samples implements SampleTable {
  private readonly source: RunSource;
  private readonly refs: readonly ShardRef[];
  private readonly warn: Warn;
  private shardsOnce: Promise<readonly Shard[]> | null = null;
  private numbers = new Map<string, Promise<Column | undefined>>();
  private readonly checker: SampleChecker;
  /** Rows that were looked at: each is reported on once. */
  private readonly noted = new Set<string>();
  private readonly decoded = new Map<string, Promise<SampleCells>>();

  constructor(source: RunSource, refs: readonly ShardRef[], warn: Warn) {
    this.source = source;
    this.refs = refs;
    this.warn = warn;
    this.checker = new SampleChecker(warn);
  }

  static async find(source: RunSource, ranks: readonly RankInfo[], warn: Warn): Promise<Samples> {
    const refs: ShardRef[] = [];
    for (const rank of ranks) {
      const dir = rank.dir === "" ? SAMPLES_DIR : `${rank.dir}/${SAMPLES_DIR}`;
      const listed = await listNumbered(source, dir, SHARD_NAME, warn);
      if (!listed) continue;
      sayGaps(listed.files, "shard-gap", dir, warn);
      for (const { path } of listed.files) refs.push({ path, rank });
    }
    return new Samples(source, refs, warn);
  }

  get shardCount(): number {
    return this.refs.length;
  }

  async counts(): Promise<SampleCounts> {
    const byRank = new Map<number, number>();
    let total = 0;
    for (const { rank, file } of await this.shards()) {
      total += file.footer.rows;
      byRank.set(rank.rank, (byRank.get(rank.rank) ?? 0) + file.footer.rows);
    }
    return { total, byRank };
  }

  async readNumbers(names: readonly string[]): Promise<readonly (Column | undefined)[]> {
    const missing = [...new Set(names.filter((n) => !this.numbers.has(n)))];
    if (missing.length > 0) {
      const batch = this.loadNumbers(missing);
      for (const name of missing) {
        const entry = batch.then((columns) => columns.get(name));
        this.numbers.set(name, entry);
        entry.catch(() => this.numbers.delete(name));
      }
    }
    return Promise.all(names.map((n) => this.numbers.get(n)));
  }

  async inSteps(from: number, to: number, limit: number): Promise<readonly Sample[]> {
    const [step] = await this.readNumbers(["step"]);
    if (!step) return [];
    const out: Sample[] = [];
    for (const group of hitGroups(await this.shards(), step, from, to, limit)) {
      const cells = await this.cells(group.map((h) => h.shard));
      let first = 0;
      for (const { shard, rows } of group) {
        for (const row of rows) out.push(this.sample(cells, first, row, shard));
        first += shard.file.footer.rows;
      }
    }
    return out;
  }

  async atRows(rows: readonly number[]): Promise<readonly Sample[]> {
    const shards = await this.shards();
    const out: Sample[] = [];
    for (const row of rows) {
      let first = 0;
      const shard = shards.find(({ file }) => {
        if (row < first + file.footer.rows) return true;
        first += file.footer.rows;
        return false;
      });
      if (shard) out.push(this.sample(await this.cells([shard]), 0, row - first, shard));
    }
    return out;
  }

  /** @param first where the shard's rows begin in `cells` */
  private sample(cells: SampleCells, first: number, row: number, shard: Shard): Sample {
    const rank = shard.rank.dir === "" ? null : shard.rank.rank;
    const place = `${shard.path}\0${row}`;
    const known = this.noted.size >= NOTED_ROWS || this.noted.has(place);
    if (!known) this.noted.add(place);
    const sample = sampleAt(cells, first + row, rank, shard.path, (code, detail, column) => {
      if (!known)
        this.warn(code, shard.path, detail, {
          column,
          row,
          level: code === "non-finite" || code === "rank-mismatch" ? "info" : "warning",
        });
    });
    if (!known) this.checker.check(sample, shard.mtimeMs);
    return sample;
  }

  private shards(): Promise<readonly Shard[]> {
    this.shardsOnce ??= this.openShards();
    return this.shardsOnce;
  }

  private async openShards(): Promise<readonly Shard[]> {
    const out: Shard[] = [];
    const schemas = new Set<unknown>();
    for (const [i, ref] of this.refs.entries()) {
      if (i % PAUSE_EVERY === PAUSE_EVERY - 1) await pause();
      const opened = await openOne(this.source, ref.path);
      if (!opened) continue;
      if (opened.file) {
        sayFooter(opened.file, this.warn);
        if (!schemas.has(opened.file.footer.columns))
          checkShardColumns(opened.file.footer, ref.path, this.warn);
        schemas.add(opened.file.footer.columns);
        out.push({ ...ref, file: opened.file, mtimeMs: opened.mtimeMs });
      } else if (OWN_CODE.has(opened.code)) this.warn(opened.code, ref.path, opened.detail);
      else this.warn("shard-unreadable", ref.path, opened.detail, { cause: opened.code });
    }
    return out;
  }

  private async loadNumbers(names: readonly string[]): Promise<ReadonlyMap<string, Column>> {
    const shards = await this.shards();
    const files = shards.map((s) => s.file);
    const rows = files.reduce((n, f) => n + f.footer.rows, 0);
    const known = names.filter((n) => files.some((f) => f.footer.columns.has(n)));
    const builders = new Map(known.map((n) => [n, new ColumnBuilder(rows)]));
    await readColumns(this.source, files, known, isNumeric, {
      append: (name, vector, row) => {
        builders.get(name)?.append(vector, row);
      },
      nulls: (name, row, count) => builders.get(name)?.nulls(row, row + count),
      fault: (name, file, code, detail) => this.warn(code, file.path, detail, { column: name }),
    });
    return new Map([...builders].map(([name, builder]) => [name, builder.finish()]));
  }

  /** All columns of some neighbouring shards, text included, one behind the other; the last few groups stay. */
  private cells(shards: readonly Shard[]): Promise<SampleCells> {
    const key = `${shards[0]?.path}\0${shards.length}`;
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
      fault: (name, f, code, detail) => this.warn(code, f.path, detail, { column: name }),
    });
    return cells;
  }
}

interface Hits {
  readonly shard: Shard;
  /** Rows of the shard whose step lies in the range. */
  readonly rows: readonly number[];
}

/** Shards with rows in the range, in groups small enough to be decoded in one call. */
function* hitGroups(
  shards: readonly Shard[],
  step: Column,
  from: number,
  to: number,
  limit: number,
): Generator<Hits[]> {
  let group: Hits[] = [];
  let weight = 0;
  let left = limit;
  let first = 0;
  for (const shard of shards) {
    const count = shard.file.footer.rows;
    const rows: number[] = [];
    for (let i = 0; i < count && rows.length < left; i++) {
      const s = step.values[first + i] as number;
      if (s >= from && s <= to) rows.push(i);
    }
    first += count;
    if (rows.length === 0) continue;
    left -= rows.length;
    if (group.length > 0 && weight + count > GROUP_ROWS) {
      yield group;
      group = [];
      weight = 0;
    }
    group.push({ shard, rows });
    weight += count;
    if (left <= 0) break;
  }
  if (group.length > 0) yield group;
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

function isNumeric(file: ParquetFile, name: string): boolean {
  const top = file.footer.columns.get(name);
  return top !== undefined && kindOf(name, top.node) === "scalar";
}
