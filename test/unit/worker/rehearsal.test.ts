import { expect, it } from "vitest";
import { rehearse } from "../../../src/worker/rehearsal.ts";
import { column, fakeModel } from "../view/model.ts";

function parts(stopAfter = Number.POSITIVE_INFINITY) {
  const reads: string[] = [];
  let opened = 0;
  let pauses = 0;
  return {
    reads,
    opened: () => opened,
    async open() {
      opened++;
      const columns = { step: column([1, 2]), reward_mean: column([3, 4]), kl_mean: column([5, 6]) };
      return fakeModel({ columns, onRead: (names) => reads.push(...names) });
    },
    async pause() {
      pauses++;
    },
    isWanted: () => pauses >= stopAfter,
  };
}

it("asks of a small run what a page asks, several times", async () => {
  const all = parts();
  await rehearse(all);
  expect(all.opened()).toBeGreaterThan(1);
  expect(all.reads).toEqual(expect.arrayContaining(["reward_mean", "kl_mean"]));
});

it("leaves off as soon as somebody asks", async () => {
  const all = parts(3);
  await rehearse(all);
  expect(all.opened()).toBe(1);
  expect(all.reads.length).toBeLessThan(2);
});
