/** The situations that the fixture page can show. */
import type { OpenState } from "../../src/protocol/page.ts";
import type { ChartGroup, ChartSpec, Overview, WarningView } from "../../src/protocol/run.ts";
import type { FakeSamplesOptions } from "./fake-samples.ts";

export interface FakeCase {
  readonly open: OpenState;
  readonly rows: number;
  readonly overview: Overview;
  /** Milliseconds before each answer. */
  readonly latency: number;
  /** Chart ids whose answers fail. */
  readonly failing: readonly string[];
  /** Charts that never get an answer. */
  readonly hanging: readonly string[];
  /** At most so many events are held. */
  readonly held: number;
  /** The recording has no times. */
  readonly timeless: boolean;
  /** What is on the axis is told when `FakeHost.letAxis` is called. */
  readonly lateAxis: boolean;
  /** The doctor finds something. */
  readonly sick: boolean;
  readonly samples: FakeSamplesOptions;
}

const chart = (metric: string, title: string, unit = ""): ChartSpec => ({
  id: metric,
  title,
  unit,
  kind: "lines",
  series: [{ metric, label: title }],
});

const lines = (id: string, title: string, series: readonly (readonly [string, string])[]): ChartSpec => ({
  id,
  title,
  unit: "",
  kind: "lines",
  series: series.map(([metric, label]) => ({ metric, label })),
});

const REWARD: ChartGroup = {
  id: "reward",
  title: "Reward",
  charts: [
    chart("reward_mean", "Reward"),
    chart("reward_std", "Reward spread"),
    chart("reward_min", "Lowest reward"),
    chart("reward_max", "Highest reward"),
    lines("reward_components", "Reward components", [
      ["reward_component.correctness", "correctness"],
      ["reward_component.format", "format"],
      ["reward_component.length", "length"],
      ["reward_component.style/tone", "style/tone"],
    ]),
  ],
};

const BASE: readonly ChartGroup[] = [
  REWARD,
  {
    id: "kl",
    title: "KL",
    charts: [
      chart("kl_mean", "KL to reference"),
      chart("kl_max", "Highest KL"),
      {
        id: "kl_positional",
        title: "KL by position",
        unit: "",
        kind: "heatmap",
        series: [{ metric: "kl_positional", label: "KL by position" }],
      },
    ],
  },
  {
    id: "policy",
    title: "Policy",
    charts: [
      chart("entropy", "Policy entropy"),
      chart("clip_fraction", "Clip fraction"),
      chart("approx_kl", "Approximate KL"),
    ],
  },
  {
    id: "optimization",
    title: "Optimization",
    charts: [
      chart("grad_norm", "Gradient norm"),
      chart("loss", "Loss"),
      chart("learning_rate", "Learning rate"),
    ],
  },
  {
    id: "generation",
    title: "Generation",
    charts: [
      chart("completion_length_mean", "Completion length", "tok"),
      chart("truncation_rate", "Truncation rate"),
      chart("value_loss", "Value loss"),
      chart("explained_variance", "Explained variance"),
    ],
  },
  {
    id: "throughput",
    title: "Throughput",
    charts: [chart("tokens_per_second", "Throughput", "tok/s"), chart("step_time", "Step time", "s")],
  },
];

const ODD: readonly ChartGroup[] = [
  {
    id: "odd",
    title: "Odd values",
    charts: [
      "constant",
      "zero",
      "flat_1e14",
      "huge_1e300",
      "both_1.7e308",
      "tiny",
      "all_nan",
      "all_inf",
      "all_null",
      "one_point",
      "nan_runs",
      "alternating",
    ].map((name) => chart(`odd.${name}`, name)),
  },
];

const HOSTILE_NAMES = [
  "__proto__",
  "constructor",
  "<img src=x onerror=alert(1)>",
  "right\u202eteg ot left",
  "zero\u200bwidth\u0000and\u001b[31mcontrol",
  "a very long metric name that goes on and on, as names do which somebody has put a whole sentence into, twice",
  "日本語のメトリック",
  "مكافأة",
  "a/b.c d",
  "{{x}} #{y} %s",
];

const EXTRA: ChartGroup = {
  id: "extra",
  title: "Extra",
  charts: HOSTILE_NAMES.map((name) => chart(`extra.${name}`, name)),
};

