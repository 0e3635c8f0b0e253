import type { JsonObject } from "./json.ts";

/** The newest schema_version that this reader understands. */
export const SCHEMA_VERSION = 1;

/** manifest.json, defaults filled in; `raw` is the file as it was, unknown keys included. */
export interface Manifest {
  readonly schema_version: number;
  /** The folder's name where the file has none that can be used. */
  readonly run_id: string;
  /** ISO 8601 as written, "" when missing. */
  readonly created_at: string;
  /** "" when missing. */
  readonly algorithm: string;
  readonly model_name: string | null;
  readonly world_size: number;
  readonly trainer_config: JsonObject;
  readonly environment: JsonObject;
  readonly notes: string | null;
  readonly extra: JsonObject;
  readonly raw: JsonObject;
}
