/**
 * The benchmark's recordings without Python: the same layout and column names, numbers of a seeded generator, written by
 * the Parquet library's own writer. Close enough to compare one version of Flight Deck with the next; not with rlprobe.
 */
import fs from "node:fs";
import path from "node:path";
import { METRICS } from "../../src/core/format/catalogue.ts";
import { type Cells, double, int64, nulls, parquet, text } from "../unit/helpers/parquet.ts";
import { manifest, range } from "../unit/helpers/runs.ts";
import type { RunSpec } from "./stories.ts";

/** mulberry32: small, seeded, good enough for noise that does not compress. */
function noise(seed: number): () => number {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const NEVER_FILLED = new Set(["value_loss", "value_explained_variance", "value_clip_fraction"]);
const COUNTS = new Set(["nan_count", "inf_count"]);

function steps(from: number, to: number, next: () => number): Uint8Array {
  const rows = range(from, to);
  const columns = new Map<string, Cells>([
    ["step", int64(rows)],
    ["timestamp", double(rows.map((s) => 1.7e9 + s))],
    ["rank", int64(rows.map(() => 0))],
  ]);
  for (const { name } of METRICS) {
    if (NEVER_FILLED.has(name)) columns.set(name, nulls(rows.length));
    else if (COUNTS.has(name)) columns.set(name, int64(rows.map(() => 0)));
    else columns.set(name, double(rows.map(next)));
  }
  return parquet(columns);
}

function shard(step: number, rows: number, next: () => number): Uint8Array {
  const all = range(0, rows);
  const numbers = () => double(all.map(next));
  return parquet({
    step: int64(all.map(() => step)),
    sample_id: text(all.map((i) => `${step}_${i}`)),
    rank: int64(all.map(() => 0)),
    prompt_text: text(all.map((i) => `prompt ${i} `.repeat(20))),
    completion_text: text(all.map((i) => `completion ${next()} of prompt ${i} `.repeat(20))),
    reward_total: numbers(),
    advantage: numbers(),
    logprob_mean: numbers(),
    kl_contribution: numbers(),
    completion_len: int64(all.map(() => Math.floor(next() * 512))),
  });
}

/** Writes one recording. @param folder must not exist */
export function writePlain(spec: RunSpec, folder: string): void {
  const next = noise(spec.steps + (spec.seed ?? 0));
  const put = (name: string, bytes: Uint8Array | string) => {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, bytes);
  };
  const numbered = (kind: string, i: number) => `${kind}-${String(i).padStart(5, "0")}.parquet`;
  put("manifest.json", manifest({ run_id: spec.name }));
  put("events.jsonl", '{"timestamp": 1700000000, "kind": "train_begin", "step": 0, "rank": 0}\n');
  if (spec.parts === 1) put("steps.parquet", steps(0, spec.steps, next));
  else {
    const rows = spec.steps / spec.parts;
    const first = spec.from ?? 0;
    for (let i = 0; i < spec.parts; i++)
      put(`steps/${numbered("part", i)}`, steps(first + i * rows, first + (i + 1) * rows, next));
  }
  const own = Array.from({ length: Math.min(spec.shards, 500) }, (_, i) => shard(i, spec.rowsPerShard, next));
  for (let i = 0; i < spec.shards; i++)
    put(`samples/${numbered("shard", i)}`, own[i % own.length] ?? new Uint8Array(0));
}