/** Metrics spread evenly over groups. */
const many = (count: number, groups: number): ChartGroup[] =>
  Array.from({ length: groups }, (_, group) => ({
    id: `extra_${group}`,
    title: `Extra ${group}`,
    charts: Array.from({ length: count / groups }, (_, i) => {
      const metric = `metric_${group * (count / groups) + i}`;
      return chart(`extra.${metric}`, metric);
    }),
  }));

const WARNINGS: readonly WarningView[] = [
  {
    code: "part-incomplete",
    file: "steps/part-00041.parquet",
    message:
      "A part of the steps is being written or was cut off while it was (it ends at byte 653 without a footer).",
    remedy:
      "If the run is still going, it will be complete soon; otherwise copy the file again from where it was recorded.",
    count: 1,
    level: "warning",
  },
  {
    code: "part-gap",
    file: "steps",
    message: "Numbers are missing among the parts of the steps.",
    remedy: "Copy the missing files from where the run was recorded.",
    count: 3,
    level: "warning",
  },
  {
    code: "unknown-key",
    file: "manifest.json",
    message: "The manifest holds a key that Flight Deck does not know; it is shown as it is.",
    remedy: "",
    count: 12,
    level: "info",
  },
];

const overview = (groups: readonly ChartGroup[], rows: number, more: Partial<Overview> = {}): Overview => ({
  label: "grpo-length-hack",
  runId: "grpo-length-hack",
  hasRecording: true,
  hasRecords: true,
  algorithm: "grpo",
  model: "tiny-qwen2-word",
  createdAt: 1_764_440_000_000,
  worldSize: 1,
  ranks: [0],
  rowCount: rows,
  shardCount: 12,
  eventCount: 7,
  state: "finished",
  stateReason: "The training ended in order at step 250.",
  warnings: WARNINGS.slice(0, 2),
  groups: [...groups],
  ...more,
});

const RUN: OpenState = { state: "run" };
const one = (open: OpenState, shown: Overview, more: Partial<FakeCase> = {}): FakeCase => ({
  open,
  rows: shown.rowCount,
  overview: shown,
  latency: 0,
  failing: [],
  hanging: [],
  held: 200_000,
  timeless: false,
  lateAxis: false,
  sick: false,
  samples: samplesOf(shown.rowCount, shown.ranks.length),
  ...more,
});

/** Eight of each step, from 250 steps at most. */
const samplesOf = (rows: number, ranks = 1, more: Partial<FakeSamplesOptions> = {}): FakeSamplesOptions => ({
  steps: Math.min(rows, 250),
  perStep: 8,
  ranks,
  shards: 12,
  read: 12,
  ids: true,
  ...more,
});

const REFUSED: OpenState = {
  state: "refused",
  label: "ppo-from-next-year",
  problem: {
    code: "schema-version",
    message: "The recording follows version 3 of the format; this Flight Deck reads versions up to 1.",
    file: "manifest.json",
    remedy: "Update Flight Deck.",
  },
};

const emptyState = (loose: boolean): OpenState => ({
  state: "empty",
  label: "notebooks",
  loose,
  problem: {
    code: loose ? "manifest-missing" : "no-run",
    message: loose
      ? "There are step files here, but no manifest.json that says what run they belong to."
      : "There is no manifest.json here, and no run records.",
    file: "",
    remedy: loose ? "" : "Open the folder that holds manifest.json.",
  },
});

