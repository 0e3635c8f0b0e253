/** Rows that match a filter, in reading order. */
import type { SampleIndex } from "./sampleIndex.ts";
import { EVERYTHING, type NumberName, type SampleFilter } from "./types.ts";

type Test = (row: number) => boolean;

/** Codes of prompts by row (0 is none), and the one that is looked for. */
export interface PromptCodes {
  readonly codes: Uint32Array;
  readonly code: number;
}

/** @param prompt what `filter.prompt` is in this index; `null` when the filter names none */
export function matching(index: SampleIndex, filter: SampleFilter, prompt: PromptCodes | null): Uint32Array {
  const tests = testsOf(index, filter, prompt);
  const { rows } = index;
  const from = filter.rows;
  const candidates = from ? from.length : rows;
  const out = new Uint32Array(candidates);
  let n = 0;
  for (let i = 0; i < candidates; i++) {
    const row = from ? (from[i] as number) : i;
    if (row < rows && passes(tests, row)) out[n++] = row;
  }
  return n === candidates ? out : out.slice(0, n);
}

function passes(tests: readonly Test[], row: number): boolean {
  for (const test of tests) if (!test(row)) return false;
  return true;
}

function testsOf(index: SampleIndex, filter: SampleFilter, prompt: PromptCodes | null): Test[] {
  const tests: Test[] = [];
  const within = (name: NumberName, range: readonly [number, number] | null): void => {
    if (!range) return;
    const [low, high] = range;
    const { values, has } = index.keys(name);
    tests.push((row) => {
      const value = values[row] as number;
      return value >= low && value <= high && has(row);
    });
  };
  within("step", filter.steps);
  if (filter.rank !== null) {
    const { rank } = index.data;
    tests.push((row) => rank[row] === filter.rank);
  }
  if (filter.reason !== null) tests.push(sameText(index, "capture_reason", filter.reason));
  if (filter.group !== null) tests.push(sameText(index, "group_id", filter.group));
  if (prompt) tests.push((row) => prompt.codes[row] === prompt.code && prompt.code !== 0);
  const { truncated } = filter;
  if (truncated !== null) tests.push((row) => index.truncated(row) === truncated);
  within("reward_total", filter.reward);
  within("completion_len", filter.length);
  return tests;
}

function sameText(index: SampleIndex, name: "capture_reason" | "group_id", text: string): Test {
  const codes = index.codes(name);
  const pool = index.pool(name);
  const empty = pool.find("");
  // None and an empty text look alike.
  if (text === "") return (row) => codes[row] === 0 || (empty !== 0 && codes[row] === empty);
  const code = pool.find(text);
  return (row) => codes[row] === code && code !== 0;
}

/** The same text for the same filter. */
export function keyOf(filter: SampleFilter): string {
  const { rows, ...rest } = { ...EVERYTHING, ...filter };
  const names = Object.keys(rest).sort() as (keyof typeof rest)[];
  // Infinite ends have no spelling in JSON.
  const spelled = JSON.stringify(
    names.map((name) => rest[name]),
    (_, v) => (typeof v === "number" ? `${v}` : v),
  );
  return spelled + rowsKey(rows);
}

/** Found rows by their number and two mixes of them. */
function rowsKey(rows: Uint32Array | null): string {
  if (!rows) return "";
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    a = Math.imul(a ^ row, 0x01000193);
    b = (Math.imul(b, 31) + row) | 0;
  }
  return `${rows.length}:${a}:${b}`;
}
