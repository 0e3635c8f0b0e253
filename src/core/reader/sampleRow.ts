/** One row of a decoded shard → a sample, whatever types its writer gave the columns. */
import { isRank, REWARD_COMPONENT } from "../format/names.ts";
import type { WarningCode } from "../format/problems.ts";
import type { Sample } from "../format/sample.ts";
import { decodeUtf8 } from "../format/text.ts";

/** Decoded cells of some shards by column name. */
export interface SampleCells {
  names(): Iterable<string>;
  has(name: string): boolean;
  /** null where nothing was written or the column is missing. */
  get(name: string, row: number): unknown;
}

/** Something odd about the cell of a row. */
export type Note = (code: WarningCode, detail: string, column: string) => void;

/**
 * @param at row in `cells`
 * @param rank the rank that the shard's folder belongs to, which wins over the column; null for the run's own folder
 * @param row row in the file
 */
export function sampleAt(
  cells: SampleCells,
  at: number,
  rank: number | null,
  file: string,
  row: number,
  note: Note,
): Sample {
  const get = (name: string): unknown => cells.get(name, at);
  const words = (name: string) => text(get(name), name, note);
  const figure = (name: string) => number(get(name), name, note);
  const ownRank = rankOf(get("rank"), note);
  if (rank !== null && ownRank !== null && ownRank !== rank)
    note("rank-mismatch", "its samples name another rank than its folder", "rank");
  const id = words("sample_id");
  if (id === null && cells.has("sample_id")) note("bad-row", "samples have no sample_id", "sample_id");
  return {
    step: integer(get("step")) ?? Number.NaN,
    sample_id: id ?? "",
    rank: rank ?? ownRank ?? 0,
    group_id: words("group_id"),
    prompt_id: words("prompt_id"),
    prompt_text: words("prompt_text"),
    completion_text: words("completion_text"),
    completion_token_ids: tokenIds(get("completion_token_ids"), note),
    reward_total: figure("reward_total"),
    reward_components: components(cells, at, note),
    advantage: figure("advantage"),
    logprob_mean: figure("logprob_mean"),
    kl_contribution: figure("kl_contribution"),
    completion_len: figure("completion_len"),
    truncated: flag(get("truncated"), note),
    capture_reason: words("capture_reason"),
    file,
    row,
  };
}

function components(cells: SampleCells, row: number, note: Note): Readonly<Record<string, number>> {
  // Without a prototype: a component may be called "__proto__".
  const out: Record<string, number> = Object.create(null);
  for (const name of cells.names()) {
    if (!name.startsWith(REWARD_COMPONENT)) continue;
    const value = number(cells.get(name, row), name, note);
    if (value !== null) out[name.slice(REWARD_COMPONENT.length)] = value;
  }
  return out;
}

/** A cell as text, whatever it holds; `null` where nothing was written. */
export const textOf = (value: unknown): string | null => text(value, "", () => {});

function text(value: unknown, column: string, note: Note): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return value;
  if (value instanceof Uint8Array) {
    const decoded = decodeUtf8(value);
    if (decoded.invalid > 0) note("invalid-utf8", "bytes that are no UTF-8 are shown as U+FFFD", column);
    // A byte order mark inside a cell is text like any other.
    return decoded.bom ? `\ufeff${decoded.text}` : decoded.text;
  }
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean")
    return String(value);
  // A list of {role, content} and the like: chat transcripts as some writers keep them.
  return JSON.stringify(plain(value, 0)) ?? null;
}

const MAX_DEPTH = 16;
const utf8 = new TextDecoder("utf-8");

/** Arrow's structs and lists as plain JSON values. */
function plain(value: unknown, depth: number): unknown {
  if (value === null || value === undefined || depth > MAX_DEPTH) return null;
  if (value instanceof Uint8Array) return utf8.decode(value);
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object") return value;
  const entries = (value as { toJSON?: () => unknown }).toJSON?.() ?? value;
  if (Array.isArray(entries)) return entries.map((v) => plain(v, depth + 1));
  const out: Record<string, unknown> = Object.create(null);
  for (const [k, v] of Object.entries(entries as object)) out[k] = plain(v, depth + 1);
  return out;
}

function number(value: unknown, column: string, note: Note): number | null {
  const n = typeof value === "bigint" ? Number(value) : typeof value === "boolean" ? (value ? 1 : 0) : value;
  if (typeof n !== "number") return null;
  if (!Number.isFinite(n)) note("non-finite", "values are NaN or infinite", column);
  return n;
}

function integer(value: unknown): number | bigint | null {
  if (typeof value === "bigint") {
    const n = Number(value);
    return Number.isSafeInteger(n) ? n : value;
  }
  const t = value instanceof Uint8Array ? Number(utf8.decode(value)) : value;
  return typeof t === "number" && Number.isInteger(t) ? t : null;
}

function rankOf(value: unknown, note: Note): number | null {
  const rank = integer(value);
  if (rank === null || isRank(Number(rank))) return rank === null ? null : Number(rank);
  note("bad-cell", "values are no ranks", "rank");
  return null;
}

function tokenIds(value: unknown, note: Note): readonly (number | bigint | null)[] | null {
  if (typeof value !== "object" || value === null || !(Symbol.iterator in value)) return null;
  const ids = Array.from(value as Iterable<unknown>, integer);
  if (ids.includes(null))
    note("bad-cell", "token ids are missing or no whole numbers", "completion_token_ids");
  if (ids.some((id) => typeof id === "bigint"))
    note("unsafe-integer", "token ids are beyond 2^53", "completion_token_ids");
  return ids;
}

function flag(value: unknown, note: Note): boolean | null {
  if (typeof value === "boolean") return value;
  if (typeof value !== "number" && typeof value !== "bigint") return null;
  const n = Number(value);
  if (n !== 0 && n !== 1) note("bad-cell", "values are neither true nor false", "truncated");
  return n !== 0;
}
