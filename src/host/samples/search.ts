/** Full-text search over the samples of a run, to its end. */
import type { SampleQueryText } from "../../view/sample-query.ts";
import type { RunReader } from "./reader.ts";

const MAX_HITS = 100_000;

export interface SearchWatch {
  readonly signal?: AbortSignal;
  /** Samples that are done, of how many. */
  readonly onProgress?: (searched: number, of: number) => void;
}

/** @returns rows in reading order, the first {@link MAX_HITS} @throws ProblemError */
export async function searchRows(
  reader: RunReader,
  dir: string,
  { filter, text, matchCase }: SampleQueryText,
  { signal, onProgress }: SearchWatch = {},
): Promise<Uint32Array<ArrayBuffer>> {
  const found: Uint32Array[] = [];
  let hits = 0;
  let after: number | null = 0;
  while (after !== null && hits < MAX_HITS) {
    const params = { filter, text, matchCase, after, limit: MAX_HITS - hits };
    const answer: { rows: Uint32Array; next: number | null; searched: number; of: number } =
      await reader.call(dir, "samples.search", params, signal);
    found.push(answer.rows);
    hits += answer.rows.length;
    after = answer.next;
    onProgress?.(answer.searched, answer.of);
  }
  const rows = new Uint32Array(hits);
  let at = 0;
  for (const piece of found) {
    rows.set(piece, at);
    at += piece.length;
  }
  return rows;
}
