/** Queries of samples, held against what rlprobe says of the same recordings. */
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { nodeSource, openRun } from "../../src/core/index.ts";
import { query, SORTS, type Sort, spikeDrivers, worstReward } from "../../src/core/samples/query.ts";
import { type Recording, recordingsIn } from "./oracle.ts";
import { expectSameQueries, storeOf } from "./queries.ts";

const oracle = fileURLToPath(new URL("../fixtures/oracle", import.meta.url));
const recordings = ["synthetic", "random", "trl"].flatMap((name) => recordingsIn(path.join(oracle, name)));
const asked = recordings.filter(({ expected }) => expected?.["queries"] !== undefined);

test("there is something to compare", () => {
  expect(asked.length).toBeGreaterThan(25);
});

describe("the same samples in the same order as rlprobe", () => {
  test.each(asked.map((recording): [string, Recording] => [recording.title, recording]))(
    "%s",
    async (_, { folder, expected }) => {
      await expectSameQueries(folder, expected ?? {});
    },
  );
});

test("a different query gives different samples", async () => {
  const { folder } = asked.find(({ title }) => title === "synthetic/healthy-grpo") ?? { folder: "" };
  const index = await storeOf(await openRun(nodeSource(folder))).all();
  const best = query(index, { from: null, to: null, sort: "reward", descending: true, k: 10 });
  expect([...best]).not.toEqual([...worstReward(index, 10)]);
  expect(spikeDrivers(index, 50).length).toBe(8);
  expect(Object.keys(SORTS) satisfies string[] as Sort[]).toHaveLength(5);
});
