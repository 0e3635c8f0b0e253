/** The samples of all ranks: shards are listed at opening, their footers read when counted, text when shown. */
import { type Vector, vectorFromArray } from "apache-arrow";
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

/** Shards whose text is kept decoded: neighbouring samples are asked for one after another. */
const KEPT_SHARDS = 8;

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
    let row = 0;
    for (const shard of await this.shards()) {
      const rows = shard.file.footer.rows;
      const hits: number[] = [];
      for (let i = 0; i < rows && out.length + hits.length < limit; i++) {
        const s = step.values[row + i] as number;
        if (s >= from && s <= to) hits.push(i);
      }
      if (hits.length > 0) {
        const cells = await this.cells(shard);
        for (const i of hits) out.push(this.sample(cells, i, shard));
      }
      if (out.length >= limit) break;
      row += rows;
    }
    return out;
  }

  private sample(cells: SampleCells, row: number, shard: Shard): Sample {
    const rank = shard.rank.dir === "" ? null : shard.rank.rank;
    const place = `${shard.path}\0${row}`;
    const known = this.noted.has(place);
    this.noted.add(place);
    const sample = sampleAt(cells, row, rank, shard.path, (code, detail, column) => {
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
      } else this.warn(OWN_CODE.has(opened.code) ? opened.code : "shard-unreadable", ref.path, opened.detail);
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

  /** All columns of one shard, text included; the last few shards stay. */
  private cells(shard: Shard): Promise<SampleCells> {
    let cells = this.decoded.get(shard.path);
    if (!cells) {
      cells = this.decode(shard);
      cells.catch(() => this.decoded.delete(shard.path));
      const oldest = this.decoded.keys().next().value;
      if (this.decoded.size >= KEPT_SHARDS && oldest !== undefined) this.decoded.delete(oldest);
    } else this.decoded.delete(shard.path);
    this.decoded.set(shard.path, cells);
    return cells;
  }

  private async decode(shard: Shard): Promise<SampleCells> {
    const cells = new Map<string, Vector>();
    const { file } = shard;
    await readColumns(this.source, [file], [...file.footer.columns.keys()], () => true, {
      append: (name, vector) => {
        cells.set(name, vector);
      },
      nulls: (name, _, rows) => {
        if (!cells.has(name)) cells.set(name, vectorFromArray(new Array<null>(rows).fill(null)));
      },
      fault: (name, f, code, detail) => this.warn(code, f.path, detail, { column: name }),
    });
    return cells;
  }
}

function isNumeric(file: ParquetFile, name: string): boolean {
  const top = file.footer.columns.get(name);
  return top !== undefined && kindOf(name, top.node) === "scalar";
}
