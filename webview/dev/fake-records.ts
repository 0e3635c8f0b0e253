/** Run records for the fixture page: two attempts, of which the second ran something else. */
import type { RecordsView } from "../../src/protocol/run.ts";

const fact = (text: string, exact = text) => ({ text, exact });
const NO_FACT = fact("");

export const RECORDS: RecordsView = {
  attempts: [
    {
      file: "observed.attempt0.json",
      attempt: 0,
      statedHash: "3c6e0b8a9c15224a",
      computedHash: "3c6e0b8a9c15224a",
      hash: "match",
      manifest: "match",
      previous: "first",
      runId: fact("4711"),
      device: fact("cuda"),
      deviceName: fact("NVIDIA H100 80GB HBM3"),
      peakMemory: fact("66.3 GiB", "71234567890 bytes"),
      cpus: fact("16"),
      elapsed: fact("20 min 34 s", "1234.5 seconds"),
      fields: [
        { key: "device", value: "cuda" },
        { key: "device_name", value: "NVIDIA H100 80GB HBM3" },
        { key: "peak_memory_bytes", value: "71234567890" },
        { key: "elapsed_seconds", value: "1234.5" },
      ],
    },
    {
      file: "observed.attempt1.json",
      attempt: 1,
      statedHash: "3c6e0b8a9c15224a",
      computedHash: "77aa0b8a9c15224a",
      hash: "mismatch",
      manifest: "differs",
      previous: "differs",
      runId: fact("4711"),
      device: fact("cpu"),
      deviceName: NO_FACT,
      peakMemory: NO_FACT,
      cpus: fact("4"),
      elapsed: fact("3 s", "3.02 seconds"),
      fields: [{ key: "device", value: "cpu" }],
    },
  ],
  configs: {
    columns: [
      { name: "manifest.json, attempt 0", hash: "3c6e0b8a9c15224a" },
      { name: "attempt 1", hash: "77aa0b8a9c15224a" },
    ],
    rows: [
      configRow("learning_rate", "1e-06", "5e-06"),
      configRow("bf16", "true", "true", "boolean"),
      {
        path: "reward.weights.length",
        cells: [
          { present: true, value: "0", type: "number" },
          { present: false, value: "", type: "empty" },
        ],
        differs: true,
      },
    ],
    differing: 2,
    dropped: 0,
    droppedColumns: 0,
  },
  metrics: [
    {
      benchmark: "gsm8k",
      metric: "accuracy",
      horizon: "final",
      n: 5,
      seeds: "0, 1, 2, 3, 4",
      mean: 0.7312,
      sd: 0.0121,
      min: 0.714,
      max: 0.749,
    },
    {
      benchmark: "gsm8k",
      metric: "length",
      horizon: "final",
      n: 1,
      seeds: "0",
      mean: 182.4,
      sd: Number.NaN,
      min: 182.4,
      max: 182.4,
    },
  ],
  droppedMetrics: 0,
  warnings: [],
};

function configRow(
  path: string,
  a: string,
  b: string,
  type: "number" | "boolean" = "number",
): RecordsView["configs"]["rows"][number] {
  return { path, cells: [a, b].map((value) => ({ present: true, value, type })), differs: a !== b };
}
