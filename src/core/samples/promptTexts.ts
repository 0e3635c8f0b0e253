/** Which samples share a prompt's exact text, for recordings without prompt ids: texts are told apart by a hash of 53 bits, not kept. */
import type { ShardTable } from "../run/model.ts";
import { hash, longHash, SECOND_SEED } from "./pool.ts";
import type { SampleIndex } from "./sampleIndex.ts";

const encoder = new TextEncoder();
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** Bytes of a text that names itself; longer ones are named by their beginning and hash. */
const MAX_KEY = 1000;
const HEAD = 200;
const STEP_ROWS = 16_384;
const STEP_SHARDS = 512;

/** The name of a prompt by its text. */
export function promptKey(text: string): string {
  const bytes = encoder.encode(text);
  if (bytes.length <= MAX_KEY) return text;
  return `${utf8.decode(bytes.subarray(0, HEAD))}…${longHash(bytes)}`;
}

const mix = (first: number, second: number): number => first * 2 ** 21 + (second >>> 11);

export class PromptTexts {
  /** By row; 0 where there is no prompt. */
  readonly codes: Uint32Array;
  /** The first row of each code; there is no code 0. */
  readonly firstRows: number[] = [-1];
  private readonly known = new Map<number, number>();
  private readonly index: SampleIndex;
  private readonly shards: ShardTable;
  private next = 0;
  private step: Promise<void> | null = null;

  /** @param index whole */
  constructor(index: SampleIndex, shards: ShardTable) {
    this.index = index;
    this.shards = shards;
    this.codes = new Uint32Array(index.rows);
  }

  /** Reads what is not read yet; goes on where an aborted call has stopped. @throws the signal's reason */
  async read(signal?: AbortSignal): Promise<void> {
    while (this.next < this.index.shards) {
      signal?.throwIfAborted();
      this.step ??= this.readSome().finally(() => {
        this.step = null;
      });
      await this.step;
    }
  }

  /** 0 when no sample has this prompt. @param key as {@link promptKey} makes it */
  find(key: string): number {
    const bytes = encoder.encode(key);
    const whole = this.known.get(mixOf(bytes, 0, bytes.length));
    const short = /…([0-9a-f]{8})([0-9a-f]{8})$/.exec(key);
    if (whole !== undefined || !short) return whole ?? 0;
    return this.known.get(mix(Number.parseInt(short[1] ?? "", 16), Number.parseInt(short[2] ?? "", 16))) ?? 0;
  }

  private async readSome(): Promise<void> {
    const { index } = this;
    const batch: number[] = [];
    let rows = 0;
    let shard = this.next;
    for (; shard < index.shards && batch.length < STEP_SHARDS && rows < STEP_ROWS; shard++) {
      batch.push(shard);
      rows += (index.firsts[shard + 1] as number) - (index.firsts[shard] as number);
    }
    const chunk = await this.shards.read(batch, { numbers: [], texts: ["prompt_text"] });
    const texts = chunk.texts("prompt_text");
    for (const { shard: number, first, rows: found } of texts ? chunk.shards : []) {
      const to = index.firsts[number] as number;
      const same = Math.min(found, (index.firsts[number + 1] as number) - to);
      for (let i = 0; texts && i < same; i++) {
        const at = first + i;
        if (texts.valid?.[at] === 0) continue;
        const key = mixOf(texts.bytes, texts.offsets[at] as number, texts.offsets[at + 1] as number);
        this.codes[to + i] = this.codeOf(key, to + i);
      }
    }
    this.next = shard;
  }

  private codeOf(key: number, row: number): number {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const code = this.firstRows.push(row) - 1;
    this.known.set(key, code);
    return code;
  }
}

const mixOf = (bytes: Uint8Array, start: number, end: number): number =>
  mix(hash(bytes, start, end), hash(bytes, start, end, SECOND_SEED));
