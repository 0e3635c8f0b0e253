/** What the made-up comparisons are about. */

export interface FakeMetric {
  readonly metric: string;
  readonly title: string;
  readonly unit?: string;
  readonly ours?: boolean;
  readonly base: number;
  readonly noise: number;
  /** Share of the run at which another run leaves, and by how much; none for those that track. */
  readonly leaves?: readonly [at: number, by: number];
  readonly separates?: number;
  readonly group: "health" | "optimisation" | "other";
}

export const METRICS: readonly FakeMetric[] = [
  { metric: "reward_mean", title: "Reward", base: 0.48, noise: 0.03, leaves: [0.56, 0.5], group: "health" },
  {
    metric: "completion_length_mean",
    title: "Completion length",
    unit: "tokens",
    base: 9,
    noise: 1,
    leaves: [0.66, 16],
    group: "health",
  },
  {
    metric: "kl_mean",
    title: "KL to reference",
    base: 0.01,
    noise: 0.002,
    leaves: [0.3, 0.1],
    group: "health",
  },
  {
    metric: "entropy",
    title: "Policy entropy",
    base: 2.05,
    noise: 0.06,
    separates: 0.25,
    group: "health",
  },
  {
    metric: "truncation_rate",
    title: "Truncation rate",
    base: 0.01,
    noise: 0.01,
    leaves: [0.42, 0.7],
    group: "health",
  },
  { metric: "grad_norm", title: "Gradient norm", base: 1, noise: 0.4, group: "optimisation" },
  { metric: "loss", title: "Loss", base: 0.3, noise: 0.1, group: "optimisation" },
  { metric: "learning_rate", title: "Learning rate", base: 5e-5, noise: 0, group: "optimisation" },
  { metric: "clip_fraction", title: "Clip fraction", base: 0.1, noise: 0.02, group: "optimisation" },
  {
    metric: "extra.tokens_per_second",
    title: "tokens_per_second",
    ours: true,
    base: 900,
    noise: 30,
    group: "other",
  },
  { metric: "__proto__", title: "__proto__", ours: true, base: 1, noise: 0.1, group: "other" },
];

export interface FakeCompareCase {
  readonly runs: readonly string[];
  /** Folder names of runs that cannot be opened. */
  readonly lost: readonly string[];
  readonly rows: number;
  /** Nothing parts. */
  readonly calm: boolean;
  /** The runs have no step in common. */
  readonly apart: boolean;
  readonly records: boolean;
}

export const TWO: FakeCompareCase = {
  runs: ["grpo-baseline", "grpo-length-hack"],
  lost: [],
  rows: 250,
  calm: false,
  apart: false,
  records: false,
};

export const COMPARE_CASES: Readonly<Record<string, FakeCompareCase>> = {
  two: TWO,
  calm: { ...TWO, calm: true },
  apart: { ...TWO, apart: true },
  lost: { ...TWO, runs: [...TWO.runs, "seed-2"], lost: ["grpo-newer"] },
  few: { ...TWO, runs: ["grpo-baseline"], lost: ["grpo-newer"] },
  records: { ...TWO, runs: [...TWO.runs, "seed-2"], records: true },
  hostile: { ...TWO, runs: ["<img src=x>\u202Eevil", "constructor"] },
  many: {
    ...TWO,
    runs: Array.from({ length: 50 }, (_, i) => `sweep-${String(i).padStart(2, "0")}`),
    rows: 10_000,
    records: true,
  },
};
