/** manifest.json as bytes: every field of the format, in its order. */
import { SCHEMA_VERSION } from "../format/manifest.ts";
import { jsonText } from "./json-write.ts";

export interface ManifestInput {
  readonly runId: string;
  /** ISO 8601 with offset. */
  readonly createdAt: string;
  readonly algorithm: string;
  readonly modelName: string | null;
  readonly worldSize: number;
  readonly trainerConfig: object;
  readonly environment: object;
  readonly notes: string | null;
  readonly extra: object;
}

/** What JSON cannot say (functions, cycles) is described in its place. */
export function manifestBytes(input: ManifestInput): Uint8Array {
  const fields = {
    schema_version: SCHEMA_VERSION,
    run_id: input.runId,
    created_at: input.createdAt,
    algorithm: input.algorithm,
    model_name: input.modelName,
    world_size: input.worldSize,
    trainer_config: input.trainerConfig,
    environment: input.environment,
    notes: input.notes,
    extra: input.extra,
  };
  return new TextEncoder().encode(jsonText(fields, { indent: 2, lenient: true }));
}
