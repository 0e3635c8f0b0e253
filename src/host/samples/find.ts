/** From what names a sample to the sample. */
import type { SampleDetail, SampleFilter, SampleListRow } from "../../protocol/samples.ts";
import { NO_FILTER } from "../../view/sample-query.ts";
import { refOf, type SampleRef } from "./address.ts";
import type { RunReader } from "./reader.ts";

/** Longest text of a sample that is read: the longest that can be asked for. */
export const WHOLE_TEXT = 32 * 2 ** 20;
/** Samples of one step with the same name that are told apart. */
const MAX_SAME = 200;

/** Of one step, and of one rank where that is known. */
export function atStep(step: string, rank: number | null = null): SampleFilter {
  const n = Number(step);
  return { ...NO_FILTER, steps: [n, n], rank };
}

/** @param text longest text wanted, in characters */
export async function detailAt(
  reader: RunReader,
  dir: string,
  row: number,
  text: number,
  signal?: AbortSignal,
): Promise<SampleDetail | null> {
  await reader.whenIndexed(dir, signal);
  return reader.call(dir, "samples.detail", { row, text }, signal);
}

/** The sample of an address, wherever it lies by now; `null` when the run does not have it. */
export async function findSample(
  reader: RunReader,
  dir: string,
  ref: SampleRef,
  text: number,
  signal?: AbortSignal,
): Promise<SampleDetail | null> {
  await reader.whenIndexed(dir, signal);
  const { rank, id } = ref;
  if (id !== null) {
    const step = Number(ref.step);
    const { row, count } = await reader.call(dir, "samples.find", { rank, step, id }, signal);
    if (row === null) return null;
    if (count === 1) return reader.call(dir, "samples.detail", { row, text }, signal);
  }
  return tellApart(reader, dir, ref, text, signal);
}

/** Several have the name: file and row decide. Where none lies there any more, nothing in the address tells them apart: the first. */
async function tellApart(
  reader: RunReader,
  dir: string,
  ref: SampleRef,
  text: number,
  signal?: AbortSignal,
): Promise<SampleDetail | null> {
  let first: number | null = null;
  let looked = 0;
  for await (const row of rowsAt(reader, dir, ref, signal)) {
    if (ref.id !== null && row.id !== ref.id) continue;
    const detail = await reader.call(dir, "samples.detail", { row: row.row, text: 0 }, signal);
    const isIt = detail?.file === ref.file && detail.fileRow === ref.row;
    if (isIt) return reader.call(dir, "samples.detail", { row: row.row, text }, signal);
    if (ref.id !== null) first ??= row.row;
    if (++looked >= MAX_SAME) break;
  }
  return first === null ? null : reader.call(dir, "samples.detail", { row: first, text }, signal);
}

async function* rowsAt(
  reader: RunReader,
  dir: string,
  { step, rank }: SampleRef,
  signal?: AbortSignal,
): AsyncGenerator<SampleListRow> {
  const filter = atStep(step, rank);
  const order = { by: "row", descending: false } as const;
  for (let offset = 0; ; ) {
    // Names alone are looked at: no text need be read.
    const asked = { filter, order, offset, limit: 500, texts: false };
    const page = await reader.call(dir, "samples.list", asked, signal);
    yield* page.rows;
    offset += page.rows.length;
    if (page.rows.length === 0 || offset >= page.total) return;
  }
}

/** The sample that a line of a document stands for. Rows move when a run grows: who it was is looked at. */
export async function sampleOfRow(
  reader: RunReader,
  dir: string,
  { row, rank, step, id }: Pick<SampleListRow, "row" | "rank" | "step" | "id">,
  text = 0,
): Promise<SampleDetail | null> {
  const there = await detailAt(reader, dir, row, text);
  if (there?.rank === rank && there.step === step && there.id === id) return there;
  return findSample(reader, dir, { rank, step, id, file: "", row: 0 }, text);
}

/** The captured samples of its group, highest reward first; none without a group. */
export async function groupOf(
  reader: RunReader,
  dir: string,
  sample: SampleDetail,
  limit: number,
): Promise<readonly SampleListRow[]> {
  if (!sample.place) return [];
  const filter = { ...atStep(sample.step), group: sample.group };
  const order = { by: "reward_total", descending: true } as const;
  const ranked = await reader.call(dir, "samples.list", { filter, order, offset: 0, limit });
  if (ranked.without === 0 || ranked.rows.length >= limit) return ranked.rows;
  const all = await reader.call(dir, "samples.list", {
    filter,
    order: { by: "row", descending: false },
    offset: 0,
    limit,
  });
  const known = new Set(ranked.rows.map(({ row }) => row));
  return [...ranked.rows, ...all.rows.filter(({ row }) => !known.has(row))].slice(0, limit);
}

export { refOf };
