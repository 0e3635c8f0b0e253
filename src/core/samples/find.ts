/** A sample by what names it in a text. */
import { shorten } from "./pool.ts";
import type { SampleStore } from "./store.ts";

export interface SampleName {
  readonly rank: number | null;
  readonly step: number | null;
  /** sample_id, exactly. */
  readonly id: string;
}

/** The first sample of that name in reading order, and how many have it; waits until all are known. */
export async function findSample(
  store: SampleStore,
  { rank, step, id }: SampleName,
  signal?: AbortSignal,
): Promise<{ readonly row: number | null; readonly count: number }> {
  const index = await store.all(signal);
  const bytes = shorten(new TextEncoder().encode(id));
  const { ids } = index.data;
  const steps = index.keys("step");
  let row: number | null = null;
  let count = 0;
  for (let i = 0; i < index.rows; i++) {
    if (step !== null && !(steps.values[i] === step && steps.has(i))) continue;
    if (rank !== null && index.rank(i) !== rank) continue;
    if (!ids.equals(i, bytes)) continue;
    row ??= i;
    count++;
  }
  return { row, count };
}
