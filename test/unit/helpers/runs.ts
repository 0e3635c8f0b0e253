/** Runs in memory, and a source that counts what is asked of it. */
import { type MemoryEntry, memorySource } from "../../../src/core/io/memory.ts";
import type { RunSource } from "../../../src/core/io/source.ts";
import { double, int64, nulls, parquet, text } from "./parquet.ts";

const utf8 = new TextEncoder();

export const manifest = (more: Record<string, unknown> = {}): Uint8Array =>
  utf8.encode(
    JSON.stringify({
      schema_version: 1,
      run_id: "demo",
      created_at: "2026-01-02T03:04:05+00:00",
      algorithm: "grpo",
      model_name: "toy",
      world_size: 1,
      trainer_config: { learning_rate: 1e-5 },
      environment: {},
      notes: null,
      extra: {},
      ...more,
    }),
  );

export const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, i) => from + i);

/** A part of the step table: steps `[from, to)`, reward_mean = step / 10. */
export const stepsFile = (from: number, to: number): Uint8Array =>
  parquet({
    step: int64(range(from, to)),
    timestamp: double(range(from, to).map((s) => 1.7e9 + s)),
    reward_mean: double(range(from, to).map((s) => s / 10)),
    kl_mean: double(range(from, to).map((s) => s / 100)),
    value_loss: nulls(to - from),
  });

export const shard = (from: number, to: number, label = "s", rank = 0): Uint8Array =>
  parquet({
    step: int64(range(from, to)),
    sample_id: text(range(from, to).map((s) => `${label}${s}`)),
    rank: int64(range(from, to).map(() => rank)),
    prompt_text: text(range(from, to).map((s) => `prompt ${s}`)),
    completion_text: text(range(from, to).map((s) => `completion ${s} of ${label}`)),
    reward_total: double(range(from, to).map((s) => s / 2)),
    "reward_component.exact": double(range(from, to).map((s) => (s % 2 === 0 ? 1 : null))),
  });

export type Files = Record<string, MemoryEntry>;

export const source = (files: Files, label = "run"): RunSource =>
  memorySource(new Map(Object.entries(files)), label);

export interface Counts {
  lists: number;
  stats: number;
  /** Openings of a file for reading. */
  reads: number;
  bytes: number;
  /** Bytes read by path. */
  readonly byPath: Map<string, number>;
  reset(): void;
}

/** Wraps a source; cost is asserted as calls and bytes, never as time. */
export function counting(inner: RunSource): { source: RunSource; counts: Counts } {
  const counts: Counts = {
    lists: 0,
    stats: 0,
    reads: 0,
    bytes: 0,
    byPath: new Map(),
    reset() {
      counts.lists = counts.stats = counts.reads = counts.bytes = 0;
      counts.byPath.clear();
    },
  };
  const add = (path: string, n: number) => {
    counts.bytes += n;
    counts.byPath.set(path, (counts.byPath.get(path) ?? 0) + n);
  };
  return {
    counts,
    source: {
      label: inner.label,
      list: (path) => {
        counts.lists++;
        return inner.list(path);
      },
      stat: (path) => {
        counts.stats++;
        return inner.stat(path);
      },
      read: async (path, start, length) => {
        counts.reads++;
        const bytes = await inner.read(path, start, length);
        add(path, bytes.length);
        return bytes;
      },
      readRanges: async (path, ranges) => {
        counts.reads++;
        const all = await inner.readRanges(path, ranges);
        for (const b of all) add(path, b.length);
        return all;
      },
    },
  };
}
