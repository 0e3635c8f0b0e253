import type { JsonObject } from "./json.ts";

/** observed.attempt<N>.json: what the process of attempt N really ran. */
export interface Witness {
  readonly file: string;
  /** From the file's name. */
  readonly attempt: number;
  /** Every key of the file, known or not. */
  readonly fields: JsonObject;
  /** Its `config` object, `null` when there is none. */
  readonly config: JsonObject | null;
  /** As written in the file; `null` when there is none. */
  readonly statedHash: string | null;
  /** From `config` by the rule of ADR 0008; `null` when there is no config. */
  readonly computedHash: string | null;
}

/** One row of metrics.json. */
export interface MetricRow {
  readonly benchmark: string;
  readonly metric: string;
  readonly horizon: string | number | bigint | null;
  readonly seed: string | number | bigint | null;
  readonly value: number;
}

export interface RunRecords {
  /** By attempt number. */
  readonly witnesses: readonly Witness[];
  readonly metrics: readonly MetricRow[];
  /** The hash of manifest.json's trainer_config by the same rule; `null` without a manifest. */
  readonly manifestConfigHash: string | null;
}
