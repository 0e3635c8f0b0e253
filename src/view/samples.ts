/** The samples behind a finding: of some steps, sorted by what shows it. */
import type { Sample } from "../core/format/sample.ts";
import { best } from "../core/samples/order.ts";
import type { SampleStore } from "../core/samples/store.ts";
import { EVERYTHING } from "../core/samples/types.ts";
import type { SampleSort } from "../protocol/diagnosis.ts";
import type { SampleRow, SamplesPage } from "../protocol/run.ts";
import { MAX_SAMPLE_TEXT } from "../protocol/samples.ts";
import { head } from "./text.ts";

export interface SamplesParams {
  /** Steps, both ends included. */
  readonly from: number;
  readonly to: number;
  readonly sort: SampleSort;
  readonly descending: boolean;
  /** How many. */
  readonly k: number;
}

const MAX_ID = 200;

export async function samplesPage(
  store: SampleStore,
  { from, to, sort, descending, k }: SamplesParams,
  signal: AbortSignal,
): Promise<SamplesPage> {
  const index = await store.all(signal);
  if (index.rows === 0) return { total: 0, rows: [], sort };
  const inRange = await store.matching({ ...EVERYTHING, steps: [from, to] }, signal);
  for (const choice of [sort, "reward_total"] as const) {
    const { rows, total } = best(inRange, index.keys(choice), descending, k);
    if (total > 0) return page(store, rows, total, choice, signal);
  }
  const { rows } = best(inRange, index.keys("step"), false, k);
  return page(store, rows, inRange.length, "step", signal);
}

async function page(
  store: SampleStore,
  rows: Uint32Array,
  total: number,
  sort: SamplesPage["sort"],
  signal: AbortSignal,
): Promise<SamplesPage> {
  const { index, table } = store;
  const byPlace = new Map<string, number>();
  const places = [...rows].flatMap((row) => {
    const place = index.placeOf(row);
    if (place) byPlace.set(`${table.shards.files[place.shard]?.path}\0${place.row}`, row);
    return place ?? [];
  });
  const samples = await table.shards.samples(places);
  signal.throwIfAborted();
  const shown = samples.map((sample) => rowView(sample, byPlace.get(`${sample.file}\0${sample.row}`) ?? -1));
  return { total, rows: shown, sort };
}

function rowView(sample: Sample, row: number): SampleRow {
  const { prompt_text: prompt, completion_text: completion } = sample;
  return {
    row,
    step: String(sample.step),
    id: head(sample.sample_id, MAX_ID),
    rank: sample.rank,
    reward: sample.reward_total,
    advantage: sample.advantage,
    length: sample.completion_len,
    truncated: sample.truncated,
    prompt: head(prompt ?? "", MAX_SAMPLE_TEXT),
    completion: head(completion ?? "", MAX_SAMPLE_TEXT),
    promptLength: prompt?.length ?? 0,
    completionLength: completion?.length ?? 0,
  };
}
