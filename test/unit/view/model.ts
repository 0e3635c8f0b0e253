import type { RunEvent } from "../../../src/core/format/event.ts";
import type { JsonObject } from "../../../src/core/format/json.ts";
import type { Manifest } from "../../../src/core/format/manifest.ts";
import type { Warning } from "../../../src/core/format/problems.ts";
import { lifecycle } from "../../../src/core/run/lifecycle.ts";
import type { Column, ListColumn, RunModel, StepAxis } from "../../../src/core/run/model.ts";
import { fakeSamples } from "../samples/fake.ts";

export const NOW = 1_800_000_000_000;

/** A column from numbers; null is a row where nothing was written. */
export function column(values: readonly (number | null)[], exact: readonly bigint[] | null = null): Column {
  return {
    values: Float64Array.from(values, (value) => value ?? Number.NaN),
    valid: values.includes(null) ? Uint8Array.from(values, (value) => (value === null ? 0 : 1)) : null,
    exact: exact && BigInt64Array.from(exact),
  };
}

export function manifest(raw: JsonObject): Manifest {
  const object = (key: string): JsonObject => (raw[key] ?? {}) as JsonObject;
  return {
    schema_version: 1,
    run_id: "run-1",
    created_at: "2026-01-02T03:04:05+00:00",
    algorithm: "grpo",
    model_name: null,
    world_size: 1,
    trainer_config: object("trainer_config"),
    environment: object("environment"),
    notes: null,
    extra: object("extra"),
    raw,
  };
}

export const event = (kind: string, more: Partial<RunEvent> = {}): RunEvent => ({
  timestamp: NOW / 1000 - 5000,
  kind,
  step: null,
  rank: 0,
  message: "",
  data: {},
  ...more,
});

export interface Fake extends Partial<Omit<RunModel, "steps" | "warnings">> {
  readonly columns?: Readonly<Record<string, Column>>;
  readonly lists?: Readonly<Record<string, ListColumn>>;
  readonly warningList?: readonly Warning[];
  /** Thrown by any read that touches this column. */
  readonly broken?: ReadonlyMap<string, Error>;
  /** Told of each read. */
  readonly onRead?: (names: readonly string[]) => void;
}

/** A run in memory: columns by name, `step` and `timestamp` among them. */
export function fakeModel(fake: Fake = {}): RunModel {
  const columns = new Map(Object.entries(fake.columns ?? {}));
  const lists = new Map(Object.entries(fake.lists ?? {}));
  const step = columns.get("step") ?? column([]);
  const axis: StepAxis = {
    rows: step.values.length,
    step,
    timestamp: columns.get("timestamp") ?? null,
    sorted: true,
  };
  const read = (names: readonly string[]): void => {
    fake.onRead?.(names);
    for (const name of names) {
      const error = fake.broken?.get(name);
      if (error) throw error;
    }
  };
  const events = fake.events ?? [];
  const layout = fake.layout ?? "compacted";
  const lastWriteMs = fake.lastWriteMs ?? NOW - 10_000;
  return {
    label: "folder",
    manifest: null,
    hasRecording: true,
    ranks: [{ rank: 0, dir: "" }],
    eventsDropped: 0,
    samples: {
      ...fakeSamples([]),
      counts: async () => ({
        total: 5,
        byRank: new Map([
          [0, 3],
          [2, 2],
        ]),
      }),
      readNumbers: async () => [],
      inSteps: async () => [],
      atRows: async () => [],
    },
    records: { witnesses: [], metrics: [], manifestConfigHash: null },
    ...fake,
    layout,
    lastWriteMs,
    events,
    warnings: () => fake.warningList ?? [],
    lifecycle: (nowMs, pace) =>
      lifecycle({
        events,
        layout,
        lastWriteMs,
        medianStepSeconds: pace?.medianStepSeconds ?? null,
        lastStepTime: pace?.lastStepTime ?? null,
        nowMs,
      }),
    steps: {
      rowCount: axis.rows,
      columns: [
        ...[...columns.keys()].map((name) => ({ name, kind: "scalar" as const })),
        ...[...lists.keys()].map((name) => ({ name, kind: "list" as const })),
      ],
      axis: async () => axis,
      read: async (names) => {
        read(names);
        return names.map((name) => columns.get(name));
      },
      readList: async (name) => {
        read([name]);
        return lists.get(name);
      },
    },
  };
}
