/** What is measured, and on which recordings; shared by the program that asks and the processes that answer. */

/** Steps of the compacted recordings, rlprobe's own generator. */
export const LENGTHS = [1_000, 10_000, 100_000] as const;

export interface RunSpec {
  readonly name: string;
  readonly kind: "compacted" | "live" | "shards" | "samples" | "later";
  /** Steps of the step table. */
  readonly steps: number;
  /** Its first step, where it is not 0: what comes to a run of so many steps ("later"). */
  readonly from?: number;
  /** Files that the steps lie in. */
  readonly parts: number;
  readonly shards: number;
  readonly rowsPerShard: number;
  readonly large: boolean;
  /** Where it is not the usual one. */
  readonly seed?: number;
}

const compacted = LENGTHS.map(
  (steps): RunSpec => ({
    name: `${steps} steps`,
    kind: "compacted",
    steps,
    parts: 1,
    shards: 0,
    rowsPerShard: 0,
    large: false,
  }),
);
const live = (parts: number, rows: number, shards: number, large: boolean): RunSpec => ({
  name: `${parts} parts x ${rows}`,
  kind: "live",
  steps: parts * rows,
  parts,
  shards,
  rowsPerShard: 20,
  large,
});

/** The second and the last rows are what real runs leave: a flush every five seconds. */
export const RUNS: readonly RunSpec[] = [
  ...compacted,
  live(500, 3, 500, false),
  live(500, 200, 500, true),
  live(5_000, 3, 500, true),
  {
    name: "40000 shards x 20",
    kind: "shards",
    steps: 1_000,
    parts: 1,
    shards: 40_000,
    rowsPerShard: 20,
    large: true,
  },
];

/** Parts that come to a run one by one. */
export const later = (from: number, parts: number, rows: number): RunSpec => ({
  ...{ name: `${parts} parts x ${rows} after ${from}`, kind: "later", steps: parts * rows, from },
  ...{ parts, shards: 0, rowsPerShard: 0, large: true },
});

/** A folder name for a run's name. */
export const folderOf = (name: string): string => name.replaceAll(" ", "-");

/** Which columns a reading story asks for. */
export type Pick = "one" | "charts" | "all";
export const PICKS: readonly Pick[] = ["one", "charts", "all"];
/** Columns of "charts". */
export const CHARTS = 14;

/** The numeric columns that a table over all samples needs. */
export const SAMPLE_INDEX = [
  "step",
  "reward_total",
  "advantage",
  "kl_contribution",
  "logprob_mean",
  "completion_len",
] as const;

/** Columns that are there without being asked for. */
const AXIS = new Set(["step", "timestamp", "rank"]);

/** @param scalars names of the numeric columns in file order */
export function pickColumns(pick: Exclude<Pick, "all">, scalars: readonly string[]): readonly string[] {
  return scalars.filter((name) => !AXIS.has(name)).slice(0, pick === "one" ? 1 : CHARTS);
}

export interface Answer {
  readonly figures: Readonly<Record<string, number>>;
}
