import type { JsonObject } from "./json.ts";

/** One line of events.jsonl. */
export interface RunEvent {
  /** Unix seconds; NaN when the line had none that can be read. */
  readonly timestamp: number;
  /** Open string: train_begin, train_end, checkpoint, nan_detected, crash, auto_halt, … or anything. */
  readonly kind: string;
  readonly step: number | bigint | null;
  readonly rank: number;
  readonly message: string;
  readonly data: JsonObject;
  /** Keys that the format does not know; missing when there are none. */
  readonly extra?: JsonObject;
}