/** By the name in the page's address (`?case=…`). */
export const CASES: Readonly<Record<string, () => FakeCase>> = {
  run: () => one(RUN, overview(BASE, 100_000)),
  /** For docs/pictures. */
  picture: () => one(RUN, overview(BASE, 250)),
  short: () => one(RUN, overview(BASE, 250, { warnings: [] })),
  sick: () => one(RUN, overview(BASE, 250, { warnings: WARNINGS.slice(0, 1) }), { sick: true }),
  /** 800,000 samples of two ranks. */
  big: () =>
    one(RUN, overview(BASE, 100_000, { warnings: [], ranks: [0, 1], worldSize: 2 }), {
      samples: samplesOf(100_000, 2, { steps: 100_000, shards: 196, read: 196 }),
    }),
  /** The index of samples is still being made; prompts have no ids. */
  growing: () =>
    one(RUN, overview(BASE, 250, { warnings: [] }), { samples: samplesOf(250, 1, { read: 4, ids: false }) }),
  sampleless: () =>
    one(RUN, overview(BASE, 250, { warnings: [], shardCount: 0 }), {
      samples: samplesOf(0, 1, { shards: 0, read: 0 }),
    }),
  clean: () => one(RUN, overview(BASE, 2000, { warnings: [], hasRecords: false })),
  odd: () =>
    one(
      RUN,
      overview(ODD, 400, {
        state: "crashed",
        stateReason: "The last event is a crash: CUDA out of memory.",
        eventCount: 12_345,
      }),
    ),
  flood: () => one(RUN, overview(BASE, 250, { eventCount: 1_000_000 }), { held: 5_000 }),
  /** Charts with more chips than their title has room for. */
  crowded: () =>
    one(
      RUN,
      overview(
        [
          {
            id: "crowded",
            title: "Crowded",
            charts: ["a", "b", "c"].map((name) =>
              chart(`crowded.${name}`, `Gradient norm before clipping, ${name}`, "tok/s"),
            ),
          },
        ],
        20_000,
      ),
    ),
  hostile: () =>
    one(
      RUN,
      overview([EXTRA], 1000, {
        label:
          "run <b>bold</b> \u202egnihton\u202c and a name that does not end where one would like it to end",
        model: "org/\u200bmodel",
        state: "killed",
        ranks: [0, 1, 2, 3],
        worldSize: 8,
      }),
    ),
  many: () => one(RUN, overview([REWARD, ...many(2000, 50)], 5000)),
  failing: () => one(RUN, overview(BASE, 2000), { failing: ["reward_mean", "kl_positional"] }),
  hung: () => one(RUN, overview(BASE, 250, { warnings: [] }), { sick: true, hanging: ["reward_mean"] }),
  /** One part of the steps cannot be read. */
  torn: () =>
    one(
      RUN,
      overview(BASE, 2000, {
        warnings: [
          {
            code: "part-unreadable",
            file: "steps/part-00003.parquet",
            message: "A part of the steps could not be read and is left out (its footer is damaged).",
            remedy: "Copy the file again from where the run was recorded.",
            count: 1,
            level: "warning",
          },
        ],
      }),
    ),
  /** The files of steps are there and cannot be read. */
  unread: () =>
    one(
      RUN,
      overview([], 0, {
        state: "unknown",
        stateReason: "Nothing tells how the run stands.",
        warnings: [
          {
            code: "steps-unreadable",
            file: "steps.parquet",
            message: "The step table could not be read (it ends at byte 653 without a footer).",
            remedy: "Copy the file again from where it was recorded.",
            count: 1,
            level: "warning",
          },
        ],
      }),
    ),
  /** A live run with a long reason and much to say about itself. */
  live: () =>
    one(
      RUN,
      overview(BASE, 250, {
        runId: "run-20261129-181649-9a1f58",
        state: "running",
        stateReason: "Files were written 4 seconds ago; a step takes 2.1 s, and the last one is step 250.",
        warnings: WARNINGS.slice(2),
      }),
    ),
  fresh: () =>
    one(
      RUN,
      overview([], 0, {
        state: "running",
        stateReason: "Files were written 4 seconds ago.",
        eventCount: 1,
        warnings: [],
        hasRecords: false,
      }),
    ),
  records: () =>
    one(
      RUN,
      overview([], 0, {
        hasRecording: false,
        algorithm: "",
        state: "unknown",
        stateReason: "The folder holds run records only: no training is recorded in it.",
        eventCount: 0,
        warnings: [],
      }),
    ),
  timeless: () => one(RUN, overview(BASE, 2000), { timeless: true }),
  "late-axis": () => one(RUN, overview(BASE, 2000), { lateAxis: true }),
  slow: () => one(RUN, overview(BASE, 2000), { latency: 1500 }),
  loading: () => one(RUN, overview(BASE, 2000), { latency: 1e9 }),
  refused: () => one(REFUSED, overview([], 0)),
  empty: () => one(emptyState(false), overview([], 0)),
  loose: () => one(emptyState(true), overview([], 0)),
};
