/** One row of a decoded shard → a sample, whatever types its writer gave the columns. */
import type { Vector } from "apache-arrow";
import { REWARD_COMPONENT } from "../format/names.ts";
import type { Sample } from "../format/sample.ts";

/** Decoded columns of one shard by name. */
export type SampleCells = ReadonlyMap<string, Vector>;

const utf8 = new TextDecoder("utf-8");

/**
 * @param rank the rank that the shard's folder belongs to, which wins over the column; null for the run's own folder
 */
export function sampleAt(cells: SampleCells, row: number, rank: number | null, file: string): Sample {
  const get = (name: string): unknown => cells.get(name)?.get(row);
  return {
    step: integer(get("step")) ?? Number.NaN,
    sample_id: text(get("sample_id")) ?? "",
    rank: rank ?? Number(integer(get("rank")) ?? 0),
    group_id: text(get("group_id")),
    prompt_id: text(get("prompt_id")),
    prompt_text: text(get("prompt_text")),
    completion_text: text(get("completion_text")),
    completion_token_ids: integers(get("completion_token_ids")),
    reward_total: number(get("reward_total")),
    reward_components: components(cells, row),
    advantage: number(get("advantage")),
    logprob_mean: number(get("logprob_mean")),
    kl_contribution: number(get("kl_contribution")),
    completion_len: number(get("completion_len")),
    truncated: flag(get("truncated")),
    capture_reason: text(get("capture_reason")),
    file,
    row,
  };
}

function components(cells: SampleCells, row: number): Readonly<Record<string, number>> {
  // Without a prototype: a component may be called "__proto__".
  const out: Record<string, number> = Object.create(null);
  for (const [name, vector] of cells) {
    if (!name.startsWith(REWARD_COMPONENT)) continue;
    const value = number(vector.get(row));
    if (value !== null) out[name.slice(REWARD_COMPONENT.length)] = value;
  }
  return out;
}

function text(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return value;
  if (value instanceof Uint8Array) return utf8.decode(value);
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean")
    return String(value);
  return null;
}

function number(value: unknown): number | null {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "boolean") return value ? 1 : 0;
  return null;
}

function integer(value: unknown): number | bigint | null {
  if (typeof value === "bigint") {
    const n = Number(value);
    return Number.isSafeInteger(n) ? n : value;
  }
  const t = value instanceof Uint8Array ? Number(utf8.decode(value)) : value;
  return typeof t === "number" && Number.isInteger(t) ? t : null;
}

function integers(value: unknown): readonly (number | bigint | null)[] | null {
  if (typeof value !== "object" || value === null || !(Symbol.iterator in value)) return null;
  return Array.from(value as Iterable<unknown>, integer);
}

function flag(value: unknown): boolean | null {
  if (typeof value === "boolean") return value;
  if (typeof value === "number" || typeof value === "bigint") return Number(value) !== 0;
  return null;
}
