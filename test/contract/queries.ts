/** Samples that rlprobe names, and the same questions asked of our index. */
import { expect } from "vitest";
import { nodeSource, openRun, type RunModel } from "../../src/core/index.ts";
import { query, type Sort, spikeDrivers, worstReward } from "../../src/core/samples/query.ts";
import type { SampleIndex } from "../../src/core/samples/sampleIndex.ts";
import { SampleStore } from "../../src/core/samples/store.ts";

/** Step, sample_id, rank. */
type Name = readonly [number, string, number];

export const storeOf = (model: RunModel): SampleStore => new SampleStore(model);

export const names = (index: SampleIndex, rows: Uint32Array): Name[] =>
  [...rows].map((row) => [Number(index.stepText(row)), index.id(row), index.rank(row)]);

/** @param expected as oracle.py writes it: queries by sort, worst_reward, spike_drivers */
export async function expectSameQueries(
  folder: string,
  expected: Readonly<Record<string, unknown>>,
): Promise<void> {
  const index = await storeOf(await openRun(nodeSource(folder))).all();
  const queries = expected["queries"] as Readonly<Record<Sort, readonly Name[]>>;
  for (const [sort, theirs] of Object.entries(queries)) {
    const rows = query(index, { from: null, to: null, sort: sort as Sort, descending: true, k: 10 });
    expect(names(index, rows), sort).toEqual(theirs);
  }
  expect(names(index, worstReward(index, 10)), "worst_reward").toEqual(expected["worst_reward"]);
  const drivers = expected["spike_drivers"] as { step: number; window: number; samples: Name[] } | null;
  if (drivers)
    expect(names(index, spikeDrivers(index, drivers.step, drivers.window)), "spike_drivers").toEqual(
      drivers.samples,
    );
}
