/** One prompt over the steps it was asked at, and which prompts were asked most often. */
import { statsOf } from "./groups.ts";
import { ordered } from "./order.ts";
import type { SampleIndex } from "./sampleIndex.ts";

export interface PromptSummary {
  readonly code: number;
  readonly samples: number;
  readonly steps: number;
  /** The first row in reading order, and one at the first and one at the last step. */
  readonly row: number;
  readonly firstStepRow: number;
  readonly lastStepRow: number;
  /** Mean rewards at the first and last step and over all; `null` where there is none. */
  readonly first: number | null;
  readonly last: number | null;
  readonly mean: number | null;
}

class Mean {
  private sum = 0;
  private n = 0;

  add(value: number | null): void {
    if (value === null || Number.isNaN(value)) return;
    this.sum += value;
    this.n++;
  }

  get value(): number | null {
    return this.n === 0 ? null : this.sum / this.n;
  }
}

interface Gathered {
  readonly code: number;
  row: number;
  samples: number;
  steps: number;
  firstStepRow: number;
  lastStepRow: number;
  readonly first: Mean;
  last: Mean;
  readonly all: Mean;
}

/**
 * Prompts of some rows, those at the most steps first, then in reading order.
 * @param codes the prompt of each row, 0 for none
 */
export function promptsOf(index: SampleIndex, rows: Uint32Array, codes: Uint32Array): PromptSummary[] {
  const step = index.values("step");
  const found = new Map<number, Gathered>();
  for (const row of ordered(rows, index.keys("step"), false).rows) {
    const code = codes[row] as number;
    if (code === 0) continue;
    const reward = index.number("reward_total", row);
    let prompt = found.get(code);
    if (!prompt) {
      prompt = {
        ...{ code, row, samples: 0, steps: 1, firstStepRow: row, lastStepRow: row },
        ...{ first: new Mean(), last: new Mean(), all: new Mean() },
      };
      found.set(code, prompt);
    } else if (step[prompt.lastStepRow] !== step[row]) {
      prompt.steps++;
      prompt.lastStepRow = row;
      prompt.last = new Mean();
    }
    prompt.samples++;
    prompt.row = Math.min(prompt.row, row);
    prompt.all.add(reward);
    prompt.last.add(reward);
    if (prompt.steps === 1) prompt.first.add(reward);
  }
  return [...found.values()]
    .sort((a, b) => b.steps - a.steps || a.row - b.row)
    .map(({ first, last, all, ...rest }) => ({
      ...rest,
      ...{ first: first.value, last: last.value, mean: all.value },
    }));
}

export interface PromptStep {
  readonly step: number;
  /** In reading order. */
  readonly rows: Uint32Array;
  readonly mean: number | null;
  readonly min: number | null;
  readonly max: number | null;
}

/** The rows of one prompt by step, in step order; rows without a step are left out. @param rows ascending */
export function overTime(index: SampleIndex, rows: Uint32Array): PromptStep[] {
  const step = index.values("step");
  const sorted = ordered(rows, index.keys("step"), false).rows;
  const out: PromptStep[] = [];
  for (let from = 0; from < sorted.length; ) {
    const own = step[sorted[from] as number] as number;
    let to = from + 1;
    while (to < sorted.length && step[sorted[to] as number] === own) to++;
    const slice = sorted.subarray(from, to);
    const { mean, min, max } = statsOf(index, slice);
    out.push({ step: own, rows: slice, mean, min, max });
    from = to;
  }
  return out;
}
