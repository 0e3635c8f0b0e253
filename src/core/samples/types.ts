/** Which samples, in which order: what the index is asked. */

/** A prompt's name: its prompt_id, or where the recording has none its text (see promptKey). */
export interface PromptKey {
  readonly by: "id" | "text";
  readonly key: string;
}

type Range = readonly [number, number] | null;

/** What is `null` does not matter. Ranges include both ends; a sample without the value lies in none. */
export interface SampleFilter {
  readonly steps: Range;
  readonly rank: number | null;
  /** "" is the samples that have none. */
  readonly reason: string | null;
  readonly truncated: boolean | null;
  readonly group: string | null;
  readonly prompt: PromptKey | null;
  readonly reward: Range;
  readonly length: Range;
  /** Only these rows, ascending. */
  readonly rows: Uint32Array | null;
}

export const EVERYTHING: SampleFilter = {
  ...{ steps: null, rank: null, reason: null, truncated: null, group: null },
  ...{ prompt: null, reward: null, length: null, rows: null },
};

export const NUMBERS = [
  "step",
  "reward_total",
  "advantage",
  "kl_contribution",
  "logprob_mean",
  "completion_len",
] as const;
/** Number columns of the index. */
export type NumberName = (typeof NUMBERS)[number];

export interface SampleOrder {
  /** A column of the index, "row" for the reading order, or "component:NAME". */
  readonly by: string;
  readonly descending: boolean;
}

export const READING: SampleOrder = { by: "row", descending: false };

/** Numbers by row; a row has none where `has` says so. */
export interface Keys {
  readonly values: ArrayLike<number>;
  has(row: number): boolean;
}
