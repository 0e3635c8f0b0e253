/** One captured completion (a row of samples/shard-NNNNN.parquet); `null` where nothing was written. */
export interface Sample {
  readonly step: number | bigint;
  readonly sample_id: string;
  readonly rank: number;
  readonly group_id: string | null;
  readonly prompt_id: string | null;
  readonly prompt_text: string | null;
  readonly completion_text: string | null;
  readonly completion_token_ids: readonly (number | bigint | null)[] | null;
  readonly reward_total: number | null;
  /** Own keys only, without a prototype. */
  readonly reward_components: Readonly<Record<string, number>>;
  readonly advantage: number | null;
  readonly logprob_mean: number | null;
  readonly kl_contribution: number | null;
  readonly completion_len: number | null;
  readonly truncated: boolean | null;
  readonly capture_reason: string | null;
  /** Where it lies: shard file relative to the run, and row in it. With rank and step this names a sample for good. */
  readonly file: string;
  readonly row: number;
}
