/** The samples behind a finding: of some steps, sorted by what shows it. */
import type { Sample } from "../core/format/sample.ts";
import type { Column, RunModel } from "../core/run/model.ts";
import type { SampleSort } from "../protocol/diagnosis.ts";
import type { SampleRow, SamplesPage } from "../protocol/run.ts";
import { MAX_SAMPLE_TEXT } from "../protocol/samples.ts";

export interface SamplesParams {
  /** Steps, both ends included. */
  readonly from: number;
  readonly to: number;
  readonly sort: SampleSort;
  readonly descending: boolean;
  /** How many. */
  readonly k: number;
}

const FALLBACK = "reward_total";
const MAX_ID = 200;

export async function samplesPage(
  model: RunModel,
  { from, to, sort, descending, k }: SamplesParams,
  signal: AbortSignal,
): Promise<SamplesPage> {
  const [step, wanted, reward] = await model.samples.readNumbers(["step", sort, FALLBACK]);
  signal.throwIfAborted();
  if (!step) return { total: 0, rows: [], sort };
  const inRange = rowsWithin(step, from, to);
  const choices = [
    { sort, column: wanted },
    { sort: FALLBACK, column: reward },
  ] as const;
  for (const choice of choices) {
    const { column } = choice;
    const present = column ? inRange.filter((row) => column.valid?.[row] !== 0) : [];
    if (!column || present.length === 0) continue;
    const rows = inOrder(present, column.values, descending).slice(0, k);
    return page(model, rows, present.length, choice.sort, signal);
  }
  return page(model, inOrder(inRange, step.values, false).slice(0, k), inRange.length, "step", signal);
}

function rowsWithin({ values, valid }: Column, from: number, to: number): number[] {
  const rows: number[] = [];
  values.forEach((step, row) => {
    if (step >= from && step <= to && valid?.[row] !== 0) rows.push(row);
  });
  return rows;
}

/** Stable, whichever way; NaN stands last both ways. */
function inOrder(rows: readonly number[], values: Float64Array, descending: boolean): number[] {
  const compare = (a: number, b: number): number => {
    const [x = Number.NaN, y = Number.NaN] = [values[a], values[b]];
    if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y));
    if (x === y) return 0;
    return x < y === descending ? 1 : -1;
  };
  return [...rows].sort(compare);
}

async function page(
  model: RunModel,
  rows: readonly number[],
  total: number,
  sort: SamplesPage["sort"],
  signal: AbortSignal,
): Promise<SamplesPage> {
  const samples = await model.samples.atRows(rows);
  signal.throwIfAborted();
  return { total, rows: samples.map((sample, i) => rowView(sample, rows[i] ?? -1)), sort };
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

/** Never between the halves of a surrogate pair. */
export function head(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? limit - 1 : limit);
}
