import { expect, test } from "vitest";
import { seeded, select } from "../../../src/core/recorder/sampling.ts";

const DEFAULTS = { topK: 2, bottomK: 2, random: 4 };
const picked = (rewards: readonly (number | null)[], sampling = DEFAULTS, seed = 0) =>
  select(rewards, sampling, seeded(seed));
const of = (reason: string, picks: ReturnType<typeof picked>) =>
  picks.filter((pick) => pick.reason === reason).map((pick) => pick.index);

test("no more than the three together are all kept", () => {
  expect(picked([5, 4, 3, 2, 1, 0, 9, 8])).toEqual(
    Array.from({ length: 8 }, (_, index) => ({ index, reason: "all" })),
  );
  expect(picked([])).toEqual([]);
});

test("the best two, the worst two, and four of the rest in the order of the call", () => {
  const rewards = [5, 1, 9, 3, 7, 0, 8, 2, 6, 4];
  const picks = picked(rewards);
  expect(of("top_k", picks)).toEqual([2, 6]);
  expect(of("bottom_k", picks)).toEqual([1, 5]);
  expect(of("random", picks)).toHaveLength(4);
  const order = picks.map(({ index }) => index);
  expect(order).toEqual([...new Set(order)].sort((a, b) => a - b));
});

test("among equals the first are the worst and the last the best; none counts as 0; NaN is on top", () => {
  const equal = picked(new Array<number>(9).fill(1));
  expect([of("bottom_k", equal), of("top_k", equal)]).toEqual([
    [0, 1],
    [7, 8],
  ]);
  const odd = picked([1, 2, null, Number.NaN, -1, 3, Number.POSITIVE_INFINITY, 4, 5, 6]);
  expect([of("bottom_k", odd), of("top_k", odd)]).toEqual([
    [2, 4],
    [3, 6],
  ]);
});

test("a seed decides what is drawn, and every middle one can be", () => {
  const rewards = Array.from({ length: 30 }, (_, i) => i);
  expect(picked(rewards, DEFAULTS, 3)).toEqual(picked(rewards, DEFAULTS, 3));
  const seen = new Set<number>();
  for (let seed = 0; seed < 200; seed++)
    for (const index of of("random", picked(rewards, DEFAULTS, seed))) seen.add(index);
  expect([...seen].sort((a, b) => a - b)).toEqual(rewards.slice(2, 28));
});

test("any of the three can be none", () => {
  const rewards = [3, 1, 2];
  expect(picked(rewards, { topK: 0, bottomK: 0, random: 0 })).toEqual([]);
  expect(picked(rewards, { topK: 1, bottomK: 0, random: 0 })).toEqual([{ index: 0, reason: "top_k" }]);
  expect(picked(rewards, { topK: 0, bottomK: 1, random: 0 })).toEqual([{ index: 1, reason: "bottom_k" }]);
});
