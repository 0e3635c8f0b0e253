/** What a witness says of its process, under our names or others' for the same thing. */
import type { JsonObject, JsonValue } from "../format/json.ts";

export interface WitnessFacts {
  readonly runId: JsonValue;
  readonly device: JsonValue;
  readonly deviceName: JsonValue;
  readonly peakMemoryBytes: JsonValue;
  readonly cpuAllocation: JsonValue;
  readonly elapsedSeconds: JsonValue;
}

const KEYS: Readonly<Record<keyof WitnessFacts, readonly string[]>> = {
  runId: ["run_id"],
  device: ["device", "device_type"],
  deviceName: ["device_name", "gpu_name"],
  peakMemoryBytes: ["peak_memory_bytes", "peak_memory", "max_memory_allocated", "device_peak_memory_bytes"],
  cpuAllocation: ["cpu_allocation", "cpu_count", "cpus", "allocated_cpus"],
  elapsedSeconds: ["elapsed_seconds", "elapsed", "elapsed_time", "elapsed_s", "duration_seconds"],
};

/** Keys that {@link witnessFacts} reads. */
export const FACT_KEYS: ReadonlySet<string> = new Set(Object.values(KEYS).flat());

/** `null` for what the witness does not say. */
export function witnessFacts(fields: JsonObject): WitnessFacts {
  const value = (fact: keyof WitnessFacts): JsonValue => {
    const key = KEYS[fact].find((name) => Object.hasOwn(fields, name));
    return key === undefined ? null : (fields[key] ?? null);
  };
  return {
    runId: value("runId"),
    device: value("device"),
    deviceName: value("deviceName"),
    peakMemoryBytes: value("peakMemoryBytes"),
    cpuAllocation: value("cpuAllocation"),
    elapsedSeconds: value("elapsedSeconds"),
  };
}
