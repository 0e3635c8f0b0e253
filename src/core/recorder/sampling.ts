/** Which completions of a step are kept: the best and the worst, where reward bugs show, and a draw from the rest. */

export interface Sampling {
  readonly topK: number;
  readonly bottomK: number;
  readonly random: number;
}

export type CaptureReason = "top_k" | "bottom_k" | "random" | "all";

export interface Pick {
  readonly index: number;
  readonly reason: CaptureReason;
}

/**
 * A missing reward counts as 0; NaN is above everything, where it is looked at; among equals the later ones are the better.
 * @param rewards of each completion; @param random from 0 up to 1, as Math.random
 * @returns in the order of the completions
 */
export function select(
  rewards: readonly (number | null)[],
  { topK, bottomK, random: middleK }: Sampling,
  random: () => number,
): readonly Pick[] {
  if (rewards.length <= topK + bottomK + middleK)
    return rewards.map((_, index) => ({ index, reason: "all" }));
  const order = rewards.map((_, i) => i).sort((a, b) => compare(rewards[a] ?? 0, rewards[b] ?? 0) || a - b);
  const end = order.length - topK;
  const picks = [
    ...order.slice(0, bottomK).map((index): Pick => ({ index, reason: "bottom_k" })),
    ...order.slice(end).map((index): Pick => ({ index, reason: "top_k" })),
    ...drawn(order.slice(bottomK, end), middleK, random).map((index): Pick => ({ index, reason: "random" })),
  ];
  return picks.sort((a, b) => a.index - b.index);
}

function compare(a: number, b: number): number {
  if (a < b) return -1;
  if (a > b) return 1;
  return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
}

/** The first few of a shuffle. */
function drawn(from: readonly number[], count: number, random: () => number): readonly number[] {
  const left = [...from];
  const out: number[] = [];
  for (let n = Math.min(count, left.length); n > 0; n--)
    out.push(...left.splice(Math.min(left.length - 1, Math.floor(random() * left.length)), 1));
  return out;
}

/** Numbers from 0 up to 1 that a seed decides (mulberry32). @param seed any whole number */
export function seeded(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
