/** How far the index of samples is, and what can be chosen in it. */
import type { RunModel } from "../core/run/model.ts";
import { POOLED, type SampleIndex } from "../core/samples/sampleIndex.ts";
import type { SampleStore } from "../core/samples/store.ts";
import { NUMBERS } from "../core/samples/types.ts";
import type { SampleFolder, SampleIndexState } from "../protocol/samples.ts";
import type { Problem } from "../protocol/wire.ts";
import { warningView } from "./problems.ts";

/** An answer to "is there more" is given after this many milliseconds even when there is not: silence looks like a hung thread. */
const PATIENCE = 10_000;
/** Reasons, ranks and components that are listed: more are no choice. */
const MAX_CHOICES = 200;
const MAX_PROBLEMS = 20;

export class SampleStates {
  private readonly model: RunModel;
  private readonly store: SampleStore;
  private last: { readonly rows: number; readonly summary: Summary } | null = null;

  constructor(model: RunModel, store: SampleStore) {
    this.model = model;
    this.store = store;
  }

  /** @see samplesContract */
  async state(seen: number, signal: AbortSignal): Promise<SampleIndexState> {
    const { store } = this;
    store.begin();
    if (seen >= 0 && !store.done && store.index.shards <= seen) await inTime(store.grown(signal));
    if (store.done) await store.all();
    const { index } = store;
    if (this.last?.rows !== index.rows) this.last = { rows: index.rows, summary: summaryOf(index) };
    return {
      shards: this.model.samples.shardCount,
      read: index.shards,
      rows: index.rows,
      folders: this.folders(index),
      done: store.done,
      ...this.last.summary,
      components: store.componentNames().slice(0, MAX_CHOICES),
      problems: this.problems(),
    };
  }

  private folders({ firsts, shards }: SampleIndex): SampleFolder[] {
    const { files } = this.model.samples.shards;
    return files
      .slice(0, shards)
      .flatMap(({ rank }, i) =>
        i === 0 || rank !== files[i - 1]?.rank ? [{ rank, first: firsts[i] as number }] : [],
      );
  }

  private problems(): Problem[] {
    const paths = new Set(this.model.samples.shards.files.map(({ path }) => path));
    return this.model
      .warnings()
      .filter(({ file, level, code }) => level === "warning" && paths.has(file) && LOSING.has(code))
      .slice(0, MAX_PROBLEMS)
      .map(warningView)
      .map(({ code, message, file, remedy }) => ({ code, message, file, remedy }));
  }
}

/** Warnings that cost samples or some of their values. */
const LOSING: ReadonlySet<string> = new Set([
  ...["shard-unreadable", "permission-denied", "not-a-regular-file", "dangling-link", "link-loop"],
  ...["page-corrupt", "footer-corrupt", "size-limit", "io-error", "unsupported-codec", "missing-column"],
]);

/** How many samples there are, by rank folder. */
export async function sampleCounts({
  samples,
}: RunModel): Promise<{ readonly samples: number; readonly byRank: { rank: number; samples: number }[] }> {
  const { total, byRank } = await samples.counts();
  return { samples: total, byRank: [...byRank].map(([rank, count]) => ({ rank, samples: count })) };
}

type Summary = Pick<SampleIndexState, "steps" | "ranks" | "reasons" | "present">;

function summaryOf(index: SampleIndex): Summary {
  const { rows } = index;
  const ranks = new Set<number>();
  const reasons = new Map<number, number>();
  const codes = index.codes("capture_reason");
  const step = index.keys("step");
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let row = 0; row < rows; row++) {
    ranks.add(index.rank(row));
    const code = codes[row] as number;
    reasons.set(code, (reasons.get(code) ?? 0) + 1);
    if (!step.has(row)) continue;
    low = Math.min(low, step.values[row] as number);
    high = Math.max(high, step.values[row] as number);
  }
  const pool = index.pool("capture_reason");
  return {
    steps: low <= high ? [low, high] : null,
    ranks: [...ranks].sort((a, b) => a - b).slice(0, MAX_CHOICES),
    reasons: [...reasons]
      .map(([code, count]) => ({ reason: pool.text(code), count }))
      .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1))
      .slice(0, MAX_CHOICES),
    present: presentIn(index),
  };
}

function presentIn(index: SampleIndex): string[] {
  const { rows } = index;
  const some = (test: (row: number) => boolean): boolean => {
    for (let row = 0; row < rows; row++) if (test(row)) return true;
    return false;
  };
  return [
    ...(rows > 0 ? ["rank", "sample_id"] : []),
    ...[...NUMBERS, "truncated" as const].filter((name) => some((row) => index.has(name, row))),
    ...POOLED.filter((name) => some((row) => index.codes(name)[row] !== 0)),
  ];
}

async function inTime(work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
