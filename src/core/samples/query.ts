/** rlprobe 0.1.0's queries of samples, as pure functions of the index (docs/format.md names what differs: NaN stands last). */
import { matching } from "./filter.ts";
import { best } from "./order.ts";
import type { SampleIndex } from "./sampleIndex.ts";
import { EVERYTHING, type NumberName } from "./types.ts";

/** What rlprobe calls the columns that samples are sorted by. */
export const SORTS = {
  reward: "reward_total",
  advantage: "advantage",
  kl: "kl_contribution",
  length: "completion_len",
  logprob: "logprob_mean",
} as const satisfies Readonly<Record<string, NumberName>>;
export type Sort = keyof typeof SORTS;

export const isSort = (text: string): text is Sort => Object.hasOwn(SORTS, text);

export interface Query {
  /** Steps, both ends included; `null` is from the first or to the last. */
  readonly from: number | null;
  readonly to: number | null;
  readonly sort: Sort;
  readonly descending: boolean;
  readonly k: number;
}

/** Rows of the `k` first samples in the range that have a value to sort by; stable. */
export function query(index: SampleIndex, { from, to, sort, descending, k }: Query): Uint32Array {
  const steps =
    from === null && to === null
      ? null
      : ([from ?? Number.NEGATIVE_INFINITY, to ?? Number.POSITIVE_INFINITY] as const);
  const rows = matching(index, { ...EVERYTHING, steps }, null);
  return best(rows, index.keys(SORTS[sort]), descending, k).rows;
}

export function worstReward(index: SampleIndex, k: number): Uint32Array {
  return query(index, { from: null, to: null, sort: "reward", descending: false, k });
}

/** What drove the update around a step: by advantage, by reward where no sample there has an advantage. */
export function spikeDrivers(index: SampleIndex, step: number, window = 5, k = 8): Uint32Array {
  const around = { from: step - window, to: step + window, descending: true, k };
  const drivers = query(index, { ...around, sort: "advantage" });
  return drivers.length > 0 ? drivers : query(index, { ...around, sort: "reward" });
}
