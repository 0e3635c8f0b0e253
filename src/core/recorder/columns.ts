/** The named columns of both tables in the format's order: all are in every file, those without a value as null. */
import { METRICS } from "../format/catalogue.ts";
import type { ColumnKind } from "./table.ts";

const INTEGERS: ReadonlySet<string> = new Set(["nan_count", "inf_count"]);

function metricKind(name: string): ColumnKind {
  if (name === "kl_positional") return "doubles";
  return INTEGERS.has(name) ? "int64" : "double";
}

export const STEP_COLUMNS: readonly (readonly [name: string, kind: ColumnKind])[] = [
  ["step", "int64"],
  ["timestamp", "double"],
  ["rank", "int64"],
  ...METRICS.map(({ name }) => [name, metricKind(name)] as const),
];

export const SAMPLE_COLUMNS: readonly (readonly [name: string, kind: ColumnKind])[] = [
  ["step", "int64"],
  ["sample_id", "text"],
  ["rank", "int64"],
  ["group_id", "text"],
  ["prompt_id", "text"],
  ["prompt_text", "text"],
  ["completion_text", "text"],
  ["completion_token_ids", "int64s"],
  ["reward_total", "double"],
  ["advantage", "double"],
  ["logprob_mean", "double"],
  ["kl_contribution", "double"],
  ["completion_len", "int64"],
  ["truncated", "bool"],
  ["capture_reason", "text"],
];
