/** The samples of all ranks: shards are listed at opening, their footers read when counted, text when shown. */
import { SAMPLES_DIR, SHARD_NAME } from "../format/names.ts";
import type { Warn } from "../format/problems.ts";
import type { Sample } from "../format/sample.ts";
import type { RunSource } from "../io/source.ts";
import type { Column, RankInfo, SampleCounts, SamplePlace, SampleTable } from "../run/model.ts";
import { ColumnBuilder } from "./convert.ts";
import { kindOf } from "./kinds.ts";
import type { RunMemory, ShardsMemory } from "./memory.ts";
import { type ParquetFile, readColumns } from "./parquetFiles.ts";
import { type Shard, type ShardRef, Shards } from "./shards.ts";
import { listNumbered, PAUSE_EVERY, pause, sayGaps } from "./stepFiles.ts";

/** All shards, opened, and the row over all of them that each begins with. */
interface Opened {
  readonly shards: readonly Shard[];
  readonly firsts: readonly number[];
}

export class Samples implements SampleTable {
  readonly shards: Shards;
  private readonly source: RunSource;
  private readonly refs: readonly ShardRef[];
  private readonly warn: Warn;
  private openedOnce: Promise<Opened> | null = null;
  private numbers = new Map<string, Promise<Column | undefined>>();

  constructor(source: RunSource, refs: readonly ShardRef[], warn: Warn, memory: ShardsMemory) {
    this.source = source;
    this.refs = refs;
    this.warn = warn;
    this.shards = new Shards(source, refs, memory);
  }

  static async find(
    source: RunSource,
    ranks: readonly RankInfo[],
    warn: Warn,
    memory: RunMemory,
  ): Promise<Samples> {
    const refs: ShardRef[] = [];
    for (const rank of ranks) {
      const dir = rank.dir === "" ? SAMPLES_DIR : `${rank.dir}/${SAMPLES_DIR}`;
      const listed = await listNumbered(source, dir, SHARD_NAME, warn);
      if (!listed) continue;
      sayGaps(listed.files, "shard-gap", dir, warn);
      for (const { path } of listed.files) refs.push({ path, rank });
    }
    memory.shards = memory.shards.handOver(refs.map(({ path }) => path));
    return new Samples(source, refs, warn, memory.shards);
  }

  get shardCount(): number {
    return this.refs.length;
  }

  async counts(): Promise<SampleCounts> {
    const byRank = new Map<number, number>();
    let total = 0;
    for (const { rank, file } of (await this.opened()).shards) {
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
    const rows: number[] = [];
    for (let row = 0; row < step.values.length && rows.length < limit; row++) {
      const s = step.values[row] as number;
      if (s >= from && s <= to) rows.push(row);
    }
    return this.atRows(rows);
  }

  async atRows(rows: readonly number[]): Promise<readonly Sample[]> {
    const opened = await this.opened();
    return this.shards.samples(rows.flatMap((row) => placeOf(opened, row) ?? []));
  }

  private opened(): Promise<Opened> {
    this.openedOnce ??= this.openShards();
    return this.openedOnce;
  }

  private async openShards(): Promise<Opened> {
    const shards: Shard[] = [];
    const firsts: number[] = [];
    let rows = 0;
    for (const number of this.refs.keys()) {
      if (number % PAUSE_EVERY === PAUSE_EVERY - 1) await pause();
      const shard = await this.shards.open(number, false);
      if (!shard) continue;
      shards.push(shard);
      firsts.push(rows);
      rows += shard.file.footer.rows;
    }
    return { shards, firsts };
  }

  private async loadNumbers(names: readonly string[]): Promise<ReadonlyMap<string, Column>> {
    const files = (await this.opened()).shards.map((s) => s.file);
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
}

/** The last shard that begins at or before the row; empty shards begin where the next one does. */
function placeOf({ shards, firsts }: Opened, row: number): SamplePlace | null {
  let low = 0;
  let high = firsts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((firsts[middle] as number) <= row) low = middle + 1;
    else high = middle;
  }
  const shard = shards[low - 1];
  const inShard = row - (firsts[low - 1] ?? 0);
  if (!shard || inShard < 0 || inShard >= shard.file.footer.rows) return null;
  return { shard: shard.number, row: inShard };
}

function isNumeric(file: ParquetFile, name: string): boolean {
  const top = file.footer.columns.get(name);
  return top !== undefined && kindOf(name, top.node) === "scalar";
}
