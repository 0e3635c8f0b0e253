/** Rows of the index as what a page shows of them: texts are read of the rows that are shown, and of no others. */
import type { Column, ShardChunk, TextColumn } from "../core/run/model.ts";
import type { SampleStore } from "../core/samples/store.ts";
import { MAX_SAMPLE_HEAD, type SampleListRow } from "../protocol/samples.ts";
import { head } from "./text.ts";

/** Rows of neighbouring shards that are decoded in one call. */
const GROUP_ROWS = 4096;
const GROUP_SHARDS = 256;
/** Decoded bytes that are kept: whoever scrolls asks for the same shard again. */
const KEPT_BYTES = 32 << 20;
/** A UTF-16 unit of a text is three bytes at most; half a character at the end is cut off with what follows it. */
const HEAD_BYTES = MAX_SAMPLE_HEAD * 4;
const MAX_ID = 200;
const COMPONENT = "reward_component.";

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

interface Decoded {
  readonly prompt: TextColumn | undefined;
  readonly completion: TextColumn | undefined;
  readonly components: readonly (Column | undefined)[];
  readonly firsts: ReadonlyMap<number, { readonly first: number; readonly rows: number }>;
}

const NOTHING: Decoded = { prompt: undefined, completion: undefined, components: [], firsts: new Map() };

export class SampleRows {
  private readonly store: SampleStore;
  private readonly kept = new Map<string, { readonly decoded: Decoded; readonly bytes: number }>();

  constructor(store: SampleStore) {
    this.store = store;
  }

  /** @param components names of reward components that are wanted with each row; `null` for none */
  async rows(
    rows: ArrayLike<number>,
    components: readonly string[] | null = null,
    signal?: AbortSignal,
  ): Promise<SampleListRow[]> {
    const out: (SampleListRow | undefined)[] = [];
    for (const group of this.groups(rows)) {
      const decoded = await this.decoded(group.shards, components ?? []);
      signal?.throwIfAborted();
      for (const at of group.places) out[at] = this.row(rows[at] as number, decoded, components);
    }
    return out.filter((row) => row !== undefined);
  }

  /** What the index holds of some rows: their texts are empty. */
  figures(rows: ArrayLike<number>): SampleListRow[] {
    return Array.from(rows, (row) => this.row(row, NOTHING, null));
  }

  /** The beginnings of some prompts. */
  async prompts(rows: ArrayLike<number>, signal?: AbortSignal): Promise<string[]> {
    return (await this.rows(rows, null, signal)).map(({ prompt }) => prompt);
  }

  /** Places in `rows` by shards that are decoded together. */
  private groups(rows: ArrayLike<number>): { readonly shards: number[]; readonly places: number[] }[] {
    const { index } = this.store;
    const byShard = new Map<number, number[]>();
    for (let at = 0; at < rows.length; at++) {
      const shard = index.shardOf(rows[at] as number);
      const own = byShard.get(shard);
      if (own) own.push(at);
      else byShard.set(shard, [at]);
    }
    const out: { shards: number[]; places: number[] }[] = [];
    let size = Number.POSITIVE_INFINITY;
    for (const shard of [...byShard.keys()].sort((a, b) => a - b)) {
      const own = (index.firsts[shard + 1] ?? 0) - (index.firsts[shard] ?? 0);
      let group = out.at(-1);
      if (!group || size + own > GROUP_ROWS || group.shards.length >= GROUP_SHARDS) {
        group = { shards: [], places: [] };
        out.push(group);
        size = 0;
      }
      group.shards.push(shard);
      group.places.push(...(byShard.get(shard) ?? []));
      size += own;
    }
    return out;
  }

  private async decoded(shards: readonly number[], components: readonly string[]): Promise<Decoded> {
    const key = JSON.stringify([shards, components]);
    const known = this.kept.get(key);
    if (known) {
      this.kept.delete(key);
      this.kept.set(key, known);
      return known.decoded;
    }
    const chunk = await this.store.table.shards.read(shards, {
      numbers: components.map((name) => COMPONENT + name),
      texts: ["prompt_text", "completion_text"],
    });
    const decoded = decodedOf(chunk, components);
    this.keep(key, decoded);
    return decoded;
  }

  private keep(key: string, decoded: Decoded): void {
    const size = (column: TextColumn | undefined): number => column?.bytes.byteLength ?? 0;
    this.kept.set(key, { decoded, bytes: size(decoded.prompt) + size(decoded.completion) });
    let total = 0;
    for (const { bytes } of this.kept.values()) total += bytes;
    for (const [oldest, { bytes }] of this.kept) {
      if (total <= KEPT_BYTES || oldest === key) break;
      this.kept.delete(oldest);
      total -= bytes;
    }
  }

  private row(row: number, decoded: Decoded, components: readonly string[] | null): SampleListRow {
    const { index } = this.store;
    const place = index.placeOf(row);
    const shard = place ? decoded.firsts.get(place.shard) : undefined;
    // A file that has changed since can be shorter.
    const at = place && shard && place.row < shard.rows ? shard.first + place.row : -1;
    return {
      row,
      step: index.stepText(row),
      id: head(index.id(row), MAX_ID),
      rank: index.rank(row),
      group: index.text("group_id", row),
      promptId: index.text("prompt_id", row),
      reward: index.number("reward_total", row),
      advantage: index.number("advantage", row),
      kl: index.number("kl_contribution", row),
      logprob: index.number("logprob_mean", row),
      length: index.number("completion_len", row),
      truncated: index.truncated(row),
      reason: index.text("capture_reason", row),
      prompt: headOf(decoded.prompt, at),
      completion: headOf(decoded.completion, at),
      ...(components && { values: decoded.components.map((column) => numberAt(column, at)) }),
    };
  }
}

function decodedOf(chunk: ShardChunk, components: readonly string[]): Decoded {
  return {
    prompt: chunk.texts("prompt_text"),
    completion: chunk.texts("completion_text"),
    components: components.map((name) => chunk.numbers(COMPONENT + name)),
    firsts: new Map(chunk.shards.map(({ shard, first, rows }) => [shard, { first, rows }])),
  };
}

function headOf(column: TextColumn | undefined, at: number): string {
  if (!column || at < 0) return "";
  const start = column.offsets[at] as number;
  const end = Math.min(column.offsets[at + 1] as number, start + HEAD_BYTES);
  return head(utf8.decode(column.bytes.subarray(start, end)), MAX_SAMPLE_HEAD);
}

function numberAt(column: Column | undefined, at: number): number | null {
  return column && at >= 0 && column.valid?.[at] !== 0 ? (column.values[at] as number) : null;
}
