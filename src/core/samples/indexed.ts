/** A run whose samples are answered from the index where that costs less than to read the shards again. */
import type { Column, RunModel, SampleCounts, SampleTable } from "../run/model.ts";
import type { SampleStore } from "./store.ts";
import { NUMBERS, type NumberName } from "./types.ts";

/** Shards beyond which the index is made rather than each question answered from the files. */
const MANY_SHARDS = 1_000;

export function withIndex(model: RunModel, store: SampleStore): RunModel {
  const { samples } = model;
  const isCheap = (): boolean => store.begun || store.goesOn || samples.shardCount > MANY_SHARDS;
  const table: SampleTable = {
    shards: samples.shards,
    shardCount: samples.shardCount,
    counts: () => (isCheap() ? countsOf(store) : samples.counts()),
    readNumbers: (names) =>
      isCheap() && names.every(isIndexed) ? columnsOf(store, names) : samples.readNumbers(names),
    inSteps: (from, to, limit) => samples.inSteps(from, to, limit),
    atRows: (rows) => samples.atRows(rows),
  };
  return { ...model, samples: table };
}

const isIndexed = (name: string): name is NumberName => NUMBERS.some((known) => known === name);

async function countsOf(store: SampleStore): Promise<SampleCounts> {
  const index = await store.all();
  const byRank = new Map<number, number>();
  for (const [shard, { rank }] of store.table.shards.files.entries()) {
    const rows = (index.firsts[shard + 1] ?? 0) - (index.firsts[shard] ?? 0);
    // A file that cannot be read is no rank's.
    if (rows > 0 || index.entries[shard]?.stamp) byRank.set(rank ?? 0, (byRank.get(rank ?? 0) ?? 0) + rows);
  }
  return { total: index.rows, byRank };
}

/** The index's own arrays: whoever asks must not change them. `undefined` where no sample has a value. */
async function columnsOf(
  store: SampleStore,
  names: readonly NumberName[],
): Promise<readonly (Column | undefined)[]> {
  const index = await store.all();
  return names.map((name) => {
    const { has } = index.keys(name);
    const valid = Uint8Array.from({ length: index.rows }, (_, row) => (has(row) ? 1 : 0));
    const missing = valid.indexOf(0) >= 0;
    if (index.rows > 0 && valid.indexOf(1) < 0) return undefined;
    return { values: index.values(name).subarray(0, index.rows), valid: missing ? valid : null, exact: null };
  });
}
