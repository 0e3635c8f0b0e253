/** Samples in memory as the reader hands them out, shard by shard, and what was asked of them. */
import type { Sample } from "../../../src/core/format/sample.ts";
import type { Column, SampleTable, ShardChunk, ShardStamp, TextColumn } from "../../../src/core/run/model.ts";

export interface FakeShard {
  readonly samples: readonly Partial<Sample>[];
  readonly path?: string;
  /** Of a rank folder. */
  readonly rank?: number | null;
  readonly stamp?: ShardStamp | null;
  readonly clean?: boolean;
}

export interface Asked {
  readonly shards: readonly number[];
  readonly numbers: readonly string[];
  readonly texts: readonly string[];
}

const EMPTY: Sample = {
  ...{ step: 0, sample_id: "", rank: 0, group_id: null, prompt_id: null, prompt_text: null },
  ...{ completion_text: null, completion_token_ids: null, reward_total: null, reward_components: {} },
  ...{ advantage: null, logprob_mean: null, kl_contribution: null, completion_len: null },
  ...{ truncated: null, capture_reason: null, file: "", row: 0 },
};

export function whole(sample: Partial<Sample>, file = "", row = 0): Sample {
  return { ...EMPTY, ...sample, file, row };
}

function cell(sample: Sample, name: string): unknown {
  const component = name.startsWith("reward_component.") ? name.slice("reward_component.".length) : null;
  return component === null ? sample[name as keyof Sample] : (sample.reward_components[component] ?? null);
}

function numbers(samples: readonly Sample[], name: string): Column | undefined {
  const cells = samples.map((sample) => cell(sample, name));
  if (cells.every((value) => value === null)) return undefined;
  const big = cells.some((value) => typeof value === "bigint");
  return {
    values: Float64Array.from(cells, (value) => (value === null ? Number.NaN : Number(value))),
    valid: cells.includes(null) ? Uint8Array.from(cells, (value) => (value === null ? 0 : 1)) : null,
    exact: big ? BigInt64Array.from(cells, (value) => BigInt((value as number | bigint | null) ?? 0)) : null,
  };
}

function texts(samples: readonly Sample[], name: string): TextColumn | undefined {
  const cells = samples.map((sample) => cell(sample, name) as string | null);
  if (cells.every((value) => value === null)) return undefined;
  const parts = cells.map((value) => new TextEncoder().encode(value ?? ""));
  const offsets = new Int32Array(parts.length + 1);
  for (const [i, part] of parts.entries()) offsets[i + 1] = (offsets[i] ?? 0) + part.length;
  const bytes = new Uint8Array(offsets.at(-1) ?? 0);
  for (const [i, part] of parts.entries()) bytes.set(part, offsets[i]);
  return {
    bytes,
    offsets,
    valid: cells.includes(null) ? Uint8Array.from(cells, (value) => (value === null ? 0 : 1)) : null,
  };
}

export interface FakeTable extends SampleTable {
  readonly asked: Asked[];
  /** Full samples that were read. */
  readonly whole: { count: number };
}

/** @param gate awaited before each reading */
export function fakeSamples(
  shards: readonly FakeShard[],
  gate: () => Promise<void> = () => Promise.resolve(),
): FakeTable {
  const asked: Asked[] = [];
  const counter = { count: 0 };
  const pathOf = (i: number): string =>
    shards[i]?.path ?? `samples/shard-${String(i).padStart(5, "0")}.parquet`;
  const full = shards.map(({ samples }, i) => samples.map((sample, row) => whole(sample, pathOf(i), row)));
  const stampOf = (i: number): ShardStamp | null => {
    const { stamp } = shards[i] ?? {};
    return stamp === undefined ? { size: 1000 * (full[i]?.length ?? 0), mtimeMs: 1 } : stamp;
  };
  return {
    asked,
    whole: counter,
    shardCount: shards.length,
    counts: async () => ({ total: full.flat().length, byRank: new Map([[0, full.flat().length]]) }),
    readNumbers: async (names) => names.map((name) => numbers(full.flat(), name)),
    inSteps: async () => [],
    atRows: async (rows) => rows.flatMap((row) => full.flat()[row] ?? []),
    shards: {
      files: shards.map(({ rank }, i) => ({ path: pathOf(i), rank: rank ?? null })),
      stamp: async (i) => stampOf(i),
      read: async (wanted, columns): Promise<ShardChunk> => {
        await gate();
        asked.push({ shards: [...wanted], ...columns });
        const rows = wanted.flatMap((i) => full[i] ?? []);
        let first = 0;
        const reads = wanted.map((shard) => {
          const own = full[shard] ?? [];
          const names = new Set(own.flatMap((sample) => Object.keys(sample.reward_components)));
          const read = {
            ...{ shard, first, rows: own.length, stamp: stampOf(shard), components: [...names] },
            clean: shards[shard]?.clean ?? true,
          };
          first += own.length;
          return read;
        });
        return {
          rows: rows.length,
          shards: reads,
          numbers: (name) => numbers(rows, name),
          texts: (name) => texts(rows, name),
        };
      },
      samples: async (places) => {
        await gate();
        counter.count += places.length;
        return places.flatMap(({ shard, row }) => full[shard]?.[row] ?? []);
      },
    },
  };
}
