/** A writer against a folder in memory, with a clock that is set by hand, and what readers find there afterwards. */
import "../helpers/parquet.ts";
import { openRun } from "../../../src/core/index.ts";
import { memorySource } from "../../../src/core/io/memory.ts";
import { MemorySink } from "../../../src/core/io/memory-sink.ts";
import type { RunSink } from "../../../src/core/io/sink.ts";
import { decodeTable } from "../../../src/core/recorder/encode.ts";
import { manifestBytes } from "../../../src/core/recorder/manifest.ts";
import type { ColumnData } from "../../../src/core/recorder/table.ts";
import { RunWriter, type WriterOptions } from "../../../src/core/recorder/writer.ts";
import type { RunModel } from "../../../src/core/run/model.ts";

export const NOW = 1_700_000_000;

export const MANIFEST = manifestBytes({
  runId: "made",
  createdAt: "2026-01-02T03:04:05+00:00",
  algorithm: "grpo",
  modelName: null,
  worldSize: 1,
  trainerConfig: { lr: 1e-5 },
  environment: {},
  notes: null,
  extra: {},
});

export interface Written {
  readonly sink: MemorySink;
  readonly writer: RunWriter;
  /** Seconds; the test moves it. */
  readonly clock: { seconds: number };
  readonly drops: { calls: number };
}

/** @param wrap stands between the writer and the folder */
export function writing(
  options: Partial<WriterOptions> = {},
  sink: MemorySink = new MemorySink(),
  wrap: (sink: MemorySink) => RunSink = (s) => s,
): Written {
  const clock = { seconds: 0 };
  const drops = { calls: 0 };
  const writer = new RunWriter(wrap(sink), {
    rank: 0,
    sampling: { topK: 2, bottomK: 2, random: 4, seed: 0 },
    flushSteps: 200,
    flushIntervalSeconds: 5,
    keep: 8192,
    manifest: MANIFEST,
    resume: false,
    now: () => NOW,
    clock: () => clock.seconds,
    beat: () => {},
    ready: () => {},
    drops: {
      count: () => drops.calls,
      add: (calls) => {
        drops.calls += calls;
      },
    },
    ...options,
  });
  return { sink, writer, clock, drops };
}

/** A step with a reward that says which it is. */
export function logSteps(writer: RunWriter, from: number, to: number): void {
  for (let step = from; step < to; step++) writer.step(step, { reward_mean: step / 10 }, null, NOW + step);
}

export const names = (sink: MemorySink, folder = ""): readonly string[] => [...sink.list(folder)].sort();

export const open = (sink: MemorySink): Promise<RunModel> => openRun(memorySource(sink.files));

/** Steps as rlprobe finds them: steps.parquet alone if it is there, otherwise the parts by name. */
export function stepsByRlprobe(sink: MemorySink): readonly number[] {
  const parts = names(sink, "steps").filter((name) => /^part-.*\.parquet$/.test(name));
  const whole = sink.files.has("steps.parquet");
  const files = whole ? ["steps.parquet"] : parts.map((name) => `steps/${name}`);
  return files.flatMap((file) => numbers(column(sink, file, "step")));
}

/** Steps as our reader gives them, as recorded. */
export async function stepsByUs(sink: MemorySink): Promise<readonly number[]> {
  const model = await open(sink);
  const axis = await model.steps.axis("recorded");
  return [...axis.step.values];
}

export function column(sink: MemorySink, file: string, name: string): ColumnData | undefined {
  return decodeTable(sink.read(file), "numbers")?.columns.get(name);
}

export function numbers(data: ColumnData | undefined): readonly number[] {
  return data?.kind === "double" || data?.kind === "int64" ? Array.from(data.values, Number) : [];
}

export interface EventOnDisk {
  readonly timestamp: number;
  readonly kind: string;
  readonly step: number | null;
  readonly rank: number;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export function events(sink: MemorySink): readonly EventOnDisk[] {
  const text = new TextDecoder().decode(sink.files.get("events.jsonl") ?? new Uint8Array(0));
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as EventOnDisk);
}
