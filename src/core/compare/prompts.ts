/** The same prompts in two runs: what each earned, and its best completion. */
import { compareCodePoints } from "../records/python-json.ts";
import type { RunModel } from "../run/model.ts";
import { meanOf } from "../stats/moments.ts";
import { KeyIndex } from "./keys.ts";

/** Shards of one reading. */
const SHARDS = 64;

/** Prompts of one run by what names them: samples without a name or a reward are in none. */
export interface RunPrompts {
  readonly keys: KeyIndex;
  /** By number of the key. */
  readonly n: Int32Array;
  readonly mean: Float64Array;
  /** Row over all shards of the first sample with the highest reward. */
  readonly best: Int32Array;
}

/**
 * @param column what names a prompt: its id, or its text
 * @param isRecorded rlprobe's order of rewards: a NaN that comes first is never beaten. Otherwise NaN is below any number.
 */
export async function promptsOf(
  model: RunModel,
  column: "prompt_id" | "prompt_text",
  isRecorded: boolean,
  signal?: AbortSignal,
): Promise<RunPrompts> {
  const { shards } = model.samples;
  const keys = new KeyIndex();
  const rows: number[] = [];
  const codes: number[] = [];
  const rewards: number[] = [];
  let first = 0;
  for (let from = 0; from < shards.files.length; from += SHARDS) {
    signal?.throwIfAborted();
    const wanted = Array.from({ length: Math.min(SHARDS, shards.files.length - from) }, (_, i) => from + i);
    const chunk = await shards.read(wanted, { numbers: ["reward_total"], texts: [column] });
    const reward = chunk.numbers("reward_total");
    const names = chunk.texts(column);
    for (let row = 0; reward && names && row < chunk.rows; row++) {
      if (reward.valid && reward.valid[row] === 0) continue;
      const code = keys.add(names, row);
      if (code < 0) continue;
      rows.push(first + row);
      codes.push(code);
      rewards.push(reward.values[row] as number);
    }
    first += chunk.rows;
  }
  return grouped(keys, { rows, codes, rewards }, isRecorded);
}

interface Named {
  readonly rows: readonly number[];
  readonly codes: readonly number[];
  readonly rewards: readonly number[];
}

function grouped(keys: KeyIndex, { rows, codes, rewards }: Named, isRecorded: boolean): RunPrompts {
  const n = new Int32Array(keys.size);
  for (const code of codes) n[code] = (n[code] as number) + 1;
  const lists = Array.from(n, (count) => new Float64Array(count));
  const best = new Int32Array(keys.size).fill(-1);
  const highest = new Float64Array(keys.size).fill(Number.NaN);
  const filled = new Int32Array(keys.size);
  codes.forEach((code, i) => {
    const reward = rewards[i] as number;
    const at = filled[code] as number;
    (lists[code] as Float64Array)[at] = reward;
    filled[code] = at + 1;
    const top = highest[code] as number;
    const isFirst = at === 0 || (!isRecorded && Number.isNaN(top) && !Number.isNaN(reward));
    if (!isFirst && !(reward > top)) return;
    highest[code] = reward;
    best[code] = rows[i] as number;
  });
  return { keys, n, mean: Float64Array.from(lists, meanOf), best };
}

export interface PromptPair {
  readonly codeA: number;
  readonly codeB: number;
  /** Mean reward of B less that of A. */
  readonly gap: number;
}

/** Prompts of both, largest |gap| first; gaps that are no numbers last, equal ones by key. */
export function promptPairs(a: RunPrompts, b: RunPrompts): PromptPair[] {
  const pairs: PromptPair[] = [];
  for (let codeA = 0; codeA < a.keys.size; codeA++) {
    const codeB = b.keys.codeOf(a.keys.bytesOf(codeA));
    if (codeB < 0) continue;
    pairs.push({ codeA, codeB, gap: (b.mean[codeB] as number) - (a.mean[codeA] as number) });
  }
  const size = ({ gap }: PromptPair): number =>
    Number.isNaN(gap) ? Number.NEGATIVE_INFINITY : Math.abs(gap);
  const order = (p: PromptPair, q: PromptPair): number => {
    if (size(p) !== size(q)) return size(q) - size(p);
    return compareCodePoints(a.keys.text(p.codeA), a.keys.text(q.codeA));
  };
  return pairs.sort(order);
}
