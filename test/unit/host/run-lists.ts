/** Made-up runs for lists of them. */
import type { SeverityView } from "../../../src/protocol/diagnosis.ts";
import type { FindingLine, RunSummary } from "../../../src/protocol/runs.ts";

export const summaryOf = (more: Partial<RunSummary> = {}): RunSummary => ({
  runId: "id",
  algorithm: "grpo",
  model: "m",
  notes: "",
  createdAt: null,
  state: "finished",
  stateReason: "The training ended in order.",
  steps: 1234,
  lastStep: "1234",
  timeFirst: null,
  timeLast: null,
  lastWrite: null,
  lastReward: 0.503456,
  hasRecording: true,
  warnings: 0,
  events: 0,
  ranks: [0],
  attempts: 0,
  metricRows: 0,
  shards: 0,
  config: [],
  ...more,
});

export const findingOf = (signature: string, severity: SeverityView = "critical"): FindingLine => ({
  id: signature,
  signature,
  title: `Title of ${signature}`,
  severity,
  firstStep: "12",
  words: "words",
});
